//! What certificates are made of: lists, sets, labels and digraphs, as they are read.

use std::collections::HashSet;
use std::fmt;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::Rejection;
use crate::watch::{Unproved, Watch};

/// Lists of numbers, stored end to end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    ends: Vec<usize>,
    entries: Vec<u32>,
}

impl Rows {
    /// Adds a list.
    pub fn push(&mut self, row: impl IntoIterator<Item = u32>) {
        self.entries.extend(row);
        self.ends.push(self.entries.len());
    }

    /// How many lists there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How many entries all lists have.
    pub fn entries(&self) -> usize {
        self.entries.len()
    }

    /// One of the lists.
    pub fn row(&self, row: u32) -> &[u32] {
        let row = row as usize;
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.entries[start..self.ends[row]]
    }
}

impl<'de> Deserialize<'de> for Rows {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Lists;
        impl<'de> Visitor<'de> for Lists {
            type Value = Rows;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a list of lists of numbers")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut lists: A) -> Result<Rows, A::Error> {
                let mut rows = Rows::default();
                while let Some(row) = lists.next_element::<Vec<u32>>()? {
                    rows.push(row);
                }
                Ok(rows)
            }
        }
        deserializer.deserialize_seq(Lists)
    }
}

/// A finite set of numbers, or all but finitely many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set {
    /// Whether `numbers` are those that are not in the set.
    pub all_except: bool,
    /// In increasing order, each once.
    pub numbers: Vec<u64>,
}

impl Set {
    /// These numbers.
    pub fn only(mut numbers: Vec<u64>) -> Self {
        numbers.sort_unstable();
        numbers.dedup();
        Self { all_except: false, numbers }
    }

    /// All numbers but these.
    pub fn all_except(numbers: Vec<u64>) -> Self {
        Self { all_except: true, ..Self::only(numbers) }
    }

    /// Whether a number is in the set.
    pub fn contains(&self, number: u64) -> bool {
        self.numbers.binary_search(&number).is_ok() != self.all_except
    }

    /// All numbers that are not in the set.
    #[must_use]
    pub fn complement(&self) -> Self {
        Self { all_except: !self.all_except, numbers: self.numbers.clone() }
    }

    /// The numbers that are in one of two sets.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let kept = |set: &Self, but: &Self| -> Vec<u64> {
            set.numbers.iter().copied().filter(|&n| !but.contains(n)).collect()
        };
        match (self.all_except, other.all_except) {
            (false, false) => Self::only([&self.numbers[..], &other.numbers].concat()),
            (true, false) => Self::all_except(kept(self, other)),
            // What both leave out, or what the second one alone does.
            (_, true) => Self::all_except(kept(other, self)),
        }
    }

    /// The least number that is not in the set; none if all are.
    pub fn mex(&self) -> Option<u64> {
        if self.all_except {
            return self.numbers.first().copied();
        }
        Some((0..).zip(&self.numbers).take_while(|(i, n)| i == *n).count() as u64)
    }
}

/// A value of a white node, or of a sum of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A nim-heap.
    Nimber(u64),
    /// A checkmate, whatever else is on the board.
    FullMoon,
    /// A moon; in the entailing theory without forced values.
    Moon(Option<Vec<u64>>),
    /// A ninny.
    Ninny(u64),
    /// In a cyclic zone with these exits.
    Cyclic(Vec<u64>),
}

/// What a certificate says about a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Label {
    /// A white node has this value.
    White(Value),
    /// Beside which nim-heaps a player who must move from the gray node loses.
    Covers(Set),
    /// That player loses, whatever else is on the board.
    NewMoon,
    /// That player wins, whatever else is on the board.
    FullMoon,
    /// A gray node that leads to a cyclic zone or a circle.
    Nothing,
    /// Beside which nim-heaps the player to move wins, loses and draws.
    Outcomes(Box<Outcomes>),
}

/// Outcomes beside every nim-heap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcomes {
    /// The next player wins.
    pub win: Set,
    /// The previous player wins.
    pub loss: Set,
    /// Nobody does.
    pub draw: Set,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    kind: Option<String>,
    n: Option<u64>,
    forced: Option<OneOrMany>,
    exits: Option<Vec<u64>>,
    only: Option<Vec<u64>>,
    all_except: Option<Vec<u64>>,
    win: Option<Set>,
    loss: Option<Set>,
    draw: Option<Set>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SetFields {
    only: Option<Vec<u64>>,
    all_except: Option<Vec<u64>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(u64),
    Many(Vec<u64>),
}

fn set<E: Error>(only: Option<Vec<u64>>, all_except: Option<Vec<u64>>) -> Result<Set, E> {
    let (numbers, all_except) = match (only, all_except) {
        (Some(numbers), None) => (numbers, false),
        (None, Some(numbers)) => (numbers, true),
        _ => return Err(E::custom("expected a set with `only` or `all_except`")),
    };
    // They may be in any order here: whatever is read is compared with what is worked out, and that is in order.
    Ok(Set { all_except, numbers })
}

impl<'de> Deserialize<'de> for Set {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let SetFields { only, all_except } = SetFields::deserialize(deserializer)?;
        set(only, all_except)
    }
}

impl<'de> Deserialize<'de> for Label {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Labels;
        impl<'de> Visitor<'de> for Labels {
            type Value = Label;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a nimber, a value, what a gray node covers, or null")
            }

