//! A ruleset from a script.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use nimoon::{
    Work,
    notation::NotationError,
    player::Player,
    ruleset::{Fault, Kind, Move, Notation, Ruleset, Shortcuts},
};
use rhai::{
    AST, ASTNode, Array, CallFnOptions, Dynamic, Engine, EvalAltResult, Expr, FuncArgs, INT, Scope,
};

use crate::constants::{constants, first_assignment};
use crate::engine::{
    Choice, Constants, Stop, broken, engine, interrupted, start, stopped, watch_variables, work,
};
use crate::error::{Problem, Report, ScriptError, shorten};
use crate::growing::growing;
use crate::hooks::Hooks;
use crate::limits::Limits;
use crate::notation;
use crate::position::{Position, Room, Value, in_words};

/// A ruleset from a script. It can be shared between threads, and a copy costs nothing.
///
/// ```
/// use nimoon::{Notation, Ruleset, Shortcuts};
/// use nimoon_script::{Limits, Script};
///
/// let source = "
///     // Take one or two tokens.
///     fn options(n) {
///         let moves = [];
///         if n >= 1 { moves.push(to(n - 1, \"take one\")) }
///         if n >= 2 { moves.push(to(n - 2, \"take two\")) }
///         moves
///     }";
/// let game = Script::compile("one-or-two.rhai", source, Limits::default())?;
/// assert_eq!(game.name(), "one-or-two");
/// let heap = game.read("7").unwrap();
/// let options = game.try_options(&heap, 100).unwrap();
/// assert_eq!(game.write(&options[1].to), "5");
/// assert_eq!(game.words(&heap, 1, &options[1]), "take two");
/// # Ok::<_, nimoon_script::ScriptError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Script {
    compiled: Arc<Compiled>,
    /// The work under which its functions are called.
    work: Option<Work>,
    /// How many steps of a call are made even after that work has ended.
    free: u64,
}

#[derive(Debug)]
struct Compiled {
    name: String,
    engine: Engine,
    ast: AST,
    hooks: Hooks,
    report: Report,
    setup: Setup,
    /// Why the script does nothing without parameters.
    lacking: Option<ScriptError>,
}

/// What a script is made with, beside its text.
#[derive(Clone, Default)]
pub struct Setup {
    /// How much a call may use.
    pub limits: Limits,
    /// What stands in brackets behind the name, as in `mine[3,5]`; the script sees it as the array `parameters`.
    pub parameters: Option<String>,
    /// Where `print` goes; nowhere by default.
    pub print: Option<Printer>,
}

/// Takes what a script prints, line by line.
pub type Printer = Arc<dyn Fn(&str) + Send + Sync>;

impl fmt::Debug for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { limits, parameters, print } = self;
        f.debug_struct("Setup")
            .field("limits", limits)
            .field("parameters", parameters)
            .field("print", &print.is_some())
            .finish()
    }
}

/// The text that a script throws from `read`, with the byte that it points at.
type Thrown = (usize, String);

impl Script {
    /// Reads a script. The name of the ruleset is the name of the file without its directory and
    /// ending.
    ///
    /// # Errors
    /// When the text is not a script, has no function `options` of one parameter, or the statements
    /// outside the functions fail.
    pub fn compile(file_name: &str, source: &str, limits: Limits) -> Result<Self, ScriptError> {
        Self::with(file_name, source, &Setup { limits, ..Setup::default() })
    }

