//! Data lines of a Survex file.

use super::super::MAX_SIZE_M;
use super::super::text::Field;
use super::Reader;
use super::network::{Kind, Shot};
use super::settings::{Quantity, Reading, Settings, Style};
use crate::skeleton::Error;
use glam::DVec3;

/// Longest full name of a station, characters.
const LONGEST_NAME: usize = 200;

/// Largest distance between up and down readings that still means plumb, degrees from vertical.
const PLUMB_DEG: f64 = 1e-9;

/// One end of a leg.
enum End<'a> {
    /// A station with a name.
    Named(Field<'a>),
    /// A point on a wall or in the open, of which nothing more is known.
    Splay,
    /// The end of a passage that has no name.
    Unnamed,
}

/// The fields of a data line by what they are.
struct Row<'a, 'r> {
    order: &'r [Reading],
    fields: &'r [Field<'a>],
}

impl<'a> Row<'a, '_> {
    /// The field of a reading, if the line has it; an omitted one too.
    fn get(&self, reading: Reading) -> Option<Field<'a>> {
        let at = self.order.iter().position(|&r| r == reading)?;
        self.fields.get(at).copied()
    }

    /// The field of a measured quantity, unless it is omitted.
    fn measured(&self, quantity: Quantity) -> Option<Field<'a>> {
        self.get(Reading::Measure(quantity))
            .filter(|f| f.text != "-")
    }

    /// Where to point when a quantity is missing.
    fn place(&self, quantity: Quantity) -> Field<'a> {
        let first = self.fields[0];
        self.get(Reading::Measure(quantity)).unwrap_or(first)
    }
}

/// How a leg goes up or down.
#[derive(Clone, Copy, PartialEq)]
enum Slope {
    /// Degrees over the horizontal.
    Degrees(f64),
    /// Straight up (1) or down (-1).
    Plumb(f64),
}

impl Reader<'_> {
    /// Reads a line that is no command; `row` is not empty.
    pub(super) fn data(&mut self, row: &[Field]) -> Result<(), Error> {
        let order = self.settings.order.clone();
        if self.settings.style == Style::NoSurvey {
            return Ok(());
        }
        let fields = check_length(&order, row)?;
        let row = Row {
            order: &order,
            fields,
        };
        match self.settings.style {
            Style::Normal => {
                let way = polar(&self.settings, &row)?;
                self.leg(&row, way)
            }
            Style::Cartesian => {
                let axis = |quantity| {
                    let field = row.place(quantity);
                    number(&self.settings, quantity, field, MAX_SIZE_M)
                };
                let way = DVec3::new(
                    axis(Quantity::Dx)?,
                    axis(Quantity::Dy)?,
                    axis(Quantity::Dz)?,
                );
                self.leg(&row, Some(way))
            }
            Style::Passage => self.passage(&row),
            Style::NoSurvey => Ok(()),
        }
    }

    /// Adds a leg; without `way` its stations are one.
    fn leg(&mut self, row: &Row, way: Option<DVec3>) -> Result<(), Error> {
        let (Some(from), Some(to)) = (row.get(Reading::From), row.get(Reading::To)) else {
            return Ok(());
        };
        let (from_end, to_end) = (end(from), end(to));
        let flags = self.settings.flags;
        let splay = |end: &End| matches!(end, End::Splay);
        if splay(&from_end) || splay(&to_end) {
            if splay(&from_end) && splay(&to_end) {
                return Err(to.refuse("a named station at one end of the leg"));
            }
            return Ok(());
        }
        if flags.splay {
            return Ok(());
        }
        let [from, to] = [(from, from_end), (to, to_end)].map(|(field, end)| match end {
            End::Named(name) => self.station(name),
            End::Splay | End::Unnamed => self.network.unnamed(field),
        });
        let (from_index, to_index) = (from?, to?);
        let Some(way) = way else {
            self.network.equate(from_index, to_index);
            return Ok(());
        };
        let kind = match flags {
            _ if flags.surface => Kind::Surface,
            _ if flags.duplicate => Kind::Duplicate,
            _ => Kind::Passage,
        };
        let at = row.fields[0];
        self.network.shoot(
            Shot {
                from: from_index,
                to: to_index,
                way,
                kind,
            },
            at,
        )
    }

    /// Notes the width of a passage at a station.
    fn passage(&mut self, row: &Row) -> Result<(), Error> {
        let Some(name) = row.get(Reading::Station) else {
            return Ok(());
        };
        let mut sides = [None; 4];
        let all = [
            Quantity::Left,
            Quantity::Right,
            Quantity::Up,
            Quantity::Down,
        ];
        for (side, quantity) in sides.iter_mut().zip(all) {
            let Some(field) = row.measured(quantity) else {
                continue;
            };
            let value = number(&self.settings, quantity, field, MAX_SIZE_M)?;
            if value < 0.0 {
                return Err(field.refuse(format!("{}, 0 or more", quantity.name())));
            }
            *side = Some(value);
        }
        let half_m = match sides {
            [Some(left), Some(right), ..] => (left + right) / 2.0,
            [Some(one), None, ..] | [None, Some(one), ..] => one,
            _ => 0.0,
        };
        let station = self.station(name)?;
        if half_m > 0.0 {
            self.network.widen(station, half_m);
        }
        Ok(())
    }

    /// The station of a name, known or new.
    pub(super) fn station(&mut self, field: Field) -> Result<usize, Error> {
        let name = self.named(field)?;
        self.network.station(name, field)
    }

    /// The full name of a station or survey.
    pub(super) fn named(&self, field: Field) -> Result<String, Error> {
        let expected = "a name of letters, digits, `_` and `-`, with dots between its parts";
        let text = field.text;
        let strange = |c: char| c.is_control() || c == '\u{fffd}' || "\\\"*;".contains(c);
        if text.split('.').any(str::is_empty) || text.contains(strange) {
            return Err(field.refuse(expected));
        }
        let name = self.settings.full_name(text);
        if name.chars().nth(LONGEST_NAME).is_some() {
            let expected = format!("names of at most {LONGEST_NAME} characters with all prefixes");
            return Err(field.refuse(expected));
        }
        Ok(name)
    }
}

