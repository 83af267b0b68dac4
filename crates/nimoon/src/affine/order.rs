//! The order of games, as far as the paper has a test for it.

use std::cmp::Ordering;

use super::forms::{Form, Forms};
use super::outcome::AffineOutcome;
use crate::limits::{Interrupted, Work};
use crate::player::Player;

/// Why G ≥ H, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// Both are the same form.
    Identical,
    /// One is an infinity [LNS2021, Thm 2].
    Infinity,
    /// One is a Conway game: the outcome of its difference with the other decides [LNS2021, Thms 6,
    /// 7].
    Conway,
    /// Beside this game the outcome of G is not at least that of H [LNS2021, Def. 1].
    Beside(Form),
}

/// Whether G ≥ H, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It is.
    Yes(Ground),
    /// It is not.
    No(Ground),
    /// Neither is a Conway game, and no game that was tried distinguishes them: the paper has no
    /// test.
    Unknown,
}

impl Decision {
    /// Whether it is, where that is known.
    ///
    /// ```
    /// use nimoon::affine::{Decision, Ground};
    /// assert_eq!(Decision::No(Ground::Conway).holds(), Some(false));
    /// assert_eq!(Decision::Unknown.holds(), None);
    /// ```
    pub fn holds(self) -> Option<bool> {
        match self {
            Self::Yes(_) => Some(true),
            Self::No(_) => Some(false),
            Self::Unknown => None,
        }
    }

    /// Why, where it is known.
    pub fn ground(self) -> Option<Ground> {
        match self {
            Self::Yes(ground) | Self::No(ground) => Some(ground),
            Self::Unknown => None,
        }
    }
}

/// Both directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// Whether G ≥ H.
    pub ge: Decision,
    /// Whether G ≤ H.
    pub le: Decision,
}

impl Comparison {
    /// The order, none for incomparable games, where both directions are known.
    ///
    /// ```
    /// use nimoon::affine::{Comparison, Decision, Ground};
    /// let [yes, no] = [Decision::Yes(Ground::Conway), Decision::No(Ground::Conway)];
    /// assert_eq!(Comparison { ge: yes, le: no }.order(), Some(Some(std::cmp::Ordering::Greater)));
    /// assert_eq!(Comparison { ge: no, le: no }.order(), Some(None));
    /// ```
    pub fn order(self) -> Option<Option<Ordering>> {
        Some(match (self.ge.holds()?, self.le.holds()?) {
            (true, true) => Some(Ordering::Equal),
            (true, false) => Some(Ordering::Greater),
            (false, true) => Some(Ordering::Less),
            (false, false) => None,
        })
    }
}

/// A sum of two that is being played.
struct Frame {
    key: (Form, Form, Player),
    next: usize,
}

