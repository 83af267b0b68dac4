//! Compounds as written: `selective(conjunctive(a,b),c)`.
//!
//! They are kept as a list in postfix order, so that no depth of nesting is too much. A compound of
//! one component is that component, and a compound within one of the same kind is merged with it:
//! all three kinds are associative.

use std::fmt;

use thiserror::Error;

use crate::graph::digraph::Node;

/// In which components a player moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// In every one.
    Conjunctive,
    /// In some, at least one.
    Selective,
    /// In one.
    Disjunctive,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Conjunctive, Self::Selective, Self::Disjunctive];

    /// The name in expressions.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Conjunctive => "conjunctive",
            Self::Selective => "selective",
            Self::Disjunctive => "disjunctive",
        }
    }

    /// The kind of this name.
    ///
    /// ```
    /// use nimoon::smith::compound::Kind;
    /// assert_eq!(Kind::from_name("selective"), Some(Kind::Selective));
    /// assert_eq!(Kind::from_name("sum"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A move of one piece of a compound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Step {
    /// Which piece, counted from 0 in the order of writing.
    pub component: usize,
    /// Where it goes.
    pub to: Node,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Term {
    Node(Node),
    /// A compound of this many of the terms before it.
    Of(Kind, usize),
}

/// Pieces on nodes of one digraph, put together.
///
/// ```
/// use nimoon::smith::compound::{Compound, Kind};
/// let names = ["a", "b", "c"];
/// let node = |name: &str| names.iter().position(|&known| known == name).map(|i| i as u32);
/// let nested = Compound::read("selective(conjunctive(a,b),c)", node).unwrap();
/// assert_eq!(nested.pieces(), [0, 1, 2]);
/// // Compounds of one component, and compounds of the same kind, melt.
/// let flat = Compound::read("selective(selective(a, conjunctive(b)), c)", node).unwrap();
/// assert_eq!(flat, Compound::new(Kind::Selective, vec![0, 1, 2]).unwrap());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compound {
    pub(super) terms: Vec<Term>,
}

/// Why a text is not a compound.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{message}")]
pub struct CompoundError {
    /// The byte where it goes wrong.
    pub at: usize,
    /// What is wrong, and what was expected.
    pub message: String,
}

impl Compound {
    /// A compound of pieces on these nodes; none without any.
    pub fn new(kind: Kind, nodes: Vec<Node>) -> Option<Self> {
        let arity = nodes.len();
        let mut terms: Vec<Term> = nodes.into_iter().map(Term::Node).collect();
        match arity {
            0 => return None,
            1 => {}
            _ => terms.push(Term::Of(kind, arity)),
        }
        Some(Self { terms })
    }

    /// A compound of compounds; none without any.
    ///
    /// ```
    /// use nimoon::smith::compound::{Compound, Kind};
    /// let both = Compound::new(Kind::Conjunctive, vec![0, 1]).unwrap();
    /// let nested = Compound::of(Kind::Selective, [both.clone(), both]).unwrap();
    /// assert_eq!(nested.pieces(), [0, 1, 0, 1]);
    /// ```
    pub fn of(kind: Kind, parts: impl IntoIterator<Item = Self>) -> Option<Self> {
        let mut terms = Vec::new();
        let mut arity = 0;
        for part in parts {
            terms.extend(part.terms);
            arity += 1;
        }
        terms.push(Term::Of(kind, arity));
        (arity > 0).then(|| Self::melted(terms))
    }

    /// The nodes with a piece, in the order of writing.
    pub fn pieces(&self) -> Vec<Node> {
        let node = |term: &Term| match *term {
            Term::Node(node) => Some(node),
            Term::Of(..) => None,
        };
        self.terms.iter().filter_map(node).collect()
    }

