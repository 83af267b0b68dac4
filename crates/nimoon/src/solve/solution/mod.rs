//! Sums of positions of any rulesets: values, outcomes, turns in words, and play.
//!
//! A [`Solution`] explores everything that play can reach from a sum, chooses the smallest theory
//! that fits it, and answers for every placement that play reaches:
//!
//! - where nothing splits, by the digraph of the parts, with each part as a piece;
//! - where something splits, by the values of the parts ([`crate::solve::explore::parts`]), and
//!   turns by the digraph of whole components if that is small, else by the values alone;
//! - where cycles and entailing moves meet and something splits, by the digraph of whole components.
//!
//! ## Theorems and searches
//! A ruleset may know the value of a position without looking at its followers
//! ([`Shortcuts::theorem`](crate::Shortcuts::theorem)), or have a search of its own
//! ([`Shortcuts::search`](crate::Shortcuts::search)). Up to 4,000 positions everything is explored all
//! the same: the answer then rests on the rules alone, and the length of the game is known. Beyond
//! that a theorem is relied on, and parts are leaves of the exploration; what is met later in play is
//! solved then. The tests compare each theorem with the definition.
//!
//! ## The value first
//! Who wins is known from the values. The quickest win needs all positions of the sum, so it is
//! searched for only where these are few, or where [`Limits::turn`](crate::Limits::turn) says so.
//!
//! ## Large sums
//! A sum of ten thousand components costs as much as the different ones among them, and what adding
//! up takes.
//!
//! - Equal components are explored, labelled, judged and worded once. A move is judged by what it
//!   leaves and the value of all other parts together, which are known for every part from one pass
//!   in each direction; no sum is added up again for a move.
//! - Where all components have numbers, a winning turn changes one of them by the nim-sum. The
//!   options of each different node are visited once for that number. Which of several winning
//!   turns is taken does not change: equal pieces have equal measures, and the first one is taken.
//! - With cycles and carry-on moves only parts that are not numbers need carry-on moves of their
//!   own, and of many equal ones only as many have a choice as there are numbers to leave them for:
//!   two that are left for the same number may as well be left both for the one of smallest
//!   measure, with the same nim-sum.
//! - A digraph of whole components has all combinations of their parts, and every component that
//!   can be moved may have many. One that is too large is rejected, with the values of its
//!   components, ruleset by ruleset.

mod by_search;
mod by_values;
mod certified;
mod error;
mod explain;
mod judged;
mod labelled;
mod narrate;
mod placement;

use crate::impartial::labelling::Label;
use crate::impartial::sum::Sum;
use crate::impartial::theory::Theory;
use crate::impartial::turn::{Guide, TurnKind, best_turns, solve};
use crate::impartial::value::AnyValue;
use crate::limits::{Interrupted, Limit, Limits, Work};
use crate::outcome::Outcome;
use crate::ruleset::{Fault, Kind, PositionId, Positions};
use crate::solve::explore::digraph::Unit;
use crate::solve::explore::parts::{PartValues, PartsError, Shape};
use crate::solve::explore::{Exploration, ExploreError, Field, OPTIONS_PER_POSITION, for_searches};

use labelled::{Labelled, labelled, states};

pub use certified::{PlacementDigraph, PositionDigraph};
pub use error::{AnswerError, SolutionError};
pub use explain::{OptionInWords, PartExplanation};
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

/// A winning turn in words, with an answer to every choice that the opponent has within it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeInWords {
    /// What the mover plays.
    pub ply: PlyInWords,
    /// How the turn goes on after a carry-on move.
    pub then: Option<Box<TreeInWords>>,
    /// Every reply that the opponent has.
    pub replies: Vec<ReplyInWords>,
}

/// A reply in words, and what the mover plays then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyInWords {
    /// What the opponent plays.
    pub ply: PlyInWords,
    /// How the turn goes on; none where the tree has grown too large.
    pub then: Option<TreeInWords>,
}

/// What there is to say about a placement.
#[derive(Clone, Debug)]
pub struct PlacementAnswer {
    /// Who wins.
    pub outcome: Outcome,
    /// What to play.
    pub turn: Option<TurnInWords>,
    /// The whole turn, if it wins and the opponent has a choice before it is over.
    pub tree: Option<TreeInWords>,
    /// The moves of the turn that the player to move makes, and the forced replies between them.
    pub moves: Vec<PlacedMove>,
    /// What the turn was chosen by.
    pub guide: Guide,
}

