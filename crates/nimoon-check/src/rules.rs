//! Rulesets with rules so short that they are repeated here.
//!
//! A node has the name of its position: heaps of one ruleset joined by ` + `, such as `kayles:4 +
//! kayles:4`, or `no moves`. A gray node after an entailing move is `answer in A` or `answer in A
//! beside B`, one on the way of a carry-on move is `move again: A`. Heaps without moves do not
//! count, in a name or not. For the rulesets known here, the checker computes the options of every
//! node again and compares them. The options of other rulesets are taken as given. So are those of
//! scripts, which may replace any ruleset by having its name.

use std::collections::HashMap;

use crate::format::{Digraph, counted, printable, quoted};
use crate::watch::{Unproved, Watch};

/// The most digits of a code, as the engine has it.
const MOST_DIGITS: usize = 257;

/// The rules of heaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Rules {
    /// Take any number.
    Nim,
    /// Take one of these numbers.
    Subtraction(Vec<u64>),
    /// Digit k: what may be left if k tokens are taken: 1 nothing, 2 one heap, 4 two, 8 three.
    Code(Vec<u64>),
    /// Split into two unequal heaps.
    Grundy,
    /// Split into two, or take the top token, which must be answered in the same heap.
    TopEntails,
}

/// A move in a heap: the heaps that are left, at most three, and whether the move must be answered
/// there. Empty heaps do not count.
#[derive(Clone, Copy)]
pub(crate) struct Move {
    pub(crate) leaves: [u64; 3],
    pub(crate) entails: bool,
}

impl Rules {
    /// The rules of a ruleset, if it is one of these.
    pub(crate) fn of(ruleset: &str) -> Option<Self> {
        let code = match ruleset {
            "nim" => return Some(Self::Nim),
            "grundys-game" => return Some(Self::Grundy),
            "top-entails" => return Some(Self::TopEntails),
            "kayles" => "0.77",
            "dawsons-kayles" => "0.07",
            "dawsons-chess" => "0.137",
            "treblecross" => "0.007",
            "guiles" => "0.15",
            "officers" => "0.6",
            _ => "",
        };
        let parameters =
            |name: &str| ruleset.strip_prefix(name)?.strip_prefix('[')?.strip_suffix(']');
        if let Some(set) = parameters("subtraction") {
            let set: Result<Vec<u64>, _> = set.split(',').map(str::parse).collect();
            return set.ok().filter(|set| !set.contains(&0)).map(Self::Subtraction);
        }
        let octal = if code.is_empty() { parameters("octal") } else { Some(code) };
        let (code, radix) = match octal {
            Some(code) => (code, 8),
            None => (parameters("hexadecimal")?, 16),
        };
        let (before, behind) = code.split_once('.')?;
        let digits: Option<Vec<u64>> = before
            .chars()
            .chain(behind.chars())
            .map(|c| c.to_digit(radix).map(u64::from))
            .collect();
        // A move that takes no token must split the heap. The number of digits bounds the time for
        // a heap.
        let digits = digits.filter(|digits| {
            before.len() == 1 && digits[0].is_multiple_of(4) && digits.len() <= MOST_DIGITS
        });
        digits.map(Self::Code)
    }

    /// Visits all moves in a heap, up to the first error.
    pub(crate) fn for_each_move<E>(
        &self,
        heap: u64,
        mut visit: impl FnMut(Move) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut add = |leaves| visit(Move { leaves, entails: false });
        match self {
            Self::Nim => (0..heap).try_for_each(|left| add([left, 0, 0])),
            Self::Subtraction(set) => {
                let mut taken = set.iter().filter(|&&taken| taken <= heap);
                taken.try_for_each(|taken| add([heap - taken, 0, 0]))
            }
            Self::Grundy => (1..heap.div_ceil(2)).try_for_each(|a| add([a, heap - a, 0])),
            Self::Code(digits) => {
                for (left, &digit) in (0..=heap).rev().zip(digits) {
                    if digit & 1 != 0 && left == 0 || digit & 2 != 0 && left > 0 {
                        add([left, 0, 0])?;
                    }
                    if digit & 4 != 0 {
                        (1..=left / 2).try_for_each(|a| add([a, left - a, 0]))?;
                    }
                    if digit & 8 != 0 {
                        for a in 1..=left / 3 {
                            let rest = left - a;
                            (a..=rest / 2).try_for_each(|b| add([a, b, rest - b]))?;
                        }
                    }
                }
                Ok(())
            }
            Self::TopEntails => {
                (1..=heap / 2).try_for_each(|a| add([a, heap - a, 0]))?;
                let entails = Move { leaves: [heap.saturating_sub(1), 0, 0], entails: true };
                if heap > 0 { visit(entails) } else { Ok(()) }
            }
        }
    }