    /// Reads a script with parameters, or one that may print.
    ///
    /// ```
    /// use nimoon::Ruleset;
    /// use nimoon_script::{Script, Setup};
    /// let source = "fn options(n) { let m = []; for k in parameters { m.push(n - k); } m }";
    /// let setup = Setup { parameters: Some("1,3".into()), ..Setup::default() };
    /// let game = Script::with("take.rhai", source, &setup)?;
    /// assert_eq!(game.name(), "take[1,3]");
    /// let heap = game.read("5").unwrap();
    /// assert_eq!(game.options(&heap).count(), 2);
    /// # Ok::<_, nimoon_script::ScriptError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::compile`]; also when the script has no use for parameters and some are given.
    pub fn with(file_name: &str, source: &str, setup: &Setup) -> Result<Self, ScriptError> {
        let limits = setup.limits.clone().checked();
        let file = file_name.to_owned();
        let report = Report { file, source: source.to_owned(), limits };
        let limits = &report.limits;
        if source.len() > limits.script {
            let (problem, message) = limits.broken("script");
            return Err(report.error(problem, message));
        }
        let mut name = name_of(&report)?;
        let mut engine = engine(limits);
        if let Some(print) = setup.print.clone() {
            engine.on_print(move |text| print(text));
        }
        let ast = engine.compile(source).map_err(|error| report.syntax(&error))?;
        let hooks = Hooks::new(&report, &ast)?;
        let mut parameters: Array = Vec::new();
        if let Some(given) = &setup.parameters {
            if !uses_parameters(&ast) {
                let message = format!(
                    "`{name}` takes nothing in brackets: the script does not use `parameters`"
                );
                return Err(report.error(Problem::Functions, message));
            }
            parameters = given.split(',').map(|text| parameter(text.trim())).collect();
            let written = given.split(',').map(str::trim).collect::<Vec<_>>().join(",");
            name = format!("{name}[{written}]");
        }
        let ran = run_outside(&report, &mut engine, &ast, parameters);
        // A script with parameters may fail without them: then it is for `with_parameters`.
        let may_lack = setup.parameters.is_none() && uses_parameters(&ast);
        let lacking = match ran {
            Err(error) if may_lack && !error.is_limit() => Some(error),
            ran => ran.map(|()| None)?,
        };
        let setup = setup.clone();
        let compiled = Arc::new(Compiled { name, engine, ast, hooks, report, setup, lacking });
        Ok(Self { compiled, work: None, free: 0 })
    }

    /// The same script with what stands in brackets behind its name.
    ///
    /// # Errors
    /// As [`Self::with`]; also when there is nothing in brackets and the script fails without it.
    pub fn with_parameters(&self, parameters: Option<&str>) -> Result<Self, ScriptError> {
        let Compiled { report, setup, lacking, .. } = &*self.compiled;
        match (parameters, lacking) {
            (None, None) => Ok(self.clone()),
            (None, Some(error)) => Err(error.clone()),
            (Some(parameters), _) => {
                let setup = Setup { parameters: Some(parameters.to_owned()), ..setup.clone() };
                Self::with(&report.file, &report.source, &setup)
            }
        }
    }

    /// What there is to warn of: functions that nothing calls, and whose names are nearly those that nimoon calls.
    pub fn warnings(&self) -> &[String] {
        &self.compiled.hooks.warnings
    }

    /// Whether Left and Right have moves of their own, as [`ScriptPositions`](crate::ScriptPositions) need it.
    pub fn is_partizan(&self) -> bool {
        self.compiled.hooks.is_partizan()
    }

    /// The moves of a player by the functions `left` and `right`.
    pub(crate) fn moves_of(
        &self,
        position: &Position,
        player: Player,
    ) -> Result<Vec<Move<Position>>, ScriptError> {
        let choices = self.choices_by(side(player), position)?;
        Ok(choices.into_iter().map(|choice| choice.option).collect())
    }

    /// A move of a partizan ruleset is not an ordinary one.
    pub(crate) fn not_partizan(&self, position: &Position, player: Player) -> ScriptError {
        let message = "in a partizan ruleset the players move in turn: `again` and `entails` are for `options`";
        let error = self.compiled.report.error(Problem::Rules, message);
        error.inside(call(side(player), &[position]))
    }

    /// What a player of a partizan ruleset does.
    pub(crate) fn words_of(
        &self,
        from: &Position,
        player: Player,
        number: usize,
        to: &Position,
    ) -> String {
        match self.describing().in_words(side(player), from, number, to) {
            // They stand in the middle of a line.
            Ok(Some(words)) => words.replace(char::is_control, " "),
            Ok(None) | Err(_) => format!("move to {}", self.write(to)),
        }
    }

