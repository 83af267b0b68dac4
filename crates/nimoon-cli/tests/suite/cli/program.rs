//! Running the program.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use assert_cmd::Command;
use serde_json::Value as Json;

/// Nothing in these tests may take longer.
const PATIENCE: Duration = Duration::from_secs(20);

/// Names in JSON that a terminal would act on, and one that is wider than it has characters.
pub(crate) const DIFFICULT: &str = r#"{"arcs":[["\u001b[31mred","n\nl"],["\u001b[31mred","月"]]}"#;

/// What a run of the program left behind.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// The folder of examples.
pub(crate) fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// The program, to be run where the examples are.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nimoon"));
    command.current_dir(examples()).args(arguments).timeout(PATIENCE).env_remove("RUST_BACKTRACE");
    command
}

/// Runs the program where the examples are.
pub(crate) fn run(arguments: &[&str]) -> Run {
    finish(&mut command(arguments))
}

/// Runs the program with this on standard input.
pub(crate) fn run_on(input: impl Into<Vec<u8>>, arguments: &[&str]) -> Run {
    finish(command(arguments).write_stdin(input))
}

fn finish(command: &mut Command) -> Run {
    let output = command.output().expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("the output is UTF-8");
    Run { code: output.status.code(), stdout: text(&output.stdout), stderr: text(&output.stderr) }
}

impl Run {
    /// The answer, when there is nothing to complain about.
    pub(crate) fn answer(self) -> String {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""));
        self.stdout
    }

    /// The answer as JSON: one value, and nothing else.
    pub(crate) fn json(self) -> Json {
        let text = self.answer();
        assert!(text.ends_with('\n'), "{text}");
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    /// How many lines of standard error begin with `error:`.
    pub(crate) fn error_lines(&self) -> usize {
        self.stderr.lines().filter(|line| line.starts_with("error:")).count()
    }
}

/// What a user sees of some commands, written as in a shell.
pub(crate) fn transcript(commands: &[&str]) -> String {
    let mut text = String::new();
    for line in commands {
        let run = run(&words(line));
        let _ = write!(text, "$ nimoon {line}\n{}", run.stdout);
        if !run.stderr.is_empty() {
            let _ = write!(text, "[stderr]\n{}", run.stderr);
        }
        if run.code != Some(0) {
            let _ = writeln!(text, "[exit {:?}]", run.code);
        }
        text.push('\n');
    }
    text
}

/// The words of a command; nothing in these tests needs quotes.
pub(crate) fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// JSON with a line for each entry, for snapshots.
pub(crate) fn pretty(line: &str) -> String {
    let json = run(&words(line)).json();
    serde_json::to_string_pretty(&json).expect("JSON is written as JSON")
}

/// A value in the ASCII form of the tables, from its JSON.
pub(crate) fn ascii(value: &Json) -> String {
    let list = |field: &str| {
        let numbers = value[field].as_array().expect("a list of numbers");
        numbers.iter().map(Json::to_string).collect::<Vec<_>>().join(",")
    };
    match value["kind"].as_str() {
        None => "-".to_owned(),
        Some("nimber") => value["n"].to_string(),
        Some("full-moon") => "full-moon".to_owned(),
        Some("moon") if value["forced"].is_null() => "moon".to_owned(),
        Some("moon") => format!("moon{{{}}}", list("forced")),
        Some("ninny") => format!("ninny{{{}}}", value["forced"]),
        Some("cyclic") => format!("oo{{{}}}", list("exits")),
        Some("general") => {
            let set = |field: &str| heaps(&value[field]);
            format!("win {}, loss {}, draw {}", set("win"), set("loss"), set("draw"))
        }
        Some("control") if value["term"].is_string() => {
            value["term"].as_str().expect("a text").to_owned()
        }
        Some("control") => {
            let equations = value["equations"].as_object().expect("equations");
            let equations = equations
                .iter()
                .map(|(name, right)| format!("{name} = {}", right.as_str().expect("a text")));
            equations.collect::<Vec<_>>().join(", ")
        }
        Some(other) => panic!("no such kind of value: {other}"),
    }
}

fn heaps(set: &Json) -> String {
    let list = |numbers: &[Json]| numbers.iter().map(Json::to_string).collect::<Vec<_>>().join(",");
    match (set["only"].as_array(), set["all_except"].as_array()) {
        (Some(only), None) => format!("{{{}}}", list(only)),
        (None, Some(out)) if out.is_empty() => "all".to_owned(),
        (None, Some(out)) => format!("all but {{{}}}", list(out)),
        _ => panic!("no set of heaps: {set}"),
    }
}
