//! All positions that play can reach from a sum, with what is known of each.

use std::collections::HashSet;
use std::io::{self, Write};

use nimoon::player::Player;
use nimoon::smith::remoteness::{Play, Remoteness};
use nimoon::solve::partizan::PartizanSolution;
use nimoon::{Interrupted, Label, Labelling, Theory, Work, label};
use nimoon_formats::write::{
    PictureError, PictureOptions, Report, UnwritableName, game, latex, missing_words, svg,
    write_dot,
};
use nimoon_formats::{Game, Names};
use schemars::JsonSchema;
use serde::Serialize;

use crate::condition::Condition;
use crate::expression::{AnyExpression, Expression, Library, MixedExpression};
use crate::followers::{Cut, Followers, PartizanFollowers, Symmetry};
use crate::report::{
    ExploreReport, ExploredCells, ExploredMove, ExploredRow, MoveKind, PartizanExploredMove,
    PartizanExploredRow, PartizanRemotenessPair, partizan_outcome, partizan_value,
};
use crate::{Error, ErrorKind};

/// What conditions on explored positions can ask for.
pub const NAMES: &[&str] =
    &["position", "value", "outcome", "left_first", "right_first", "remoteness", "options"];

/// How to explore.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExploreOptions<'a> {
    /// Whether positions that a symmetry makes equal are one.
    pub symmetry: Symmetry,
    /// Which positions to list; default: all. Its names are [`NAMES`].
    pub condition: Option<&'a Condition>,
    /// The theory of the values; default: the smallest that fits.
    pub theory: Option<Theory>,
}

/// All positions that play can reach, of either kind of game.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum ExploreAnswer {
    /// Of an impartial game.
    Impartial(ExploreReport<ExploredRow>),
    /// Of a sum in which some component is partizan.
    Partizan(ExploreReport<PartizanExploredRow>),
}

/// What was explored.
#[derive(Debug)]
pub struct Explored {
    /// The positions that satisfy the condition.
    pub answer: ExploreAnswer,
    /// What is missing because a limit was hit.
    pub missing: Option<Error>,
    /// How many positions there are, those that do not satisfy the condition included.
    found: usize,
    /// The digraph, with its labels where they are known; none for partizan games.
    drawn: Option<(Game, Option<Labelling>)>,
    is_filtered: bool,
}

/// Explores a sum.
///
/// ```
/// use nimoon::Work;
/// use nimoon_session::condition::Condition;
/// use nimoon_session::explore::{ExploreAnswer, ExploreOptions, NAMES, explore};
/// use nimoon_session::expression::NoLibrary;
/// let condition = Condition::read("outcome = P", NAMES).unwrap();
/// let options = ExploreOptions { condition: Some(&condition), ..ExploreOptions::default() };
/// let found = explore("kayles:3", &options, &mut NoLibrary, &Work::default()).unwrap();
/// let ExploreAnswer::Impartial(report) = &found.answer else { panic!("Kayles is impartial") };
/// let texts: Vec<&str> = report.positions.iter().map(|row| &*row.position).collect();
/// assert_eq!(texts, ["kayles:1 + kayles:1", "kayles:0"]);
/// ```
///
/// # Errors
/// When the expression is wrong, or the rules fail. A limit is not an error.
pub fn explore(
    expression: &str,
    options: &ExploreOptions<'_>,
    library: &mut dyn Library,
    work: &Work,
) -> Result<Explored, Error> {
    let read = AnyExpression::read(expression, library);
    match read.map_err(|error| Error::expression(expression, error))? {
        AnyExpression::Impartial(sum) => impartial(sum, options, work),
        AnyExpression::Mixed(sum) => partizan(expression, sum, options, work),
    }
}

/// The digraph of all positions that play can reach from a sum, for questions about digraphs; the node where
/// play begins is the first.
///
/// ```
/// use nimoon::Work;
/// use nimoon_session::{explore::digraph_of, expression::NoLibrary};
/// let game = digraph_of("nim:2", &mut NoLibrary, &Work::default()).unwrap();
/// assert_eq!(game.digraph.options(0), [1, 2]);
/// assert_eq!(game.names.name(2), "nim:1");
/// ```
///
/// # Errors
/// When the text is not an expression of impartial games, the rules fail, or a limit is hit.
pub fn digraph_of(expression: &str, library: &mut dyn Library, work: &Work) -> Result<Game, Error> {
    let read = Expression::read(expression, library);
    let sum = read.map_err(|error| Error::expression(expression, error))?;
    let found = Followers::new(sum, Symmetry::Apart, work);
    let found = found.map_err(|error| Error::input(error.to_string()))?;
    match &found.cut {
        Some(cut) => Err(of_cut(cut)),
        None => Ok(found.into_game()),
    }
}

