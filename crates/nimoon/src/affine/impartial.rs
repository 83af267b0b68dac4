//! Affine impartial forms: what they are, and what they are worth.
//!
//! Let G be affine impartial. In G + *n the first player, say Left, wins by moving in G
//!
//! - to a quiet form of value *n: an *immediate* nimber;
//! - to a Left-check K if Right, who must answer it, loses K + *n: a *protected* nimber;
//! - to ∞.
//!
//! For a Left-check K let cover(K) be the nimbers beside which Right, who must answer, loses. His
//! answers are −∞, which wins; quiet forms, which win beside their own value alone; Right-checks,
//! which by symmetry win beside what they cover; and forms in which Left has ∞, which lose. So
//! cover(K) is the complement of a union of sets that are finite or cofinite, and is one itself.
//! Forms are visited after their options.
//!
//! This is the rule of the [entailing theory](crate::impartial::theory::entailing) for gray nodes,
//! and the tests compare the two through the conversions.

use rustc_hash::FxHashMap;
use thiserror::Error;

use super::forms::{Form, Forms};
use crate::impartial::nimbers::{NimberSet, Nimbers};
use crate::impartial::value::EntailingValue;
use crate::limits::{Interrupted, Work};
use crate::player::Player;

/// Why a form is not affine impartial [LNS2021, Defs 6, 7].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAffineImpartial {
    /// ∞ and −∞ are not symmetric.
    Infinity,
    /// The form, or one of its quiet followers, is not symmetric.
    NotSymmetric {
        /// The form or the follower; of several followers one without others below it.
        follower: Form,
        /// Whose option shows it.
        player: Player,
        /// An option of that player whose conjugate is not an option of the other.
        option: Form,
    },
}

/// Why nothing is known about an affine impartial form.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub(super) enum Refused {
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    #[error("the form is not affine impartial")]
    NotAffineImpartial(NotAffineImpartial),
}

/// What an affine impartial form is worth, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Impartial {
    /// S: the nimbers among the options [LNS2021, Def. 10].
    pub immediate: NimberSet,
    /// P: the nimbers against which a check protects [LNS2021, Def. 11].
    pub protected: NimberSet,
    /// The mex of both, or the moon if they are everything [LNS2021, Thm 20].
    pub value: EntailingValue,
}

/// What was found about the followers of an affine impartial form.
pub(super) struct Worth {
    /// The values of quiet followers.
    values: FxHashMap<Form, EntailingValue>,
    /// For checks, what they cover: those of Left, and those of Right.
    covers: [FxHashMap<Form, NimberSet>; 2],
}

impl Worth {
    /// The number of a quiet follower that equals a nimber.
    pub(super) fn nimber(&self, form: Form) -> Option<u64> {
        match self.values.get(&form) {
            Some(EntailingValue::Nimber(n)) => Some(*n),
            _ => None,
        }
    }

    /// The nimbers among these options.
    fn immediate(&self, options: &[Form]) -> NimberSet {
        NimberSet::Only(options.iter().filter_map(|&option| self.nimber(option)).collect())
    }

    /// The nimbers against which the checks of a player among these options protect.
    fn protected(&self, options: &[Form], player: Player) -> NimberSet {
        if options.contains(&Form::won_by(player)) {
            return NimberSet::everything();
        }
        let mut protected = NimberSet::Only(Nimbers::EMPTY);
        for option in options {
            if let Some(cover) = self.covers[player.index()].get(option) {
                protected = protected.union(cover);
            }
        }
        protected
    }

    /// The value of a quiet follower.
    pub(super) fn value(&self, form: Form) -> Option<EntailingValue> {
        self.values.get(&form).copied()
    }
}

impl Forms {
    /// Whether a form is its own conjugate, and no infinity [LNS2021, Def. 6].
    ///
    /// ```
    /// use nimoon::{Work, affine::{Form, Forms}};
    /// let mut forms = Forms::new();
    /// let one = forms.integer(1);
    /// let mut symmetric = |form| forms.is_symmetric(form, &mut Work::default()).unwrap();
    /// assert!(symmetric(Form::MOON) && !symmetric(one) && !symmetric(Form::INFINITY));
    /// ```
    ///
    /// # Errors
    /// When the work is interrupted.
    pub fn is_symmetric(&mut self, form: Form, work: &mut Work) -> Result<bool, Interrupted> {
        Ok(!form.is_infinity() && self.conjugate(form, work)? == form)
    }

