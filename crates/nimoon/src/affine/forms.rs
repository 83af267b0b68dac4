//! The arena of forms: each literal form has one number.

use std::hash::BuildHasherDefault;

use indexmap::IndexSet;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use thiserror::Error;

use super::outcome::AffineOutcome;
use crate::limits::{Interrupted, Work};
use crate::player::Player;

/// A literal form of a [`Forms`]: equal exactly if identical.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Form(pub(super) u32);

impl Form {
    /// ∞, which Left has won.
    pub const INFINITY: Self = Self(0);
    /// −∞, which Right has won.
    pub const MINUS_INFINITY: Self = Self(1);
    /// 0 = {−∞|∞}, which the player to move loses.
    pub const ZERO: Self = Self(2);
    /// ☾ = {∞|−∞}, which the player to move wins, whatever is beside it [LNS2021, Notation 12].
    pub const MOON: Self = Self(3);

    /// Whether it is ∞ or −∞.
    ///
    /// ```
    /// use nimoon::affine::Form;
    /// assert!(Form::INFINITY.is_infinity() && !Form::ZERO.is_infinity());
    /// ```
    pub const fn is_infinity(self) -> bool {
        self.0 < 2
    }

    /// The infinity that this player has won.
    pub(super) const fn won_by(player: Player) -> Self {
        match player {
            Player::Left => Self::INFINITY,
            Player::Right => Self::MINUS_INFINITY,
        }
    }

    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// ∞ + −∞ is not defined [LNS2021, Axiom 1.5].
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("oo + -oo is not defined: where one player has won, the other cannot win as well")]
pub struct UndefinedSum;

#[derive(Debug, PartialEq, Eq, Hash)]
enum Shape {
    Infinity,
    MinusInfinity,
    /// Left's and Right's options, each in order and at least one.
    Braces([Box<[Form]>; 2]),
}

/// What is known of a form as soon as it is made.
#[derive(Clone, Copy, Debug)]
struct Facts {
    /// The birthday, and one more: 0 for the infinities.
    day: u32,
    /// Depends on the form alone, so that options are in the same order in every arena.
    hash: u64,
    /// Who wins if Left begins, and if Right begins.
    winners: [Player; 2],
    /// Whether no follower is a check, and it is not an infinity.
    conway: bool,
    /// Whether it is a Left-check, and a Right-check.
    checks: [bool; 2],
    /// What it is called, if it has a name of its own.
    name: Name,
}

/// Forms that are printed by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    None,
    Integer(i64),
    Nimber(u64),
}

/// Literal forms, numbered so that each comes after its options.
///
/// ```
/// use nimoon::{affine::{AffineOutcome, Form, Forms}, Work};
/// let mut forms = Forms::new();
/// // A carry-on move to 0, or a plain one: a quiet form that equals the moon.
/// let carry_on = forms.braces([Form::INFINITY], [Form::ZERO]);
/// let other = forms.braces([Form::ZERO], [Form::MINUS_INFINITY]);
/// let g = forms.braces([carry_on, Form::ZERO], [other, Form::ZERO]);
/// assert_eq!(forms.text(g), "{{oo|0},0|{0|-oo},0}");
/// assert_eq!(forms.outcome(g), AffineOutcome::N);
/// assert_eq!(forms.conjugate(g, &mut Work::default()), Ok(g));
/// ```
#[derive(Debug)]
pub struct Forms {
    shapes: IndexSet<Shape, BuildHasherDefault<FxHasher>>,
    facts: Vec<Facts>,
    /// How many options all forms have together.
    moves: usize,
    conjugates: FxHashMap<Form, Form>,
    /// Whether the player who begins wins a sum of two, the smaller number first.
    pub(super) pairs: FxHashMap<(Form, Form, Player), bool>,
    /// The nimbers that were made.
    nimbers: Vec<Form>,
    /// The numbers from 0 up, and from 0 down.
    integers: [Vec<Form>; 2],
}

