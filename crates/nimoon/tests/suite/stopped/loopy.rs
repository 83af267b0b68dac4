//! Loopy partizan games.

use nimoon::certificate::survival;
use nimoon::limits::Interrupted;
use nimoon::partizan::notation::{EvaluateError, Expression, Game};
use nimoon::partizan::strategy::Difference;
use nimoon::partizan::unicycle::{Pattern, Search, SearchError, Unicycle};
use nimoon::{
    Limits, Work,
    partizan::{Graph, Stopper, Stoppers, Vertex, order},
    player::Player,
    solve::partizan::PartizanSolution,
};
use nimoon::{
    notation::NotationError,
    ruleset::{InternedPartizan, PartizanPositions, PartizanRuleset},
};

use crate::stopped::table::{Case, brief, case};

/// A circle with ways out on both sides, in which nothing is equal to anything.
fn circle(len: Vertex) -> Graph {
    let next = |v: Vertex| (v + 1) % len;
    let left = (0..len).flat_map(|v| [(v, next(v)), (v, (v * 7 + 3) % len)]);
    let right = (0..len).flat_map(|v| [(v, next(next(v))), (v, (v * 5 + 2) % len)]);
    Graph::new(len as usize + 1, left.chain([(0, len)]), right.chain([(len / 2, len)])).unwrap()
}

/// Two rows that end, in which each player moves in one direction.
fn row(len: Vertex) -> Graph {
    let left = (1..len).map(|v| (v, v - 1));
    let right = (2..len).map(|v| (v, v - 2));
    Graph::new(len as usize, left, right).unwrap()
}

fn evaluated(text: &str, stoppers: &mut Stoppers) -> Game {
    let expression: Expression = text.parse().unwrap();
    expression.evaluate(stoppers, &mut Work::default()).unwrap()
}

/// A sum of switches of different temperatures, with as many followers as subsets.
fn switches(count: u32, from: u32) -> String {
    let terms: Vec<_> =
        (from..from + count).map(|n| format!("{{{}|-{}}}", 3 * n + 1, 2 * n + 1)).collect();
    terms.join(" + ")
}

fn stopper(text: &str, stoppers: &mut Stoppers) -> Stopper {
    evaluated(text, stoppers).sides().stopper().unwrap()
}

/// A walk on a strip of two dimensions, in which both players may also go back.
struct Walk;

impl PartizanRuleset for Walk {
    type Position = (u16, u16);

    fn name(&self) -> String {
        "walk".into()
    }

    fn options(&self, &(x, y): &(u16, u16), player: Player) -> impl Iterator<Item = (u16, u16)> {
        let options = match player {
            Player::Left => [(x.checked_sub(1), Some(y)), (x.checked_sub(2), Some(y + 1))],
            Player::Right => [(Some(x), y.checked_sub(1)), (Some(x + 1), y.checked_sub(3))],
        };
        options.into_iter().filter_map(|(x, y)| Some((x?, y?)))
    }

    fn read(&self, _: &str) -> Result<(u16, u16), NotationError> {
        Ok((60, 60))
    }

    fn write(&self, (x, y): &(u16, u16)) -> String {
        format!("{x},{y}")
    }
}

fn walk() -> (InternedPartizan<Walk>, u32) {
    let mut walk = InternedPartizan::new(Walk);
    let start = walk.read("").unwrap();
    (walk, start)
}

fn interrupted<T: std::fmt::Debug>(found: Result<T, EvaluateError>) -> Option<Interrupted> {
    match found {
        Err(EvaluateError::Interrupted(interrupted)) => Some(interrupted),
        other => other.map(|_| None).unwrap(),
    }
}

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = of_graphs();
    cases.extend(of_stoppers());
    cases.extend(of_unicycles());
    for name in ["solve/partizan/mod.rs new", "solve/partizan/mod.rs answer_within"] {
        cases.push(case(name, move |work| {
            let (walk, start) = walk();
            let terms = vec![(0, start), (0, start)];
            let fields: Vec<Box<dyn PartizanPositions>> = vec![Box::new(walk)];
            let mut sum = if name.ends_with("new") {
                PartizanSolution::new(fields, terms.clone(), work)
            } else {
                let mut sum =
                    PartizanSolution::new(fields, terms.clone(), &Work::new(Limits::new(0)));
                sum.answer_within(work);
                sum
            };
            sum.sides(&terms).err()
        }));
    }
    cases
}

