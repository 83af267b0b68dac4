//! Labels random cyclic digraphs of growing size: the work per arc must not grow.

use std::time::Instant;

use nimoon::graph::digraph::DigraphError;
use nimoon::{Digraph, DoesNotFit, Limits, Node, Work};
use nimoon_check::Rejection;
use thiserror::Error;

use crate::certificate;
use crate::machine::median;

/// Why the measurement stopped.
#[derive(Debug, Error)]
pub(crate) enum LevelsError {
    #[error(transparent)]
    Digraph(#[from] DigraphError),
    #[error(transparent)]
    DoesNotFit(#[from] DoesNotFit),
    #[error("WRONG ANSWER at {arcs} arcs: {defect}")]
    Wrong { arcs: usize, defect: Rejection },
    #[error(
        "NOT LINEAR: on {family} digraphs {most:.3} arcs are visited per arc and level at one \
         size, {least:.3} at another"
    )]
    NotLinear { family: &'static str, least: f64, most: f64 },
}

/// Splitmix64, the generator that the baseline uses too.
pub(crate) struct SplitMix64(pub(crate) u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: u32) -> u32 {
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u32
    }
}

/// The average number of arcs of a node with arcs. A value is at most the number of options, so this bounds the values of
/// [`Family::Mixed`]; those of [`Family::Uniform`] hardly depend on the size either.
const OUTDEGREE: usize = 4;

/// A family of random digraphs whose largest value does not grow with the size.
#[derive(Clone, Copy, Debug)]
enum Family {
    /// Both ends of every arc are any nodes: almost all nodes end up infinite.
    Uniform,
    /// One node in fifty is terminal, and every other one has the same number of arcs: one in twenty
    /// of them to any node, the others to smaller nodes. Almost all nodes get nimbers in spite of the
    /// cycles, and every level has much work.
    Mixed,
}

impl Family {
    fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::Mixed => "mixed",
        }
    }

    /// The number of nodes of a digraph with this many arcs.
    fn len(self, arcs: usize) -> u32 {
        let sources = arcs / OUTDEGREE;
        match self {
            Self::Uniform => sources as u32,
            Self::Mixed => (sources + sources.div_ceil(50)) as u32,
        }
    }

    fn arcs(self, count: usize, seed: u64) -> Vec<(Node, Node)> {
        let mut generator = SplitMix64(seed);
        let len = self.len(count);
        let one = |i: usize| match self {
            Self::Uniform => (generator.below(len), generator.below(len)),
            Self::Mixed => {
                let from = len - 1 - (i / OUTDEGREE) as Node;
                let anywhere = generator.below(20) == 0;
                (from, generator.below(if anywhere { len } else { from }))
            }
        };
        (0..count).map(one).collect()
    }
}

/// The measurements at one size.
struct Measured {
    nodes: usize,
    arcs: usize,
    infinite: usize,
    largest: u64,
    seconds: f64,
    work: u64,
}

impl Measured {
    /// How often an arc is visited, for each value that occurs.
    fn per_level(&self) -> f64 {
        self.work as f64 / self.arcs as f64 / (self.largest + 1) as f64
    }
}

fn measure(family: Family, arcs: usize, seed: u64, rounds: usize) -> Result<Measured, LevelsError> {
    let list = family.arcs(arcs, seed);
    let nodes = family.len(arcs) as usize;
    let mut times = Vec::new();
    let mut known = None;
    for _ in 0..rounds {
        let copy = list.clone();
        let start = Instant::now();
        let digraph = Digraph::new(nodes, [], copy)?;
        let labelling = nimoon::label(&digraph, None, &Work::new(Limits::default()))?;
        times.push(start.elapsed().as_secs_f64());
        if known.is_none() {
            let (largest, infinite) = certificate::check(&digraph, &labelling)
                .map_err(|defect| LevelsError::Wrong { arcs, defect })?;
            known = Some((largest, infinite, labelling.work()));
        }
    }
    let (largest, infinite, work) = known.unwrap_or_default();
    let seconds = median(times);
    Ok(Measured { nodes, arcs, infinite, largest, seconds, work })
}

/// Labels digraphs of 10⁵, 10⁶ and 10⁷ arcs of each family.
pub(crate) fn run(rounds: usize) -> Result<(), LevelsError> {
    const SEED: u64 = 1;
    println!(
        "levels: random cyclic digraphs, {OUTDEGREE} arcs a node, seed {SEED}; medians of \
         {rounds} runs in one process; adjacency and labels\n"
    );
    println!(
        "| family | arcs | nodes | infinite | largest value | s | ns per arc | arcs visited \
         per arc | per arc and level |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    for family in [Family::Uniform, Family::Mixed] {
        let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
        for arcs in [100_000, 1_000_000, 10_000_000] {
            let measured = measure(family, arcs, SEED, rounds)?;
            let per_level = measured.per_level();
            let Measured { nodes, arcs, infinite, largest, seconds, work } = measured;
            println!(
                "| {} | {arcs} | {nodes} | {infinite} | {largest} | {seconds:.4} | {:.1} | \
                 {:.3} | {per_level:.3} |",
                family.name(),
                seconds * 1e9 / arcs as f64,
                work as f64 / arcs as f64
            );
            least = least.min(per_level);
            most = most.max(per_level);
        }
        // The largest value may differ by one between sizes; work that grew with the size
        // would differ far more over two powers of ten.
        if most > 1.5 * least {
            return Err(LevelsError::NotLinear { family: family.name(), least, most });
        }
    }
    println!("\nevery label proved right; the work per arc and level does not grow");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_splitmix64() {
        // The first outputs for the seed 1234567, as published with the algorithm.
        let mut generator = SplitMix64(1_234_567);
        assert_eq!(generator.next(), 6_457_827_717_110_365_317);
        assert_eq!(generator.next(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn arcs_stay_within_the_nodes() {
        for family in [Family::Uniform, Family::Mixed] {
            let arcs = family.arcs(4_000, 1);
            let len = family.len(4_000);
            assert_eq!(arcs.len(), 4_000);
            assert!(arcs.iter().all(|&(u, v)| u < len && v < len), "{family:?}");
        }
    }

    #[test]
    fn a_small_digraph_of_each_family_is_labelled_right() {
        for family in [Family::Uniform, Family::Mixed] {
            let measured = measure(family, 4_000, 1, 1).unwrap();
            assert!(measured.infinite < measured.nodes, "{family:?}");
            assert!(measured.work > 0 && measured.largest > 0, "{family:?}");
        }
    }
}
