//! Loony games among all forms, not only the impartial ones.

use super::forms::{Form, Forms};
use super::outcome::AffineOutcome;
use crate::limits::{Interrupted, Work};
use crate::player::Player;

impl Forms {
    /// Whether a game is loony: the next player wins G + X for every quiet X of outcome N or P
    /// [LNS2021, Def. 9].
    ///
    /// Three X are enough: 0, X₀ = {0|{−∞|−∞}} and its conjugate. Every X of outcome P equals 0
    /// [Cor. 1]. Let X be quiet and of outcome N; then X ≥ X₀:
    /// - Left's only move in X₀ is to 0, and X has a Left option in L ∪ P, which is ≥ 0 [Thm 4];
    /// - Right's only move in X₀ is to {−∞|−∞}, and every Y other than −∞ is ≥ {−∞|−∞}: beside any
    ///   Z, Left wins the latter only if she begins and ∞ is an option of Z. No option of Right in
    ///   X is −∞, since X is quiet.
    ///
    /// So if Left, beginning, wins G + X₀, she wins G + X. The same holds for Right and the
    /// conjugate.
    ///
    /// A form can equal the moon modulo affine impartial games and yet not be loony
    /// [LNS2021, Observation 18]:
    ///
    /// ```
    /// use nimoon::{Work, affine::{Form, Forms}};
    /// let mut forms = Forms::new();
    /// let mut work = Work::default();
    /// let g = forms.read("{{oo|0},0|...}", &mut work).unwrap();
    /// let h = forms.read("{{oo|*},*|...}", &mut work).unwrap();
    /// assert_eq!([Form::MOON, g, h].map(|form| forms.is_loony(form, &mut work).unwrap()), [true, true, false]);
    /// ```
    ///
    /// # Errors
    /// When the work is interrupted.
    pub fn is_loony(&mut self, form: Form, work: &mut Work) -> Result<bool, Interrupted> {
        Ok(self.not_loony(form, work)?.is_none())
    }

    /// A quiet game of outcome N or P beside which the next player does not win, if there is one.
    ///
    /// ```
    /// use nimoon::{Work, affine::Forms};
    /// let mut forms = Forms::new();
    /// let mut work = Work::default();
    /// let form = forms.read("{{oo|*},*|...}", &mut work).unwrap();
    /// let beside = forms.not_loony(form, &mut work).unwrap().unwrap();
    /// assert_eq!(forms.text(beside), "{0|{-oo|-oo}}");
    /// ```
    ///
    /// # Errors
    /// When the work is interrupted.
    pub fn not_loony(&mut self, form: Form, work: &mut Work) -> Result<Option<Form>, Interrupted> {
        if self.outcome(form) != AffineOutcome::N {
            return Ok(Some(Form::ZERO));
        }
        let mate = self.braces([Form::MINUS_INFINITY], [Form::MINUS_INFINITY]);
        let threat = self.braces([Form::ZERO], [mate]);
        for (beside, player) in
            [(threat, Player::Left), (self.conjugate(threat, work)?, Player::Right)]
        {
            if self.winner_of_sum(form, beside, player, work)? != player {
                return Ok(Some(beside));
            }
        }
        Ok(None)
    }
}
