//! Why a component has its value, in the words of its ruleset.

use rustc_hash::{FxHashMap, FxHashSet};

use super::placement::{PlacedMove, Placement};
use super::{
    AnswerError, Labelled, Method, PlyInWords, Solution, most_replies, narrate, unknown_placement,
};
use crate::graph::digraph::Node;
use crate::impartial::control::ActionResult;
use crate::impartial::explain::{Against, Explanation, Onto, OptionFact, explain};
use crate::impartial::labelling::Label;
use crate::impartial::nimbers::{NimberSet, Nimbers};
use crate::impartial::theory::chains::ChainMove;
use crate::impartial::turn::Ply;
use crate::impartial::value::{AnyValue, Cover, Value};
use crate::limits::{Interrupted, Work};
use crate::outcome::Outcome;
use crate::ruleset::{Fault, Kind};
use crate::solve::explore::digraph::{State, StateDigraph, Unit};
use crate::solve::explore::{Exploration, Part, for_searches};

/// Why a part of a component, or a component as a whole, has its value.
#[derive(Clone, Debug)]
pub struct PartExplanation {
    /// What is explained, as it stands.
    pub position: String,
    /// The explanation; its nodes have no meaning beside it.
    pub explanation: Explanation,
    /// Its options as moves, in the same order.
    pub options: Vec<OptionInWords>,
    /// What the duels of the explanation enter, and where they end, in the same order.
    pub duels: Vec<(String, Vec<String>)>,
}

/// An option of an explanation as a move of a ruleset. All positions are as they stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionInWords {
    /// What the player does.
    pub words: String,
    /// The position that the move leaves.
    pub leaves: String,
    /// The position after the replies that are forced, see [`ChainMove`].
    pub to: String,
    /// What the reply leaves by which the option reverts, if it does.
    pub reply: Option<String>,
}

impl OptionInWords {
    fn bytes(&self) -> u64 {
        let reply = self.reply.as_ref().map_or(0, String::len);
        (self.words.len() + self.leaves.len() + self.to.len() + reply) as u64
    }
}

/// What was explained so far, what it takes, and the work that it is done under.
struct Account {
    parts: Vec<PartExplanation>,
    bytes: u64,
    work: Work,
}

impl Account {
    /// What an option takes without its words, with the label, the sets and the state that it has.
    const OPTION_BYTES: u64 = 2 * size_of::<OptionFact>() as u64;

    /// Whether to go on, and to hold this much more.
    fn hold(&mut self, bytes: u64) -> Result<(), Interrupted> {
        self.work.check()?;
        self.bytes = self.bytes.saturating_add(bytes);
        self.work.hold(self.bytes)
    }

    /// The same for an option in words, which is written as well.
    fn hold_option(&mut self, option: OptionInWords) -> Result<OptionInWords, Interrupted> {
        self.hold(2 * option.bytes())?;
        Ok(option)
    }
}

impl Solution {
    /// Explains the value of a component, part by part where the parts are known.
    ///
    /// # Errors
    /// When the explanation is longer than the budget allows.
    pub fn explain(
        &mut self,
        placement: &Placement,
        component: usize,
    ) -> Result<Vec<PartExplanation>, AnswerError> {
        let (parts, missing) = self.explained(placement, [component]);
        missing.map_or(Ok(parts), Err)
    }

    /// Explains the values of all components, one after the other; and why there are no more
    /// explanations, if there are not.
    pub fn explain_all(
        &mut self,
        placement: &Placement,
    ) -> (Vec<PartExplanation>, Option<AnswerError>) {
        self.explained(placement, 0..placement.len())
    }

    fn explained(
        &mut self,
        placement: &Placement,
        components: impl IntoIterator<Item = usize>,
    ) -> (Vec<PartExplanation>, Option<AnswerError>) {
        let mut account = Account { parts: Vec::new(), bytes: 0, work: self.work.clone() };
        // Alone, so that what must be answered elsewhere does not keep it from moving.
        let alone = components.into_iter().map(|component| placement.component(component));
        let ended = { alone }.try_for_each(|alone| self.explain_alone(&alone, &mut account));
        let missing = ended.err().map(|error| match error.interrupted() {
            Some(interrupted) => AnswerError::Explaining(interrupted),
            None => error,
        });
        (account.parts, missing)
    }

    /// Explains the only component of a placement.
    fn explain_alone(
        &mut self,
        placement: &Placement,
        account: &mut Account,
    ) -> Result<(), AnswerError> {
        let unit = match &self.method {
            Method::Digraph(labelled) => Some(labelled.states.unit),
            Method::Parts { .. } => None,
        };
        if unit == Some(Unit::Component) {
            let part = self.by_digraph(placement, account)?;
            account.parts.push(part);
            return Ok(());
        }
        for place in 0..placement.components[0].len() {
            let alone = placement.part(place);
            let part = match unit {
                Some(_) => self.by_digraph(&alone, account)?,
                None => self.by_values(&alone, account)?,
            };
            account.parts.push(part);
        }
        Ok(())
    }