    /// The limits of the script.
    pub fn limits(&self) -> &Limits {
        &self.compiled.report.limits
    }

    /// The moves of a position; none where `parts` finds no part, and then `options` is not called.
    ///
    /// # Errors
    /// When the script fails.
    pub fn moves(&self, position: &Position) -> Result<Vec<Move<Position>>, ScriptError> {
        Ok(self.choices(position)?.into_iter().map(|choice| choice.option).collect())
    }

    /// The independent parts of a position, by the function `parts`; the position itself where the
    /// script has no such function.
    ///
    /// # Errors
    /// When the script fails.
    pub fn parts(&self, position: &Position) -> Result<Vec<Position>, ScriptError> {
        if let Value::Sum(parts) = &position.0 {
            let mut all = Vec::with_capacity(parts.len());
            for part in parts.iter() {
                all.extend(self.parts(&Position(part.clone()))?);
            }
            return Ok(all);
        }
        if !self.has("parts") {
            return Ok(vec![position.clone()]);
        }
        let call = || call("parts", &[position]);
        let parts = self.call("parts", (position.to_script(),), call)?;
        let Ok(parts) = parts.as_array_ref() else {
            return Err(self.wrong("an array of positions", &parts).inside(call()));
        };
        parts.iter().map(|part| self.position(part, call)).collect()
    }

    /// The canonical form of a position, by the function `canonical`; the position itself where the
    /// script has no such function.
    ///
    /// # Errors
    /// When the script fails.
    pub fn canonical_form(&self, position: &Position) -> Result<Position, ScriptError> {
        if !self.has("canonical") {
            return Ok(position.clone());
        }
        let call = || call("canonical", &[position]);
        let canonical = self.call("canonical", (position.to_script(),), call)?;
        self.position(&canonical, call)
    }

