//! Nim-values and remotenesses in expressions of ordinals: every nesting of the functions is
//! refused, or is right when the game is played out.

use std::collections::HashMap;

use nimoon::transfinite::expression::{Answer, ExpressionErrorKind, read};
use nimoon::{Outcome, Work};

/// A finite game, component by component.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Game {
    /// Any smaller number can be left.
    Heap(u128),
    /// One less is left.
    Pool(u128),
    /// A move in one component.
    Sum(Vec<Game>),
    /// A move in every component; play ends as soon as one has ended.
    Conjunctive(Vec<Game>),
    /// A move in one component or more.
    Selective(Vec<Game>),
}

impl Game {
    fn options(&self) -> Vec<Game> {
        match self {
            Self::Heap(n) => (0..*n).map(Self::Heap).collect(),
            Self::Pool(n) => n.checked_sub(1).map(Self::Pool).into_iter().collect(),
            Self::Sum(all) => {
                let mut found = Vec::new();
                for (i, component) in all.iter().enumerate() {
                    for option in component.options() {
                        let mut after = all.clone();
                        after[i] = option;
                        found.push(Self::Sum(after));
                    }
                }
                found
            }
            Self::Conjunctive(all) => {
                let mut found = vec![Vec::new()];
                for component in all {
                    found = extended(&found, &component.options());
                }
                found.into_iter().map(Self::Conjunctive).collect()
            }
            Self::Selective(all) => {
                let mut found = vec![Vec::new()];
                for component in all {
                    let mut choices = component.options();
                    choices.push(component.clone());
                    found = extended(&found, &choices);
                }
                // The last one has every component as it was.
                found.pop();
                found.into_iter().map(Self::Selective).collect()
            }
        }
    }

    /// How many positions there are, roughly.
    fn size(&self) -> u128 {
        match self {
            Self::Heap(n) | Self::Pool(n) => n.saturating_add(1),
            Self::Sum(all) | Self::Selective(all) | Self::Conjunctive(all) => {
                all.iter().fold(1, |size, component| size.saturating_mul(component.size()))
            }
        }
    }
}

fn extended(found: &[Vec<Game>], choices: &[Game]) -> Vec<Vec<Game>> {
    let longer =
        |begun: &Vec<Game>, choice: &Game| [&begun[..], std::slice::from_ref(choice)].concat();
    found.iter().flat_map(|begun| choices.iter().map(move |choice| longer(begun, choice))).collect()
}

/// The nim-value and the remoteness.
type Played = (u128, u128);

fn play(game: &Game, known: &mut HashMap<Game, Played>) -> Played {
    if let Some(&played) = known.get(game) {
        return played;
    }
    let options: Vec<Played> = game.options().iter().map(|option| play(option, known)).collect();
    let value = least_other(&options.iter().map(|&(value, _)| value).collect::<Vec<_>>());
    let best = options.iter().map(|&(_, r)| r).filter(|r| r % 2 == 0).min();
    let remoteness = match best.or_else(|| options.iter().map(|&(_, r)| r).max()) {
        Some(next) => next + 1,
        None => 0,
    };
    known.insert(game.clone(), (value, remoteness));
    (value, remoteness)
}

/// The least number that is not in a list.
fn least_other(numbers: &[u128]) -> u128 {
    let most = numbers.len() as u128;
    (0..=most).find(|n| !numbers.contains(n)).expect("a list leaves one of so many out")
}

/// x ⊗ y is the least number that is not x'y + xy' + x'y' for smaller x' and y'.
fn nim_product(x: u128, y: u128, known: &mut HashMap<(u128, u128), u128>) -> u128 {
    if let Some(&product) = known.get(&(x, y)) {
        return product;
    }
    let mut taken = Vec::new();
    for a in 0..x {
        for b in 0..y {
            let [ay, xb, ab] = [(a, y), (x, b), (a, b)].map(|(a, b)| nim_product(a, b, known));
            taken.push(ay ^ xb ^ ab);
        }
    }
    let product = least_other(&taken);
    known.insert((x, y), product);
    product
}

