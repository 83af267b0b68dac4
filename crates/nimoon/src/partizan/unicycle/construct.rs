//! A unicycle for every admissible pattern.
//!
//! **LL occurs, RR does not.** The pattern consists of at least two runs of L, each followed by a
//! single R. The exits are \*j on run j, from 1 on, and 0 at every R. All vertices are positive, so
//! a nimber other than \*j is less than the L of run j, and every nimber is less than an R; a
//! rotation that preserves the exits maps each run to itself.
//!
//! **RR occurs, LL does not.** The negative of the above.
//!
//! **Both occur.** Some LL is followed by an RR with only alternating letters between. The word is
//! rotated so that it ends in this LL:
//!
//! ```text
//!   RLRL…R R … R LL…L       the last R is at place r, and the L after it form I
//! ```
//!
//! With hᵢ = 2(n − i) and M = 2n + 4, the exits up to place r are −hᵢ at L and +hᵢ at R, large
//! numbers that come nearer to 0; all exits on I are the switch {0|−M}. A rotation that preserves
//! them maps I to itself.

use super::cycle::Unicycle;
use super::pattern::{Inadmissible, Pattern};
use crate::partizan::stoppers::{Stopper, Stoppers};
use crate::player::Player;

/// Builds a unicycle with this pattern, in graph-canonical form.
///
/// # Errors
/// The reason why there is none.
///
/// ```
/// use nimoon::partizan::unicycle::{Pattern, construct};
/// use nimoon::{Work, partizan::Stoppers};
/// let mut stoppers = Stoppers::new();
/// let pattern: Pattern = "LLLRLRRRLR".parse().unwrap(); // the open case of [Siegel2009]
/// let unicycle = construct(&pattern, &mut stoppers).unwrap();
/// assert!(unicycle.is_canonical(&mut stoppers, &mut Work::default()).unwrap());
/// ```
pub fn construct(pattern: &Pattern, stoppers: &mut Stoppers) -> Result<Unicycle, Inadmissible> {
    pattern.admissible()?;
    if pattern.len() == 1 {
        return Ok(Unicycle::fitting(pattern.clone(), vec![Stoppers::ZERO]));
    }
    Ok(match (pattern.doubles(Player::Left), pattern.doubles(Player::Right)) {
        (true, true) => numbers_and_switch(pattern, stoppers),
        (true, false) => nimbers(pattern, stoppers),
        _ => nimbers(&pattern.negative(), stoppers).negative(stoppers),
    })
}

/// The construction for patterns without RR.
fn nimbers(pattern: &Pattern, stoppers: &mut Stoppers) -> Unicycle {
    let len = pattern.len();
    // So that a run begins at the start.
    let start = (0..len).find(|&i| pattern.at(i + len - 1) == Player::Right).unwrap_or(0);
    let pattern = pattern.rotated(start);
    let mut below = vec![Stoppers::ZERO.0];
    let mut run = None;
    let mut exits = Vec::with_capacity(len);
    for &letter in pattern.letters() {
        if letter == Player::Right {
            run = None;
            exits.push(Stoppers::ZERO);
            continue;
        }
        let nimber = run.unwrap_or_else(|| {
            let next = stoppers.form([below.clone(), below.clone()]);
            below.push(next);
            next
        });
        run = Some(nimber);
        exits.push(Stopper(nimber));
    }
    Unicycle::fitting(pattern, exits).rotated(len - start)
}

/// The construction for patterns with LL and RR.
fn numbers_and_switch(pattern: &Pattern, stoppers: &mut Stoppers) -> Unicycle {
    let len = pattern.len();
    let fits = |start: usize| {
        let ends = [2, 1].map(|back| pattern.at(start + len - back));
        let double = pattern.rotated(start).double();
        ends == [Player::Left; 2]
            && pattern.at(start) == Player::Right
            && double.is_some_and(|first| pattern.at(start + first) == Player::Right)
    };
    let start = (0..len).find(|&start| fits(start)).unwrap_or(0);
    let pattern = pattern.rotated(start);
    let last = pattern.letters().iter().rposition(|&letter| letter == Player::Right);
    let positive = integers(2 * len + 4, Player::Left, stoppers);
    let negative = integers(2 * len + 4, Player::Right, stoppers);
    let switch = stoppers.form([vec![positive[0]], vec![negative[2 * len + 4]]]);
    let exits = pattern.letters().iter().enumerate().map(|(i, &letter)| {
        Stopper(match letter {
            _ if Some(i) > last => switch,
            Player::Left => negative[2 * (len - i)],
            Player::Right => positive[2 * (len - i)],
        })
    });
    let exits = exits.collect();
    Unicycle::fitting(pattern, exits).rotated(len - start)
}

/// The integers from 0 on in which only one player can move.
fn integers(most: usize, player: Player, stoppers: &mut Stoppers) -> Vec<u32> {
    let mut list = vec![Stoppers::ZERO.0];
    for i in 0..most {
        let mut options = [Vec::new(), Vec::new()];
        options[player.index()].push(list[i]);
        list.push(stoppers.form(options));
    }
    list
}
