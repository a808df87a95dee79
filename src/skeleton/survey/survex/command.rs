//! Commands of a Survex file.

use super::super::text::Field;
use super::settings::{Case, Flags, Quantity, Reading, Settings, Style, default_order, end_of};
use super::{Block, MAX_DEPTH, Reader};
use crate::skeleton::Error;
use glam::DVec3;

/// Commands that say something about the survey, not about the cave. Not worth a note.
const SILENT: &[&str] = &[
    "title",
    "date",
    "team",
    "instrument",
    "copyright",
    "ref",
    "export",
    "require",
    "sd",
];

/// Longest name of a command that a note repeats, characters.
const LONGEST: usize = 30;

impl Reader<'_> {
    /// Does what a command says; `rest` are the fields after its name, `line` is the whole line.
    pub(super) fn command<'a>(
        &mut self,
        command: Field<'a>,
        rest: &[Field<'a>],
        line: &'a str,
        blocks: &mut Vec<Block<'a>>,
    ) -> Result<(), Error> {
        let word = command.text.to_lowercase();
        match word.as_str() {
            "" => return Err(command.refuse("a command after `*`")),
            "begin" => return self.begin(command, rest, blocks),
            "end" => return self.end(command, rest, blocks),
            "include" => return self.include(command, line),
            "prefix" => match rest {
                [name] => self.settings.prefix = self.named(*name)?,
                _ => return Err(end_of(command, rest, 1).refuse("the name of a survey")),
            },
            "case" => self.settings.case = case(command, rest)?,
            "data" => self.order(command, rest)?,
            "units" => self.settings.set_units(command, rest)?,
            "calibrate" => self.settings.calibrate(command, rest)?,
            "declination" => {
                if !self.settings.set_declination(command, rest)? {
                    self.pass_over("declination auto");
                }
            }
            "default" => self.default(command, rest)?,
            "flags" => set_flags(&mut self.settings.flags, rest)?,
            "equate" => self.equate(command, rest)?,
            "fix" => self.fix(command, rest)?,
            "entrance" => match rest {
                [name] => {
                    let station = self.station(*name)?;
                    self.network.mark_entrance(station);
                }
                _ => return Err(end_of(command, rest, 1).refuse("one station")),
            },
            "infer" => self.infer(command, rest)?,
            "cs" => {
                let words: Vec<String> = rest.iter().map(|f| f.text.to_lowercase()).collect();
                if words.first().is_some_and(|word| word != "out") {
                    self.settings.geographic = words.first().is_some_and(|w| w == "long-lat");
                }
                self.pass_over(&word);
            }
            // Both change which readings and names the lines that follow mean.
            "set"
                if rest
                    .first()
                    .is_none_or(|f| !f.text.eq_ignore_ascii_case("names")) =>
            {
                return Err(command.refuse("a file with Survex's own separators and decimal point"));
            }
            "truncate"
                if rest
                    .first()
                    .is_none_or(|f| !f.text.eq_ignore_ascii_case("off")) =>
            {
                return Err(command.refuse("a file whose names are whole, `*truncate off`"));
            }
            "set" | "truncate" | "alias" => {}
            _ if SILENT.contains(&word.as_str()) => {}
            _ => self.pass_over(&word),
        }
        Ok(())
    }

    /// Remembers a command for the note.
    pub(super) fn pass_over(&mut self, word: &str) {
        if self.passed_over.len() <= super::LISTED {
            let word = super::super::text::quoted(word);
            let short: String = word.chars().take(LONGEST).collect();
            self.passed_over.insert(format!("*{short}"));
        }
    }

    fn begin<'a>(
        &mut self,
        command: Field<'a>,
        rest: &[Field<'a>],
        blocks: &mut Vec<Block<'a>>,
    ) -> Result<(), Error> {
        self.deepen(command)?;
        let outer = self.settings.clone();
        let name = match rest {
            [] => None,
            [name] => {
                self.settings.prefix = self.named(*name)?;
                Some(name.text.to_lowercase())
            }
            [_, extra, ..] => return Err(extra.refuse("the end of the line")),
        };
        blocks.push(Block {
            outer,
            name,
            at: command,
        });
        Ok(())
    }

    fn end<'a>(
        &mut self,
        command: Field<'a>,
        rest: &[Field<'a>],
        blocks: &mut Vec<Block<'a>>,
    ) -> Result<(), Error> {
        let Some(block) = blocks.pop() else {
            return Err(command.refuse("a `*begin` before it in the same file"));
        };
        let named = rest.first().map(|f| f.text.to_lowercase());
        if named != block.name || rest.len() > 1 {
            let at = end_of(command, rest, rest.len().saturating_sub(1));
            let expected = match &block.name {
                Some(name) => format!(
                    "`*end {name}`, as the block began in line {}",
                    block.at.line
                ),
                None => format!("`*end` alone, as the block began in line {}", block.at.line),
            };
            return Err(at.refuse(expected));
        }
        self.depth -= 1;
        self.settings = block.outer;
        Ok(())
    }

    fn deepen(&mut self, command: Field) -> Result<(), Error> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let expected = format!("blocks and files nested at most {MAX_DEPTH} deep");
            return Err(command.refuse(expected));
        }
        Ok(())
    }

    /// Reads another file in place.
    fn include(&mut self, command: Field, line: &str) -> Result<(), Error> {
        let from = line
            .to_lowercase()
            .find("include")
            .map_or(0, |at| at + "include".len());
        let written = line.get(from..).unwrap_or_default().trim();
        let name = written
            .strip_prefix('"')
            .and_then(|name| name.strip_suffix('"'))
            .unwrap_or(written);
        let field = Field {
            text: name,
            ..command
        };
        let Some(folder) = &mut self.folder else {
            return Err(field.refuse("a survey in one file"));
        };
        let (path, text) = folder.open(name, field)?;
        self.deepen(command)?;
        let prefix = self.settings.prefix.clone();
        self.file(&path, &text)?;
        self.settings.prefix = prefix;
        self.depth -= 1;
        Ok(())
    }

    /// `*data`: style and order of readings.
    fn order(&mut self, command: Field, rest: &[Field]) -> Result<(), Error> {
        let [style, words @ ..] = rest else {
            // The same style again, from a new start.
            return Ok(());
        };
        let name = style.text.to_lowercase();
        let (kind, needed): (_, &[Reading]) = match name.as_str() {
            "default" => {
                self.settings.style = Style::Normal;
                self.settings.order = default_order();
                return Ok(());
            }
            "normal" | "topofil" => (Style::Normal, &[Reading::From, Reading::To]),
            "cartesian" => (
                Style::Cartesian,
                &[
                    Reading::From,
                    Reading::To,
                    Reading::Measure(Quantity::Dx),
                    Reading::Measure(Quantity::Dy),
                    Reading::Measure(Quantity::Dz),
                ],
            ),
            "passage" => (Style::Passage, &[Reading::Station]),
            "nosurvey" => {
                self.settings.style = Style::NoSurvey;
                self.pass_over("data nosurvey");
                return Ok(());
            }
            _ => {
                return Err(style.refuse(
                    "a data style that plume reads: normal, cartesian, passage, nosurvey or default",
                ));
            }
        };
        let mut order = Vec::new();
        for (index, word) in words.iter().enumerate() {
            let reading = reading(kind, &word.text.to_lowercase());
            let reading = reading.ok_or_else(|| word.refuse(allowed(kind)))?;
            if reading == Reading::IgnoreAll && index + 1 < words.len() {
                return Err(words[index + 1].refuse("the end of the line after `ignoreall`"));
            }
            if reading != Reading::Ignore && order.contains(&reading) {
                return Err(word.refuse("each reading once"));
            }
            order.push(reading);
        }
        if needed.iter().any(|reading| !order.contains(reading)) {
            return Err(command.refuse(match kind {
                Style::Normal => "both `from` and `to` among the readings",
                Style::Cartesian => "`from to dx dy dz` among the readings",
                _ => "`station` among the readings",
            }));
        }
        self.settings.style = kind;
        self.settings.order = order;
        Ok(())
    }

    /// `*default`, an old form.
    fn default(&mut self, command: Field, rest: &[Field]) -> Result<(), Error> {
        for field in rest {
            let word = Field {
                text: "default",
                ..*field
            };
            match field.text.to_lowercase().as_str() {
                "calibrate" => self.settings.calibrate(command, &[word])?,
                "data" => self.order(command, &[word])?,
                "units" => self.settings.set_units(command, &[word])?,
                _ => return Err(field.refuse("calibrate, data or units")),
            }
        }
        Ok(())
    }

    fn equate(&mut self, command: Field, rest: &[Field]) -> Result<(), Error> {
        let [first, others @ ..] = rest else {
            return Err(command.refuse("two stations or more"));
        };
        if others.is_empty() {
            return Err(command.refuse("two stations or more"));
        }
        let first = self.station(*first)?;
        for other in others {
            let other = self.station(*other)?;
            self.network.equate(first, other);
        }
        Ok(())
    }

    /// `*fix STATION [reference] [x y z [errors …]]`; errors are not used, the place is exact.
    fn fix(&mut self, command: Field, rest: &[Field]) -> Result<(), Error> {
        let [name, rest @ ..] = rest else {
            return Err(command.refuse("a station and its place, `x y z`"));
        };
        let rest = match rest {
            [word, rest @ ..] if word.text.eq_ignore_ascii_case("reference") => rest,
            _ => rest,
        };
        let place = match rest {
            [] => DVec3::ZERO,
            [x, y, z, ..] => DVec3::new(
                x.coordinate("x of a station")?,
                y.coordinate("y of a station")?,
                z.coordinate("z of a station")?,
            ),
            _ => {
                return Err(end_of(command, rest, rest.len() - 1).refuse("`x y z`, or nothing"));
            }
        };
        if self.settings.geographic {
            self.pass_over("fix (in long-lat)");
            return Ok(());
        }
        let station = self.station(*name)?;
        self.network.fix(station, place, *name)
    }

    fn infer(&mut self, command: Field, rest: &[Field]) -> Result<(), Error> {
        let [what, state] = rest else {
            return Err(
                end_of(command, rest, 2).refuse("plumbs, equates or exports, and on or off")
            );
        };
        let on = match state.text.to_lowercase().as_str() {
            "on" => true,
            "off" => false,
            _ => return Err(state.refuse("on or off")),
        };
        match what.text.to_lowercase().as_str() {
            "plumbs" => self.settings.infer_plumbs = on,
            "equates" => self.settings.infer_equates = on,
            "exports" => {}
            _ => return Err(what.refuse("plumbs, equates or exports")),
        }
        Ok(())
    }
}

