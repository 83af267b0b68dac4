//! A ruleset from a script.

use std::sync::Arc;

use nimoon::Effort;
use nimoon::ruleset::{Fault, Kind, Move, NotationError, Ruleset};
use rhai::{AST, CallFnOptions, Dynamic, Engine, EvalAltResult, FuncArgs, Module, Scope};

use crate::engine::{Choice, Stop, broken, engine, interrupted, start, stopped};
use crate::error::{Problem, Report, ScriptError, shorten};
use crate::limits::Limits;
use crate::notation;
use crate::position::{Position, Room, in_words};

/// The functions of a script that mean something, with their parameters.
const FUNCTIONS: [(&str, &[&str]); 7] = [
    ("options", &["p"]),
    ("parts", &["p"]),
    ("canonical", &["p"]),
    ("read", &["text"]),
    ("write", &["p"]),
    ("board", &["p"]),
    ("words", &["p", "q"]),
];

/// A ruleset from a script. It can be shared between threads, and a copy costs nothing.
///
/// ```
/// use nimoon::Ruleset;
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
    /// Under what effort its functions are called.
    effort: Option<Effort>,
    /// How many steps of a call are made whatever became of that effort.
    free: u64,
}

#[derive(Debug)]
struct Compiled {
    name: String,
    engine: Engine,
    ast: AST,
    /// Which of [`FUNCTIONS`] the script has.
    has: [bool; FUNCTIONS.len()],
    report: Report,
}

/// The text that a script throws from `read`, with the byte that it points at.
type Thrown = (usize, String);

impl Script {
    /// Reads a script. The name of the ruleset is the name of the file without its directory and
    /// ending.
    ///
    /// # Errors
    /// When the text is no script, has no function `options` of one parameter, or the statements
    /// outside the functions fail.
    pub fn compile(file_name: &str, source: &str, limits: Limits) -> Result<Self, ScriptError> {
        let limits = limits.checked();
        let file = file_name.to_owned();
        let report = Report { file, source: source.to_owned(), limits };
        let limits = &report.limits;
        if source.len() > limits.script {
            let (problem, message) = limits.broken("script");
            return Err(report.error(problem, message));
        }
        let name = name_of(&report)?;
        let mut engine = engine(limits);
        let ast = engine.compile(source).map_err(|error| report.syntax(&error))?;
        let has = functions(&report, &ast)?;
        constants(&report, &mut engine, &ast)?;
        let compiled = Arc::new(Compiled { name, engine, ast, has, report });
        Ok(Self { compiled, effort: None, free: 0 })
    }

    /// The limits of the script.
    pub fn limits(&self) -> &Limits {
        &self.compiled.report.limits
    }

    /// The options of a position.
    ///
    /// # Errors
    /// When the script fails.
    pub fn moves(&self, position: &Position) -> Result<Vec<Move<Position>>, ScriptError> {
        Ok(self.choices(position)?.into_iter().map(|choice| choice.option).collect())
    }

    /// The independent parts of a position, by the function `parts`; the position itself where the
    /// script has no such function or finds no part.
    ///
    /// # Errors
    /// When the script fails.
    pub fn parts(&self, position: &Position) -> Result<Vec<Position>, ScriptError> {
        if !self.has("parts") {
            return Ok(vec![position.clone()]);
        }
        let call = || call("parts", &[position]);
        let parts = self.call("parts", (position.to_script(),), call)?;
        let Ok(parts) = parts.as_array_ref() else {
            return Err(self.wrong("an array of positions", &parts).inside(call()));
        };
        let parts: Result<Vec<_>, _> = parts.iter().map(|part| self.position(part, call)).collect();
        let mut parts = parts?;
        if parts.is_empty() {
            parts.push(position.clone());
        }
        Ok(parts)
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
        let call = || call("options", &[position]);
        let options = self.call("options", (position.to_script(),), call)?;
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
        choices
            .map_err(|message| self.compiled.report.error(Problem::Rules, message).inside(call()))
    }

