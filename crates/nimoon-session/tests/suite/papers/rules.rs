//! Rules of several rulesets said once more, and sums of their positions solved by writing out all
//! of play. Nothing here is shared with the rulesets or the engine but the names of the three kinds
//! of moves.

use std::collections::{BTreeSet, HashMap};

use nimoon::Kind::{self, Again, Entailing, Ordinary};
use nimoon_oracle::{Graph, Outcome, solve};

/// An edge of a drawing: its ends and whether it is lime.
pub type Edge = (usize, usize, bool);

/// A position of one of the rulesets.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Piece {
    /// `nim:n`.
    Nim(usize),
    /// `wythoff:a,b`.
    Wythoff(usize, usize),
    /// `subtraction[1,3,4]:n`.
    Subtraction(usize),
    /// One row of `kayles`.
    Kayles(usize),
    /// One heap of `top-entails`.
    TopEntails(usize),
    /// `slide[-2,-3,+1;5]:n`.
    Slide(usize),
    /// `ladders[small.json]:n`, see [`LADDERS`].
    Ladders(usize),
    /// `nimstring:1x1` with so many edges missing.
    OneBox(usize),
    /// `lights`, one letter for each piece.
    Lights(String),
    /// `green-lime`, the edges in order.
    GreenLime(Vec<Edge>),
}

use Piece::{
    GreenLime, Kayles, Ladders, Lights, Nim, OneBox, Slide, Subtraction, TopEntails, Wythoff,
};

/// The squares 0 to 7; an adder leads from 5 back to 1, and a ladder from 2 to 4.
pub const LADDERS: &str = r#"{"goal": 7, "steps": [1, 2], "carries": [[5, 1], [2, 4]]}"#;

impl Piece {
    /// Reads one term of an expression; several heaps are several pieces.
    pub fn read(term: &str) -> Vec<Self> {
        let (ruleset, position) = term.trim().rsplit_once(':').expect("ruleset:position");
        let numbers = || position.split(',').map(|n| n.parse().expect("a number"));
        match ruleset {
            "nim" => numbers().map(Nim).collect(),
            "wythoff" => {
                let heaps: Vec<usize> = numbers().collect();
                vec![Wythoff(heaps[0], heaps[1])]
            }
            "subtraction[1,3,4]" => numbers().map(Subtraction).collect(),
            "kayles" => numbers().map(Kayles).collect(),
            "top-entails" => numbers().map(TopEntails).collect(),
            "slide[-2,-3,+1;5]" => numbers().map(Slide).collect(),
            "ladders[small.json]" => numbers().map(Ladders).collect(),
            "nimstring" => {
                let edges = position.strip_prefix("1x1").expect("one box");
                let missing = edges.bytes().filter(|&bit| bit == b'0').count();
                vec![OneBox(if edges.is_empty() { 4 } else { missing })]
            }
            "lights" => vec![Lights(read_lights(position))],
            "green-lime" => vec![GreenLime(read_edges(position))],
            _ => panic!("no rules for {ruleset}"),
        }
    }

    /// All options: what kind of move, and what it leaves.
    pub fn options(&self) -> Vec<(Kind, Vec<Self>)> {
        let ordinary = |piece: Self| (Ordinary, vec![piece]);
        match *self {
            Nim(n) => (0..n).map(|left| ordinary(Nim(left))).collect(),
            Wythoff(a, b) => {
                let one = (0..a).map(|left| Wythoff(left, b));
                let other = (0..b).map(|left| Wythoff(a, left));
                let both = (1..=a.min(b)).map(|taken| Wythoff(a - taken, b - taken));
                one.chain(other).chain(both).map(ordinary).collect()
            }
            Subtraction(n) => {
                let left = [1, 3, 4].into_iter().filter_map(|taken| n.checked_sub(taken));
                left.map(|left| ordinary(Subtraction(left))).collect()
            }
            Kayles(row) => {
                let ways = (1..=2).flat_map(|pins| (0..=row).map(move |before| (pins, before)));
                let ways = ways.filter(|(pins, before)| pins + before <= row);
                let leave = |(pins, before)| vec![Kayles(before), Kayles(row - pins - before)];
                ways.map(|way| (Ordinary, leave(way))).collect()
            }
            TopEntails(n) => {
                let split = (1..n).map(|a| (Ordinary, vec![TopEntails(a), TopEntails(n - a)]));
                let top = n.checked_sub(1).map(|left| (Entailing, vec![TopEntails(left)]));
                split.chain(top).collect()
            }
            Slide(square) => {
                let reached = [square.checked_sub(2), square.checked_sub(3), Some(square + 1)];
                let reached = reached.into_iter().flatten().filter(|&to| to <= 5);
                reached.map(|to| ordinary(Slide(to))).collect()
            }
            Ladders(square) => {
                let reached = [square + 1, square + 2].into_iter().filter(|&to| to <= 7);
                let carried = reached.map(|to| match to {
                    5 => 1,
                    2 => 4,
                    _ => to,
                });
                carried.map(|to| ordinary(Ladders(to))).collect()
            }
            OneBox(0) => Vec::new(),
            OneBox(missing) => {
                let kind = if missing == 1 { Again } else { Ordinary };
                vec![(kind, vec![OneBox(missing - 1)])]
            }
            Lights(ref pieces) => {
                let options = lights_options(pieces).into_iter();
                options.map(|(kind, left)| (kind, vec![Lights(left)])).collect()
            }
            GreenLime(ref edges) => {
                let options = green_lime_options(edges).into_iter();
                options.map(|(kind, left)| (kind, vec![GreenLime(left)])).collect()
            }
        }
    }
}

