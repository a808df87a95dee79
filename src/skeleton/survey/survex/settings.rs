//! What a block of a Survex file has set: names, instruments and the order of readings.

use super::super::text::Field;
use crate::skeleton::Error;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantity {
    Tape,
    BackTape,
    Compass,
    BackCompass,
    Clino,
    BackClino,
    Left,
    Right,
    Up,
    Down,
    Dx,
    Dy,
    Dz,
    Declination,
    Count,
    Depth,
}

impl Quantity {
    /// Words for each quantity.
    const NAMES: &[(&str, Self)] = &[
        ("tape", Self::Tape),
        ("length", Self::Tape),
        ("backtape", Self::BackTape),
        ("backlength", Self::BackTape),
        ("compass", Self::Compass),
        ("bearing", Self::Compass),
        ("backcompass", Self::BackCompass),
        ("backbearing", Self::BackCompass),
        ("clino", Self::Clino),
        ("gradient", Self::Clino),
        ("backclino", Self::BackClino),
        ("backgradient", Self::BackClino),
        ("left", Self::Left),
        ("right", Self::Right),
        ("up", Self::Up),
        ("ceiling", Self::Up),
        ("down", Self::Down),
        ("floor", Self::Down),
        ("dx", Self::Dx),
        ("easting", Self::Dx),
        ("dy", Self::Dy),
        ("northing", Self::Dy),
        ("dz", Self::Dz),
        ("altitude", Self::Dz),
        ("declination", Self::Declination),
        ("count", Self::Count),
        ("counter", Self::Count),
        ("depth", Self::Depth),
    ];
    /// Number of quantities.
    const COUNT: usize = 16;

    /// The quantity of a word in lower case.
    pub(super) fn of(word: &str) -> Option<Self> {
        let named = Self::NAMES.iter().find(|(name, _)| *name == word);
        named.map(|(_, quantity)| *quantity)
    }

    fn is_angle(self) -> bool {
        self.is_gradient() || matches!(self, Self::Compass | Self::BackCompass | Self::Declination)
    }

    fn is_gradient(self) -> bool {
        matches!(self, Self::Clino | Self::BackClino)
    }

    /// What a reading is called in an error.
    pub(super) fn name(self) -> &'static str {
        let named = Self::NAMES.iter().find(|(_, quantity)| *quantity == self);
        named.map_or("", |(name, _)| name)
    }

    /// The units in which it may be given.
    fn units(self) -> &'static str {
        match self {
            _ if self.is_gradient() => "degrees, grads, minutes or percent",
            _ if self.is_angle() => "degrees, grads or minutes",
            _ => "metres, feet or yards",
        }
    }

    /// The unit of a word in lower case.
    fn unit(self, word: &str) -> Option<Unit> {
        let factor = match word {
            "metres" | "meters" | "metric" if !self.is_angle() => 1.0,
            "feet" if !self.is_angle() => 0.3048,
            "yards" if !self.is_angle() => 0.9144,
            "degrees" | "degs" if self.is_angle() => 1.0,
            "grads" if self.is_angle() => 0.9,
            "minutes" if self.is_angle() => 1.0 / 60.0,
            "percent" | "percentage" if self.is_gradient() => return Some(Unit::Percent(1.0)),
            _ => return None,
        };
        Some(Unit::Factor(factor))
    }
}

/// Unit of a quantity.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Unit {
    /// Metres or degrees in one.
    Factor(f64),
    /// Rise over run, this many percent in one.
    Percent(f64),
}

impl Unit {
    /// A value in metres or degrees.
    fn value(self, reading: f64) -> f64 {
        match self {
            Self::Factor(factor) => reading * factor,
            Self::Percent(factor) => libm::atan(reading * factor / 100.0).to_degrees(),
        }
    }
}

/// How readings of a quantity become values.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Gauge {
    unit: Unit,
    scale: f64,
    /// What the instrument reads at zero.
    zero: f64,
    /// What is subtracted from the value, metres or degrees.
    offset: f64,
}

impl Default for Gauge {
    fn default() -> Self {
        Self {
            unit: Unit::Factor(1.0),
            scale: 1.0,
            zero: 0.0,
            offset: 0.0,
        }
    }
}

/// Case of names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Case {
    #[default]
    Lower,
    Upper,
    Preserve,
}

/// A field of a data line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    From,
    To,
    Station,
    Measure(Quantity),
    Ignore,
    IgnoreAll,
}

/// What data lines are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Normal,
    Cartesian,
    Passage,
    NoSurvey,
}

/// Flags of legs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Flags {
    pub(super) splay: bool,
    pub(super) surface: bool,
    pub(super) duplicate: bool,
}

/// All that `*end` restores.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// Name of the survey, with its outer ones, or nothing.
    pub(super) prefix: String,
    pub(super) case: Case,
    pub(super) style: Style,
    pub(super) order: Vec<Reading>,
    gauges: [Gauge; Quantity::COUNT],
    /// Added to bearings, degrees.
    pub(super) declination_deg: f64,
    pub(super) flags: Flags,
    /// A clino reading of ±90 is a plumb line, to which no correction applies.
    pub(super) infer_plumbs: bool,
    /// A tape reading of zero makes two stations one.
    pub(super) infer_equates: bool,
    /// The coordinate system of `*fix` is not metric.
    pub(super) geographic: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            prefix: String::new(),
            case: Case::Lower,
            style: Style::Normal,
            order: default_order(),
            gauges: [Gauge::default(); Quantity::COUNT],
            declination_deg: 0.0,
            flags: Flags::default(),
            infer_plumbs: false,
            infer_equates: false,
            geographic: false,
        }
    }
}