/// Turns in words, and whether the list was cut.
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
    work: Work,
}

enum Method {
    Digraph(Box<Labelled>),
    Parts { values: PartValues, whole: Option<Box<Labelled>> },
}

/// Up to here everything is explored even where a theorem or a search gives the values, since exact
/// remoteness is worth more. Exploring takes longer than searching, so these are fewer positions than
/// [`Limits::turn`](crate::Limits::turn) has.
fn small(limits: Limits) -> u64 {
    const CHEAP: u64 = 4_000;
    limits.positions.min(if limits.turn > Limits::DEFAULT.turn { limits.turn } else { CHEAP })
}

impl Solution {
    /// Explores a sum of positions, each given with the number of its ruleset among `fields`.
    ///
    /// # Errors
    /// When a budget is hit, the rules fail, or a requested theory does
    /// not fit.
    pub fn new(
        mut fields: Vec<Box<dyn Positions>>,
        terms: &[(Field, PositionId)],
        theory: Option<Theory>,
        work: &Work,
    ) -> Result<Self, SolutionError> {
        for field in &mut fields {
            field.work_within(work);
        }
        if theory.is_none_or(|theory| matches!(theory, Theory::Short | Theory::Entailing)) {
            let proved = [searched(&mut fields, terms), proved(&mut fields, terms)].concat();
            if !proved.is_empty() {
                let small = work.child(work.limits().at_most(small(work.limits())));
                let (explored, over) = explored(fields, terms, &[], &small)?;
                if over.is_none() {
                    return Self::solved(explored, terms, theory, work);
                }
                fields = explored.into_fields();
                // The small budget was for exploring alone.
                for field in &mut fields {
                    field.work_within(work);
                }
                let (explored, over) = self::explored(fields, terms, &proved, work)?;
                let short = explored.leaves_are_short() || theory != Some(Theory::Short);
                let fits = over.is_none() && short && !Shape::new(&explored).cyclic;
                if fits {
                    return Self::solved(explored, terms, theory, work);
                }
                fields = explored.into_fields();
            }
        }
        let (explored, over) = explored(fields, terms, &[], work)?;
        match over {
            Some(over) => Err(over.into()),
            None => Self::solved(explored, terms, theory, work),
        }
    }

    /// Finds the values of what was explored.
    fn solved(
        mut exploration: Exploration,
        terms: &[(Field, PositionId)],
        theory: Option<Theory>,
        work: &Work,
    ) -> Result<Self, SolutionError> {
        let limits = work.limits();
        search_leaves(&mut exploration, work)?;
        let start = Placement::new(&mut exploration, terms);
        let due: Vec<usize> = (0..terms.len())
            .filter(|&i| exploration.field(terms[i].0).must_be_answered(terms[i].1))
            .collect();
        if let &[first, second, ..] = due.as_slice() {
            return Err(SolutionError::TwoDue { first, second });
        }
        if exploration.is_complete() && !exploration.splits() {
            let states = states(&exploration, &start, Unit::Part, work);
            let states = states.map_err(SolutionError::Whole)?;
            let labelled = labelled(&exploration, states, theory, work)?;
            let (method, work) = (Method::Digraph(Box::new(labelled)), work.child(limits));
            return Ok(Self { exploration, start, method, work });
        }
        let shape = Shape::new(&exploration);
        unit_of(&exploration, &shape)?;
        let smallest = if exploration.is_complete() || exploration.leaves_are_short() {
            shape.theory()
        } else {
            shape.theory().map(|_| Theory::Entailing)
        };
        let by_parts = match (smallest, theory) {
            (Some(fits), None) => Some(fits),
            (Some(_), Some(Theory::General)) | (None, _) => None,
            // An entailing move with one answer is a carry-on move, but parts are not settled so. Everything was
            // explored, since theorems and searches are left aside where this theory is requested.
            (Some(_), Some(Theory::CarryOn)) if shape.entailing && !shape.several_answers => None,
            (Some(fits), Some(requested)) => {
                let larger =
                    fits == Theory::Short || requested == Theory::CarryOn && !shape.entailing;
                if !larger && requested != fits {
                    let because = shape.against(requested).to_owned();
                    return Err(SolutionError::DoesNotFit {
                        theory: requested,
                        because,
                        fitting: fits,
                    });
                }
                Some(requested)
            }
        };
        let method = match by_parts {
            // Without an algebra the sum is searched, and each component that can be moved at least
            // doubles the positions of the search.
            None if smallest.is_none()
                && start.movable(&exploration) >= u64::BITS - limits.positions.leading_zeros() =>
            {
                return Err(SolutionError::Whole(work.over(None)));
            }
            None => {
                let states = states(&exploration, &start, Unit::Component, work);
                let states = states.map_err(SolutionError::Whole)?;
                Method::Digraph(Box::new(labelled(&exploration, states, theory, work)?))
            }
            Some(theory) => {
                let values = PartValues::new(&mut exploration, &shape, theory, work);
                let values = values.map_err(|error| match error {
                    PartsError::Interrupted(interrupted)
                    | PartsError::Fault(Fault::Interrupted(interrupted)) => {
                        let parts = exploration.len() as u64;
                        SolutionError::Values { interrupted, parts }
                    }
                    PartsError::Fault(fault) => {
                        let (field, _) = terms[0];
                        let position = exploration.field(field).name().to_owned();
                        let message = fault.to_string();
                        match fault {
                            Fault::Limit(_) => ExploreError::Limit { position, message },
                            _ => ExploreError::Rules { position, message },
                        }
                        .into()
                    }
                })?;
                let small = work.child(limits.at_most(small(limits)));
                let whole = exploration
                    .is_complete()
                    .then(|| states(&exploration, &start, Unit::Component, &small).ok())
                    .flatten()
                    .and_then(|states| labelled(&exploration, states, Some(theory), work).ok())
                    .filter(|whole| whole.labelling.is_complete());
                Method::Parts { values, whole: whole.map(Box::new) }
            }
        };
        let work = work.child(limits);
        Ok(Self { exploration, start, method, work })
    }

