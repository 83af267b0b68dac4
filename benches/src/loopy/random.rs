//! Random graphs: both sides of a vertex, and its comparison with another.

use nimoon::loopy::order::{Comparison, compare};
use nimoon::loopy::{Effort, Graph, Sides, Stoppers, Vertex};

use super::plain::{self, Plain, isomorphic};
use super::{LoopyError, Row, by_turns, wrong};
use crate::growth::SplitMix64;

/// How many graphs.
const COUNT: u64 = 20;

/// As many Left and Right edges as twice the vertices, each between any two.
fn graph(len: usize, seed: u64) -> Result<Graph, LoopyError> {
    let mut generator = SplitMix64(seed);
    let mut edges = || -> Vec<(Vertex, Vertex)> {
        (0..2 * len).map(|_| (generator.below(len as u32), generator.below(len as u32))).collect()
    };
    let (left, right) = (edges(), edges());
    Ok(Graph::new(len, left, right)?)
}

/// The sides of vertex 0, and its comparison with vertex 1.
type Answer = (Stoppers, Sides, Comparison);

/// Measures graphs of this size.
pub(super) fn measure(len: usize, with_plain: bool, rounds: usize) -> Result<Row, LoopyError> {
    let case = format!("random graphs of {len}");
    let graphs = (1..=COUNT).map(|seed| graph(len, seed)).collect::<Result<Vec<_>, _>>()?;
    let engine = || graphs.iter().map(by_engine).collect::<Result<Vec<Answer>, LoopyError>>();
    let mut plain = || {
        let sides = |graph: &Graph| {
            let here = Plain::of(graph, 0);
            ([here.onside(), here.offside()], plain::compare(graph, 0, 1))
        };
        Ok(graphs.iter().map(sides).collect::<Vec<_>>())
    };
    let plain: Option<&mut dyn FnMut() -> _> = if with_plain { Some(&mut plain) } else { None };
    let ((seconds, answers), other) = by_turns(rounds, engine, plain)?;

    let (mut found, mut largest) = (0, 0);
    for (graph, (stoppers, sides, compared)) in graphs.iter().zip(&answers) {
        prove(&case, graph, stoppers, *sides, *compared)?;
        for side in [sides.onside, sides.offside].into_iter().flatten() {
            found += 1;
            largest = largest.max(stoppers.graph(side).len());
        }
    }
    let mut both = 0;
    if let Some((_, others)) = &other {
        for ((stoppers, sides, compared), (other, relations)) in answers.iter().zip(others) {
            let [ge_plus, ge_minus, le_plus, le_minus] = *relations;
            if *compared != (Comparison { ge_plus, ge_minus, le_plus, le_minus }) {
                return Err(wrong(&case, "the plain implementation compares otherwise"));
            }
            for (side, other) in [sides.onside, sides.offside].into_iter().zip(other) {
                // What one of them does not find says nothing about the other.
                if let (Some(side), Some(other)) = (side, other)
                    && !isomorphic(&Plain::of(&stoppers.graph(side), 0), other)
                {
                    return Err(wrong(&case, "the plain implementation has another side"));
                }
                both += usize::from(side.is_some() && other.is_some());
            }
        }
    }
    if other.is_some() && 2 * both < found {
        return Err(wrong(&case, "the plain implementation finds hardly any side"));
    }
    let each = COUNT as f64;
    Ok(Row {
        case,
        size: format!("{len} vertices, mean of {COUNT}"),
        engine: seconds / each,
        plain: other.map(|(seconds, _)| seconds / each),
        answer: format!("{found} of {} sides, up to {largest} vertices", 2 * COUNT),
    })
}

fn by_engine(graph: &Graph) -> Result<Answer, LoopyError> {
    let mut stoppers = Stoppers::new();
    let sides = stoppers.sides(graph, 0, &mut Effort::default())?;
    let compared = compare((graph, 0), (graph, 1), &mut Effort::default())?;
    Ok((stoppers, sides, compared))
}

/// Whether the sides are those of vertex 0, and vertex 1 compares with them as with it.
fn prove(
    case: &str,
    graph: &Graph,
    stoppers: &Stoppers,
    sides: Sides,
    compared: Comparison,
) -> Result<(), LoopyError> {
    let mut effort = Effort::default();
    if let Some(onside) = sides.onside {
        let side = stoppers.graph(onside);
        let same = compare((&side, 0), (graph, 0), &mut effort)?;
        if !same.ge_plus || !same.le_plus {
            return Err(wrong(case, "this is not the onside"));
        }
        let again = compare((&side, 0), (graph, 1), &mut effort)?;
        if (again.ge_plus, again.le_plus) != (compared.ge_plus, compared.le_plus) {
            return Err(wrong(case, "the onside compares otherwise than the game"));
        }
    }
    if let Some(offside) = sides.offside {
        let side = stoppers.graph(offside);
        let same = compare((&side, 0), (graph, 0), &mut effort)?;
        if !same.ge_minus || !same.le_minus {
            return Err(wrong(case, "this is not the offside"));
        }
        let again = compare((&side, 0), (graph, 1), &mut effort)?;
        if (again.ge_minus, again.le_minus) != (compared.ge_minus, compared.le_minus) {
            return Err(wrong(case, "the offside compares otherwise than the game"));
        }
    }
    Ok(())
}
