//! Positions of Fox and Geese.

use nimoon::partizan::order::{Relation, compare};
use nimoon::ruleset::{InternedPartizan, PartizanPositions, PartizanRuleset};
use nimoon::{Limits, Work, partizan::Stoppers};
use nimoon_rulesets::grid::FoxGeese;

use super::plain::{Plain, isomorphic};
use super::{LoopyError, Row, by_turns, short, wrong};

/// The positions, and whether the plain implementation can solve them.
pub(super) const POSITIONS: [(&str, bool); 4] = [
    ("4/geese=6.2,6.4/fox=1.1", true),
    ("6/geese=4.2,4.4,4.6/fox=1.1", true),
    ("8/geese=5.1,5.3,5.5,5.7/fox=1.1", false),
    ("8/geese=8.2,8.4,8.6,8.8/fox=1.5", false),
];

/// More than the full opening needs.
const BUDGET: u64 = 10_000_000_000;

/// All followers of a position as a graph.
fn explored(text: &str) -> Result<Plain, LoopyError> {
    let start = FoxGeese.canonical(FoxGeese.read(text)?);
    Ok(Plain::explored(start, |position, player| {
        let options = FoxGeese.options(position, player);
        options.map(|option| FoxGeese.canonical(option)).collect()
    }))
}

/// Measures one position.
pub(super) fn measure(text: &str, with_plain: bool, rounds: usize) -> Result<Row, LoopyError> {
    let case = format!("fox-geese:{text}");
    let engine = || {
        let mut positions = InternedPartizan::new(FoxGeese);
        let start = positions.read(text)?;
        let mut stoppers = Stoppers::new();
        let sides =
            stoppers.position(&mut positions, start, &mut Work::new(Limits::new(BUDGET)))?;
        Ok((stoppers, sides))
    };
    let mut plain = || explored(text)?.onside().ok_or_else(|| wrong(&case, "plain: not found"));
    let plain: Option<&mut dyn FnMut() -> _> = if with_plain { Some(&mut plain) } else { None };
    let ((seconds, (stoppers, sides)), other) = by_turns(rounds, engine, plain)?;

    let stopper = sides.stopper().ok_or_else(|| wrong(&case, "no stopper"))?;
    let graph = stoppers.graph(stopper);
    if let Some((_, other)) = &other
        && !isomorphic(&Plain::of(&graph, 0), other)
    {
        return Err(wrong(&case, "the plain implementation has another canonical form"));
    }
    let all = explored(text)?;
    let compared = compare((&all.graph()?, 0), (&graph, 0), &mut Work::new(Limits::new(BUDGET)))?;
    if compared.relation() != Relation::Equal {
        return Err(wrong(&case, "it differs from the graph of its followers"));
    }
    Ok(Row {
        case: format!("`{case}`"),
        size: format!("{} positions", all.len()),
        engine: seconds,
        plain: other.map(|(seconds, _)| seconds),
        answer: short(&stoppers.text(stopper), graph.len()),
    })
}
