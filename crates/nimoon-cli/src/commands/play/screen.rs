//! A game as text.

use std::fmt::Write as _;

use nimoon::player::Player as Side;
use nimoon::solve::play::{Duty, Ending, Game, Playable, PlayedMove, Player, Seat};
use nimoon::{Kind, TurnKind};
use nimoon_formats::write::terminal::{cell_width, padded, padded_cell, visible, width};

use crate::colours;

/// Boards stand side by side up to this many columns.
const COLUMNS: usize = 78;

/// Longer lists of moves are cut to this many; `moves` shows all.
const MOVES_SHOWN: usize = 20;

/// Moves that `values` judges; `values all` judges all.
const MOVES_JUDGED: usize = 200;

/// The note for a move that keeps a win, if no search found the shortest way.
pub(super) const DETOUR: &str = " (by values: the win may take a detour)";

pub(super) const HELP: &str = "\
Type the number of a move, some of its words, or the position after it. Or:
  moves    list all moves
  board    show the boards again
  hint     show what the engine would play, and what that achieves
  values   show the value of each component and of the sum, and what each move achieves
           (`values all` for a long list of moves)
  undo     take back your last decision and all moves after it
  redo     repeat the moves that you took back last
  draw     offer a draw
  resign   give up
  quit     leave the game unfinished
A player who cannot move loses.
";

/// The names of the players.
#[derive(Clone, Copy)]
pub(super) struct Names {
    /// Against the engine, the person is `you`.
    against_engine: bool,
}

impl Names {
    pub(super) fn new<S: Playable>(game: &Game<S>) -> Self {
        let is_engine = |seat| game.player(seat) == Player::Engine;
        Self { against_engine: is_engine(Seat::First) || is_engine(Seat::Second) }
    }

    /// The player as a subject with a verb, `s` added where English wants it: `You win`, `The
    /// engine wins`.
    pub(super) fn does<S: Playable>(self, game: &Game<S>, seat: Seat, verb: &str) -> String {
        match (self.is_you(game, seat), verb) {
            (true, _) => format!("You {verb}"),
            (false, "are") => format!("{} is", self.subject(game, seat)),
            (false, "have") => format!("{} has", self.subject(game, seat)),
            (false, _) => format!("{} {verb}s", self.subject(game, seat)),
        }
    }

    fn is_you<S: Playable>(self, game: &Game<S>, seat: Seat) -> bool {
        self.against_engine && game.player(seat) == Player::Person
    }

    pub(super) fn subject<S: Playable>(self, game: &Game<S>, seat: Seat) -> &'static str {
        match (self.is_you(game, seat), game.player(seat), game.side(seat), seat) {
            (true, ..) => "You",
            (_, Player::Engine, ..) => "The engine",
            (.., Some(Side::Left), _) => "Left",
            (.., Some(Side::Right), _) => "Right",
            (.., None, Seat::First) => "The first player",
            (.., None, Seat::Second) => "The second player",
        }
    }
}

/// The boards of all components, each under its number and notation, and who is to move.
pub(super) fn position<S: Playable>(solution: &S, game: &Game<S>, names: Names) -> String {
    let mut text = boards(solution, game.placement());
    let mover = game.mover();
    let said = match game.duty() {
        Duty::Move => {
            let side = game.side(mover).filter(|_| names.against_engine);
            let side = side.map_or(String::new(), |side| format!(", as {side}"));
            format!("{} to move{side}.", names.does(game, mover, "are"))
        }
        Duty::Again => {
            format!("{} again: it was a carry-on move.", names.does(game, mover, "move"))
        }
        Duty::Answer(component) => format!(
            "{} to move, and must answer in component {component}: it was an entailing \
             move.",
            names.does(game, mover, "are")
        ),
    };
    let _ = writeln!(text, "\n{said}");
    text
}

