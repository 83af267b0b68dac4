//! Positions of rulesets whose values take long.

use nimoon::Work;
use nimoon::limits::Interrupted;
use nimoon::solve::solution::Solution;
use nimoon_session::expression::{Expression, NoLibrary};

use crate::stopped::expressions::mixed;
use crate::stopped::table::{Case, case};

fn solved(text: &str, work: &Work) -> Option<Interrupted> {
    let Expression { fields, terms } = Expression::read(text, &mut NoLibrary).unwrap();
    match Solution::new(fields, &terms, None, work) {
        Ok(solution) => solution.interrupted(),
        Err(error) => error.interrupted(),
    }
}

/// A grid of coins, with strings to the ground at its rim.
fn coins(rows: usize, columns: usize) -> String {
    let coin = |row: usize, column: usize| format!("c{row}d{column}");
    let mut strings = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let here = coin(row, column);
            let right = if column + 1 < columns { coin(row, column + 1) } else { "0".to_owned() };
            let below = if row + 1 < rows { coin(row + 1, column) } else { "0".to_owned() };
            strings.extend([format!("{here}-{right}"), format!("{here}-{below}")]);
        }
    }
    strings.join(",")
}

pub(crate) fn cases() -> Vec<Case> {
    // Searches of their own, and followers one by one.
    let few = [
        "nimstring:4x4",
        "top-entails:15000000",
        "subtraction[1,97,5003]:20000",
        "wythoff:3000,2999",
        "ordinal[wythoff | kayles]:2000,1999 | 5",
    ];
    // Values of heaps, one after the other: the number of clock checks shows that they happen
    // meanwhile.
    let many = [
        "top-entails:100000",
        "octal[0.007]:200000",
        "octal[0.007]:1000000",
        "hexadecimal[0.8F3C]:3000",
        "grundys-game:200000",
    ];
    let impartial = few.map(|text| (text, 4)).into_iter().chain(many.map(|text| (text, 400)));
    let mut cases: Vec<Case> = impartial
        .map(|(text, look)| {
            let asked = case(text, move |work| solved(text, work));
            Case { looks: vec![1, look], ..asked }
        })
        .collect();
    // The options of a heap, one after the other.
    cases.push(Case {
        looks: vec![1, 200_000],
        ..case("nim:200000, explained", |work| {
            let text = "nim:200000 + nim:100000";
            let Expression { fields, terms } = Expression::read(text, &mut NoLibrary).unwrap();
            let mut solution = Solution::new(fields, &terms, None, &Work::default()).unwrap();
            let start = solution.start().clone();
            solution.answer_within(work);
            solution.explain_all(&start).1.and_then(|error| error.interrupted())
        })
    });
    cases.push(case("coins", |work| solved(&format!("coins:{}", coins(4, 5)), work)));
    let partizan =
        ["backsliding:t........f........t.......f", "fox-geese:8/geese=7.1,7.3,7.5,7.7/fox=2.2"];
    cases.extend(partizan.into_iter().map(|text| {
        case(text, move |work| {
            let mut sum = mixed(text).solution(work).unwrap();
            let start = sum.start().to_vec();
            sum.sides(&start).err()
        })
    }));
    cases
}