impl Default for Forms {
    fn default() -> Self {
        Self::new()
    }
}

/// Mixes two numbers into one.
const fn mix(a: u64, b: u64) -> u64 {
    let mut x = (a ^ b.rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x ^= x >> 29;
    x = x.wrapping_add(b).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x ^ (x >> 32)
}

impl Forms {
    /// The infinities, 0 and the moon.
    pub fn new() -> Self {
        let won = |player, hash| Facts {
            day: 0,
            hash,
            winners: [player; 2],
            conway: false,
            checks: [false; 2],
            name: Name::None,
        };
        let mut forms = Self {
            shapes: [Shape::Infinity, Shape::MinusInfinity].into_iter().collect(),
            facts: vec![won(Player::Left, 1), won(Player::Right, 2)],
            moves: 0,
            conjugates: FxHashMap::default(),
            pairs: FxHashMap::default(),
            nimbers: vec![Form::ZERO],
            integers: [vec![Form::ZERO], vec![Form::ZERO]],
        };
        let [plus, minus] = [Form::INFINITY, Form::MINUS_INFINITY];
        forms.conjugates.extend([(plus, minus), (minus, plus)]);
        forms.braces([minus], [plus]);
        forms.braces([plus], [minus]);
        forms
    }

    /// The form with these options; a side without any gets the infinity that the other player has
    /// won, so that {|} is 0 and {0|} is 1.
    ///
    /// ```
    /// use nimoon::affine::{Form, Forms};
    /// let mut forms = Forms::new();
    /// assert_eq!(forms.braces([], []), Form::ZERO);
    /// let one = forms.braces([Form::ZERO], []);
    /// assert_eq!(forms.options(one, nimoon::player::Player::Right), [Form::INFINITY]);
    /// ```
    ///
    /// # Panics
    /// When an option is not of this arena, or there are 2³² forms.
    pub fn braces(
        &mut self,
        left: impl IntoIterator<Item = Form>,
        right: impl IntoIterator<Item = Form>,
    ) -> Form {
        let mut left: Vec<Form> = left.into_iter().collect();
        let mut right: Vec<Form> = right.into_iter().collect();
        for (side, lost) in [(&mut left, Form::MINUS_INFINITY), (&mut right, Form::INFINITY)] {
            if side.is_empty() {
                side.push(lost);
            }
            side.sort_unstable_by_key(|&option| self.place(option));
            side.dedup();
        }
        let facts = self.facts_of(&left, &right);
        let moves = left.len() + right.len();
        let (number, new) = self.shapes.insert_full(Shape::Braces([left.into(), right.into()]));
        if new {
            self.facts.push(facts);
            self.moves += moves;
        }
        Form(u32::try_from(number).expect("fewer than 2^32 forms fit into memory"))
    }

    /// By what options are sorted: infinities, checks, quiet forms, and of these the simple ones
    /// first; in the same order in every arena.
    fn place(&self, form: Form) -> (u8, u32, u64, Form) {
        let Facts { day, hash, checks, .. } = self.facts[form.index()];
        let class = if form.is_infinity() { 0 } else { 2 - u8::from(checks != [false; 2]) };
        (class, day, hash, form)
    }

    fn facts_of(&self, left: &[Form], right: &[Form]) -> Facts {
        let all = || left.iter().chain(right).map(|&option| &self.facts[option.index()]);
        let mut hash = mix(left.len() as u64, right.len() as u64);
        for facts in all() {
            hash = mix(hash, facts.hash);
        }
        let checks = [left.contains(&Form::INFINITY), right.contains(&Form::MINUS_INFINITY)];
        let winner = |player: Player, options: &[Form]| {
            let opponent = player.opponent();
            let won = |&option: &Form| self.facts[option.index()].winners[opponent.index()];
            if options.iter().any(|option| won(option) == player) { player } else { opponent }
        };
        let options = left.iter().chain(right);
        let mut options = options.filter(|option| !option.is_infinity());
        Facts {
            day: 1 + all().map(|facts| facts.day).max().unwrap_or(0),
            hash,
            winners: [winner(Player::Left, left), winner(Player::Right, right)],
            conway: checks == [false; 2] && options.all(|option| self.facts[option.index()].conway),
            checks,
            name: self.name_of(left, right),
        }
    }

    fn name_of(&self, left: &[Form], right: &[Form]) -> Name {
        let name = |form: Form| self.facts[form.index()].name;
        match (left, right) {
            (&[Form::MINUS_INFINITY], &[Form::INFINITY]) => Name::Integer(0),
            (&[before], &[Form::INFINITY]) => match name(before) {
                Name::Integer(n) if n >= 0 => Name::Integer(n + 1),
                _ => Name::None,
            },
            (&[Form::MINUS_INFINITY], &[before]) => match name(before) {
                Name::Integer(n) if n <= 0 => Name::Integer(n - 1),
                _ => Name::None,
            },
            _ => {
                let is = |n: u64, form: Form| match name(form) {
                    Name::Integer(0) => n == 0,
                    Name::Nimber(m) => n == m,
                    _ => false,
                };
                if left == right && (0..).zip(left).all(|(n, &form)| is(n, form)) {
                    Name::Nimber(left.len() as u64)
                } else {
                    Name::None
                }
            }
        }
    }

    pub(super) fn name(&self, form: Form) -> Name {
        self.facts[form.index()].name
    }

    /// How many forms there are.
    pub fn len(&self) -> usize {
        self.shapes.len()
    }

    /// What all of them take in memory with what is known of them, roughly.
    fn bytes(&self) -> u64 {
        const FORM: usize = 112;
        const PAIR: usize = 24;
        let known = self.pairs.len() + self.conjugates.len();
        (FORM * self.len() + size_of::<Form>() * self.moves + PAIR * known) as u64
    }

    /// Counts one more state, and looks whether the forms have become too many to hold.
    pub(crate) fn step(&self, work: &mut Work) -> Result<(), Interrupted> {
        work.hold(self.bytes())?;
        work.count()
    }

    /// Whether there are no forms: never, the infinities are always there.
    pub fn is_empty(&self) -> bool {
        self.shapes.is_empty()
    }

    /// The options of a player, in order; none of ∞ and −∞.
    pub fn options(&self, form: Form, player: Player) -> &[Form] {
        match self.shapes.get_index(form.index()) {
            Some(Shape::Braces(sides)) => &sides[player.index()],
            _ => &[],
        }
    }

    /// The day on which a form is born: 0 for {−∞|∞}; none for ∞ and −∞, which are there before.
    ///
    /// ```
    /// use nimoon::affine::{Form, Forms};
    /// let mut forms = Forms::new();
    /// let star = forms.nimber(1);
    /// assert_eq!([Form::INFINITY, Form::ZERO, star].map(|g| forms.birthday(g)), [None, Some(0), Some(1)]);
    /// ```
    pub fn birthday(&self, form: Form) -> Option<u32> {
        self.facts[form.index()].day.checked_sub(1)
    }

    /// Who wins [LNS2021, §2].
    pub fn outcome(&self, form: Form) -> AffineOutcome {
        let [left, right] = self.facts[form.index()].winners;
        AffineOutcome::of_winners(left, right)
    }

    /// Whether the player has a move to the infinity that wins: a Left-check, or a Right-check
    /// [LNS2021, Def. 2].
    pub fn is_check(&self, form: Form, player: Player) -> bool {
        self.facts[form.index()].checks[player.index()]
    }

    /// Whether a form is neither an infinity nor a check [LNS2021, Def. 3].
    ///
    /// ```
    /// use nimoon::affine::{Form, Forms};
    /// let forms = Forms::new();
    /// assert!(forms.is_quiet(Form::ZERO));
    /// assert!(!forms.is_quiet(Form::MOON) && !forms.is_quiet(Form::INFINITY));
    /// ```
    pub fn is_quiet(&self, form: Form) -> bool {
        Player::BOTH.iter().all(|&player| self.is_quiet_for(form, player))
    }

    /// Whether a form is Left-quiet, or Right-quiet [LNS2021, Def. 3].
    pub fn is_quiet_for(&self, form: Form, player: Player) -> bool {
        form != Form::won_by(player) && !self.is_check(form, player)
    }

    /// Whether no follower is a check [LNS2021, Def. 4].
    ///
    /// ```
    /// use nimoon::{Work, affine::Forms};
    /// let mut forms = Forms::new();
    /// let star = forms.read("{0|0}", &mut Work::default()).unwrap();
    /// let other = forms.read("{{oo|*}|{*|-oo}}", &mut Work::default()).unwrap();
    /// assert!(forms.is_conway_form(star) && !forms.is_conway_form(other));
    /// ```
    pub fn is_conway_form(&self, form: Form) -> bool {
        self.facts[form.index()].conway
    }

    /// The whole number n, {n−1|} or {|n+1}.
    ///
    /// ```
    /// use nimoon::affine::{Form, Forms};
    /// let mut forms = Forms::new();
    /// let two = forms.integer(2);
    /// assert_eq!((forms.text(two).as_str(), forms.integer(0)), ("2", Form::ZERO));
    /// ```
    pub fn integer(&mut self, n: i64) -> Form {
        let side = usize::from(n < 0);
        let size = n.unsigned_abs() as usize;
        while self.integers[side].len() <= size {
            let last = self.integers[side][self.integers[side].len() - 1];
            let next = if n > 0 { self.braces([last], []) } else { self.braces([], [last]) };
            self.integers[side].push(next);
        }
        self.integers[side][size]
    }

    /// The nimber *n.
    ///
    /// ```
    /// use nimoon::affine::Forms;
    /// let mut forms = Forms::new();
    /// let two = forms.nimber(2);
    /// assert_eq!(forms.text(two), "*2");
    /// ```
    pub fn nimber(&mut self, n: u64) -> Form {
        while self.nimbers.len() as u64 <= n {
            let smaller = self.nimbers.clone();
            let next = self.braces(smaller.iter().copied(), smaller.iter().copied());
            self.nimbers.push(next);
        }
        self.nimbers[n as usize]
    }

    /// A form and all that play can reach from it, options before what has them.
    ///
    /// ```
    /// use nimoon::affine::{Form, Forms};
    /// let forms = Forms::new();
    /// let followers = forms.followers(Form::ZERO);
    /// assert_eq!(followers, [Form::INFINITY, Form::MINUS_INFINITY, Form::ZERO]);
    /// ```
    pub fn followers(&self, form: Form) -> Vec<Form> {
        self.followers_but(form, |_| false)
    }

    /// The same without what is excluded, and what can be reached by way of that alone.
    fn followers_but(&self, form: Form, excluded: impl Fn(Form) -> bool) -> Vec<Form> {
        let mut met: FxHashSet<Form> = FxHashSet::default();
        met.insert(form);
        let mut followers = vec![form];
        let mut next = 0;
        while let Some(&form) = followers.get(next) {
            next += 1;
            for player in Player::BOTH {
                let options = self.options(form, player).iter().copied();
                followers.extend(options.filter(|&o| !excluded(o) && met.insert(o)));
            }
        }
        followers.sort_unstable();
        followers
    }

    /// The conjugate: the players exchange their roles [LNS2021, Def. 5].
    ///
    /// ```
    /// use nimoon::{Work, affine::Forms};
    /// let mut forms = Forms::new();
    /// let [one, minus_one] = [1, -1].map(|n| forms.integer(n));
    /// assert_eq!(forms.conjugate(one, &mut Work::default()), Ok(minus_one));
    /// ```
    ///
    /// # Errors
    /// When the work is interrupted.
    pub fn conjugate(&mut self, form: Form, work: &mut Work) -> Result<Form, Interrupted> {
        if let Some(&known) = self.conjugates.get(&form) {
            return Ok(known);
        }
        for follower in self.followers_but(form, |form| self.conjugates.contains_key(&form)) {
            self.step(work)?;
            let [left, right] = Player::BOTH.map(|player| {
                let options = self.options(follower, player).iter();
                options.map(|option| self.conjugates[option]).collect::<Vec<_>>()
            });
            let conjugate = self.braces(right, left);
            self.conjugates.extend([(follower, conjugate), (conjugate, follower)]);
        }
        Ok(self.conjugates[&form])
    }

    /// The conjugate, where it has been computed before.
    pub(super) fn known_conjugate(&self, form: Form) -> Option<Form> {
        self.conjugates.get(&form).copied()
    }

    /// The literal form of a disjunctive sum: ∞ and −∞ absorb everything but each other [LNS2021,
    /// Axiom 1].
    ///
    /// ```
    /// use nimoon::{Work, affine::{Form, Forms, UndefinedSum}};
    /// let mut forms = Forms::new();
    /// let mut work = Work::default();
    /// let star = forms.nimber(1);
    /// let sum = forms.sum(star, star, &mut work).unwrap().unwrap();
    /// assert_eq!(forms.text(sum), "{{-oo,0|oo,0}|{-oo,0|oo,0}}");
    /// let undefined = forms.sum(Form::INFINITY, Form::MINUS_INFINITY, &mut work);
    /// assert_eq!(undefined.unwrap(), Err(UndefinedSum));
    /// ```
    ///
    /// # Errors
    /// When the work is interrupted, outside; inside, for ∞ + −∞.
    pub fn sum(
        &mut self,
        a: Form,
        b: Form,
        work: &mut Work,
    ) -> Result<Result<Form, UndefinedSum>, Interrupted> {
        match [a, b].map(Form::is_infinity) {
            [true, true] if a != b => return Ok(Err(UndefinedSum)),
            [true, _] => return Ok(Ok(a)),
            [_, true] => return Ok(Ok(b)),
            [false, false] => {}
        }
        let [firsts, seconds] = [a, b].map(|form| {
            let followers = self.followers(form).into_iter();
            followers.filter(|form| !form.is_infinity()).collect::<Vec<_>>()
        });
        let places =
            |forms: &[Form]| -> FxHashMap<Form, usize> { forms.iter().copied().zip(0..).collect() };
        let [first_places, second_places] = [places(&firsts), places(&seconds)];
        // Pairs in this order come after what they lead to.
        let mut sums: Vec<Form> = Vec::new();
        for (i, &first) in firsts.iter().enumerate() {
            for (j, &second) in seconds.iter().enumerate() {
                self.step(work)?;
                let sides = Player::BOTH.map(|player| {
                    let after = |option: &Form,
                                 place: &dyn Fn(usize) -> usize,
                                 places: &FxHashMap<Form, usize>| {
                        if option.is_infinity() { *option } else { sums[place(places[option])] }
                    };
                    let in_first = self.options(first, player).iter();
                    let in_first =
                        in_first.map(|o| after(o, &|i| i * seconds.len() + j, &first_places));
                    let in_second = self.options(second, player).iter();
                    let in_second =
                        in_second.map(|o| after(o, &|j| i * seconds.len() + j, &second_places));
                    in_first.chain(in_second).collect::<Vec<_>>()
                });
                for _ in sides.iter().flatten() {
                    work.count()?;
                }
                let [left, right] = sides;
                sums.push(self.braces(left, right));
            }
        }
        Ok(Ok(sums[sums.len() - 1]))
    }
}