    /// From the labels of a digraph.
    fn by_digraph(
        &mut self,
        placement: &Placement,
        account: &mut Account,
    ) -> Result<PartExplanation, AnswerError> {
        account.hold(0)?;
        let Self { exploration, method: Method::Digraph(labelled), .. } = self else {
            return Err(unknown_placement());
        };
        let Labelled { states, labelling } = labelled.as_ref();
        let state = placement.state(exploration, 0, None);
        let node = states.node(&state).ok_or_else(unknown_placement)?;
        let mut explanation = explain(&states.digraph, labelling, node, &account.work)?;
        account.hold(explanation.options.len() as u64 * Account::OPTION_BYTES)?;
        for fact in &mut explanation.options {
            // Where there are entailing moves, a carry-on move is explained as one of them.
            if let (Onto::Entailing(option), State::Again(_)) =
                (fact.onto, states.state(fact.option))
                && let &[to] = states.digraph.options(option)
            {
                fact.onto = Onto::Chain(ChainMove::Again(to));
                fact.label = Some(labelling.label(to));
            }
        }
        // Of several moves to the same position, the first is reported.
        let mut moves: FxHashMap<Node, PlacedMove> = FxHashMap::default();
        for made in placement.moves(exploration, &account.work)? {
            account.hold(0)?;
            let after = placement.state_after(exploration, &made, false);
            if let Some(option) = states.node(&after) {
                moves.entry(option).or_insert(made);
            }
        }
        let mut options = Vec::with_capacity(explanation.options.len());
        for fact in &explanation.options {
            let made = moves.remove(&fact.option);
            let made = made.ok_or_else(|| narrate::lost(exploration, states, fact.option))?;
            let mut walk = Walk {
                exploration,
                states,
                placement: placement.clone(),
                node: fact.option,
                work: &account.work,
            };
            let option = walk.describe(fact, &made)?;
            options.push(account.hold_option(option)?);
        }
        let name = |node: Node| match states.state(node) {
            State::Entailed { due, beside: _ } => {
                narrate::state(exploration, &State::Free(due.clone()))
            }
            state => narrate::state(exploration, &state),
        };
        let facts = explanation.control.iter().flat_map(|control| &control.actions);
        let duels = facts.map(|fact| {
            let results = fact.action.results.iter().map(|&result| match result {
                ActionResult::Number(n) => n.to_string(),
                ActionResult::Node(node) => name(node),
            });
            (name(fact.action.through), results.collect())
        });
        let duels = duels.collect();
        let position = placement.text(exploration, 0);
        Ok(PartExplanation { position, explanation, options, duels })
    }

    /// From the values of what the options leave.
    fn by_values(
        &mut self,
        placement: &Placement,
        account: &mut Account,
    ) -> Result<PartExplanation, AnswerError> {
        account.hold(0)?;
        let moves = placement.moves(&mut self.exploration, &account.work)?;
        let limit = most_replies(&self.work);
        let theory = self.theory();
        let Method::Parts { values, .. } = &mut self.method else {
            return Err(unknown_placement());
        };
        let mut options: Vec<OptionFact> = Vec::new();
        let mut seen = FxHashSet::<State>::default();
        let mut in_words = Vec::new();
        for made in &moves {
            account.hold(0)?;
            let state = placement.state_after(&self.exploration, made, false);
            if !seen.insert(state) {
                continue;
            }
            account.hold(Account::OPTION_BYTES)?;
            let option = options.len() as Node + 1;
            let left: Vec<Part> = self.exploration.normal(made.left_parts());
            let searches = for_searches(&self.work);
            self.exploration.search_within(&left, &searches).map_err(AnswerError::Search)?;
            let (onto, label) = if made.kind == Kind::Entailing {
                let cover =
                    Cover::Heaps(values.cover(&mut self.exploration, &left, limit, &self.work)?);
                (Onto::Entailing(option), Label::Gray(Some(cover)))
            } else {
                let value = Label::White(values.total(&self.exploration, &left));
                let onto = match made.kind {
                    Kind::Again => ChainMove::Again(option),
                    _ => ChainMove::Ordinary(option),
                };
                (Onto::Chain(onto), value)
            };
            let wins = wins(made.kind, &label);
            let fact =
                OptionFact { option, onto, label: Some(label), wins, against: Against::NoHeap };
            options.push(fact);
            let ply = narrate::ply(&self.exploration, &mut placement.clone(), made, false);
            let PlyInWords { words, to, .. } = ply;
            let option = OptionInWords { words, leaves: to.clone(), to, reply: None };
            in_words.push(account.hold_option(option)?);
        }
        let part = placement.components[0][0].part;
        let wins = NimberSet::union_of(options.iter().map(|fact| &fact.wins));
        let label = if placement.due.is_some() {
            Label::Gray(Some(Cover::Heaps(wins.clone().complement())))
        } else {
            Label::White(values.value(&self.exploration, part))
        };
        if let Some(mex) = wins.mex() {
            for fact in &mut options {
                fact.against = against(fact, mex);
            }
        }
        let (direct, forced) = reached(&options);
        let control = None;
        let explanation = Explanation { theory, label, options, wins, direct, forced, control };
        let position = placement.text(&self.exploration, 0);
        Ok(PartExplanation { position, explanation, options: in_words, duels: Vec::new() })
    }
}