    /// Reads a compound: `kind(part, part, …)`, where a part is a compound or a node.
    ///
    /// The name of a node is anything without `(`, `)`, `,` and `"`, or stands in double quotes,
    /// where `\"` and `\\` mean `"` and `\`.
    ///
    /// # Errors
    /// When the text is not of this form, or names a node that is not there. Errors know their
    /// place.
    pub fn read(text: &str, node: impl Fn(&str) -> Option<Node>) -> Result<Self, CompoundError> {
        Reader { text, at: 0, node, open: Vec::new(), terms: Vec::new() }.read()
    }

    /// Melts compounds of one component and compounds within compounds of the same kind.
    fn melted(terms: Vec<Term>) -> Self {
        let mut kept = vec![true; terms.len()];
        let mut arities: Vec<usize> = vec![0; terms.len()];
        // The last term of each part that no compound has taken yet.
        let mut parts: Vec<usize> = Vec::new();
        for (place, term) in terms.iter().enumerate() {
            if let Term::Of(kind, arity) = *term {
                let first = parts.len() - arity;
                if arity == 1 {
                    kept[place] = false;
                    continue;
                }
                for part in parts.split_off(first) {
                    match terms[part] {
                        Term::Of(inner, _) if inner == kind => {
                            kept[part] = false;
                            arities[place] += arities[part];
                        }
                        _ => arities[place] += 1,
                    }
                }
            }
            parts.push(place);
        }
        let melt = |(place, term): (usize, Term)| match term {
            Term::Of(kind, _) => Term::Of(kind, arities[place]),
            node @ Term::Node(_) => node,
        };
        let terms = terms.into_iter().enumerate().filter(|&(place, _)| kept[place]).map(melt);
        Self { terms: terms.collect() }
    }
}

struct Reader<'a, F> {
    text: &'a str,
    at: usize,
    node: F,
    /// The compounds that are open: their kind, where they begin, and how many parts they have so
    /// far.
    open: Vec<(Kind, usize, usize)>,
    terms: Vec<Term>,
}

impl<F: Fn(&str) -> Option<Node>> Reader<'_, F> {
    fn read(mut self) -> Result<Compound, CompoundError> {
        loop {
            self.part()?;
            // Close whatever ends here, and stop before the next part.
            loop {
                self.skip_space();
                let Some(&mut (kind, start, ref mut arity)) = self.open.last_mut() else {
                    if self.at < self.text.len() {
                        let expected = "the end: a text has one compound";
                        return Err(self.wrong(self.at, expected));
                    }
                    return Ok(Compound::melted(self.terms));
                };
                match self.text.as_bytes().get(self.at) {
                    Some(b',') => {
                        *arity += 1;
                        self.at += 1;
                        break;
                    }
                    Some(b')') => {
                        self.terms.push(Term::Of(kind, *arity));
                        self.open.pop();
                        self.at += 1;
                    }
                    None => {
                        let message = format!(
                            "the `(` of this {kind} compound is never closed: {} `)` missing at the \
                             end",
                            self.open.len()
                        );
                        return Err(CompoundError { at: start, message });
                    }
                    Some(_) => return Err(self.wrong(self.at, "`,` or `)`")),
                }
            }
        }
    }

    /// Reads a node, with all the openings before it.
    fn part(&mut self) -> Result<(), CompoundError> {
        loop {
            self.skip_space();
            let start = self.at;
            if self.text[start..].starts_with('"') {
                let name = self.quoted()?;
                return self.piece(start, &name);
            }
            let rest = &self.text[start..];
            let end = rest.find(['(', ')', ',', '"']).unwrap_or(rest.len());
            let name = rest[..end].trim_end();
            if !rest[end..].starts_with('(') {
                if name.is_empty() {
                    return Err(self.wrong(start, "a node or a compound"));
                }
                self.at += name.len();
                return self.piece(start, name);
            }
            let kind = Kind::from_name(name).ok_or_else(|| {
                let expected = "conjunctive, selective or disjunctive before `(`";
                if name.is_empty() {
                    self.wrong(start, expected)
                } else {
                    let message =
                        format!("unknown kind of compound `{}`: expected {expected}", short(name));
                    CompoundError { at: start, message }
                }
            })?;
            self.open.push((kind, start, 1));
            self.at += end + 1;
        }
    }

    fn piece(&mut self, at: usize, name: &str) -> Result<(), CompoundError> {
        let node = (self.node)(name).ok_or_else(|| {
            let message = format!("no node has the name `{}`", short(name));
            CompoundError { at, message }
        })?;
        self.terms.push(Term::Node(node));
        Ok(())
    }

    fn quoted(&mut self) -> Result<String, CompoundError> {
        let start = self.at;
        let mut name = String::new();
        let mut chars = self.text[start + 1..].char_indices();
        while let Some((offset, c)) = chars.next() {
            match c {
                '"' => {
                    self.at = start + 1 + offset + 1;
                    return Ok(name);
                }
                '\\' => name.extend(chars.next().map(|(_, c)| c)),
                c => name.push(c),
            }
        }
        Err(CompoundError { at: start, message: "this name has no second `\"`".to_owned() })
    }

    fn skip_space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn wrong(&self, at: usize, expected: &str) -> CompoundError {
        let found = match self.text[at..].chars().next() {
            Some(c) => format!("`{c}`"),
            None => "the end".to_owned(),
        };
        CompoundError { at, message: format!("found {found}, expected {expected}") }
    }
}

