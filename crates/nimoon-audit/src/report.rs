//! What an audit found.

use std::fmt;
use std::time::Duration;

use nimoon::limits::{Interrupted, Limit};
use nimoon::{AnyValue, Cover, Digraph, EntailingValue, Label, Node, Theory, Value};

/// A kind of label, to show that an audit has seen all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A white node that is a number.
    Nimber,
    /// A white node that is ○.
    FullMoon,
    /// A white node that is a moon of the carry-on theory.
    Moon,
    /// A white node that is a ninny.
    Ninny,
    /// A white node in a cyclic zone.
    Cyclic,
    /// A white node that is the moon of the entailing theory.
    EntailingMoon,
    /// A white node with a value that the general theory alone has, drawn beside some heaps.
    ControlWithDraws,
    /// A white node with a value that the general theory alone has, won beside all heaps.
    ControlWithoutDraws,
    /// A gray node that is ●.
    GrayNewMoon,
    /// A gray node that is ○.
    GrayFullMoon,
    /// A gray node that covers a set of heaps.
    GrayHeaps,
    /// A gray node without a cover.
    GrayWithoutCover,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 12] = [
        Self::Nimber,
        Self::FullMoon,
        Self::Moon,
        Self::Ninny,
        Self::Cyclic,
        Self::EntailingMoon,
        Self::ControlWithDraws,
        Self::ControlWithoutDraws,
        Self::GrayNewMoon,
        Self::GrayFullMoon,
        Self::GrayHeaps,
        Self::GrayWithoutCover,
    ];

    /// The kind of a label.
    ///
    /// ```
    /// use nimoon::{AnyValue, Label, Value};
    /// use nimoon_audit::Kind;
    /// assert_eq!(Kind::of(&Label::White(AnyValue::CarryOn(Value::Ninny(2)))), Kind::Ninny);
    /// ```
    pub fn of(label: &Label) -> Self {
        match label {
            Label::White(AnyValue::CarryOn(value)) => match value {
                Value::Nimber(_) => Self::Nimber,
                Value::FullMoon => Self::FullMoon,
                Value::Moon(_) => Self::Moon,
                Value::Ninny(_) => Self::Ninny,
                Value::Cyclic(_) => Self::Cyclic,
            },
            Label::White(AnyValue::Entailing(EntailingValue::Nimber(_))) => Self::Nimber,
            Label::White(AnyValue::Entailing(EntailingValue::Moon)) => Self::EntailingMoon,
            Label::White(value @ (AnyValue::Control(_) | AnyValue::General(_))) => {
                if value.heap_outcomes().draw.is_nothing() {
                    Self::ControlWithoutDraws
                } else {
                    Self::ControlWithDraws
                }
            }
            Label::Gray(Some(Cover::NewMoon)) => Self::GrayNewMoon,
            Label::Gray(Some(Cover::FullMoon)) => Self::GrayFullMoon,
            Label::Gray(Some(Cover::Heaps(_))) => Self::GrayHeaps,
            Label::Gray(None | Some(Cover::Mixed(_))) => Self::GrayWithoutCover,
        }
    }

    /// A short description.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nimber => "nimber",
            Self::FullMoon => "full moon",
            Self::Moon => "moon",
            Self::Ninny => "ninny",
            Self::Cyclic => "cyclic",
            Self::EntailingMoon => "entailing moon",
            Self::ControlWithDraws => "control, some draws",
            Self::ControlWithoutDraws => "control, no draws",
            Self::GrayNewMoon => "gray new moon",
            Self::GrayFullMoon => "gray full moon",
            Self::GrayHeaps => "gray, covers heaps",
            Self::GrayWithoutCover => "gray, no cover",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why an audit ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stop {
    /// Everything in the plan was checked.
    #[default]
    Finished,
    /// A limit of the work was hit, or the work was cancelled.
    Interrupted(Interrupted),
}

impl fmt::Display for Stop {
    /// The budget of an audit counts comparisons.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finished => f.write_str("everything was checked"),
            Self::Interrupted(Interrupted::OverBudget {
                limit: Limit::Positions,
                allowed,
                needed: None,
            }) => write!(
                f,
                "the budget of {allowed} comparisons was hit before everything was checked"
            ),
            Self::Interrupted(interrupted) => {
                write!(f, "{interrupted} before everything was checked")
            }
        }
    }
}

/// The result of an audit.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// How many digraphs were checked.
    pub digraphs: u64,
    /// How many comparisons of a node beside a nim-heap or another known position.
    pub positions: u64,
    /// How many comparisons of a sum of two or three nodes.
    pub sums: u64,
    /// How many comparisons of the order of two nodes, in the general theory.
    pub orders: u64,
    /// How many comparisons were wrong.
    pub wrong: u64,
    /// How many digraphs had a wrong comparison.
    pub wrong_digraphs: u64,
    /// The smallest counterexample found, after shrinking.
    pub counterexample: Option<Counterexample>,
    /// Why the audit ended.
    pub stop: Stop,
    /// How long it took.
    pub elapsed: Duration,
    pub(crate) kinds: [u64; Kind::ALL.len()],
    pub(crate) theories: [u64; Theory::ALL.len()],
}

