//! A winning option of a damaged part, one step for each run.
//!
//! [`Part`] has the value of what stays when the next bulb is taken, from the left. Together with
//! the values of what follows, from the right, each option takes one step, all bulbs of a run
//! together. So a winning option is found in linear time where the options are too many to be
//! listed. A test finds one beside every small value on all short strings, and compares with the
//! definition.

use nimoon::impartial::value::EntailingValue::{self, Moon, Nimber};

use super::pass::Part;
use super::{Action, Fixture, Piece, joined};

/// For each run that begins with bulbs, the value of that run and all after it; 0 for the others.
fn values_from_the_right(part: &[(Piece, u64)]) -> Vec<EntailingValue> {
    let mut values = vec![Nimber(0); part.len()];
    for run in (0..part.len()).rev() {
        let (Piece::Bulb, bulbs) = part[run] else { continue };
        values[run] = match (part.get(run + 1), values.get(run + 2)) {
            (None, _) => Nimber(bulbs),
            (Some((_, sockets)), None) => Nimber(bulbs + (sockets & 1)),
            (Some(_), Some(Moon)) => Moon,
            (Some(&(_, sockets)), Some(&Nimber(rest))) => joined(bulbs, sockets, rest),
        };
    }
    values
}

/// An option of a fixture without working bulbs that wins beside this value, and its number: an
/// ordinary move to the same value, or else a carry-on move to another one.
pub(super) fn winning(fixture: &Fixture, beside: EntailingValue) -> Option<(usize, Action)> {
    let runs = fixture.runs();
    let values = values_from_the_right(runs);
    let mut read = Part::EMPTY;
    let mut number = 0;
    let mut again = None;
    for (run, &(piece, count)) in runs.iter().enumerate() {
        match piece {
            Piece::Bulb => {
                if let Nimber(beside) = beside
                    && let Some(before) = read.staying(count, beside)
                {
                    return Some((number + before as usize, Action { run, before }));
                }
                read.bulbs(count);
                number += usize::try_from(count).ok()?;
            }
            Piece::Socket => {
                read.sockets(count);
                let left = read.with_fewer_sockets(values.get(run + 1).copied());
                let found = Some((number, Action { run, before: 0 }));
                match (fixture.shocks(run), beside) {
                    (false, Nimber(_)) if left == beside => return found,
                    (true, _) if again.is_none() && left + beside != Nimber(0) => again = found,
                    _ => {}
                }
                number += 1;
            }
            Piece::Working => return None,
        }
    }
    again
}
