//! Fusion: vertices of equal onside made one.
//!
//! *Fusion* of equal vertices u and v, redirecting to u what led to v, is right if no alternating
//! walk of even length leads from u to v, and not both a Left-starting and a Right-starting one of
//! odd length. The second condition is not in the paper's Lemma 16, which is false without it:
//! u = {v|v}, v = {|w}, w = {|w} all equal off, and fusing v into u gives dud.
//!
//! A raw vertex that equals a settled stopper is replaced by it. Nothing settled leads back, so
//! this is such a fusion.
//!
//! ## References
//! [Siegel2009, Lemma 16], corrected.

use rustc_hash::{FxHashMap, FxHashSet};

use super::graph::state;
use super::simplify::{RAW, Simplifier, local, standing};
use crate::limits::Interrupted;
use crate::player::Player;

impl Simplifier<'_> {
    /// Replaces raw vertices that equal a settled stopper near them.
    pub(super) fn replace_by_settled(
        &mut self,
        base: usize,
        places: &mut [u32],
    ) -> Result<bool, Interrupted> {
        /// More candidates than this are not tried.
        const MOST: usize = 64;
        let standing = standing(places);
        let mut candidates: Vec<u32> = Vec::new();
        for &raw in &standing {
            for player in Player::BOTH {
                candidates.extend(self.options(raw, player).iter().filter(|&&to| to & RAW == 0));
            }
        }
        candidates.sort_unstable();
        candidates.dedup();
        let mut next = 0;
        while next < candidates.len() && candidates.len() < MOST {
            for list in &self.stoppers.options[candidates[next] as usize] {
                for &to in list {
                    if !candidates.contains(&to) {
                        candidates.push(to);
                    }
                }
            }
            next += 1;
        }
        let mut replaced = FxHashMap::default();
        for &raw in &standing {
            for &candidate in &candidates {
                if self.ge(raw, candidate)? && self.ge(candidate, raw)? {
                    replaced.insert(raw, candidate);
                    break;
                }
            }
        }
        let progress = !replaced.is_empty();
        self.redirect(base, places, &replaced);
        Ok(progress)
    }

    /// Fuses two equal vertices, where that is right.
    pub(super) fn fuse(&mut self, base: usize, places: &mut [u32]) -> Result<bool, Interrupted> {
        let standing = standing(places);
        for &kept in &standing {
            let reached = [Player::Left, Player::Right].map(|first| self.walks(base, kept, first));
            for &gone in &standing {
                if kept == gone || !self.ge(kept, gone)? || !self.ge(gone, kept)? {
                    continue;
                }
                let Some(v) = local(gone, base) else { continue };
                // Whether a walk that `first` starts ends at `gone` with `last` to move.
                let walk =
                    |first: Player, last: Player| reached[first.index()].contains(&state(v, last));
                let even = walk(Player::Left, Player::Left) || walk(Player::Right, Player::Right);
                let odd = walk(Player::Left, Player::Right) && walk(Player::Right, Player::Left);
                if !even && !odd {
                    self.redirect(base, places, &FxHashMap::from_iter([(gone, kept)]));
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// The states that alternating walks of at least one step reach.
    fn walks(&self, base: usize, from: u32, first: Player) -> FxHashSet<u32> {
        let mut reached = FxHashSet::default();
        let Some(from) = local(from, base) else { return reached };
        let mut waiting = vec![state(from, first)];
        while let Some(next) = waiting.pop() {
            let player = if next % 2 == 0 { Player::Left } else { Player::Right };
            for &to in &self.raw[base + (next / 2) as usize][player.index()] {
                if let Some(to) = local(to, base) {
                    let to = state(to, player.opponent());
                    if reached.insert(to) {
                        waiting.push(to);
                    }
                }
            }
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use super::super::stoppers::Stoppers;
    use super::*;
    use crate::limits::Work;

    /// What is fused first in this graph, given by the raw options of its vertices.
    fn fused(vertices: Vec<[Vec<u32>; 2]>) -> Vec<u32> {
        let mut stoppers = Stoppers::new();
        let mut work = Work::default();
        let mut simplifier = Simplifier::new(&mut stoppers, &mut work);
        let mut places: Vec<u32> = (0..vertices.len() as u32).map(|place| RAW | place).collect();
        simplifier.raw = vertices;
        simplifier.fuse(0, &mut places).expect("within the budget");
        places.iter().map(|place| place & !RAW).collect()
    }

    #[test]
    fn odd_walks_of_both_players_forbid_a_fusion() {
        // u = {v|v}, v = {|w}, w = {|w}, all of them off. Walks of one step lead from u to v for
        // both players, and of even length none does.
        let [v, w] = [RAW | 1, RAW | 2];
        let places = fused(vec![[vec![v], vec![v]], [vec![], vec![w]], [vec![], vec![w]]]);
        // So v does not become u, but u may become v: nothing leads back.
        assert_eq!(places, [1, 1, 2]);
    }

    #[test]
    fn an_even_walk_forbids_a_fusion() {
        // A ring of four on which both move on: from each vertex walks of even length lead to the
        // one across, and of odd length to the neighbours, for both players.
        let ring = (0..4).map(|v| [vec![RAW | ((v + 1) % 4)], vec![RAW | ((v + 1) % 4)]]);
        assert_eq!(fused(ring.collect()), [0, 1, 2, 3]);
        // An odd walk of one player alone is not an obstacle: on = {on|} twice.
        let v = RAW | 1;
        assert_eq!(fused(vec![[vec![v], vec![]], [vec![v], vec![]]]), [0, 0]);
    }
}
