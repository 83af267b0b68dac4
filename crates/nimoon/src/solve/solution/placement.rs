//! Positions of a sum as they stand on the table, and the moves in them.
//!
//! The explorer works with canonical parts; a player wants to see the position on the table. So
//! play continues with positions as they stand, and each knows the part that it amounts to. Moves
//! are worded for the position as it stands and not for its canonical form.
//!
//! Parts without options count nothing in a sum, but they are there: splitting a heap of 3 into 1
//! and 2 leaves two heaps, though neither has a move. So a move keeps them apart from the parts
//! that play continues with ([`Spent`]), and a component is written with them, such that what is
//! written is what the rules leave. Only what the ruleset itself counts as no part, such as an
//! empty heap or a board without lines, is left out, unless nothing else is there or it must be
//! answered.

use std::ops::Range;

use super::most_moves;
use crate::impartial::value::EntailingValue;
use crate::limits::Work;
use crate::outcome::Outcome;
use crate::ruleset::{Fault, Kind, PositionId};
use crate::solve::explore::digraph::State;
use crate::solve::explore::{Exploration, Field, Part};

/// One part of a component, as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Placed {
    field: Field,
    position: PositionId,
    pub(crate) part: Part,
}

/// A part without options that a move left beside others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Spent {
    component: usize,
    /// It is written before this part of the component.
    before: usize,
    placed: Placed,
}

/// A position of a sum: the parts of each component, and what must be moved, if anything.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Placement {
    pub(crate) components: Vec<Vec<Placed>>,
    /// After an entailing move: the component, and which of its parts must be answered.
    pub(crate) due: Option<(usize, Vec<usize>)>,
    /// In the order in which they are written.
    spent: Vec<Spent>,
}

/// A move in a placement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedMove {
    /// The component.
    pub component: usize,
    /// Who moves then.
    pub kind: Kind,
    /// Which part of the component.
    pub(crate) place: usize,
    /// Which option of the part.
    number: usize,
    to: PositionId,
    /// What it leaves that has options, or one part without.
    pub(crate) left: Vec<Placed>,
    /// The other parts that it leaves, each with how many of `left` come before it.
    spent: Vec<(usize, Placed)>,
}

/// What a move takes in a list, with what it leaves.
const MOVE_BYTES: u64 = (size_of::<PlacedMove>() + 2 * size_of::<Placed>()) as u64;

/// A part of a component as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedPart {
    /// Which part of the component it is, see [`PlacedMove::place`]; parts that a move left without
    /// options have numbers of their own after those of all others.
    pub place: usize,
    /// The part as `ruleset:position`.
    pub text: String,
    /// Whether it must be answered at once.
    pub due: bool,
}

impl PlacedMove {
    /// Which part of the component is moved, counted with the parts that have no moves.
    pub fn place(&self) -> usize {
        self.place
    }

    /// The parts that it leaves.
    pub(crate) fn left_parts(&self) -> Vec<Part> {
        self.left.iter().map(|placed| placed.part).collect()
    }

    /// What the outcome of the placement that it leaves, for the player to move there, means for
    /// the player who makes it: N if it wins, P if it loses.
    pub(crate) fn good_for_its_player(&self, outcome: Outcome) -> Outcome {
        match (self.kind, outcome) {
            (Kind::Again, outcome) => outcome,
            (_, Outcome::P) => Outcome::N,
            (_, Outcome::N) => Outcome::P,
            (_, Outcome::D) => Outcome::D,
        }
    }
}

impl Placement {
    /// A sum of positions, each of a ruleset, as components in this order.
    pub(crate) fn new(exploration: &mut Exploration, terms: &[(Field, PositionId)]) -> Self {
        let components =
            terms.iter().map(|&(field, position)| split(exploration, field, position)).collect();
        let mut placement = Self { components, due: None, spent: Vec::new() };
        for (component, &(field, position)) in terms.iter().enumerate() {
            if exploration.field(field).must_be_answered(position) {
                placement.due =
                    Some((component, (0..placement.components[component].len()).collect()));
            }
        }
        placement
    }

