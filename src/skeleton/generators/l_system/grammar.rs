//! Stochastic bracketed L-systems: rules from text, strings from rules, moves from strings.
//!
//! Source: Prusinkiewicz & Lindenmayer 1990, "The Algorithmic Beauty of Plants", §1.6–1.7
//! (bracketed and stochastic L-systems).

use crate::skeleton::Error;
use rand::{Rng, RngExt as _};
use std::collections::BTreeMap;

/// Rewritings after which a string counts as grown out.
const REWRITES: usize = 64;
/// Symbols of a string per move that is asked for, and of any string.
const SYMBOLS_PER_MOVE: usize = 24;
const SYMBOLS_BASE: usize = 4096;

/// An axiom and the rules that rewrite it.
pub(super) struct Grammar {
    axiom: Vec<u8>,
    /// Successors of each letter with their weights.
    rules: BTreeMap<u8, Vec<(f64, Vec<u8>)>>,
}

/// A passage of the turtle: `F` of a string.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Move {
    /// The move it goes on from; none at the start.
    pub(super) after: Option<usize>,
    /// Turns to the left before it, in units of the angle.
    pub(super) turns: f64,
}

/// A text that is being read, for its errors.
struct Text<'a> {
    key: &'static str,
    /// Number of the rule, from 1; 0 for the axiom.
    rule: usize,
    text: &'a str,
}

impl Text<'_> {
    fn fault(&self, at: usize, expected: impl Into<String>) -> Error {
        Error::Rule {
            key: self.key,
            rule: self.rule,
            text: self.text.to_owned(),
            column: self.text[..at].chars().count() + 1,
            expected: expected.into(),
        }
    }

    /// The symbols in `text[from..to]`; brackets must match.
    fn symbols(&self, from: usize, to: usize) -> Result<Vec<u8>, Error> {
        let mut open = Vec::new();
        let mut symbols = Vec::new();
        for (at, symbol) in self.text[from..to].char_indices() {
            let at = from + at;
            match symbol {
                ' ' => continue,
                '[' => open.push(at),
                ']' if open.pop().is_none() => {
                    return Err(self.fault(at, "`]` closes no `[`"));
                }
                'A'..='Z' | '+' | '-' | ']' => {}
                other => {
                    let expected = format!("`{other}` is no symbol; allowed are A to Z + - [ ]");
                    return Err(self.fault(at, expected));
                }
            }
            // All allowed symbols are ASCII.
            symbols.push(symbol as u8);
        }
        match open.pop() {
            Some(at) => Err(self.fault(at, "`[` is never closed")),
            None => Ok(symbols),
        }
    }
}

impl Grammar {
    /// Reads an axiom, such as `F`, and rules separated by semicolons, such as
    /// `F=F[+F]F:0.5; F=FF`: a letter, its successor, and a weight among the rules of that
    /// letter, 1 when it is left out.
    ///
    /// # Errors
    ///
    /// [`Error::Rule`] with key, rule and column.
    pub(super) fn parse(axiom: &str, rules: &str) -> Result<Self, Error> {
        let text = Text {
            key: "generators.l_system.axiom",
            rule: 0,
            text: axiom,
        };
        let mut grammar = Self {
            axiom: text.symbols(0, axiom.len())?,
            rules: BTreeMap::new(),
        };
        let written = rules.split([';', '\n']).map(str::trim);
        for (index, text) in written.filter(|text| !text.is_empty()).enumerate() {
            let text = Text {
                key: "generators.l_system.rules",
                rule: index + 1,
                text,
            };
            grammar.add(&text)?;
        }
        grammar.check_grows(&text)?;
        Ok(grammar)
    }

    fn add(&mut self, rule: &Text) -> Result<(), Error> {
        let text = rule.text;
        let Some(equals) = text.find('=') else {
            return Err(rule.fault(text.len(), "expected `=`, as in `F=F[+F]F:0.5`"));
        };
        let letter = match text[..equals].trim().as_bytes() {
            [letter @ b'A'..=b'Z'] => *letter,
            _ => return Err(rule.fault(0, "expected one letter, A to Z, before `=`")),
        };
        let colon = text.find(':').unwrap_or(text.len());
        if colon < equals {
            return Err(rule.fault(colon, "expected the weight, after `:`, at the end"));
        }
        let successor = rule.symbols(equals + 1, colon)?;
        let weight = match text.get(colon + 1..) {
            None => 1.0,
            Some(number) => match number.trim().parse::<f64>() {
                Ok(weight) if weight > 0.0 && weight <= 1e6 => weight,
                _ => {
                    return Err(rule.fault(colon + 1, "expected a weight over 0, at most 1000000"));
                }
            },
        };
        self.rules
            .entry(letter)
            .or_default()
            .push((weight, successor));
        Ok(())
    }

    /// Without an `F` within reach of the axiom there is no passage at all.
    fn check_grows(&self, axiom: &Text) -> Result<(), Error> {
        let mut reached = self.axiom.clone();
        let mut next = 0;
        while let Some(&symbol) = reached.get(next) {
            next += 1;
            for (_, successor) in self.rules.get(&symbol).into_iter().flatten() {
                for &symbol in successor {
                    if !reached.contains(&symbol) {
                        reached.push(symbol);
                    }
                }
            }
        }
        if reached.contains(&b'F') {
            return Ok(());
        }
        Err(axiom.fault(
            0,
            "expected an axiom that holds `F` or leads to it by the rules",
        ))
    }

