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
//! off for ever; so this is the second choice, and in a game ([`Playable`](crate::solve::play::Playable)) positions that
//! stood on the board before are then avoided.
//!
//! In a game the product of the positions is made once, since it holds all that play can come to.
//! An impartial component is one in which both players have the same moves. Carry-on and entailing
//! moves have no meaning in the theory of partizan sums, where the players move in turn and
//! anywhere, so a position from which there are any is rejected.
//!
//! ## Limits and cost
//! The budget holds for each question: for the positions and moves of a search, and, sixteen for each
//! position, for the states of comparisons that are visited while sides are found and added.

mod play;
mod product;

use rustc_hash::FxHashMap;

use self::product::{Product, Verdict, canonical};
use crate::impartial::turn::TurnKind;
use crate::limits::{Interrupted, Limit, Work};
use crate::partizan::{Sides, Stoppers, Winner};
use crate::player::Player;
use crate::ruleset::{PartizanPositions, PositionId};
use crate::solve::explore::Field;

pub use play::PartizanPlacement;

impl Stoppers {
    /// The sides of a position of a partizan ruleset, as far as they are found.
    ///
    /// # Errors
    /// When the work is interrupted.
    pub fn position(
        &mut self,
        positions: &mut dyn PartizanPositions,
        start: PositionId,
        work: &mut Work,
    ) -> Result<Sides, Interrupted> {
        let followers = self.positions(positions, start, work)?;
        let start = followers.first().map(|&(_, sides)| sides);
        Ok(start.unwrap_or(Sides { onside: None, offside: None }))
    }

    /// The same for the canonical forms of all followers of a position, itself the first.
    fn positions(
        &mut self,
        positions: &mut dyn PartizanPositions,
        start: PositionId,
        work: &mut Work,
    ) -> Result<Vec<(PositionId, Sides)>, Interrupted> {
        let start = positions.canonical(start);
        let mut options = |position, player| {
            let options = positions.options(position, player).into_iter();
            options.map(|option| positions.canonical(option)).collect()
        };
        self.sides_of_followers(start, &mut options, work)
    }
}

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
        /// In how many plies the game ends if both play well, if either wins.
        remoteness: Option<u32>,
    },
    /// The values of what the moves lead to.
    Values,
}

impl PartizanGuide {
    /// The name used in JSON.
    ///
    /// ```
    /// assert_eq!(nimoon::solve::partizan::PartizanGuide::Values.name(), "values");
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
/// use nimoon::{Limits, TurnKind, Work};
/// use nimoon::{solve::partizan::PartizanSolution, player::Player};
/// use nimoon::{ruleset::{InternedPartizan, PartizanPositions, PartizanRuleset}, notation::NotationError};
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
/// let work = Work::new(Limits::new(1000));
/// let mut sum = PartizanSolution::new(vec![Box::new(counters)], terms.to_vec(), &work);
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
    work: Work,
    stoppers: Stoppers,
    /// Of positions in canonical form.
    sides: FxHashMap<PartizanTerm, Result<Sides, Interrupted>>,
    /// Of sums in canonical form.
    sums: FxHashMap<Vec<PartizanTerm>, Result<Sides, Interrupted>>,
    products: Vec<Product>,
    /// Sums in canonical form that are too large.
    too_large: FxHashMap<Vec<PartizanTerm>, Interrupted>,
}

/// How many states of comparisons may be visited for each position of the budget, to find sides.
const STATES_PER_POSITION: u64 = 16;

impl PartizanSolution {
    /// A sum; every question about it may visit as many states as the budget says.
    pub fn new(
        fields: Vec<Box<dyn PartizanPositions>>,
        start: Vec<PartizanTerm>,
        work: &Work,
    ) -> Self {
        Self {
            fields,
            start,
            work: work.child(work.limits()),
            stoppers: Stoppers::new(),
            sides: FxHashMap::default(),
            sums: FxHashMap::default(),
            products: Vec::new(),
            too_large: FxHashMap::default(),
        }
    }

    /// Answers within these limits from now on, with this clock and this token. What was not found under
    /// others is computed again.
    pub fn answer_within(&mut self, work: &Work) {
        self.work = work.child(work.limits());
        self.sides.retain(|_, found| found.is_ok());
        self.sums.retain(|_, found| found.is_ok());
        self.too_large.clear();
    }

    /// The limits for finding sides.
    fn for_sides(&self) -> Work {
        let positions = self.work.limits().positions;
        self.work.child(self.work.limits().positions(positions.saturating_mul(STATES_PER_POSITION)))
    }

    /// What ended a search for sides, by the positions that were allowed and not by their states.
    fn in_positions(&self, ended: Interrupted) -> Interrupted {
        match ended {
            Interrupted::OverBudget { limit: Limit::Positions, needed, .. } => {
                Interrupted::OverBudget {
                    limit: Limit::Positions,
                    allowed: self.work.limits().positions,
                    needed: needed.map(|states| states.div_ceil(STATES_PER_POSITION)),
                }
            }
            other => other,
        }
    }

    /// How many positions are kept for searches.
    pub fn size(&self) -> usize {
        self.products.iter().map(Product::size).sum()
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
            let mut work = self.for_sides();
            let added = self.stoppers.sum(sum, sides, &mut work);
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
        let mut work = self.for_sides();
        let positions = &mut *self.fields[usize::from(field)];
        match self.stoppers.positions(positions, position, &mut work) {
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
    /// When the sides do not decide and the sum is too large for a search.
    pub fn winner(&mut self, terms: &[PartizanTerm], first: Player) -> Result<Winner, Interrupted> {
        if let Some(winner) = self.winner_by_values(terms, first) {
            return Ok(winner);
        }
        Ok(self.search(terms, first)?.winner)
    }

    fn winner_by_values(&mut self, terms: &[PartizanTerm], first: Player) -> Option<Winner> {
        let sides = self.sides(terms).ok()?;
        let mut work = self.work.child(self.work.limits());
        self.stoppers.winner(sides, first, &mut work).ok()?
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
            let mut work = self.work.child(self.work.limits().at_most(Self::MOST_SEARCHED));
            match Product::new(&mut self.fields, &terms, &mut work) {
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

    /// The best move of the player to move.
    ///
    /// # Errors
    /// When neither a search nor the sides decide.
    pub fn turn(
        &mut self,
        terms: &[PartizanTerm],
        player: Player,
    ) -> Result<PartizanTurn, Interrupted> {
        self.turn_in_game(terms, player, &|_| 0)
    }

    /// The same in a game in which the opponent has met a sum as often as `met` says. Without a search
    /// nothing shows whether a winner comes nearer to the end, so what was met least is preferred then.
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