/// The boards of all components, side by side if there is room.
pub(super) fn boards<S: Playable>(solution: &S, placement: &S::Placement) -> String {
    let blocks = (0..S::components(placement)).map(|component| {
        let notation = solution.text(placement, component);
        let number = component.to_string();
        let indent = " ".repeat(number.len() + 2);
        let boards = solution.boards(placement, component);
        // Do not repeat the notation as a board.
        let same = notation
            .split(" + ")
            .zip(&boards)
            .all(|(text, board)| text.ends_with(board.as_str()) && !board.contains('\n'));
        let boards: Vec<Vec<String>> = boards.iter().map(|board| lines(board)).collect();
        let shown = visible(&notation);
        let (name, position) = shown.split_once(':').unwrap_or(("", &shown));
        let ruleset = name.split('[').next().unwrap_or_default();
        let mut block = vec![format!("{number}  {shown}")];
        if !same {
            let inner = COLUMNS.saturating_sub(indent.len());
            let lines = arranged(&boards, inner);
            let lines = lines.iter().map(|line| colours::board(ruleset, line));
            block.extend(lines.map(|line| format!("{indent}{line}")));
        } else if !name.is_empty() {
            block = vec![format!("{number}  {name}:{}", colours::board(ruleset, position))];
        }
        block
    });
    let mut text = String::new();
    let blocks: Vec<_> = blocks.collect();
    for line in arranged(&blocks, COLUMNS) {
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// The lines of a picture, without the spaces that all of them begin with.
fn lines(board: &str) -> Vec<String> {
    let spaces = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let common = board.lines().filter(|line| !line.trim().is_empty()).map(spaces).min();
    let line = |line: &str| visible(line.get(common.unwrap_or(0)..).unwrap_or("")).into_owned();
    board.lines().map(line).collect()
}

/// Blocks of lines side by side, top to top, if they fit, else one under the other.
fn arranged(blocks: &[Vec<String>], columns: usize) -> Vec<String> {
    const GAP: usize = 4;
    let width = |line: &str| width(&colours::plain(line));
    let widest = |block: &[String]| block.iter().map(|line| width(line)).max().unwrap_or(0);
    let widths: Vec<usize> = blocks.iter().map(|block| widest(block)).collect();
    let total = widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1);
    if total > columns {
        return blocks.concat();
    }
    let height = blocks.iter().map(Vec::len).max().unwrap_or(0);
    let row = |i: usize| {
        let cells = blocks.iter().zip(&widths);
        let cells = cells.map(|(block, &wide)| {
            let line = block.get(i).map_or("", |line| line);
            format!("{line}{}", " ".repeat(wide - width(line)))
        });
        cells.collect::<Vec<_>>().join(&" ".repeat(GAP))
    };
    (0..height).map(row).collect()
}

/// A move in words, with what it leaves.
pub(super) fn described<S: Playable>(
    solution: &S,
    before: &S::Placement,
    made: &S::Move,
) -> String {
    let after = solution.after(before, made);
    let component = S::component(made);
    let left = solution.text(&after, component);
    let place = match S::components(before) {
        1 => String::new(),
        _ => format!("component {component}: "),
    };
    let then = match S::kind(made) {
        Kind::Ordinary => "",
        Kind::Again => ", then move again",
        Kind::Entailing => ", to be answered there",
    };
    let words = solution.words(before, made);
    format!("{place}{} → {}{then}", visible(&words), visible(&left))
}

/// The moves by number; a long list is cut unless `all`.
pub(super) fn moves<S: Playable>(solution: &S, game: &Game<S>, all: bool) -> String {
    let count = game.moves().len();
    let shown = if all || count <= MOVES_SHOWN { count } else { MOVES_SHOWN - 5 };
    let mut text = String::new();
    for (i, made) in game.moves().iter().take(shown).enumerate() {
        let _ = writeln!(text, "{:>4}  {}", i + 1, described(solution, game.placement(), made));
    }
    if shown < count {
        let _ = writeln!(text, "   …  and {} more: `moves` shows all", count - shown);
    }
    text
}

/// A move that no person decided.
pub(super) fn happened<S: Playable>(
    solution: &S,
    game: &Game<S>,
    names: Names,
    played: &PlayedMove<S::Placement, S::Move>,
) -> String {
    let words = described(solution, &played.before, &played.made);
    let by_person = game.player(played.seat) == Player::Person;
    if played.forced && by_person {
        let has = names.does(game, played.seat, "have");
        format!("{has} only one move: {words}\n")
    } else {
        let how = if played.may_detour { DETOUR } else { "" };
        format!("{}: {words}{how}\n", names.subject(game, played.seat))
    }
}

/// How the game ended, and why.
pub(super) fn ending<S: Playable>(game: &Game<S>, names: Names, ending: Ending) -> String {
    let wins = |loser: Seat| names.does(game, loser.other(), "win");
    match ending {
        Ending::Stuck { loser } => {
            let who = names.subject(game, loser);
            let what = match game.duty() {
                Duty::Move => "cannot move".to_owned(),
                Duty::Again => "must move again and cannot".to_owned(),
                Duty::Answer(component) => {
                    format!("must answer the entailing move in component {component} and cannot")
                }
            };
            format!("{who} {what}, and a player who cannot move loses. {}.\n", wins(loser))
        }
        Ending::Resigned { loser } => {
            format!("{}. {}.\n", names.does(game, loser, "resign"), wins(loser))
        }
        Ending::Agreed => "A draw by agreement.\n".to_owned(),
        Ending::Endless => {
            "This repeats for ever, and the opponent never has a choice: endless play is a \
                            draw.\n"
                .to_owned()
        }
    }
}

/// A line for each component and for the sum.
pub(super) fn known(components: &[(String, String)], sum: &str) -> String {
    let mut text = String::new();
    let widest = components.iter().map(|(name, _)| cell_width(name)).max().unwrap_or(0);
    for (component, (name, known)) in components.iter().enumerate() {
        let _ = writeln!(text, "{component:>4}  {}  {known}", padded_cell(name, widest));
    }
    let _ = writeln!(text, " sum  {sum}\n");
    text
}

/// The number of moves to judge; a long list is cut unless `all`.
pub(super) fn moves_judged<S: Playable>(game: &Game<S>, all: bool) -> usize {
    let count = game.moves().len();
    if all { count } else { count.min(MOVES_JUDGED) }
}

/// The first moves by number, each with its verdict.
pub(super) fn judged<S: Playable>(sum: &S, game: &Game<S>, said: &[String]) -> String {
    let mut text = String::new();
    // The moves come last, because their words may be long.
    let widest = said.iter().map(|said| width(said)).max().unwrap_or(0);
    for (i, (said, made)) in said.iter().zip(game.moves()).enumerate() {
        let words = described(sum, game.placement(), made);
        let _ = writeln!(text, "{:>4}  {}  {words}", i + 1, padded(said, widest));
    }
    let more = game.moves().len() - said.len();
    if more > 0 {
        let _ = writeln!(text, "   …  and {more} more: `values all`");
    }
    text
}

/// What a move achieves, in a word.
pub(super) fn achieved(kind: TurnKind) -> &'static str {
    match kind {
        TurnKind::Winning => "wins",
        TurnKind::Drawing => "draws",
        _ => "loses",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_begin_at_the_left() {
        assert_eq!(lines("   3  ooo\n\n  12  o"), [" 3  ooo", "", "12  o"]);
        assert_eq!(lines("+  +\n |"), ["+  +", " |"]);
        assert!(lines("").is_empty());
    }

    #[test]
    fn blocks_stand_side_by_side_if_they_fit() {
        let block = |lines: &[&str]| lines.iter().map(ToString::to_string).collect::<Vec<_>>();
        let blocks = || vec![block(&["ab", "c"]), block(&["d"])];
        assert_eq!(arranged(&blocks(), 7), ["ab    d", "c      "]);
        assert_eq!(arranged(&blocks(), 6), ["ab", "c", "d"]);
        assert!(arranged(&[], 6).is_empty());
    }
}
