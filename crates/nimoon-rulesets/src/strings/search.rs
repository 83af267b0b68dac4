//! Whether the value of a graph is n, by search.

use nimoon::effort::Interrupted;
use nimoon::memory::Memory;

use super::canonical::{Coder, unpack};
use super::cost::{Costs, KNOWN, cost};
use super::graph::{Graph, joints};
use super::table::{Known, Table, Work, hash_of};
use super::{NAME_IN_MEMORY, PACKED};

/// How many positions are looked at from one report to the next.
const PACE: u64 = 1024;

/// What took fewer positions is found again sooner than it is asked for.
const WORTH_KEEPING: u64 = 256;

/// Graphs with fewer chains are not asked for in the memory.
const LARGE: usize = 12;

/// A connected part, on its own.
#[derive(Clone, Debug)]
pub(super) struct Part {
    hash: u64,
    code: Vec<u8>,
    cost: i32,
}

impl Part {
    #[cfg(test)]
    pub(super) fn of_code(code: Vec<u8>) -> Self {
        Self { hash: hash_of(&code), code, cost: 0 }
    }

    /// The parts of a sum that are not there twice, the largest last.
    pub(super) fn all(graphs: &[Graph]) -> Vec<Self> {
        let mut coder = Coder::default();
        let parts = graphs.iter().map(|graph| {
            let mut code = Vec::new();
            let joints = joints(&graph.chains);
            coder.code(&graph.chains, joints, &mut code);
            Self { hash: hash_of(&code), code, cost: cost(&graph.chains) }
        });
        let mut parts: Vec<_> = parts.collect();
        parts.sort_unstable_by(|a, b| a.cost.cmp(&b.cost).then_with(|| a.code.cmp(&b.code)));
        let mut kept: Vec<Self> = Vec::new();
        for part in parts {
            if kept.last().is_some_and(|last| last.code == part.code) {
                kept.pop();
            } else {
                kept.push(part);
            }
        }
        kept
    }
}

/// A connected part of what an option leaves.
#[derive(Clone, Copy, Debug)]
struct Left {
    /// Where its code is.
    start: u32,
    end: u32,
    hash: u64,
    cost: i32,
}

/// What an option leaves: parts, and the nim-sum of what has no joints.
#[derive(Clone, Copy, Debug)]
struct Choice {
    first: u32,
    end: u32,
    loose: u8,
    /// The sum of the hashes of the parts.
    mark: u64,
}

/// The options of a graph that were found so far, each once.
#[derive(Debug, Default)]
struct Options {
    codes: Vec<u8>,
    parts: Vec<Left>,
    choices: Vec<Choice>,
    graph: Graph,
    costs: Costs,
    /// The chains that can be cut, with what the option costs to ask, the least first.
    cuts: Vec<(i32, u32)>,
    /// How many of them were cut.
    cut: usize,
    /// 0 or 1, whichever is more often the value of such a graph.
    likely: u8,
    /// Options to ask, the most promising first.
    asked: Vec<(i32, u64, u32)>,
}

impl Options {
    /// Begins with the graph of this code, and no options yet; `after` is room for what is left after
    /// a cut.
    fn begin(&mut self, code: &[u8], after: &mut Graph) {
        self.codes.clear();
        self.parts.clear();
        self.choices.clear();
        self.graph.set(unpack(code));
        self.cuts.clear();
        self.cut = 0;
        self.costs.begin(&self.graph);
        for (place, &chain) in self.graph.chains.iter().enumerate() {
            // Chains are sorted, so that equal ones stand side by side.
            let again = place > 0 && self.graph.chains[place - 1] == chain;
            if !again && self.graph.can_be_cut(chain) {
                let cost = self.costs.without(&self.graph, place, after);
                self.cuts.push((cost, place as u32));
            }
        }
        self.cuts.sort_unstable();
        let joints = self.graph.chains.last().map_or(0, |chain| chain.ends()[1]);
        self.likely = (1 + joints + self.graph.chains.len() as u8) & 1;
    }

    fn code(&self, part: Left) -> &[u8] {
        &self.codes[part.start as usize..part.end as usize]
    }

    fn parts(&self, choice: Choice) -> &[Left] {
        &self.parts[choice.first as usize..choice.end as usize]
    }

    fn is_same(&self, one: Choice, other: Choice) -> bool {
        one.mark == other.mark
            && one.loose == other.loose
            && one.end - one.first == other.end - other.first
            && self
                .parts(one)
                .iter()
                .zip(self.parts(other))
                .all(|(&a, &b)| self.code(a) == self.code(b))
    }
}

/// Who is told how far a search is.
type Pace<'a> = dyn FnMut(u64, u32, u16) -> Result<(), Interrupted> + 'a;

