//! Exact search: all positions that a sum can come to, with each player to move.

use rustc_hash::FxHashMap;

use super::PartizanTerm;
use crate::limits::{Interrupted, Work};
use crate::partizan::Winner;
use crate::partizan::state;
use crate::player::Player;
use crate::ruleset::{PartizanPositions, PositionId};
use crate::solve::explore::Field;

/// Who wins, and in how many plies if both play well: the winner hurries, the loser does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    pub(super) winner: Winner,
    pub(super) remoteness: Option<u32>,
}

/// The verdicts on all followers of a sum.
pub(super) struct Product {
    fields: Vec<Field>,
    /// The canonical positions of the components, and their number.
    numbers: FxHashMap<Box<[PositionId]>, u32>,
    /// By state.
    verdicts: Vec<Verdict>,
}

/// This many components of a position that is kept count as much as one more.
const COMPONENTS_PER_COUNT: usize = 8;

/// What a position of the sum takes in memory beside its components.
const POSITION_BYTES: u64 = 64;

/// The canonical forms of the components.
pub(super) fn canonical(
    fields: &mut [Box<dyn PartizanPositions>],
    terms: &[PartizanTerm],
) -> Vec<PartizanTerm> {
    let forms = terms.iter().map(|&(field, id)| (field, fields[usize::from(field)].canonical(id)));
    forms.collect()
}

impl Product {
    /// How many positions there are.
    pub(super) fn size(&self) -> usize {
        self.numbers.len()
    }

    /// Explores a sum, and goes back from the ends.
    pub(super) fn new(
        fields: &mut [Box<dyn PartizanPositions>],
        start: &[PartizanTerm],
        work: &mut Work,
    ) -> Result<Self, Interrupted> {
        let start = canonical(fields, start);
        let key: Box<[PositionId]> = start.iter().map(|&(_, id)| id).collect();
        let mut numbers = FxHashMap::default();
        numbers.insert(key.clone(), 0_u32);
        let mut met = vec![key];
        let mut moves = Moves { from: Vec::new(), to: Vec::new(), counts: Vec::new() };
        let mut next = 0;
        while let Some(here) = met.get(next).cloned() {
            let key_bytes = POSITION_BYTES + 8 * start.len() as u64;
            work.hold(key_bytes * met.len() as u64 + 16 * moves.to.len() as u64)?;
            for player in Player::BOTH {
                work.count()?;
                let from = state(next as u32, player);
                let before = moves.to.len();
                for (component, &(field, _)) in start.iter().enumerate() {
                    let positions = &mut fields[usize::from(field)];
                    for option in positions.options(here[component], player) {
                        work.count()?;
                        let mut after = here.clone();
                        after[component] = positions.canonical(option);
                        let before_it = met.len();
                        let number = before_it as u32;
                        let number = *numbers.entry(after).or_insert_with_key(|after| {
                            met.push(after.clone());
                            number
                        });
                        if met.len() > before_it {
                            // What is kept grows with the components too.
                            for _ in 0..start.len() / COMPONENTS_PER_COUNT {
                                work.count()?;
                            }
                        }
                        moves.from.push(from);
                        moves.to.push(state(number, player.opponent()));
                    }
                }
                moves.counts.push((moves.to.len() - before) as u32);
            }
            next += 1;
        }
        let verdicts = moves.verdicts();
        Ok(Self { fields: start.into_iter().map(|(field, _)| field).collect(), numbers, verdicts })
    }

    /// Whether a sum in canonical form was met.
    pub(super) fn contains(&self, terms: &[PartizanTerm]) -> bool {
        self.number(terms).is_some()
    }

    fn number(&self, terms: &[PartizanTerm]) -> Option<u32> {
        let same = terms.iter().map(|&(field, _)| field).eq(self.fields.iter().copied());
        let key: Vec<PositionId> = terms.iter().map(|&(_, id)| id).collect();
        self.numbers.get(key.as_slice()).copied().filter(|_| same)
    }

    /// The verdict on a sum in canonical form, if it was met.
    pub(super) fn verdict(&self, terms: &[PartizanTerm], first: Player) -> Option<Verdict> {
        Some(self.verdicts[state(self.number(terms)?, first) as usize])
    }
}

/// All moves, between states.
struct Moves {
    from: Vec<u32>,
    to: Vec<u32>,
    /// How many there are from each state.
    counts: Vec<u32>,
}

impl Moves {
    /// Retrograde analysis. States are decided in the order of their remoteness, so the first move
    /// that wins is the fastest, and the last that is found to lose the slowest.
    fn verdicts(&self) -> Vec<Verdict> {
        let mut verdicts = vec![Verdict { winner: None, remoteness: None }; self.counts.len()];
        let (starts, sources) = self.reversed();
        let mut open = self.counts.clone();
        let mut decided = Vec::new();
        for (here, _) in (0_u32..).zip(&open).filter(|(_, open)| **open == 0) {
            let winner = Some(mover(here).opponent());
            verdicts[here as usize] = Verdict { winner, remoteness: Some(0) };
            decided.push(here);
        }
        let mut next = 0;
        while let Some(&here) = decided.get(next) {
            next += 1;
            let Verdict { winner, remoteness } = verdicts[here as usize];
            let range = starts[here as usize] as usize..starts[here as usize + 1] as usize;
            for &from in &sources[range] {
                if verdicts[from as usize].winner.is_some() {
                    continue;
                }
                let wins = winner == Some(mover(from));
                open[from as usize] -= u32::from(!wins);
                if wins || open[from as usize] == 0 {
                    let remoteness = remoteness.map(|plies| plies + 1);
                    verdicts[from as usize] = Verdict { winner, remoteness };
                    decided.push(from);
                }
            }
        }
        verdicts
    }

    /// For each state, from where moves lead to it: the start of its list, and all lists.
    fn reversed(&self) -> (Vec<u32>, Vec<u32>) {
        let mut starts = vec![0_u32; self.counts.len() + 1];
        for &to in &self.to {
            starts[to as usize + 1] += 1;
        }
        for state in 1..starts.len() {
            starts[state] += starts[state - 1];
        }
        let mut places = starts.clone();
        let mut sources = vec![0; self.from.len()];
        for (&from, &to) in self.from.iter().zip(&self.to) {
            sources[places[to as usize] as usize] = from;
            places[to as usize] += 1;
        }
        (starts, sources)
    }
}

/// Who moves in a state.
fn mover(state: u32) -> Player {
    Player::BOTH[(state % 2) as usize]
}
