//! Sums of positions of any rulesets: values, outcomes, turns in words, and play.
//!
//! A [`Solution`] explores everything that play can reach from a sum, chooses the smallest theory
//! that fits it, and answers for every placement that play reaches:
//!
//! - where nothing splits, by the digraph of the parts, with each part as a piece;
//! - where something splits, by the values of the parts ([`crate::explore::parts`]), and turns by
//!   the digraph of whole components if that is small, else by the values alone;
//! - where no algebra is known, by the digraph of whole components and search.

mod by_search;
mod by_values;
mod certified;
mod error;
mod explain;
mod judged;
mod labelled;
mod narrate;
mod placement;

use std::ops::ControlFlow;

use crate::effort::{Effort, Interrupted, Limit};
use crate::explore::digraph::Unit;
use crate::explore::parts::{PartValues, PartsError, Shape};
use crate::explore::{
    Exploration, ExploreError, Field, OPTIONS_PER_POSITION, Progress, for_searches,
};
use crate::labelling::Label;
use crate::outcome::Outcome;
use crate::ruleset::{Fault, Kind, PositionId, Positions, Searching};
use crate::sum::Sum;
use crate::theory::Theory;
use crate::turn::{Guide, TurnKind, solve, winning_turns};
use crate::value::AnyValue;

use labelled::{Labelled, labelled, states};

pub use certified::PlacementDigraph;
pub use error::{AnswerError, SolutionError};
pub use explain::PartExplanation;
pub use judged::JudgedMove;
pub use placement::{PlacedMove, PlacedPart, Placement};

/// A ply in the words of its ruleset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlyInWords {
    /// The component.
    pub component: usize,
    /// What it was before.
    pub from: String,
    /// What it is after.
    pub to: String,
    /// Who moves then.
    pub kind: Kind,
    /// Whether it is a reply that the opponent has no say in.
    pub forced: bool,
    /// What the player does.
    pub words: String,
}

/// A turn in words: plies up to the moment the opponent is free to choose, or cannot move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnInWords {
    /// What it achieves.
    pub kind: TurnKind,
    /// The plies.
    pub plies: Vec<PlyInWords>,
    /// Whether the plies repeat for ever.
    pub endless: bool,
}

/// What there is to say about a placement.
#[derive(Clone, Debug)]
pub struct PlacementAnswer {
    /// Who wins.
    pub outcome: Outcome,
    /// What to play.
    pub turn: Option<TurnInWords>,
    /// The moves of the turn that the player to move makes, and the forced replies between them.
    pub moves: Vec<PlacedMove>,
    /// What the turn was chosen by.
    pub guide: Guide,
}

/// Winning turns in words, and whether the list was cut.
#[derive(Clone, Debug)]
pub struct TurnsInWords {
    /// The turns.
    pub turns: Vec<TurnInWords>,
    /// Whether there are more.
    pub truncated: bool,
}

/// A sum with everything that play can reach from it.
pub struct Solution {
    exploration: Exploration,
    start: Placement,
    method: Method,
    effort: Effort,
}

enum Method {
    Digraph(Box<Labelled>),
    Parts { values: PartValues, whole: Option<Box<Labelled>> },
}

/// Up to here everything is explored even where a theorem gives the values, since exact remoteness
/// is worth more.
const SMALL: u64 = 100_000;

/// The same where the ruleset has a search of its own: that is quicker than to find out that there
/// are more.
const SMALL_BESIDE_SEARCH: u64 = 4_000;

/// Up to here a digraph of whole components is made to choose turns by.
const SMALL_WHOLE: u64 = 200_000;

