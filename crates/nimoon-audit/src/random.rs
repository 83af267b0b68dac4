//! Random digraphs in which every kind of value occurs.
//!
//! A digraph depends only on the seed and its number, so a run can be repeated on any number of
//! threads. Each digraph has its own random size, density, share of gray nodes, share of terminal
//! gray nodes, and frequency of arcs between gray nodes. If any of these were fixed, some kind of
//! value would be rare.

use nimoon::{Digraph, Node, Theory, impartial::theory::smallest};

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

    /// A number below `bound`, which must not be 0 (0 counts as 1).
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

/// The digraph of this number under this seed. It fits the theory; without one, the five theories
/// take turns. It has at least one node and at most `max_nodes`, or [`MAX_NODES`] if that is less.
///
/// ```
/// use nimoon::{Theory, impartial::theory};
/// use nimoon_audit::random::digraph;
/// let one = digraph(7, 0, 8, Some(Theory::Cyclic));
/// assert_eq!(one, digraph(7, 0, 8, Some(Theory::Cyclic)));
/// assert!(one.len() <= 8 && !one.has_gray());
/// ```
pub fn digraph(seed: u64, number: u64, max_nodes: usize, theory: Option<Theory>) -> Digraph {
    let mut rng = SplitMix64::new(seed);
    let mut rng = SplitMix64::new(rng.next_u64() ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let wanted = theory.unwrap_or(Theory::ALL[(number % 5) as usize]);
    let mut drawn = draw_fitting(&mut rng, max_nodes, wanted);
    // Small digraphs often lack the cycle or the gray node; a few more draws find them.
    for _ in 0..8 {
        if theory.is_some() || smallest(&drawn) == wanted {
            break;
        }
        drawn = draw_fitting(&mut rng, max_nodes, wanted);
    }
    drawn
}

/// How arcs may run.
#[derive(Clone, Copy, PartialEq)]
enum Arcs {
    /// Down a random order of the nodes.
    Falling,
    /// Anywhere.
    Any,
}

fn draw_fitting(rng: &mut SplitMix64, max_nodes: usize, theory: Theory) -> Digraph {
    let any_but = |rng: &mut SplitMix64, falling_percent| {
        if rng.percent(falling_percent) { Arcs::Falling } else { Arcs::Any }
    };
    let one_but = |rng: &mut SplitMix64, other_percent, other| {
        if rng.percent(other_percent) { other } else { Gray::One }
    };
    match theory {
        Theory::Short => draw(rng, max_nodes, Arcs::Falling, Gray::None),
        Theory::Cyclic => {
            let arcs = any_but(rng, 10);
            draw(rng, max_nodes, arcs, Gray::None)
        }
        Theory::Entailing => {
            let gray = one_but(rng, 75, Gray::Many);
            draw(rng, max_nodes, Arcs::Falling, gray)
        }
        Theory::CarryOn => {
            let arcs = any_but(rng, 10);
            let gray = one_but(rng, 5, Gray::None);
            draw(rng, max_nodes, arcs, gray)
        }
        Theory::General => {
            let arcs = any_but(rng, 10);
            let gray = one_but(rng, 85, Gray::Many);
            draw(rng, max_nodes, arcs, gray)
        }
    }
}

fn draw(rng: &mut SplitMix64, max_nodes: usize, arcs: Arcs, gray: Gray) -> Digraph {
    // The largest of some draws: there are few small digraphs, which soon repeat, and gray
    // nodes are only links between white ones.
    let max_nodes = max_nodes.clamp(1, MAX_NODES);
    let draws = if gray == Gray::None { 2 } else { 4 };
    let len = (0..draws).fold(0, |largest, _| largest.max(1 + rng.below(max_nodes)));
    let gray_percent = [20, 35, 50, 60][rng.below(4)];
    let is_gray: Vec<bool> =
        (0..len).map(|_| gray != Gray::None && rng.percent(gray_percent)).collect();
    let gray_nodes: Vec<usize> = (0..len).filter(|&v| is_gray[v]).collect();
    let white_nodes: Vec<usize> = (0..len).filter(|&v| !is_gray[v]).collect();
    // About this many options in a node, in tenths.
    let density = [10, 15, 20, 30][rng.below(4)];
    let terminal_percent = [0, 0, 5, 20][rng.below(4)];
    // How much more likely a move leads to a gray node than to a white one.
    let gray_weight = [1, 1, 2, 3][rng.below(4)];
    let chain_percent = [0, 0, 20, 50][rng.below(4)];

    // Most arcs go down in a random order, a few go up: numbers come from arcs that go down,
    // and moons and ninnies need numbers near a cycle.
    let mut rank: Vec<usize> = (0..len).collect();
    for i in (1..len).rev() {
        rank.swap(i, rng.below(i + 1));
    }
    let rising_percent = if arcs == Arcs::Falling { 0 } else { [5, 15, 40, 100][rng.below(4)] };

    let mut drawn: Vec<(Node, Node)> = Vec::new();
    for from in 0..len {
        if is_gray[from] && rng.percent(terminal_percent) {
            continue;
        }
        let rises = rng.percent(rising_percent);
        let allowed = |to: &usize| rises || rank[*to] < rank[from];
        if is_gray[from] && (gray == Gray::One || rng.percent(40)) {
            let towards = if rng.percent(chain_percent) { &gray_nodes } else { &white_nodes };
            let mut among: Vec<usize> = towards.iter().copied().filter(allowed).collect();
            // Avoid terminal gray nodes: too many checkmates would hide the rest.
            if among.is_empty() {
                among = (0..len).filter(allowed).collect();
            }
            if among.is_empty() && arcs == Arcs::Any {
                among.clone_from(&white_nodes);
            }
            if !among.is_empty() {
                drawn.push((from as Node, among[rng.below(among.len())] as Node));
            }
            continue;
        }
        let targets: Vec<usize> = (0..len).filter(allowed).collect();
        for &to in &targets {
            let weight = if is_gray[to] { gray_weight } else { 1 };
            if rng.below(10 * targets.len()) < weight * density {
                drawn.push((from as Node, to as Node));
            }
        }
        if rising_percent > 0 && rng.percent(rising_percent / 4 + 10) {
            drawn.push((from as Node, from as Node));
        }
    }
    let gray = gray_nodes.into_iter().map(|v| v as Node);
    Digraph::new(len, gray, drawn).expect("every node is below the number of nodes")
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
    fn a_digraph_fits_the_requested_theory_and_size() {
        for theory in Theory::ALL {
            for number in 0..200 {
                let drawn = digraph(1, number, 5, Some(theory));
                assert!(drawn.len() <= 5 && !drawn.is_empty());
                assert!(nimoon::label(&drawn, Some(theory), &nimoon::Work::default()).is_ok());
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
