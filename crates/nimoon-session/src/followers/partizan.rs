//! The followers of a sum with partizan components.

use std::hash::BuildHasherDefault;

use indexmap::IndexSet;
use nimoon::player::Player;
use nimoon::solve::partizan::{PartizanSolution, PartizanTerm};
use nimoon::{Interrupted, Progress, Work};
use rustc_hash::FxHasher;

use super::Cut;

/// A position that play can reach.
#[derive(Clone, Debug)]
pub struct PartizanFollower {
    /// The components.
    pub terms: Vec<PartizanTerm>,
    /// The position in its notation.
    pub text: String,
    /// The moves of Left and of Right: the places of the positions that they leave, each once.
    pub moves: [Vec<usize>; 2],
    /// Whether its moves are known; not where a limit was hit before.
    pub is_expanded: bool,
}

/// The followers of a sum with partizan components, whoever moves.
#[derive(Debug)]
pub struct PartizanFollowers {
    /// The positions; the first one is where play begins.
    pub positions: Vec<PartizanFollower>,
    /// What ended the search, with what was met by then.
    pub cut: Option<Cut>,
}

impl PartizanFollowers {
    /// All that play can reach from the start of a sum.
    pub fn new(sum: &mut PartizanSolution, work: &Work) -> Self {
        let text = |sum: &PartizanSolution, terms: &[PartizanTerm]| {
            let texts: Vec<String> = terms.iter().map(|&term| sum.text(term)).collect();
            texts.join(" + ")
        };
        let mut met: IndexSet<Vec<PartizanTerm>, BuildHasherDefault<FxHasher>> =
            IndexSet::default();
        met.insert(sum.start().to_vec());
        let mut positions: Vec<PartizanFollower> = Vec::new();
        let (mut cut, mut options) = (None, 0);
        while let Some(terms) = met.get_index(positions.len()).cloned() {
            if cut.is_none() {
                cut = ended(work, positions.len(), met.len(), options).map(|interrupted| Cut {
                    message: interrupted.to_string(),
                    interrupted: Some(interrupted),
                    met: met.len(),
                    last: met.last().map_or_else(String::new, |last| text(sum, last)),
                });
            }
            let is_expanded = cut.is_none();
            let moves = Player::BOTH.map(|player| {
                if !is_expanded {
                    return Vec::new();
                }
                let plies = sum.moves(&terms, player);
                let left = plies.into_iter().map(|ply| PartizanSolution::after(&terms, ply));
                let mut places: Vec<usize> = left.map(|left| met.insert_full(left).0).collect();
                options += places.len();
                let mut seen = std::collections::HashSet::new();
                places.retain(|place| seen.insert(*place));
                places
            });
            let text = text(sum, &terms);
            positions.push(PartizanFollower { terms, text, moves, is_expanded });
        }
        Self { positions, cut }
    }
}

/// What ends the search, if anything does.
fn ended(work: &Work, expanded: usize, met: usize, options: usize) -> Option<Interrupted> {
    /// What a position takes in memory, roughly, and an option.
    const POSITION_BYTES: u64 = 200;
    const OPTION_BYTES: u64 = 8;
    let bytes = POSITION_BYTES * met as u64 + OPTION_BYTES * options as u64;
    let found = work.report(Progress::Exploring { expanded, met, options });
    let found = found.and_then(|()| work.check()).and_then(|()| work.hold(bytes));
    let over = met as u64 > work.limits().positions;
    found.err().or_else(|| over.then(|| Interrupted::positions(work.limits().positions)))
}