/// One letter for each piece of a fixture.
fn read_lights(position: &str) -> String {
    let mut pieces = String::new();
    let mut count = String::new();
    for letter in position.chars().filter(|_| position != "0") {
        if letter.is_ascii_digit() {
            count.push(letter);
        } else {
            let times = if count.is_empty() { 1 } else { count.parse().expect("a number") };
            pieces.extend(std::iter::repeat_n(letter, times));
            count.clear();
        }
    }
    pieces
}

/// Edges such as `0-1g,1-2l`, a stalk such as `gl`, or `0` for none.
pub fn read_edges(position: &str) -> Vec<Edge> {
    if position == "0" {
        return Vec::new();
    }
    if position.starts_with(['g', 'l']) {
        let stalk = position.bytes().enumerate();
        return stalk.map(|(height, color)| (height, height + 1, color == b'l')).collect();
    }
    let edge = |text: &str| {
        let (ends, color) = text.split_at(text.len() - 1);
        let (one, other) = ends.split_once('-').expect("two ends");
        let [one, other] = [one, other].map(|end| end.parse::<usize>().expect("a vertex"));
        (one.min(other), one.max(other), color == "l")
    };
    let mut edges: Vec<Edge> = position.split(',').map(edge).collect();
    edges.sort_unstable();
    edges
}

/// Take a bulb with all to its right, or a socket; again if that stood between two bulbs.
pub fn lights_options(fixture: &str) -> Vec<(Kind, String)> {
    let option = |at: usize| {
        if fixture[at..].starts_with('b') {
            return (Ordinary, fixture[..at].to_owned());
        }
        let shock = fixture[..at].ends_with('b') && fixture[at + 1..].starts_with('b');
        (if shock { Again } else { Ordinary }, [&fixture[..at], &fixture[at + 1..]].concat())
    };
    (0..fixture.len()).map(option).collect()
}

/// What of a drawing hangs on the ground.
fn grounded(edges: &[Edge]) -> Vec<Edge> {
    let mut reached = BTreeSet::from([0]);
    loop {
        let before = reached.len();
        for (one, other, _) in edges {
            if reached.contains(one) || reached.contains(other) {
                reached.extend([one, other]);
            }
        }
        if reached.len() == before {
            break;
        }
    }
    edges.iter().filter(|edge| reached.contains(&edge.0)).copied().collect()
}

/// Remove an edge and all that falls, or let a green and a lime edge swap their colours.
pub fn green_lime_options(edges: &[Edge]) -> Vec<(Kind, Vec<Edge>)> {
    let mut options = Vec::new();
    for (i, &(.., lime)) in edges.iter().enumerate() {
        let mut others = edges.to_vec();
        others.remove(i);
        let left = grounded(&others);
        let limes = |edges: &[Edge]| edges.iter().filter(|edge| edge.2).count();
        let again = !lime && limes(&left) < limes(&others);
        options.push((if again { Again } else { Ordinary }, left));
    }
    for (i, &(a, b, green)) in edges.iter().enumerate() {
        for (j, &(c, d, lime)) in edges.iter().enumerate() {
            let shared = [a, b].iter().any(|end| *end != 0 && [c, d].contains(end));
            if !green && lime && shared {
                let mut left = edges.to_vec();
                left[i].2 = true;
                left[j].2 = false;
                left.sort_unstable();
                options.push((Ordinary, left));
            }
        }
    }
    options
}

