//! Backsliding Toads and Frogs and Fox and Geese, through the whole engine.
//!
//! Rules are written in `rules` a second time, on plain text, and winners are found by going back
//! from the ends.

mod play;
mod rules;

use nimoon::{
    TurnKind, Work,
    player::Player,
    solve::partizan::{PartizanGuide, PartizanSolution},
};
use nimoon_session::expression::{AnyExpression, NoLibrary};

use rules::{Sum, Winners, all_chases, all_strips, options, read, sum_of};

/// Enough for all that is searched here.
const BUDGET: u64 = 4_000_000;

fn solution_within(text: &str, budget: u64) -> PartizanSolution {
    match AnyExpression::read(text, &mut NoLibrary) {
        Ok(AnyExpression::Mixed(read)) => {
            match read.solution(&Work::new(nimoon::Limits::new(budget))) {
                Ok(solution) => solution,
                Err((at, error)) => panic!("{text}: {at}: {error}"),
            }
        }
        Ok(AnyExpression::Impartial(_)) => panic!("{text} is impartial"),
        Err(error) => panic!("{text}: {error}"),
    }
}

fn solution(text: &str) -> PartizanSolution {
    solution_within(text, BUDGET)
}

fn value(text: &str) -> String {
    let mut solution = solution(text);
    let start = solution.start().to_vec();
    let sides = solution.sides(&start).unwrap();
    solution.stoppers().sides_text(sides).unwrap_or_else(|| "none".to_owned())
}

// ---- values ----

#[test]
fn backsliding_toads_and_frogs_have_the_values_of_the_literature() {
    for (strip, expected) in
        [("t.f", "0"), ("t..f", "*"), (".tf", "*"), ("t.", "on"), (".f", "off")]
    {
        assert_eq!(value(&format!("backsliding:{strip}")), expected, "{strip}");
    }
}

#[test]
fn foxes_and_geese_have_the_values_of_the_literature() {
    for (fox, expected) in [("2.2", "0"), ("2.4", "over"), ("1.1", "{2|0}"), ("1.3", "{over|0}")] {
        assert_eq!(value(&format!("fox-geese:4/geese=3.1,3.3/fox={fox}")), expected, "{fox}");
    }
}

#[test]
fn partizan_and_impartial_games_add() {
    for (sum, expected) in [
        ("backsliding:t..f + fox-geese:4/geese=3.1,3.3/fox=2.2", "*"),
        ("backsliding:t..f + nim:2", "*3"),
        ("nim:1 + backsliding:t..f", "0"),
        ("backsliding:t. + backsliding:.f", "dud"),
        ("fox-geese:4/geese=3.1,3.3/fox=2.4 + nim:1", "over"),
        ("backsliding:t. + nim:5", "on"),
        // A loopy nimber may be left for ever.
        ("slide[-1,+1;1]:1 + backsliding:t.f", "dud"),
    ] {
        assert_eq!(value(sum), expected, "{sum}");
    }
}

#[test]
fn the_examples_of_the_catalogue_have_the_values_they_show() {
    for name in ["backsliding", "fox-geese"] {
        let entry = nimoon_session::find(name).unwrap();
        assert_eq!(value(entry.example), entry.value, "{name}");
    }
}

// ---- winners and moves, against the rules written here ----

#[test]
fn options_and_winners_of_all_small_positions_are_those_of_the_rules() {
    let strips = all_strips(5).into_iter().map(|strip| format!("backsliding:{strip}"));
    let chases = [(2, 4), (3, 3), (4, 3)].into_iter().flat_map(|(w, h)| all_chases(w, h));
    let chases = chases.map(|chase| format!("fox-geese:{chase}"));
    for text in strips.chain(chases) {
        let (sum, mut solution) = (read(&text), solution(&text));
        let winners = Winners::new(&sum);
        let start = solution.start().to_vec();
        for player in Player::BOTH {
            let moves = solution.moves(&start, player).into_iter();
            let mut found: Vec<Sum> =
                moves.map(|ply| sum_of(&solution, &PartizanSolution::after(&start, ply))).collect();
            let (game, position) = &sum[0];
            let expected = options(*game, position, player).into_iter();
            let mut expected: Vec<Sum> = expected.map(|to| vec![(*game, to)]).collect();
            found.sort_by(|a, b| a[0].1.cmp(&b[0].1));
            expected.sort_by(|a, b| a[0].1.cmp(&b[0].1));
            assert_eq!(found, expected, "{text} {player}");
            assert_eq!(solution.winner(&start, player), Ok(winners.of(&sum, player)), "{text}");
        }
    }
}

