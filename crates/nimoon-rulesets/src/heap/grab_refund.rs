//! Grab and Refund: take a few coins, put some back, or grab exactly k, which entails.
//!
//! ```text
//!   grab-refund[3;8]:5    ooooo...    a heap of 5 coins, with room for 8
//!
//!   take 1 or 2                       to 4 or 3
//!   refund 2                          to 7, if there is room; never on an empty heap
//!   grab 3                            to 2, where the opponent must answer
//! ```
//!
//! k and the room N for coins stand in brackets. One may take 1 to k − 1 coins, and refund k − 1.
//! After a grab the opponent must answer in this heap; a player who grabs a whole heap of k wins.
//!
//! ## All values
//! The game has cycles and entailing moves with a choice, and all its values are known. *If
//! N ≥ 2k, then a heap of n coins has the value*
//!
//! | n | value |
//! |---|---|
//! | n < k | n |
//! | k | ○ |
//! | k + r, 0 < r < k | `[0/1/…/r−1]`: the opponent chooses which of these the ninny is |
//! | n ≥ 2k | ∞ without exits |
//!
//! *Proof.* A heap k is grabbed whole: ○.
//! 1. (k+r) + \*j is won if j ≥ r: grab. The opponent must take, leaving i < r, and i + \*j is won;
//!    or refund, leaving k + (r−1), which is ○ or won by induction, since j ≥ r − 1.
//! 2. n + \*n is lost if n < k: answer each move as in Nim, which takes fewer than k coins; after a
//!    refund to k + (n−1), ○ or step 1 wins.
//! 3. Let V be all u + \*j with u ≥ 2k, and T all (k+r) + \*j with j < r. All of them are draws.
//!    - *Each has an option in V or T.* From u + \*j: refund if there is room; else if u > 2k take
//!      1; else u = 2k, so take 1 if j < k − 1, and otherwise reduce the heap \*j to \*0. From
//!      (k+r) + \*j: refund if there is room, to 2k + (r−1). Otherwise r ≥ 2, as N ≥ 2k; if
//!      j < r − 1 take 1, and if j = r − 1 reduce the heap \*j to \*0.
//!    - *None is won.* Else take one that is won soonest, with a lost option z. A lost position has
//!      no option in V or T, since that would be won sooner. The options z of V and T are: other
//!      members; (k+r) + \*j with j ≥ r, won by step 1; a heap k, won; m + \*j with j < r < m < k,
//!      taken from k + r, won as two numbers that differ; and grabs. After a grab from 2k the
//!      opponent grabs the rest and wins. After one from u > 2k the opponent refunds, to u − 1 in V.
//!      After one from k + r with j < r the opponent takes r − j and leaves j + \*j, which is lost.
//! 4. So W(k+r) is everything but {0, …, r−1}, and W(u) is empty for u ≥ 2k. Refunds in a duel end
//!    at k + (r−1) or u − 1, so there is always room for them. The only duel at k + r has the
//!    results {0, …, r−1, k+(r−1)}, without the last one if r = 1, where it is ○. By induction
//!    k + (r−1) is `[0/…/r−2]`, which is above `[0/…/r−1]`, so it drops out. Each duel at u ≥ 2k has
//!    the result u − 1 ≥ 2k, or loses (u = 2k); and the least solution of X = X ∧ … is bottom. ∎
//!
//! The proof does not need the condition N ≥ 3k − 2, under which all refunds from k + r have room.
//! For N < 2k the theorem is not used: heaps of k = 4 with N = 7 are 0 1 2 3 ○ 0 1 2.
//!
//! **Sums.** Let every heap be below 2k and none be k. The sum is a ninny of which the opponent
//! chooses the number, so it is won exactly if no choice makes the nim-sum 0. With a heap k it is
//! won, and with a heap ≥ 2k and none of k it is drawn.
//!
//! ## References
//! Our own; the values are those of [`nimoon::impartial::control`].

use std::collections::BTreeSet;

use nimoon::impartial::control::Control;
use nimoon::{
    Outcome, Work,
    notation::NotationError,
    ruleset::{Interned, Move, Notation, Ruleset, Shortcuts},
};

use super::heaps::draw;
use crate::catalogue::{Board, Entry, Make, Parameters};
use crate::scan::Scanner;

/// Take fewer than k coins, refund k − 1, or grab exactly k, which entails.
///
/// ```
/// use nimoon_rulesets::heap::GrabRefund;
/// let game = GrabRefund::from_parameters("4;11").unwrap();
/// let values: Vec<String> = (0..=8).map(|heap| game.value(heap).unwrap().to_string()).collect();
/// assert_eq!(values.join(" "), "0 1 2 3 ○ [0] [0/1] [0/1/2] []");
/// assert_eq!(game.outcome(&[6, 3]).unwrap().to_string(), "N");
/// assert_eq!(game.outcome(&[6, 1]).unwrap().to_string(), "D");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GrabRefund {
    k: u64,
    room: u64,
}

