//! Strings and coins, and so Nimstring, by a search over pairs of a position and a nimber.
//!
//! A move cuts a string; a coin whose last string is cut is taken, and a player who takes one moves
//! again. What is written here holds for any graph of strings and coins, so also for the boxes of a
//! board. The value of a position is a nimber or the moon. With its options G → H, ordinary or
//! carry-on, it is the moon if the mover wins beside every nim-heap; an ordinary option of value h
//! wins beside \*h alone, a carry-on option beside every heap but \*h, or beside all if H is the
//! moon [LNS2021, §4].
//!
//! A string from a coin to itself is cut as one to the ground is, so we take it for one. The degree
//! of a coin is the number of its strings; a coin of degree 1 can be *taken*.
//!
//! ## No coin to take
//!
//! Let the coin a have degree 1, and let its string go to b.
//!
//! 1. *If b is the ground, has degree 1, or has degree 2 and its other string goes to a coin c of
//!    degree 1*, then these coins are a component of their own. All its moves take coins, so its
//!    value is 0, and it is left out.
//! 2. *If b has degree 2 and its other string t goes to the ground or to a coin of degree 2 or more*,
//!    the position is the moon. Let R be what is left without a, b and t. The mover can cut t,
//!    which takes nothing and leaves R beside a–b, so R in value; or take a and then b, and move
//!    again in R. If R = r, the first wins beside \*r and the second beside everything else; if R
//!    is the moon, the second always wins.
//! 3. *If b has degree 3 or more*, taking a changes no value: G = G', where G' is G without a and its
//!    string. If G' is the moon, so is G, by taking a. Let G' = h. Taking a wins beside all but
//!    \*h, so G is h or the moon, and it is h if no other option wins beside \*h. Let s be another
//!    string, H and H' what cutting it leaves; both cuts are of the same kind, since b keeps a
//!    string in either. If b has degree 3 or more in H then H = H' by induction, and that does not
//!    win beside \*h in G'. Else s is at b, and b has just a and one more string t in H. If t goes
//!    to a coin of degree 1 then H and H' are both 0 there by the first case, beside the same rest.
//!    Otherwise H is the moon by the second case: to move there ordinarily does not win; and if the
//!    cut took a coin d that hung on b, then taking a in its place leaves d, b and t, which is the
//!    moon by the second case too, so G' was not h.
//!
//! So coins are taken until the moon is found or no coin has degree 1, and the second case is
//! checked again after every one: of the 2²⁴ sets of edges of the 3×3 board 449,424 are found to be
//! the moon only then.
//!
//! ## Joints and chains
//!
//! Now all coins have degree 2 or more. A *joint* is a coin of degree 3 or more. The others lie in
//! *chains* between joints and the ground, of 0, 1, 2, … coins, or in loops without a joint. A
//! chain may lead from a joint back to it.
//!
//! 4. *Cutting a string of a chain of three coins or more leaves the moon*: on one side two coins or
//!    more hang in a row, the last of degree 1 and the one before of degree 2, and what comes next
//!    is the ground or of degree 2 at least. To move there does not win. Such chains are *long*.
//! 5. *In a chain of two coins* the same holds for the outer strings. Cutting the middle one leaves
//!    a coin of degree 1 at either end, to be taken by case 1 or 3: the chain is gone. *In a chain
//!    of one coin* either cut leaves that coin at one end, and the chain is gone; and in a chain of
//!    none it is gone at once. The exception is a chain of one or two coins from a joint of degree
//!    3 to itself: then the joint is left with two strings, one of them to a coin of degree 1,
//!    which is the moon.
//! 6. *A loop without a joint* of four coins or more is cut to the moon by 4, so its value is 0; one of
//!    two or three coins is cut to 0 by case 1, so its value is 1. In the same way a chain from
//!    ground to ground is worth 1, or 0 if it is long.
//!
//! So a position is a graph of joints and chains, **every move is an ordinary one that takes away a
//! short chain**, and values are nimbers by the mex rule. A joint that is left with degree 2 is a
//! coin in a chain: chains of i and k coins that meet there become one of i + k + 1.
//!
//! 7. *A long chain between two joints can be cut in the middle*, so that each joint has a long chain to
//!    the ground in its place. It is never taken away and never gets short; all that it does is
//!    count for the degrees, and it does that at both ends. So it connects nothing.
//! 8. *A joint with two long chains is as good as the ground.* Its degree never falls below two, and if
//!    it falls to two only long chains are left, which is 0. So its other chains never become one,
//!    and each is a chain to the ground.
//!
//! What is left splits into small parts, and equal parts come from many places of many boards. The
//! 3×3 board has 25,167 such graphs, where exploring meets 114,517 positions up to symmetry. Codes
//! know no ruleset: Nimstring and Strings and Coins share one table.
//!
//! ## The search
//!
//! J. Lemoine and S. Viennot (Nimbers are inevitable, 2012) search for the outcome of a position
//! beside a nimber, since a sum needs that of its parts. We ask "is the value of G n?"; it is if no
//! option has the value n and, for each m < n, some option has the value m. The smaller numbers
//! come first, since most values are 0 or 1: a number m < n that no option has ends the question,
//! and so does an option that is known to have the value n. Each move takes away a chain, and
//! nothing else changes the number of chains less that of joints but for chains that get long; so 0
//! and 1 alternate in most plays, and it can be guessed which of the two is the value. Where it is
//! likely to be 0 and we ask for 1, the search is first for an option of value 1: one is enough,
//! but for 0 all options must be excluded. An option that splits is searched by finding the values
//! of all its parts but the largest, which is then searched for the nim-sum. Answers are kept by
//! the code of the graph ([`canonical`]), in a table of limited size ([`table`]). First options are
//! looked up, the simplest first ([`cost`]), until one is known that ends the question; then those
//! that are not known are searched in the same order, a little sooner if something is known of
//! them, and of two as simple always the same one first, so that the same positions are met again
//! and again.
//!
//! That is depth-first, and wastes most where a large question was chosen wrongly. So it is for
//! questions that seem small; the large ones above them are chosen by proof numbers ([`proof`]).
//!
//! A second thread takes questions of the same tree, from the other end where most likely all must
//! be searched. It shares the table, so each thread finds what the other has done. Which thread is
//! first changes how many positions are visited, but no answer.
//!
//! ## References
//! E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning ways for your mathematical plays (1982),
//! chapter 16; [LNS2021, §4]; J. Lemoine, S. Viennot, Nimbers are inevitable (2012); [Allis1994,
//! chapter 2].