/// A sum as it stands: for each component its pieces that can be moved.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Position {
    /// Who moves may move anywhere.
    Free(Vec<Vec<Piece>>),
    /// After a carry-on move: the opponent has nothing to choose, and the mover moves again.
    Passing(Vec<Vec<Piece>>),
    /// After an entailing move: these pieces of this component must be answered.
    Due(usize, Vec<Piece>, Vec<Vec<Piece>>),
}

use Position::{Due, Free, Passing};

/// The pieces of a component in a normal form.
fn normal(pieces: impl IntoIterator<Item = Piece>) -> Vec<Piece> {
    // The parts of a drawing are one drawing.
    let mut edges = Vec::new();
    let mut others = Vec::new();
    for piece in pieces {
        match piece {
            GreenLime(more) => edges.extend(more),
            other => others.push(other),
        }
    }
    edges.sort_unstable();
    others.push(GreenLime(edges));
    others.retain(|piece| !piece.options().is_empty());
    others.sort_unstable();
    others
}

impl Position {
    /// Reads the text of each component.
    pub fn read(components: impl IntoIterator<Item = String>) -> Self {
        let pieces = |text: String| normal(text.split(" + ").flat_map(Piece::read));
        Free(components.into_iter().map(pieces).collect())
    }

    /// All options: the component, the kind of move, and what is then.
    pub fn options(&self) -> Vec<(usize, Kind, Self)> {
        match self {
            Passing(components) => vec![(0, Ordinary, Free(components.clone()))],
            Due(component, due, components) => {
                Self::moves(*component, due, &components[*component], components)
            }
            Free(components) => {
                let each = components.iter().enumerate();
                each.flat_map(|(i, pieces)| Self::moves(i, pieces, &[], components)).collect()
            }
        }
    }

    /// The moves of these pieces of a component, with the others of it beside them.
    fn moves(
        component: usize,
        movable: &[Piece],
        beside: &[Piece],
        components: &[Vec<Piece>],
    ) -> Vec<(usize, Kind, Self)> {
        let mut found = Vec::new();
        for (i, piece) in movable.iter().enumerate() {
            let mut rest = movable.to_vec();
            rest.remove(i);
            rest.extend(beside.iter().cloned());
            for (kind, left) in piece.options() {
                let mut after = components.to_vec();
                let position = match kind {
                    Entailing => {
                        after[component] = normal(rest.clone());
                        Due(component, left, after)
                    }
                    Ordinary | Again => {
                        after[component] = normal(rest.iter().cloned().chain(left));
                        if kind == Again { Passing(after) } else { Free(after) }
                    }
                };
                found.push((component, kind, position));
            }
        }
        found
    }

    /// All components, those pieces that are due among the others.
    pub fn components(&self) -> Vec<Vec<Piece>> {
        match self {
            Free(components) | Passing(components) => components.clone(),
            Due(component, due, components) => {
                let mut all = components.clone();
                all[*component] = normal(all[*component].iter().chain(due).cloned());
                all
            }
        }
    }
}

/// Who wins each position that play reaches from a start.
pub struct Solved {
    numbers: HashMap<Position, usize>,
    outcomes: Vec<Outcome>,
}

impl Solved {
    /// Writes out all positions and solves them; none if there are more than `most`.
    pub fn new(start: &Position, most: usize) -> Option<Self> {
        let mut numbers = HashMap::from([(start.clone(), 0)]);
        let mut met = vec![start.clone()];
        let mut options: Vec<Vec<usize>> = Vec::new();
        while let Some(position) = met.get(options.len()) {
            let next = position.options().into_iter().map(|(_, _, position)| {
                *numbers.entry(position.clone()).or_insert_with(|| {
                    met.push(position);
                    met.len() - 1
                })
            });
            options.push(next.collect());
            if met.len() > most {
                return None;
            }
        }
        let outcomes = solve(&Graph::new(&options).expect("all are there")).outcomes;
        Some(Self { numbers, outcomes })
    }

    /// Who wins a position.
    pub fn outcome(&self, position: &Position) -> Outcome {
        self.outcomes[self.numbers[position]]
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.outcomes.len()
    }
}