fn of_graphs() -> Vec<Case> {
    vec![
        case("partizan/order.rs ge_plus", |work| {
            let [a, b] = [circle(300), circle(301)];
            order::ge_plus((&a, 0), (&b, 0), &mut work.clone()).err()
        }),
        case("partizan/order.rs compare", |work| {
            let [a, b] = [circle(300), circle(301)];
            order::compare((&a, 0), (&b, 0), &mut work.clone()).err()
        }),
        case("certificate/survival.rs ge_plus", |work| {
            let [a, b] = [circle(300), circle(301)];
            survival::ge_plus((&a, 0), (&b, 0), &mut work.clone()).err()
        }),
        case("partizan/strategy.rs new", |work| {
            Difference::new(&circle(300), &circle(301), &mut work.clone()).err()
        }),
        case("partizan/sides.rs onside", |work| {
            Stoppers::new().onside(&row(20_000), 19_999, &mut work.clone()).err()
        }),
        case("partizan/sides.rs sides", |work| {
            Stoppers::new().sides(&row(20_000), 19_999, &mut work.clone()).err()
        }),
        case("solve/partizan/mod.rs position", |work| {
            let (mut walk, start) = walk();
            Stoppers::new().position(&mut walk, start, &mut work.clone()).err()
        }),
    ]
}

fn of_stoppers() -> Vec<Case> {
    vec![
        case("partizan/notation/evaluate.rs evaluate", |work| {
            let expression: Expression = switches(16, 1).parse().unwrap();
            interrupted(expression.evaluate(&mut Stoppers::new(), &mut work.clone()))
        }),
        case("partizan/notation/game.rs graph", |work| {
            let mut stoppers = Stoppers::new();
            let game = evaluated("10000*dud + 10000*{dud|3}", &mut stoppers);
            game.graph(&stoppers, &mut work.clone()).err()
        }),
        case("partizan/notation/game.rs is_stopper", |work| {
            let mut stoppers = Stoppers::new();
            let game = evaluated("over + {2000|over}", &mut stoppers);
            game.is_stopper(&stoppers, &mut work.clone()).err()
        }),
        case("partizan/stoppers.rs ge", |work| {
            let mut stoppers = Stoppers::new();
            let [a, b] = [1, 9].map(|from| stopper(&switches(8, from), &mut stoppers));
            stoppers.ge(a, b, &mut work.clone()).err()
        }),
        case("partizan/stoppers.rs survives", |work| {
            let mut stoppers = Stoppers::new();
            let [a, b] = [1, 9].map(|from| stopper(&switches(8, from), &mut stoppers));
            stoppers.survives(a, b, Player::Left, &mut work.clone()).err()
        }),
        // Where deciding takes long, simplifying takes much longer.
        brief("partizan/outcome.rs winner", |work| {
            let mut stoppers = Stoppers::new();
            let a = evaluated(&switches(8, 1), &mut stoppers);
            stoppers.winner(a.sides(), Player::Left, &mut work.clone()).err()
        }),
        case("partizan/sides.rs sum_onside", |work| {
            let mut stoppers = Stoppers::new();
            let [a, b] = [1, 9].map(|from| stopper(&switches(8, from), &mut stoppers));
            stoppers.sum_onside(a, b, &mut work.clone()).err()
        }),
        case("partizan/sides.rs sum", |work| {
            let mut stoppers = Stoppers::new();
            let [a, b] = [1, 9].map(|from| evaluated(&switches(8, from), &mut stoppers).sides());
            stoppers.sum(a, b, &mut work.clone()).err()
        }),
    ]
}

fn of_unicycles() -> Vec<Case> {
    const LETTERS: &str = "LLLRLRRRLRLLRLRRLLRLRR";
    fn exits(stoppers: &mut Stoppers) -> Vec<Stopper> {
        (0..28).map(|n| stopper(&format!("*{n}"), stoppers)).collect()
    }
    fn pattern() -> Pattern {
        LETTERS.parse().unwrap()
    }
    vec![
        // At most 64 exits are compared, and few are followers of many.
        brief("partizan/unicycle/search.rs new", |work| {
            let mut stoppers = Stoppers::new();
            let exits = exits(&mut stoppers);
            match Search::new(&pattern(), &exits, &mut stoppers, &mut work.clone()) {
                Err(SearchError::Interrupted(interrupted)) => Some(interrupted),
                other => other.map(|_| None).unwrap(),
            }
        }),
        case("partizan/unicycle/search.rs next", |work| {
            let mut stoppers = Stoppers::new();
            let exits = exits(&mut stoppers);
            let mut all = Work::default();
            let mut search = Search::new(&pattern(), &exits, &mut stoppers, &mut all).unwrap();
            let mut work = work.clone();
            loop {
                match search.next(&mut work) {
                    Ok(Some(_)) => {}
                    Ok(None) => return None,
                    Err(interrupted) => return Some(interrupted),
                }
            }
        }),
        brief("partizan/unicycle/cycle.rs is_canonical", |work| {
            let mut stoppers = Stoppers::new();
            let exits = exits(&mut stoppers);
            let pattern = pattern();
            let round: Vec<_> = (0..pattern.len()).map(|i| exits[(i * 5) % 12]).collect();
            let unicycle = Unicycle::new(pattern, round, &stoppers).unwrap();
            unicycle.is_canonical(&mut stoppers, &mut work.clone()).err()
        }),
    ]
}
