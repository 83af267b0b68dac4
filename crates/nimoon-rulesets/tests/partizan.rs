//! Backsliding Toads and Frogs and Fox and Geese, through the whole engine.
//!
//! Rules are written here a second time, on plain text, and winners are found by going back from the ends.

use std::collections::HashMap;

use nimoon::TurnKind;
use nimoon::loopy::{PartizanGuide, PartizanSolution, PartizanTerm, Player, Winner};
use nimoon_rulesets::expression::{AnyExpression, NoLibrary};

/// Enough for all that is searched here.
const BUDGET: u64 = 4_000_000;

fn solution_within(text: &str, budget: u64) -> PartizanSolution {
    match AnyExpression::read(text, &mut NoLibrary) {
        Ok(AnyExpression::Mixed(read)) => match read.solution(budget) {
            Ok(solution) => solution,
            Err((at, error)) => panic!("{text}: {at}: {error}"),
        },
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

// ---- rules, a second time ----

/// A sum: for each component its game and its position.
type Sum = Vec<(Game, String)>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Game {
    Backsliding,
    FoxGeese,
    Nim,
}

fn options(game: Game, text: &str, player: Player) -> Vec<String> {
    match game {
        Game::Backsliding => strips(text, player),
        Game::FoxGeese => chases(text, player),
        Game::Nim => {
            let heap: u32 = text.parse().unwrap();
            (0..heap).map(|heap| heap.to_string()).collect()
        }
    }
}

/// Right plays as Left does on the strip read backwards, with toads and frogs exchanged.
fn strips(text: &str, player: Player) -> Vec<String> {
    if player == Player::Right {
        let turned = |text: &str| -> String {
            let exchange = |c| match c {
                't' => 'f',
                'f' => 't',
                c => c,
            };
            text.chars().rev().map(exchange).collect()
        };
        return strips(&turned(text), Player::Left).iter().map(|text| turned(text)).collect();
    }
    let mut found = Vec::new();
    for (before, after) in [("t.", ".t"), ("tf.", ".ft"), (".t", "t.")] {
        for (at, _) in text.match_indices(before) {
            found.push(format!("{}{after}{}", &text[..at], &text[at + before.len()..]));
        }
    }
    found
}

/// `W/geese=r.c,…/fox=r.c`, with the geese from the bottom up.
fn chases(text: &str, player: Player) -> Vec<String> {
    let numbers: Vec<i32> = text
        .split(|c: char| !c.is_ascii_digit())
        .filter(|number| !number.is_empty())
        .map(|number| number.parse().unwrap())
        .collect();
    let (width, squares) = (numbers[0], &numbers[1..]);
    let mut squares: Vec<(i32, i32)> = squares.chunks(2).map(|s| (s[0], s[1])).collect();
    let fox = squares.pop().unwrap();
    let geese = squares;
    let free = |(row, column): (i32, i32)| {
        row >= 1
            && (1..=width).contains(&column)
            && (row, column) != fox
            && !geese.contains(&(row, column))
    };
    let steps = |(row, column): (i32, i32), rows: &[i32]| -> Vec<(i32, i32)> {
        let all = rows.iter().flat_map(|up| [(row + up, column - 1), (row + up, column + 1)]);
        all.filter(|&square| free(square)).collect()
    };
    let top = geese.iter().map(|goose| goose.0).max().unwrap();
    let escaped = fox.0 >= top || (fox.0 + 1 == top && !steps(fox, &[1]).is_empty());
    let write = |mut geese: Vec<(i32, i32)>, fox: (i32, i32)| {
        geese.sort_unstable();
        let geese: Vec<String> = geese.iter().map(|(row, col)| format!("{row}.{col}")).collect();
        format!("{width}/geese={}/fox={}.{}", geese.join(","), fox.0, fox.1)
    };
    match (player, escaped) {
        (Player::Left, true) => Vec::new(),
        (Player::Right, true) => vec![text.to_owned()],
        (Player::Right, false) => {
            steps(fox, &[1, -1]).into_iter().map(|to| write(geese.clone(), to)).collect()
        }
        (Player::Left, false) => {
            let moved = (0..geese.len()).flat_map(|goose| {
                steps(geese[goose], &[-1]).into_iter().map(move |to| (goose, to))
            });
            let moved: Vec<_> = moved.collect();
            let after = moved.into_iter().map(|(goose, to)| {
                let mut geese = geese.clone();
                geese[goose] = to;
                write(geese, fox)
            });
            after.collect()
        }
    }
}

/// Who wins a sum and everything that it leads to, with each player to move.
struct Winners(HashMap<(Sum, Player), Winner>);

impl Winners {
    fn new(start: &Sum) -> Self {
        let mut moves: HashMap<(Sum, Player), Vec<(Sum, Player)>> = HashMap::new();
        let mut open: Vec<_> = Player::BOTH.map(|player| (start.clone(), player)).to_vec();
        while let Some(state) = open.pop() {
            if moves.contains_key(&state) {
                continue;
            }
            let (sum, player) = &state;
            let mut after = Vec::new();
            for (component, (game, text)) in sum.iter().enumerate() {
                for option in options(*game, text, *player) {
                    let mut sum = sum.clone();
                    sum[component].1 = option;
                    after.push((sum, player.opponent()));
                }
            }
            open.extend(after.iter().cloned());
            moves.insert(state, after);
        }
        // Nothing clever: again and again, until nobody else is found to win.
        let mut winners: HashMap<(Sum, Player), Winner> = HashMap::new();
        loop {
            let mut found = Vec::new();
            for (state, after) in &moves {
                if winners.contains_key(state) {
                    continue;
                }
                let (mover, other) = (state.1, state.1.opponent());
                let goes_to = |player| {
                    move |to: &&(Sum, Player), winners: &HashMap<_, _>| {
                        winners.get(*to) == Some(&Some(player))
                    }
                };
                if after.iter().any(|to| goes_to(mover)(&to, &winners)) {
                    found.push((state.clone(), Some(mover)));
                } else if after.iter().all(|to| goes_to(other)(&to, &winners)) {
                    found.push((state.clone(), Some(other)));
                }
            }
            if found.is_empty() {
                break;
            }
            winners.extend(found);
        }
        for state in moves.into_keys() {
            winners.entry(state).or_insert(None);
        }
        Self(winners)
    }

    fn of(&self, sum: &Sum, first: Player) -> Winner {
        self.0[&(sum.clone(), first)]
    }
}

fn read(text: &str) -> Sum {
    let terms = text.split(" + ").map(|term| {
        let (name, position) = term.split_once(':').unwrap();
        let game = match name {
            "backsliding" => Game::Backsliding,
            "fox-geese" => Game::FoxGeese,
            "nim" => Game::Nim,
            name => panic!("there are no rules for {name} here"),
        };
        (game, position.to_owned())
    });
    terms.collect()
}

/// A sum of the engine, as the rules here know it.
fn told(solution: &PartizanSolution, terms: &[PartizanTerm]) -> Sum {
    let terms: Vec<String> = terms.iter().map(|&term| solution.text(term)).collect();
    read(&terms.join(" + "))
}

/// Strips of every length up to this, with every filling.
fn all_strips(most: u32) -> Vec<String> {
    let mut all = Vec::new();
    for length in 1..=most {
        for number in 0..3_u32.pow(length) {
            let digit = |place| number / 3_u32.pow(place) % 3;
            all.push((0..length).map(|place| ['.', 't', 'f'][digit(place) as usize]).collect());
        }
    }
    all
}

/// Every board of this width and height with one or two geese and a fox.
fn all_chases(width: u32, height: u32) -> Vec<String> {
    let squares: Vec<String> = (1..=height)
        .flat_map(|row| (1..=width).map(move |column| (row, column)))
        .filter(|(row, column)| (row + column) % 2 == 0)
        .map(|(row, column)| format!("{row}.{column}"))
        .collect();
    let mut all = Vec::new();
    for (i, goose) in squares.iter().enumerate() {
        let mut flocks = vec![goose.clone()];
        flocks.extend(squares[i + 1..].iter().map(|other| format!("{goose},{other}")));
        for flock in flocks {
            let foxes = squares.iter().filter(|fox| !flock.split(',').any(|goose| goose == *fox));
            all.extend(foxes.map(|fox| format!("{width}/geese={flock}/fox={fox}")));
        }
    }
    all
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
        let entry = nimoon_rulesets::find(name).unwrap();
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
                moves.map(|ply| told(&solution, &PartizanSolution::after(&start, ply))).collect();
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
            let sum = told(&solution, &terms);
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
            assert_eq!(winners.of(&told(&solution, &after), player.opponent()), winner, "{text}");
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
fn a_budget_that_is_hit_is_told_and_not_guessed_over() {
    let mut solution = solution_within("backsliding:ttt...fff", 50);
    let start = solution.start().to_vec();
    assert!(solution.sides(&start).is_err());
    assert!(solution.winner(&start, Player::Left).is_err());
    assert!(solution.turn(&start, Player::Right).is_err());
    // Asking again does not help.
    assert!(solution.sides(&start).is_err());
}