/// Goes along the moves that an option of a digraph of states amounts to.
struct Walk<'a> {
    exploration: &'a mut Exploration,
    states: &'a StateDigraph,
    placement: Placement,
    /// The state of the placement, once the option is played.
    node: Node,
    work: &'a Work,
}

impl Walk<'_> {
    /// Tells an option by the move that it is.
    fn describe(&mut self, fact: &OptionFact, made: &PlacedMove) -> Result<OptionInWords, Fault> {
        let PlyInWords { words, to: leaves, .. } =
            narrate::ply(self.exploration, &mut self.placement, made, false);
        if let Onto::Chain(ChainMove::Ordinary(to) | ChainMove::Again(to)) = fact.onto {
            while let (true, Some(&next)) =
                (self.node != to, self.states.digraph.options(self.node).first())
            {
                self.go(next)?;
            }
        }
        let to = self.text();
        let reply = match fact.against {
            Against::Reverts { reply } => {
                self.go(reply)?;
                Some(self.text())
            }
            _ => None,
        };
        Ok(OptionInWords { words, leaves, to, reply })
    }

    /// Plays on to a state that the rules allow.
    fn go(&mut self, next: Node) -> Result<(), Fault> {
        // The reply to a carry-on move does not count as a move.
        if !matches!(self.states.state(self.node), State::Again(_)) {
            let ply = Ply { component: 0, from: self.node, to: next, forced: false };
            let made = narrate::find(
                self.exploration,
                self.states,
                &self.placement,
                &ply,
                None,
                self.work,
            )?;
            self.placement.play(&made);
        }
        self.node = next;
        Ok(())
    }

    fn text(&self) -> String {
        self.placement.text(self.exploration, 0)
    }
}

/// The nim-heaps beside which a move of this kind wins.
fn wins(kind: Kind, label: &Label) -> NimberSet {
    match (kind, label) {
        (_, Label::Gray(Some(Cover::Heaps(set)))) => set.clone(),
        (Kind::Ordinary, Label::White(value)) => NimberSet::only(value.nimber()),
        (Kind::Again, Label::White(AnyValue::Entailing(value))) => {
            NimberSet::all_except(AnyValue::Entailing(*value).nimber())
        }
        (Kind::Again, Label::White(AnyValue::CarryOn(value))) => value.wins_beside(),
        _ => NimberSet::nothing(),
    }
}

/// What becomes of a move beside the heap of the mex.
fn against(fact: &OptionFact, mex: u64) -> Against {
    let Some(Label::White(value)) = &fact.label else { return Against::Loses };
    let beside = match value {
        AnyValue::CarryOn(value) => (value + &Value::Nimber(mex)).outcome(),
        _ => Outcome::N,
    };
    match (fact.onto, beside) {
        (Onto::Chain(ChainMove::Again(_)), _) if value.nimber() == Some(mex) => Against::Same,
        (_, Outcome::D) => Against::Holds,
        _ => Against::Loses,
    }
}

/// The numbers that the mover can move to and those the opponent can be made to move to, as far
/// as the values of the options determine them.
fn reached(options: &[OptionFact]) -> (Nimbers, Nimbers) {
    let (mut direct, mut forced) = (Vec::new(), Vec::new());
    for fact in options {
        let Some(Label::White(value)) = &fact.label else { continue };
        match (fact.onto, value) {
            (Onto::Chain(ChainMove::Ordinary(_)), value) => direct.extend(value.nimber()),
            (_, AnyValue::CarryOn(Value::Nimber(n) | Value::Ninny(n))) => forced.push(*n),
            (_, AnyValue::CarryOn(Value::Moon(set))) => forced.extend(set.iter()),
            (_, AnyValue::CarryOn(Value::Cyclic(exits))) => direct.extend(exits.iter()),
            _ => {}
        }
    }
    (direct.into_iter().collect(), forced.into_iter().collect())
}
