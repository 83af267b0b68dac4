//! Multiples of a stopper, by repeated addition.

use nimoon::partizan::notation::Expression;
use nimoon::partizan::order::{Relation, compare};
use nimoon::{
    Limits, Work,
    partizan::{Graph, Sides, Stoppers},
};

use super::plain::{Plain, isomorphic};
use super::{LoopyError, Row, by_turns, short, wrong};

fn evaluate(stoppers: &mut Stoppers, text: &str) -> Result<Sides, LoopyError> {
    let expression: Expression = text.parse()?;
    Ok(expression.evaluate(stoppers, &mut Work::new(Limits::new(100_000_000)))?.sides())
}

/// Measures `times`·G.
pub(super) fn measure(text: &str, times: usize, rounds: usize) -> Result<Row, LoopyError> {
    let whole = format!("{times}*{text}");
    let mut stoppers = Stoppers::new();
    let term = evaluate(&mut stoppers, text)?
        .stopper()
        .ok_or_else(|| wrong(text, "the term is not a stopper"))?;
    let term = Plain::of(&stoppers.graph(term), 0);
    let mut plain = || {
        let mut sum = term.clone();
        for _ in 1..times {
            sum = sum.product(&term).onside().ok_or_else(|| wrong(&whole, "plain: not found"))?;
        }
        Ok(sum)
    };
    let engine = || {
        let mut stoppers = Stoppers::new();
        let sides = evaluate(&mut stoppers, &whole)?;
        Ok((stoppers, sides))
    };
    let ((seconds, (stoppers, sides)), other) = by_turns(rounds, engine, Some(&mut plain))?;

    let stopper = sides.stopper().ok_or_else(|| wrong(&whole, "no stopper"))?;
    let graph = stoppers.graph(stopper);
    if let Some((_, other)) = &other
        && !isomorphic(&Plain::of(&graph, 0), other)
    {
        return Err(wrong(&whole, "the plain implementation has another canonical form"));
    }
    prove(text, times, &whole, &graph, &term)?;
    Ok(Row {
        case: format!("{times}·`{}`", text.replace('|', "\\|")),
        size: format!("{times} terms"),
        engine: seconds,
        plain: other.map(|(seconds, _)| seconds),
        answer: short(&stoppers.text(stopper), graph.len()),
    })
}

/// Whether a graph is that of `times`·G: it equals the product graph of one less and G, and the sum
/// of halves has the same canonical form.
fn prove(
    text: &str,
    times: usize,
    whole: &str,
    graph: &Graph,
    term: &Plain,
) -> Result<(), LoopyError> {
    let mut stoppers = Stoppers::new();
    let less = evaluate(&mut stoppers, &format!("{}*{text}", times - 1))?;
    let less = less.stopper().ok_or_else(|| wrong(whole, "one less is not a stopper"))?;
    let product = Plain::of(&stoppers.graph(less), 0).product(term);
    let compared =
        compare((&product.graph()?, 0), (graph, 0), &mut Work::new(Limits::new(100_000_000)))?;
    if compared.relation() != Relation::Equal {
        return Err(wrong(whole, "it differs from the product graph"));
    }
    let mut stoppers = Stoppers::new();
    let (half, rest) = (times / 2, times - times / 2);
    let halves = evaluate(&mut stoppers, &format!("{half}*{text}+{rest}*{text}"))?;
    match halves.stopper() {
        Some(halves) if stoppers.graph(halves) == *graph => Ok(()),
        _ => Err(wrong(whole, "the sum of halves has another canonical form")),
    }
}