    /// The moves of a string that was rewritten until it held `moves` of them, or could grow no
    /// more. The moves nearest to the start come in full, whatever is cut.
    pub(super) fn grow(&self, moves: usize, rng: &mut impl Rng) -> Vec<Move> {
        let most = SYMBOLS_BASE + SYMBOLS_PER_MOVE * moves;
        let mut string = self.axiom.clone();
        for _ in 0..REWRITES {
            let drawn = string.iter().filter(|&&symbol| symbol == b'F').count();
            if drawn >= moves || string.len() >= most {
                break;
            }
            let next = self.rewrite(&string, most, rng);
            if next.len() == string.len() && next == string {
                break;
            }
            string = next;
        }
        moves_of(&string)
    }

    /// One rewriting of all letters; past `most` symbols they stay as they are.
    fn rewrite(&self, string: &[u8], most: usize, rng: &mut impl Rng) -> Vec<u8> {
        let mut next = Vec::with_capacity(2 * string.len());
        for symbol in string {
            match self.rules.get(symbol) {
                Some(rules) if next.len() < most => next.extend_from_slice(draw(rules, rng)),
                _ => next.push(*symbol),
            }
        }
        next
    }
}

/// One of the successors, by weight.
fn draw<'a>(rules: &'a [(f64, Vec<u8>)], rng: &mut impl Rng) -> &'a [u8] {
    let sum: f64 = rules.iter().map(|(weight, _)| weight).sum();
    let mut left = rng.random::<f64>() * sum;
    for (weight, successor) in rules {
        if left < *weight {
            return successor;
        }
        left -= weight;
    }
    rules.last().map_or(&[], |(_, successor)| successor)
}

/// What the turtle draws of a string.
fn moves_of(string: &[u8]) -> Vec<Move> {
    let mut moves = Vec::new();
    let mut stack = Vec::new();
    let (mut after, mut turns) = (None, 0.0);
    for symbol in string {
        match symbol {
            b'F' => {
                moves.push(Move { after, turns });
                (after, turns) = (Some(moves.len() - 1), 0.0);
            }
            b'+' => turns += 1.0,
            b'-' => turns -= 1.0,
            b'[' => stack.push((after, turns)),
            b']' => (after, turns) = stack.pop().unwrap_or((after, turns)),
            _ => {}
        }
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Domain, stream};

    #[test]
    fn brackets_branch_and_turns_add() {
        let moves = moves_of(b"F[+F--F]X[-+F]F");
        let at = |after, turns| Move { after, turns };
        assert_eq!(
            moves,
            [
                at(None, 0.0),
                at(Some(0), 1.0),
                at(Some(1), -2.0),
                at(Some(0), 0.0),
                at(Some(0), 0.0),
            ]
        );
    }

    #[test]
    fn weights_are_kept() {
        let grammar = Grammar::parse("X", "X=F:3;X=[+F]F:1").unwrap();
        let mut rng = stream(1, Domain::Skeleton, 0);
        let twice = (0..4000).filter(|_| grammar.grow(1, &mut rng).len() == 2);
        let share = twice.count() as f64 / 4000.0;
        assert!((share - 0.25).abs() < 0.03, "{share}");
    }

    #[test]
    fn strings_grow_to_the_moves_asked_for_and_end() {
        let mut rng = stream(1, Domain::Skeleton, 0);
        let grow = |axiom, rules| {
            Grammar::parse(axiom, rules)
                .unwrap()
                .grow(500, &mut rng)
                .len()
        };
        let mut grow = grow;
        assert!(grow("F", "F=F[+F]F:0.5; F=FF:0.5") >= 500);
        assert_eq!(grow("FF", "F=F"), 2);
        assert_eq!(grow("F+F", ""), 2);
        // Symbols that draw nothing do not go on for ever.
        assert!(grow("FX", "X=XXXX") == 1);
        assert!(grow("F", "F=[F]X;X=XX") < 500);
    }

    #[test]
    fn faults_name_rule_and_column() {
        let cases = [
            (
                "F",
                "F=F[+F:0.5",
                "rule 1 `F=F[+F:0.5`, column 4: `[` is never closed",
            ),
            (
                "F",
                "F=FF; F=F]",
                "rule 2 `F=F]`, column 4: `]` closes no `[`",
            ),
            ("F", "F=Fä", "rule 1 `F=Fä`, column 4: `ä` is no symbol"),
            ("F", "FF=F", "rule 1 `FF=F`, column 1: expected one letter"),
            ("F", "FF", "rule 1 `FF`, column 3: expected `=`"),
            (
                "F",
                "F=F:-1",
                "rule 1 `F=F:-1`, column 5: expected a weight over 0",
            ),
            ("F", "F=F:", "rule 1 `F=F:`, column 5: expected a weight"),
            (
                "F",
                "F:1=F",
                "rule 1 `F:1=F`, column 1: expected one letter",
            ),
            ("F", "äF:=F", "column 1: expected one letter"),
            (
                "F f",
                "",
                "`generators.l_system.axiom` `F f`, column 3: `f` is no symbol",
            ),
            ("X", "X=XX", "column 1: expected an axiom that holds `F`"),
            ("", "F=FF", "column 1: expected an axiom that holds `F`"),
        ];
        for (axiom, rules, expected) in cases {
            match Grammar::parse(axiom, rules) {
                Ok(_) => panic!("{axiom} {rules} is read"),
                Err(error) => {
                    let message = error.to_string();
                    assert!(
                        message.contains(expected),
                        "{message}\nexpected: {expected}"
                    );
                }
            }
        }
    }
}