impl Solution {
    /// Explores a sum of positions, each given with the number of its ruleset among `fields`.
    ///
    /// # Errors
    /// When a budget is hit, the rules fail, `watch` breaks off, or a theory that was asked for does
    /// not fit.
    pub fn new(
        fields: Vec<Box<dyn Positions>>,
        terms: &[(Field, PositionId)],
        theory: Option<Theory>,
        effort: impl Into<Effort>,
        watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Self, SolutionError> {
        Self::within(fields, terms, theory, effort.into(), watch)
    }

    fn within(
        mut fields: Vec<Box<dyn Positions>>,
        terms: &[(Field, PositionId)],
        theory: Option<Theory>,
        effort: Effort,
        watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Self, SolutionError> {
        for field in &mut fields {
            field.work_within(&effort);
        }
        if theory.is_none_or(|theory| matches!(theory, Theory::Short | Theory::Entailing)) {
            let searched: Vec<Field> = searched(&mut fields, terms);
            let small = if searched.is_empty() { SMALL } else { SMALL_BESIDE_SEARCH };
            let small = effort.with_positions(effort.budget().positions.min(small));
            let (explored, over) = explored(fields, terms, &[], &small, watch)?;
            if over.is_none() {
                return Self::solved(explored, terms, theory, effort, watch);
            }
            fields = explored.into_fields();
            // The small budget was for exploring alone.
            for field in &mut fields {
                field.work_within(&effort);
            }
            let proved = [searched, proved(&mut fields, terms)].concat();
            if !proved.is_empty() {
                let (explored, over) = self::explored(fields, terms, &proved, &effort, watch)?;
                let short = explored.leaves_are_short() || theory != Some(Theory::Short);
                let fits = over.is_none() && short && !Shape::new(&explored).cyclic;
                if fits {
                    return Self::solved(explored, terms, theory, effort, watch);
                }
                fields = explored.into_fields();
            }
        }
        let (explored, over) = explored(fields, terms, &[], &effort, watch)?;
        match over {
            Some(over) => Err(over.into()),
            None => Self::solved(explored, terms, theory, effort, watch),
        }
    }

    /// Finds the values of what was explored.
    fn solved(
        mut exploration: Exploration,
        terms: &[(Field, PositionId)],
        theory: Option<Theory>,
        effort: Effort,
        watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Self, SolutionError> {
        let budget = effort.budget();
        search_leaves(&mut exploration, &effort, watch)?;
        let start = Placement::new(&mut exploration, terms);
        let due: Vec<usize> = (0..terms.len())
            .filter(|&i| exploration.field(terms[i].0).must_be_answered(terms[i].1))
            .collect();
        if let &[first, second, ..] = due.as_slice() {
            return Err(SolutionError::TwoDue { first, second });
        }
        let shape = Shape::new(&exploration);
        if let Some(part) = shape.grows {
            let (field, position) = exploration.position(part);
            let field = exploration.field(field);
            let position = format!("{}:{}", field.name(), field.text(position));
            return Err(SolutionError::Grows { position });
        }
        let smallest = if exploration.is_complete() || exploration.leaves_are_short() {
            shape.theory()
        } else {
            shape.theory().map(|_| Theory::Entailing)
        };
        let by_parts = match (smallest, theory) {
            _ if !shape.splits && exploration.is_complete() => None,
            (Some(fits), None) => Some(fits),
            (Some(_), Some(Theory::General)) | (None, _) => None,
            // An entailing move with one answer is a carry-on move, but parts are not settled so. Everything was
            // explored, since theorems and searches are left aside where this theory is asked for.
            (Some(_), Some(Theory::CarryOn)) if shape.entailing && !shape.several_answers => None,
            (Some(fits), Some(asked)) => {
                let larger = fits == Theory::Short || asked == Theory::CarryOn && !shape.entailing;
                if !larger && asked != fits {
                    let because = shape.against(asked).to_owned();
                    return Err(SolutionError::DoesNotFit {
                        theory: asked,
                        because,
                        fitting: fits,
                    });
                }
                Some(asked)
            }
        };
        let method = match by_parts {
            // Without an algebra the sum is searched, and each component that can be moved at least
            // doubles the positions of the search.
            None if shape.splits
                && smallest.is_none()
                && start.movable(&exploration) >= u64::BITS - budget.positions.leading_zeros() =>
            {
                return Err(SolutionError::Whole(effort.over(None)));
            }
            None => {
                let unit = if shape.splits { Unit::Component } else { Unit::Part };
                let states =
                    states(&exploration, &start, unit, &effort).map_err(SolutionError::Whole)?;
                Method::Digraph(Box::new(labelled(&exploration, states, theory, &effort)?))
            }
            Some(theory) => {
                let values = PartValues::new(&mut exploration, &shape, theory, &effort);
                let values = values.map_err(|error| match error {
                    PartsError::Interrupted(interrupted)
                    | PartsError::Fault(Fault::Interrupted(interrupted)) => {
                        let parts = exploration.len() as u64;
                        SolutionError::Values { interrupted, parts }
                    }
                    PartsError::Fault(fault) => {
                        let (field, _) = terms[0];
                        let position = exploration.field(field).name().to_owned();
                        ExploreError::Rules { position, message: fault.to_string() }.into()
                    }
                })?;
                let small = effort.with_positions(SMALL_WHOLE.min(budget.positions));
                let whole = exploration
                    .is_complete()
                    .then(|| states(&exploration, &start, Unit::Component, &small).ok())
                    .flatten()
                    .and_then(|states| labelled(&exploration, states, Some(theory), &effort).ok())
                    .filter(|whole| whole.labelling.is_complete());
                Method::Parts { values, whole: whole.map(Box::new) }
            }
        };
        Ok(Self { exploration, start, method, effort })
    }

    /// The sum that was given.
    pub fn start(&self) -> &Placement {
        &self.start
    }

    /// Answers within these limits from now on, with this clock and this token: those under which it was
    /// solved may be over.
    pub fn answer_within(&mut self, effort: impl Into<Effort>) {
        self.effort = effort.into();
        self.exploration.work_within(&self.effort);
    }

    /// Chooses turns by the values of the parts alone from now on, as in sums that are too large for
    /// anything else. Where there are no values of parts this changes nothing.
    pub fn rely_on_values(&mut self) {
        if let Method::Parts { whole, .. } = &mut self.method {
            *whole = None;
        }
    }

    /// The theory of the values.
    pub fn theory(&self) -> Theory {
        match &self.method {
            Method::Digraph(labelled) => labelled.labelling.theory(),
            Method::Parts { values, .. } => values.theory(),
        }
    }

    /// Whether the labels are known in full, or a budget cut them short.
    pub fn is_complete(&self) -> bool {
        self.interrupted().is_none()
    }

    /// What kept the labels from being complete.
    pub fn interrupted(&self) -> Option<Interrupted> {
        match &self.method {
            Method::Digraph(labelled) => labelled.labelling.interrupted(),
            Method::Parts { .. } => None,
        }
    }

    /// How many parts were explored, and how many options they have.
    pub fn size(&self) -> (usize, usize) {
        let options = self.exploration.all_options().count();
        (self.exploration.len(), options)
    }

    /// A component as text.
    pub fn text(&self, placement: &Placement, component: usize) -> String {
        placement.text(&self.exploration, component)
    }

    /// The parts of a component that have moves or must be answered, or one that has none: those that
    /// [`Solution::text`] joins.
    pub fn parts(&self, placement: &Placement, component: usize) -> Vec<PlacedPart> {
        placement.placed_parts(&self.exploration, component)
    }

    /// Pictures of the parts of a component.
    pub fn boards(&self, placement: &Placement, component: usize) -> Vec<String> {
        placement.boards(&self.exploration, component)
    }

    /// What the theory says about a component: its value, or what it covers if it must be moved.
    pub fn label(&mut self, placement: &Placement, component: usize) -> Label {
        match &mut self.method {
            Method::Parts { values, .. } => {
                by_values::label(&mut self.exploration, values, placement, component, &self.effort)
            }
            Method::Digraph(labelled) => match labelled.states.unit {
                Unit::Component => {
                    let state = placement.state(&self.exploration, component, None);
                    labelled.label(&state)
                }
                Unit::Part => {
                    let places = 0..placement.components[component].len();
                    let mut labels = places.map(|place| {
                        labelled.label(&placement.state(&self.exploration, component, Some(place)))
                    });
                    let first = labels.next().unwrap_or(Label::Gray(None));
                    labels.fold(first, |sum, label| add(&sum, &label))
                }
            },
        }
    }

    /// The value of the sum; none if something must be moved, without an algebra, or where a value
    /// must be searched for that [`Solution::label`] was not asked for.
    pub fn value(&self, placement: &Placement) -> Option<AnyValue> {
        match &self.method {
            Method::Parts { values, .. } if placement.due.is_none() => {
                let parts = placement.all_parts();
                let known = !parts.iter().any(|&part| self.exploration.needs_search(part));
                known.then(|| values.total(&self.exploration, &parts))
            }
            Method::Parts { .. } => None,
            Method::Digraph(labelled) => {
                let pieces = labelled.pieces(&self.exploration, placement)?;
                Sum::new(&labelled.states.digraph, &labelled.labelling, pieces).ok()?.value()
            }
        }
    }

    /// Who wins a placement.
    ///
    /// # Errors
    /// When no algebra is known and the search is over its budget.
    pub fn outcome(&mut self, placement: &Placement) -> Result<Outcome, AnswerError> {
        match &mut self.method {
            Method::Parts { values, .. } => {
                by_values::outcome(&mut self.exploration, values, placement, &self.effort)
            }
            Method::Digraph(labelled) => {
                let Some(pieces) = labelled.pieces(&self.exploration, placement) else {
                    return Err(unknown_placement());
                };
                let sum = Sum::new(&labelled.states.digraph, &labelled.labelling, pieces)
                    .map_err(|_| unknown_placement())?;
                match sum.outcome() {
                    Some(outcome) => Ok(outcome),
                    None => Ok(solve(&sum, &self.effort)?.outcome),
                }
            }
        }
    }

    /// All moves of the player to move.
    ///
    /// # Errors
    /// When there are more than the budget allows, or the rules fail.
    pub fn moves(&mut self, placement: &Placement) -> Result<Vec<PlacedMove>, Fault> {
        placement.moves(&mut self.exploration, &self.effort)
    }

    /// What the player does who makes this move.
    pub fn words(&self, placement: &Placement, made: &PlacedMove) -> String {
        placement.words(&self.exploration, made)
    }

    /// The placement after a move.
    pub fn after(&self, placement: &Placement, made: &PlacedMove) -> Placement {
        placement.after(made)
    }

    /// Who wins a placement, and the turn to play.
    ///
    /// # Errors
    /// When a budget is hit.
    pub fn answer(&mut self, placement: &Placement) -> Result<PlacementAnswer, AnswerError> {
        let labelled = match &mut self.method {
            Method::Digraph(labelled) => labelled,
            Method::Parts { whole: Some(labelled), .. } => &mut **labelled,
            Method::Parts { values, whole: None } => {
                return by_values::answer(&mut self.exploration, values, placement, &self.effort);
            }
        };
        let pieces = labelled.pieces(&self.exploration, placement).ok_or_else(unknown_placement)?;
        let sum = Sum::new(&labelled.states.digraph, &labelled.labelling, pieces)
            .map_err(|_| unknown_placement())?;
        let answer = solve(&sum, &self.effort)?;
        let told = match &answer.turn {
            Some(turn) => Some(narrate::turn(
                &mut self.exploration,
                &labelled.states,
                placement,
                turn,
                &self.effort,
            )?),
            None => None,
        };
        let (turn, moves) = told.unzip();
        let moves = moves.unwrap_or_default();
        Ok(PlacementAnswer { outcome: answer.outcome, turn, moves, guide: answer.guide })
    }

    /// The winning turns that repeat no position, the shorter ones first, up to a limit.
    ///
    /// # Errors
    /// When a budget is hit.
    pub fn winning_turns(
        &mut self,
        placement: &Placement,
        limit: usize,
    ) -> Result<TurnsInWords, AnswerError> {
        let labelled = match &mut self.method {
            Method::Digraph(labelled) => labelled,
            Method::Parts { whole: Some(labelled), .. } => &mut **labelled,
            Method::Parts { values, whole: None } => {
                return by_values::winning_turns(
                    &mut self.exploration,
                    values,
                    placement,
                    &self.effort,
                    limit,
                );
            }
        };
        let pieces = labelled.pieces(&self.exploration, placement).ok_or_else(unknown_placement)?;
        let sum = Sum::new(&labelled.states.digraph, &labelled.labelling, pieces)
            .map_err(|_| unknown_placement())?;
        let found = winning_turns(&sum, &self.effort, limit)?;
        let mut turns = Vec::with_capacity(found.turns.len());
        for turn in &found.turns {
            let states = &labelled.states;
            let told = narrate::turn(&mut self.exploration, states, placement, turn, &self.effort)?;
            turns.push(told.0);
        }
        Ok(TurnsInWords { turns, truncated: found.truncated })
    }
}

/// The sum of two labels, where it exists.
fn add(one: &Label, other: &Label) -> Label {
    match (one, other) {
        (Label::White(one), Label::White(other)) => {
            one.try_add(other).map_or(Label::Gray(None), Label::White)
        }
        _ => Label::Gray(None),
    }
}

/// For placements that no play from the start reaches.
fn unknown_placement() -> AnswerError {
    AnswerError::Fault(Fault::Rules("this position cannot be reached from the start".into()))
}

fn most_moves(effort: &Effort) -> usize {
    usize::try_from(effort.budget().positions).unwrap_or(usize::MAX)
}

/// How many options may be looked at to find what an entailing move wins beside: as many as the
/// explorer may meet.
fn most_replies(effort: &Effort) -> usize {
    most_moves(effort).saturating_mul(OPTIONS_PER_POSITION as usize)
}

/// The rulesets whose positions in the sum all have a value by a theorem.
fn proved(fields: &mut [Box<dyn Positions>], terms: &[(Field, PositionId)]) -> Vec<Field> {
    let mut has = |field: Field| {
        let positions = &mut fields[usize::from(field)];
        terms.iter().filter(|term| term.0 == field).all(|&(_, position)| {
            positions.parts(position).into_iter().all(|part| {
                let part = positions.canonical(part);
                positions.theorem(part).is_some()
            })
        })
    };
    let mut proved: Vec<Field> = terms.iter().map(|term| term.0).collect();
    proved.sort_unstable();
    proved.dedup();
    proved.retain(|&field| has(field));
    proved
}

/// The rulesets whose positions in the sum all have a search of their own.
fn searched(fields: &mut [Box<dyn Positions>], terms: &[(Field, PositionId)]) -> Vec<Field> {
    let mut searched: Vec<Field> = terms.iter().map(|term| term.0).collect();
    searched.sort_unstable();
    searched.dedup();
    searched.retain(|&field| {
        let positions = &mut fields[usize::from(field)];
        terms.iter().filter(|term| term.0 == field).all(|&(_, position)| {
            positions.parts(position).into_iter().all(|part| {
                let part = positions.canonical(part);
                positions.can_search(part)
            })
        })
    });
    searched
}

/// Searches for the values of all parts that were left for that.
fn search_leaves(
    exploration: &mut Exploration,
    effort: &Effort,
    watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<(), SolutionError> {
    let parts = exploration.unsearched();
    let explored = exploration.progress();
    let mut told = |search| watch(Progress { search: Some(search), ..explored });
    let mut searching = Searching::within(for_searches(effort), &mut told);
    let found = exploration.search(&parts, &mut searching);
    let looked_at = searching.used();
    found.map_err(|interrupted| {
        let interrupted = match interrupted {
            // As it was given, and not as it counts in searches.
            Interrupted::OverBudget { limit: Limit::Positions, .. } => effort.over(None),
            other => other,
        };
        SolutionError::Search { interrupted, looked_at, each: OPTIONS_PER_POSITION }
    })
}

/// Explores from these terms; a budget that is hit is given beside what was explored.
fn explored(
    fields: Vec<Box<dyn Positions>>,
    terms: &[(Field, PositionId)],
    by_theorem: &[Field],
    effort: &Effort,
    watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<(Exploration, Option<ExploreError>), ExploreError> {
    let mut exploration = Exploration::new(fields);
    for &field in by_theorem {
        exploration.trust_theorems(field);
    }
    Placement::new(&mut exploration, terms);
    match exploration.explore(effort, watch) {
        Ok(()) => Ok((exploration, None)),
        Err(error) => match error.interrupted().and_then(Interrupted::limit) {
            Some(Limit::Positions) => Ok((exploration, Some(error))),
            _ => Err(error),
        },
    }
}
