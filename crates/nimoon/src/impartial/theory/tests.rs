//! Labels and their order: the same however work is cut, and as the rules say.

use crate::limits::Progress;
use std::collections::BTreeSet;
use std::sync::mpsc;

use super::*;

/// Small numbers in no order, from a fixed seed.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(n)) as u32
    }
}

/// A random digraph that fits a theory.
fn digraph(theory: Theory, len: u32, numbers: &mut Numbers) -> Digraph {
    let acyclic = matches!(theory, Theory::Short | Theory::Entailing);
    let with_gray = !matches!(theory, Theory::Short | Theory::Cyclic);
    let gray: Vec<Node> = (0..len).filter(|_| with_gray && numbers.below(3) == 0).collect();
    let mut arcs = Vec::new();
    for from in 0..len {
        let most = if theory == Theory::CarryOn && gray.contains(&from) { 2 } else { 5 };
        for _ in 0..numbers.below(most) {
            // Some arcs lead anywhere, most to smaller nodes, so that there are many nimbers.
            let any = !acyclic && numbers.below(4) == 0;
            let bound = if any { len } else { from };
            if bound > 0 {
                arcs.push((from, numbers.below(bound)));
            }
        }
    }
    Digraph::new(len as usize, gray, arcs).unwrap()
}

fn label_cut(digraph: &Digraph, theory: Theory, cut: Cut) -> Labelling {
    label_by(digraph, Some(theory), Ok(()), &Work::default(), cut).unwrap()
}

#[test]
fn labels_order_and_work_do_not_depend_on_the_cut() {
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let pools = [1, 2, 3].map(pool);
    let mut numbers = Numbers(1);
    for theory in Theory::ALL {
        for i in 0..200 {
            let digraph = digraph(theory, 1 + i / 4, &mut numbers);
            let alone = label_cut(&digraph, theory, Cut::ALONE);
            for pool in &pools {
                let threads = pool.current_num_threads();
                for (lane_bits, bulk) in [(0, 0), (2, 0), (3, 4), (2, usize::MAX)] {
                    let cut = Cut { threads, lane_bits, bulk };
                    let shared = pool.install(|| label_cut(&digraph, theory, cut));
                    assert_eq!(shared, alone, "{theory} {cut:?} {digraph:?}");
                }
            }
        }
    }
}

/// What a move to a node amounts to.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Ordinary(Node),
    Again(Node),
    Wins,
    Loses,
    Endless,
}

fn way(digraph: &Digraph, option: Node) -> Way {
    let (mut node, mut gray) = (option, 0);
    while digraph.is_gray(node) {
        gray += 1;
        match digraph.options(node).first() {
            None => return if gray % 2 == 1 { Way::Wins } else { Way::Loses },
            Some(_) if gray > digraph.len() => return Way::Endless,
            Some(&next) => node = next,
        }
    }
    if gray % 2 == 1 { Way::Again(node) } else { Way::Ordinary(node) }
}

/// The rules of the carry-on theory, applied to all nodes at once and again and again.
struct Rules {
    ways: Vec<Vec<Way>>,
    full_moons: BTreeSet<Node>,
    /// The facts W(x, k) and V(x, k).
    wins: BTreeSet<(Node, u32)>,
    values: BTreeSet<(Node, u32)>,
}

impl Rules {
    fn new(digraph: &Digraph) -> Self {
        let ways = |node| -> Vec<Way> {
            if digraph.is_gray(node) {
                return Vec::new();
            }
            digraph.options(node).iter().map(|&option| way(digraph, option)).collect()
        };
        let ways: Vec<Vec<Way>> = digraph.nodes().map(ways).collect();
        let mut full_moons = BTreeSet::new();
        for _ in digraph.nodes() {
            for node in digraph.nodes() {
                let is_full = |way: &Way| match way {
                    Way::Wins => true,
                    Way::Again(to) => full_moons.contains(to),
                    _ => false,
                };
                if ways[node as usize].iter().any(is_full) {
                    full_moons.insert(node);
                }
            }
        }
        Self { ways, full_moons, wins: BTreeSet::new(), values: BTreeSet::new() }
    }

    fn has_lower(&self, node: Node, k: u32) -> bool {
        (0..k).any(|j| self.values.contains(&(node, j)))
    }

    /// Rules 1 to 3; without rule 1, what holds at the beginning of a level.
    fn wins(&self, node: Node, k: u32, rule_1: bool) -> bool {
        self.ways[node as usize].iter().any(|way| match *way {
            Way::Ordinary(to) => rule_1 && self.values.contains(&(to, k)),
            Way::Again(to) => self.has_lower(to, k) || self.wins.contains(&(to, k)),
            _ => false,
        })
    }

    /// Rule 4.
    fn has_value(&self, node: Node, k: u32) -> bool {
        (0..k).all(|j| self.wins.contains(&(node, j)))
            && self.ways[node as usize].iter().all(|way| match *way {
                Way::Ordinary(to) => {
                    self.full_moons.contains(&to)
                        || self.has_lower(to, k)
                        || self.wins.contains(&(to, k))
                }
                Way::Again(to) => self.values.contains(&(to, k)),
                Way::Loses => true,
                Way::Wins | Way::Endless => false,
            })
    }

