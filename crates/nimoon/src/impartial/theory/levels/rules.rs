//! The rules of the levels: what is known of one node, and what it receives and sends.
//!
//! W(x, k) and V(x, k), "x wins k" and "x has value k", follow by the four rules of
//! `docs/design.md`, "The carry-on theory, level by level", which are those of the proof of
//! [ACLNSS, Thm 2.4]. Within a level counters only fall and wins are noted once, so news may arrive
//! in any order.

const ASSIGNED: u32 = 1 << 31;
/// The mark of nodes that no level changes. What they are stands in place of the stamp.
const LEFT_OUT: u32 = u32::MAX;
const GRAY: u32 = 0;
const FULL_MOON: u32 = 1;
const SAFE: u32 = 2;
const MOON: u32 = 3;

/// What is known of a node while levels are settled.
///
/// Its four numbers lie side by side, since nodes are visited in no order that a cache could guess.
///
/// ```
/// use nimoon::impartial::theory::levels::{Change, LevelState, News, Standing};
/// // Level 0 of Smith's trap, x ⇄ y → z: z has value 0, so y wins, so x has value 0 too.
/// let [mut x, mut y, mut z] = [1, 2, 0].map(LevelState::open);
/// assert!(z.begin(0) && !y.begin(0));
/// assert_eq!(y.hear(News::HasValue, 0), Change::WonAll);
/// assert_eq!(x.hear(News::Loses, 0), Change::Assigned);
/// assert_eq!(x.standing(), Standing::Nimber(0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(16))]
pub struct LevelState {
    /// Moves that do not lose against every later level.
    pending: u32,
    /// Moves that do not yet lose against the level of the stamp.
    not_lost: u32,
    /// The last level that touched this node, plus one, doubled; odd if the node won it.
    stamp: u32,
    /// With a value: that and `ASSIGNED`. Without: how many levels were won from 0 on.
    mark: u32,
}

/// What a node learns from a node that one of its moves leads to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum News {
    /// The move loses against this level.
    #[default]
    Loses,
    /// The ordinary move leads to a node of this level: it wins here, and loses later.
    HasValue,
    /// The carry-on move wins this level.
    Wins,
    /// The carry-on move leads to a node that is safe.
    IsSafe,
    /// The ordinary move leads to a node that is safe: it loses against every later level.
    LosesLater,
    /// The carry-on move leads to a node of this level, which is at its end.
    Carries,
}

impl News {
    /// All of them, each at its own number.
    pub const ALL: [Self; 6] =
        [Self::Loses, Self::HasValue, Self::Wins, Self::IsSafe, Self::LosesLater, Self::Carries];
}

/// The news that a node sends to those with an ordinary or a carry-on move to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broadcast {
    /// To those with an ordinary move.
    pub ordinary: News,
    /// To those with a carry-on move.
    pub again: News,
}

impl Broadcast {
    /// The node has the value of this level: rules 1 and 4. At the end of the level it sends those
    /// with a carry-on move [`News::Carries`] as well, by rule 2.
    pub const VALUE: Self = Self { ordinary: News::HasValue, again: News::Loses };
    /// The node wins this level: rules 4 and 3.
    pub const WIN: Self = Self { ordinary: News::Loses, again: News::Wins };
    /// The node wins all later levels: rules 4 and 3 for all of them at once.
    pub const SAFE: Self = Self { ordinary: News::LosesLater, again: News::IsSafe };
}

/// What news make of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The node has no news to send.
    Nothing,
    /// It has the value of this level.
    Assigned,
    /// It won this level, or is safe.
    Won,
    /// It won this level and all before, so it may have the next one as value.
    WonAll,
}

/// What is known of a node when all levels are settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Standing {
    /// Equal to a nimber.
    Nimber(u32),
    /// A gray node, to which the levels do not apply.
    Gray,
    /// A full moon, known before.
    FullMoon,
    /// It wins every level.
    Moon,
    /// In a cyclic zone.
    Zone,
}

impl LevelState {
    /// A gray node: no level changes it.
    pub const GRAY: Self = Self::left_out(GRAY);
    /// A full moon: no level changes it.
    pub const FULL_MOON: Self = Self::left_out(FULL_MOON);

