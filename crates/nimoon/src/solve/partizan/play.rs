//! Games with sums of partizan positions.

use super::{PartizanGuide, PartizanPly, PartizanSolution, PartizanTerm, kind};
use crate::impartial::turn::TurnKind;
use crate::limits::Interrupted;
use crate::player::Player;
use crate::solve::play::{Plan, Playable};

/// A sum, and who is to move there.
///
/// ```
/// use nimoon::{Limits, Work};
/// use nimoon::{solve::partizan::{PartizanPlacement, PartizanSolution}, player::Player};
/// use nimoon::solve::play::{Game, Player::Engine, Player::Person, Seat};
/// # use nimoon::{ruleset::{InternedPartizan, PartizanPositions, PartizanRuleset}, notation::NotationError};
/// # struct Counter;
/// # impl PartizanRuleset for Counter {
/// #     type Position = u64;
/// #     fn name(&self) -> String { "counter".into() }
/// #     fn options(&self, counter: &u64, player: Player) -> impl Iterator<Item = u64> {
/// #         counter.checked_sub(if player == Player::Left { 1 } else { 2 }).into_iter()
/// #     }
/// #     fn read(&self, text: &str) -> Result<u64, NotationError> {
/// #         text.parse().map_err(|_| NotationError::at(0, "expected a number"))
/// #     }
/// #     fn write(&self, counter: &u64) -> String { counter.to_string() }
/// # }
/// // Left takes one from a counter, Right two.
/// let mut counters = InternedPartizan::new(Counter);
/// let terms = vec![(0, counters.read("2").unwrap())];
/// let mut sum = PartizanSolution::new(vec![Box::new(counters)], terms.clone(), &Work::new(Limits::new(1000)));
/// let start = PartizanPlacement { terms, player: Player::Left };
/// let mut game = Game::new(&mut sum, start, [Engine, Person]).unwrap();
/// assert!(game.go_on(&mut sum).unwrap());
/// assert_eq!(game.winner(), Some(Seat::First));
/// assert_eq!(game.side(Seat::First), Some(Player::Left));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PartizanPlacement {
    /// The components.
    pub terms: Vec<PartizanTerm>,
    /// Who is to move.
    pub player: Player,
}

impl Playable for PartizanSolution {
    type Placement = PartizanPlacement;
    type Move = PartizanPly;
    type Error = Interrupted;

    fn moves(&mut self, placement: &PartizanPlacement) -> Result<Vec<PartizanPly>, Interrupted> {
        Ok(Self::moves(self, &placement.terms, placement.player))
    }

    fn after(&self, placement: &PartizanPlacement, made: &PartizanPly) -> PartizanPlacement {
        PartizanPlacement {
            terms: Self::after(&placement.terms, *made),
            player: placement.player.opponent(),
        }
    }

    /// The fastest win or the slowest loss, by a search; where that is too large, by values.
    fn plan(
        &mut self,
        placement: &PartizanPlacement,
        stood: &dyn Fn(&PartizanPlacement) -> usize,
    ) -> Result<Plan<PartizanPly>, Interrupted> {
        let PartizanPlacement { terms, player } = placement;
        let opponent = player.opponent();
        let met = |after: &[PartizanTerm]| {
            stood(&PartizanPlacement { terms: after.to_vec(), player: opponent })
        };
        let turn = self.turn_in_game(terms, *player, &met)?;
        let remoteness = match turn.guide {
            PartizanGuide::Search { remoteness } => remoteness,
            PartizanGuide::Values => None,
        };
        Ok(Plan {
            kind: turn.kind,
            moves: turn.ply.into_iter().collect(),
            endless: false,
            remoteness,
            may_detour: turn.guide == PartizanGuide::Values && turn.kind == TurnKind::Winning,
        })
    }

    fn prospect(&mut self, placement: &PartizanPlacement) -> Result<TurnKind, Interrupted> {
        let winner = self.winner(&placement.terms, placement.player)?;
        Ok(kind(winner, placement.player))
    }

    fn components(placement: &PartizanPlacement) -> usize {
        placement.terms.len()
    }

    fn component(made: &PartizanPly) -> usize {
        made.component
    }

    fn side(placement: &PartizanPlacement) -> Option<Player> {
        Some(placement.player)
    }

    fn text(&self, placement: &PartizanPlacement, component: usize) -> String {
        Self::text(self, placement.terms[component])
    }

    fn boards(&self, placement: &PartizanPlacement, component: usize) -> Vec<String> {
        vec![self.board(placement.terms[component])]
    }

    fn words(&self, placement: &PartizanPlacement, made: &PartizanPly) -> String {
        Self::words(self, &placement.terms, placement.player, *made)
    }
}
