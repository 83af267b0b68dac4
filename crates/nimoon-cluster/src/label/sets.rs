//! The numbers that carry-on moves reach, and the labels of the carry-on theory.
//!
//! When the levels are settled, every node knows the numbers that its own moves lead to, and those
//! that its own carry-on moves force on the opponent. Carry-on moves between nodes without a nimber
//! add the sets of their ends. Then white nodes have their labels, and gray nodes request those of
//! the ends of their chains.

use nimoon::impartial::theory::carry_on;
use nimoon::impartial::theory::chains::ChainMove;
use nimoon::impartial::theory::levels::Standing;
use nimoon::{AnyValue, Label, Nimbers, Theory, Value};
use rustc_hash::FxHashMap;

use crate::build::Share;
use crate::exchange::{Exchange, Outbox, Parcel};
use crate::label::chains::Moves;
use crate::label::levels::{Beyond, Levels, State};
use crate::label::{FIRST_OTHER, Labels, nimber};

/// A node and two words of 64 bits: five words.
const MASKS: u32 = 0;
/// A node, a number from 64 on, and whether it is forced: three words.
const NUMBER: u32 = 1;

/// The sets of white nodes, from which the labels follow.
pub(crate) struct Sets<'a> {
    share: &'a Share,
    moves: Moves,
    states: Vec<State>,
    beyond: FxHashMap<u32, Beyond>,
    /// Nodes whose words have changed, and new numbers.
    changed: Vec<u32>,
    new: Vec<(u32, u32, u32)>,
}

impl<'a> Sets<'a> {
    pub(crate) fn new(share: &'a Share, levels: Levels<'_>) -> Self {
        let Levels { moves, states, beyond, .. } = levels;
        Self { share, moves, states, beyond, changed: Vec::new(), new: Vec::new() }
    }

    /// The labels of all nodes.
    pub(crate) fn label(mut self, exchange: &mut Exchange<'_>, theory: Theory) -> Labels {
        if self.share.totals.gray > 0 {
            self.spread(exchange);
        }
        let mut labels = Labels::new(self.share.len());
        // Nodes with the same sets share a label, which is looked up once.
        let mut last: Option<((bool, u64, u64), u32)> = None;
        let mut known: FxHashMap<(bool, u64, u64), u32> = FxHashMap::default();
        let label = |value| Label::White(AnyValue::CarryOn(value));
        for (node, state) in self.states.iter().enumerate() {
            let State { level, exits, forced } = *state;
            let is_moon = match level.standing() {
                Standing::Nimber(nimber) => {
                    labels.codes[node] = nimber;
                    continue;
                }
                Standing::Gray => continue,
                Standing::FullMoon => {
                    labels.codes[node] = labels.code(label(Value::FullMoon));
                    continue;
                }
                standing => standing == Standing::Moon,
            };
            if let Some(beyond) = self.beyond.get(&(node as u32)) {
                let value = value(is_moon, exits, forced, Some(beyond));
                labels.codes[node] = labels.code(label(value));
                continue;
            }
            let key = (is_moon, exits, forced);
            let code = match last {
                Some((of, code)) if of == key => code,
                _ => *known
                    .entry(key)
                    .or_insert_with(|| labels.code(label(value(is_moon, exits, forced, None)))),
            };
            labels.codes[node] = code;
            last = Some((key, code));
        }
        if self.share.totals.gray > 0 {
            self.label_gray(exchange, theory, &mut labels);
        }
        labels
    }

    /// Adds to the sets of each open node those of the targets of its carry-on moves.
    fn spread(&mut self, exchange: &mut Exchange<'_>) {
        let own = exchange.index();
        let mut outbox = exchange.outbox(2);
        for (node, state) in (0..).zip(&self.states) {
            if state.is_open() && (state.exits | state.forced) != 0 {
                self.changed.push(node);
            }
        }
        for (&node, Beyond { exits, forced }) in &self.beyond {
            if self.states[node as usize].is_open() {
                self.new.extend(exits.iter().map(|&n| (node, n, 0)));
                self.new.extend(forced.iter().map(|&n| (node, n, 1)));
            }
        }
        loop {
            while !(self.changed.is_empty() && self.new.is_empty()) {
                self.send(own, &mut outbox);
            }
            let mut tally = [outbox.len() as u64];
            let inbox = exchange.step(&mut outbox, &mut tally);
            if tally[0] == 0 {
                return;
            }
            for Parcel { topic, words, .. } in inbox {
                let first = self.share.first;
                if topic == MASKS {
                    for words in words.chunks_exact(5) {
                        let both = |i: usize| u64::from(words[i]) | u64::from(words[i + 1]) << 32;
                        self.take_masks(words[0] - first, both(1), both(3));
                    }
                } else {
                    for words in words.chunks_exact(3) {
                        self.take_number(words[0] - first, words[1], words[2]);
                    }
                }
            }
        }
    }