    fn has_moves(&self, heap: u64) -> bool {
        match self {
            Self::Nim | Self::TopEntails => heap > 0,
            Self::Subtraction(set) => set.iter().any(|&taken| taken <= heap),
            Self::Grundy => heap > 2,
            Self::Code(digits) => (0..=heap).rev().zip(digits).any(|(left, digit)| {
                let enough = [(1, left == 0), (2, left > 0), (4, left > 1), (8, left > 2)];
                enough.iter().any(|&(part, enough)| digit & part != 0 && enough)
            }),
        }
    }

    /// Heaps with moves, in order.
    fn alive(&self, mut heaps: Vec<u64>) -> Vec<u64> {
        heaps.retain(|&heap| self.has_moves(heap));
        heaps.sort_unstable();
        heaps
    }
}

/// The position of a node: the ruleset, the heaps in which an answer is due, if any, and the other
/// heaps.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Position {
    ruleset: String,
    due: Option<Vec<u64>>,
    heaps: Vec<u64>,
}

/// Heaps of one ruleset; none if the name is not that of heaps.
fn heaps(name: &str) -> Option<(String, Vec<u64>)> {
    if name == NO_MOVES {
        return Some((String::new(), Vec::new()));
    }
    let mut ruleset = None;
    let mut heaps = Vec::new();
    for part in name.split(" + ") {
        let (part_of, heap) = part.rsplit_once(':').filter(|(of, _)| !of.is_empty())?;
        if *ruleset.get_or_insert(part_of) != part_of {
            return None;
        }
        heaps.push(heap.parse().ok()?);
    }
    Some((ruleset?.to_owned(), heaps))
}

/// The name of a position in which nobody can move.
const NO_MOVES: &str = "no moves";

/// Larger heaps are not checked: their options could not be listed.
const LARGEST: u64 = 1 << 20;

/// Compares the options of all nodes of known rulesets with the rules, and returns the assumptions.
pub(crate) fn check(
    digraph: &Digraph,
    rulesets: &[String],
    scripts: &[String],
    watch: &Watch,
) -> Result<Vec<String>, Unproved> {
    /// The bytes of a node here, without its heaps.
    const EACH: usize = 3 * size_of::<Position>();
    let mut known: HashMap<&str, Rules> = HashMap::new();
    let mut given = Vec::new();
    for ruleset in rulesets {
        match Rules::of(ruleset) {
            Some(rules) => drop(known.insert(ruleset, rules)),
            None => given.push(format!("that the options of {} are those listed", quoted(ruleset))),
        }
    }
    for (i, script) in scripts.iter().enumerate() {
        if rulesets.contains(script) {
            let reason = format!("{} is among the rulesets already", quoted(script));
            return Err(Unproved::wrong(format!("scripts[{i}]"), reason));
        }
        given.push(format!("that the options of the script {} are those listed", quoted(script)));
    }
    // Two nodes may be the same position, such as `nim:1 + nim:2` and `nim:2 + nim:1`: both have
    // one node for each option of the position, and no other, so that play is the same.
    watch.hold(digraph.len().saturating_mul(EACH))?;
    let mut positions: HashMap<Position, u32> = HashMap::new();
    let mut found: Vec<Option<Position>> = Vec::with_capacity(digraph.len());
    for node in digraph.nodes() {
        watch.step(1 + digraph.names.get(node as usize).map_or(0, String::len))?;
        let position = position(digraph, &known, node);
        positions.extend(position.clone().map(|position| (position, node)));
        found.push(position);
    }
    let unknown: Vec<&String> =
        rulesets.iter().filter(|&name| !known.contains_key(&**name)).chain(scripts).collect();
    let mut other = 0;
    for node in digraph.nodes() {
        let Some(position) = &found[node as usize] else {
            let name = digraph.name(node);
            // Some notations describe more than heaps, and a name may be any text.
            if !unknown.iter().any(|ruleset| is_of(&name, ruleset)) {
                other += 1;
                if other <= 3 {
                    let name = quoted(&name);
                    given.push(format!("that the options of {name} are those listed"));
                }
            }
            continue;
        };
        let mut wanted = match known.get(position.ruleset.as_str()) {
            Some(rules) => options(rules, position, &positions, watch)?,
            None => Some(Vec::new()),
        };
        if let Some(wanted) = &mut wanted {
            wanted.sort_unstable();
            wanted.dedup();
        }
        let mut listed = digraph.options.row(node).to_vec();
        listed.sort_unstable();
        if wanted.as_ref() != Some(&listed) {
            return Err(digraph.reject("options", node, "the rules give other options"));
        }
    }
    if other > 3 {
        let more = counted(other - 3, "more position");
        given.push(format!("the same about {more}"));
    }
    let mut names: Vec<String> = known.into_keys().map(printable).collect();
    names.sort_unstable();
    if !names.is_empty() {
        given.insert(
            0,
            format!("nothing about {}: the options were computed again", names.join(", ")),
        );
    }
    Ok(given)
}