    /// A white node that is not a full moon, with the number of its moves that do not lose against
    /// every level: carry-on moves, ordinary moves that do not lead to full moons, and moves into
    /// gray circles, which never lose.
    pub const fn open(pending: u32) -> Self {
        Self { pending, not_lost: 0, stamp: 0, mark: 0 }
    }

    const fn left_out(what: u32) -> Self {
        Self { pending: 0, not_lost: 0, stamp: what, mark: LEFT_OUT }
    }

    /// Takes the value of a level that has just begun, if every move loses against it and all
    /// levels before were won (rule 4).
    #[inline]
    pub fn begin(&mut self, level: u32) -> bool {
        let has_value = self.has_won_before(level) && self.pending == 0;
        if has_value {
            self.mark = ASSIGNED | level;
        }
        has_value
    }

    /// Hears something in a level; returns what that makes of the node.
    #[inline]
    pub fn hear(&mut self, news: News, level: u32) -> Change {
        if matches!(news, News::HasValue | News::LosesLater) {
            // Meaningless for nodes that are left out.
            self.pending = self.pending.wrapping_sub(1);
        }
        if self.mark & ASSIGNED != 0 {
            return Change::Nothing;
        }
        let touched = (level + 1) << 1;
        match news {
            News::Loses => {
                if self.stamp < touched {
                    self.stamp = touched;
                    self.not_lost = self.pending;
                }
                // Meaningless for a node that won this level: that one gets no value here.
                self.not_lost = self.not_lost.wrapping_sub(1);
                if self.not_lost == 0 && self.has_won_before(level) {
                    self.mark = ASSIGNED | level;
                    return Change::Assigned;
                }
                Change::Nothing
            }
            News::HasValue | News::Wins => {
                if self.stamp == touched | 1 {
                    return Change::Nothing;
                }
                self.stamp = touched | 1;
                if self.has_won_before(level) {
                    self.mark += 1;
                    return Change::WonAll;
                }
                Change::Won
            }
            News::IsSafe | News::Carries => {
                self.stamp = if self.has_won_before(level + 1) { MOON } else { SAFE };
                self.mark = LEFT_OUT;
                Change::Won
            }
            News::LosesLater => Change::Nothing,
        }
    }

    /// Whether the node has no value, and has won exactly the levels before this one, from 0 on.
    #[inline]
    pub fn has_won_before(self, level: u32) -> bool {
        self.mark == level
    }

    /// Whether no move is left to count.
    pub(super) fn is_idle(self) -> bool {
        self.pending == 0
    }

    /// A number to read ahead.
    #[inline]
    pub fn mark(self) -> u32 {
        self.mark
    }

    /// How many levels from 0 on are known to be won, without a value.
    pub(super) fn won(self) -> u32 {
        if self.mark & ASSIGNED == 0 { self.mark } else { 0 }
    }

    /// Whether the node is known to win every level.
    #[inline]
    pub(super) fn is_moon(self) -> bool {
        self.mark == LEFT_OUT && self.stamp == MOON
    }

    /// The nimber, if there is one.
    #[inline]
    pub fn nimber(self) -> Option<u32> {
        (self.mark & ASSIGNED != 0 && self.mark != LEFT_OUT).then_some(self.mark & !ASSIGNED)
    }

    /// Whether news can still change the node: it has no nimber and is not left out.
    #[inline]
    pub fn is_undecided(self) -> bool {
        self.mark & ASSIGNED == 0
    }

    /// What the node is when all levels are settled. A node without a value that has not won every
    /// level is in a cyclic zone.
    pub fn standing(self) -> Standing {
        match (self.nimber(), self.mark, self.stamp) {
            (Some(nimber), ..) => Standing::Nimber(nimber),
            (_, LEFT_OUT, GRAY) => Standing::Gray,
            (_, LEFT_OUT, FULL_MOON) => Standing::FullMoon,
            (_, LEFT_OUT, MOON) => Standing::Moon,
            _ => Standing::Zone,
        }
    }

    /// The four numbers, to be stored.
    pub fn words(self) -> [u32; 4] {
        [self.pending, self.not_lost, self.stamp, self.mark]
    }

    /// What [`Self::words`] gave.
    pub fn of_words([pending, not_lost, stamp, mark]: [u32; 4]) -> Self {
        Self { pending, not_lost, stamp, mark }
    }
}
