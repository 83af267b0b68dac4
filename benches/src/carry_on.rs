//! Compares the carry-on theory, with a fifth of the nodes gray, with the cyclic theory on the same
//! digraph with all nodes white.

use std::time::Instant;

use nimoon::graph::digraph::DigraphError;
use nimoon::{Digraph, DoesNotFit, Labelling, Limits, Node, Theory, Work};
use nimoon_check::Rejection;
use thiserror::Error;

use crate::certificate;
use crate::levels::SplitMix64;
use crate::machine::median;

/// Why the measurement stopped.
#[derive(Debug, Error)]
pub(crate) enum CarryOnError {
    #[error(transparent)]
    Digraph(#[from] DigraphError),
    #[error(transparent)]
    DoesNotFit(#[from] DoesNotFit),
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    #[error("WRONG ANSWER under the cyclic theory: {0}")]
    Cyclic(Rejection),
    #[error("WRONG ANSWER under the carry-on theory: {0}")]
    CarryOn(Rejection),
    #[error("WRONG ANSWER: two threads give another labelling")]
    Threaded,
}

/// The families of the baseline: how often an arc may lead to any node and not only to a smaller
/// one, in hundredths; none for arcs from any node to any node.
const FAMILIES: [(&str, Option<u32>); 3] =
    [("uni", None), ("mix 0", Some(0)), ("mix 0.02", Some(2))];

/// A random digraph in which the nodes 0, 5, 10, … keep one arc.
fn arcs(back: Option<u32>, nodes: Node, count: usize, seed: u64) -> Vec<(Node, Node)> {
    let mut generator = SplitMix64(seed);
    let mut has_arc = vec![false; nodes as usize];
    let mut arcs = Vec::with_capacity(count);
    for _ in 0..count {
        let arc = match back {
            None => (generator.below(nodes), generator.below(nodes)),
            Some(back) => {
                let from = 1 + generator.below(nodes - 1);
                let anywhere = generator.below(100) < back;
                (from, generator.below(if anywhere { nodes } else { from }))
            }
        };
        if !is_gray(arc.0) || !std::mem::replace(&mut has_arc[arc.0 as usize], true) {
            arcs.push(arc);
        }
    }
    arcs
}

fn is_gray(node: Node) -> bool {
    node.is_multiple_of(5)
}

/// Median seconds of building and labelling, with the results.
fn measure(
    arcs: &[(Node, Node)],
    nodes: Node,
    theory: Theory,
    threads: usize,
    rounds: usize,
) -> Result<(f64, Digraph, Labelling), CarryOnError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let mut times = Vec::new();
    loop {
        let gray: Vec<Node> =
            (0..nodes).filter(|&node| theory == Theory::CarryOn && is_gray(node)).collect();
        let copy = arcs.to_vec();
        let start = Instant::now();
        let (digraph, labelling) = pool.install(|| -> Result<_, CarryOnError> {
            let digraph = Digraph::new(nodes as usize, gray, copy)?;
            let labelling = nimoon::label(&digraph, Some(theory), &Work::new(Limits::default()))?;
            Ok((digraph, labelling))
        })?;
        times.push(start.elapsed().as_secs_f64());
        if times.len() == rounds {
            return Ok((median(times), digraph, labelling));
        }
    }
}

fn largest(digraph: &Digraph, labelling: &Labelling) -> u64 {
    digraph.nodes().filter_map(|node| labelling.nimber(node)).max().unwrap_or(0)
}

/// Labels digraphs of 10⁶ nodes and about 4·10⁶ arcs of each family.
pub(crate) fn run(rounds: usize) -> Result<(), CarryOnError> {
    const SEED: u64 = 1;
    const NODES: Node = 1_000_000;
    const ARCS: usize = 4_000_000;
    println!(
        "carry-on: {NODES} nodes, {ARCS} arcs of which gray nodes keep one, seed {SEED}; medians of \
         {rounds} runs in one process; adjacency and labels\n"
    );
    println!(
        "| family | theory | largest value | arcs visited per arc and level | 1 thread s | 2 \
         threads s | 1 by 2 threads | carry-on by cyclic, 1 thread |"
    );
    println!("|---|---|---:|---:|---:|---:|---:|---:|");
    for (name, back) in FAMILIES {
        let arcs = arcs(back, NODES, ARCS, SEED);
        let mut of_cyclic = f64::NAN;
        for theory in [Theory::Cyclic, Theory::CarryOn] {
            let (one, digraph, labelling) = measure(&arcs, NODES, theory, 1, rounds)?;
            let (two, _, shared) = measure(&arcs, NODES, theory, 2, rounds)?;
            if shared != labelling {
                return Err(CarryOnError::Threaded);
            }
            let ratio = if theory == Theory::Cyclic {
                certificate::check(&digraph, &labelling).map_err(CarryOnError::Cyclic)?;
                of_cyclic = one;
                String::new()
            } else {
                certificate::check(&digraph, &labelling).map_err(CarryOnError::CarryOn)?;
                format!("{:.2}", one / of_cyclic)
            };
            let largest = largest(&digraph, &labelling);
            let visited =
                labelling.work() as f64 / digraph.arc_count() as f64 / (largest + 1) as f64;
            println!(
                "| {name} | {theory} | {largest} | {visited:.3} | {one:.3} | {two:.3} | {:.2} | \
                 {ratio} |",
                one / two
            );
        }
    }
    println!("\nevery label proved right by a certificate");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_digraph_of_each_family_is_labelled_right() {
        for (name, back) in FAMILIES {
            let arcs = arcs(back, 1000, 4000, 1);
            let found = measure(&arcs, 1000, Theory::CarryOn, 1, 1);
            let (_, digraph, labelling) = found.expect("a labelling");
            certificate::check(&digraph, &labelling).expect(name);
        }
    }
}
