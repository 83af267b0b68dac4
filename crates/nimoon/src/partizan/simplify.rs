//! Simplification of what is not yet a stopper in canonical form: the onsides of vertices.
//!
//! The *onside* of a game γ is the stopper s with s⁺ = γ⁺, if there is one: γ with endless play
//! counted as a win for Left. The offside is that of −γ, negated. For a stopper both are its
//! graph-canonical form.
//!
//! Vertices that lead to each other are simplified together, after all that they lead to: what was
//! settled is a number in [`Stoppers`], the others are *raw*. Each step keeps the plus-value of
//! every vertex, so what was compared on the graph as it was is right on the graph as it is.
//!
//! - Vertices that no play distinguishes are merged before anything is compared.
//! - *Dominated* options are left out, and *reversible* ones bypassed [Siegel2009, Def. 14, Lemma
//!   15]. For Right's options in (b) and Left's in (d) an alternating cycle through the edges in
//!   question forbids it. A bypassed option of Right that would come back is dropped: that is the
//!   least fixpoint, and makes {dud|dud} into {dud|}. For Left there is no such drop; a bypass that
//!   would bring back an option that was ever bypassed there, and that leads to the present one
//!   again, is not made. So options of Left only come back further down, which ends; then which
//!   options of Right are reversible changes no more, and that ends too.
//! - *Fusion* (see [`super::fusion`]) makes vertices of equal onside one where that is right.
//! - *Sidling* (see [`super::sidling`]) is what is left. Where many vertices lead to each other it
//!   comes first: it compares only what stands for them, and often leaves few.
//!
//! If alternating cycles remain after all this, the onside is *not found*.
//!
//! A walk may pass a vertex more than once. So alternating cycles are strongly connected components
//! of the graph of states (vertex, player to move). Only these are computed again after a step.
//! Bypassing never adds a way between states, since the new edge cuts short an alternating walk
//! that was there; so an edge found to be on no such cycle stays so until the next fusion.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use super::facts::RawFacts;
use super::graph::{state, state_components};
use super::stoppers::{Stoppers, WITHIN, coarsest};
use super::survival::{Arena, Endless, Survival};
use crate::graph::components::strongly_connected;
use crate::limits::{Interrupted, Work};
use crate::player::Player;

/// Marks a vertex that is not settled.
pub(super) const RAW: u32 = 1 << 31;

/// This many vertices are rather not compared each with each.
pub(super) const MANY: usize = 12;

/// Vertices on their way to be settled.
pub(super) struct Simplifier<'s> {
    pub(super) stoppers: &'s mut Stoppers,
    pub(super) work: &'s mut Work,
    /// Options of the raw vertices: settled ones by number, raw ones by `RAW` and their place.
    pub(super) raw: Vec<[Vec<u32>; 2]>,
    pub(super) known: RawFacts,
    /// Vertices with the options of Left that were bypassed in the present simplification.
    bypassed: FxHashSet<(u32, u32)>,
    /// Whether some raw vertex is on an alternating cycle.
    alternating: bool,
    /// Whether any vertex ever was.
    met_alternating: bool,
}

struct View<'a> {
    stoppers: &'a Stoppers,
    raw: &'a [[Vec<u32>; 2]],
    known: &'a RawFacts,
}

impl Arena for View<'_> {
    fn options(&self, place: u32, player: Player) -> &[u32] {
        if place & RAW == 0 {
            Arena::options(self.stoppers, place, player)
        } else {
            &self.raw[(place & !RAW) as usize][player.index()]
        }
    }

    fn bytes(&self) -> u64 {
        const FACT: usize = 24;
        const VERTEX: usize = 64;
        let here = FACT * self.known.len() + VERTEX * self.raw.len();
        self.stoppers.bytes() + here as u64
    }

    fn known(&self, a: u32, b: u32, first: Player) -> Option<bool> {
        if (a | b) & RAW == 0 {
            self.stoppers.known(a, b, first)
        } else {
            self.known.get(a, b, first)
        }
    }

    fn count(&self) -> Option<usize> {
        Some(self.stoppers.len() + self.raw.len())
    }

    fn index(&self, place: u32) -> u32 {
        if place & RAW == 0 { place } else { self.stoppers.len() as u32 + (place & !RAW) }
    }
}

impl<'s> Simplifier<'s> {
    pub(super) fn new(stoppers: &'s mut Stoppers, work: &'s mut Work) -> Self {
        Self {
            stoppers,
            work,
            raw: Vec::new(),
            known: RawFacts::default(),
            bypassed: FxHashSet::default(),
            alternating: false,
            met_alternating: false,
        }
    }

