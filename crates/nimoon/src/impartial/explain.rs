//! Why a node has its label: its options by kind, what each wins, the mex, and what becomes of
//! every other move.
//!
//! The facts here are complete enough to check the label by hand, given the labels of the
//! options: `wins` is the set of nim-heaps that the mover beats by moving here first, the mex of
//! it is the only nimber that the node could be equal to, and it is that nimber exactly when
//! every move loses beside it.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use crate::graph::digraph::{Digraph, Node};
use crate::impartial::control::{Action, ActionResult, Control, actions};
use crate::impartial::labelling::{Label, Labelling};
use crate::impartial::nimbers::{NimberSet, Nimbers};
use crate::impartial::theory::Theory;
use crate::impartial::theory::chains::{ChainMove, Chains};
use crate::impartial::value::{AnyValue, Cover};
use crate::limits::{Interrupted, Work};
use crate::outcome::Outcome;

/// What a move amounts to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Onto {
    /// What gray chains leave of it.
    Chain(ChainMove),
    /// A move to a gray node from which the opponent may choose.
    Entailing(Node),
}

/// What becomes of a move beside the nim-heap of the mex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Against {
    /// The opponent wins: by playing in the heap, or in any way the algebra gives.
    Loses,
    /// The opponent wins by this reply, which leaves the same nimber again: the move reverts.
    Reverts {
        /// The first ply of the reply goes to this node.
        reply: Node,
    },
    /// The mover, who moves again, gains nothing.
    Same,
    /// The opponent cannot win: the move holds at least a draw.
    Holds,
    /// There is no such heap, since the mover wins beside all of them, or nothing is known there.
    NoHeap,
}

/// One option of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionFact {
    /// The option.
    pub option: Node,
    /// What the move amounts to.
    pub onto: Onto,
    /// The label of the node where the piece ends, if it ends.
    pub label: Option<Label>,
    /// The nim-heaps beside which this move wins.
    pub wins: NimberSet,
    /// What becomes of it beside the heap of the mex.
    pub against: Against,
}

/// Why a node has its label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The theory.
    pub theory: Theory,
    /// The label.
    pub label: Label,
    /// The options in order.
    pub options: Vec<OptionFact>,
    /// The nim-heaps beside which the mover wins by moving here first.
    pub wins: NimberSet,
    /// The nimbers that the mover can move to, carry-on moves before it allowed; empty in the
    /// general theory.
    pub direct: Nimbers,
    /// The nimbers that the opponent can be made to move to by carry-on moves; empty in the
    /// entailing and the general theory.
    pub forced: Nimbers,
    /// What a player in control can do, for a white node without a nimber in the general theory.
    pub control: Option<ControlFacts>,
}

/// What a player in control of a node can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlFacts {
    /// The duels, with what each is worth.
    pub actions: Vec<ActionFact>,
    /// The numbers that can be forced.
    pub forced: NimberSet,
}

/// A duel, and what it is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionFact {
    /// The duel.
    pub action: Action,
    /// What it is worth: the meet of the values of its results.
    pub value: AnyValue,
    /// The place of another duel that is worth as much or more, if there is one.
    pub dominated_by: Option<usize>,
}

impl ControlFacts {
    fn of(
        digraph: &Digraph,
        labelling: &Labelling,
        node: Node,
        work: &Work,
    ) -> Result<Option<Self>, Interrupted> {
        let work = &mut work.child(work.limits());
        let Some(own) = labelling.value(node).and_then(|value| value.control()) else {
            return Ok(None);
        };
        let mut found: Vec<(Action, Control)> = Vec::new();
        for action in actions(digraph, &|node| labelling.nimber(node), node, work)? {
            let values = action.results.iter().map(|&result| match result {
                ActionResult::Number(n) => Some(Control::number(n)),
                ActionResult::Node(node) => labelling.value(node)?.control(),
            });
            let Some(values) = values.collect::<Option<Vec<Control>>>() else { return Ok(None) };
            found.push((action, Control::meet(&values, work)?));
        }
        let mut actions = Vec::with_capacity(found.len());
        for (place, (action, value)) in found.iter().enumerate() {
            let mut dominated_by = None;
            for (other, (_, better)) in found.iter().enumerate().filter(|(i, _)| *i != place) {
                let relation = value.relation(better, work)?;
                if relation == Some(Ordering::Less)
                    || relation == Some(Ordering::Equal) && other < place
                {
                    dominated_by = Some(other);
                    break;
                }
            }
            let (action, value) = (action.clone(), value.clone().into());
            actions.push(ActionFact { action, value, dominated_by });
        }
        let forced = own.forced(work)?;
        Ok(Some(Self { actions, forced }))
    }
}

