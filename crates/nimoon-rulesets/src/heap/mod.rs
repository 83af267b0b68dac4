//! Games with heaps of tokens.
//!
//! The values of most of them follow from those of the smaller heaps in one pass, so their
//! rulesets have a [`sequence`](nimoon::Shortcuts::sequence), and [`heap_period`] looks for the
//! period of it.

mod bits;
mod code;
mod code_values;
#[cfg(test)]
mod definition;
mod grab_refund;
mod grundys_game;
mod heaps;
mod nim;
mod period;
mod period_report;
mod sequence;
mod splits;
mod subtraction;
mod take_and_break;
mod top_entails;
mod top_entails_values;
mod wythoff;

pub use code::{Base, Code};
pub use code_values::{code_sequence, grundys_game_sequence};
pub use grab_refund::GrabRefund;
pub use grundys_game::GrundysGame;
pub use heaps::Heaps;
pub use nim::Nim;
pub use nimoon_kernels::Path;
pub use period::{Moves, Period, PeriodReport, code_period, heap_period, period};
pub use sequence::{TopEntailsSets, top_entails_sequence, top_entails_sets};
pub use subtraction::Subtraction;
pub use take_and_break::TakeAndBreak;
pub use top_entails::{TopEntails, Tops};
pub use wythoff::Wythoff;

use crate::catalogue::Entry;

/// The rulesets of this board.
pub(crate) fn entries() -> Vec<Entry> {
    let mut entries = vec![nim::entry(), wythoff::entry(), subtraction::entry()];
    entries.extend(take_and_break::entries());
    entries.extend([grundys_game::entry(), top_entails::entry(), grab_refund::entry()]);
    entries
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use nimoon::ruleset::{Kind, PositionId};
    use nimoon::{Positions, Work};

    use super::*;
    use crate::catalogue::{Given, Make};

    /// The nimber of a position without entailing moves, by its options.
    fn nimber(
        positions: &mut dyn Positions,
        part: PositionId,
        known: &mut HashMap<PositionId, u64>,
    ) -> u64 {
        if let Some(&known) = known.get(&part) {
            return known;
        }
        let branches = positions.expand(&[part], 10_000, 1).unwrap().remove(0);
        let mut reached = Vec::new();
        for branch in branches {
            assert_eq!(branch.kind, Kind::Ordinary);
            let parts = branch.parts.into_iter();
            reached.push(parts.fold(0, |sum, part| sum ^ nimber(positions, part, known)));
        }
        let most = reached.len() as u64;
        let mex = (0..=most).find(|value| !reached.contains(value)).unwrap();
        known.insert(part, mex);
        mex
    }

    #[test]
    fn every_example_of_the_catalogue_has_the_value_it_shows() {
        for entry in entries() {
            let (name, position) = entry.example.split_once(':').unwrap();
            let (name, text) = name.split_once('[').unwrap_or((name, ""));
            assert_eq!(name, entry.name);
            let text = text.trim_end_matches(']');
            let Make::Impartial(make) = entry.make else { panic!("{name} is impartial") };
            let work = Work::default();
            let mut positions = make(Given { text, file: b"", work: &work }).unwrap();
            assert!(entry.example.starts_with(positions.name()), "{}", entry.example);
            let id = positions.read(position).unwrap();
            assert_eq!(positions.text(id), position);
            // The definition knows no entailing moves here; these games have tests of their own.
            if !["top-entails", "grab-refund"].contains(&name) {
                let value = nimber(&mut *positions, id, &mut HashMap::new());
                assert_eq!(entry.value, value.to_string(), "{}", entry.example);
            }
            if let Some(value) = positions.theorem(id) {
                assert_eq!(format!("Nimber({})", entry.value), format!("{value:?}"));
            }
        }
    }
}
