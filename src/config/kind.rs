//! What a key may hold, and whether a YAML node is that.

use super::yaml::Node;
use serde_json::Value;

/// One value of a closed list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The word.
    pub name: String,
    /// What it means.
    pub meaning: String,
}

/// What a key may hold. Bounds are inclusive.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Keys below it.
    Section,
    /// `true` or `false`.
    Flag,
    /// A whole number.
    Integer {
        /// Smallest.
        min: i128,
        /// Largest.
        max: i128,
    },
    /// A finite number.
    Number {
        /// Smallest.
        min: f64,
        /// Largest.
        max: f64,
        /// Whether the word `auto` is allowed too.
        auto: bool,
    },
    /// One of a closed list.
    Choice(Vec<Choice>),
    /// Any text.
    Text,
}

/// What is wrong with a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// Another type; what was asked for, with its article.
    NotA(&'static str),
    /// The right type, not an allowed value.
    Outside,
}

impl Kind {
    /// The allowed values in words, such as `0.5 to 1000 m`; `unit` is `1` when there is none.
    pub fn allowed(&self, unit: &str) -> String {
        let unit = if unit == "1" {
            String::new()
        } else {
            format!(" {unit}")
        };
        match self {
            Kind::Section => "a section with keys below it".into(),
            Kind::Flag => "true or false".into(),
            Kind::Integer { min, max } => format!("{min} to {max}{unit}"),
            Kind::Number {
                min,
                max,
                auto: false,
            } => format!("{min} to {max}{unit}"),
            Kind::Number {
                min,
                max,
                auto: true,
            } => format!("auto, or {min} to {max}{unit}"),
            Kind::Choice(choices) => {
                let names: Vec<_> = choices.iter().map(|c| c.name.as_str()).collect();
                names.join(", ")
            }
            Kind::Text => "text".into(),
        }
    }

    /// The value of a node, if this key may hold it. Sections hold none.
    pub(super) fn read(&self, node: &Node) -> Result<Value, Fault> {
        match (self, node) {
            (Kind::Flag, Node::Bool(flag)) => Ok(Value::from(*flag)),
            (Kind::Flag, _) => Err(Fault::NotA("true or false")),
            (Kind::Integer { min, max }, _) => integer(node, *min, *max),
            (Kind::Number { auto: true, .. }, Node::Text(word)) if word == "auto" => {
                Ok(Value::from("auto"))
            }
            (Kind::Number { min, max, auto }, _) => {
                let asked = if *auto {
                    "a number or auto"
                } else {
                    "a number"
                };
                let number = number(node).ok_or(Fault::NotA(asked))?;
                // NaN is in no range.
                if (*min..=*max).contains(&number) {
                    Ok(Value::from(number))
                } else {
                    Err(Fault::Outside)
                }
            }
            (Kind::Choice(choices), Node::Text(word)) => {
                let known = choices.iter().any(|c| c.name == *word);
                if known {
                    Ok(Value::from(word.as_str()))
                } else {
                    Err(Fault::Outside)
                }
            }
            (Kind::Choice(_), _) => Err(Fault::NotA("one of the words allowed")),
            (Kind::Text, Node::Text(text)) => Ok(Value::from(text.as_str())),
            (Kind::Text, _) => Err(Fault::NotA("text (quote it if it is meant as text)")),
            (Kind::Section, _) => Err(Fault::NotA("a section")),
        }
    }
}

fn integer(node: &Node, min: i128, max: i128) -> Result<Value, Fault> {
    let whole = match node {
        Node::Integer(i) => *i,
        // `1e3` is a float in YAML and a whole number to its writer. The cast saturates.
        Node::Float(f) if f.is_finite() && f.fract() == 0.0 => *f as i128,
        _ => match number(node) {
            Some(f) if !f.is_finite() => return Err(Fault::Outside),
            _ => return Err(Fault::NotA("a whole number")),
        },
    };
    if !(min..=max).contains(&whole) {
        return Err(Fault::Outside);
    }
    let value = match u64::try_from(whole) {
        Ok(positive) => Value::from(positive),
        Err(_) => Value::from(i64::try_from(whole).map_err(|_| Fault::Outside)?),
    };
    Ok(value)
}

/// The number a node stands for; `nan` and `inf` without YAML's dot count as well, because
/// "out of range" tells their writer more than "not a number".
fn number(node: &Node) -> Option<f64> {
    match node {
        Node::Integer(i) => Some(*i as f64),
        Node::Float(f) => Some(*f),
        Node::Text(text) => text.parse().ok().filter(|f: &f64| !f.is_finite()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NODES: Kind = Kind::Integer {
        min: 2,
        max: 100_000,
    };
    const SHARE: Kind = Kind::Number {
        min: 0.0,
        max: 1.0,
        auto: false,
    };

    #[test]
    fn whole_numbers() {
        assert_eq!(NODES.read(&Node::Integer(2)), Ok(Value::from(2u64)));
        assert_eq!(NODES.read(&Node::Float(1e3)), Ok(Value::from(1000u64)));
        for node in [
            Node::Integer(1),
            Node::Integer(-3),
            Node::Integer(i128::MAX),
            Node::Float(1e9),
            Node::Float(1e300),
            Node::Float(f64::NAN),
            Node::Float(f64::INFINITY),
        ] {
            assert_eq!(NODES.read(&node), Err(Fault::Outside), "{node:?}");
        }
        for node in [
            Node::Float(2.5),
            Node::Null,
            Node::Text("ten".into()),
            Node::Bool(true),
        ] {
            assert_eq!(
                NODES.read(&node),
                Err(Fault::NotA("a whole number")),
                "{node:?}"
            );
        }
    }

    #[test]
    fn numbers() {
        assert_eq!(SHARE.read(&Node::Integer(1)), Ok(Value::from(1.0)));
        for node in [
            Node::Float(1.0 + f64::EPSILON),
            Node::Float(f64::NAN),
            Node::Float(f64::NEG_INFINITY),
            Node::Text("nan".into()),
            Node::Text("inf".into()),
        ] {
            assert_eq!(SHARE.read(&node), Err(Fault::Outside), "{node:?}");
        }
        assert_eq!(
            SHARE.read(&Node::Text("0.5".into())),
            Err(Fault::NotA("a number"))
        );
        assert_eq!(
            SHARE.read(&Node::Text("auto".into())),
            Err(Fault::NotA("a number"))
        );
    }

    #[test]
    fn the_word_auto() {
        let voxel = Kind::Number {
            min: 0.03,
            max: 10.0,
            auto: true,
        };
        assert_eq!(
            voxel.read(&Node::Text("auto".into())),
            Ok(Value::from("auto"))
        );
        assert_eq!(voxel.read(&Node::Float(0.0)), Err(Fault::Outside));
        assert_eq!(voxel.allowed("m"), "auto, or 0.03 to 10 m");
    }
}
