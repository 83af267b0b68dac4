//! Affine forms as plain trees, and play in sums of them.
//!
//! A sum is a list of forms. A player moves in one of them; a move to ∞ or −∞ ends the game at
//! once. Everything follows the definitions of LNS2021 word by word, without memory and without any
//! theorem, so this is for small forms only.

use std::rc::Rc;

/// A literal form as a tree.
#[derive(Clone, Debug)]
pub enum Form {
    /// ∞: Left has won.
    Infinity,
    /// −∞: Right has won.
    MinusInfinity,
    /// Left's options and Right's options.
    Braces(Rc<(Vec<Form>, Vec<Form>)>),
}

/// Who wins: Left, the next player, the previous player, or Right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wins {
    /// Left, if either player begins.
    L,
    /// The next player.
    N,
    /// The previous player.
    P,
    /// Right, if either player begins.
    R,
}

impl Wins {
    /// Whether it is at least as good for Left.
    ///
    /// ```
    /// use nimoon_oracle::affine::Wins::{L, N, P};
    /// assert!(L.at_least(N) && !N.at_least(P) && !P.at_least(N) && P.at_least(P));
    /// ```
    #[must_use]
    pub fn at_least(self, other: Self) -> bool {
        self == other || self == Self::L || other == Self::R
    }
}

impl Form {
    /// The form with these options.
    #[must_use]
    pub fn braces(left: Vec<Form>, right: Vec<Form>) -> Self {
        Self::Braces(Rc::new((left, right)))
    }

    /// {−∞|∞}.
    #[must_use]
    pub fn zero() -> Self {
        Self::braces(vec![Self::MinusInfinity], vec![Self::Infinity])
    }

    /// *n.
    #[must_use]
    pub fn nimber(n: usize) -> Self {
        if n == 0 {
            return Self::zero();
        }
        let smaller: Vec<Form> = (0..n).map(Self::nimber).collect();
        Self::braces(smaller.clone(), smaller)
    }

    /// Left's options.
    #[must_use]
    pub fn left(&self) -> &[Form] {
        match self {
            Self::Braces(sides) => &sides.0,
            _ => &[],
        }
    }

    /// Right's options.
    #[must_use]
    pub fn right(&self) -> &[Form] {
        match self {
            Self::Braces(sides) => &sides.1,
            _ => &[],
        }
    }

    /// The form with the players exchanged.
    #[must_use]
    pub fn conjugate(&self) -> Self {
        match self {
            Self::Infinity => Self::MinusInfinity,
            Self::MinusInfinity => Self::Infinity,
            Self::Braces(_) => {
                let all = |side: &[Form]| side.iter().map(Form::conjugate).collect();
                Self::braces(all(self.right()), all(self.left()))
            }
        }
    }

    /// A text that is the same for the same sets of options, in any order.
    #[must_use]
    pub fn key(&self) -> String {
        let side = |options: &[Form]| {
            let mut keys: Vec<String> = options.iter().map(Form::key).collect();
            keys.sort();
            keys.dedup();
            keys.join(",")
        };
        match self {
            Self::Infinity => "+".to_owned(),
            Self::MinusInfinity => "-".to_owned(),
            Self::Braces(_) => format!("{{{}|{}}}", side(self.left()), side(self.right())),
        }
    }

    /// Whether ∞ is an option of Left.
    #[must_use]
    pub fn is_left_check(&self) -> bool {
        self.left().iter().any(|option| matches!(option, Self::Infinity))
    }

    /// Whether −∞ is an option of Right.
    #[must_use]
    pub fn is_right_check(&self) -> bool {
        self.right().iter().any(|option| matches!(option, Self::MinusInfinity))
    }

    /// Whether it is neither an infinity nor a check.
    #[must_use]
    pub fn is_quiet(&self) -> bool {
        matches!(self, Self::Braces(_)) && !self.is_left_check() && !self.is_right_check()
    }