mod canonical;
mod cost;
mod graph;
mod knowledge;
mod proof;
mod reduce;
mod search;
mod table;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use nimoon::impartial::value::EntailingValue;
use nimoon::limits::{Interrupted, Progress, Work, threads};
use nimoon::ruleset::Found;
use nimoon::ruleset::memory::Memory;

use knowledge::Knowledge;
use proof::{Depth, Tree};
use reduce::{Reduced, reduce};
use search::{Part, Search};
use table::Table;

/// How many bytes the program takes for what is known, once there is so much of it.
const MOST_BYTES: usize = 2 << 30;

/// More bytes than these were requested explicitly: then the table takes three quarters of them.
const DEFAULT_MOST: u64 = 8 << 30;

/// The questions above a search take one in so many bytes of what the table may take.
const FOR_QUESTIONS: u64 = 8;

/// The table that all rulesets share, since they search the same graphs. It is dropped with the
/// last of them.
static SHARED: Mutex<Weak<Table>> = Mutex::new(Weak::new());

/// With less than this a search forgets too much to end.
const LEAST_BYTES: u64 = 1 << 20;

/// What is known in memory goes by this name, whatever ruleset it was found for: codes know none.
const NAME_IN_MEMORY: &str = "strings";

/// What stands before codes in memory. A code begins with the number of chains, which is less than
/// 128, and once stood there alone and was packed in another way; so none of those is taken for one
/// of these.
const PACKED: u8 = 128;

/// After this many positions it pays to start a second thread.
const ALONE: u64 = 1 << 14;

/// Searches for values of strings and coins, and what they have found.
pub(crate) struct Strings {
    shared: Arc<Table>,
    /// In place of the shared one where less memory is allowed: what one search may take must not
    /// bound another.
    own: OnceLock<Table>,
    memory: Option<Arc<dyn Memory>>,
    depth: Depth,
}

impl std::fmt::Debug for Strings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let table = self.own.get().unwrap_or(&self.shared);
        f.debug_struct("Strings").field("known", &table.len()).finish_non_exhaustive()
    }
}

impl Default for Strings {
    /// A search that shares what it finds with all others that are made so.
    fn default() -> Self {
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        let table = shared.upgrade().unwrap_or_else(|| Arc::new(Table::new(MOST_BYTES)));
        *shared = Arc::downgrade(&table);
        Self { shared: table, own: OnceLock::new(), memory: None, depth: Depth::default() }
    }
}

/// Whether a thread that helps may stop.
#[derive(Default)]
struct Done(AtomicBool);

/// Says so when it is dropped, also by a panic.
struct AtTheEnd<'a>(&'a Done);

impl Done {
    fn at_the_end(&self) -> AtTheEnd<'_> {
        AtTheEnd(self)
    }
}

impl Drop for AtTheEnd<'_> {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}

/// Says so when it is dropped by a panic.
struct AtAPanic<'a>(&'a Done);

impl Drop for AtAPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.0.store(true, Ordering::Relaxed);
        }
    }
}

impl Strings {
    /// A search with a table of its own, that takes this many bytes at most for what it has found.
    #[cfg(test)]
    fn within(bytes: usize) -> Self {
        Self { own: Table::new(bytes).into(), ..Self::default() }
    }