    /// A part alone.
    pub(crate) fn of_part(placed: Placed) -> Self {
        Self { components: vec![vec![placed]], due: None, spent: Vec::new() }
    }

    /// A part of the first component alone; it must still be answered if it must be now.
    pub(crate) fn part(&self, place: usize) -> Self {
        let is_due = self.due.is_some() && self.is_movable(0, place);
        let due = is_due.then(|| (0, vec![0]));
        Self { due, ..Self::of_part(self.components[0][place]) }
    }

    /// How many components there are.
    pub fn len(&self) -> usize {
        self.components.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.components.is_empty()
    }

    /// How many components have moves.
    pub(crate) fn movable(&self, exploration: &Exploration) -> u32 {
        let alive =
            |parts: &&Vec<Placed>| parts.iter().any(|placed| !exploration.is_dead(placed.part));
        self.components.iter().filter(alive).count() as u32
    }

    /// A component alone.
    #[must_use]
    pub fn component(&self, component: usize) -> Self {
        let due = self.due.as_ref().filter(|(due, _)| *due == component);
        let due = due.map(|(_, places)| (0, places.clone()));
        let spent = self.spent[self.spent_in(component)].iter();
        let spent = spent.map(|spent| Spent { component: 0, ..*spent }).collect();
        Self { components: vec![self.components[component].clone()], due, spent }
    }

    /// The component that must be moved, after an entailing move.
    pub fn due(&self) -> Option<usize> {
        self.due.as_ref().map(|(component, _)| *component)
    }

    /// The parts of a component.
    pub(crate) fn parts(&self, component: usize) -> Vec<Part> {
        self.components[component].iter().map(|placed| placed.part).collect()
    }

    /// All parts.
    pub(crate) fn all_parts(&self) -> Vec<Part> {
        self.components.iter().flatten().map(|placed| placed.part).collect()
    }

    /// A component as text: its parts with the names of their rulesets, joined by `+`.
    pub(crate) fn text(&self, exploration: &Exploration, component: usize) -> String {
        let parts = self.placed_parts(exploration, component).into_iter();
        parts.map(|part| part.text).collect::<Vec<_>>().join(" + ")
    }

    /// The parts of a component as text, each with its place.
    pub(crate) fn placed_parts(
        &self,
        exploration: &Exploration,
        component: usize,
    ) -> Vec<PlacedPart> {
        let parts = self.shown(exploration, component).into_iter().map(|(place, placed)| {
            let field = exploration.field(placed.field);
            let text = format!("{}:{}", field.name(), field.text(placed.position));
            let due = self.due.is_some() && self.is_movable(component, place);
            PlacedPart { place, text, due }
        });
        parts.collect()
    }

    /// A component as pictures of its parts.
    pub(crate) fn boards(&self, exploration: &Exploration, component: usize) -> Vec<String> {
        let boards = self.shown(exploration, component).into_iter();
        boards.map(|(_, placed)| exploration.field(placed.field).board(placed.position)).collect()
    }

    /// The parts of a component that are written, each with its place: all but those that are
    /// empty, or one of them if there is nothing else. What must be answered is always there.
    fn shown(&self, exploration: &Exploration, component: usize) -> Vec<(usize, &Placed)> {
        let parts = &self.components[component];
        let spent = &self.spent[self.spent_in(component)];
        let is_shown = |&(place, placed): &(usize, &Placed)| {
            let due = self.due.is_some() && self.is_movable(component, place);
            due || !exploration.field(placed.field).has_no_parts(placed.position)
        };
        let mut shown = Vec::with_capacity(parts.len() + spent.len());
        let mut gone = (parts.len()..).zip(spent).peekable();
        for part in parts.iter().enumerate() {
            while let Some((place, gone)) = gone.next_if(|(_, gone)| gone.before <= part.0) {
                shown.push((place, &gone.placed));
            }
            shown.push(part);
        }
        shown.extend(gone.map(|(place, gone)| (place, &gone.placed)));
        if shown.len() > 1 {
            let first = shown[0];
            shown.retain(is_shown);
            if shown.is_empty() {
                shown.push(first);
            }
        }
        shown
    }