            fn visit_u64<E: Error>(self, n: u64) -> Result<Label, E> {
                Ok(Label::White(Value::Nimber(n)))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Label, E> {
                match text {
                    "new-moon" => Ok(Label::NewMoon),
                    "full-moon" => Ok(Label::FullMoon),
                    _ => Err(E::custom("expected new-moon or full-moon")),
                }
            }

            fn visit_unit<E: Error>(self) -> Result<Label, E> {
                Ok(Label::Nothing)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Label, A::Error> {
                let fields = Fields::deserialize(MapAccessDeserializer::new(map))?;
                label_of(fields)
            }
        }
        deserializer.deserialize_any(Labels)
    }
}

fn label_of<E: Error>(fields: Fields) -> Result<Label, E> {
    Ok(match fields {
        #[rustfmt::skip]
        Fields { kind: None, n: None, forced: None, exits: None, only: None, all_except: None,
            win: Some(win), loss: Some(loss), draw: Some(draw) } => {
            Label::Outcomes(Box::new(Outcomes { win, loss, draw }))
        },
        #[rustfmt::skip]
        Fields { kind: Some(kind), n, forced, exits, only: None, all_except: None,
            win: None, loss: None, draw: None } => {
            Label::White(match (kind.as_str(), n, forced, exits) {
                ("nimber", Some(n), None, None) => Value::Nimber(n),
                ("full-moon", None, None, None) => Value::FullMoon,
                ("moon", None, None, None) => Value::Moon(None),
                ("moon", None, Some(OneOrMany::Many(forced)), None) => Value::Moon(Some(forced)),
                ("ninny", None, Some(OneOrMany::One(forced)), None) => Value::Ninny(forced),
                ("cyclic", None, None, Some(exits)) => Value::Cyclic(exits),
                _ => return Err(E::custom("expected a value as `nimoon label --format json` has it")),
            })
        },
        #[rustfmt::skip]
        Fields { kind: None, n: None, forced: None, exits: None, only, all_except,
            win: None, loss: None, draw: None } => Label::Covers(set(only, all_except)?),
        _ => return Err(E::custom("a value, a set and outcomes do not go together")),
    })
}

/// A game digraph: names of nodes, which of them are gray, and the options of each.
#[derive(Clone, Debug)]
pub struct Digraph {
    /// The names, all different; or none.
    pub names: Vec<String>,
    /// Which nodes are gray.
    pub gray: Vec<bool>,
    /// The options.
    pub options: Rows,
}

impl Digraph {
    /// A digraph, if every option and every gray node is a node. What is listed twice, as an option or as gray, is so once: in play
    /// it makes no difference, and whoever needs a list without doubles compares it with one ([`crate::rules`]).
    ///
    /// # Errors
    /// When that is not so, or two nodes have the same name.
    pub fn new(names: Vec<String>, gray: &[u32], options: Rows) -> Result<Self, Rejection> {
        Ok(Self::watched(names, gray, options, &Watch::new(&|_| true))?)
    }

    pub(crate) fn watched(
        names: Vec<String>,
        gray: &[u32],
        options: Rows,
        watch: &Watch,
    ) -> Result<Self, Unproved> {
        /// What a name takes in a set of them.
        const NAME: usize = 32;
        let len = options.len();
        if u32::try_from(len).is_err() || !names.is_empty() && names.len() != len {
            let reason = format!("there are {} nodes, but {len} lists of options", names.len());
            return Err(Unproved::wrong("options", reason));
        }
        watch.room(names.len().saturating_mul(NAME))?;
        let mut seen = HashSet::with_capacity(names.len());
        for (i, name) in names.iter().enumerate() {
            watch.step(1)?;
            if !seen.insert(name.as_str()) {
                let reason = format!("two nodes have the name {}", quoted(name));
                return Err(Unproved::wrong(format!("nodes[{i}]"), reason));
            }
        }
        let mut is_gray = vec![false; len];
        for (i, &node) in gray.iter().enumerate() {
            match is_gray.get_mut(node as usize) {
                Some(gray) => *gray = true,
                None => return Err(no_node(format!("gray[{i}]"), node)),
            }
        }
        for node in 0..len as u32 {
            watch.step(options.row(node).len())?;
            if let Some(&to) = options.row(node).iter().find(|&&to| to as usize >= len) {
                return Err(no_node(format!("options[{node}]"), to));
            }
        }
        Ok(Self { names, gray: is_gray, options })
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.options.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.options.is_empty()
    }

    /// The nodes.
    pub(crate) fn nodes(&self) -> std::ops::Range<u32> {
        0..self.len() as u32
    }

    /// Whether a node is gray.
    pub fn is_gray(&self, node: u32) -> bool {
        self.gray[node as usize]
    }

    /// The name of a node, or its number.
    pub fn name(&self, node: u32) -> String {
        self.names.get(node as usize).map_or_else(|| node.to_string(), Clone::clone)
    }

    /// The name of a node in a sentence.
    pub(crate) fn quoted(&self, node: u32) -> String {
        quoted(&self.name(node))
    }

    /// A rejection of what is said about a node.
    pub(crate) fn reject(&self, list: &str, node: u32, reason: &str) -> Unproved {
        Unproved::wrong(format!("{list}[{node}]"), format!("node {}: {reason}", self.quoted(node)))
    }
}

/// A name in a sentence. Certificates choose their names, and what one of them says must not be taken for what the checker says: so it has no end of a line
/// in it, nothing that a terminal acts on, and no mark that ends the name.
pub(crate) fn quoted(name: &str) -> String {
    let escaped = |c: char| match c {
        '`' | '\\' => format!("\\{c}"),
        _ if c.is_control() => c.escape_default().to_string(),
        _ => c.to_string(),
    };
    format!("`{}`", name.chars().map(escaped).collect::<String>())
}

/// Something names a node that is not there.
pub(crate) fn no_node(at: String, node: u32) -> Unproved {
    Unproved::wrong(at, format!("there is no node {node}"))
}