/// What is done to a heap.
#[derive(Clone, Copy)]
enum Step {
    Take(u64),
    Refund,
    Grab,
}

impl GrabRefund {
    /// The largest heap that is accepted: with its arcs it still fits a small machine.
    const MOST: u64 = 10_000_000;

    /// Reads k and N, as in `3;8`.
    ///
    /// # Errors
    /// When the text is something else, k is less than 2, or N is too large.
    pub fn from_parameters(text: &str) -> Result<Self, NotationError> {
        Scanner::whole(text, |scanner| {
            let place = scanner.place();
            let k = scanner.number("how many coins a grab takes")?;
            if k < 2 {
                let message = format!("a grab takes at least 2 coins, found {k}");
                return Err(NotationError::at(place, message));
            }
            scanner.need(';')?;
            let place = scanner.place();
            let room = scanner.number("the size of the largest heap")?;
            if room > Self::MOST {
                let message = format!("the largest heap is at most {}, found {room}", Self::MOST);
                return Err(NotationError::at(place, message));
            }
            Ok(Self { k, room })
        })
    }

    /// k, if the theorem covers these parameters.
    fn covered(&self) -> Option<u64> {
        Some(self.k).filter(|&k| k <= self.room / 2)
    }

    /// The value of a heap, by the theorem; none if the theorem does not cover these parameters.
    pub fn value(&self, heap: u64) -> Option<Control> {
        let k = self.covered()?;
        if heap < k {
            return Some(Control::number(heap));
        }
        let text = match heap - k {
            0 => "(win)".to_owned(),
            r if r < k => {
                let numbers: Vec<String> = (0..r).map(|number| number.to_string()).collect();
                format!("[{}]", numbers.join("/"))
            }
            _ => "[]".to_owned(),
        };
        Control::read(&text, &mut Work::endless()).ok()
    }

    /// The outcome of a sum of heaps, by the theorem; none if the theorem does not cover these
    /// parameters.
    pub fn outcome(&self, heaps: &[u64]) -> Option<Outcome> {
        let k = self.covered()?;
        if heaps.contains(&k) {
            return Some(Outcome::N);
        }
        if heaps.iter().any(|&heap| heap >= 2 * k) {
            return Some(Outcome::D);
        }
        let numbers = heaps.iter().filter(|&&heap| heap < k).fold(0, |sum, heap| sum ^ heap);
        let choices: Vec<u64> = heaps.iter().filter(|&&heap| heap > k).map(|h| h - k).collect();
        if choices.is_empty() {
            return Some(if numbers == 0 { Outcome::P } else { Outcome::N });
        }
        // The sums that the opponent can choose.
        let mut sums = BTreeSet::from([numbers]);
        for r in choices {
            sums = sums.iter().flat_map(|sum| (0..r).map(move |number| sum ^ number)).collect();
        }
        Some(if sums.contains(&0) { Outcome::D } else { Outcome::N })
    }

    /// All moves in a heap in order: take, refund, grab.
    fn steps(self, heap: u64) -> impl Iterator<Item = Step> {
        let take = (1..self.k).take_while(move |&coins| coins <= heap).map(Step::Take);
        let refund = heap > 0 && self.k - 1 <= self.room - heap;
        let grab = heap >= self.k;
        take.chain(refund.then_some(Step::Refund)).chain(grab.then_some(Step::Grab))
    }
}

impl Ruleset for GrabRefund {
    type Position = u64;

    fn name(&self) -> String {
        format!("grab-refund[{};{}]", self.k, self.room)
    }

    fn options(&self, &heap: &u64) -> impl Iterator<Item = Move<u64>> {
        let k = self.k;
        self.steps(heap).map(move |step| match step {
            Step::Take(coins) => Move::to(heap - coins),
            Step::Refund => Move::to(heap + (k - 1)),
            Step::Grab => Move::entailing(heap - k),
        })
    }

    fn read(&self, text: &str) -> Result<u64, NotationError> {
        Scanner::whole(text, |scanner| {
            let place = scanner.place();
            let heap = scanner.number("the size of a heap")?;
            if heap > self.room {
                let message = format!("a heap has at most {} coins, found {heap}", self.room);
                return Err(NotationError::at(place, message));
            }
            Ok(heap)
        })
    }

    fn write(&self, heap: &u64) -> String {
        heap.to_string()
    }
}

impl Notation for GrabRefund {
    fn words(&self, heap: &u64, number: usize, option: &Move<u64>) -> String {
        match self.steps(*heap).nth(number) {
            Some(Step::Take(coins)) => format!("take {coins} of {heap}"),
            Some(Step::Refund) => format!("refund {}, to {}", self.k - 1, option.to),
            Some(Step::Grab) => format!("grab {} of {heap}, which entails", self.k),
            None => format!("move to {}", self.write(&option.to)),
        }
    }

    fn board(&self, heap: &u64) -> String {
        draw(*heap)
    }
}

impl Shortcuts for GrabRefund {}

