//! Sums of positions of partizan rulesets: their sides, who wins, and what to play.
//!
//! | question | answer |
//! |---|---|
//! | value | the sum of the sides of the components |
//! | winner | by the sides; where one was not found, by search |
//! | move | by search if that fits the budget, else by the sides |
//!
//! *By search* means through all positions that the sum can come to, back from the ends: the winner
//! takes the fastest win, so that the win is really made. *By values* means to a sum that the opponent loses,
//! moving first. If play can go round in circles, such moves never spoil the win, but they may put it
//! off for ever; so this is the second choice, and in a game ([`Playable`](crate::play::Playable)) positions that
//! stood on the board before are then avoided.
//!
//! ## Limits and cost
//! The budget holds for each question: for the positions and moves of a search, and, sixteen for each
//! position, for the states of comparisons that are looked at while sides are found and added.

mod play;
mod product;

use rustc_hash::FxHashMap;

use self::product::{Product, Verdict, canonical};
use super::outcome::Winner;
use super::player::Player;
use super::sides::Sides;
use super::stoppers::Stoppers;
use crate::effort::{Effort, Interrupted, Limit};
use crate::explore::Field;
use crate::ruleset::{PartizanPositions, PositionId};
use crate::turn::TurnKind;

pub use play::PartizanPlacement;

/// A component: its ruleset and its position.
pub type PartizanTerm = (Field, PositionId);

/// A move in one component of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PartizanPly {
    /// The component.
    pub component: usize,
    /// The place among the options of the player there.
    pub number: usize,
    /// What the component becomes.
    pub to: PositionId,
}

/// What a move was chosen by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PartizanGuide {
    /// An exact search through the product of the components.
    Search {
        /// In how many plies the game ends if both play well, if somebody wins.
        remoteness: Option<u32>,
    },
    /// The values of what the moves lead to.
    Values,
}

impl PartizanGuide {
    /// The name used in JSON.
    ///
    /// ```
    /// assert_eq!(nimoon::loopy::PartizanGuide::Values.name(), "values");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Self::Search { .. } => "search",
            Self::Values => "values",
        }
    }
}

/// What a player does best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PartizanTurn {
    /// What it achieves.
    pub kind: TurnKind,
    /// The move; none if there is none.
    pub ply: Option<PartizanPly>,
    /// What it was chosen by.
    pub guide: PartizanGuide,
}

/// A sum of positions, with all that is found out about it and its followers.
///
/// ```
/// use nimoon::{Budget, TurnKind};
/// use nimoon::loopy::{PartizanSolution, Player};
/// use nimoon::ruleset::{InternedPartizan, NotationError, PartizanPositions, PartizanRuleset};
///
/// /// Left may take one from a counter, Right two.
/// struct Counter;
///
/// impl PartizanRuleset for Counter {
///     type Position = u64;
///
///     fn name(&self) -> String {
///         "counter".into()
///     }
///     fn options(&self, counter: &u64, player: Player) -> impl Iterator<Item = u64> {
///         counter.checked_sub(if player == Player::Left { 1 } else { 2 }).into_iter()
///     }
///     fn read(&self, text: &str) -> Result<u64, NotationError> {
///         text.parse().map_err(|_| NotationError::at(0, "expected a number"))
///     }
///     fn write(&self, counter: &u64) -> String {
///         counter.to_string()
///     }
/// }
///
/// let mut counters = InternedPartizan::new(Counter);
/// let terms = ["1", "2"].map(|text| (0, counters.read(text).unwrap()));
/// let mut sum = PartizanSolution::new(vec![Box::new(counters)], terms.to_vec(), Budget::new(1000));
/// let start = sum.start().to_vec();
/// // 1 + {1|0}
/// let sides = sum.sides(&start).unwrap();
/// assert_eq!(sum.stoppers().sides_text(sides).unwrap(), "{2|1}");
/// let turn = sum.turn(&start, Player::Left).unwrap();
/// assert_eq!((turn.kind, turn.ply.unwrap().component), (TurnKind::Winning, 1));
/// ```
pub struct PartizanSolution {
    fields: Vec<Box<dyn PartizanPositions>>,
    start: Vec<PartizanTerm>,
    effort: Effort,
    stoppers: Stoppers,
    /// Of positions in canonical form.
    sides: FxHashMap<PartizanTerm, Result<Sides, Interrupted>>,
    /// Of sums in canonical form.
    sums: FxHashMap<Vec<PartizanTerm>, Result<Sides, Interrupted>>,
    products: Vec<Product>,
    /// Sums in canonical form that are too large.
    too_large: FxHashMap<Vec<PartizanTerm>, Interrupted>,
}

/// How many states of comparisons may be looked at for each position of the budget, to find sides.
const STATES_PER_POSITION: u64 = 16;

