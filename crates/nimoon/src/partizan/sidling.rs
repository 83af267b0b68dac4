//! Sidling: guesses at onsides that are never too low, and comparisons that show which are right.
//!
//! Put on in place of each vertex, then what its options then make, and so on. What stands for a
//! vertex falls, and never below its onside, since on is above everything and a game grows with its
//! options. So a stopper that stands for a vertex is its onside as soon as the vertex is seen to be
//! at least as large. That is a comparison with one stopper, which is mostly small, where the usual
//! way compares vertices with each other. Some vertices fall for ever, as 1, 1/2, 1/4, … do towards
//! over, and are left to the usual way.
//!
//! ## References
//! Sidling is from *Winning Ways*, chapter 11, where it continues until nothing changes.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::simplify::{RAW, Simplifier, local};
use super::stoppers::WITHIN;
use crate::limits::Interrupted;

/// A vertex that is visited more often than this hardly ever settles.
const LOOKS: u8 = 8;

/// What stands for the raw vertices from `base` on.
struct Sidling {
    base: usize,
    on: u32,
    guess: Vec<u32>,
    /// The vertices that have an option at this one.
    before: Vec<Vec<u32>>,
    looks: Vec<u8>,
    waiting: VecDeque<u32>,
    waits: Vec<bool>,
}

impl Simplifier<'_> {
    /// The onsides of standing vertices from `base` on, as far as sidling finds them.
    pub(super) fn sidle(
        &mut self,
        base: usize,
        standing: &[u32],
    ) -> Result<FxHashMap<u32, u32>, Interrupted> {
        let mut sidling = Sidling::new(self, base, standing);
        while !sidling.waiting.is_empty() {
            sidling.round(self)?;
        }
        let mut resting: Vec<(u32, u32)> = standing
            .iter()
            .filter_map(|&raw| {
                let place = local(raw, base)? as usize;
                (sidling.looks[place] < LOOKS).then_some((sidling.guess[place], raw))
            })
            .collect();
        // Stoppers that came first are small, and much of what is found out with them serves the
        // others.
        resting.sort_unstable();
        let mut found = FxHashMap::default();
        for (guess, raw) in resting {
            if self.ge(raw, guess)? {
                found.insert(raw, guess);
            }
        }
        Ok(found)
    }

    /// The onside of one of these vertices, if sidling soon finds it. They are all that the vertex
    /// leads to; `RAW` and a place stands for one of them, and nothing else is raw.
    ///
    /// What stands for the others in the end does not matter.
    pub(super) fn sidle_to(
        &mut self,
        vertices: Vec<[Vec<u32>; 2]>,
        vertex: u32,
    ) -> Result<Option<u32>, Interrupted> {
        /// After this, comparing all vertices may take no longer.
        const ROUNDS: usize = 8;
        let standing: Vec<u32> = (0..vertices.len() as u32).map(|place| RAW | place).collect();
        self.raw = vertices;
        let mut sidling = Sidling::new(self, 0, &standing);
        let mut answer = None;
        let mut refuted = None;
        for _ in 0..ROUNDS {
            let before = sidling.guess[vertex as usize];
            sidling.round(self)?;
            let guess = sidling.guess[vertex as usize];
            if guess == before && refuted != Some(guess) {
                if self.ge(RAW | vertex, guess)? {
                    answer = Some(guess);
                    break;
                }
                refuted = Some(guess);
            }
            if sidling.waiting.is_empty() {
                break;
            }
        }
        self.raw.clear();
        self.known.clear();
        Ok(answer)
    }
}

impl Sidling {
    fn new(simplifier: &mut Simplifier<'_>, base: usize, standing: &[u32]) -> Self {
        let count = simplifier.raw.len() - base;
        let on = simplifier.stoppers.cycle(&[[vec![WITHIN], vec![]]])[0];
        let places = || standing.iter().filter_map(|&raw| local(raw, base));
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); count];
        for from in places() {
            let both = &simplifier.raw[base + from as usize];
            for to in both.iter().flatten().filter_map(|&to| local(to, base)) {
                before[to as usize].push(from);
            }
        }
        Self {
            base,
            on,
            guess: vec![on; count],
            before,
            looks: vec![0; count],
            // What was met last is nearest to what is settled.
            waiting: places().rev().collect(),
            waits: vec![true; count],
        }
    }

    /// Visits each waiting vertex once. Those whose options change wait for the next round, but not
    /// for ever: then they keep their values.
    fn round(&mut self, simplifier: &mut Simplifier<'_>) -> Result<(), Interrupted> {
        for _ in 0..self.waiting.len() {
            let Some(vertex) = self.waiting.pop_front() else { break };
            let place = vertex as usize;
            self.waits[place] = false;
            self.looks[place] += 1;
            let options = simplifier.raw[self.base + place].each_ref().map(|list| {
                let known = |&to: &u32| match local(to, self.base) {
                    Some(to) => self.guess[to as usize],
                    // A vertex from before that could not be settled.
                    None if to & RAW != 0 => self.on,
                    None => to,
                };
                list.iter().map(known).collect()
            });
            let next = simplifier.stopper_of(options)?;
            if next == self.guess[place] {
                continue;
            }
            self.guess[place] = next;
            for &from in &self.before[place] {
                let from_place = from as usize;
                if !self.waits[from_place] && self.looks[from_place] < LOOKS {
                    self.waits[from_place] = true;
                    self.waiting.push_back(from);
                }
            }
        }
        Ok(())
    }
}