/// Explains the label of a node.
///
/// ```
/// use nimoon::{Digraph, Work, label};
/// use nimoon::impartial::explain::{Against, explain};
/// // Smith's trap: 0 → 1, 1 → 0, 1 → 2. The move from 0 reverts through 1 to 2.
/// let trap = Digraph::new(3, [], vec![(0, 1), (1, 0), (1, 2)]).unwrap();
/// let labelling = label(&trap, None, &Work::default()).unwrap();
/// let explanation = explain(&trap, &labelling, 0, &Work::default()).unwrap();
/// assert_eq!(explanation.options[0].against, Against::Reverts { reply: 2 });
/// ```
///
/// # Errors
/// When the work is interrupted, or the labelling was: what is not known explains nothing.
pub fn explain(
    digraph: &Digraph,
    labelling: &Labelling,
    node: Node,
    work: &Work,
) -> Result<Explanation, Interrupted> {
    work.check()?;
    if let (Some(interrupted), false) =
        (labelling.interrupted(), labelling.theory() == Theory::General)
    {
        return Err(interrupted);
    }
    match labelling.theory() {
        Theory::Short | Theory::Cyclic | Theory::CarryOn => {
            let mut places = vec![usize::MAX; digraph.len()];
            for (place, &node) in labelling.order().iter().enumerate() {
                places[node as usize] = place;
            }
            let chains = Chains::new(digraph);
            CarryOn { digraph, labelling, chains, places, work }.explain(node)
        }
        Theory::Entailing | Theory::General => by_labels(digraph, labelling, node, work),
    }
}

struct CarryOn<'a> {
    digraph: &'a Digraph,
    labelling: &'a Labelling,
    chains: Chains,
    /// Where each node stands in the order of assignment.
    places: Vec<usize>,
    work: &'a Work,
}

/// What carry-on moves from a node reach.
struct Reach {
    /// The nimbers after a last ordinary move.
    direct: Nimbers,
    /// The nimbers after carry-on moves alone.
    forced: Nimbers,
    checkmate: bool,
}

impl Reach {
    /// The heaps that a player who is to move beats.
    fn wins(&self) -> NimberSet {
        if self.checkmate {
            return NimberSet::everything();
        }
        let direct = NimberSet::Only(self.direct.clone());
        self.forced.iter().fold(direct, |wins, f| wins.union(&NimberSet::all_except([f])))
    }
}

impl CarryOn<'_> {
    fn explain(&self, node: Node) -> Result<Explanation, Interrupted> {
        let reach = self.reach(node)?;
        let wins = reach.wins();
        let mex = wins.mex();
        let mut options = Vec::new();
        for &option in self.digraph.options(node) {
            self.work.check()?;
            options.push(self.option(option, mex)?);
        }
        let label = self.labelling.label(node);
        let Reach { direct, forced, .. } = reach;
        let theory = self.labelling.theory();
        Ok(Explanation { theory, label, options, wins, direct, forced, control: None })
    }

    fn option(&self, option: Node, mex: Option<u64>) -> Result<OptionFact, Interrupted> {
        let onto = self.chains.onto(option);
        let (end, wins) = match onto {
            ChainMove::Ordinary(to) => (Some(to), NimberSet::only(self.labelling.nimber(to))),
            ChainMove::Again(to) => {
                let wins = match self.labelling.nimber(to) {
                    Some(n) => NimberSet::all_except([n]),
                    None => self.reach(to)?.wins(),
                };
                (Some(to), wins)
            }
            ChainMove::Wins => (None, NimberSet::everything()),
            ChainMove::Loses | ChainMove::Endless => (None, NimberSet::nothing()),
        };
        let against = match (mex, onto) {
            (None, _) => Against::NoHeap,
            (Some(m), ChainMove::Ordinary(to)) => self.after_ordinary(to, m)?,
            (Some(m), ChainMove::Again(to)) if self.labelling.nimber(to) == Some(m) => {
                Against::Same
            }
            (Some(_), ChainMove::Loses) => Against::Loses,
            (Some(_), ChainMove::Again(_) | ChainMove::Endless | ChainMove::Wins) => Against::Holds,
        };
        let label = end.map(|end| self.labelling.label(end));
        Ok(OptionFact { option, onto: Onto::Chain(onto), label, wins, against })
    }

    /// What becomes of an ordinary move to `to` beside *m.
    fn after_ordinary(&self, to: Node, m: u64) -> Result<Against, Interrupted> {
        if self.labelling.nimber(to).is_some_and(|n| n < m) {
            return Ok(Against::Loses);
        }
        // Of several replies the one that was justified first: others may lead in a circle.
        let mut best: Option<(usize, Node)> = None;
        let mut pace = self.work.pace();
        for &reply in self.digraph.options(to) {
            pace.step()?;
            let place = match self.chains.onto(reply) {
                ChainMove::Ordinary(end) if self.labelling.nimber(end) == Some(m) => {
                    self.places[end as usize]
                }
                ChainMove::Again(end) if self.reach(end)?.direct.contains(m) => usize::MAX,
                _ => continue,
            };
            best = Some(best.map_or((place, reply), |best| best.min((place, reply))));
        }
        if let Some((_, reply)) = best {
            return Ok(Against::Reverts { reply });
        }
        let loses =
            self.labelling.nimber(to).is_some_and(|n| n != m) || self.reach(to)?.wins().contains(m);
        Ok(if loses { Against::Loses } else { Against::Holds })
    }

    fn reach(&self, start: Node) -> Result<Reach, Interrupted> {
        let mut direct = BTreeSet::new();
        let mut forced = BTreeSet::new();
        let mut checkmate = false;
        for carried in self.chains.carry_ons(self.digraph, start) {
            self.work.check()?;
            for &option in self.digraph.options(carried.node) {
                match self.chains.onto(option) {
                    ChainMove::Ordinary(to) => direct.extend(self.labelling.nimber(to)),
                    ChainMove::Again(to) => forced.extend(self.labelling.nimber(to)),
                    ChainMove::Wins => checkmate = true,
                    ChainMove::Loses | ChainMove::Endless => {}
                }
            }
        }
        Ok(Reach { direct: direct.into(), forced: forced.into(), checkmate })
    }
}