    /// All nodes with a value: by levels, in these by rounds, in these by numbers.
    fn run(&mut self, digraph: &Digraph) -> Vec<(Node, u32)> {
        let nodes: Vec<Node> = digraph
            .nodes()
            .filter(|&node| !digraph.is_gray(node) && !self.full_moons.contains(&node))
            .collect();
        let mut order = Vec::new();
        for k in 0.. {
            let level_start = order.len();
            loop {
                let new = nodes
                    .iter()
                    .filter(|&&node| !self.wins.contains(&(node, k)) && self.wins(node, k, false));
                let new: Vec<_> = new.map(|&node| (node, k)).collect();
                if new.is_empty() {
                    break;
                }
                self.wins.extend(new);
            }
            loop {
                let unknown = |facts: &BTreeSet<(Node, u32)>, node| !facts.contains(&(node, k));
                let wins = nodes
                    .iter()
                    .copied()
                    .filter(|&node| unknown(&self.wins, node) && self.wins(node, k, true));
                let wins: Vec<_> = wins.map(|node| (node, k)).collect();
                let values = nodes
                    .iter()
                    .copied()
                    .filter(|&node| unknown(&self.values, node) && self.has_value(node, k));
                let values: Vec<_> = values.map(|node| (node, k)).collect();
                if wins.is_empty() && values.is_empty() {
                    break;
                }
                self.wins.extend(wins);
                self.values.extend(&values);
                order.extend(values);
            }
            if order.len() == level_start {
                break;
            }
        }
        order
    }
}

#[test]
fn the_order_is_that_of_the_rules_applied_round_by_round() {
    let mut numbers = Numbers(2);
    for theory in [Theory::Cyclic, Theory::CarryOn] {
        for i in 0..400 {
            let digraph = digraph(theory, 1 + i / 16, &mut numbers);
            let mut rules = Rules::new(&digraph);
            let expected = rules.run(&digraph);
            let cut = Cut { threads: 1, lane_bits: 2, bulk: i as usize % 4 };
            let labelling = label_cut(&digraph, theory, cut);
            let nimber = |node| labelling.nimber(node).map(|n| n as u32);
            let order = labelling.order().iter().map(|&node| (node, nimber(node)));
            let expected = expected.into_iter().map(|(node, k)| (node, Some(k)));
            assert!(order.eq(expected), "{theory} {digraph:?}");
        }
    }
}

/// Each node of the order follows by the rules from those before it.
fn assert_justified(digraph: &Digraph, labelling: &Labelling) {
    let nimber = |node: Node| labelling.nimber(node).unwrap() as u32;
    let mut rules = Rules::new(digraph);
    for &node in labelling.order() {
        let k = nimber(node);
        rules.wins.clear();
        for level in 0..=k {
            loop {
                let new = digraph
                    .nodes()
                    .filter(|&x| !rules.wins.contains(&(x, level)) && rules.wins(x, level, true));
                let new: Vec<_> = new.map(|x| (x, level)).collect();
                if new.is_empty() {
                    break;
                }
                rules.wins.extend(new);
            }
        }
        assert!(rules.has_value(node, k), "{node} of {digraph:?}");
        rules.values.insert((node, k));
    }
    let assigned = digraph.nodes().filter(|&node| labelling.nimber(node).is_some()).count();
    assert_eq!(rules.values.len(), assigned);
}

#[test]
fn each_justification_is_earlier_in_the_order() {
    let mut numbers = Numbers(3);
    for theory in [Theory::Short, Theory::Cyclic, Theory::CarryOn] {
        for i in 0..150 {
            let digraph = digraph(theory, 1 + i / 8, &mut numbers);
            for cut in [Cut::ALONE, Cut { threads: 1, lane_bits: 1, bulk: 0 }] {
                assert_justified(&digraph, &label_cut(&digraph, theory, cut));
            }
        }
    }
}

#[test]
fn a_cycle_is_found_by_any_number_of_threads() {
    let work = Work::endless();
    let mut numbers = Numbers(4);
    for threads in [1, 2, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for i in 0..200 {
            let digraph = digraph(Theory::Cyclic, 1 + i / 8, &mut numbers);
            let cut = Cut { threads, ..Cut::ALONE };
            let heights = pool.install(|| Heights::new(&digraph, cut, &work));
            assert_eq!(heights.is_some(), postorder(&digraph, &work).is_ok(), "{digraph:?}");
        }
    }
}

#[test]
fn progress_stays_within_its_bounds() {
    for theory in [Theory::Cyclic, Theory::CarryOn] {
        // A path, whose first level visits every arc.
        let len = 600_000;
        let arcs: Vec<(Node, Node)> = (1..len).map(|node| (node, node - 1)).collect();
        let gray = (theory == Theory::CarryOn).then_some(0);
        let digraph = Digraph::new(len as usize, gray, arcs).unwrap();
        let (sender, reported) = mpsc::channel();
        let work = Work::default().on_progress(move |progress| {
            if let Progress::Labelling { level, assigned, visited, most, .. } = progress {
                sender.send((level, visited, assigned, most)).unwrap();
            }
        });
        let labelling = label(&digraph, Some(theory), &work).unwrap();
        let reported: Vec<(u32, u64, usize, u64)> = reported.try_iter().collect();
        for &(_, visited, assigned, most) in &reported {
            assert!(visited <= most.min(labelling.work()) && assigned <= len as usize);
        }
        for pair in reported.windows(2) {
            let [(level, visited, assigned, _), next] = [pair[0], pair[1]];
            assert!((level, visited) < (next.0, next.1) && assigned <= next.2);
        }
        let within = reported.iter().filter(|(_, visited, ..)| *visited > 0);
        assert!(within.count() > 0, "{theory}: long levels are reported on the way");
    }
}