    /// Whether a form is affine impartial, and if not, why [LNS2021, Def. 7]: it and all its quiet
    /// followers must be symmetric.
    ///
    /// ```
    /// use nimoon::{Work, affine::{Forms, NotAffineImpartial}};
    /// let mut forms = Forms::new();
    /// let mut work = Work::default();
    /// let form = forms.read("{{0|1},0|{-1|0},0}", &mut work).unwrap();
    /// let reason = forms.affine_impartial(form, &mut work).unwrap().unwrap_err();
    /// assert_eq!(
    ///     forms.reason(&reason, form),
    ///     "its quiet follower 1 is not symmetric: 0 is an option of Left, but 0 is not one of Right",
    /// );
    /// ```
    ///
    /// # Errors
    /// When the work is interrupted, outside; inside, the reason.
    pub fn affine_impartial(
        &mut self,
        form: Form,
        work: &mut Work,
    ) -> Result<Result<(), NotAffineImpartial>, Interrupted> {
        if form.is_infinity() {
            return Ok(Err(NotAffineImpartial::Infinity));
        }
        self.conjugate(form, work)?;
        // The form itself is checked first, so its faults are reported before those of its
        // followers.
        let quiet = self.followers(form).into_iter().filter(|&follower| self.is_quiet(follower));
        for follower in std::iter::once(form).chain(quiet) {
            if self.known_conjugate(follower) == Some(follower) {
                continue;
            }
            for player in Player::BOTH {
                let others = self.options(follower, player.opponent());
                let odd = self.options(follower, player).iter().copied().find(|&option| {
                    self.known_conjugate(option).is_none_or(|other| !others.contains(&other))
                });
                if let Some(option) = odd {
                    let reason = NotAffineImpartial::NotSymmetric { follower, player, option };
                    return Ok(Err(reason));
                }
            }
        }
        Ok(Ok(()))
    }

    /// The reason in words, for the form that it is about.
    pub fn reason(&self, reason: &NotAffineImpartial, form: Form) -> String {
        match *reason {
            NotAffineImpartial::Infinity => "an infinity is not symmetric".to_owned(),
            NotAffineImpartial::NotSymmetric { follower, player, option } => {
                let which = if follower == form {
                    "it".to_owned()
                } else {
                    format!("its quiet follower {}", self.short_text(follower))
                };
                let conjugate = self.known_conjugate(option).unwrap_or(option);
                format!(
                    "{which} is not symmetric: {} is an option of {player}, but {} is not one of {}",
                    self.short_text(option),
                    self.short_text(conjugate),
                    player.opponent()
                )
            }
        }
    }

    /// The immediate and protected nimbers of an affine impartial form, and its value [LNS2021, Thm
    /// 20].
    ///
    /// ```
    /// use nimoon::{Work, affine::Forms};
    /// use nimoon::{EntailingValue, NimberSet};
    /// let mut forms = Forms::new();
    /// let mut work = Work::default();
    /// // Top entails, a heap of 5: splitting is loony, and taking the top coin protects against all but 0.
    /// let form = forms.read("{moon,{oo|0}|...}", &mut work).unwrap();
    /// let worth = forms.impartial(form, &mut work).unwrap().unwrap();
    /// assert_eq!(worth.immediate, NimberSet::nothing());
    /// assert_eq!(worth.protected, NimberSet::all_except([0]));
    /// assert_eq!(worth.value, EntailingValue::Nimber(0));
    /// ```
    ///
    /// # Errors
    /// When the work is interrupted, outside; inside, why the form is not affine impartial.
    pub fn impartial(
        &mut self,
        form: Form,
        work: &mut Work,
    ) -> Result<Result<Impartial, NotAffineImpartial>, Interrupted> {
        match self.worth(form, work) {
            Ok(worth) => Ok(Ok(self.rule(form, &worth))),
            Err(Refused::NotAffineImpartial(reason)) => Ok(Err(reason)),
            Err(Refused::Interrupted(interrupted)) => Err(interrupted),
        }
    }

    /// Whether two affine impartial forms are equal modulo affine impartial games: whether their
    /// values are [LNS2021, Def. 8, Thm 17].
    ///
    /// ```
    /// use nimoon::{Work, affine::Forms};
    /// let mut forms = Forms::new();
    /// let mut work = Work::default();
    /// let g = forms.read("{{oo|0},0|...}", &mut work).unwrap();
    /// let h = forms.read("{{oo|*},*|...}", &mut work).unwrap();
    /// assert_eq!(forms.equal_modulo_impartial(g, h, &mut work).unwrap(), Ok(true));
    /// ```
    ///
    /// # Errors
    /// When the work is interrupted, outside; inside, which form is not affine impartial, and why.
    pub fn equal_modulo_impartial(
        &mut self,
        g: Form,
        h: Form,
        work: &mut Work,
    ) -> Result<Result<bool, (Form, NotAffineImpartial)>, Interrupted> {
        let mut values = [EntailingValue::Moon; 2];
        for (form, value) in [g, h].into_iter().zip(&mut values) {
            match self.impartial(form, work)? {
                Ok(worth) => *value = worth.value,
                Err(reason) => return Ok(Err((form, reason))),
            }
        }
        Ok(Ok(values[0] == values[1]))
    }

