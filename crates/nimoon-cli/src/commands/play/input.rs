//! What a person means by a line in a game.

use nimoon::solve::play::{Game, Playable};

/// A line, understood.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// Make the move with this number, counted from 0.
    Move(usize),
    Help,
    Hint,
    Values {
        all: bool,
    },
    Moves,
    Undo,
    Redo,
    Board,
    Draw,
    Resign,
    Quit,
    /// Nothing was typed.
    Nothing,
    /// It may be any of these moves.
    Ambiguous(Vec<usize>),
    /// The moves are counted from 1 up to this.
    NoSuchNumber(usize),
    /// Nobody knows.
    Unknown,
}

/// The words that can be typed beside moves.
pub(super) const COMMANDS: [&str; 11] = [
    "help",
    "hint",
    "values",
    "values all",
    "moves",
    "undo",
    "redo",
    "board",
    "draw",
    "resign",
    "quit",
];

/// What a line means in a game.
pub(super) fn understood<S: Playable>(line: &str, solution: &S, game: &Game<S>) -> Wish {
    let words: Vec<&str> = line.split_whitespace().collect();
    let line = words.join(" ");
    if let Ok(number) = line.parse::<usize>() {
        return number_of(number, &line, solution, game);
    }
    match line.to_lowercase().as_str() {
        "" => Wish::Nothing,
        "help" | "?" => Wish::Help,
        "hint" => Wish::Hint,
        "values" | "value" => Wish::Values { all: false },
        "values all" => Wish::Values { all: true },
        "moves" => Wish::Moves,
        "undo" => Wish::Undo,
        "redo" => Wish::Redo,
        "board" | "boards" => Wish::Board,
        "draw" => Wish::Draw,
        "resign" => Wish::Resign,
        "quit" | "exit" => Wish::Quit,
        _ => described(&line, solution, game),
    }
}

/// A number is that of a move, and if there is none, it may be a position.
fn number_of<S: Playable>(number: usize, line: &str, solution: &S, game: &Game<S>) -> Wish {
    let count = game.moves().len();
    if (1..=count).contains(&number) {
        return Wish::Move(number - 1);
    }
    match described(line, solution, game) {
        Wish::Unknown => Wish::NoSuchNumber(count),
        described => described,
    }
}

/// The move with these words, or some of them, or to this position.
fn described<S: Playable>(line: &str, solution: &S, game: &Game<S>) -> Wish {
    let placement = game.placement();
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = line.to_lowercase();
    let (mut exact, mut to, mut part) = (Vec::new(), Vec::new(), Vec::new());
    for (number, made) in game.moves().iter().enumerate() {
        let words = squeezed(&solution.words(placement, made)).to_lowercase();
        let after = solution.after(placement, made);
        let left = squeezed(&solution.text(&after, S::component(made))).to_lowercase();
        let position = left.split_once(':').map_or(left.as_str(), |(_, position)| position);
        if words == line {
            exact.push(number);
        }
        if left == line || position == line {
            to.push(number);
        }
        if words.contains(&line) {
            part.push(number);
        }
    }
    let found = [exact, to, part].into_iter().find(|found| !found.is_empty());
    match found {
        None => Wish::Unknown,
        Some(found) => {
            // Moves that leave the very same are one move.
            let after = |number: usize| {
                let made = &game.moves()[number];
                (S::kind(made), solution.after(placement, made))
            };
            let first = after(found[0]);
            if found[1..].iter().all(|&number| after(number) == first) {
                Wish::Move(found[0])
            } else {
                Wish::Ambiguous(found)
            }
        }
    }
}
