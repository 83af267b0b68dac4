//! One labelled digraph against brute force.
//!
//! Every white node is put beside positions that distinguish values: nim-heaps up to two beyond the
//! largest number that can occur, and, if the theory has an algebra, the known positions of
//! `nimoon_oracle::contexts`. The value that follows from the node's behaviour must be the claimed
//! one. All pairs and triples of white nodes are solved in one square and one cube of the digraph
//! and compared with the sum of the values. Gray nodes are compared with their claimed covers,
//! beside the same positions and beside the white nodes that are numbers.
//!
//! Numbers stay below the number of white nodes: a value is the mex of values of options, or a
//! number that another node already has. In the general theory, with n nodes, nothing changes
//! beyond 2n + 1 heaps; sums and orders of its values are compared on request.

use std::collections::HashMap;

use nimoon::{AnyValue, Cover, Digraph, EntailingValue, Label, Node, Outcome, Theory, Value};
use nimoon_oracle::{self as oracle, Board, Contexts, Product};

use crate::control::{self, Wrong};
use crate::report::{Counterexample, Piece, name, sum};

/// What a labeller says about all nodes of a digraph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claims {
    /// The theory of the labels.
    pub theory: Theory,
    /// The label of each node; none if the labeller fails to give one.
    pub labels: Vec<Option<Label>>,
}

/// What the check of one digraph found.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// Comparisons of a node beside a known position.
    pub positions: u64,
    /// Comparisons of two or three nodes.
    pub sums: u64,
    /// Comparisons of the order of two nodes, in the general theory.
    pub orders: u64,
    /// Wrong comparisons.
    pub wrong: u64,
    /// The first wrong comparison.
    pub first: Option<Counterexample>,
}

/// Compares claims with brute force; keeps the known positions from one digraph to the next.
#[derive(Debug, Default)]
pub struct Checker {
    known: HashMap<(Family, usize), Known>,
    orders: bool,
}

/// Which positions a theory can stand beside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Family {
    CarryOn,
    Entailing,
    Heaps,
}

/// Positions of known behaviour, with their values as the theory writes them.
#[derive(Debug)]
struct Known {
    contexts: Contexts,
    values: Vec<(Piece, AnyValue)>,
}

impl Known {
    fn new(family: Family, largest: usize) -> Self {
        let contexts = match family {
            Family::CarryOn => Contexts::carry_on(largest),
            Family::Entailing => Contexts::entailing(largest),
            Family::Heaps => Contexts::heaps(largest),
        };
        let values = contexts.known.iter().map(|context| {
            let value = theory_value(&context.value);
            let piece = match value {
                Value::Nimber(n) => Piece::Heap(n),
                _ => Piece::Known(value.clone()),
            };
            let any = match (family, &value) {
                (Family::Entailing, Value::Nimber(n)) => {
                    AnyValue::Entailing(EntailingValue::Nimber(*n))
                }
                (Family::Entailing, _) => AnyValue::Entailing(EntailingValue::Moon),
                _ => AnyValue::CarryOn(value),
            };
            (piece, any)
        });
        Self { values: values.collect(), contexts }
    }
}

impl Checker {
    /// A checker without known positions.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same, which also compares sums and orders in the general theory.
    #[must_use]
    pub fn with_orders(self, orders: bool) -> Self {
        Self { orders, ..self }
    }