    /// Whether it is its own conjugate.
    #[must_use]
    pub fn is_symmetric(&self) -> bool {
        matches!(self, Self::Braces(_)) && self.key() == self.conjugate().key()
    }

    /// Whether this is true for the form and everything below it.
    fn everywhere(&self, holds: &dyn Fn(&Form) -> bool) -> bool {
        holds(self) && self.left().iter().chain(self.right()).all(|o| o.everywhere(holds))
    }

    /// Whether it is symmetric and so is everything quiet below it.
    ///
    /// ```
    /// use nimoon_oracle::affine::Form;
    /// let moon = Form::braces(vec![Form::Infinity], vec![Form::MinusInfinity]);
    /// let one = Form::braces(vec![Form::zero()], vec![Form::Infinity]);
    /// assert!(moon.is_affine_impartial() && !one.is_affine_impartial());
    /// ```
    #[must_use]
    pub fn is_affine_impartial(&self) -> bool {
        self.is_symmetric() && self.everywhere(&|form| !form.is_quiet() || form.is_symmetric())
    }

    /// Whether nothing in it is a check, and it is not an infinity.
    #[must_use]
    pub fn is_conway_form(&self) -> bool {
        matches!(self, Self::Braces(_))
            && self.everywhere(&|form| !form.is_left_check() && !form.is_right_check())
    }

    /// Whether it is an affine impartial form that behaves as some *n with n up to `most`.
    #[must_use]
    pub fn is_nimber(&self, most: usize) -> bool {
        self.is_quiet()
            && self.is_affine_impartial()
            && (0..=most).any(|n| outcome(&[self.clone(), Self::nimber(n)]) == Wins::P)
    }

    /// Whether it is maneuverable, if all nimbers in it are at most `most`.
    #[must_use]
    pub fn is_maneuverable(&self, most: usize) -> bool {
        let fine = |option: &Form| {
            matches!(option, Self::MinusInfinity)
                || option.is_nimber(most)
                || option.right_forces(most)
        };
        self.is_quiet() && self.left().iter().all(fine)
    }

    /// Whether Right, to move, can force by checks a move of Left to a nimber, or a move to −∞.
    fn right_forces(&self, most: usize) -> bool {
        self.right().iter().any(|answer| {
            matches!(answer, Self::MinusInfinity)
                || (answer.is_right_check()
                    && answer.left().iter().all(|option| {
                        matches!(option, Self::MinusInfinity)
                            || option.is_nimber(most)
                            || option.right_forces(most)
                    }))
        })
    }
}

/// Whether Left wins a sum.
///
/// ```
/// use nimoon_oracle::affine::{Form, left_wins};
/// assert!(!left_wins(&[Form::zero()], true));
/// assert!(left_wins(&[Form::nimber(2), Form::nimber(1)], true));
/// ```
#[must_use]
pub fn left_wins(sum: &[Form], left_to_move: bool) -> bool {
    for form in sum {
        match form {
            Form::Infinity => return true,
            Form::MinusInfinity => return false,
            Form::Braces(_) => {}
        }
    }
    let mut after = sum.to_vec();
    for (place, form) in sum.iter().enumerate() {
        let options = if left_to_move { form.left() } else { form.right() };
        for option in options {
            after[place] = option.clone();
            if left_wins(&after, !left_to_move) == left_to_move {
                return left_to_move;
            }
        }
        after[place] = form.clone();
    }
    !left_to_move
}

/// Who wins a sum.
///
/// ```
/// use nimoon_oracle::affine::{Form, Wins, outcome};
/// let check = Form::braces(vec![Form::Infinity], vec![Form::zero()]);
/// assert_eq!(outcome(&[check, Form::nimber(1)]), Wins::L);
/// ```
#[must_use]
pub fn outcome(sum: &[Form]) -> Wins {
    match (left_wins(sum, true), left_wins(sum, false)) {
        (true, true) => Wins::L,
        (true, false) => Wins::N,
        (false, true) => Wins::P,
        (false, false) => Wins::R,
    }
}
