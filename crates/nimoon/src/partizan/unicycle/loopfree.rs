//! Loopfree games and all their followers, options first.

use crate::graph::components::strongly_connected;
use crate::{
    partizan::{Stopper, Stoppers},
    player::Player,
};
use rustc_hash::FxHashMap;

/// Loopfree games with all their followers.
pub(super) struct LoopFree {
    /// Every game after its options.
    pub(super) games: Vec<Stopper>,
    /// The options of each game, for Left and Right, by their places.
    pub(super) options: Vec<[Vec<usize>; 2]>,
    place: FxHashMap<Stopper, usize>,
}

impl LoopFree {
    /// These games with all their followers, or the place of the first that is not loopfree.
    pub(super) fn new(games: &[Stopper], stoppers: &Stoppers) -> Result<Self, usize> {
        let mut found =
            Self { games: Vec::new(), options: Vec::new(), place: FxHashMap::default() };
        for (i, &game) in games.iter().enumerate() {
            found.add(game, stoppers).ok_or(i)?;
        }
        Ok(found)
    }

    pub(super) fn place(&self, game: Stopper) -> usize {
        self.place[&game]
    }

    fn add(&mut self, game: Stopper, stoppers: &Stoppers) -> Option<()> {
        if self.place.contains_key(&game) {
            return Some(());
        }
        let followers = stoppers.followers(game);
        let number: FxHashMap<u32, u32> = (0..).zip(&followers).map(|(i, &to)| (to, i)).collect();
        let components = strongly_connected(followers.len(), |from, list| {
            let from = Stopper(followers[from as usize]);
            for player in Player::BOTH {
                list.extend(stoppers.options(from, player).map(|to| number[&to.0]));
            }
        });
        // A component comes after those that it leads to.
        for component in components {
            let &[vertex] = component.as_slice() else { return None };
            let here = Stopper(followers[vertex as usize]);
            if self.place.contains_key(&here) {
                continue;
            }
            let options = Player::BOTH.map(|player| {
                let places = stoppers.options(here, player).map(|to| self.place.get(&to).copied());
                places.collect::<Option<Vec<usize>>>()
            });
            let [Some(left), Some(right)] = options else { return None };
            self.place.insert(here, self.games.len());
            self.games.push(here);
            self.options.push([left, right]);
        }
        Some(())
    }
}