pub(crate) fn entry() -> Entry {
    Entry {
        name: "grab-refund",
        board: Board::Heap,
        rules: "Take fewer than K coins from the heap; or put K - 1 coins back, but not on an empty \
                heap and not above N; or grab exactly K coins: then the opponent must answer in the \
                same heap, and loses if it is empty.",
        notation: "grab-refund[K;N]:HEAP, a heap of HEAP coins, at most N",
        example: "grab-refund[3;8]:5",
        value: "[0/1]",
        parameters: Parameters::Text("how many coins a grab takes, then ; and the largest heap"),
        source: "our own; all values are known",
        make: Make::Impartial(|given| {
            Ok(Box::new(Interned::new(GrabRefund::from_parameters(given.text)?)))
        }),
    }
}

#[cfg(test)]
mod tests {
    use nimoon_oracle::{Outcome as Played, Product};

    use super::*;
    use crate::play::{board, digraph, values_of};

    fn game(k: u64, room: u64) -> GrabRefund {
        GrabRefund { k, room }
    }

    #[test]
    fn values_by_the_theorem_are_those_of_labelling() {
        let mut heaps = 0;
        for k in 2..=5 {
            for room in 2 * k..=15 {
                let game = game(k, room);
                let all: Vec<u64> = (0..=room).collect();
                for (heap, found) in (0..).zip(values_of(&game, &all)) {
                    assert_eq!(game.value(heap), Some(found), "{}:{heap}", game.name());
                    heaps += 1;
                }
            }
        }
        assert_eq!(heaps, 422);
    }

    /// The closed rule for sums of two heaps, and of three where there is little room, against
    /// play itself.
    #[test]
    fn outcomes_of_sums_by_the_theorem_are_those_of_play() {
        let mut counts = [0_u32; 3];
        let mut compare = |game: &GrabRefund, play: &Product, heaps: &[u64]| {
            let nodes: Vec<usize> = heaps.iter().map(|&heap| heap as usize).collect();
            let (found, played) = (game.outcome(heaps).unwrap(), play.outcome(&nodes).unwrap());
            assert_eq!(found.to_string(), played.to_string(), "{}: {heaps:?}", game.name());
            counts[[Played::P, Played::N, Played::D].iter().position(|o| *o == played).unwrap()] +=
                1;
        };
        for k in 2..=5 {
            for room in 2 * k..=15 {
                let game = game(k, room);
                let board = board(&digraph(&game, &(0..=room).collect::<Vec<_>>()));
                let pairs = Product::new(&[&board, &board]).unwrap();
                for a in 0..=room {
                    (a..=room).for_each(|b| compare(&game, &pairs, &[a, b]));
                }
                if room > 10 {
                    continue;
                }
                let triples = Product::new(&[&board, &board, &board]).unwrap();
                for a in 0..=room {
                    for b in a..=room {
                        (b..=room).for_each(|c| compare(&game, &triples, &[a, b, c]));
                    }
                }
            }
        }
        assert_eq!(counts, [166, 1738, 3742]);
    }

    #[test]
    fn without_room_for_two_grabs_the_theorem_says_nothing() {
        let little = game(4, 7);
        assert_eq!((little.value(5), little.outcome(&[5])), (None, None));
        let values: Vec<_> = values_of(&little, &(0..=7).collect::<Vec<_>>());
        let values: Vec<_> = values.iter().map(ToString::to_string).collect();
        assert_eq!(values.join(" "), "0 1 2 3 ○ 0 1 2");
    }

    #[test]
    fn coins_are_taken_refunded_and_grabbed() {
        let game = GrabRefund::from_parameters(" 3 ; 8").unwrap();
        assert_eq!(game.name(), "grab-refund[3;8]");
        let options = |heap: u64| game.options(&heap).collect::<Vec<_>>();
        assert_eq!(options(0), []);
        assert_eq!(options(1), [Move::to(0), Move::to(3)]);
        assert_eq!(options(5), [Move::to(4), Move::to(3), Move::to(7), Move::entailing(2)]);
        assert_eq!(options(7), [Move::to(6), Move::to(5), Move::entailing(4)]);
        let words: Vec<_> =
            (0..).zip(options(5)).map(|(number, option)| game.words(&5, number, &option)).collect();
        assert_eq!(
            words,
            ["take 1 of 5", "take 2 of 5", "refund 2, to 7", "grab 3 of 5, which entails"]
        );
    }

    #[test]
    fn wrong_parameters_and_heaps_are_pointed_at() {
        let wrong = |text| GrabRefund::from_parameters(text).unwrap_err().at;
        assert_eq!(
            [wrong(""), wrong("1;8"), wrong("3"), wrong("3;"), wrong("3;10000001")],
            [0, 0, 1, 2, 2]
        );
        let game = game(3, 8);
        let error = game.read("9").unwrap_err();
        assert_eq!((error.at, error.message.as_str()), (0, "a heap has at most 8 coins, found 9"));
        let huge = GrabRefund::from_parameters("18446744073709551615;9").unwrap();
        assert_eq!((huge.options(&9).count(), huge.value(9)), (9, None));
    }
}