impl PartizanSolution {
    /// A sum; every question about it may look at as many states as the budget says.
    pub fn new(
        fields: Vec<Box<dyn PartizanPositions>>,
        start: Vec<PartizanTerm>,
        effort: impl Into<Effort>,
    ) -> Self {
        Self {
            fields,
            start,
            effort: effort.into(),
            stoppers: Stoppers::new(),
            sides: FxHashMap::default(),
            sums: FxHashMap::default(),
            products: Vec::new(),
            too_large: FxHashMap::default(),
        }
    }

    /// Answers within these limits from now on, with this clock and this token. What was not found under
    /// others is asked anew.
    pub fn answer_within(&mut self, effort: impl Into<Effort>) {
        self.effort = effort.into();
        self.sides.retain(|_, found| found.is_ok());
        self.sums.retain(|_, found| found.is_ok());
        self.too_large.clear();
    }

    /// What may be looked at to find sides.
    fn for_sides(&self) -> Effort {
        let positions = self.effort.budget().positions;
        self.effort.with_positions(positions.saturating_mul(STATES_PER_POSITION))
    }

    /// What ended a search for sides, by the positions that were allowed and not by their states.
    fn in_positions(&self, ended: Interrupted) -> Interrupted {
        match ended {
            Interrupted::OverBudget { limit: Limit::Positions, needed, .. } => {
                Interrupted::OverBudget {
                    limit: Limit::Positions,
                    allowed: self.effort.budget().positions,
                    needed: needed.map(|states| states.div_ceil(STATES_PER_POSITION)),
                }
            }
            other => other,
        }
    }

    /// The sum as it was given.
    pub fn start(&self) -> &[PartizanTerm] {
        &self.start
    }

    /// The stoppers that the sides are numbers of.
    pub fn stoppers(&self) -> &Stoppers {
        &self.stoppers
    }

    /// A component as text: `ruleset:position`.
    pub fn text(&self, (field, position): PartizanTerm) -> String {
        let positions = &self.fields[usize::from(field)];
        format!("{}:{}", positions.name(), positions.text(position))
    }

    /// A picture of a component.
    pub fn board(&self, (field, position): PartizanTerm) -> String {
        self.fields[usize::from(field)].board(position)
    }

    /// The sides of a sum, as far as they are found.
    ///
    /// # Errors
    /// When the budget is hit.
    pub fn sides(&mut self, terms: &[PartizanTerm]) -> Result<Sides, Interrupted> {
        let terms = canonical(&mut self.fields, terms);
        if let &[term] = terms.as_slice() {
            return self.component(term);
        }
        if let Some(known) = self.sums.get(&terms) {
            return *known;
        }
        let found = self.add(&terms);
        self.sums.insert(terms, found);
        found
    }

    fn add(&mut self, terms: &[PartizanTerm]) -> Result<Sides, Interrupted> {
        let mut sum = Sides::of(Stoppers::ZERO);
        for &term in terms {
            let sides = self.component(term)?;
            let mut effort = self.for_sides();
            let added = self.stoppers.sum(sum, sides, &mut effort);
            sum = added.map_err(|ended| self.in_positions(ended))?;
        }
        Ok(sum)
    }

    /// The sides of a position in canonical form, found with those of all its followers.
    fn component(&mut self, term: PartizanTerm) -> Result<Sides, Interrupted> {
        if let Some(known) = self.sides.get(&term) {
            return *known;
        }
        let (field, position) = term;
        let mut effort = self.for_sides();
        let positions = &mut *self.fields[usize::from(field)];
        match self.stoppers.positions(positions, position, &mut effort) {
            Ok(found) => {
                let found = found.into_iter().map(|(id, sides)| ((field, id), Ok(sides)));
                self.sides.extend(found);
            }
            Err(ended) => {
                let ended = self.in_positions(ended);
                self.sides.insert(term, Err(ended));
            }
        }
        self.sides.get(&term).copied().unwrap_or(Ok(Sides { onside: None, offside: None }))
    }

    /// Who wins a sum if `first` starts; none in a draw.
    ///
    /// # Errors
    /// When the sides do not tell and the sum is too large for a search.
    pub fn winner(&mut self, terms: &[PartizanTerm], first: Player) -> Result<Winner, Interrupted> {
        if let Some(winner) = self.winner_by_values(terms, first) {
            return Ok(winner);
        }
        Ok(self.search(terms, first)?.winner)
    }

    fn winner_by_values(&mut self, terms: &[PartizanTerm], first: Player) -> Option<Winner> {
        let sides = self.sides(terms).ok()?;
        let mut effort = Effort::from(&self.effort);
        self.stoppers.winner(sides, first, &mut effort).ok()?
    }

    /// In how many plies a sum ends if `first` starts and both play well; none in a draw.
    ///
    /// # Errors
    /// When the sum is too large for a search.
    pub fn remoteness(
        &mut self,
        terms: &[PartizanTerm],
        first: Player,
    ) -> Result<Option<u32>, Interrupted> {
        Ok(self.search(terms, first)?.remoteness)
    }