    /// Where the parts without options of a component are listed.
    fn spent_in(&self, component: usize) -> Range<usize> {
        let start = self.spent.partition_point(|spent| spent.component < component);
        let end = self.spent.partition_point(|spent| spent.component <= component);
        start..end
    }

    /// All moves of the player to move.
    ///
    /// # Errors
    /// When there are more than the work allows, it ends, or the rules fail.
    pub(crate) fn moves(
        &self,
        exploration: &mut Exploration,
        work: &Work,
    ) -> Result<Vec<PlacedMove>, Fault> {
        let limit = most_moves(work);
        let mut moves = Vec::new();
        for component in 0..self.components.len() {
            for place in 0..self.components[component].len() {
                if self.is_movable(component, place) {
                    self.moves_of(exploration, work, component, place, limit, &mut moves)?;
                }
            }
        }
        Ok(moves)
    }

    /// The moves of the player to move in one part.
    ///
    /// # Errors
    /// When there are more than `limit`, the work ends, or the rules fail.
    pub(crate) fn moves_in(
        &self,
        exploration: &mut Exploration,
        work: &Work,
        component: usize,
        place: usize,
        limit: usize,
    ) -> Result<Vec<PlacedMove>, Fault> {
        let mut moves = Vec::new();
        if self.is_movable(component, place) {
            self.moves_of(exploration, work, component, place, limit, &mut moves)?;
        }
        Ok(moves)
    }

    /// A move in one part that wins beside other parts of this value, if the rules have a short way
    /// to find one.
    pub(crate) fn winning_move(
        &self,
        exploration: &mut Exploration,
        component: usize,
        place: usize,
        beside: EntailingValue,
    ) -> Option<PlacedMove> {
        let Placed { field, position, .. } = self.components[component][place];
        let found = exploration.field_mut(field).winning_option(position, beside);
        let (number, kind, to) = found.filter(|_| self.is_movable(component, place))?;
        let (left, spent) = left_and_spent(exploration, field, to);
        Some(PlacedMove { component, kind, place, number, to, left, spent })
    }

    /// Whether the player to move may move a part.
    pub(crate) fn is_movable(&self, component: usize, place: usize) -> bool {
        self.due.as_ref().is_none_or(|(due, places)| *due == component && places.contains(&place))
    }

    fn moves_of(
        &self,
        exploration: &mut Exploration,
        work: &Work,
        component: usize,
        place: usize,
        limit: usize,
        moves: &mut Vec<PlacedMove>,
    ) -> Result<(), Fault> {
        let Placed { field, position, .. } = self.components[component][place];
        let room = work.limits().bytes / MOVE_BYTES;
        let room = usize::try_from(room).unwrap_or(usize::MAX).saturating_sub(moves.len());
        let options = match exploration.field_mut(field).options(position, limit.min(room)) {
            Err(Fault::TooMany { limit: most }) if most == room && room < limit => {
                let needed = (moves.len() + room) as u64 + 1;
                work.hold(needed.saturating_mul(MOVE_BYTES))?;
                return Err(Fault::TooMany { limit: most });
            }
            options => options?,
        };
        if moves.len() + options.len() > limit {
            return Err(Fault::TooMany { limit });
        }
        let mut pace = work.pace();
        for (number, (kind, to)) in options.into_iter().enumerate() {
            pace.step()?;
            let (left, spent) = left_and_spent(exploration, field, to);
            moves.push(PlacedMove { component, kind, place, number, to, left, spent });
        }
        Ok(())
    }