/// From the labels of the options alone, for the theories with entailing moves.
fn by_labels(
    digraph: &Digraph,
    labelling: &Labelling,
    node: Node,
    work: &Work,
) -> Result<Explanation, Interrupted> {
    let mut options: Vec<OptionFact> = Vec::new();
    for &option in digraph.options(node) {
        work.check()?;
        let label = labelling.label(option);
        let wins = match &label {
            Label::Gray(Some(Cover::Mixed(outcomes))) => outcomes.loss.clone(),
            Label::White(value) => value.heap_outcomes().loss,
            Label::Gray(Some(Cover::Heaps(set))) => set.clone(),
            Label::Gray(_) => NimberSet::nothing(),
        };
        let onto = if digraph.is_gray(option) {
            Onto::Entailing(option)
        } else {
            Onto::Chain(ChainMove::Ordinary(option))
        };
        options.push(OptionFact {
            option,
            onto,
            label: Some(label),
            wins,
            against: Against::NoHeap,
        });
    }
    let mut wins = NimberSet::union_of(options.iter().map(|option| &option.wins));
    let label = labelling.label(node);
    if let (Label::White(value), Theory::General) = (&label, labelling.theory()) {
        // Moves in the heap count there as well.
        wins = value.heap_outcomes().win;
    }
    if let Some(mex) = wins.mex() {
        for option in &mut options {
            let outcome = match &option.label {
                Some(Label::White(value)) if labelling.theory() == Theory::General => {
                    value.heap_outcomes().beside(mex)
                }
                Some(Label::Gray(Some(Cover::Mixed(outcomes)))) => outcomes.beside(mex),
                _ => Some(Outcome::N),
            };
            option.against = match outcome {
                Some(Outcome::N) => Against::Loses,
                Some(Outcome::D | Outcome::P) => Against::Holds,
                None => Against::NoHeap,
            };
        }
    }
    let unnumbered = matches!(&label, Label::White(value) if value.nimber().is_none());
    let control = if unnumbered && labelling.theory() == Theory::General {
        ControlFacts::of(digraph, labelling, node, work)?
    } else {
        None
    };
    let nimbers = digraph.options(node).iter().filter_map(|&option| labelling.nimber(option));
    Ok(Explanation {
        theory: labelling.theory(),
        label,
        options,
        wins,
        direct: nimbers.collect(),
        forced: Nimbers::EMPTY,
        control,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label;

    #[test]
    fn a_ninny_holds_by_its_pass_alone() {
        // J = {J, ↻*1}: 0; 1 → 0; gray 2 → 1; 3 → 3, 2.
        let digraph = Digraph::new(4, [2], vec![(1, 0), (2, 1), (3, 3), (3, 2)]).unwrap();
        let labelling = label(&digraph, None, &Work::default()).unwrap();
        let explanation = explain(&digraph, &labelling, 3, &Work::default()).unwrap();
        assert_eq!(explanation.wins, NimberSet::all_except([1]));
        assert_eq!(explanation.forced, Nimbers::from([1]));
        let against: Vec<Against> = explanation.options.iter().map(|fact| fact.against).collect();
        assert_eq!(against, [Against::Holds, Against::Same]);
    }

    #[test]
    fn what_the_options_win_is_what_the_node_wins() {
        // The moon that the printed algorithm misses.
        let [z, g1, c, g2, x] = [0, 1, 2, 3, 4];
        let arcs = vec![(g1, z), (c, c), (c, g1), (g2, c), (x, z), (x, g2)];
        let digraph = Digraph::new(5, [g1, g2], arcs).unwrap();
        let labelling = label(&digraph, None, &Work::default()).unwrap();
        let explanation = explain(&digraph, &labelling, x, &Work::default()).unwrap();
        assert!(explanation.wins.is_everything());
        assert_eq!(explanation.options[0].wins, NimberSet::only([0]));
        assert_eq!(explanation.options[1].wins, NimberSet::all_except([0]));
    }
}