    /// Compares all that the claims say with brute force.
    ///
    /// ```
    /// use nimoon::{AnyValue, Digraph, Label, Theory, Value};
    /// use nimoon_audit::{Checker, Claims};
    /// let a_loop = Digraph::new(1, [], vec![(0, 0)]).unwrap();
    /// let zero = Label::White(AnyValue::CarryOn(Value::Nimber(0)));
    /// let claims = Claims { theory: Theory::Cyclic, labels: vec![Some(zero)] };
    /// let findings = Checker::new().check(&a_loop, &claims);
    /// assert!(findings.first.unwrap().to_string().contains("Brute force says: D"));
    /// ```
    pub fn check(&mut self, digraph: &Digraph, claims: &Claims) -> Findings {
        let white = digraph.nodes().filter(|&node| !digraph.is_gray(node)).count();
        let (family, largest) = match claims.theory {
            Theory::Short | Theory::Cyclic | Theory::CarryOn => (Family::CarryOn, white + 1),
            Theory::Entailing => (Family::Entailing, white + 1),
            Theory::General => (Family::Heaps, 2 * digraph.len() + 4),
        };
        let known =
            self.known.entry((family, largest)).or_insert_with(|| Known::new(family, largest));
        let board = board(digraph);
        let mut check = Check { digraph, claims, findings: Findings::default() };
        check.check_colours();
        check.check_beside_known(&board, known, family);
        match claims.theory {
            Theory::General if self.orders => check.check_control(&board),
            Theory::General => {}
            _ => check.check_sums(&board),
        }
        check.findings
    }
}

/// The digraph in the form of the oracle.
pub(crate) fn board(digraph: &Digraph) -> Board {
    let options = |node| digraph.options(node).iter().map(|&to| to as usize).collect();
    Board {
        gray: digraph.nodes().map(|node| digraph.is_gray(node)).collect(),
        options: digraph.nodes().map(options).collect(),
    }
}

fn theory_value(value: &oracle::Value) -> Value {
    let set = |numbers: &[usize]| numbers.iter().map(|&n| n as u64).collect();
    match value {
        oracle::Value::Number(n) => Value::Nimber(*n as u64),
        oracle::Value::FullMoon => Value::FullMoon,
        oracle::Value::Moon(forced) => Value::Moon(set(forced)),
        oracle::Value::Ninny(forced) => Value::Ninny(*forced as u64),
        oracle::Value::Cyclic(exits) => Value::Cyclic(set(exits)),
    }
}

/// What a theory says about a sum.
#[derive(Clone, Copy)]
enum Says {
    /// This outcome.
    Outcome(Outcome),
    /// Nothing, although it should.
    Nothing,
    /// Nothing, and it need not.
    Silent,
}

impl Says {
    fn agrees(self, truth: oracle::Outcome) -> bool {
        let truth = match truth {
            oracle::Outcome::N => Outcome::N,
            oracle::Outcome::P => Outcome::P,
            oracle::Outcome::D => Outcome::D,
        };
        matches!(self, Self::Outcome(outcome) if outcome == truth)
    }
}

impl From<Option<Outcome>> for Says {
    fn from(outcome: Option<Outcome>) -> Self {
        outcome.map_or(Self::Nothing, Self::Outcome)
    }
}

struct Check<'a> {
    digraph: &'a Digraph,
    claims: &'a Claims,
    findings: Findings,
}