/// Whether the name of a node is that of positions of a ruleset, or of a position without moves.
fn is_of(name: &str, ruleset: &str) -> bool {
    let name = name.strip_prefix("answer in ").unwrap_or(name);
    let name = name.strip_prefix("move again: ").unwrap_or(name);
    let position = name.strip_prefix(ruleset).and_then(|rest| rest.strip_prefix(':'));
    position.is_some() || name == NO_MOVES || name.starts_with("no moves beside ")
}

/// The position of a node, if it belongs to a known ruleset or has no moves.
fn position(digraph: &Digraph, known: &HashMap<&str, Rules>, node: u32) -> Option<Position> {
    let name = digraph.name(node);
    let (due, beside) = match name.strip_prefix("answer in ") {
        Some(due) => {
            let (due, beside) = due.split_once(" beside ").unwrap_or((due, NO_MOVES));
            (Some(heaps(due)?), heaps(beside)?)
        }
        None => (None, heaps(&name)?),
    };
    if due.is_some() != digraph.is_gray(node) {
        return None;
    }
    let (mut ruleset, heaps) = beside;
    let due = match due {
        Some((of, due)) => {
            if ruleset.is_empty() {
                ruleset = of;
            } else if !of.is_empty() && of != ruleset {
                return None;
            }
            Some(due)
        }
        None => None,
    };
    if ruleset.is_empty() {
        return Some(Position { ruleset, due, heaps });
    }
    let rules = known.get(ruleset.as_str())?;
    if heaps.iter().chain(due.iter().flatten()).any(|&heap| heap > LARGEST) {
        return None;
    }
    Some(normalized(rules, ruleset, due, heaps))
}

/// A position in the form that is compared: without heaps that have no moves, and without a ruleset
/// if no heap is left.
fn normalized(rules: &Rules, ruleset: String, due: Option<Vec<u64>>, heaps: Vec<u64>) -> Position {
    let due = due.map(|due| rules.alive(due));
    let heaps = rules.alive(heaps);
    let empty = heaps.is_empty() && due.as_ref().is_none_or(Vec::is_empty);
    Position { ruleset: if empty { String::new() } else { ruleset }, due, heaps }
}

/// Why the search for the options of a position ended.
enum Stop {
    /// An option is not a node.
    Missing,
    Unproved(Unproved),
}

impl From<Unproved> for Stop {
    fn from(unproved: Unproved) -> Self {
        Self::Unproved(unproved)
    }
}

/// The nodes of the options of a position; none if there is an option without a node. The search
/// ends at the first such option, since there may be far more options than nodes.
fn options(
    rules: &Rules,
    position: &Position,
    positions: &HashMap<Position, u32>,
    watch: &Watch,
) -> Result<Option<Vec<u32>>, Unproved> {
    let Position { ruleset, due, heaps } = position;
    let (movable, beside) = match due {
        Some(due) => (due, &heaps[..]),
        None => (heaps, &[][..]),
    };
    let mut options = Vec::new();
    for (i, &heap) in movable.iter().enumerate() {
        let others: Vec<u64> = [&movable[..i], &movable[i + 1..], beside].concat();
        let found = rules.for_each_move(heap, |Move { leaves, entails }| {
            watch.step(1 + others.len())?;
            let (due, heaps) = if entails {
                (Some(leaves.to_vec()), others.clone())
            } else {
                (None, [&leaves[..], &others].concat())
            };
            let option = normalized(rules, ruleset.clone(), due, heaps);
            options.push(*positions.get(&option).ok_or(Stop::Missing)?);
            Ok(())
        });
        match found {
            Ok(()) => {}
            Err(Stop::Missing) => return Ok(None),
            Err(Stop::Unproved(unproved)) => return Err(unproved),
        }
    }
    Ok(Some(options))
}