fn case(command: Field, rest: &[Field]) -> Result<Case, Error> {
    let word = rest.first().copied().unwrap_or(command);
    match word.text.to_lowercase().as_str() {
        "preserve" => Ok(Case::Preserve),
        "toupper" => Ok(Case::Upper),
        "tolower" => Ok(Case::Lower),
        _ => Err(word.refuse("preserve, toupper or tolower")),
    }
}

fn set_flags(flags: &mut Flags, rest: &[Field]) -> Result<(), Error> {
    let mut on = true;
    for field in rest {
        match field.text.to_lowercase().as_str() {
            "not" => {
                on = false;
                continue;
            }
            "splay" => flags.splay = on,
            "surface" => flags.surface = on,
            "duplicate" => flags.duplicate = on,
            _ => return Err(field.refuse("splay, surface or duplicate, each perhaps after `not`")),
        }
        on = true;
    }
    Ok(())
}

/// The reading of a word in lower case, where the style has it.
fn reading(style: Style, word: &str) -> Option<Reading> {
    use Quantity as Q;
    let fits = |quantity: &Q| match style {
        Style::Normal => matches!(
            quantity,
            Q::Tape | Q::BackTape | Q::Compass | Q::BackCompass | Q::Clino | Q::BackClino
        ),
        Style::Cartesian => matches!(quantity, Q::Dx | Q::Dy | Q::Dz),
        _ => matches!(quantity, Q::Left | Q::Right | Q::Up | Q::Down),
    };
    match word {
        "ignore" => Some(Reading::Ignore),
        "ignoreall" => Some(Reading::IgnoreAll),
        "from" if style != Style::Passage => Some(Reading::From),
        "to" if style != Style::Passage => Some(Reading::To),
        "station" if style == Style::Passage => Some(Reading::Station),
        _ => Q::of(word).filter(fits).map(Reading::Measure),
    }
}

/// The readings of a style in words.
fn allowed(style: Style) -> &'static str {
    match style {
        Style::Normal => {
            "from, to, tape, compass, clino, backtape, backcompass, backclino, ignore or ignoreall \
             (interleaved data is not read)"
        }
        Style::Cartesian => "from, to, dx, dy, dz, ignore or ignoreall",
        _ => "station, left, right, up, down, ignore or ignoreall",
    }
}

impl Settings {
    /// The full name of a station or survey in a block.
    pub(super) fn full_name(&self, name: &str) -> String {
        let name = match self.case {
            Case::Lower => name.to_lowercase(),
            Case::Upper => name.to_uppercase(),
            Case::Preserve => name.to_owned(),
        };
        match self.prefix.as_str() {
            "" => name,
            prefix => format!("{prefix}.{name}"),
        }
    }
}