    /// Settles vertices that lead to each other and to what was given before, where possible.
    /// `vertices` has their options: settled ones by number, raw ones by `RAW` and their place,
    /// which for these vertices is counted from [`Simplifier::next_raw`]. What cannot be settled
    /// stays raw.
    pub(super) fn settle(&mut self, vertices: Vec<[Vec<u32>; 2]>) -> Result<Vec<u32>, Interrupted> {
        let base = self.raw.len();
        // Vertices that nothing distinguishes are merged: comparing them all would be long.
        let classes = alike(base as u32, &vertices);
        let count = classes.iter().max().map_or(0, |most| *most as usize + 1);
        let mut merged: Vec<Option<[Vec<u32>; 2]>> = vec![None; count];
        for (vertex, &class) in vertices.into_iter().zip(&classes) {
            merged[class as usize].get_or_insert(vertex);
        }
        for mut both in merged.into_iter().flatten() {
            for list in &mut both {
                for to in list.iter_mut() {
                    if let Some(place) = local(*to, base) {
                        *to = RAW | (base as u32 + classes[place as usize]);
                    }
                }
                list.sort_unstable();
                list.dedup();
            }
            self.raw.push(both);
        }
        let before = self.alternating;
        self.alternating |= self.has_alternating_cycle(base);
        self.met_alternating |= self.alternating;
        let places = self.settle_from(base, count)?;
        if places.iter().all(|place| place & RAW == 0) {
            self.raw.truncate(base);
            self.known.clear();
            self.alternating = before;
        }
        Ok(classes.iter().map(|&class| places[class as usize]).collect())
    }

    /// Whether no alternating cycle was met.
    pub(super) fn is_stopper(&self) -> bool {
        !self.met_alternating
    }

    /// The number of raw vertices: where the next ones will be.
    pub(super) fn next_raw(&self) -> u32 {
        self.raw.len() as u32
    }

    /// The stopper with these options, which are settled.
    pub(super) fn stopper_of(&mut self, options: [Vec<u32>; 2]) -> Result<u32, Interrupted> {
        Ok(Simplifier::new(self.stoppers, self.work).settle(vec![options])?[0])
    }

    fn settle_from(&mut self, base: usize, count: usize) -> Result<Vec<u32>, Interrupted> {
        let mut places: Vec<u32> = (base..base + count).map(|i| RAW | i as u32).collect();
        if count >= MANY {
            let found = self.sidle(base, &standing(&places))?;
            self.redirect(base, &mut places, &found);
            if 8 * found.len() > count {
                return self.settle_rest(base, &places);
            }
        }
        loop {
            self.simplify(base)?;
            self.settle_stoppers(base, &mut places);
            if places.iter().all(|place| place & RAW == 0) {
                return Ok(places);
            }
            if self.replace_by_settled(base, &mut places)? || self.fuse(base, &mut places)? {
                continue;
            }
            let found = self.sidle(base, &standing(&places))?;
            if found.is_empty() {
                return Ok(places);
            }
            self.redirect(base, &mut places, &found);
        }
    }

    /// Settles what has no stopper yet, as if it had only been met now: it may have fallen to
    /// pieces.
    fn settle_rest(&mut self, base: usize, places: &[u32]) -> Result<Vec<u32>, Interrupted> {
        let vertices = self.raw.split_off(base);
        // These will have other places.
        self.known.clear();
        let standing: Vec<u32> =
            standing(places).iter().filter_map(|&raw| local(raw, base)).collect();
        let mut number: FxHashMap<u32, u32> = FxHashMap::default();
        number.extend(standing.iter().zip(0..).map(|(&v, i)| (v, i)));
        let components = strongly_connected(standing.len(), |v, list| {
            let both = &vertices[standing[v as usize] as usize];
            list.extend(
                both.iter().flatten().filter_map(|&to| number.get(&local(to, base)?).copied()),
            );
        });
        let mut found: FxHashMap<u32, u32> = FxHashMap::default();
        for component in components {
            let next = self.next_raw();
            let own = |v: u32| RAW | (base as u32 + standing[v as usize]);
            found.extend(component.iter().zip(next..).map(|(&v, i)| (own(v), RAW | i)));
            let renamed = component.iter().map(|&v| {
                vertices[standing[v as usize] as usize].each_ref().map(|list| {
                    list.iter().map(|to| found.get(to).copied().unwrap_or(*to)).collect()
                })
            });
            let settled = self.settle(renamed.collect())?;
            found.extend(component.iter().zip(settled).map(|(&v, place)| (own(v), place)));
        }
        Ok(places.iter().map(|place| found.get(place).copied().unwrap_or(*place)).collect())
    }