/// The fields that the order asks for, and no more.
fn check_length<'a, 'r>(order: &[Reading], row: &'r [Field<'a>]) -> Result<&'r [Field<'a>], Error> {
    let open = order.last() == Some(&Reading::IgnoreAll);
    let count = order.len() - usize::from(open);
    if let Some(missing) = order[..count].get(row.len()) {
        let last = row[row.len() - 1];
        let end = Field {
            text: "",
            column: last.column + last.text.chars().count(),
            ..last
        };
        return Err(end.refuse(format!(
            "{}; the readings are {}",
            word(*missing),
            words(order)
        )));
    }
    if !open && let Some(extra) = row.get(count) {
        let expected = format!("the end of the line; the readings are {}", words(order));
        return Err(extra.refuse(expected));
    }
    Ok(&row[..count])
}

fn word(reading: Reading) -> &'static str {
    match reading {
        Reading::From => "from",
        Reading::To => "to",
        Reading::Station => "station",
        Reading::Measure(quantity) => quantity.name(),
        Reading::Ignore => "ignore",
        Reading::IgnoreAll => "ignoreall",
    }
}

fn words(order: &[Reading]) -> String {
    let words: Vec<&str> = order.iter().map(|&reading| word(reading)).collect();
    words.join(" ")
}

fn end(field: Field) -> End {
    match field.text {
        "." | ".." | "-" => End::Splay,
        "..." => End::Unnamed,
        _ => End::Named(field),
    }
}

/// A reading in metres or degrees, within `±most` in those.
fn number(settings: &Settings, quantity: Quantity, field: Field, most: f64) -> Result<f64, Error> {
    let name = quantity.name();
    let value = field.text.parse().ok().map(|v| settings.value(quantity, v));
    value.filter(|v| v.abs() <= most).ok_or_else(|| {
        field.refuse(format!(
            "a {name} reading, a number that means at most {most}"
        ))
    })
}

