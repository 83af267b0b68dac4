//! `nimoon play`.
//!
//! [`nimoon::solve::play::Game`] has the rules; this is the dialogue. [`input`] parses lines,
//! [`screen`] formats text, [`impartial`] and [`partizan`] contain what differs between such sums.

mod impartial;
mod input;
mod partizan;
mod screen;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use clap::{Args, ValueEnum};
use nimoon::solve::play::{Duty, Game, Playable, Player};
use nimoon::solve::solution::Solution;
use nimoon::{
    Limits,
    player::Player as Side,
    solve::partizan::{PartizanPlacement, PartizanSolution},
};
use nimoon_session::expression::AnyExpression;

use crate::args::{RulesArgs, StoreArgs};
use crate::commands::partizan::solution as partizan_solution;
use crate::expressions::{Rules, Text, solution_within};
use crate::failure::Failure;
use crate::interrupt;
use crate::limits::{self, BudgetArgs, OPTIONS};
use crate::lines::{self, Complete, Lines};
use crate::output::print_answer_text;
use input::{COMMANDS, Wish, parsed};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlayerName {
    Engine,
    Person,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SideName {
    Left,
    Right,
}

impl From<SideName> for nimoon::player::Player {
    fn from(name: SideName) -> Self {
        match name {
            SideName::Left => Self::Left,
            SideName::Right => Self::Right,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct PlayArgs {
    /// Positions as `ruleset:position`, joined by `+`; `@FILE` is a file.
    #[arg(value_name = "EXPR")]
    pub(crate) expression: String,

    /// Let this player begin (default: person).
    #[arg(long, value_enum, value_name = "PLAYER")]
    pub(crate) first: Option<PlayerName>,

    /// Play against the engine or a second person.
    #[arg(long, value_enum, value_name = "PLAYER", default_value_t = PlayerName::Engine)]
    pub(crate) opponent: PlayerName,

    /// Your side in a partizan game, or the side of the person who begins (default: left).
    #[arg(long, value_enum, value_name = "SIDE")]
    pub(crate) side: Option<SideName>,

    #[command(flatten)]
    pub(crate) rules: RulesArgs,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

    #[command(flatten)]
    pub(crate) limits: BudgetArgs,
}

impl PlayArgs {
    /// The time is for solving the sum: a game may last as long as the players like.
    fn for_answers(&self) -> Limits {
        Limits { time: None, ..self.limits.budget() }
    }
}

pub(crate) fn run(args: &PlayArgs) -> Result<(), Failure> {
    if args.expression == "-" {
        return Err(Failure::input(
            "standard input is for the moves: write the expression itself, or @FILE",
        ));
    }
    let players = match (args.opponent, args.first) {
        (PlayerName::Engine, Some(PlayerName::Engine)) => [Player::Engine, Player::Person],
        (PlayerName::Engine, _) => [Player::Person, Player::Engine],
        (PlayerName::Person, Some(PlayerName::Engine)) => {
            return Err(Failure::input(
                "--first engine: the engine does not play with --opponent person",
            ));
        }
        (PlayerName::Person, _) => [Player::Person; 2],
    };
    // Solving may take long before the first line is read.
    if lines::is_interactive() {
        interrupt::catch_termination();
    } else {
        interrupt::catch_in_script();
    }
    let work = args.limits.work();
    let text = Text::of_argument(&args.expression, &work)?;
    let mut rules = Rules::with_store(&args.rules, &args.store, &work)?;
    match text.read_any(&mut rules)? {
        AnyExpression::Impartial(_) if args.side.is_some() => {
            Err(Failure::input(format!("--side {NOT_PARTIZAN}")))
        }
        AnyExpression::Impartial(expression) => {
            let work = args.limits.work();
            let mut solution = solution_within(expression, None, &work)?;
            solution.answer_within(&limits::work(args.for_answers()));
            rules.flush();
            play(solution, players, lines::standard_input(completion())?.as_mut())
        }
        AnyExpression::Mixed(expression) => {
            let wrong = |at, message: &str| text.wrong(at, message);
            let mut solution = partizan_solution(expression, &args.limits.work(), OPTIONS, wrong)?;
            solution.answer_within(&limits::work(args.for_answers()));
            let side = args.side.map_or(Side::Left, Into::into);
            let mut lines = lines::standard_input(completion())?;
            play_partizan(solution, players, side, lines.as_mut())
        }
    }
}

/// Why the user cannot choose a side.
pub(crate) const NOT_PARTIZAN: &str =
    "is for partizan games, and in this one both players have the same moves";

/// Completes the commands of a game.
pub(crate) fn completion() -> Complete {
    Box::new(|line| lines::completed(line, COMMANDS.map(str::to_owned).into_iter()))
}

/// A game between these players, with the decisions of persons in these lines.
pub(crate) fn play(
    solution: Solution,
    players: [Player; 2],
    lines: &mut dyn Lines,
) -> Result<(), Failure> {
    let start = solution.start().clone();
    Table::new(solution, start, players, lines, &mut print_answer_text)?.play()
}

/// The same with a partizan sum; the side is that of the person, or of the person who begins.
pub(crate) fn play_partizan(
    solution: PartizanSolution,
    players: [Player; 2],
    side: Side,
    lines: &mut dyn Lines,
) -> Result<(), Failure> {
    let start = partizan_start(&solution, players, side);
    Table::new(solution, start, players, lines, &mut print_answer_text)?.play()
}

/// The start of a partizan sum, with the side of the first player to move.
fn partizan_start(
    solution: &PartizanSolution,
    [first, _]: [Player; 2],
    side: Side,
) -> PartizanPlacement {
    let player = match first {
        Player::Person => side,
        Player::Engine => side.opponent(),
    };
    PartizanPlacement { terms: solution.start().to_vec(), player }
}

/// A sum that can be shown in a game.
trait Shown: Playable + Sized {
    /// The text at the beginning of a game, after the rule that a player who cannot move loses.
    fn introduction(&mut self, _game: &Game<Self>, _names: screen::Names) -> String {
        String::new()
    }

    /// What the engine would play, and what that achieves.
    fn hint(&mut self, game: &Game<Self>) -> Result<String, Self::Error>;

    /// The values of the components and of the sum, and what each move achieves.
    fn values(&mut self, game: &Game<Self>, all: bool) -> Result<String, Self::Error>;

    /// How the program fails with this error.
    fn failure(error: &Self::Error) -> Failure;
}

/// Where text is written.
type Write<'a> = &'a mut dyn FnMut(&str) -> Result<(), Failure>;

/// A game with a person at a terminal.
struct Table<'a, S: Shown> {
    solution: S,
    game: Game<S>,
    names: screen::Names,
    lines: &'a mut dyn Lines,
    write: Write<'a>,
    /// Whether something was printed since the last question, so that an empty line is needed.
    has_printed: bool,
}

/// Whether the game goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// The position has changed, or should be shown again.
    Show,
    /// The next line.
    Ask,
    Leave,
}

impl<'a, S: Shown> Table<'a, S> {
    fn new(
        mut solution: S,
        start: S::Placement,
        players: [Player; 2],
        lines: &'a mut dyn Lines,
        write: Write<'a>,
    ) -> Result<Self, Failure> {
        let game = Game::new(&mut solution, start, players).map_err(|error| S::failure(&error))?;
        let names = screen::Names::new(&game);
        Ok(Self { solution, game, names, lines, write, has_printed: false })
    }

    fn say(&mut self, text: &str) -> Result<(), Failure> {
        (self.write)(text)
    }

    /// The whole game.
    fn play(&mut self) -> Result<(), Failure> {
        let introduction = self.solution.introduction(&self.game, self.names);
        self.say(&format!(
            "A player who cannot move loses. Type `help` for the list of commands.\n{introduction}\n"
        ))?;
        if !self.asks_first() {
            let start = screen::position(&self.solution, &self.game, self.names);
            self.say(&format!("{start}\n"))?;
        }
        loop {
            self.go_on()?;
            if std::mem::take(&mut self.has_printed) {
                self.say("\n")?;
            }
            if let Some(ending) = self.game.ending() {
                let boards = screen::boards(&self.solution, self.game.placement());
                let ending = screen::ending(&self.game, self.names, ending);
                return self.say(&format!("{boards}\n{ending}"));
            }
            self.show()?;
            let next = loop {
                match self.ask()? {
                    Next::Ask => {}
                    next => break next,
                }
            };
            if next == Next::Leave {
                return Ok(());
            }
        }
    }

    /// Whether nothing happens before the start is shown for a decision of a person, or the end.
    fn asks_first(&self) -> bool {
        let game = &self.game;
        let only_answer = matches!(game.duty(), Duty::Answer(_)) && game.moves().len() == 1;
        game.ending().is_some() || (game.player(game.mover()) == Player::Person && !only_answer)
    }

    /// Plays and prints the moves that no person decides.
    fn go_on(&mut self) -> Result<(), Failure> {
        loop {
            match self.game.go_on(&mut self.solution) {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err(error) => {
                    // Without an answer any move is better than none.
                    self.say(&format!("The engine does not know what to play ({error}).\n"))?;
                    let played = self.game.play(&mut self.solution, 0);
                    played.map_err(|error| S::failure(&error))?;
                }
            }
            if let Some(played) = self.game.played().last() {
                let text = screen::happened(&self.solution, &self.game, self.names, played);
                self.say(&text)?;
            }
            self.has_printed = true;
        }
    }

    fn show(&mut self) -> Result<(), Failure> {
        let position = screen::position(&self.solution, &self.game, self.names);
        let moves = screen::moves(&self.solution, &self.game, false);
        self.say(&format!("{position}{moves}"))?;
        match self.game.repetitions() {
            0 => Ok(()),
            count => {
                let times = match count {
                    1 => "once".to_owned(),
                    2 => "twice".to_owned(),
                    count => format!("{count} times"),
                };
                self.say(&format!(
                    "This position occurred {times} before, with the same player to move: \
                     `draw` offers a draw.\n"
                ))
            }
        }
    }

    /// One line of the person.
    fn line(&mut self) -> Result<Option<String>, Failure> {
        let line = self.lines.next("> ")?;
        match &line {
            None => self.say("\nYou left the game unfinished.\n")?,
            Some(line) if self.lines.is_echoed() => {
                let line = nimoon_formats::write::terminal::visible(line).into_owned();
                self.say(&format!("> {line}\n"))?;
            }
            Some(_) => {}
        }
        Ok(line)
    }

    fn ask(&mut self) -> Result<Next, Failure> {
        let Some(line) = self.line()? else { return Ok(Next::Leave) };
        let wish = parsed(&line, &self.solution, &self.game);
        match wish {
            Wish::Nothing => return Ok(Next::Ask),
            Wish::Move(number) => return self.make(number),
            Wish::Undo => return self.undo(),
            Wish::Redo => return self.redo(),
            Wish::Draw => return self.draw(),
            Wish::Resign => {
                self.game.resign();
                return Ok(Next::Show);
            }
            Wish::Quit => {
                self.say("You left the game unfinished.\n")?;
                return Ok(Next::Leave);
            }
            Wish::Board => return Ok(Next::Show),
            _ => {}
        }
        let text = match wish {
            Wish::Help => screen::HELP.to_owned(),
            Wish::Moves => screen::moves(&self.solution, &self.game, true),
            Wish::Hint => known(self.solution.hint(&self.game)),
            Wish::Values { all } => known(self.solution.values(&self.game, all)),
            Wish::Ambiguous(numbers) => self.ambiguous(&numbers),
            Wish::NoSuchNumber(count) => match count {
                1 => "Unknown move number; the only move is number 1.\n".to_owned(),
                count => format!("Unknown move number; expected 1 to {count}.\n"),
            },
            _ => {
                "Unknown move. Type the number of a move, some of its words, or the position after \
                  it; `moves` lists the moves, `help` the commands.\n"
                    .to_owned()
            }
        };
        self.say(&text)?;
        Ok(Next::Ask)
    }

    fn make(&mut self, number: usize) -> Result<Next, Failure> {
        let made = &self.game.moves()[number];
        let words = screen::described(&self.solution, self.game.placement(), made);
        let who = self.names.subject(&self.game, self.game.mover());
        match self.game.play(&mut self.solution, number) {
            Ok(()) => {
                self.say(&format!("{who}: {words}\n"))?;
                self.has_printed = true;
                Ok(Next::Show)
            }
            Err(fault) => {
                self.say(&format!("This move is not possible: {fault}.\n"))?;
                Ok(Next::Ask)
            }
        }
    }

    fn undo(&mut self) -> Result<Next, Failure> {
        let undone = self.game.undo(&mut self.solution);
        if undone.map_err(|error| S::failure(&error))? {
            self.say("Taken back.\n")?;
            self.has_printed = true;
            return Ok(Next::Show);
        }
        self.say("There is nothing to take back.\n")?;
        Ok(Next::Ask)
    }

    fn redo(&mut self) -> Result<Next, Failure> {
        let before = self.game.played().len();
        let redone = self.game.redo(&mut self.solution);
        if !redone.map_err(|error| S::failure(&error))? {
            self.say("There is nothing to redo.\n")?;
            return Ok(Next::Ask);
        }
        for number in before..self.game.played().len() {
            let played = &self.game.played()[number];
            let text = screen::happened(&self.solution, &self.game, self.names, played);
            self.say(&text)?;
        }
        self.has_printed = true;
        Ok(Next::Show)
    }

    fn draw(&mut self) -> Result<Next, Failure> {
        let opponent = self.game.mover().other();
        let (agreed, said) = match self.game.player(opponent) {
            Player::Engine => match self.game.opponent_cannot_win(&mut self.solution) {
                Ok(true) => (true, "The engine cannot force a win and agrees.\n".to_owned()),
                Ok(false) => (false, "The engine can win and plays on.\n".to_owned()),
                Err(error) => (false, format!("The engine plays on: {error}.\n")),
            },
            Player::Person => {
                let who = self.names.subject(&self.game, opponent);
                self.say(&format!("{who}, do you agree on a draw? (yes or no)\n"))?;
                let Some(line) = self.line()? else { return Ok(Next::Leave) };
                let line = line.trim().to_lowercase();
                let agreed = ["yes", "y", "draw"].contains(&line.as_str());
                (agreed, if agreed { "" } else { "No draw: play continues.\n" }.to_owned())
            }
        };
        self.say(&said)?;
        if agreed {
            self.has_printed = !said.is_empty();
            self.game.agree_on_draw();
            return Ok(Next::Show);
        }
        Ok(Next::Ask)
    }

    fn ambiguous(&self, numbers: &[usize]) -> String {
        const SHOWN: usize = 10;
        let mut text = "That fits several moves; type the number of one:\n".to_owned();
        for &number in numbers.iter().take(SHOWN) {
            let made = &self.game.moves()[number];
            let words = screen::described(&self.solution, self.game.placement(), made);
            let _ = writeln!(text, "{:>4}  {words}", number + 1);
        }
        if numbers.len() > SHOWN {
            let _ = writeln!(text, "   …  and {} more", numbers.len() - SHOWN);
        }
        text
    }
}

/// An answer, or why there is none.
fn known<E: std::fmt::Display>(answer: Result<String, E>) -> String {
    answer.unwrap_or_else(|error| format!("Unknown: {error}.\n"))
}
