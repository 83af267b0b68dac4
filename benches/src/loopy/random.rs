//! Random graphs: both sides of a vertex, and its comparison with another.

use nimoon::partizan::order::{Comparison, compare};
use nimoon::{
    Limits, Work,
    partizan::{Graph, Sides, Stoppers, Vertex},
};

use super::plain::{self, Plain, isomorphic};
use super::{LoopyError, Row, by_turns, wrong};
use crate::levels::SplitMix64;

/// How many graphs.
const COUNT: u64 = 20;

/// Twice as many Left and Right edges as vertices, each between any two vertices.
fn graph(len: usize, seed: u64) -> Result<Graph, LoopyError> {
    let mut generator = SplitMix64(seed);
    let mut edges = || -> Vec<(Vertex, Vertex)> {
        (0..2 * len).map(|_| (generator.below(len as u32), generator.below(len as u32))).collect()
    };
    let (left, right) = (edges(), edges());
    Ok(Graph::new(len, left, right)?)
}

fn graphs(len: usize) -> Result<Vec<Graph>, LoopyError> {
    (1..=COUNT).map(|seed| graph(len, seed)).collect()
}

fn size(len: usize) -> String {
    format!("{len} vertices, mean of {COUNT}")
}

/// Measures both sides of vertex 0, in graphs of this size.
pub(super) fn measure_sides(
    len: usize,
    with_plain: bool,
    rounds: usize,
) -> Result<Row, LoopyError> {
    let case = format!("sides of random graphs of {len}");
    let graphs = graphs(len)?;
    let engine = || graphs.iter().map(sides).collect::<Result<Vec<_>, LoopyError>>();
    let mut plain = || {
        let sides = |graph: &Graph| {
            let here = Plain::of(graph, 0);
            [here.onside(), here.offside()]
        };
        Ok(graphs.iter().map(sides).collect::<Vec<_>>())
    };
    let plain: Option<&mut dyn FnMut() -> _> = if with_plain { Some(&mut plain) } else { None };
    let ((seconds, answers), other) = by_turns(rounds, engine, plain)?;

    let (mut found, mut largest) = (0, 0);
    for (graph, (stoppers, sides)) in graphs.iter().zip(&answers) {
        prove_sides(&case, graph, stoppers, *sides)?;
        for side in [sides.onside, sides.offside].into_iter().flatten() {
            found += 1;
            largest = largest.max(stoppers.graph(side).len());
        }
    }
    let mut answer = format!("{found} of {} sides, up to {largest} vertices", 2 * COUNT);
    if let Some((_, others)) = &other {
        let (mut both, mut missed) = (0, 0);
        for ((stoppers, sides), other) in answers.iter().zip(others) {
            for pair in [sides.onside, sides.offside].into_iter().zip(other) {
                match pair {
                    (Some(side), Some(other)) => {
                        if !isomorphic(&Plain::of(&stoppers.graph(side), 0), other) {
                            return Err(wrong(&case, "the plain implementation has another side"));
                        }
                        both += 1;
                    }
                    (None, Some(_)) => missed += 1,
                    // A side that the plain implementation does not find says nothing about the engine.
                    (_, None) => {}
                }
            }
        }
        if 2 * both < found {
            return Err(wrong(&case, "the plain implementation finds hardly any side"));
        }
        answer = format!("{answer}; {missed} that plain alone finds");
    }
    let each = COUNT as f64;
    Ok(Row {
        case,
        size: size(len),
        engine: seconds / each,
        plain: other.map(|(seconds, _)| seconds / each),
        answer,
    })
}

/// Measures the comparison of vertices 0 and 1 by Algorithm 3, in graphs of this size.
pub(super) fn measure_comparison(
    len: usize,
    with_plain: bool,
    rounds: usize,
) -> Result<Row, LoopyError> {
    let case = format!("comparison in random graphs of {len}");
    let graphs = graphs(len)?;
    let engine = || {
        let compared =
            |graph| Ok(compare((graph, 0), (graph, 1), &mut Work::new(Limits::new(100_000_000)))?);
        graphs.iter().map(compared).collect::<Result<Vec<Comparison>, LoopyError>>()
    };
    let mut plain =
        || Ok(graphs.iter().map(|graph| plain::compare(graph, 0, 1)).collect::<Vec<_>>());
    let plain: Option<&mut dyn FnMut() -> _> = if with_plain { Some(&mut plain) } else { None };
    let ((seconds, answers), other) = by_turns(rounds, engine, plain)?;

    let (mut proved, mut comparable) = (0, 0);
    for (graph, &compared) in graphs.iter().zip(&answers) {
        let (stoppers, sides) = sides(graph)?;
        proved += prove_comparison(&case, graph, &stoppers, sides, compared)?;
        comparable += usize::from(compared.ge() || compared.le());
    }
    if let Some((_, others)) = &other {
        for (compared, relations) in answers.iter().zip(others) {
            let [ge_plus, ge_minus, le_plus, le_minus] = *relations;
            if *compared != (Comparison { ge_plus, ge_minus, le_plus, le_minus }) {
                return Err(wrong(&case, "the plain implementation compares otherwise"));
            }
        }
    }
    let each = COUNT as f64;
    Ok(Row {
        case,
        size: size(len),
        engine: seconds / each,
        plain: other.map(|(seconds, _)| seconds / each),
        answer: format!(
            "{comparable} of {COUNT} comparable; {proved} of {} sides compare alike",
            2 * COUNT
        ),
    })
}

/// The sides of vertex 0.
fn sides(graph: &Graph) -> Result<(Stoppers, Sides), LoopyError> {
    let mut stoppers = Stoppers::new();
    let sides = stoppers.sides(graph, 0, &mut Work::new(Limits::new(100_000_000)))?;
    Ok((stoppers, sides))
}

/// Checks that the sides are those of vertex 0.
fn prove_sides(
    case: &str,
    graph: &Graph,
    stoppers: &Stoppers,
    sides: Sides,
) -> Result<(), LoopyError> {
    let mut work = Work::new(Limits::new(100_000_000));
    if let Some(onside) = sides.onside {
        let same = compare((&stoppers.graph(onside), 0), (graph, 0), &mut work)?;
        if !same.ge_plus || !same.le_plus {
            return Err(wrong(case, "this is not the onside"));
        }
    }
    if let Some(offside) = sides.offside {
        let same = compare((&stoppers.graph(offside), 0), (graph, 0), &mut work)?;
        if !same.ge_minus || !same.le_minus {
            return Err(wrong(case, "this is not the offside"));
        }
    }
    Ok(())
}

/// Checks that vertex 1 compares with the sides of vertex 0 as with vertex 0 itself; returns the number of sides.
fn prove_comparison(
    case: &str,
    graph: &Graph,
    stoppers: &Stoppers,
    sides: Sides,
    compared: Comparison,
) -> Result<usize, LoopyError> {
    let mut work = Work::new(Limits::new(100_000_000));
    let mut proved = 0;
    if let Some(onside) = sides.onside {
        let again = compare((&stoppers.graph(onside), 0), (graph, 1), &mut work)?;
        if (again.ge_plus, again.le_plus) != (compared.ge_plus, compared.le_plus) {
            return Err(wrong(case, "the onside compares otherwise than the game"));
        }
        proved += 1;
    }
    if let Some(offside) = sides.offside {
        let again = compare((&stoppers.graph(offside), 0), (graph, 1), &mut work)?;
        if (again.ge_minus, again.le_minus) != (compared.ge_minus, compared.le_minus) {
            return Err(wrong(case, "the offside compares otherwise than the game"));
        }
        proved += 1;
    }
    Ok(proved)
}