    /// Whether a⁺ ≥ b⁺.
    pub(super) fn ge(&mut self, a: u32, b: u32) -> Result<bool, Interrupted> {
        if a == b {
            return Ok(true);
        }
        self.work.count_moves(1)?;
        let mut room = std::mem::take(&mut self.stoppers.room);
        let view = View { stoppers: self.stoppers, raw: &self.raw, known: &self.known };
        let answer = if let Some(known) = view.known(a, b, Player::Right) {
            Ok(known)
        } else {
            let endless =
                if self.alternating && b & RAW != 0 { Endless::InFirst } else { Endless::Any };
            let answer =
                Survival::new(&view, endless, &mut room).solve(a, b, Player::Right, self.work);
            if answer.is_ok() {
                room.found(|a, b, first, survives| {
                    if (a | b) & RAW == 0 {
                        self.stoppers.order.insert(a, b, first, survives);
                    } else {
                        self.known.insert(a, b, first, survives);
                    }
                });
            }
            answer
        };
        self.stoppers.room = room;
        answer
    }

    pub(super) fn options(&self, place: u32, player: Player) -> &[u32] {
        if place & RAW == 0 {
            Arena::options(&*self.stoppers, place, player)
        } else {
            &self.raw[(place & !RAW) as usize][player.index()]
        }
    }

    /// For each state of the raw vertices from `base` on, its strongly connected component.
    fn states(&self, base: usize) -> Vec<u32> {
        let local: Vec<[Vec<u32>; 2]> = self.raw[base..]
            .iter()
            .map(|both| {
                [0, 1].map(|side: usize| {
                    let raw = both[side].iter().filter(|&&to| to & RAW != 0);
                    let raw = raw.map(|to| to & !RAW).filter(|&to| to as usize >= base);
                    raw.map(|to| to - base as u32).collect()
                })
            })
            .collect();
        state_components(local.len(), |v, player| &local[v as usize][player.index()])
    }

    fn has_alternating_cycle(&self, base: usize) -> bool {
        if self.raw.len() == base + 1 {
            // A single vertex has one exactly if it has loops of both colours.
            let own = RAW | base as u32;
            return self.raw[base].iter().all(|list| list.contains(&own));
        }
        let states = self.states(base);
        let places = base..self.raw.len();
        places.into_iter().any(|i| {
            Player::BOTH.iter().any(|&player| {
                self.raw[i][player.index()].iter().any(|&to| on_cycle(&states, base, i, player, to))
            })
        })
    }

    /// Leaves out dominated options and bypasses reversible ones until there are none.
    fn simplify(&mut self, base: usize) -> Result<(), Interrupted> {
        self.bypassed.clear();
        loop {
            let states = if self.alternating { self.states(base) } else { Vec::new() };
            let mut changed = false;
            for i in base..self.raw.len() {
                self.work.count()?;
                changed |= self.bypass(base, i, Player::Left, &states)?;
                changed |= self.bypass(base, i, Player::Right, &states)?;
                changed |= self.drop_dominated(base, i, Player::Left, &states)?;
                changed |= self.drop_dominated(base, i, Player::Right, &states)?;
            }
            if !changed {
                return Ok(());
            }
        }
    }

    /// Bypasses reversible options [Siegel2009, Def. 14 (c), (d)].
    fn bypass(
        &mut self,
        base: usize,
        i: usize,
        player: Player,
        states: &[u32],
    ) -> Result<bool, Interrupted> {
        let own = RAW | i as u32;
        let count = self.raw[i][player.index()].len();
        // Mostly no option is reversible, and nothing has to be listed.
        let mut first = None;
        for k in 0..count {
            let option = self.raw[i][player.index()][k];
            if let Some(back) = self.reversed_through(base, own, option, player, states)? {
                first = Some((k, back));
                break;
            }
        }
        let Some((k, back)) = first else { return Ok(false) };
        let options = std::mem::take(&mut self.raw[i][player.index()]);
        let mut seen: FxHashSet<u32> = options.iter().copied().collect();
        let mut waiting: VecDeque<u32> = options[k + 1..].iter().copied().collect();
        let mut kept = options[..k].to_vec();
        // The options as they were are compared with.
        let option = options[k];
        self.raw[i][player.index()] = options;
        self.replace_by_options(own, option, back, player, states, &mut seen, &mut waiting);
        while let Some(option) = waiting.pop_front() {
            match self.reversed_through(base, own, option, player, states)? {
                None => kept.push(option),
                Some(back) => self.replace_by_options(
                    own,
                    option,
                    back,
                    player,
                    states,
                    &mut seen,
                    &mut waiting,
                ),
            }
        }
        kept.sort_unstable();
        self.raw[i][player.index()] = kept;
        Ok(true)
    }

