//! Every question through every door: the library, the program and the server give the same JSON.
//!
//! The cases are in `golden/questions.json`; the tests of the Python package ask the same ones, and
//! compare with the program and the server. A question without a case fails these tests. So does a
//! command without a question that is not a listed exception.

use std::collections::BTreeSet;

use assert_cmd::Command;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode, header};
use nimoon_session::{Question, Session, Work};
use serde::Deserialize;
use serde_json::Value;
use tower::ServiceExt;

/// Questions that the program asks only within a game that goes on, in `nimoon play`.
const WITHIN_A_GAME: [&str; 2] = ["moves", "engine"];

/// Commands that ask no question, and why.
const NO_QUESTIONS: [(&str, &str); 9] = [
    ("play", "a game with many questions; its positions are `moves` and `engine`"),
    ("repl", "a session with many questions"),
    ("run", "a session from a file, whose lines are the other commands"),
    ("serve", "the server itself"),
    ("store", "maintains a file on this machine"),
    ("cluster", "labels in several processes, which exchange messages and files"),
    ("completions", "prints a script for a shell"),
    ("man", "prints pages of the manual"),
    ("help", "explains the others"),
];

#[derive(Deserialize)]
struct Cases {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
pub(crate) struct Case {
    pub(crate) question: String,
    pub(crate) fields: Value,
    arguments: Option<Vec<String>>,
    input: Option<String>,
}

pub(crate) fn cases() -> Vec<Case> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/questions.json");
    let text = std::fs::read_to_string(path).expect("the cases are there");
    let cases: Cases = serde_json::from_str(&text).expect("the cases are JSON");
    cases.cases
}

pub(crate) fn through_the_library(case: &Case) -> Value {
    let fields = case.fields.to_string();
    let (question, _) = Question::read(&case.question, fields.as_bytes())
        .unwrap_or_else(|error| panic!("{}: {error}", case.question));
    let answer = Session::default().ask(&question, &Work::default());
    let answer = answer.unwrap_or_else(|error| panic!("{} {fields}: {error}", case.question));
    assert_eq!(answer.missing, None, "{} {fields}", case.question);
    answer.value().expect("the answer is JSON").expect("it can be read")
}

fn through_the_program(case: &Case, arguments: &[String]) -> Value {
    let mut program = Command::cargo_bin("nimoon").expect("the program is built");
    program.args(arguments).args(["--format", "json"]);
    program.write_stdin(case.input.clone().unwrap_or_default());
    let output = program.assert().success().get_output().stdout.clone();
    serde_json::from_slice(&output).unwrap_or_else(|error| panic!("{arguments:?}: {error}"))
}

/// Asks the server for a path below `/api`.
pub(crate) async fn send(
    router: &axum::Router,
    method: &str,
    path: &str,
    body: &str,
) -> (StatusCode, Value) {
    let request = Request::builder()
        .method(method)
        .uri(format!("/api/{path}"))
        .header(header::HOST, "127.0.0.1:6174")
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from(body.to_owned()))
        .expect("this is a request");
    let response = router.clone().oneshot(request).await.expect("there is a response");
    let status = response.status();
    let bytes = to_bytes(response.into_body(), usize::MAX).await.expect("the body is read");
    (status, serde_json::from_slice(&bytes).expect("the body is JSON"))
}

async fn through_the_server(router: &axum::Router, case: &Case) -> Value {
    let (status, body) = send(router, "POST", &case.question, &case.fields.to_string()).await;
    assert_eq!(status, StatusCode::OK, "{}: {body}", case.question);
    body
}

#[test]
fn every_question_has_a_case() {
    let asked: BTreeSet<String> = cases().into_iter().map(|case| case.question).collect();
    let all: BTreeSet<String> = Question::NAMES.iter().map(ToString::to_string).collect();
    assert_eq!(asked, all);
}

#[test]
fn only_questions_within_a_game_are_not_asked_of_the_program() {
    for case in cases() {
        let within = WITHIN_A_GAME.contains(&case.question.as_str());
        assert_eq!(case.arguments.is_none(), within, "{}", case.question);
    }
}

#[test]
fn every_command_asks_a_question_or_is_an_exception() {
    let mut program = Command::cargo_bin("nimoon").expect("the program is built");
    let help = program.arg("--help").assert().success().get_output().stdout.clone();
    let help = String::from_utf8(help).expect("UTF-8");
    let mut commands: BTreeSet<String> =
        crate::documents::reference::commands(&help).into_iter().collect();
    commands.insert("help".to_owned());
    let cases = cases();
    let asked = cases.iter().filter_map(|case| case.arguments.as_ref()?.first());
    let exceptions = NO_QUESTIONS.iter().map(|(command, _)| *command);
    let asked = asked.map(String::as_str);
    let known: BTreeSet<String> = asked.chain(exceptions).map(str::to_owned).collect();
    assert_eq!(commands, known);
}

#[test]
fn the_program_answers_as_the_library_does() {
    for case in cases() {
        let Some(arguments) = &case.arguments else { continue };
        let (ours, theirs) = (through_the_library(&case), through_the_program(&case, arguments));
        assert_eq!(theirs, ours, "{arguments:?}");
    }
}

#[tokio::test]
async fn the_server_answers_as_the_library_does() {
    let router = nimoon_web::router(nimoon_web::Settings::default());
    for case in cases() {
        let (ours, theirs) = (through_the_library(&case), through_the_server(&router, &case).await);
        assert_eq!(theirs, ours, "{} {}", case.question, case.fields);
    }
}
