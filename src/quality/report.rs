//! What an examination found.

use serde::Serialize;

/// A place on a mesh, or on the centre line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Place {
    /// Metres, frame `map`.
    pub point: [f64; 3],
    /// The chunk of the mesh; absent on the centre line.
    pub chunk: Option<String>,
}

/// Which values pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// At most the threshold.
    AtMost,
    /// At least the threshold.
    AtLeast,
    /// More than the threshold.
    MoreThan,
}

impl Rule {
    /// As an operator: `<=`, `>=`, `>`.
    pub fn sign(self) -> &'static str {
        match self {
            Rule::AtMost => "<=",
            Rule::AtLeast => ">=",
            Rule::MoreThan => ">",
        }
    }
}

/// One check.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Check {
    /// What was checked.
    pub name: &'static str,
    /// Unit of threshold and worst value; empty for counts.
    pub unit: &'static str,
    /// Which values pass.
    pub rule: Rule,
    /// The threshold.
    pub threshold: f64,
    /// The worst value found; absent where there was nothing to measure, which fails.
    pub worst: Option<f64>,
    /// Where.
    pub place: Option<Place>,
    /// Whether it passes.
    pub ok: bool,
    /// What else is worth knowing; may be empty.
    pub note: String,
}

impl Check {
    /// A check of a value against a threshold.
    pub(super) fn new(name: &'static str, unit: &'static str, rule: Rule, threshold: f64) -> Self {
        Self {
            name,
            unit,
            rule,
            threshold,
            worst: None,
            place: None,
            ok: false,
            note: String::new(),
        }
    }

    /// A count of faults, none of which is allowed.
    pub(super) fn none_of(name: &'static str, count: usize, first: Option<Place>) -> Self {
        Self::new(name, "", Rule::AtMost, 0.0).found(count as f64, first)
    }

    /// Sets the worst value and judges it.
    pub(super) fn found(mut self, worst: f64, place: Option<Place>) -> Self {
        self.ok = match self.rule {
            Rule::AtMost => worst <= self.threshold,
            Rule::AtLeast => worst >= self.threshold,
            Rule::MoreThan => worst > self.threshold,
        };
        self.worst = worst.is_finite().then_some(worst);
        self.place = place;
        self
    }

    /// Adds what else is worth knowing.
    pub(super) fn with_note(mut self, note: String) -> Self {
        self.note = note;
        self
    }
}

/// Every check of one cave.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// In a fixed order.
    pub checks: Vec<Check>,
}

impl Report {
    /// Whether all checks pass.
    pub fn is_ok(&self) -> bool {
        self.checks.iter().all(|c| c.ok)
    }

    /// The checks that do not pass.
    pub fn failed(&self) -> impl Iterator<Item = &Check> {
        self.checks.iter().filter(|c| !c.ok)
    }

    /// A check by name.
    pub fn check(&self, name: &str) -> Option<&Check> {
        self.checks.iter().find(|c| c.name == name)
    }
}