    fn choices(&self, position: &Position) -> Result<Vec<Choice>, ScriptError> {
        let parts = match &position.0 {
            Value::Sum(_) => self.parts(position)?,
            _ if self.has("parts") && self.parts(position)?.is_empty() => return Ok(Vec::new()),
            _ => return self.choices_by("options", position),
        };
        // Of a sum, the moves in each part, with the others beside it.
        let mut choices = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            for mut choice in self.choices_by("options", part)? {
                let mut after: Vec<Value> = parts.iter().map(|part| part.0.clone()).collect();
                after[number] = choice.option.to.0;
                choice.option.to = Position(Value::Sum(after.into()));
                choices.push(choice);
            }
        }
        Ok(choices)
    }

    fn choices_by(
        &self,
        function: &'static str,
        position: &Position,
    ) -> Result<Vec<Choice>, ScriptError> {
        let call = || call(function, &[position]);
        let options = self.call(function, (position.to_script(),), call)?;
        if !options.is_array() {
            return Err(self.wrong("an array of moves and positions", &options).inside(call()));
        }
        let options = options.into_array().unwrap_or_default();
        let choice = |option: Dynamic| {
            if option.is::<Choice>() {
                Ok(option.cast::<Choice>())
            } else {
                Choice::new(Kind::Ordinary, &option, None, self.limits())
            }
        };
        let choices: Result<Vec<_>, _> = options.into_iter().map(choice).collect();
        choices.map_err(|(problem, message)| {
            self.compiled.report.error(problem, message).inside(call())
        })
    }

    /// What the script says of a move, if it says anything.
    fn in_words(
        &self,
        function: &'static str,
        from: &Position,
        number: usize,
        to: &Position,
    ) -> Result<Option<String>, ScriptError> {
        let choice = self.choices_by(function, from)?.into_iter().nth(number);
        if let Some(words) = choice.and_then(|choice| choice.words) {
            return Ok(Some(words.to_string()));
        }
        if !self.has("words") {
            return Ok(None);
        }
        let call = || call("words", &[from, to]);
        let words = self.call("words", (from.to_script(), to.to_script()), call)?;
        self.text(&words, call).map(Some)
    }

    fn picture(&self, position: &Position) -> Result<String, ScriptError> {
        let call = || call("board", &[position]);
        let board = self.call("board", (position.to_script(),), call)?;
        self.text(&board, call)
    }

    fn written(&self, position: &Position) -> Result<String, ScriptError> {
        if !self.has("write") {
            return Ok(notation::write(position, self.limits()));
        }
        let call = || call("write", &[position]);
        let text = self.call("write", (position.to_script(),), call)?;
        self.text(&text, call)
    }

    /// Reads a position, without looking whether it is written as it was read.
    fn read_once(&self, text: &str) -> Result<Position, NotationError> {
        let limits = self.limits();
        if !self.has("read") {
            return notation::read(text, limits);
        }
        if text.len() > limits.string {
            let message =
                format!("the position has more than {} bytes (limit `string`)", limits.string);
            return Err(NotationError::limit(text.floor_char_boundary(limits.string), message));
        }
        let call = || format!("read({})", shorten(format!("{text:?}"), SHOWN));
        let result = self.run("read", (text.to_owned(),)).map_err(|error| {
            let thrown = thrown(&error);
            let error = self.compiled.report.failed(call(), *error, &self.compiled.ast);
            match thrown {
                Some((at, message)) if error.problem == Problem::Thrown => {
                    NotationError::at(text.floor_char_boundary(at), message)
                }
                _ => error.into(),
            }
        })?;
        Ok(self.position(&result, call)?)
    }

    /// This script without the work, for calls that cannot report an interruption. Only the limits
    /// of the script bound them.
    fn unhurried(&self) -> Self {
        Self { work: None, ..self.clone() }
    }

    /// This script for calls that describe what is known, also after the work has ended: it answers
    /// if that is quick; otherwise the caller does without it.
    fn describing(&self) -> Self {
        /// They take about a millisecond.
        const FREE: u64 = 20_000;
        Self { free: FREE, ..self.clone() }
    }

    fn has(&self, function: &str) -> bool {
        self.compiled.hooks.has(function)
    }

    fn run(&self, function: &str, arguments: impl FuncArgs) -> Result<Dynamic, Box<EvalAltResult>> {
        let Compiled { engine, ast, .. } = &*self.compiled;
        start(self.work.as_ref(), self.free);
        // The statements outside the functions ran when the script was read.
        let options = CallFnOptions::new().eval_ast(false);
        let result =
            engine.call_fn_with_options(options, &mut Scope::new(), ast, function, arguments);
        unless_stopped(result)
    }

    fn call(
        &self,
        function: &str,
        arguments: impl FuncArgs,
        call: impl Fn() -> String,
    ) -> Result<Dynamic, ScriptError> {
        self.run(function, arguments)
            .map_err(|error| self.compiled.report.failed(call(), *error, &self.compiled.ast))
    }

    fn position(
        &self,
        value: &Dynamic,
        call: impl Fn() -> String,
    ) -> Result<Position, ScriptError> {
        let position = Position::from_script(value, &mut Room::new(self.limits()));
        position.map_err(|(problem, message)| {
            self.compiled.report.error(problem, message).inside(call())
        })
    }

    fn text(&self, value: &Dynamic, call: impl Fn() -> String) -> Result<String, ScriptError> {
        match value.as_immutable_string_ref() {
            Ok(text) => Ok(text.to_string()),
            Err(_) => Err(self.wrong("a string", value).inside(call())),
        }
    }

    fn wrong(&self, expected: &str, found: &Dynamic) -> ScriptError {
        let message = format!("expected {expected}, found {}", in_words(found));
        self.compiled.report.error(Problem::Rules, message)
    }
}

/// How much of a position is shown in an error.
const SHOWN: usize = 60;

/// A call as it would stand in a script.
fn call(function: &str, arguments: &[&Position]) -> String {
    let arguments: Vec<_> =
        arguments.iter().map(|position| shorten(position.to_string(), SHOWN)).collect();
    format!("{function}({})", arguments.join(", "))
}

