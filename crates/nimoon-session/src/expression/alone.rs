//! What is known of a sum that is beyond its budget.

use std::collections::HashMap;

use crate::report::{ComponentReport, SumReport};
use nimoon::Work;
use nimoon::ruleset::PositionId;
use nimoon::solve::explore::Field;
use nimoon::solve::solution::Solution;

use super::{Expression, ExpressionError, Library};

/// The components of a sum that are small enough alone; the others have no value. `solve` explores
/// and labels within what this work allows, or less.
///
/// ```
/// use nimoon::Limits;
/// use nimoon::Work;
/// use nimoon::solve::solution::Solution;
/// use nimoon_session::expression::{NoLibrary, components_alone};
/// use std::ops::ControlFlow::Continue;
///
/// let work = Work::new(Limits::new(1000));
/// let known = components_alone("nim:3 + kayles:4,5", &mut NoLibrary, &work, &mut |sum, share| {
///     Solution::new(sum.fields, &sum.terms, None, share).ok()
/// });
/// assert_eq!(known.unwrap().components.len(), 2);
/// ```
///
/// # Errors
/// When the text is not an expression; see [`Expression::read`].
pub fn components_alone(
    text: &str,
    library: &mut dyn Library,
    work: &Work,
    solve: &mut dyn FnMut(Expression, &Work) -> Option<Solution>,
) -> Result<SumReport, ExpressionError> {
    /// The whole sum has taken long enough: so few positions, and so few components one by one.
    const MOST: u64 = 100_000;
    const TRIED: usize = 64;
    let work = work.child(work.limits().at_most(MOST));
    let whole = Expression::read(text, library)?;
    let written = |(field, position): (Field, PositionId)| {
        let field = &whole.fields[usize::from(field)];
        format!("{}:{}", field.name(), field.text(position))
    };
    let mut known: HashMap<(Field, PositionId), ComponentReport> = HashMap::new();
    let mut different = whole.terms.clone();
    different.sort_unstable();
    different.dedup();
    let mut tried = 0;
    for terms in different.chunk_by(|a, b| a.0 == b.0) {
        // Once the time is over, or somebody asks to stop, the others stay unknown.
        if work.check().is_err() {
            break;
        }
        // Positions of one ruleset are solved together, because they share followers.
        let joined = terms.iter().map(|&term| written(term)).collect::<Vec<_>>().join(" + ");
        let together = Expression::read(&joined, library)?;
        if let Some(mut solution) = solve(together, &work) {
            let start = solution.start().clone();
            for (component, &term) in terms.iter().enumerate() {
                known.insert(term, ComponentReport::of_placement(&mut solution, &start, component));
            }
            continue;
        }
        for &term in terms.iter().take(TRIED.saturating_sub(tried)) {
            if work.check().is_err() {
                break;
            }
            tried += 1;
            let alone = Expression::read(&written(term), library)?;
            if let Some(mut solution) = solve(alone, &work) {
                let start = solution.start().clone();
                known.insert(term, ComponentReport::of_placement(&mut solution, &start, 0));
            }
        }
    }
    let components = whole.terms.iter().map(|&term| {
        let unknown = || ComponentReport { position: written(term), label: None, outcome: None };
        known.get(&term).cloned().unwrap_or_else(unknown)
    });
    let components = components.collect();
    let complete = true;
    let (value, outcome, turn, turns) = (None, None, None, None);
    Ok(SumReport { theory: None, complete, components, value, outcome, turn, turns })
}