impl Forms {
    /// Who wins G + H if this player begins, without making the form of the sum.
    ///
    /// ```
    /// use nimoon::{Work, affine::{Form, Forms}};
    /// use nimoon::player::Player;
    /// let mut forms = Forms::new();
    /// let [one, minus_one] = [1, -1].map(|n| forms.integer(n));
    /// let mut winner = |g, h| forms.winner_of_sum(g, h, Player::Left, &mut Work::default()).unwrap();
    /// assert_eq!(winner(one, minus_one), Player::Right);
    /// assert_eq!(winner(Form::MOON, minus_one), Player::Left);
    /// ```
    ///
    /// # Errors
    /// When the work is interrupted.
    ///
    /// # Panics
    /// For ∞ + −∞, which is not defined.
    pub fn winner_of_sum(
        &mut self,
        g: Form,
        h: Form,
        first: Player,
        work: &mut Work,
    ) -> Result<Player, Interrupted> {
        for (one, other) in [(g, h), (h, g)] {
            if one.is_infinity() {
                assert!(!other.is_infinity() || one == other, "oo + -oo is not defined");
                return Ok(self.outcome(one).winner(first));
            }
        }
        let key = |a: Form, b: Form, player: Player| (a.min(b), a.max(b), player);
        let start = key(g, h, first);
        let mut stack = vec![Frame { key: start, next: 0 }];
        while let Some(Frame { key: (a, b, player), next }) = stack.last_mut() {
            let (a, b, player) = (*a, *b, *player);
            if self.pairs.contains_key(&(a, b, player)) {
                stack.pop();
                continue;
            }
            if *next == 0 {
                self.step(work)?;
            }
            // A check of one's own is mate; else moves are tried one after the other.
            let mate = self.is_check(a, player) || self.is_check(b, player);
            let in_first = self.options(a, player);
            let in_second = self.options(b, player);
            let opponent = player.opponent();
            let mut wins = mate.then_some(true);
            while wins.is_none() {
                let after = match *next {
                    i if i < in_first.len() => (in_first[i], b),
                    i if i < in_first.len() + in_second.len() => (a, in_second[i - in_first.len()]),
                    _ => {
                        wins = Some(false);
                        break;
                    }
                };
                // There is no mate, so an infinity here is that of the opponent.
                if after.0.is_infinity() || after.1.is_infinity() {
                    *next += 1;
                    continue;
                }
                let after = key(after.0, after.1, opponent);
                match self.pairs.get(&after) {
                    Some(true) => *next += 1,
                    Some(false) => wins = Some(true),
                    None => {
                        stack.push(Frame { key: after, next: 0 });
                        break;
                    }
                }
            }
            if let Some(wins) = wins {
                self.pairs.insert((a, b, player), wins);
            }
        }
        Ok(if self.pairs[&start] { first } else { first.opponent() })
    }

    /// Who wins G + H, without making the form of the sum; none for ∞ + −∞.
    ///
    /// ```
    /// use nimoon::{affine::{AffineOutcome, Form, Forms}, Work};
    /// let mut forms = Forms::new();
    /// let star = forms.nimber(1);
    /// let mut outcome = |g, h| forms.outcome_of_sum(g, h, &mut Work::default()).unwrap();
    /// assert_eq!(outcome(star, star), Some(AffineOutcome::P));
    /// assert_eq!(outcome(Form::INFINITY, star), Some(AffineOutcome::L));
    /// assert_eq!(outcome(Form::INFINITY, Form::MINUS_INFINITY), None);
    /// ```
    ///
    /// # Errors
    /// When the work is interrupted.
    pub fn outcome_of_sum(
        &mut self,
        g: Form,
        h: Form,
        work: &mut Work,
    ) -> Result<Option<AffineOutcome>, Interrupted> {
        if g.is_infinity() && h.is_infinity() && g != h {
            return Ok(None);
        }
        let [left, right] = Player::BOTH;
        let left = self.winner_of_sum(g, h, left, work)?;
        Ok(Some(AffineOutcome::of_winners(left, self.winner_of_sum(g, h, right, work)?)))
    }

    /// Whether G + Ḡ = 0: then G has a negative, which is its conjugate [LNS2021, Thm 5], and it is
    /// a Conway game (see [`Self::conway_game`]).
    ///
    /// ```
    /// use nimoon::{Work, affine::{Form, Forms}};
    /// let mut forms = Forms::new();
    /// let mut work = Work::default();
    /// let check = forms.read("{oo|0}", &mut work).unwrap();
    /// assert_eq!(forms.is_invertible(check, &mut work), Ok(false));
    /// assert_eq!(forms.is_invertible(Form::ZERO, &mut work), Ok(true));
    /// ```
    ///
    /// # Errors
    /// When the work is interrupted.
    pub fn is_invertible(&mut self, form: Form, work: &mut Work) -> Result<bool, Interrupted> {
        if form.is_infinity() || Player::BOTH.iter().any(|&player| self.is_check(form, player)) {
            return Ok(false);
        }
        if self.is_conway_form(form) {
            return Ok(true);
        }
        let conjugate = self.conjugate(form, work)?;
        // The sum is symmetric, so that it does not matter who begins.
        let winner = self.winner_of_sum(form, conjugate, Player::Left, work)?;
        Ok(winner == Player::Right)
    }