    /// What the script says of a move, if it says anything.
    fn spoken(
        &self,
        from: &Position,
        number: usize,
        to: &Position,
    ) -> Result<Option<String>, ScriptError> {
        let choice = self.choices(from)?.into_iter().nth(number);
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
            return Err(NotationError::at(limits.string, message));
        }
        let call = || format!("read({})", shorten(format!("{text:?}"), SHOWN));
        let result =
            self.run("read", (text.to_owned(),)).map_err(|error| match thrown(&error) {
                Some((at, message)) => NotationError::at(text.floor_char_boundary(at), message),
                None => {
                    NotationError::at(0, self.compiled.report.failed(call(), *error).to_string())
                }
            })?;
        self.position(&result, call).map_err(|error| NotationError::at(0, error.to_string()))
    }

    /// The same without an effort, for calls that cannot tell that they were interrupted: these are bounded by the
    /// limits of the script alone.
    fn unhurried(&self) -> Self {
        Self { effort: None, ..self.clone() }
    }

    /// The same for calls that tell what is known, also after the effort came to its end: what is soon told is
    /// told then, and what takes long is told without the script.
    fn telling(&self) -> Self {
        /// They take about a millisecond.
        const FREE: u64 = 20_000;
        Self { free: FREE, ..self.clone() }
    }

    fn has(&self, function: &str) -> bool {
        FUNCTIONS.iter().zip(self.compiled.has).any(|((name, _), has)| has && *name == function)
    }

    fn run(&self, function: &str, arguments: impl FuncArgs) -> Result<Dynamic, Box<EvalAltResult>> {
        let Compiled { engine, ast, .. } = &*self.compiled;
        start(self.limits().time, self.effort.as_ref(), self.free);
        // The statements outside the functions ran when the script was read.
        let options = CallFnOptions::new().eval_ast(false);
        let result =
            engine.call_fn_with_options(options, &mut Scope::new(), ast, function, arguments);
        let ended = broken().is_some() || interrupted().is_some();
        if ended && result.is_ok() { Err(stopped().into()) } else { result }
    }

    fn call(
        &self,
        function: &str,
        arguments: impl FuncArgs,
        call: impl Fn() -> String,
    ) -> Result<Dynamic, ScriptError> {
        self.run(function, arguments).map_err(|error| self.compiled.report.failed(call(), *error))
    }

    fn position(
        &self,
        value: &Dynamic,
        call: impl Fn() -> String,
    ) -> Result<Position, ScriptError> {
        let position = Position::from_script(value, &mut Room::new(self.limits()));
        position
            .map_err(|message| self.compiled.report.error(Problem::Rules, message).inside(call()))
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

/// Which of [`FUNCTIONS`] the script has.
fn functions(report: &Report, ast: &AST) -> Result<[bool; FUNCTIONS.len()], ScriptError> {
    let mut has = [false; FUNCTIONS.len()];
    for (has, (name, parameters)) in has.iter_mut().zip(FUNCTIONS) {
        let functions = ast.iter_functions().filter(|function| function.name == name);
        let counts: Vec<_> = functions.map(|function| function.params.len()).collect();
        *has = counts.contains(&parameters.len());
        if let (false, Some(found)) = (*has, counts.first()) {
            let message = format!(
                "the parameters of `{name}` are ({}), found {found}",
                parameters.join(", ")
            );
            let place = report.definition(name);
            return Err(ScriptError { place, ..report.error(Problem::Functions, message) });
        }
    }
    if has[0] {
        return Ok(has);
    }
    let mut names: Vec<_> = ast.iter_functions().map(|f| format!("`{}`", f.name)).collect();
    names.sort_unstable();
    names.dedup();
    let found =
        if names.is_empty() { "no function".to_owned() } else { shorten(names.join(", "), 200) };
    let message = format!(
        "a ruleset needs a function `fn options(p) {{ … }}` that gives an array of moves; the script \
         has {found}"
    );
    Err(report.error(Problem::Functions, message))
}

/// Runs the statements outside the functions, and lets the functions see the constants.
fn constants(report: &Report, engine: &mut Engine, ast: &AST) -> Result<(), ScriptError> {
    let mut scope = Scope::new();
    start(report.limits.time, None, 0);
    engine.run_ast_with_scope(&mut scope, ast).map_err(|error| {
        report.failed("the statements outside the functions".to_owned(), *error)
    })?;
    let mut module = Module::new();
    for (name, is_constant, value) in scope.iter() {
        if !is_constant {
            let message = format!(
                "no function sees the variable `{name}`, since functions see only constants; write \
                 `const {name}`"
            );
            return Err(report.error(Problem::Rules, message));
        }
        module.set_var(name, value);
    }
    engine.register_global_module(module.into());
    Ok(())
}

impl Ruleset for Script {
    type Position = Position;

    fn name(&self) -> String {
        self.compiled.name.clone()
    }

    /// Nothing where the script fails; [`Ruleset::try_options`] says why.
    fn options(&self, position: &Position) -> impl Iterator<Item = Move<Position>> {
        self.unhurried().moves(position).unwrap_or_default().into_iter()
    }

    fn try_options(&self, position: &Position, limit: usize) -> Result<Vec<Move<Position>>, Fault> {
        let moves = self.moves(position)?;
        if moves.len() > limit { Err(Fault::TooMany { limit }) } else { Ok(moves) }
    }

    /// Where `parts` fails, the position in one piece: that is never wrong, only slower.
    /// [`Ruleset::try_parts`] says why.
    fn components(&self, position: Position) -> Vec<Position> {
        self.unhurried().parts(&position).unwrap_or_else(|_| vec![position])
    }

    /// Where `canonical` fails, the position as it stands: that is never wrong, only slower.
    /// [`Ruleset::try_parts`] says why.
    fn canonical(&self, position: Position) -> Position {
        self.unhurried().canonical_form(&position).unwrap_or(position)
    }

    fn try_parts(&self, position: Position) -> Result<Vec<Position>, Fault> {
        let parts = self.parts(&position).and_then(|parts| {
            parts.iter().map(|part| self.canonical_form(part)).collect::<Result<Vec<_>, _>>()
        });
        Ok(parts?)
    }

    /// Clock and token are looked at within each call of [`Ruleset::try_options`] and [`Ruleset::try_parts`], and
    /// within those of [`Ruleset::write`], [`Ruleset::words`] and [`Ruleset::board`] that take long.
    fn work_within(&mut self, effort: &Effort) {
        self.effort = Some(effort.clone());
    }

    /// Also looks whether what is read is written such that it is read again, and whether it splits
    /// into parts, so that a fault of the script is met before it matters.
    fn read(&self, text: &str) -> Result<Position, NotationError> {
        let script = self.unhurried();
        let position = script.read_once(text)?;
        let fault = |message: String| NotationError::at(0, message);
        if self.has("read") || self.has("write") {
            let written = script.written(&position).map_err(|error| fault(error.to_string()))?;
            let again = script.read_once(&written);
            if again.as_ref() != Ok(&position) {
                let again = again.map_or_else(|_| "nothing".to_owned(), |again| again.to_string());
                return Err(fault(format!(
                    "{}: the position {} is written as `{}`, and this is read as {}; `read` and \
                     `write` must be inverse to each other",
                    self.compiled.report.file,
                    shorten(position.to_string(), SHOWN),
                    shorten(written, SHOWN),
                    shorten(again, SHOWN),
                )));
            }
        }
        script.try_parts(position.clone()).map_err(|error| fault(error.to_string()))?;
        Ok(position)
    }

    /// Where `write` fails or takes too long, as it is written without it.
    fn write(&self, position: &Position) -> String {
        let written = self.telling().written(position);
        written.unwrap_or_else(|_| notation::write(position, self.limits()))
    }

    /// Always in the notation that needs no script: it says everything, and is quick to read.
    fn record(&self, position: &Position) -> String {
        notation::write(position, self.limits())
    }

    fn restore(&self, text: &str) -> Option<Position> {
        notation::read(text, self.limits()).ok()
    }

    /// Where `words` fails or takes too long, as without it: the value is right all the same.
    fn words(&self, position: &Position, number: usize, option: &Move<Position>) -> String {
        match self.telling().spoken(position, number, &option.to) {
            // They stand in the middle of a line.
            Ok(Some(words)) => words.replace(char::is_control, " "),
            Ok(None) | Err(_) => format!("move to {}", self.write(&option.to)),
        }
    }

    fn board(&self, position: &Position) -> String {
        if !self.has("board") {
            return self.write(position);
        }
        match self.telling().picture(position) {
            Ok(board) => board,
            Err(error) => format!("{}\n{error}", self.write(position)),
        }
    }
}