    /// The sum that was given.
    pub fn start(&self) -> &Placement {
        &self.start
    }

    /// Answers within these limits from now on, with this clock and this token: those under which it was
    /// solved may be over.
    pub fn answer_within(&mut self, work: &Work) {
        self.work = work.child(work.limits());
        self.exploration.work_within(work);
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
                by_values::label(&mut self.exploration, values, placement, component, &self.work)
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
                    labels.fold(first, |sum, label| add(&sum, &label, &self.work))
                }
            },
        }
    }

    /// The value of the sum; none if something must be moved, without an algebra, or where a value
    /// must be searched for that [`Solution::label`] did not find.
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
                let sum = Sum::new(&labelled.states.digraph, &labelled.labelling, pieces).ok()?;
                sum.value_within(&self.work).ok()?
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
                by_values::outcome(&mut self.exploration, values, placement, &self.work)
            }
            Method::Digraph(labelled) => {
                let Some(pieces) = labelled.pieces(&self.exploration, placement) else {
                    return Err(unknown_placement());
                };
                let sum = Sum::new(&labelled.states.digraph, &labelled.labelling, pieces)
                    .map_err(|_| unknown_placement())?;
                match sum.outcome_within(&self.work) {
                    Ok(Some(outcome)) => Ok(outcome),
                    Ok(None) | Err(_) => Ok(solve(&sum, &self.work)?.outcome),
                }
            }
        }
    }

    /// All moves of the player to move.
    ///
    /// # Errors
    /// When there are more than the budget allows, or the rules fail.
    pub fn moves(&mut self, placement: &Placement) -> Result<Vec<PlacedMove>, Fault> {
        placement.moves(&mut self.exploration, &self.work)
    }

    /// The move in words.
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
                return by_values::answer(&mut self.exploration, values, placement, &self.work);
            }
        };
        let pieces = labelled.pieces(&self.exploration, placement).ok_or_else(unknown_placement)?;
        let sum = Sum::new(&labelled.states.digraph, &labelled.labelling, pieces)
            .map_err(|_| unknown_placement())?;
        let answer = solve(&sum, &self.work)?;
        let in_words = match &answer.turn {
            Some(turn) => Some(narrate::turn(
                &mut self.exploration,
                &labelled.states,
                placement,
                turn,
                &self.work,
            )?),
            None => None,
        };
        let (turn, moves) = in_words.unzip();
        let moves = moves.unwrap_or_default();
        let tree = match &answer.tree {
            Some(tree) => {
                narrate::tree(&mut self.exploration, &labelled.states, placement, tree, &self.work)?
            }
            None => None,
        };
        Ok(PlacementAnswer { outcome: answer.outcome, turn, tree, moves, guide: answer.guide })
    }

    /// The winning turns, and in a draw the turns that hold it: those that repeat no position, the
    /// shorter ones first, up to a limit.
    ///
    /// # Errors
    /// When a budget is hit.
    pub fn best_turns(
        &mut self,
        placement: &Placement,
        limit: usize,
    ) -> Result<TurnsInWords, AnswerError> {
        let labelled = match &mut self.method {
            Method::Digraph(labelled) => labelled,
            Method::Parts { whole: Some(labelled), .. } => &mut **labelled,
            Method::Parts { values, whole: None } => {
                return by_values::best_turns(
                    &mut self.exploration,
                    values,
                    placement,
                    &self.work,
                    limit,
                );
            }
        };
        let pieces = labelled.pieces(&self.exploration, placement).ok_or_else(unknown_placement)?;
        let sum = Sum::new(&labelled.states.digraph, &labelled.labelling, pieces)
            .map_err(|_| unknown_placement())?;
        let found = best_turns(&sum, &self.work, limit)?;
        let mut turns = Vec::with_capacity(found.turns.len());
        for turn in &found.turns {
            let states = &labelled.states;
            let in_words =
                narrate::turn(&mut self.exploration, states, placement, turn, &self.work)?;
            turns.push(in_words.0);
        }
        Ok(TurnsInWords { turns, truncated: found.truncated })
    }
}

