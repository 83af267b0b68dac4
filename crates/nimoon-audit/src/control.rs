//! Values of the theory of all entailing moves against play: their sums, their order, and what tells
//! them apart.
//!
//! All pairs and triples of white nodes are solved in one square and one cube of the digraph and
//! compared with the sum of the values. For each ordered pair of white nodes the theory says that one
//! is at most the other, or it names a position beside which the player to move fares better with the
//! first. The position is played beside both. Where the theory names none, the player to move must
//! not fare better with the first beside any node, and beside any two of them.

use nimoon::impartial::control::{Context, Control, Layers, values};
use nimoon::{Digraph, Interrupted, Limits, Node, Work};
use nimoon_oracle::{Board, Outcome, Product};

use crate::check::board;
use crate::report::name;

/// What is wrong about some nodes, and what both sides say.
pub(crate) struct Wrong {
    pub(crate) nodes: Vec<Node>,
    pub(crate) theory_says: String,
    pub(crate) brute_force_says: String,
}

/// What was compared.
#[derive(Default)]
pub(crate) struct Compared {
    pub(crate) sums: u64,
    pub(crate) orders: u64,
    pub(crate) wrong: Vec<Wrong>,
}

/// How good an outcome is for the player to move.
fn rank(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::P => 0,
        Outcome::D => 1,
        Outcome::N => 2,
    }
}

struct Check<'a> {
    own: &'a Board,
    nodes: Vec<(Node, Control)>,
    pairs: Product,
    triples: Product,
    work: Work,
    compared: Compared,
}

/// Compares sums and orders of all white nodes of a digraph with play; nothing if it is too large.
pub(crate) fn compare(digraph: &Digraph, own: &Board) -> Compared {
    /// More than small digraphs need.
    const STEPS: u64 = 100_000_000;
    let mut work = Work::new(Limits::new(STEPS));
    let white: Vec<Node> = digraph.nodes().filter(|&node| !digraph.is_gray(node)).collect();
    let (Ok(pairs), Ok(triples)) = (Product::new(&[own, own]), Product::new(&[own, own, own]))
    else {
        return Compared::default();
    };
    let layers = Layers::of(digraph, &work);
    let compared = Compared::default();
    let found = values(digraph, &layers, &white, &mut work);
    let (nodes, interrupted) = match found {
        Ok(values) => (white.into_iter().zip(values).collect(), None),
        Err(interrupted) => (Vec::new(), Some(interrupted)),
    };
    let mut check = Check { own, nodes, pairs, triples, work, compared };
    let interrupted = match interrupted {
        Some(interrupted) => Err(interrupted),
        None => check.sums().and_then(|()| check.orders()),
    };
    if let Err(interrupted) = interrupted {
        check.wrong(Vec::new(), interrupted.to_string(), "the digraph is small".to_owned());
    }
    check.compared
}

impl Check<'_> {
    fn wrong(&mut self, nodes: Vec<Node>, theory_says: String, brute_force_says: String) {
        self.compared.wrong.push(Wrong { nodes, theory_says, brute_force_says });
    }

    fn sums(&mut self) -> Result<(), Interrupted> {
        for i in 0..self.nodes.len() {
            for j in i..self.nodes.len() {
                let both = Control::sum(&self.parts(&[i, j]), &mut self.work)?;
                self.compare_sum(&[i, j], &both);
                for k in j..self.nodes.len() {
                    let parts = [both.clone(), self.nodes[k].1.clone()];
                    let all = Control::sum(&parts, &mut self.work)?;
                    self.compare_sum(&[i, j, k], &all);
                }
            }
        }
        Ok(())
    }

    fn parts(&self, places: &[usize]) -> Vec<Control> {
        places.iter().map(|&place| self.nodes[place].1.clone()).collect()
    }

    fn compare_sum(&mut self, places: &[usize], value: &Control) {
        let nodes: Vec<Node> = places.iter().map(|&place| self.nodes[place].0).collect();
        let at: Vec<usize> = nodes.iter().map(|&node| node as usize).collect();
        let product = if at.len() == 2 { &self.pairs } else { &self.triples };
        let Some(truth) = product.outcome(&at) else { return };
        self.compared.sums += 1;
        if value.outcome().to_string() != truth.to_string() {
            let outcome = value.outcome();
            let says = format!("{}; the sum is {value:#}, so it is {outcome}", self.values(places));
            self.wrong(nodes, says, truth.to_string());
        }
    }

    fn values(&self, places: &[usize]) -> String {
        let of = |&place: &usize| {
            let (node, value) = &self.nodes[place];
            format!("{} = {value:#}", name(*node))
        };
        places.iter().map(of).collect::<Vec<_>>().join(", ")
    }

    fn orders(&mut self) -> Result<(), Interrupted> {
        for low in 0..self.nodes.len() {
            for high in 0..self.nodes.len() {
                let [x, y] = [low, high].map(|place| self.nodes[place].1.clone());
                let context = x.context(&y, &mut self.work)?;
                let below = x.relation(&y, &mut self.work)?.is_some_and(std::cmp::Ordering::is_le);
                self.compared.orders += 1;
                let play = match &context {
                    Some(context) => self.confirm([low, high], context),
                    None => self.never_better([low, high]),
                };
                let [of_x, of_y] = [low, high].map(|place| self.nodes[place].0);
                let says = match &context {
                    Some(_) if below => Some("below, and distinguished".to_owned()),
                    None if !below => Some("not below, and not distinguished".to_owned()),
                    _ => None,
                };
                if let Some(truth) = says.or(play) {
                    let relation = if below { "is at most" } else { "is not at most" };
                    let says = format!(
                        "{}, so {} {relation} {}",
                        self.values(&[low, high]),
                        name(of_x),
                        name(of_y)
                    );
                    self.wrong(vec![of_x, of_y], says, truth);
                }
            }
        }
        Ok(())
    }

    /// What play says against a position that tells two nodes apart, if anything.
    fn confirm(&self, places: [usize; 2], context: &Context) -> Option<String> {
        let beside = board(&context.digraph);
        let outcomes = places.map(|place| {
            let sum = [self.nodes[place].0 as usize, context.start as usize];
            Product::reachable(&[self.own, &beside], &sum).ok()?.outcome(&sum)
        });
        let [Some(first), Some(second)] = outcomes else {
            return Some("the position beside them is too large".to_owned());
        };
        let claimed = [context.first, context.second].map(|outcome| outcome.to_string());
        let right = rank(first) > rank(second) && claimed == [first, second].map(|o| o.to_string());
        (!right)
            .then(|| format!("beside a position with {} nodes {first} and {second}", beside.len()))
    }

    /// Beside which nodes the player to move fares better with the first, if beside some.
    fn never_better(&self, [low, high]: [usize; 2]) -> Option<String> {
        let better = |product: &Product, beside: &[Node]| {
            let of = |place: usize| {
                let mut at = vec![self.nodes[place].0 as usize];
                at.extend(beside.iter().map(|&node| node as usize));
                product.outcome(&at)
            };
            let (first, second) = (of(low)?, of(high)?);
            let names: Vec<String> = beside.iter().map(|&node| name(node)).collect();
            (rank(first) > rank(second))
                .then(|| format!("beside {} {first} and {second}", names.join(" + ")))
        };
        self.nodes.iter().enumerate().find_map(|(place, &(z, _))| {
            let more = self.nodes[place..].iter();
            better(&self.pairs, &[z])
                .or_else(|| more.map(|&(w, _)| w).find_map(|w| better(&self.triples, &[z, w])))
        })
    }
}