    /// The same form with every quiet follower replaced by its value, as the paper shows the heaps
    /// of top entails; the moon is {∞|−∞}. The value stays.
    ///
    /// ```
    /// use nimoon::{Work, affine::Forms};
    /// let mut forms = Forms::new();
    /// let mut work = Work::default();
    /// let form = forms.read("{{{oo|0},0|...},{oo|{{oo|*}|...}}|...}", &mut work).unwrap();
    /// let short = forms.with_values(form, &mut work).unwrap().unwrap();
    /// assert_eq!(forms.text(short), "{moon,{oo|*}|moon,{*|-oo}}");
    /// ```
    ///
    /// # Errors
    /// When the work is interrupted, outside; inside, why the form is not affine impartial.
    pub fn with_values(
        &mut self,
        form: Form,
        work: &mut Work,
    ) -> Result<Result<Form, NotAffineImpartial>, Interrupted> {
        let worth = match self.worth(form, work) {
            Ok(worth) => worth,
            Err(Refused::NotAffineImpartial(reason)) => return Ok(Err(reason)),
            Err(Refused::Interrupted(interrupted)) => return Err(interrupted),
        };
        let mut replaced: FxHashMap<Form, Form> = FxHashMap::default();
        for follower in self.followers(form) {
            work.count()?;
            let new = match worth.value(follower).filter(|_| follower != form) {
                Some(EntailingValue::Nimber(n)) => self.nimber(n),
                Some(EntailingValue::Moon) => Form::MOON,
                None if follower.is_infinity() => follower,
                None => {
                    let [left, right] = Player::BOTH.map(|player| {
                        let options = self.options(follower, player).iter();
                        options.map(|option| replaced[option]).collect::<Vec<_>>()
                    });
                    self.braces(left, right)
                }
            };
            replaced.insert(follower, new);
        }
        Ok(Ok(replaced[&form]))
    }

    /// Values and covers of all followers.
    pub(super) fn worth(&mut self, form: Form, work: &mut Work) -> Result<Worth, Refused> {
        self.affine_impartial(form, work)?.map_err(Refused::NotAffineImpartial)?;
        let mut worth = Worth { values: FxHashMap::default(), covers: Default::default() };
        for follower in self.followers(form) {
            work.count().map_err(Refused::Interrupted)?;
            if follower.is_infinity() {
                continue;
            }
            for player in Player::BOTH {
                if self.is_check(follower, player) {
                    let cover = self.wins(follower, player.opponent(), &worth).complement();
                    worth.covers[player.index()].insert(follower, cover);
                }
            }
            if self.is_quiet(follower) {
                let value = self.rule(follower, &worth).value;
                worth.values.insert(follower, value);
            }
        }
        Ok(worth)
    }

    /// The nimbers beside which this player wins by moving in a form.
    fn wins(&self, form: Form, player: Player, worth: &Worth) -> NimberSet {
        let options = self.options(form, player);
        worth.immediate(options).union(&worth.protected(options, player))
    }

    /// The affine impartial minimum excluded rule.
    fn rule(&self, form: Form, worth: &Worth) -> Impartial {
        let options = self.options(form, Player::Left);
        let immediate = worth.immediate(options);
        let protected = worth.protected(options, Player::Left);
        let value = immediate.union(&protected).mex();
        let value = value.map_or(EntailingValue::Moon, EntailingValue::Nimber);
        Impartial { immediate, protected, value }
    }

    /// Whether an affine impartial form is maneuverable [LNS2021, Def. 12]: it is quiet, and after
    /// each move of a player that is neither to a nimber nor to the infinity of the opponent, the
    /// opponent can force, by checks alone, that player to move to a nimber, or a move to the
    /// opponent's infinity.
    ///
    /// ```
    /// use nimoon::{Work, affine::Forms};
    /// let mut forms = Forms::new();
    /// let mut work = Work::default();
    /// let form = forms.read("{*2,{oo|{0,*4|-oo},0}|...}", &mut work).unwrap();
    /// assert_eq!(forms.is_maneuverable(form, &mut work).unwrap(), Ok(true));
    /// ```
    ///
    /// # Errors
    /// When the work is interrupted, outside; inside, why the form is not affine impartial.
    pub fn is_maneuverable(
        &mut self,
        form: Form,
        work: &mut Work,
    ) -> Result<Result<bool, NotAffineImpartial>, Interrupted> {
        let worth = match self.worth(form, work) {
            Ok(worth) => worth,
            Err(Refused::NotAffineImpartial(reason)) => return Ok(Err(reason)),
            Err(Refused::Interrupted(interrupted)) => return Err(interrupted),
        };
        if !self.is_quiet(form) {
            return Ok(Ok(false));
        }
        // Whether Right, to move, can force what he wants from here.
        let mut forces: FxHashMap<Form, bool> = FxHashMap::default();
        let is_forced = |form: Form, forces: &FxHashMap<Form, bool>| {
            form == Form::MINUS_INFINITY
                || worth.nimber(form).is_some()
                || forces.get(&form) == Some(&true)
        };
        for follower in self.followers(form) {
            work.count()?;
            let can = self.options(follower, Player::Right).iter().any(|&answer| {
                answer == Form::MINUS_INFINITY
                    || (self.is_check(answer, Player::Right)
                        && self
                            .options(answer, Player::Left)
                            .iter()
                            .all(|&o| is_forced(o, &forces)))
            });
            forces.insert(follower, can);
        }
        // Right's own moves are the conjugates of Left's: the form is symmetric.
        Ok(Ok(self.options(form, Player::Left).iter().all(|&option| is_forced(option, &forces))))
    }
}
