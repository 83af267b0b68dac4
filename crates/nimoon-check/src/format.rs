//! The parts of certificates: lists, sets, labels and digraphs, as they are read.

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
            // The numbers that both leave out, or that only the second one leaves out.
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
    /// The nim-heaps beside which a player who must move from the gray node loses.
    Covers(Set),
    /// That player loses, whatever else is on the board.
    NewMoon,
    /// That player wins, whatever else is on the board.
    FullMoon,
    /// A gray node that leads to a cyclic zone or to a cycle of gray nodes.
    Nothing,
    /// The nim-heaps beside which the player to move wins, loses and draws.
    Outcomes(Box<Outcomes>),
}

/// Outcomes beside every nim-heap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcomes {
    /// The next player wins.
    pub win: Set,
    /// The previous player wins.
    pub loss: Set,
    /// Nobody wins.
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
    // Any order is accepted here: the sets are compared with computed ones, which are in order.
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
                _ => return Err(E::custom("expected a value as the JSON of `nimoon label` has it")),
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
    /// A digraph, if every option and every gray node is a node. An option or gray node may be
    /// listed twice: that makes no difference in play, and [`crate::rules`] compares with lists
    /// that have no repetitions.
    ///
    /// # Errors
    /// When an option or gray node is missing, or two nodes have the same name.
    pub fn new(names: Vec<String>, gray: &[u32], options: Rows) -> Result<Self, Rejection> {
        Ok(Self::watched(names, gray, options, &Watch::new(&|_| true))?)
    }

    pub(crate) fn watched(
        names: Vec<String>,
        gray: &[u32],
        options: Rows,
        watch: &Watch,
    ) -> Result<Self, Unproved> {
        /// The bytes of a name in a set of names.
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

    /// How many nodes and arcs there are, in words.
    pub(crate) fn size(&self) -> String {
        let arcs = counted(self.options.entries(), "arc");
        format!("{} and {arcs}", counted(self.len(), "node"))
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

    /// A rejection of a statement about a node.
    pub(crate) fn reject(&self, list: &str, node: u32, reason: &str) -> Unproved {
        Unproved::wrong(format!("{list}[{node}]"), format!("node {}: {reason}", self.quoted(node)))
    }
}

/// A name in a sentence. Certificates choose their names, and a name must not look like a message
/// of the checker. So it is [printable], and contains no quotation mark that ends the name.
pub(crate) fn quoted(name: &str) -> String {
    format!("`{}`", printable(name).replace('`', "\\`"))
}

/// A number with its noun, such as `1 node` or `2 nodes`.
pub(crate) fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Text of a certificate in printable ASCII; different texts stay different. It has no line ends,
/// no control characters of a terminal, and nothing that is invisible or looks like another
/// character: with a zero-width space in a name, a false statement would look true.
pub(crate) fn printable(text: &str) -> String {
    let escaped = |c: char| match c {
        '\\' => "\\\\".to_owned(),
        ' '..='~' => c.to_string(),
        _ => c.escape_default().to_string(),
    };
    text.chars().map(escaped).collect()
}

/// The rejection of a node that does not exist.
pub(crate) fn no_node(at: String, node: u32) -> Unproved {
    Unproved::wrong(at, format!("unknown node {node}"))
}