impl<'a> Check<'a> {
    fn label(&self, node: Node) -> Option<&'a Label> {
        self.claims.labels.get(node as usize)?.as_ref()
    }

    /// The value claimed for a white node.
    fn value(&self, node: Node) -> Option<&'a AnyValue> {
        if self.digraph.is_gray(node) { None } else { self.label(node)?.value() }
    }

    fn white(&self) -> Vec<(Node, &'a AnyValue)> {
        self.digraph.nodes().filter_map(|node| Some((node, self.value(node)?))).collect()
    }

    /// The gray nodes with the covers claimed for them, where the label is one of a gray node.
    fn gray(&self) -> Vec<(Node, Option<&'a Cover>)> {
        let gray = self.digraph.gray_nodes().filter_map(|node| match self.label(node)? {
            Label::Gray(cover) => Some((node, cover.as_ref())),
            Label::White(_) => None,
        });
        gray.collect()
    }

    fn wrong(&mut self, pieces: &[Piece], theory_says: String, brute_force_says: String) {
        self.findings.wrong += 1;
        if self.findings.first.is_none() {
            self.findings.first = Some(Counterexample {
                digraph: self.digraph.clone(),
                theory: self.claims.theory,
                pieces: pieces.to_vec(),
                theory_says,
                brute_force_says,
            });
        }
    }

    /// The labels of the nodes of a sum, in words.
    fn labels_of(&self, pieces: &[Piece]) -> String {
        let labels: Vec<String> = pieces
            .iter()
            .filter_map(|piece| match piece {
                Piece::Node(node) => Some((*node, self.label(*node)?)),
                _ => None,
            })
            .map(|(node, label)| match label {
                Label::White(value) => format!("{} = {value:#}", name(node)),
                Label::Gray(Some(cover)) => format!("{} covers {cover:#}", name(node)),
                Label::Gray(None) => format!("{} covers nothing definite", name(node)),
            })
            .collect();
        labels.join(", ")
    }

    /// Compares the claim about a node beside a known position.
    fn compare_position(&mut self, node: Node, piece: &Piece, says: Says, truth: oracle::Outcome) {
        if !matches!(says, Says::Silent) {
            self.findings.positions += 1;
            if !says.agrees(truth) {
                self.refute(&[Piece::Node(node), piece.clone()], says, truth);
            }
        }
    }

    /// Compares the claim about a sum of nodes.
    fn compare_sum(&mut self, nodes: &[Node], says: Says, truth: oracle::Outcome) {
        if !matches!(says, Says::Silent) {
            self.findings.sums += 1;
            if !says.agrees(truth) {
                let pieces: Vec<Piece> = nodes.iter().copied().map(Piece::Node).collect();
                self.refute(&pieces, says, truth);
            }
        }
    }

    fn refute(&mut self, pieces: &[Piece], says: Says, truth: oracle::Outcome) {
        let conclusion = match says {
            Says::Outcome(outcome) => format!("so {} is {outcome}", sum(pieces)),
            Says::Nothing | Says::Silent => format!("but nothing about {}", sum(pieces)),
        };
        let theory_says = format!("{}, {conclusion}", self.labels_of(pieces));
        self.wrong(pieces, theory_says, truth.to_string());
    }

    /// Every node needs a label of its own colour.
    fn check_colours(&mut self) {
        for node in self.digraph.nodes() {
            let gray = self.digraph.is_gray(node);
            let fits = match self.label(node) {
                Some(Label::White(_)) => !gray,
                Some(Label::Gray(_)) => gray,
                None => false,
            };
            if !fits {
                self.findings.positions += 1;
                let color = if gray { "gray" } else { "white" };
                let label = if gray { "cover" } else { "value" };
                let says = format!("no {label} for {}", name(node));
                self.wrong(&[Piece::Node(node)], says, format!("{} is {color}", name(node)));
            }
        }
    }

    fn check_beside_known(&mut self, board: &Board, known: &Known, family: Family) {
        // Plans contain no digraph that is too large for this.
        let Ok(product) = known.contexts.beside(board) else { return };
        for (node, value) in self.white() {
            for ((piece, known_value), context) in known.values.iter().zip(&known.contexts.known) {
                let says = match (family, known_value.nimber()) {
                    (Family::Heaps, Some(k)) => value.heap_outcomes().beside(k),
                    _ => value.try_add(known_value).and_then(|sum| sum.outcome()),
                };
                if let Some(truth) = product.outcome(&[node as usize, context.node]) {
                    self.compare_position(node, piece, says.into(), truth);
                }
            }
            if family == Family::CarryOn {
                self.check_behaviour(known, &product, node, value);
            }
        }
        for (node, cover) in self.gray() {
            self.check_cover(known, &product, node, cover, family);
        }
    }

    /// Checks that the value by behaviour is the claimed value.
    fn check_behaviour(&mut self, known: &Known, product: &Product, node: Node, value: &AnyValue) {
        self.findings.positions += 1;
        let behaviour = known.contexts.behaviour(product, node as usize);
        let read = behaviour.and_then(|behaviour| behaviour.value());
        let truth = read.as_ref().map(|read| AnyValue::CarryOn(theory_value(read)));
        if truth.as_ref() != Some(value) {
            let pieces = [Piece::Node(node)];
            let is = truth.map_or("like no value".to_owned(), |truth| format!("like {truth:#}"));
            let theory_says = self.labels_of(&pieces);
            self.wrong(&pieces, theory_says, format!("{} behaves {is}", name(node)));
        }
    }

    /// Checks that the player who must move from a gray node loses beside the covered heaps.
    fn check_cover(
        &mut self,
        known: &Known,
        product: &Product,
        node: Node,
        cover: Option<&Cover>,
        family: Family,
    ) {
        let mut some_draw = false;
        for ((piece, value), context) in known.values.iter().zip(&known.contexts.known) {
            let Some(truth) = product.outcome(&[node as usize, context.node]) else { continue };
            some_draw |= value.nimber().is_some() && truth == oracle::Outcome::D;
            let says = match (cover, piece) {
                // A definite cover is not an absorbing one: beside ∞_∅ nobody wins.
                (Some(Cover::Heaps(_)), Piece::Known(Value::Cyclic(exits)))
                    if exits.is_empty() && family == Family::CarryOn =>
                {
                    Says::Outcome(Outcome::D)
                }
                _ => covered(cover, value),
            };
            self.compare_position(node, piece, says, truth);
        }
        if matches!(cover, None | Some(Cover::Mixed(_))) {
            self.findings.positions += 1;
            if !some_draw {
                let pieces = [Piece::Node(node)];
                let theory_says = self.labels_of(&pieces);
                self.wrong(&pieces, theory_says, "no nim-heap beside it makes a draw".to_owned());
            }
        }
    }

    /// Sums and orders in the general theory.
    fn check_control(&mut self, board: &Board) {
        let compared = control::compare(self.digraph, board);
        self.findings.sums += compared.sums;
        self.findings.orders += compared.orders;
        for Wrong { nodes, theory_says, brute_force_says } in compared.wrong {
            let pieces: Vec<Piece> = nodes.into_iter().map(Piece::Node).collect();
            self.wrong(&pieces, theory_says, brute_force_says);
        }
    }

    /// Pairs and triples of nodes.
    fn check_sums(&mut self, board: &Board) {
        let (Ok(pairs), Ok(triples)) =
            (Product::new(&[board, board]), Product::new(&[board, board, board]))
        else {
            return;
        };
        let white = self.white();
        for (i, &(x, value)) in white.iter().enumerate() {
            for &(y, other) in &white[i..] {
                let says = value.try_add(other).and_then(|both| both.outcome());
                if let Some(truth) = pairs.outcome(&[x as usize, y as usize]) {
                    self.compare_sum(&[x, y], says.into(), truth);
                }
            }
        }
        for (g, cover) in self.gray() {
            for &(x, value) in &white {
                if let Some(truth) = pairs.outcome(&[g as usize, x as usize]) {
                    self.compare_sum(&[g, x], covered(cover, value), truth);
                }
            }
        }
        for (i, &(x, value)) in white.iter().enumerate() {
            for (j, &(y, other)) in white.iter().enumerate().skip(i) {
                let both = value.try_add(other);
                for &(z, third) in &white[j..] {
                    let all = both.as_ref().and_then(|both| both.try_add(third));
                    let says = all.and_then(|all| all.outcome());
                    if let Some(truth) = triples.outcome(&[x as usize, y as usize, z as usize]) {
                        self.compare_sum(&[x, y, z], says.into(), truth);
                    }
                }
            }
        }
    }
}

/// What a cover says about the player who must move from the gray node, beside this value.
fn covered(cover: Option<&Cover>, beside: &AnyValue) -> Says {
    match (cover, beside.nimber()) {
        (Some(Cover::NewMoon), _) => Says::Outcome(Outcome::P),
        (Some(Cover::FullMoon), _) => Says::Outcome(Outcome::N),
        (Some(Cover::Heaps(set)), Some(k)) => {
            Says::Outcome(if set.contains(k) { Outcome::P } else { Outcome::N })
        }
        (Some(Cover::Mixed(outcomes)), Some(k)) => outcomes.beside(k).into(),
        (Some(Cover::Heaps(_) | Cover::Mixed(_)), None) | (None, _) => Says::Silent,
    }
}