/// An expression as it is written: an operator or a function with its operands.
#[derive(Clone)]
enum Tree {
    Number(u128),
    Of(&'static str, Vec<Tree>),
}

impl Tree {
    fn text(&self) -> String {
        match self {
            Self::Number(n) => n.to_string(),
            Self::Of(name, operands) => {
                let operands: Vec<String> = operands.iter().map(Self::text).collect();
                match *name {
                    "+" | "*" | "^" => format!("(({}) {name} ({}))", operands[0], operands[1]),
                    _ => format!("{name}({})", operands.join(", ")),
                }
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Says {
    Nothing,
    NimValue,
    Remoteness,
}

/// What is known of an expression.
struct Known {
    says: Says,
    /// None if it is too large to be played out.
    value: Option<u128>,
    /// The game, if the expression is one.
    game: Option<Game>,
}

#[derive(Default)]
struct Oracle {
    played: HashMap<Game, Played>,
    products: HashMap<(u128, u128), u128>,
}

impl Oracle {
    /// What the expression stands for; none if it takes one kind of ordinal for another.
    fn know(&mut self, tree: &Tree) -> Option<Known> {
        let (name, operands) = match tree {
            Tree::Number(n) => {
                return Some(Known { says: Says::Nothing, value: Some(*n), game: None });
            }
            Tree::Of(name, operands) => (*name, operands),
        };
        let all: Option<Vec<Known>> = operands.iter().map(|operand| self.know(operand)).collect();
        let all = all?;
        let numbers: Option<Vec<u128>> = all.iter().map(|of| of.value).collect();
        let some = |kind| all.iter().any(|of| of.says == kind);
        let (values, lengths) = (some(Says::NimValue), some(Says::Remoteness));
        let (says, value, game) = match name {
            "nimproduct" if !lengths => {
                let small = numbers.filter(|all| all.iter().all(|&n| n < 16));
                let product = small.map(|all| {
                    all.iter().fold(1, |product, &n| nim_product(product, n, &mut self.products))
                });
                (Says::NimValue, product, None)
            }
            "nim" if !lengths => {
                let game = components(&all, Game::Heap).map(Game::Sum);
                (Says::NimValue, self.play(game.as_ref()).map(|played| played.0), game)
            }
            "conjunctive" | "selective" if !values => {
                let compound =
                    if name == "selective" { Game::Selective } else { Game::Conjunctive };
                let game = components(&all, Game::Pool).map(compound);
                (Says::Remoteness, self.play(game.as_ref()).map(|played| played.1), game)
            }
            "dollars" | "dollars100" if !values && !lengths => {
                // A dollar that is worth any number of cents is not a finite game.
                let cents = numbers.and_then(|all| match (name, &all[..]) {
                    ("dollars100", [dollars, cents]) => Some(100 * dollars + cents),
                    (_, [0, cents]) => Some(*cents),
                    _ => None,
                });
                let game = cents.map(Game::Pool);
                (Says::Remoteness, self.play(game.as_ref()).map(|played| played.1), game)
            }
            "natural" | "+" | "*" | "^" if !(values && lengths) => {
                let says = match (values, lengths) {
                    (true, _) => Says::NimValue,
                    (_, true) => Says::Remoteness,
                    _ => Says::Nothing,
                };
                let value = numbers.and_then(|all| match name {
                    "*" => all[0].checked_mul(all[1]),
                    "^" => all[0].checked_pow(u32::try_from(all[1]).ok()?),
                    _ => all.iter().try_fold(0_u128, |sum, &n| sum.checked_add(n)),
                });
                (says, value, None)
            }
            _ => return None,
        };
        Some(Known { says, value, game })
    }

    fn play(&mut self, game: Option<&Game>) -> Option<Played> {
        game.filter(|game| game.size() < 600).map(|game| play(game, &mut self.played))
    }

    /// Whether the answer was compared with one that is known.
    fn check(&mut self, tree: &Tree) -> Checked {
        let text = tree.text();
        let Some(known) = self.know(tree) else {
            let error = read(&text, &mut Work::default()).expect_err(&text);
            // What is within may be too large, which is found first.
            if matches!(error.kind, ExpressionErrorKind::Limit(_)) {
                return Checked::Unknown;
            }
            let message = error.to_string();
            let says =
                ["this is a", "cannot be combined"].iter().any(|part| message.contains(part));
            assert!(says, "{text}: {message}");
            return Checked::Refused;
        };
        let answer = match read(&text, &mut Work::default()) {
            Ok(answer) => answer,
            Err(error) => {
                // A power may be too large, and nim-products of ordinals such as w are not known.
                let is_limit = matches!(error.kind, ExpressionErrorKind::Limit(_));
                let is_unknown = error.to_string().contains("finite");
                assert!(known.value.is_none() && (is_limit || is_unknown), "{text}: {error}");
                return Checked::Unknown;
            }
        };
        let outcome = outcome(&answer);
        let is_game = outcome.is_some();
        let Some(value) = known.value else { return Checked::Unknown };
        assert_eq!(answer.value().and_then(|value| value.as_finite()), Some(value), "{text}");
        assert_eq!(is_game, known.game.is_some(), "{text}");
        let Some(game) = known.game else { return Checked::Right };
        let (_, remoteness) = play(&game, &mut self.played);
        let won = if remoteness % 2 == 1 { Outcome::N } else { Outcome::P };
        assert_eq!(outcome, Some(won), "{text}");
        if let Some(after) = after(&answer) {
            assert_eq!(play(&after, &mut self.played).1 % 2, 0, "{text}: a move that does not win");
        }
        Checked::Right
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Checked {
    Right,
    Refused,
    Unknown,
}

/// Games as they are, ordinals as heaps or pools.
fn components(all: &[Known], of_number: fn(u128) -> Game) -> Option<Vec<Game>> {
    all.iter().map(|of| of.game.clone().or_else(|| of.value.map(of_number))).collect()
}

/// Who wins, as the answer says.
fn outcome(answer: &Answer) -> Option<Outcome> {
    let by_length = |is_even| Some(if is_even { Outcome::P } else { Outcome::N });
    match answer {
        Answer::Truth(_) | Answer::Ordinal(_) => None,
        Answer::Nim(nim, _) => Some(nim.outcome()),
        Answer::Pool(pool) => by_length(pool.remoteness().is_even()),
        Answer::Pools(pools, _) => Some(pools.outcome()),
        Answer::Compound(_, value) => by_length(value.is_even()),
    }
}

/// What the winning move of an answer leaves.
fn after(answer: &Answer) -> Option<Game> {
    let number = |ordinal: &nimoon::transfinite::Ordinal| ordinal.as_finite();
    match answer {
        Answer::Nim(nim, _) => {
            let after = nim.after(&nim.winning_move()?).expect("a move");
            let heaps = after.heaps().iter().map(|heap| number(heap).map(Game::Heap));
            heaps.collect::<Option<_>>().map(Game::Sum)
        }
        Answer::Pools(pools, _) => {
            let after = pools.after(&pools.winning_move()?).expect("a move");
            let pools = after.pools().iter().map(|pool| number(&pool.remoteness()).map(Game::Pool));
            let pools: Vec<Game> = pools.collect::<Option<_>>()?;
            Some(match after.compound() {
                nimoon::transfinite::Compound::Conjunctive => Game::Conjunctive(pools),
                nimoon::transfinite::Compound::Selective => Game::Selective(pools),
            })
        }
        _ => None,
    }
}

const FUNCTIONS: [&str; 10] = [
    "nim",
    "natural",
    "nimproduct",
    "dollars",
    "dollars100",
    "conjunctive",
    "selective",
    "+",
    "*",
    "^",
];

/// Whether there is one operand or two.
fn takes(name: &str, operands: usize) -> bool {
    operands == 2 || ["nim", "natural", "nimproduct", "conjunctive", "selective"].contains(&name)
}

/// Every function of one or two of these.
fn functions_of(operands: &[Tree]) -> Vec<Tree> {
    let mut found = Vec::new();
    for name in FUNCTIONS {
        for a in operands {
            if takes(name, 1) {
                found.push(Tree::Of(name, vec![a.clone()]));
            }
            found.extend(operands.iter().map(|b| Tree::Of(name, vec![a.clone(), b.clone()])));
        }
    }
    found
}

fn small() -> Vec<Tree> {
    let mut small = vec![Tree::Number(0), Tree::Number(1), Tree::Number(2), Tree::Number(3)];
    for name in FUNCTIONS {
        let numbers = [[1, 2], [2, 3], [0, 2]];
        small.extend(numbers.map(|both| Tree::Of(name, both.map(Tree::Number).to_vec())));
        if takes(name, 1) {
            small.push(Tree::Of(name, vec![Tree::Number(2)]));
        }
    }
    small
}

#[test]
fn every_nesting_is_refused_or_right() {
    let mut oracle = Oracle::default();
    let all = functions_of(&small());
    let mut count = |expected, trees: &[Tree]| {
        trees.iter().filter(|tree| oracle.check(tree) == expected).count()
    };
    let (right, refused) = (count(Checked::Right, &all), count(Checked::Refused, &all));
    assert!(right > 3_000 && refused > 3_000, "{right} {refused} of {}", all.len());
    // A third level around one operand, each function around each kind of what is within.
    let inner: Vec<Tree> = all.into_iter().step_by(97).collect();
    let mut deep = Vec::new();
    for name in FUNCTIONS {
        for tree in &inner {
            for number in 0..3 {
                deep.push(Tree::Of(name, vec![tree.clone(), Tree::Number(number)]));
                deep.push(Tree::Of(name, vec![Tree::Number(number), tree.clone()]));
            }
        }
    }
    let (right, refused) = (count(Checked::Right, &deep), count(Checked::Refused, &deep));
    assert!(right > 1_000 && refused > 1_000, "{right} {refused} of {}", deep.len());
}

#[test]
fn comparisons_are_refused_or_right() {
    let mut oracle = Oracle::default();
    let (mut right, mut refused) = (0, 0);
    for a in small() {
        for b in small() {
            let (Some(first), Some(second)) = (oracle.know(&a), oracle.know(&b)) else { continue };
            let differ = first.says != second.says
                && first.says != Says::Nothing
                && second.says != Says::Nothing;
            let holds = first.value.zip(second.value).map(|(a, b)| {
                [("<", a < b), ("<=", a <= b), ("=", a == b), ("!=", a != b), (">=", a >= b)]
            });
            for (sign, holds) in holds.into_iter().flatten() {
                let text = format!("{} {sign} {}", a.text(), b.text());
                let found = read(&text, &mut Work::default());
                if differ {
                    let error = found.expect_err(&text);
                    assert_eq!(error.at, text.rfind(&b.text()).expect("it is there"), "{text}");
                    refused += 1;
                } else {
                    assert_eq!(found, Ok(Answer::Truth(holds)), "{text}");
                    right += 1;
                }
            }
        }
    }
    assert!(right > 5_000 && refused > 900, "{right} {refused}");
}

#[test]
fn invalid_compounds_are_refused_with_their_position() {
    for (text, at, says) in [
        (
            "conjunctive(nim(2))",
            12,
            "expected a remoteness in conjunctive(…), and this is a nim-value",
        ),
        ("selective(nim(w, 2), w)", 10, "expected a remoteness in selective(…)"),
        ("selective(w, nim(w, 2) + 1)", 13, "this is a nim-value"),
        ("conjunctive(nimproduct(2, 2))", 12, "this is a nim-value"),
        ("nim(2, dollars(1, 1))", 7, "expected a nim-value in nim(…), and this is a remoteness"),
        ("nimproduct(dollars(0, 1), 2)", 11, "expected a nim-value in nimproduct(…)"),
        ("dollars(nim(1), 0)", 8, "expected a plain number in dollars(…), and this is a nim-value"),
        ("dollars100(0, dollars(0, 1))", 14, "expected a plain number in dollars100(…)"),
        ("nim(w) < dollars(1, 0)", 9, "a remoteness cannot be combined with a nim-value"),
        ("dollars(1, 0) = nim(w)", 16, "a nim-value cannot be combined with a remoteness"),
        ("nim(w) + 1 + conjunctive(w)", 13, "a remoteness cannot be combined"),
        ("dollars(1, 0) * w * nim(2)", 20, "a nim-value cannot be combined"),
        ("nim(2) ^ w ^ selective(2)", 13, "a remoteness cannot be combined"),
        ("natural(1, nim(2), selective(2))", 19, "a remoteness cannot be combined"),
    ] {
        let error = read(text, &mut Work::default()).expect_err(text);
        assert!(matches!(error.kind, ExpressionErrorKind::Notation(_)), "{text}: {error}");
        assert_eq!(error.at, at, "{text}: {error}");
        assert!(error.to_string().contains(says), "{text}: {error}");
    }
}

#[test]
fn nim_within_nim_has_the_same_heaps() {
    assert_eq!(
        read("nim(w, nim(2, 3))", &mut Work::default()),
        read("nim(w, 2, 3)", &mut Work::default())
    );
}