    /// A Conway form that equals the game, if there is one: if it is a Conway game [LNS2021, Def.
    /// 4].
    ///
    /// Let G + Ḡ = 0, so that Ḡ is −G. Left may begin in G + Ḡ by moving to A + Ḡ, for any
    /// of her options A. Right has an answer that wins.
    /// - If that is in A, to B with B + Ḡ ≤ 0, then B ≤ G: A is reversible through B, and the Left
    ///   options of B can stand in its place. If A is a Left-check there is no other answer. B is
    ///   not a Left-check: else Left, beginning, would win G beside everything, beside Ḡ as well.
    ///   If B is −∞, A is as good as −∞ and is dropped, unless it is the last option.
    /// - Else it is in Ḡ, to A + Ā′ ≤ 0 with A′ an option of Left. From A′ one continues to A″
    ///   likewise, and comes into a circle A₁, …, Aₖ. The sum of all Aᵢ + Āᵢ of the circle is ≤ 0,
    ///   and being symmetric it is 0 [Thm 8]. So each Aᵢ is invertible. Before the circle, A + Ā′ ≤
    ///   0 means A ≤ A′: A is dominated, and is dropped.
    ///
    /// What is left is options that are invertible and come earlier, so that they equal Conway
    /// forms by induction. That dominated and reversible options can be dealt with as usual follows
    /// from the definition of ≥ as usual.
    ///
    /// ```
    /// use nimoon::{Work, affine::{Form, Forms}};
    /// let mut forms = Forms::new();
    /// let mut work = Work::default();
    /// let form = forms.read("{{oo|*}|{*|-oo}}", &mut work).unwrap();
    /// let star = forms.conway_game(form, &mut work).unwrap().unwrap();
    /// assert_eq!(forms.text(star), "*");
    /// assert_eq!(forms.conway_game(Form::MOON, &mut work), Ok(None));
    /// ```
    ///
    /// # Errors
    /// When the work is interrupted.
    pub fn conway_game(
        &mut self,
        form: Form,
        work: &mut Work,
    ) -> Result<Option<Form>, Interrupted> {
        if self.is_conway_form(form) {
            return Ok(Some(form));
        }
        if !self.is_invertible(form, work)? {
            return Ok(None);
        }
        // Only what is invertible below counts; the rest stays none.
        let mut equal: rustc_hash::FxHashMap<Form, Form> = rustc_hash::FxHashMap::default();
        for follower in self.followers(form) {
            work.count()?;
            if self.is_conway_form(follower) {
                equal.insert(follower, follower);
            } else if self.is_invertible(follower, work)? {
                let mut sides = [Vec::new(), Vec::new()];
                for (player, side) in Player::BOTH.into_iter().zip(&mut sides) {
                    for option in self.without_reversible(follower, player, work)? {
                        side.extend(equal.get(&option));
                    }
                }
                let [left, right] = sides;
                let conway = self.braces(left, right);
                equal.insert(follower, conway);
            }
        }
        Ok(equal.get(&form).copied())
    }