/// What `read` threw: a message, or an object map with `message` and `at`.
fn thrown(error: &EvalAltResult) -> Option<Thrown> {
    match error {
        EvalAltResult::ErrorInFunctionCall(_, _, inner, _) => thrown(inner),
        EvalAltResult::ErrorRuntime(value, _) if !value.is::<Stop>() => {
            Some(match value.as_map_ref() {
                Ok(map) => {
                    let at = map.get("at").and_then(|at| at.as_int().ok());
                    let message = map.get("message").map(Dynamic::to_string).unwrap_or_default();
                    (at.and_then(|at| usize::try_from(at).ok()).unwrap_or(0), message)
                }
                Err(_) => (0, value.to_string()),
            })
        }
        _ => None,
    }
}

/// The name of the ruleset: the file name without directory and ending.
fn name_of(report: &Report) -> Result<String, ScriptError> {
    let file = report.file.rsplit(['/', '\\']).next().unwrap_or_default();
    let name = file.split_once('.').map_or(file, |(name, _)| name);
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(fits) {
        return Ok(name.to_owned());
    }
    let message = format!(
        "the name of the file is the name of the ruleset, so it is made of small letters, digits \
         and `-`, as `my-game.rhai`; found `{name}`"
    );
    Err(report.error(Problem::Functions, message))
}

/// The function with the moves of a player.
fn side(player: Player) -> &'static str {
    match player {
        Player::Left => "left",
        Player::Right => "right",
    }
}

/// What stands in brackets behind the name of the ruleset, for the script.
fn parameter(text: &str) -> Dynamic {
    text.parse::<INT>().map_or_else(|_| text.into(), Into::into)
}

/// The name under which a script sees what stands in brackets.
const PARAMETERS: &str = "parameters";

fn uses_parameters(ast: &AST) -> bool {
    let mut uses = false;
    ast.walk(&mut |path| {
        if let Some(ASTNode::Expr(Expr::Variable(variable, ..))) = path.last() {
            uses |= variable.1 == PARAMETERS;
        }
        !uses
    });
    uses
}

/// What the script returned, unless it caught a reason to stop: that stays an error.
fn unless_stopped<T>(result: Result<T, Box<EvalAltResult>>) -> Result<T, Box<EvalAltResult>> {
    let ended = broken().is_some() || interrupted().is_some();
    if ended && result.is_ok() { Err(stopped().into()) } else { result }
}

/// Runs the statements outside the functions, and lets the functions see the constants.
fn run_outside(
    report: &Report,
    engine: &mut Engine,
    ast: &AST,
    parameters: Array,
) -> Result<(), ScriptError> {
    let (names, growing) = (constants(ast), growing(ast));
    let (mut scope, outside) = (Scope::new(), BTreeMap::new());
    scope.push_constant(PARAMETERS, parameters);
    watch_variables(
        engine,
        &report.limits,
        Constants { growing: growing.clone(), names: names.clone(), outside },
    );
    start(None, 0);
    unless_stopped(engine.run_ast_with_scope(&mut scope, ast)).map_err(|error| {
        report.failed("the statements outside the functions".to_owned(), *error, ast)
    })?;
    let mut outside = BTreeMap::new();
    for (name, is_constant, value) in scope.iter() {
        if !is_constant {
            let message = format!(
                "no function sees the variable `{name}`, since functions see only constants; write \
                 `const {name}`"
            );
            return Err(report.error(Problem::Rules, message));
        }
        let work = work(&value, &report.limits).map_err(|name| {
            let (problem, message) = report.limits.broken(name);
            report.error(problem, message)
        })?;
        outside.insert(name.to_owned(), (value, work));
    }
    let seen = outside.keys().map(String::as_str).collect();
    if let Some((position, message)) = first_assignment(ast, &seen, &names) {
        let place = report.place_of(position);
        return Err(ScriptError { place, ..report.error(Problem::Rules, message) });
    }
    watch_variables(engine, &report.limits, Constants { growing, names, outside });
    Ok(())
}

impl Ruleset for Script {
    type Position = Position;

    fn name(&self) -> String {
        self.compiled.name.clone()
    }