    /// The verdict of a search.
    fn search(&mut self, terms: &[PartizanTerm], first: Player) -> Result<Verdict, Interrupted> {
        let terms = canonical(&mut self.fields, terms);
        if let Some(&interrupted) = self.too_large.get(&terms) {
            return Err(interrupted);
        }
        if !self.products.iter().any(|product| product.contains(&terms)) {
            let mut effort = Effort::from(&self.effort).at_most(Self::MOST_SEARCHED);
            match Product::new(&mut self.fields, &terms, &mut effort) {
                Ok(product) => self.products.push(product),
                Err(interrupted) => {
                    self.too_large.insert(terms, interrupted);
                    return Err(interrupted);
                }
            }
        }
        let found = self.products.iter().find_map(|product| product.verdict(&terms, first));
        Ok(found.unwrap_or(Verdict { winner: None, remoteness: None }))
    }

    /// States of a product have numbers of 32 bits.
    const MOST_SEARCHED: u64 = 1 << 30;

    /// What a player can do, component by component.
    pub fn moves(&mut self, terms: &[PartizanTerm], player: Player) -> Vec<PartizanPly> {
        let mut moves = Vec::new();
        for (component, &(field, position)) in terms.iter().enumerate() {
            let options = self.fields[usize::from(field)].options(position, player);
            let options = options.into_iter().enumerate();
            moves.extend(options.map(|(number, to)| PartizanPly { component, number, to }));
        }
        moves
    }

    /// The sum after a move.
    #[must_use]
    pub fn after(terms: &[PartizanTerm], ply: PartizanPly) -> Vec<PartizanTerm> {
        let mut after = terms.to_vec();
        after[ply.component].1 = ply.to;
        after
    }

    /// A move in words.
    pub fn words(&self, terms: &[PartizanTerm], player: Player, ply: PartizanPly) -> String {
        let (field, from) = terms[ply.component];
        self.fields[usize::from(field)].words(from, player, ply.number, ply.to)
    }

    /// What a player plays best who is to move.
    ///
    /// # Errors
    /// When neither a search nor the sides tell.
    pub fn turn(
        &mut self,
        terms: &[PartizanTerm],
        player: Player,
    ) -> Result<PartizanTurn, Interrupted> {
        self.turn_in_game(terms, player, &|_| 0)
    }

    /// The same in a game in which the opponent has met a sum as often as `met` says. Without a search
    /// nothing tells whether a winner comes nearer to the end, so what was met least is preferred then.
    fn turn_in_game(
        &mut self,
        terms: &[PartizanTerm],
        player: Player,
        met: &dyn Fn(&[PartizanTerm]) -> usize,
    ) -> Result<PartizanTurn, Interrupted> {
        let moves = self.moves(terms, player);
        if moves.is_empty() {
            let guide = PartizanGuide::Search { remoteness: Some(0) };
            return Ok(PartizanTurn { kind: TurnKind::None, ply: None, guide });
        }
        match self.search(terms, player) {
            Ok(verdict) => self.turn_by_search(terms, player, &moves, verdict),
            Err(interrupted) => self.turn_by_values(terms, player, &moves, met).ok_or(interrupted),
        }
    }

    fn turn_by_search(
        &mut self,
        terms: &[PartizanTerm],
        player: Player,
        moves: &[PartizanPly],
        verdict: Verdict,
    ) -> Result<PartizanTurn, Interrupted> {
        let mut chosen: Option<(PartizanPly, u32)> = None;
        for &ply in moves {
            let after = self.search(&Self::after(terms, ply), player.opponent())?;
            if after.winner != verdict.winner {
                continue;
            }
            let plies = after.remoteness.unwrap_or(0);
            let is_better = |best: u32| {
                if verdict.winner == Some(player) { plies < best } else { plies > best }
            };
            if chosen.is_none_or(|(_, best)| is_better(best)) {
                chosen = Some((ply, plies));
            }
        }
        let guide = PartizanGuide::Search { remoteness: verdict.remoteness };
        let ply = chosen.map(|(ply, _)| ply);
        Ok(PartizanTurn { kind: kind(verdict.winner, player), ply, guide })
    }

    /// A move whose value is as good as that of the sum, if enough of the values is known.
    fn turn_by_values(
        &mut self,
        terms: &[PartizanTerm],
        player: Player,
        moves: &[PartizanPly],
        met: &dyn Fn(&[PartizanTerm]) -> usize,
    ) -> Option<PartizanTurn> {
        let winner = self.winner_by_values(terms, player)?;
        let mut moves = moves.to_vec();
        if winner == Some(player) {
            // Among equals the order stays.
            moves.sort_by_cached_key(|&ply| met(&Self::after(terms, ply)));
        }
        let ply = moves.into_iter().find(|&ply| {
            let after = Self::after(terms, ply);
            self.winner_by_values(&after, player.opponent()) == Some(winner)
        })?;
        let kind = kind(winner, player);
        Some(PartizanTurn { kind, ply: Some(ply), guide: PartizanGuide::Values })
    }
}

fn kind(winner: Winner, player: Player) -> TurnKind {
    match winner {
        Some(winner) if winner == player => TurnKind::Winning,
        Some(_) => TurnKind::Losing,
        None => TurnKind::Drawing,
    }
}