    /// The move in words.
    pub(crate) fn words(&self, exploration: &Exploration, made: &PlacedMove) -> String {
        let Placed { field, position, .. } = self.components[made.component][made.place];
        exploration.field(field).words(position, made.number, made.kind, made.to)
    }

    /// The placement after a move.
    pub(crate) fn after(&self, made: &PlacedMove) -> Self {
        let mut after = self.clone();
        after.play(made);
        after
    }

    /// Makes a move.
    pub(crate) fn play(&mut self, made: &PlacedMove) {
        let PlacedMove { component, place, .. } = *made;
        let parts = &mut self.components[component];
        parts.splice(place..=place, made.left.iter().copied());
        let listed = self.spent_in(component);
        for spent in &mut self.spent[listed.clone()] {
            if spent.before > place {
                spent.before = spent.before + made.left.len() - 1;
            }
        }
        if !made.spent.is_empty() {
            let new = made.spent.iter();
            let new = new.map(|&(i, placed)| Spent { component, before: place + i, placed });
            self.spent.splice(listed.end..listed.end, new);
            self.spent[listed.start..listed.end + made.spent.len()]
                .sort_by_key(|spent| spent.before);
        }
        self.due = (made.kind == Kind::Entailing)
            .then(|| (made.component, (made.place..made.place + made.left.len()).collect()));
    }

    /// The state of a part alone, or of a whole component.
    pub(crate) fn state(
        &self,
        exploration: &Exploration,
        component: usize,
        place: Option<usize>,
    ) -> State {
        let parts = &self.components[component];
        let due = |i: usize| {
            self.due.as_ref().is_some_and(|(due, places)| *due == component && places.contains(&i))
        };
        let chosen = (0..parts.len()).filter(|&i| place.is_none_or(|place| place == i));
        let (due, beside): (Vec<usize>, Vec<usize>) = chosen.partition(|&i| due(i));
        let numbers =
            |places: &[usize]| -> Vec<Part> { places.iter().map(|&i| parts[i].part).collect() };
        if due.is_empty() {
            State::after(exploration, Kind::Ordinary, &numbers(&beside), &[])
        } else {
            State::after(exploration, Kind::Entailing, &numbers(&due), &numbers(&beside))
        }
    }

    /// The state that a move leaves, of its part alone or of its whole component.
    pub(crate) fn state_after(
        &self,
        exploration: &Exploration,
        made: &PlacedMove,
        alone: bool,
    ) -> State {
        let parts = &self.components[made.component];
        let beside = parts.iter().enumerate().filter(|&(i, _)| i != made.place && !alone);
        let beside: Vec<Part> = beside.map(|(_, placed)| placed.part).collect();
        State::after(exploration, made.kind, &made.left_parts(), &beside)
    }
}

/// The parts of a position as they stand.
fn split(exploration: &mut Exploration, field: Field, position: PositionId) -> Vec<Placed> {
    let parts = exploration.field_mut(field).parts(position);
    let place = |position| Placed { field, position, part: exploration.part(field, position) };
    parts.into_iter().map(place).collect()
}

/// The parts of a position that have options, or one of its parts; and the others, each with how
/// many of those come before it.
fn left_and_spent(
    exploration: &mut Exploration,
    field: Field,
    position: PositionId,
) -> (Vec<Placed>, Vec<(usize, Placed)>) {
    let parts = split(exploration, field, position);
    let alive = |placed: &Placed| !exploration.is_dead(placed.part);
    let first = parts.iter().position(alive).unwrap_or(0);
    let (mut left, mut spent) = (Vec::with_capacity(parts.len()), Vec::new());
    for (i, placed) in parts.into_iter().enumerate() {
        if i == first || alive(&placed) {
            left.push(placed);
        } else {
            spent.push((left.len(), placed));
        }
    }
    (left, spent)
}