    /// Nothing where the script fails; [`Shortcuts::try_options`] says why.
    fn options(&self, position: &Position) -> impl Iterator<Item = Move<Position>> {
        self.unhurried().moves(position).unwrap_or_default().into_iter()
    }

    /// Where `parts` fails, the position in one piece: that is never wrong, only slower.
    /// [`Shortcuts::try_parts`] says why.
    fn components(&self, position: Position) -> Vec<Position> {
        self.unhurried().parts(&position).unwrap_or_else(|_| vec![position])
    }

    /// Where `canonical` fails, the position as it stands: that is never wrong, only slower.
    /// [`Shortcuts::try_parts`] says why.
    fn canonical(&self, position: Position) -> Position {
        match self.unhurried().parts(&position).as_deref() {
            // The empty sum.
            Ok([]) => position,
            _ => self.unhurried().canonical_form(&position).unwrap_or(position),
        }
    }

    /// Also looks whether what is read is written such that it is read again, and whether it splits
    /// into parts, so that a fault of the script is met before it matters.
    fn read(&self, text: &str) -> Result<Position, NotationError> {
        let script = self.unhurried();
        let position = script.read_once(text)?;
        if self.has("read") || self.has("write") {
            let written = script.written(&position)?;
            let again = script.read_once(&written);
            if let Err(error) = &again
                && error.limit
            {
                return Err(error.clone());
            }
            if again.as_ref() != Ok(&position) {
                let again = again.map_or_else(|_| "nothing".to_owned(), |again| again.to_string());
                let message = format!(
                    "{}: the position {} is written as `{}`, and this is read as {}; `read` and \
                     `write` must be inverse to each other",
                    self.compiled.report.file,
                    shorten(position.to_string(), SHOWN),
                    shorten(written, SHOWN),
                    shorten(again, SHOWN),
                );
                return Err(NotationError::at(0, message));
            }
        }
        for part in script.parts(&position)? {
            script.canonical_form(&part)?;
        }
        Ok(position)
    }

    /// Where `write` fails or takes too long, as it is written without it.
    fn write(&self, position: &Position) -> String {
        let written = self.describing().written(position);
        written.unwrap_or_else(|_| notation::write(position, self.limits()))
    }
}

impl Notation for Script {
    /// Always in the notation that needs no script: it says everything, and is quick to read.
    fn record(&self, position: &Position) -> String {
        notation::write(position, self.limits())
    }

    fn restore(&self, text: &str) -> Option<Position> {
        notation::read(text, self.limits()).ok()
    }

    /// Where `words` fails or takes too long, as without it: the value is right all the same.
    fn words(&self, position: &Position, number: usize, option: &Move<Position>) -> String {
        match self.describing().in_words("options", position, number, &option.to) {
            // They stand in the middle of a line.
            Ok(Some(words)) => words.replace(char::is_control, " "),
            Ok(None) | Err(_) => format!("move to {}", self.write(&option.to)),
        }
    }

    fn board(&self, position: &Position) -> String {
        if !self.has("board") {
            return self.write(position);
        }
        match self.describing().picture(position) {
            Ok(board) => board,
            Err(error) => format!("{}\n{error}", self.write(position)),
        }
    }
}

impl Shortcuts for Script {
    fn try_options(&self, position: &Position, limit: usize) -> Result<Vec<Move<Position>>, Fault> {
        let moves = self.moves(position)?;
        if moves.len() > limit { Err(Fault::TooMany { limit }) } else { Ok(moves) }
    }

    fn try_parts(&self, position: Position) -> Result<Vec<Position>, Fault> {
        let parts = self.parts(&position)?;
        if parts.is_empty() {
            return Ok(vec![position]);
        }
        Ok(parts.iter().map(|part| self.canonical_form(part)).collect::<Result<_, _>>()?)
    }

    /// The clock and the token are checked within each call of [`Shortcuts::try_options`] and
    /// [`Shortcuts::try_parts`], and within those of [`Ruleset::write`], [`Notation::words`] and
    /// [`Notation::board`] that take long.
    fn work_within(&mut self, work: &Work) {
        self.work = Some(work.clone());
    }
}