    fn send(&mut self, own: usize, outbox: &mut Outbox) {
        let share = self.share;
        let again = std::mem::take(&mut self.moves.again);
        for node in std::mem::take(&mut self.changed) {
            let State { exits, forced, .. } = self.states[node as usize];
            for &from in again.row(node as usize) {
                let owner = share.ranges.owner(from);
                if owner == own {
                    self.take_masks(from - share.first, exits, forced);
                } else {
                    let high = |word: u64| (word >> 32) as u32;
                    let words = [from, exits as u32, high(exits), forced as u32, high(forced)];
                    outbox.list(MASKS, owner).extend(words);
                }
            }
        }
        for (node, n, forced) in std::mem::take(&mut self.new) {
            for &from in again.row(node as usize) {
                let owner = share.ranges.owner(from);
                if owner == own {
                    self.take_number(from - share.first, n, forced);
                } else {
                    outbox.list(NUMBER, owner).extend([from, n, forced]);
                }
            }
        }
        self.moves.again = again;
    }

    fn take_masks(&mut self, node: u32, exits: u64, forced: u64) {
        let state = &mut self.states[node as usize];
        let new = (exits & !state.exits) | (forced & !state.forced);
        if new != 0 && state.is_open() {
            state.exits |= exits;
            state.forced |= forced;
            self.changed.push(node);
        }
    }

    fn take_number(&mut self, node: u32, n: u32, forced: u32) {
        if !self.states[node as usize].is_open() {
            return;
        }
        let beyond = self.beyond.entry(node).or_default();
        let list = if forced == 1 { &mut beyond.forced } else { &mut beyond.exits };
        if !list.contains(&n) {
            list.push(n);
            self.new.push((node, n, forced));
        }
    }

    /// Gray nodes request the labels of the white ends of their chains, which give the covers.
    fn label_gray(&self, exchange: &mut Exchange<'_>, theory: Theory, labels: &mut Labels) {
        let share = self.share;
        let others: Vec<String> = labels.others().iter().map(text).collect();
        let tables: Vec<Vec<Value>> = exchange
            .share_text(&others.join("\n"))
            .iter()
            .map(|text| text.lines().filter_map(|line| line.parse().ok()).collect())
            .collect();
        let mut outbox = exchange.outbox(1);
        let gray = || (0..share.len()).filter(|&node| share.here.gray[node]);
        for node in gray() {
            if let Some(end) = self.moves.chains[node].end() {
                outbox.list(0, share.ranges.owner(end)).extend([end, node as u32]);
            }
        }
        let mut replies = exchange.outbox(1);
        for Parcel { from, words, .. } in exchange.step(&mut outbox, &mut []) {
            for pair in words.chunks_exact(2) {
                let code = labels.codes[(pair[0] - share.first) as usize];
                replies.list(0, from as usize).extend([pair[1], code]);
            }
        }
        let mut ends: FxHashMap<u32, Value> = FxHashMap::default();
        let mut known: FxHashMap<(ChainMove, Option<Value>), u32> = FxHashMap::default();
        for Parcel { from, words, .. } in exchange.step(&mut replies, &mut []) {
            for pair in words.chunks_exact(2) {
                let value = match pair[1].checked_sub(FIRST_OTHER) {
                    Some(place) => tables[from as usize][place as usize].clone(),
                    None => Value::Nimber(u64::from(pair[1])),
                };
                ends.insert(pair[0], value);
            }
        }
        debug_assert!(matches!(nimber(0, theory), Label::White(AnyValue::CarryOn(_))));
        for node in gray() {
            // The same for equal kinds of chains, wherever they end.
            let chain = match self.moves.chains[node] {
                ChainMove::Again(_) => ChainMove::Again(0),
                ChainMove::Ordinary(_) => ChainMove::Ordinary(0),
                chain => chain,
            };
            let key = (chain, ends.remove(&(node as u32)));
            labels.codes[node] = *known.entry(key).or_insert_with_key(|(chain, end)| {
                labels.code(Label::Gray(carry_on::cover(*chain, end.as_ref())))
            });
        }
    }
}

/// The value of a white node without a nimber.
fn value(is_moon: bool, exits: u64, forced: u64, beyond: Option<&Beyond>) -> Value {
    let numbers = |mask: u64, more: Option<&Vec<u32>>| -> Nimbers {
        let more = more.into_iter().flatten().map(|&n| u64::from(n));
        (0..64).filter(|n| mask >> n & 1 == 1).chain(more).collect()
    };
    let forced = numbers(forced, beyond.map(|beyond| &beyond.forced));
    carry_on::value(is_moon, &forced, &numbers(exits, beyond.map(|beyond| &beyond.exits)))
}

/// The text of a value, which can be read back; empty for other labels, which are never requested.
fn text(label: &Label) -> String {
    label.value().map(|value| format!("{value:#}")).unwrap_or_default()
}
