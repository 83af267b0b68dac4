//! Backsliding Toads and Frogs, Fox and Geese and Nim on plain text, and who wins them.

use std::collections::HashMap;

use nimoon::{
    partizan::Winner,
    player::Player,
    solve::partizan::{PartizanSolution, PartizanTerm},
};

/// A sum: for each component its game and its position.
pub type Sum = Vec<(Game, String)>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Game {
    Backsliding,
    FoxGeese,
    Nim,
}

pub fn options(game: Game, text: &str, player: Player) -> Vec<String> {
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

/// Who wins sums and everything that they lead to, with each player to move, and after how many
/// plies if the winner hurries and the loser does not.
pub struct Winners(HashMap<(Sum, Player), (Winner, Option<u32>)>);

impl Winners {
    pub fn new(start: &Sum) -> Self {
        Self::of_all(std::slice::from_ref(start))
    }

    pub fn of_all(starts: &[Sum]) -> Self {
        let mut moves: HashMap<(Sum, Player), Vec<(Sum, Player)>> = HashMap::new();
        let starts = starts.iter().cloned();
        let mut open: Vec<_> =
            starts.flat_map(|start| Player::BOTH.map(|player| (start.clone(), player))).collect();
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
        // Nothing clever: again and again, until nobody else is found to win. In each round only
        // what was found in earlier ones counts, so its number is that of the plies.
        let mut winners: HashMap<(Sum, Player), (Winner, Option<u32>)> = HashMap::new();
        for round in 0.. {
            let mut found = Vec::new();
            for (state, after) in &moves {
                if winners.contains_key(state) {
                    continue;
                }
                let (mover, other) = (state.1, state.1.opponent());
                let goes_to = |player| {
                    move |to: &&(Sum, Player), winners: &HashMap<_, _>| {
                        winners.get(*to).is_some_and(|found: &(Winner, _)| found.0 == Some(player))
                    }
                };
                if after.iter().any(|to| goes_to(mover)(&to, &winners)) {
                    found.push((state.clone(), (Some(mover), Some(round))));
                } else if after.iter().all(|to| goes_to(other)(&to, &winners)) {
                    found.push((state.clone(), (Some(other), Some(round))));
                }
            }
            if found.is_empty() {
                break;
            }
            winners.extend(found);
        }
        for state in moves.into_keys() {
            winners.entry(state).or_insert((None, None));
        }
        Self(winners)
    }

    pub fn of(&self, sum: &Sum, first: Player) -> Winner {
        self.0[&(sum.clone(), first)].0
    }

    pub fn remoteness(&self, sum: &Sum, first: Player) -> Option<u32> {
        self.0[&(sum.clone(), first)].1
    }
}

pub fn read(text: &str) -> Sum {
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
pub fn sum_of(solution: &PartizanSolution, terms: &[PartizanTerm]) -> Sum {
    let terms: Vec<String> = terms.iter().map(|&term| solution.text(term)).collect();
    read(&terms.join(" + "))
}

/// Strips of every length up to this, with every filling.
pub fn all_strips(most: u32) -> Vec<String> {
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
pub fn all_chases(width: u32, height: u32) -> Vec<String> {
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