    /// Where an option of `own` may be bypassed through, if it is reversible.
    fn reversed_through(
        &mut self,
        base: usize,
        own: u32,
        option: u32,
        player: Player,
        states: &[u32],
    ) -> Result<Option<u32>, Interrupted> {
        let opponent = player.opponent();
        for k in 0..self.options(option, opponent).len() {
            let back = self.options(option, opponent)[k];
            let reversed = match player {
                Player::Left => self.ge(own, back)?,
                Player::Right => self.ge(back, own)?,
            };
            if !reversed {
                continue;
            }
            let allowed = player == Player::Right || states.is_empty() || {
                let on_cycle = local(back, base).is_some_and(|back| {
                    let from = local(own, base).unwrap_or(0);
                    local(option, base).is_some()
                        && states[state(back, player) as usize]
                            == states[state(from, player) as usize]
                });
                let comes_back = |&to: &u32| {
                    (to == option || self.bypassed.contains(&(own, to)))
                        && leads_back(states, base, to, option, opponent)
                };
                !on_cycle && !self.options(back, player).iter().any(comes_back)
            };
            if allowed {
                return Ok(Some(back));
            }
        }
        Ok(None)
    }

    /// Puts the options of `back` in place of a bypassed option.
    #[expect(clippy::too_many_arguments, reason = "they are the state of one loop")]
    fn replace_by_options(
        &mut self,
        own: u32,
        option: u32,
        back: u32,
        player: Player,
        states: &[u32],
        seen: &mut FxHashSet<u32>,
        waiting: &mut VecDeque<u32>,
    ) {
        if player == Player::Left && !states.is_empty() {
            self.bypassed.insert((own, option));
        }
        for &to in self.options(back, player) {
            if seen.insert(to) {
                waiting.push_back(to);
            }
        }
    }

    /// Leaves out dominated options [Siegel2009, Def. 14 (a), (b)].
    fn drop_dominated(
        &mut self,
        base: usize,
        i: usize,
        player: Player,
        states: &[u32],
    ) -> Result<bool, Interrupted> {
        let before = self.raw[i][player.index()].len();
        if before < 2 {
            return Ok(false);
        }
        let mut options = self.raw[i][player.index()].clone();
        let mut k = 0;
        while k < options.len() {
            let option = options[k];
            let mut dominated = false;
            for &other in options.iter().filter(|&&other| other != option) {
                // What stays must not be Right's edge on an alternating cycle.
                if player == Player::Right
                    && !states.is_empty()
                    && on_cycle(states, base, i, player, other)
                {
                    continue;
                }
                dominated = match player {
                    Player::Left => self.ge(other, option)?,
                    Player::Right => self.ge(option, other)?,
                };
                if dominated {
                    break;
                }
            }
            if dominated {
                options.remove(k);
            } else {
                k += 1;
            }
        }
        let changed = options.len() < before;
        self.raw[i][player.index()] = options;
        Ok(changed)
    }

    /// Gives numbers to those that are stoppers now and lead to nothing raw but each other.
    fn settle_stoppers(&mut self, base: usize, places: &mut [u32]) {
        if let ([place], [both]) = (&mut *places, &mut self.raw[base..])
            && both.iter().flatten().all(|to| to & RAW == 0)
        {
            *place = self.stoppers.form(std::mem::take(both));
            return;
        }
        let components = strongly_connected(self.raw.len() - base, |v, list| {
            let both = &self.raw[base + v as usize];
            list.extend(both.iter().flatten().filter_map(|&to| local(to, base)));
        });
        let mut settled: FxHashMap<u32, u32> = FxHashMap::default();
        let mut within: FxHashMap<u32, u32> = FxHashMap::default();
        for component in components {
            within.clear();
            within.extend(component.iter().zip(0..).map(|(&v, i)| (RAW | (base as u32 + v), i)));
            let mut ready = true;
            let mut cyclic = false;
            let mut vertices = Vec::with_capacity(component.len());
            for &v in &component {
                let lists = &mut self.raw[base + v as usize];
                for list in lists.iter_mut() {
                    for to in list.iter_mut() {
                        if let Some(&number) = settled.get(to) {
                            *to = number;
                        }
                    }
                    list.sort_unstable();
                    list.dedup();
                }
                vertices.push([0, 1].map(|side: usize| {
                    let list = lists[side].iter().map(|to| {
                        if let Some(place) = within.get(to) {
                            cyclic = true;
                            return WITHIN | place;
                        }
                        ready &= to & RAW == 0;
                        *to
                    });
                    list.collect::<Vec<u32>>()
                }));
            }
            if !ready || (cyclic && alternates(&vertices)) {
                continue;
            }
            let numbers = match (cyclic, vertices.pop()) {
                (false, Some(options)) => vec![self.stoppers.form(options)],
                (_, last) => {
                    vertices.extend(last);
                    self.stoppers.cycle(&vertices)
                }
            };
            for (&v, &number) in component.iter().zip(&numbers) {
                settled.insert(RAW | (base as u32 + v), number);
            }
        }
        self.redirect(base, places, &settled);
    }

