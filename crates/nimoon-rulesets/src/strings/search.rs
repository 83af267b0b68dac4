//! Whether the value of a graph is n, by search.

use std::time::Duration;

use nimoon::limits::Interrupted;

use super::canonical::{Coder, unpack};
use super::cost::{Costs, KNOWN, cost};
use super::graph::{Chain, Graph, joints};
use super::knowledge::Knowledge;
use super::table::{Known, hash_of};

/// How many positions are visited from one report to the next.
const PACE: u64 = 1024;

/// How long a thread waits that has nothing to do.
const WAIT: Duration = Duration::from_micros(200);

/// A connected part, on its own.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) hash: u64,
    pub(super) code: Box<[u8]>,
    pub(super) cost: i32,
}

impl Part {
    #[cfg(test)]
    pub(super) fn of_code(code: Vec<u8>) -> Self {
        Self { hash: hash_of(&code), code: code.into(), cost: 0 }
    }

    /// 0 or 1, whichever is more often the value of such a graph.
    pub(super) fn likely(&self) -> u8 {
        likely(unpack(&self.code).last(), self.code[0])
    }

    /// The parts of a sum that are not there twice, the largest last.
    pub(super) fn all(graphs: &[Graph]) -> Vec<Self> {
        let mut coder = Coder::default();
        let parts = graphs.iter().map(|graph| {
            let mut code = Vec::new();
            let joints = joints(&graph.chains);
            coder.code(&graph.chains, joints, &mut code);
            Self { hash: hash_of(&code), code: code.into(), cost: cost(&graph.chains) }
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

/// 0 or 1, whichever is more often the value of a graph with this many chains, of which this is the
/// last in the order of its code.
fn likely(last: Option<Chain>, chains: u8) -> u8 {
    let joints = last.map_or(0, |chain| chain.ends()[1]);
    (1 + joints + chains) & 1
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
    /// The chains that can be cut, with what it costs to search the option, the least first.
    cuts: Vec<(i32, u32)>,
    /// How many of them were cut.
    cut: usize,
    /// 0 or 1, whichever is more often the value of such a graph.
    likely: u8,
    /// Options to search, the most promising first.
    queue: Vec<(i32, u64, u32)>,
}

impl Options {
    /// Begins with the graph of this code, and no options yet; `after` is room for what is left
    /// after a cut.
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
        self.likely = likely(self.graph.chains.last().copied(), code[0]);
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

/// Receives now and then how many more positions were visited.
type Pace<'a> = dyn FnMut(u64) -> Result<(), Interrupted> + 'a;

/// Why a question has no answer.
enum Unanswered {
    /// It takes more positions than it was given.
    Late,
    /// The time has ended, or the work was cancelled.
    Interrupted(Interrupted),
}

impl From<Interrupted> for Unanswered {
    fn from(interrupted: Interrupted) -> Self {
        Self::Interrupted(interrupted)
    }
}

/// What an option leaves, as one part beside a nimber.
#[derive(Clone, Debug)]
pub(super) struct Beside {
    /// The largest part; none if nothing else is left.
    pub(super) part: Option<Part>,
    /// The nim-sum of all others.
    pub(super) nimber: u8,
}

/// A search by one thread.
pub(super) struct Search<'a> {
    known: Knowledge<'a>,
    coder: Coder,
    after: Graph,
    spare: Vec<Options>,
    /// Graphs whose options were found.
    visited: u64,
    /// How many they may be before the current question has to wait.
    most: u64,
    pace: &'a mut Pace<'a>,
}

impl<'a> Search<'a> {
    pub(super) fn new(known: Knowledge<'a>, pace: &'a mut Pace<'a>) -> Self {
        Self {
            known,
            coder: Coder::default(),
            after: Graph::default(),
            spare: Vec::new(),
            visited: 0,
            most: u64::MAX,
            pace,
        }
    }

    /// How many graphs' options were found.
    pub(super) fn visited(&self) -> u64 {
        self.visited
    }

    /// Counts what was visited since the last report.
    pub(super) fn count_the_rest(&mut self) -> Result<(), Interrupted> {
        (self.pace)(self.visited % PACE)
    }

    /// Waits a little for what another thread finds.
    pub(super) fn wait(&mut self) -> Result<(), Interrupted> {
        std::thread::sleep(WAIT);
        (self.pace)(0)
    }

    /// Whether the value of a part is this, if this many positions are enough to decide.
    pub(super) fn is(
        &mut self,
        part: &Part,
        value: u8,
        most: u64,
    ) -> Result<Option<bool>, Interrupted> {
        self.most = self.visited.saturating_add(most);
        let found = self.has_value(part.hash, &part.code, value);
        self.most = u64::MAX;
        match found {
            Ok(answer) => Ok(Some(answer)),
            Err(Unanswered::Late) => Ok(None),
            Err(Unanswered::Interrupted(interrupted)) => Err(interrupted),
        }
    }

    /// The options of a part. Where one splits, the values of all but the largest part are found.
    pub(super) fn options(&mut self, part: &Part) -> Result<Vec<Beside>, Interrupted> {
        // It takes as long as some positions of the depth-first search, so the clock is checked
        // each time.
        self.visited += 1;
        (self.pace)(if self.visited.is_multiple_of(PACE) { PACE } else { 0 })?;
        let mut options = self.spare.pop().unwrap_or_default();
        options.begin(&part.code, &mut self.after);
        self.expand(&mut options, []);
        let choices = options.choices.iter();
        let beside = choices.map(|&choice| self.beside(&options, choice)).collect();
        self.spare.push(options);
        match beside {
            Ok(beside) => Ok(beside),
            Err(Unanswered::Interrupted(interrupted)) => Err(interrupted),
            // Only a search with a limit reports that it was hit.
            Err(Unanswered::Late) => Err(Interrupted::Stopped),
        }
    }

    fn beside(&mut self, options: &Options, choice: Choice) -> Result<Beside, Unanswered> {
        let mut nimber = choice.loose;
        let Some((&last, smaller)) = options.parts(choice).split_last() else {
            return Ok(Beside { part: None, nimber });
        };
        for &part in smaller {
            nimber ^= self.value_of(part.hash, options.code(part))?;
        }
        let part = Part { hash: last.hash, code: options.code(last).into(), cost: last.cost };
        Ok(Beside { part: Some(part), nimber })
    }

    fn value_of(&mut self, hash: u64, code: &[u8]) -> Result<u8, Unanswered> {
        let mut value = 0;
        while !self.has_value(hash, code, value)? {
            value += 1;
        }
        Ok(value)
    }

    /// Whether the graph with this code has this value.
    fn has_value(&mut self, hash: u64, code: &[u8], value: u8) -> Result<bool, Unanswered> {
        let known = self.known.get(hash, code);
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
    ) -> Result<bool, Unanswered> {
        if self.known.recall(hash, code) {
            return self.has_value(hash, code, value);
        }
        // A value is at most the number of chains, with which the code begins.
        if code[0] < value {
            return Ok(false);
        }
        let before = self.visited;
        self.visited += 1;
        if self.visited.is_multiple_of(PACE) {
            (self.pace)(PACE)?;
        }
        if self.visited > self.most {
            return Err(Unanswered::Late);
        }
        options.begin(code, &mut self.after);
        let found = self.decide(hash, code, value, options, before);
        self.known.keep(hash, code, self.visited - before);
        found
    }

    fn decide(
        &mut self,
        hash: u64,
        code: &[u8],
        value: u8,
        options: &mut Options,
        before: u64,
    ) -> Result<bool, Unanswered> {
        // Two things rule out 1: that no option has the value 0, for which all must be searched,
        // and that one has the value 1. Where the value is likely to be 0 the second is tried
        // first.
        if value == 1 && options.likely == 0 && !self.known.get(hash, code).excludes(0) {
            let met = self.expand(options, [value; 2]).is_some();
            if met || self.some_is(options, value)? {
                self.put(hash, code, Known::default().but_not(value), before);
                return Ok(false);
            }
        }
        for smaller in 0..=value {
            let known = self.known.get(hash, code);
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
        self.known.put(hash, code, known, self.visited - before);
    }

    /// Whether some option has this value.
    fn some_is(&mut self, options: &mut Options, value: u8) -> Result<bool, Unanswered> {
        options.queue.clear();
        for number in 0..options.choices.len() {
            let choice = options.choices[number];
            let mut target = value ^ choice.loose;
            let parts = options.parts(choice);
            let mut cost = 0;
            let mut last = Known::default();
            let mut unknown = 0;
            for &part in parts {
                let known = self.known.get(part.hash, options.code(part));
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
                _ => options.queue.push((cost, choice.mark, number as u32)),
            }
        }
        options.queue.sort_unstable();
        for place in 0..options.queue.len() {
            let choice = options.choices[options.queue[place].2 as usize];
            let mut target = value ^ choice.loose;
            let Some((&last, smaller)) = options.parts(choice).split_last() else { continue };
            for &part in smaller {
                target ^= self.value_of(part.hash, options.code(part))?;
            }
            if self.has_value(last.hash, options.code(last), target)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Finds more options, all that are left unless one of them is known to have one of these
    /// values: then that value.
    fn expand<const N: usize>(&mut self, options: &mut Options, values: [u8; N]) -> Option<u8> {
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
            Some(sum ^ self.known.get(part.hash, options.code(part)).exact()?)
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
