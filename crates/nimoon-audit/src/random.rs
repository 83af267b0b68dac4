//! Random digraphs in which every kind of value occurs.
//!
//! A digraph depends on the seed and its number alone, so a run can be repeated on any number
//! of threads. Sizes, densities, the share of gray nodes, how often gray nodes are terminal and
//! how often they follow one another are all drawn anew for each digraph: with any of them fixed,
//! some kind of value would be rare.

use nimoon::{Digraph, Node, Theory, theory::smallest};

/// The generator splitmix64: small, and good enough to draw digraphs.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// A generator that always yields the same numbers for the same seed.
    ///
    /// ```
    /// use nimoon_audit::random::SplitMix64;
    /// assert_eq!(SplitMix64::new(0).next_u64(), 0xe220_a839_7b1d_cdaf);
    /// ```
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which must not be 0 (0 is taken for 1).
    fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next_u64()) * bound.max(1) as u128) >> 64) as usize
    }

    /// True in about `percent` of 100 draws.
    fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// The largest digraphs that are drawn: triples of their nodes are still solved quickly.
pub const MAX_NODES: usize = 32;

/// How many options a gray node may have.
#[derive(Clone, Copy, PartialEq)]
enum Gray {
    None,
    One,
    Many,
}

/// The digraph of this number under this seed: it fits the theory, or, without one, is meant for
/// each of the five theories in turn. It has at least one node and at most `max_nodes`, or
/// [`MAX_NODES`] if that is less.
///
/// ```
/// use nimoon::{Theory, theory};
/// use nimoon_audit::random::digraph;
/// let one = digraph(7, 0, 8, Some(Theory::Cyclic));
/// assert_eq!(one, digraph(7, 0, 8, Some(Theory::Cyclic)));
/// assert!(one.len() <= 8 && !one.has_gray());
/// ```
pub fn digraph(seed: u64, number: u64, max_nodes: usize, theory: Option<Theory>) -> Digraph {
    let mut rng = SplitMix64::new(seed);
    let mut rng = SplitMix64::new(rng.next_u64() ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    match theory {
        Some(theory) => draw_fitting(&mut rng, max_nodes, theory),
        None => {
            let wanted = Theory::ALL[(number % 5) as usize];
            // Small digraphs often lack the cycle or the gray node; a few draws find them.
            let mut drawn = draw_fitting(&mut rng, max_nodes, wanted);
            for _ in 0..8 {
                if smallest(&drawn) == wanted {
                    break;
                }
                drawn = draw_fitting(&mut rng, max_nodes, wanted);
            }
            drawn
        }
    }
}

fn draw_fitting(rng: &mut SplitMix64, max_nodes: usize, theory: Theory) -> Digraph {
    let (acyclic, gray) = match theory {
        Theory::Short => (true, Gray::None),
        Theory::Cyclic => (rng.percent(10), Gray::None),
        Theory::Entailing => (true, if rng.percent(25) { Gray::One } else { Gray::Many }),
        Theory::CarryOn => (rng.percent(20), if rng.percent(5) { Gray::None } else { Gray::One }),
        Theory::General => (rng.percent(10), if rng.percent(15) { Gray::One } else { Gray::Many }),
    };
    draw(rng, max_nodes, acyclic, gray)
}

fn draw(rng: &mut SplitMix64, max_nodes: usize, acyclic: bool, gray: Gray) -> Digraph {
    // The larger of two draws: small digraphs are few and soon repeat themselves.
    let max_nodes = max_nodes.clamp(1, MAX_NODES);
    let len = 1 + rng.below(max_nodes).max(rng.below(max_nodes));
    let gray_percent = [15, 30, 45, 60][rng.below(4)];
    let is_gray: Vec<bool> =
        (0..len).map(|_| gray != Gray::None && rng.percent(gray_percent)).collect();
    // About this many options in a node, in tenths.
    let density = [8, 13, 20, 30][rng.below(4)];
    let terminal_percent = [0, 10, 30][rng.below(3)];
    let chain_percent = [0, 30, 60][rng.below(3)];
    let gray_nodes: Vec<usize> = (0..len).filter(|&v| is_gray[v]).collect();

    // In an acyclic digraph arcs fall in a random order, in which nodes get a rank.
    let mut rank: Vec<usize> = (0..len).collect();
    for i in (1..len).rev() {
        rank.swap(i, rng.below(i + 1));
    }
    let allowed = |from: usize, to: usize| !acyclic || rank[to] < rank[from];

    let mut arcs: Vec<(Node, Node)> = Vec::new();
    for from in 0..len {
        if is_gray[from] && rng.percent(terminal_percent) {
            continue;
        }
        if is_gray[from] && (gray == Gray::One || rng.percent(40)) {
            let towards_gray = rng.percent(chain_percent);
            let among: Vec<usize> = if towards_gray {
                gray_nodes.iter().copied().filter(|&to| allowed(from, to)).collect()
            } else {
                (0..len).filter(|&to| allowed(from, to)).collect()
            };
            if !among.is_empty() {
                arcs.push((from as Node, among[rng.below(among.len())] as Node));
            }
            continue;
        }
        let targets: Vec<usize> = (0..len).filter(|&to| allowed(from, to)).collect();
        for &to in &targets {
            if rng.below(10 * targets.len()) < density {
                arcs.push((from as Node, to as Node));
            }
        }
    }
    let gray = gray_nodes.into_iter().map(|v| v as Node);
    Digraph::new(len, gray, arcs).expect("every node is below the number of nodes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_five_theories_are_the_smallest_that_fits_some_digraph() {
        for theory in Theory::ALL {
            let fitting = (0..500).filter(|&i| smallest(&digraph(3, i, 8, None)) == theory).count();
            assert!(fitting > 60, "{theory}: {fitting}");
        }
    }

    #[test]
    fn a_digraph_fits_the_theory_asked_for_and_the_size() {
        for theory in Theory::ALL {
            for number in 0..200 {
                let drawn = digraph(1, number, 5, Some(theory));
                assert!(drawn.len() <= 5 && !drawn.is_empty());
                assert!(nimoon::label(&drawn, Some(theory), nimoon::Budget::DEFAULT).is_ok());
            }
        }
    }

    #[test]
    fn seeds_and_numbers_make_different_digraphs() {
        let draw = |seed, number| digraph(seed, number, 8, Some(Theory::CarryOn));
        assert!((0..20).any(|i| draw(1, i) != draw(2, i)));
        assert!((0..20).any(|i| draw(1, i) != draw(1, i + 1)));
    }
}