    /// Replaces vertices everywhere; those that were replaced lose their options.
    pub(super) fn redirect(&mut self, base: usize, places: &mut [u32], to: &FxHashMap<u32, u32>) {
        if to.is_empty() {
            return;
        }
        for place in places {
            if let Some(&new) = to.get(place) {
                *place = new;
            }
        }
        for i in base..self.raw.len() {
            for list in &mut self.raw[i] {
                for target in list.iter_mut() {
                    if let Some(&new) = to.get(target) {
                        *target = new;
                    }
                }
                list.sort_unstable();
                list.dedup();
            }
            if to.contains_key(&(RAW | i as u32)) {
                self.raw[i] = [Vec::new(), Vec::new()];
            }
        }
    }
}

/// Whether an alternating walk may lead from one option to another, with this player to move at
/// both; `other` leads to `option`.
fn leads_back(states: &[u32], base: usize, option: u32, other: u32, player: Player) -> bool {
    match (local(option, base), local(other, base)) {
        (Some(option), Some(other)) => {
            states[state(option, player) as usize] == states[state(other, player) as usize]
        }
        _ => option & RAW != 0,
    }
}

/// Whether the edge from raw vertex `from` to `to` is on an alternating cycle.
fn on_cycle(states: &[u32], base: usize, from: usize, player: Player, to: u32) -> bool {
    let Some(to) = local(to, base) else { return false };
    let from = (from - base) as u32;
    states[state(from, player) as usize] == states[state(to, player.opponent()) as usize]
}

/// The raw vertices that stand for something still.
pub(super) fn standing(places: &[u32]) -> Vec<u32> {
    let mut standing: Vec<u32> = places.iter().copied().filter(|place| place & RAW != 0).collect();
    standing.sort_unstable();
    standing.dedup();
    standing
}

/// The place of a raw vertex counted from `base`.
pub(super) fn local(place: u32, base: usize) -> Option<u32> {
    if place & RAW == 0 { None } else { (place & !RAW).checked_sub(base as u32) }
}

/// The coarsest bisimulation of raw vertices that are counted from `base`.
fn alike(base: u32, vertices: &[[Vec<u32>; 2]]) -> Vec<u32> {
    /// Marks raw vertices from before, which here only distinguish others.
    const OUTSIDE: u32 = 1 << 30;
    if vertices.len() == 1 {
        return vec![0];
    }
    let shape: Vec<[Vec<u32>; 2]> = vertices
        .iter()
        .map(|both| {
            [0, 1].map(|side: usize| {
                let list = both[side].iter().map(|&to| match local(to, base as usize) {
                    Some(place) => WITHIN | place,
                    None if to & RAW != 0 => OUTSIDE | (to & !RAW),
                    None => to,
                });
                list.collect()
            })
        })
        .collect();
    coarsest(&shape)
}

/// Whether vertices that lead to each other have an alternating cycle.
fn alternates(vertices: &[[Vec<u32>; 2]]) -> bool {
    let local: Vec<[Vec<u32>; 2]> = vertices
        .iter()
        .map(|both| {
            [0, 1].map(|side: usize| {
                let within = both[side].iter().filter(|&&to| to & WITHIN != 0);
                within.map(|to| to & !WITHIN).collect()
            })
        })
        .collect();
    let states = state_components(local.len(), |v, player| &local[v as usize][player.index()]);
    (0..local.len() as u32).any(|v| {
        Player::BOTH.iter().any(|&player| {
            local[v as usize][player.index()].iter().any(|&to| {
                states[state(v, player) as usize] == states[state(to, player.opponent()) as usize]
            })
        })
    })
}