/// The sum of two labels, where it exists.
fn add(one: &Label, other: &Label, work: &Work) -> Label {
    match (one, other) {
        (Label::White(one), Label::White(other)) => {
            let sum = AnyValue::sum([one, other], &mut work.child(work.limits()));
            sum.ok().flatten().map_or(Label::Gray(None), Label::White)
        }
        _ => Label::Gray(None),
    }
}

/// For placements that no play from the start reaches.
fn unknown_placement() -> AnswerError {
    AnswerError::Fault(Fault::Rules("this position cannot be reached from the start".into()))
}

fn most_moves(work: &Work) -> usize {
    usize::try_from(work.limits().positions).unwrap_or(usize::MAX)
}

/// How many options may be visited to find what an entailing move wins beside: as many as the
/// explorer may meet.
fn most_replies(work: &Work) -> usize {
    most_moves(work).saturating_mul(OPTIONS_PER_POSITION as usize)
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
fn search_leaves(exploration: &mut Exploration, work: &Work) -> Result<(), SolutionError> {
    let parts = exploration.unsearched();
    let mut searches = for_searches(work);
    let found = exploration.search(&parts, &mut searches);
    let visited = searches.used();
    found.map_err(|interrupted| {
        let interrupted = match interrupted {
            // As it was given, and not as it counts in searches.
            Interrupted::OverBudget { limit: Limit::Positions, .. } => work.over(None),
            other => other,
        };
        SolutionError::Search { interrupted, visited, each: OPTIONS_PER_POSITION }
    })
}

/// What a piece of the digraph stands for: a component where something splits.
fn unit_of(exploration: &Exploration, shape: &Shape) -> Result<Unit, SolutionError> {
    if let Some(part) = shape.grows {
        let (field, position) = exploration.position(part);
        let field = exploration.field(field);
        let position = format!("{}:{}", field.name(), field.text(position));
        return Err(SolutionError::Grows { position });
    }
    Ok(if shape.splits { Unit::Component } else { Unit::Part })
}

/// Explores from these terms; a budget that is hit is given beside what was explored.
fn explored(
    fields: Vec<Box<dyn Positions>>,
    terms: &[(Field, PositionId)],
    by_theorem: &[Field],
    work: &Work,
) -> Result<(Exploration, Option<ExploreError>), ExploreError> {
    let mut exploration = Exploration::new(fields);
    for &field in by_theorem {
        exploration.trust_theorems(field);
    }
    Placement::new(&mut exploration, terms);
    match exploration.explore(work) {
        Ok(()) => Ok((exploration, None)),
        Err(error) => match error.interrupted().and_then(Interrupted::limit) {
            Some(Limit::Positions) => Ok((exploration, Some(error))),
            _ => Err(error),
        },
    }
}