/// The beginning of a name, for messages.
fn short(name: &str) -> String {
    const MOST: usize = 40;
    if name.chars().count() <= MOST {
        return name.to_owned();
    }
    name.chars().take(MOST).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Compound, CompoundError> {
        Compound::read(text, |name| name.chars().next().map(u32::from).filter(|_| name.len() <= 3))
    }

    #[test]
    fn errors_have_their_position() {
        for (text, at, says) in [
            ("", 0, "found the end, expected a node or a compound"),
            ("selective()", 10, "found `)`, expected a node or a compound"),
            ("selective(a,)", 12, "found `)`"),
            ("selective(a", 0, "never closed: 1 `)` missing"),
            ("selective(a))", 12, "found `)`, expected the end"),
            ("a, b", 1, "found `,`, expected the end"),
            ("(a)", 0, "found `(`, expected conjunctive, selective or disjunctive"),
            ("sum(a,b)", 0, "unknown kind of compound `sum`"),
            ("selective(a (b))", 10, "unknown kind of compound `a`"),
            ("selective(long)", 10, "no node has the name `long`"),
            ("selective(\"a)", 10, "no second"),
            ("selective(\"a\" b)", 14, "expected `,` or `)`"),
        ] {
            let error = read(text).unwrap_err();
            assert_eq!(error.at, at, "{text}: {error}");
            assert!(error.message.contains(says), "{text}: {error}");
        }
    }

    #[test]
    fn names_may_be_quoted() {
        let names = std::cell::RefCell::new(Vec::new());
        let keep = |name: &str| {
            names.borrow_mut().push(name.to_owned());
            Some(0)
        };
        Compound::read(r#" selective( "a,(\"b\")" , two words ,c ) "#, keep).unwrap();
        assert_eq!(names.into_inner(), ["a,(\"b\")", "two words", "c"]);
    }

    #[test]
    fn a_hundred_thousand_levels_are_evaluated() {
        let deep = "selective(".repeat(100_000) + "a" + &")".repeat(100_000);
        assert_eq!(read(&deep).unwrap().terms, [Term::Node(u32::from('a'))]);
        let deep = "selective(conjunctive(a,".repeat(50_000) + "a" + &"),b)".repeat(50_000);
        assert_eq!(read(&deep).unwrap().pieces().len(), 100_001);
        assert_eq!(read(&"(".repeat(100_000)).unwrap_err().at, 0);
        assert!(read(&"selective(".repeat(100_000)).is_err());
    }
}