/// The vector of a leg measured with tape, compass and clino; none when a tape reading of 0 makes
/// its stations one.
fn polar(settings: &Settings, row: &Row) -> Result<Option<DVec3>, Error> {
    let tape = row.measured(Quantity::Tape);
    let backtape = row.measured(Quantity::BackTape);
    let mut lengths = Vec::new();
    for (field, quantity) in [(tape, Quantity::Tape), (backtape, Quantity::BackTape)] {
        let Some(field) = field else { continue };
        if settings.infer_equates && field.text.parse() == Ok(0.0) {
            return Ok(None);
        }
        let length = number(settings, quantity, field, MAX_SIZE_M)?;
        if length < 0.0 {
            return Err(field.refuse("a length that is not negative once calibrated"));
        }
        lengths.push(length);
    }
    if lengths.is_empty() {
        return Err(row.place(Quantity::Tape).refuse("a tape reading"));
    }
    let length_m = lengths.iter().sum::<f64>() / lengths.len() as f64;

    let up = match row.measured(Quantity::Clino) {
        Some(field) => Some((slope(settings, Quantity::Clino, field)?, field)),
        None => None,
    };
    let back = match row.measured(Quantity::BackClino) {
        Some(field) => Some((slope(settings, Quantity::BackClino, field)?, field)),
        None => None,
    };
    let slope = match (up, back) {
        (None, None) => Slope::Degrees(0.0),
        (Some((slope, _)), None) => slope,
        (None, Some((back, _))) => turned(back),
        (Some((Slope::Degrees(a), _)), Some((Slope::Degrees(b), _))) => {
            Slope::Degrees((a - b) / 2.0)
        }
        (Some((a, _)), Some((b, _))) if a == turned(b) => a,
        (Some(_), Some((_, field))) => {
            return Err(field.refuse("a backclino that agrees with a plumbed clino"));
        }
    };

    let bearing = bearing_deg(settings, row)?;
    let (gradient, bearing) = match (slope, bearing) {
        (Slope::Plumb(way), _) => return Ok(Some(DVec3::Z * way * length_m)),
        (Slope::Degrees(g), None) if 90.0 - g.abs() < PLUMB_DEG => {
            return Ok(Some(DVec3::Z * g.signum() * length_m));
        }
        (Slope::Degrees(_), None) => {
            let at = row.place(Quantity::Compass);
            return Err(at.refuse("a compass reading, as the leg is not plumbed"));
        }
        (Slope::Degrees(g), Some(bearing)) => (g.to_radians(), bearing.to_radians()),
    };
    let (flat, rise) = (libm::cos(gradient), libm::sin(gradient));
    let way = DVec3::new(flat * libm::sin(bearing), flat * libm::cos(bearing), rise);
    Ok(Some(way * length_m))
}

fn turned(slope: Slope) -> Slope {
    match slope {
        Slope::Degrees(g) => Slope::Degrees(-g),
        Slope::Plumb(way) => Slope::Plumb(-way),
    }
}

fn slope(settings: &Settings, quantity: Quantity, field: Field) -> Result<Slope, Error> {
    match field.text.to_lowercase().as_str() {
        "up" | "u" | "+v" => return Ok(Slope::Plumb(1.0)),
        "down" | "d" | "-v" => return Ok(Slope::Plumb(-1.0)),
        "level" | "h" => return Ok(Slope::Degrees(0.0)),
        text => {
            // As read: the correction of a clino does not hold for a plumb line.
            if let Ok(reading) = text.parse::<f64>()
                && settings.infer_plumbs
                && reading.abs() == 90.0
            {
                return Ok(Slope::Plumb(reading.signum()));
            }
        }
    }
    let expected = format!(
        "a {} reading from -90 to 90 degrees, `-`, `up`, `down` or `level`",
        quantity.name()
    );
    let value = field.text.parse().ok().map(|v| settings.value(quantity, v));
    let value = value.filter(|v: &f64| v.abs() <= 90.0);
    value
        .map(Slope::Degrees)
        .ok_or_else(|| field.refuse(expected))
}

/// The bearing from true north, degrees, if the line has one.
fn bearing_deg(settings: &Settings, row: &Row) -> Result<Option<f64>, Error> {
    let read = |quantity: Quantity| -> Result<Option<f64>, Error> {
        let Some(field) = row.measured(quantity) else {
            return Ok(None);
        };
        Ok(Some(number(settings, quantity, field, 360.0)?))
    };
    let ahead = read(Quantity::Compass)?;
    let back = read(Quantity::BackCompass)?.map(|b| b + 180.0);
    let magnetic = match (ahead, back) {
        (Some(a), Some(b)) => {
            let apart = (b - a) - 360.0 * ((b - a) / 360.0).round();
            Some(a + apart / 2.0)
        }
        (a, b) => a.or(b),
    };
    Ok(magnetic.map(|m| m + settings.declination_deg))
}