fn of_cut(cut: &Cut) -> Error {
    match cut.interrupted {
        Some(interrupted) => Error::interrupted(interrupted, cut),
        None => Error::new(ErrorKind::Budget, cut.to_string()),
    }
}

/// The rows that satisfy a condition.
fn filtered<R: ExploredCells>(mut rows: Vec<R>, condition: Option<&Condition>) -> Vec<R> {
    if let Some(condition) = condition {
        rows.retain(|row| condition.holds(&|name| row.fact(name)));
    }
    rows
}

fn impartial(
    sum: Expression,
    options: &ExploreOptions<'_>,
    work: &Work,
) -> Result<Explored, Error> {
    let found = Followers::new(sum, options.symmetry, work);
    let found = found.map_err(|error| Error::input(error.to_string()))?;
    let mut missing = found.cut.as_ref().map(of_cut);
    let mut labels = None;
    let mut remoteness = None;
    if missing.is_none() {
        let labelling = label(&found.digraph, options.theory, work)
            .map_err(|error| unfit(&error, &found.names))?;
        if let (Some(interrupted), Some(words)) =
            (labelling.interrupted(), missing_words(&labelling))
        {
            missing = Some(Error::interrupted(interrupted, &words));
        }
        labels = Some(labelling);
        match Remoteness::try_new(&found.digraph, Play::Normal, work) {
            Ok(known) => remoteness = Some(known),
            Err(interrupted) => missing = missing.or(Some(Error::limit(interrupted))),
        }
    }
    let rows = found.positions.iter().map(|follower| {
        let label = labels.as_ref().filter(|labels| labels.is_complete());
        let label = label.map(|labels| labels.label(follower.node));
        let text = match &label {
            Some(Label::White(value)) => Some(value.to_string()),
            _ => None,
        };
        let moves = follower.moves.iter().map(|option| ExploredMove {
            to: found.positions[option.to].text.clone(),
            kind: option.kind.into(),
        });
        let plies = remoteness.as_ref().map(|known| known.remoteness(follower.node));
        ExploredRow {
            position: follower.text.clone(),
            label,
            text,
            outcome: remoteness.as_ref().map(|known| known.outcome(follower.node)),
            remoteness: plies.flatten(),
            options: moves.collect(),
            is_draw: plies == Some(None),
        }
    });
    let rows: Vec<ExploredRow> = rows.collect();
    let count = rows.len();
    let report = ExploreReport {
        theory: labels.as_ref().map(Labelling::theory),
        complete: missing.is_none(),
        positions: filtered(rows, options.condition),
    };
    Ok(Explored {
        answer: ExploreAnswer::Impartial(report),
        missing,
        found: count,
        drawn: Some((found.into_game(), labels)),
        is_filtered: options.condition.is_some(),
    })
}

fn unfit(error: &nimoon::DoesNotFit, names: &Names) -> Error {
    let because = nimoon_formats::write::refutation_words(&error.refutation, names);
    Error::input(format!(
        "the positions do not fit the {} theory: {because}; the {} theory fits",
        error.theory, error.fitting
    ))
}

fn partizan(
    expression: &str,
    sum: MixedExpression,
    options: &ExploreOptions<'_>,
    work: &Work,
) -> Result<Explored, Error> {
    if options.theory.is_some() {
        return Err(Error::input(
            "theories are for impartial games alone, and this sum is partizan",
        ));
    }
    let solution = sum.solution(work);
    let mut solution = solution.map_err(|(at, error)| Error::impartial(expression, at, &error))?;
    let found = PartizanFollowers::new(&mut solution, work);
    let mut ended: Option<Interrupted> = None;
    let mut rows = Vec::with_capacity(found.positions.len());
    for follower in &found.positions {
        let moves = |(player, name): (usize, &'static str)| {
            let places = follower.moves[player].iter();
            let found = &found;
            places.map(move |&place| PartizanExploredMove {
                to: found.positions[place].text.clone(),
                kind: MoveKind::Move,
                player: name,
            })
        };
        let options = [(0, "left"), (1, "right")].into_iter().flat_map(moves).collect();
        let mut row = PartizanExploredRow {
            position: follower.text.clone(),
            value: None,
            text: None,
            outcome: crate::report::PartizanOutcome::default(),
            remoteness: PartizanRemotenessPair::default(),
            options,
        };
        if found.cut.is_none() && ended.is_none() {
            row.value = partizan_value(&mut solution, &follower.terms, &mut ended);
            row.text = row.value.as_ref().map(|value| value.text.clone());
            row.outcome = partizan_outcome(&mut solution, &follower.terms, &mut ended);
            let plies = |solution: &mut PartizanSolution, first| {
                solution.remoteness(&follower.terms, first).ok().flatten()
            };
            row.remoteness = PartizanRemotenessPair {
                left_first: plies(&mut solution, Player::Left),
                right_first: plies(&mut solution, Player::Right),
            };
        }
        rows.push(row);
    }
    let missing = found.cut.as_ref().map(of_cut).or_else(|| ended.map(Error::limit));
    let count = rows.len();
    let report = ExploreReport {
        theory: None,
        complete: missing.is_none(),
        positions: filtered(rows, options.condition),
    };
    Ok(Explored {
        answer: ExploreAnswer::Partizan(report),
        missing,
        found: count,
        drawn: None,
        is_filtered: options.condition.is_some(),
    })
}