impl Report {
    /// How many nodes had a label of this kind.
    pub fn seen(&self, kind: Kind) -> u64 {
        self.kinds[kind as usize]
    }

    /// How many digraphs were labelled under this theory.
    pub fn labelled_under(&self, theory: Theory) -> u64 {
        self.theories[theory as usize]
    }

    pub(crate) fn count(&mut self, theory: Theory, labels: &[Option<Label>]) {
        self.digraphs += 1;
        self.theories[theory as usize] += 1;
        for label in labels.iter().flatten() {
            self.kinds[Kind::of(label) as usize] += 1;
        }
    }

    /// How many comparisons were made.
    pub(crate) fn comparisons(&self) -> u64 {
        self.positions + self.sums + self.orders
    }

    /// Adds the counts of a report on other digraphs.
    pub(crate) fn add_counts(&mut self, other: &Self) {
        self.digraphs += other.digraphs;
        self.positions += other.positions;
        self.sums += other.sums;
        self.orders += other.orders;
        self.wrong += other.wrong;
        self.wrong_digraphs += other.wrong_digraphs;
        for (sum, n) in self.kinds.iter_mut().zip(other.kinds) {
            *sum += n;
        }
        for (sum, n) in self.theories.iter_mut().zip(other.theories) {
            *sum += n;
        }
    }
}

/// A component of a sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A piece on a node of the digraph.
    Node(Node),
    /// The nim-heap of this size.
    Heap(u64),
    /// A position that has this value by its definition (see `nimoon_oracle::contexts`).
    Known(Value),
}

/// A digraph about which a theory is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The digraph.
    pub digraph: Digraph,
    /// The theory it was labelled under.
    pub theory: Theory,
    /// The sum that is wrong.
    pub pieces: Vec<Piece>,
    /// What the theory says about it.
    pub theory_says: String,
    /// What brute force says about it.
    pub brute_force_says: String,
}

impl Counterexample {
    /// The digraph as a `.game` file, its nodes named as in the sentences.
    ///
    /// ```
    /// # use nimoon::{Digraph, Theory};
    /// # use nimoon_audit::Counterexample;
    /// let example = Counterexample {
    ///     digraph: Digraph::new(2, [0], vec![(1, 0), (1, 1)]).unwrap(),
    ///     # theory: Theory::CarryOn, pieces: vec![],
    ///     # theory_says: String::new(), brute_force_says: String::new(),
    /// };
    /// assert_eq!(example.game(), "gray a\na:\nb: a b\n");
    /// ```
    pub fn game(&self) -> String {
        game(&self.digraph)
    }

    /// The names of the nodes, as in the sentences.
    pub fn names(&self) -> Vec<String> {
        self.digraph.nodes().map(name).collect()
    }

    /// Fewer nodes first, then fewer arcs, then fewer gray nodes.
    pub(crate) fn size(&self) -> (usize, usize, usize) {
        size(&self.digraph)
    }
}

impl fmt::Display for Counterexample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "The {} theory says: {}. Brute force says: {}.",
            self.theory, self.theory_says, self.brute_force_says
        )
    }
}

/// How large a digraph is: nodes, arcs, gray nodes.
pub(crate) fn size(digraph: &Digraph) -> (usize, usize, usize) {
    (digraph.len(), digraph.arc_count(), digraph.gray_nodes().count())
}

/// The name of a node: a letter, or a letter and a number if there are more nodes than letters.
pub(crate) fn name(node: Node) -> String {
    match u8::try_from(node) {
        Ok(small) if small < 26 => char::from(b'a' + small).to_string(),
        _ => format!("n{node}"),
    }
}

/// A digraph in `.game` syntax.
fn game(digraph: &Digraph) -> String {
    let mut text = String::new();
    if digraph.has_gray() {
        text.push_str("gray");
        for node in digraph.gray_nodes() {
            text.push(' ');
            text.push_str(&name(node));
        }
        text.push('\n');
    }
    for node in digraph.nodes() {
        text.push_str(&name(node));
        text.push(':');
        for &option in digraph.options(node) {
            text.push(' ');
            text.push_str(&name(option));
        }
        text.push('\n');
    }
    text
}

/// A sum in words, such as `a + *2`.
pub(crate) fn sum(pieces: &[Piece]) -> String {
    let words: Vec<String> = pieces
        .iter()
        .filter(|piece| pieces.len() == 1 || **piece != Piece::Heap(0))
        .map(|piece| match piece {
            Piece::Node(node) => name(*node),
            Piece::Heap(n) => format!("*{n}"),
            Piece::Known(value) => format!("{value:#}"),
        })
        .collect();
    words.join(" + ")
}
