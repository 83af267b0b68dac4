//! A turn in a fixture that is too long to keep, found in the same pass as its value.
//!
//! Let the fixture be one damaged part. What stands before its first bulb are `left` sockets.
//!
//! - *No bulbs.* The sockets go one by one: the mover wins if there is an odd number of them.
//! - *`left` is even.* To take the first bulb leaves them, which is worth 0.
//! - *`left` is odd.* The rest from the first bulb on must be left with the value 1. Say that it
//!   begins with bulbs in runs of one, each with an odd number of sockets after it, three or more:
//!   all these together are worth 1 if what follows them is (Thm 3). So they can be skipped, and
//!   what comes next decides:
//!   - two bulbs or more: to take the second leaves one, worth 1;
//!   - a bulb and an even number of sockets, and then another bulb: to take that one leaves 1 (Thm
//!     1). If nothing comes after the sockets the value is 1 already, and the fixture is a
//!     P-position;
//!   - a bulb, one socket and then a bulb: to remove the socket gives a shock and makes it two
//!     bulbs or more, of which the second is taken then;
//!   - a bulb, an odd number of sockets and nothing else: to remove one of these leaves 1.
//!
//! So the mover needs two plies at most, and in a P-position that has any pieces there is a socket
//! at the left end to remove. A test holds this against all strings of up to 14 pieces. [`Found`]
//! looks for any such bulb or shock by the values of [`Part`], and not for the pattern.
//!
//! With working bulbs in the fixture, what to do in a part depends on the parts after it, so only
//! the value is reported.

use nimoon::impartial::value::EntailingValue::Nimber;
use nimoon::ruleset::Kind;

use super::pass::Part;

/// A ply in a fixture; bulbs and sockets are counted from the plug on, separately, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ply {
    /// Take this bulb.
    Bulb(u64),
    /// Remove one of these sockets, which are all alike.
    Socket {
        /// The first of them.
        first: u64,
        /// The last of them.
        last: u64,
        /// Whether that gives a shock.
        shocks: bool,
    },
}

impl Ply {
    /// What kind of move it is.
    pub fn kind(self) -> Kind {
        match self {
            Self::Socket { shocks: true, .. } => Kind::Again,
            _ => Kind::Ordinary,
        }
    }

    /// In the imperative.
    pub fn words(self) -> String {
        match self {
            Self::Bulb(bulb) => format!("take bulb {bulb}"),
            Self::Socket { first, last, .. } if first == last => format!("remove socket {first}"),
            Self::Socket { first, last, .. } => {
                format!("remove one of the sockets {first} to {last}")
            }
        }
    }
}

/// What a pass has met so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    bulbs: u64,
    sockets: u64,
    /// The first bulb that leaves 0 when it is taken.
    bulb: Option<u64>,
    /// A socket that shocks, and then a bulb that leaves 0.
    shock: Option<[u64; 2]>,
}

impl Found {
    /// Some bulbs follow on this.
    #[inline]
    pub(super) fn bulbs(&mut self, part: &Part, count: u64) {
        if self.bulb.is_none() {
            self.bulb = part.staying(count, 0).map(|bulbs| self.bulbs + bulbs + 1);
            if self.shock.is_none() && part.is_left_by_a_shock(0) {
                self.shock = Some([self.sockets, self.bulbs + 1]);
            }
        }
        self.bulbs += count;
    }

    #[inline]
    pub(super) fn sockets(&mut self, count: u64) {
        self.sockets += count;
    }

    /// A turn in this part, when all of it was read: a winning one if there is one. None if there
    /// are no pieces.
    pub(super) fn turn(&self, part: &Part) -> Vec<Ply> {
        let [left, right] = [part.left(), part.right()];
        let some = |first, last| Ply::Socket { first, last, shocks: false };
        if let Some(bulb) = self.bulb {
            return vec![Ply::Bulb(bulb)];
        }
        if let Some([socket, bulb]) = self.shock {
            let shock = Ply::Socket { first: socket, last: socket, shocks: true };
            return vec![shock, Ply::Bulb(bulb)];
        }
        if right > 0 && part.with_fewer_sockets(None) == Nimber(0) {
            return vec![some(self.sockets - right + 1, self.sockets)];
        }
        if left > 0 { vec![some(1, left)] } else { Vec::new() }
    }
}