/// A search by one thread.
pub(super) struct Search<'a> {
    table: &'a Table,
    coder: Coder,
    after: Graph,
    spare: Vec<Options>,
    /// Graphs whose options were found.
    looked_at: u64,
    /// The way down to where the search is: how many options were asked, and how many are to be.
    way: Vec<[u32; 2]>,
    /// How many questions were asked, apart from those that others led to.
    questions: u32,
    /// Told now and then how many more were looked at, the number of the question, and how much of it
    /// is answered, in thousandths.
    pace: &'a mut Pace<'a>,
    memory: Option<&'a dyn Memory>,
    /// Whether this thread helps another one.
    helps: bool,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        table: &'a Table,
        memory: Option<&'a dyn Memory>,
        helps: bool,
        pace: &'a mut Pace<'a>,
    ) -> Self {
        Self {
            table,
            coder: Coder::default(),
            after: Graph::default(),
            spare: Vec::new(),
            looked_at: 0,
            way: Vec::new(),
            questions: 0,
            pace,
            memory,
            helps,
        }
    }

    /// Counts what was looked at since the last report.
    pub(super) fn count_the_rest(&mut self) -> Result<(), Interrupted> {
        (self.pace)(self.looked_at % PACE, self.questions, 1000)
    }

    /// The value of a part.
    pub(super) fn value(&mut self, part: &Part) -> Result<u8, Interrupted> {
        self.value_of(part.hash, &part.code)
    }

    /// Whether the value of a part is this.
    pub(super) fn is(&mut self, part: &Part, value: u8) -> Result<bool, Interrupted> {
        self.asked(part.hash, &part.code, value)
    }

    fn value_of(&mut self, hash: u64, code: &[u8]) -> Result<u8, Interrupted> {
        let mut value = 0;
        while !self.asked(hash, code, value)? {
            value += 1;
            self.questions += u32::from(self.way.is_empty());
        }
        Ok(value)
    }

    /// Whether the graph with this code has this value.
    fn asked(&mut self, hash: u64, code: &[u8], value: u8) -> Result<bool, Interrupted> {
        let known = self.table.get(hash, code);
        if let Some(exact) = known.exact() {
            return Ok(exact == value);
        }
        if known.excludes(value) {
            return Ok(false);
        }
        let mut options = self.spare.pop().unwrap_or_default();
        let found = self.look(hash, code, value, &mut options);
        self.spare.push(options);
        found
    }

    fn look(
        &mut self,
        hash: u64,
        code: &[u8],
        value: u8,
        options: &mut Options,
    ) -> Result<bool, Interrupted> {
        if self.recall(hash, code) {
            return self.asked(hash, code, value);
        }
        // A value is no more than the number of chains, with which the code begins.
        if code[0] < value {
            return Ok(false);
        }
        let before = self.looked_at;
        self.looked_at += 1;
        if self.looked_at.is_multiple_of(PACE) {
            let answered = self.answered();
            (self.pace)(PACE, self.questions, answered)?;
        }
        options.begin(code, &mut self.after);
        let found = self.decide(hash, code, value, options, before);
        if self.looked_at - before >= WORTH_KEEPING {
            self.keep(hash, code);
        }
        found
    }

    /// How much of the question is answered, in thousandths, as if all options took as long.
    fn answered(&self) -> u16 {
        let share = |within: u32, &[asked, of]: &[u32; 2]| (1000 * asked + within) / of;
        self.way.iter().rev().fold(0, share) as u16
    }

    fn decide(
        &mut self,
        hash: u64,
        code: &[u8],
        value: u8,
        options: &mut Options,
        before: u64,
    ) -> Result<bool, Interrupted> {
        // Two things rule out 1: that no option has the value 0, for which all must be asked, and that
        // one has the value 1. Where the value is likely to be 0 the second is tried first.
        if value == 1 && options.likely == 0 && !self.table.get(hash, code).excludes(0) {
            let met = self.expand(options, [value; 2]).is_some();
            if met || self.some_is(options, value)? {
                self.put(hash, code, Known::default().but_not(value), before);
                return Ok(false);
            }
        }
        for smaller in 0..=value {
            let known = self.table.get(hash, code);
            if let Some(exact) = known.exact() {
                return Ok(exact == value);
            }
            if known.excludes(smaller) {
                continue;
            }
            match self.expand(options, [smaller, value]) {
                Some(met) if met == smaller => {}
                Some(_) => {
                    self.put(hash, code, known.but_not(value), before);
                    return Ok(false);
                }
                // All options are found now. A value is no more than their number.
                None if options.choices.len() < usize::from(value) => return Ok(false),
                None => {
                    if !self.some_is(options, smaller)? {
                        self.put(hash, code, Known::value(smaller), before);
                        return Ok(smaller == value);
                    }
                }
            }
            self.put(hash, code, known.but_not(smaller), before);
        }
        Ok(false)
    }

    /// Keeps what was found by looking at all positions since there were so many.
    fn put(&self, hash: u64, code: &[u8], known: Known, before: u64) {
        self.table.put(hash, code, known, Work::of(self.looked_at - before));
    }

    /// Whether some option has this value.
    fn some_is(&mut self, options: &mut Options, value: u8) -> Result<bool, Interrupted> {
        options.asked.clear();
        for number in 0..options.choices.len() {
            let choice = options.choices[number];
            let mut target = value ^ choice.loose;
            let parts = options.parts(choice);
            let mut cost = 0;
            let mut last = Known::default();
            let mut unknown = 0;
            for &part in parts {
                let known = self.table.get(part.hash, options.code(part));
                if let Some(exact) = known.exact() {
                    target ^= exact;
                } else {
                    unknown += 1;
                    last = known;
                    cost += part.cost;
                    cost -= if known == Known::default() { 0 } else { KNOWN };
                }
            }
            match unknown {
                0 if target == 0 => return Ok(true),
                0 => {}
                1 if last.excludes(target) => {}
                _ => options.asked.push((cost, choice.mark, number as u32)),
            }
        }
        options.asked.sort_unstable();
        // Where most likely no option has the value, all are to be asked: then the helper begins at
        // the other end. Elsewhere both look at the same option, and the helper at other ones of that.
        let all = value == options.likely;
        if self.helps && all {
            options.asked.reverse();
        }
        let depth = self.way.len();
        for place in 0..options.asked.len() {
            let (asked, of) = (place as u32, options.asked.len() as u32);
            self.way.truncate(depth);
            self.way.push([asked, if all { of } else { asked + 1 }]);
            let choice = options.choices[options.asked[place].2 as usize];
            let mut target = value ^ choice.loose;
            let Some((&last, smaller)) = options.parts(choice).split_last() else { continue };
            for &part in smaller {
                target ^= self.value_of(part.hash, options.code(part))?;
            }
            if self.asked(last.hash, options.code(last), target)? {
                self.way.truncate(depth);
                return Ok(true);
            }
        }
        self.way.truncate(depth);
        Ok(false)
    }

    /// Asks the memory for what the table does not know; whether it knew more.
    fn recall(&self, hash: u64, code: &[u8]) -> bool {
        let Some(memory) = self.memory else { return false };
        if usize::from(code[0]) < LARGE {
            return false;
        }
        let Some(&[byte]) = memory.recall(NAME_IN_MEMORY, &key(code)).as_deref() else {
            return false;
        };
        let known = self.table.get(hash, code);
        let more = Known::from_byte(byte).with(known);
        if more == known {
            return false;
        }
        self.table.put(hash, code, more, Work::of(WORTH_KEEPING));
        true
    }

    /// Gives the memory what it took long to find out.
    fn keep(&self, hash: u64, code: &[u8]) {
        if let Some(memory) = self.memory {
            let known = self.table.get(hash, code);
            if known != Known::default() && usize::from(code[0]) >= LARGE {
                memory.keep(NAME_IN_MEMORY, &key(code), &[known.byte()]);
            }
        }
    }

    /// Finds more options, all that are left unless one of them is known to have one of these
    /// values: then that value.
    fn expand(&mut self, options: &mut Options, values: [u8; 2]) -> Option<u8> {
        while let Some(&(cost, place)) = options.cuts.get(options.cut) {
            options.cut += 1;
            self.after.copy(&options.graph);
            self.after.cut(place as usize);
            if self.add(options, cost)
                && let Some(known) = self.known(options)
                && values.contains(&known)
            {
                return Some(known);
            }
        }
        None
    }

    /// The value of the last option, if it is known.
    fn known(&self, options: &Options) -> Option<u8> {
        let &choice = options.choices.last()?;
        options.parts(choice).iter().try_fold(choice.loose, |sum, &part| {
            Some(sum ^ self.table.get(part.hash, options.code(part)).exact()?)
        })
    }

    /// Adds what is left after a cut to the options, with what all of it costs; whether it was not
    /// among them.
    fn add(&mut self, options: &mut Options, whole: i32) -> bool {
        let first = options.parts.len();
        let coder = &mut self.coder;
        let all = self.after.chains.len();
        self.after.parts(|chains, joints| {
            let start = options.codes.len();
            coder.code(chains, joints, &mut options.codes);
            let cost = if chains.len() == all { whole } else { cost(chains) };
            let hash = hash_of(&options.codes[start..]);
            let (start, end) = (start as u32, options.codes.len() as u32);
            options.parts.push(Left { start, end, hash, cost });
        });
        let Options { codes, parts, .. } = options;
        if parts.len() > first + 1 {
            let code = |part: &Left| &codes[part.start as usize..part.end as usize];
            parts[first..]
                .sort_unstable_by(|a, b| a.cost.cmp(&b.cost).then_with(|| code(a).cmp(code(b))));
            // Two equal parts are worth nothing.
            let mut kept = first;
            for place in first..parts.len() {
                if kept > first && code(&parts[kept - 1]) == code(&parts[place]) {
                    kept -= 1;
                } else {
                    parts[kept] = parts[place];
                    kept += 1;
                }
            }
            parts.truncate(kept);
        }
        let mark = parts[first..].iter().fold(0, |sum: u64, part| sum.wrapping_add(part.hash));
        let (first, end) = (first as u32, parts.len() as u32);
        let choice = Choice { first, end, loose: self.after.loose, mark };
        if options.choices.iter().any(|&other| options.is_same(other, choice)) {
            options.parts.truncate(first as usize);
            return false;
        }
        options.choices.push(choice);
        true
    }
}

/// By what the memory knows a code.
fn key(code: &[u8]) -> Vec<u8> {
    [&[PACKED], code].concat()
}