    /// The options of a player in an invertible form, with reversible ones replaced.
    fn without_reversible(
        &mut self,
        form: Form,
        player: Player,
        work: &mut Work,
    ) -> Result<Vec<Form>, Interrupted> {
        let negative = self.conjugate(form, work)?;
        let opponent = player.opponent();
        let mut waiting: Vec<Form> = self.options(form, player).to_vec();
        let mut met: rustc_hash::FxHashSet<Form> = waiting.iter().copied().collect();
        let mut kept = Vec::new();
        'options: while let Some(option) = waiting.pop() {
            // The opponent has won, or wins by the next move.
            if option.is_infinity() || self.is_check(option, opponent) {
                continue;
            }
            for answer in self.options(option, opponent).to_vec() {
                if answer.is_infinity() {
                    continue;
                }
                // The player begins in answer − form, and loses.
                if self.winner_of_sum(answer, negative, player, work)? == opponent {
                    let new = self.options(answer, player).iter().copied();
                    waiting.extend(new.filter(|&option| met.insert(option)));
                    continue 'options;
                }
            }
            kept.push(option);
        }
        Ok(kept)
    }

    /// Whether G ≥ H: for an infinity [LNS2021, Thm 2], if one of both is a Conway game [LNS2021,
    /// Thms 6, 7], and else by games that distinguish them.
    ///
    /// ```
    /// use nimoon::{affine::{Decision, Forms, Ground}, Work};
    /// let mut forms = Forms::new();
    /// let mut work = Work::default();
    /// let g = forms.read("{{oo|0},0|...}", &mut work).unwrap();
    /// let h = forms.read("{{oo|*},*|...}", &mut work).unwrap();
    /// let Decision::No(Ground::Beside(x)) = forms.ge(h, g, &mut work).unwrap() else { panic!() };
    /// assert_eq!(forms.text(x), "{0|-1}");
    /// ```
    ///
    /// # Errors
    /// When the work is interrupted.
    pub fn ge(&mut self, g: Form, h: Form, work: &mut Work) -> Result<Decision, Interrupted> {
        let decided = |holds: bool, ground: Ground| {
            if holds { Decision::Yes(ground) } else { Decision::No(ground) }
        };
        if g == h {
            return Ok(Decision::Yes(Ground::Identical));
        }
        // Beside the moon Right wins any G other than ∞ if he begins: nothing else is as good as ∞.
        if g.is_infinity() || h.is_infinity() {
            let holds = g == Form::INFINITY || h == Form::MINUS_INFINITY;
            return Ok(decided(holds, Ground::Infinity));
        }
        if self.is_invertible(h, work)? {
            let negative = self.conjugate(h, work)?;
            let winner = self.winner_of_sum(g, negative, Player::Right, work)?;
            return Ok(decided(winner == Player::Left, Ground::Conway));
        }
        if self.is_invertible(g, work)? {
            let negative = self.conjugate(g, work)?;
            let winner = self.winner_of_sum(h, negative, Player::Left, work)?;
            return Ok(decided(winner == Player::Right, Ground::Conway));
        }
        for beside in self.contexts(work)? {
            for first in Player::BOTH {
                let [of_g, of_h] = [
                    self.winner_of_sum(g, beside, first, work)?,
                    self.winner_of_sum(h, beside, first, work)?,
                ];
                if of_h == Player::Left && of_g == Player::Right {
                    return Ok(Decision::No(Ground::Beside(beside)));
                }
            }
        }
        Ok(Decision::Unknown)
    }

    /// Games that often distinguish others: those of the paper, small numbers, nimbers, switches
    /// and threats.
    fn contexts(&mut self, work: &mut Work) -> Result<Vec<Form>, Interrupted> {
        let numbers: Vec<Form> = (-2..=2).map(|n| self.integer(n)).collect();
        let mut all = vec![Form::ZERO];
        let stars = [1, 2].map(|n| self.nimber(n));
        let zero = Form::ZERO;
        let mate = self.braces([Form::MINUS_INFINITY], [Form::MINUS_INFINITY]);
        for (left, right) in [
            (zero, numbers[1]),
            (zero, numbers[0]),
            (zero, mate),
            (numbers[3], numbers[1]),
            (stars[0], mate),
            (stars[0], numbers[1]),
            (zero, stars[0]),
        ] {
            let switch = self.braces([left], [right]);
            all.extend([switch, self.conjugate(switch, work)?]);
        }
        all.extend(numbers);
        all.extend(stars);
        Ok(all)
    }

    /// The order of two games, as far as it is known.
    ///
    /// ```
    /// use nimoon::{Work, affine::Forms};
    /// use std::cmp::Ordering;
    /// let mut forms = Forms::new();
    /// let [one, star] = [forms.integer(1), forms.nimber(1)];
    /// let comparison = forms.relation(one, star, &mut Work::default()).unwrap();
    /// assert_eq!(comparison.order(), Some(Some(Ordering::Greater)));
    /// ```
    ///
    /// # Errors
    /// When the work is interrupted.
    pub fn relation(
        &mut self,
        g: Form,
        h: Form,
        work: &mut Work,
    ) -> Result<Comparison, Interrupted> {
        Ok(Comparison { ge: self.ge(g, h, work)?, le: self.ge(h, g, work)? })
    }
}