impl Explored {
    /// A table for people.
    ///
    /// # Errors
    /// When `out` cannot be written to.
    pub fn write_table(&self, out: &mut dyn Write) -> io::Result<()> {
        match &self.answer {
            ExploreAnswer::Impartial(report) => report.write_table(self.found, out),
            ExploreAnswer::Partizan(report) => report.write_table(self.found, out),
        }
    }

    /// Comma-separated values.
    ///
    /// # Errors
    /// When `out` cannot be written to.
    pub fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        match &self.answer {
            ExploreAnswer::Impartial(report) => report.write_csv(out),
            ExploreAnswer::Partizan(report) => report.write_csv(out),
        }
    }

    /// The digraph as a `.game` file. Its names have no blanks, no `:` and no `#`, and no ruleset if there is one only.
    ///
    /// # Errors
    /// When there is no digraph to write.
    pub fn game(&self) -> Result<String, Error> {
        let (found, _) = self.digraph("a .game file")?;
        let names = plain_names(&found.names);
        let text = game(&found.digraph, &names);
        text.map_err(|error: UnwritableName| Error::input(error.to_string()))
    }

    /// The digraph in DOT.
    ///
    /// # Errors
    /// When there is no digraph to draw.
    pub fn dot(&self) -> Result<Vec<u8>, Error> {
        self.with_report("DOT", |report| {
            let mut text = Vec::new();
            write_dot(report, &mut text).map_err(|error| Error::input(error.to_string()))?;
            Ok(text)
        })
    }

    /// The digraph as a picture.
    ///
    /// # Errors
    /// When there is no digraph to draw, or it is too large.
    pub fn svg(&self, options: &PictureOptions) -> Result<String, Error> {
        self.with_report("a picture", |report| svg(report, options).map_err(too_large))
    }

    /// The digraph as a picture for a paper.
    ///
    /// # Errors
    /// When there is no digraph to draw, or it is too large.
    pub fn latex(&self, options: &PictureOptions) -> Result<String, Error> {
        self.with_report("a picture", |report| latex(report, options).map_err(too_large))
    }

    fn digraph(&self, what: &str) -> Result<&(Game, Option<Labelling>), Error> {
        if self.is_filtered {
            let message = format!("{what} shows all positions: leave out the condition");
            return Err(Error::input(message));
        }
        self.drawn.as_ref().ok_or_else(|| {
            Error::input(format!("{what} is for impartial games, and this sum is partizan"))
        })
    }

    fn with_report<T>(
        &self,
        what: &str,
        write: impl FnOnce(&Report<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let (game, labelling) = self.digraph(what)?;
        let Some(labelling) = labelling else {
            let message = self.missing.as_ref().map_or("nothing is known", |error| &error.message);
            return Err(self.missing.clone().unwrap_or_else(|| Error::input(message)));
        };
        write(&Report::new(&game.digraph, &game.names, labelling))
    }
}

fn too_large(error: PictureError) -> Error {
    Error::input(error.fact())
}

/// Names that every format can have.
fn plain_names(names: &Names) -> Names {
    let rulesets: HashSet<String> = names
        .iter()
        .flat_map(|name| {
            let parts = name.split(" + ");
            let ruleset = |part: &str| {
                let part = part.rsplit('(').next().unwrap_or(part);
                part.split(':').next().unwrap_or(part).to_owned()
            };
            parts.map(ruleset).collect::<Vec<_>>()
        })
        .collect();
    let single = rulesets.iter().next().filter(|_| rulesets.len() == 1);
    let mut seen = HashSet::new();
    let plain = |(node, name): (usize, String)| {
        let name = match single {
            Some(ruleset) => name.replace(&format!("{ruleset}:"), ""),
            None => name,
        };
        let name: String = name.chars().filter(|c| !c.is_whitespace()).collect();
        let mut name = name.replace(':', ".").replace('#', "♯");
        if name.is_empty() {
            "-".clone_into(&mut name);
        }
        while !seen.insert(name.clone()) {
            name = format!("{name}({node})");
        }
        name
    };
    names.iter().map(std::borrow::Cow::into_owned).enumerate().map(plain).collect()
}