/// The order of readings when nothing else is said.
pub(super) fn default_order() -> Vec<Reading> {
    vec![
        Reading::From,
        Reading::To,
        Reading::Measure(Quantity::Tape),
        Reading::Measure(Quantity::Compass),
        Reading::Measure(Quantity::Clino),
    ]
}

impl Settings {
    /// A reading as metres or degrees: `(reading - zero) scale` in its unit, less the offset.
    pub(super) fn value(&self, quantity: Quantity, reading: f64) -> f64 {
        let gauge = &self.gauges[quantity as usize];
        gauge.unit.value((reading - gauge.zero) * gauge.scale) - gauge.offset
    }

    /// `*units`: what comes after the word.
    pub(super) fn set_units(&mut self, command: Field, rest: &[Field]) -> Result<(), Error> {
        if is_default(rest) {
            for gauge in &mut self.gauges {
                gauge.unit = Unit::Factor(1.0);
            }
            return Ok(());
        }
        let (quantities, rest) = quantities(command, rest)?;
        let factor = rest.first().and_then(|f| f.text.parse::<f64>().ok());
        let (factor, rest) = match (factor, rest) {
            (Some(factor), [field, rest @ ..]) => {
                if !(factor.abs() >= 1e-9 && factor.abs() <= 1e9) {
                    return Err(field.refuse("a factor other than 0, at most 1e9"));
                }
                (factor, rest)
            }
            _ => (1.0, rest),
        };
        for quantity in quantities {
            let expected = format!("a unit of {}: {}", quantity.name(), quantity.units());
            let [word] = rest else {
                return Err(end_of(command, rest, 1).refuse(expected));
            };
            let unit = quantity.unit(&word.text.to_lowercase());
            self.gauges[quantity as usize].unit = match unit {
                Some(Unit::Factor(one)) => Unit::Factor(one * factor),
                Some(Unit::Percent(one)) => Unit::Percent(one * factor),
                None => return Err(word.refuse(expected)),
            };
        }
        Ok(())
    }

    /// `*calibrate`: what comes after the word.
    pub(super) fn calibrate(&mut self, command: Field, rest: &[Field]) -> Result<(), Error> {
        if is_default(rest) {
            for gauge in &mut self.gauges {
                let unit = gauge.unit;
                *gauge = Gauge {
                    unit,
                    ..Gauge::default()
                };
            }
            self.declination_deg = 0.0;
            return Ok(());
        }
        let (quantities, rest) = quantities(command, rest)?;
        let [zero_field, rest @ ..] = rest else {
            return Err(command.refuse("a zero error after the quantities"));
        };
        let zero = zero_field.number("a zero error", -1e6, 1e6)?;
        let word = rest.first().filter(|f| f.text.parse::<f64>().is_err());
        let rest = if word.is_some() { &rest[1..] } else { rest };
        let scale = match rest {
            [] => 1.0,
            [scale] => scale.number("a scale", -1e6, 1e6)?,
            [_, extra, ..] => return Err(extra.refuse("the end of the line")),
        };
        for quantity in quantities {
            let external = match word {
                None => None,
                Some(word) => match quantity.unit(&word.text.to_lowercase()) {
                    Some(unit) => Some(unit.value(zero)),
                    None => {
                        let units = quantity.units();
                        let expected = format!("a unit of {}: {units}", quantity.name());
                        return Err(word.refuse(expected));
                    }
                },
            };
            let gauge = &mut self.gauges[quantity as usize];
            if quantity == Quantity::Declination {
                if let [scale] = rest {
                    return Err(scale.refuse("no scale for a declination"));
                }
                // A zero error: what a compass shows in true north, so the other way round.
                self.declination_deg = -external.unwrap_or_else(|| gauge.unit.value(zero));
            } else {
                gauge.scale = scale;
                gauge.zero = if external.is_some() { 0.0 } else { zero };
                gauge.offset = external.unwrap_or(0.0);
            }
        }
        Ok(())
    }

    /// `*declination NUMBER UNITS`; false when it is to be computed, which is not done here.
    pub(super) fn set_declination(
        &mut self,
        command: Field,
        rest: &[Field],
    ) -> Result<bool, Error> {
        match rest {
            [auto, ..] if auto.text.eq_ignore_ascii_case("auto") => Ok(false),
            [number, unit] => {
                let value = number.number("a declination", -1e6, 1e6)?;
                let known = Quantity::Declination.unit(&unit.text.to_lowercase());
                let unit = known.ok_or_else(|| unit.refuse(Quantity::Declination.units()))?;
                self.declination_deg = unit.value(value);
                Ok(true)
            }
            _ => Err(end_of(command, rest, 2).refuse("a declination and its unit, or `auto`")),
        }
    }
}

/// The field in which a row of wrong length is wrong: the first beyond `count`, else the command.
pub(super) fn end_of<'a>(command: Field<'a>, rest: &[Field<'a>], count: usize) -> Field<'a> {
    rest.get(count).copied().unwrap_or(command)
}

fn is_default(rest: &[Field]) -> bool {
    matches!(rest, [word] if word.text.eq_ignore_ascii_case("default"))
}

/// The quantities at the start of a row, and what follows.
fn quantities<'r, 'a>(
    command: Field<'a>,
    rest: &'r [Field<'a>],
) -> Result<(Vec<Quantity>, &'r [Field<'a>]), Error> {
    let found: Vec<Quantity> = rest
        .iter()
        .map_while(|field| Quantity::of(&field.text.to_lowercase()))
        .collect();
    if found.is_empty() {
        let at = rest.first().copied().unwrap_or(command);
        return Err(at.refuse("a quantity, such as tape, compass or clino"));
    }
    let rest = &rest[found.len()..];
    Ok((found, rest))
}
