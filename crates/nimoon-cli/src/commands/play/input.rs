//! Parses the lines that a person types in a game.

use nimoon::solve::play::{Game, Playable};

/// A parsed line.
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
    /// An empty line.
    Nothing,
    /// The line fits several moves.
    Ambiguous(Vec<usize>),
    /// The number is not between 1 and this.
    NoSuchNumber(usize),
    /// The line is not a command and fits no move.
    Unknown,
}

/// The commands.
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

/// Parses a line.
pub(super) fn parsed<S: Playable>(line: &str, solution: &S, game: &Game<S>) -> Wish {
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

/// A number names a move; if there is no such move, it may be a position.
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

/// The move with these words or some of them, or with this result.
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
            // Moves with the same result are one move.
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