/// Plays a sum against every reply: a win comes, and sooner with each turn; a draw is held.
fn plays_well(text: &str) {
    let winners = Winners::new(&read(text));
    let mut solution = solution(text);
    let start = solution.start().to_vec();
    for player in Player::BOTH {
        let mut open = vec![(start.clone(), u32::MAX)];
        let mut met = std::collections::HashSet::new();
        while let Some((terms, before)) = open.pop() {
            let sum = sum_of(&solution, &terms);
            let winner = winners.of(&sum, player);
            let turn = solution.turn(&terms, player).unwrap();
            let expected = match winner {
                Some(winner) if winner == player => TurnKind::Winning,
                None => TurnKind::Drawing,
                Some(_) if turn.ply.is_none() => TurnKind::None,
                Some(_) => TurnKind::Losing,
            };
            assert_eq!(turn.kind, expected, "{text}: {player} in {sum:?}");
            assert_eq!(solution.winner(&terms, player), Ok(winner), "{text}");
            let Some(ply) = turn.ply else { continue };
            let PartizanGuide::Search { remoteness } = turn.guide else { panic!("by search") };
            assert_eq!(remoteness.is_some(), winner.is_some());
            let is_won = winner == Some(player);
            assert!(!is_won || remoteness < Some(before), "{text}: no progress in {sum:?}");
            if !met.insert(terms.clone()) {
                continue;
            }
            let after = PartizanSolution::after(&terms, ply);
            assert_eq!(winners.of(&sum_of(&solution, &after), player.opponent()), winner, "{text}");
            for reply in solution.moves(&after, player.opponent()) {
                let next = PartizanSolution::after(&after, reply);
                open.push((next, remoteness.filter(|_| is_won).unwrap_or(u32::MAX)));
            }
        }
    }
}

#[test]
fn a_winning_move_wins_against_every_reply_and_a_draw_is_held() {
    for text in [
        "backsliding:t..f",
        "backsliding:tt.ff",
        "backsliding:t.t.f",
        "backsliding:t..f + nim:2",
        "backsliding:t. + backsliding:.f",
        "backsliding:.tf. + backsliding:t.f",
        "backsliding:t..f + fox-geese:4/geese=3.1,3.3/fox=2.2",
        "fox-geese:4/geese=3.1,3.3/fox=1.3 + nim:1",
        "fox-geese:4/geese=3.1,3.3/fox=2.4 + backsliding:.tf + nim:2",
        "fox-geese:3/geese=3.1,3.3/fox=1.1 + fox-geese:4/geese=3.1/fox=1.3",
    ] {
        plays_well(text);
    }
}

#[test]
fn values_choose_a_move_where_a_search_is_too_large() {
    let text = "backsliding:tt..ff + fox-geese:4/geese=4.2,4.4/fox=2.2 + nim:3 + backsliding:t.f";
    let mut by_search = solution(text);
    let start = by_search.start().to_vec();
    let mut by_values = solution_within(text, 50_000);
    assert_eq!(by_values.start(), start);
    for player in Player::BOTH {
        let turn = by_values.turn(&start, player).unwrap();
        assert_eq!(turn.guide, PartizanGuide::Values);
        let searched = by_search.turn(&start, player).unwrap();
        assert!(matches!(searched.guide, PartizanGuide::Search { .. }));
        assert_eq!(turn.kind, searched.kind);
        let after = PartizanSolution::after(&start, turn.ply.unwrap());
        let winner = by_search.winner(&start, player);
        assert_eq!(by_search.winner(&after, player.opponent()), winner);
    }
}

#[test]
fn over_the_budget_nothing_is_guessed() {
    let mut solution = solution_within("backsliding:ttt...fff", 50);
    let start = solution.start().to_vec();
    assert!(solution.sides(&start).is_err());
    assert!(solution.winner(&start, Player::Left).is_err());
    assert!(solution.turn(&start, Player::Right).is_err());
    // Asking again does not help.
    assert!(solution.sides(&start).is_err());
}