    /// The table for a search that may take this many bytes.
    fn table(&self, bytes: u64) -> &Table {
        let for_table = bytes - bytes / (FOR_QUESTIONS + 1);
        let share = if bytes > DEFAULT_MOST { bytes / 4 * 3 } else { for_table };
        let is_usual = (MOST_BYTES as u64..=DEFAULT_MOST).contains(&bytes);
        if is_usual && self.own.get().is_none() {
            return &self.shared;
        }
        let most = usize::try_from(share).unwrap_or(usize::MAX).max(MOST_BYTES);
        let own = self.own.get_or_init(|| Table::new(most));
        own.keep_within(share);
        own
    }

    /// Keeps what is found in this memory from now on, and recalls from it first.
    pub(crate) fn remember(&mut self, memory: Arc<dyn Memory>) {
        self.memory = Some(memory);
    }

    /// Whether a position with these strings is one that can be searched; its coins are 1, 2, …,
    /// and 0 is the ground.
    pub(crate) fn fits(strings: impl Iterator<Item = [u32; 2]>) -> bool {
        !matches!(reduce(strings), Reduced::TooLarge)
    }

    /// The value of a position with these strings, or whether it is this `nimber`; none if
    /// it does not fit.
    pub(crate) fn search(
        &self,
        strings: impl Iterator<Item = [u32; 2]>,
        nimber: Option<u64>,
        work: &mut Work,
    ) -> Result<Option<Found>, Interrupted> {
        let (loose, graphs) = match reduce(strings) {
            Reduced::Moon => return Ok(Some(Found::Value(EntailingValue::Moon))),
            Reduced::TooLarge => return Ok(None),
            Reduced::Sum(loose, graphs) => (loose, graphs),
        };
        let parts = Part::all(&graphs);
        let mut sum = loose;
        if let Some((largest, smaller)) = parts.split_last() {
            for part in smaller {
                sum ^= self.value(part, work)?;
            }
            // No value is as large as what does not fit.
            let target = nimber.map(|nimber| u8::try_from(nimber).unwrap_or(u8::MAX) ^ sum);
            match target {
                Some(target) if !self.is(largest, target, 0, work)? => {
                    return Ok(Some(Found::Another));
                }
                Some(target) => sum ^= target,
                None => sum ^= self.value(largest, work)?,
            }
        }
        Ok(Some(Found::Value(EntailingValue::Nimber(u64::from(sum)))))
    }

    /// The value of a part.
    fn value(&self, part: &Part, work: &mut Work) -> Result<u8, Interrupted> {
        let mut value = 0;
        while !self.is(part, value, value.into(), work)? {
            value += 1;
        }
        Ok(value)
    }

    /// Whether the value of a part is this, after this many other questions about it. One thread
    /// finds out, and another one helps it if it takes long.
    fn is(
        &self,
        part: &Part,
        value: u8,
        question: u32,
        work: &mut Work,
    ) -> Result<bool, Interrupted> {
        let bytes = work.limits().bytes;
        work.hold(LEAST_BYTES)?;
        let table = self.table(bytes);
        let known = Knowledge::new(table, self.memory.as_deref());
        let beside = bytes.saturating_sub(table.most_bytes());
        let for_questions = (table.most_bytes() / FOR_QUESTIONS).min(beside);
        let tree = Mutex::new(Tree::new(known, part, value, for_questions, self.depth));
        let (done, broken) = (Done::default(), Done::default());
        let helped = AtomicU64::new(0);
        let (tree, done, broken, helped) = (&tree, &done, &broken, &helped);
        let help = || {
            let mut pace = |more: u64| {
                helped.fetch_add(more, Ordering::Relaxed);
                let stop = done.0.load(Ordering::Relaxed);
                if stop { Err(Interrupted::Stopped) } else { Ok(()) }
            };
            // What it was at would never be answered. The work ends with a panic too.
            let _guard = AtAPanic(broken);
            // What it finds is in the tree; its result does not matter.
            let _ = proof::answer(tree, &mut Search::new(known, &mut pace), true);
        };
        threads::helped(help, |call_help| {
            let mut alone = threads::count() > 1;
            let mut visited = 0;
            let mut pace = |more: u64| {
                visited += more;
                if alone && visited >= ALONE {
                    alone = false;
                    call_help();
                }
                if broken.0.load(Ordering::Relaxed) {
                    return Err(Interrupted::Stopped);
                }
                work.count_all(more + helped.swap(0, Ordering::Relaxed))?;
                let (kept, filled) = table.filled();
                let (visited, answered) = (work.used(), proof::answered(tree));
                work.report(Progress::Searching { visited, kept, filled, question, answered })
            };
            // However this thread ends, the other one need not go on.
            let _ends = done.at_the_end();
            let mut search = Search::new(known, &mut pace);
            let found = proof::answer(tree, &mut search, false)?;
            search.count_the_rest()?;
            Ok(found)
        })
    }
}
