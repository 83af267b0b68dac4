//! Reads a question, answers it, and writes the reply.

use std::time::Duration;

use nimoon::{Limits, Progress};
use nimoon_session::{Answer, Door, Error, ErrorReport, Question, Session, Wanted, Work};
use serde::Serialize;

/// The limits of a question that sets none: those of `nimoon serve`.
const USUAL: Limits = Limits::new(1_000_000).bytes(1 << 30).time(Duration::from_secs(10));

/// A page has 4 GiB at most, and engines estimate what they need.
const MOST_BYTES: u64 = 2 << 30;

/// Answers the questions of a page, one after the other.
///
/// ```
/// let desk = nimoon_wasm::Desk::default();
/// let reply = desk.reply(b"value\n{\"expression\": \"nim:3 + nim:5\"}", |_| {});
/// let reply = String::from_utf8(reply).unwrap();
/// let (head, answer) = reply.split_once('\n').unwrap();
/// assert_eq!(head, r#"{"status":200,"type":"application/json"}"#);
/// assert!(answer.contains(r#""outcome":"N""#));
/// ```
pub struct Desk {
    session: Session,
}

impl Default for Desk {
    fn default() -> Self {
        // A page has no files: those that an expression names come with the question.
        Self { session: Session::new(Door::Network) }
    }
}

/// What a server would send in the status line and the headers.
#[derive(Serialize)]
struct Head<'a> {
    status: u16,
    r#type: &'a str,
    /// What is missing from the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    budget: Option<&'a str>,
}

impl Desk {
    /// The reply to a question. `progress` hears how far a long question is.
    pub fn reply(
        &self,
        question: &[u8],
        progress: impl Fn(Progress) + Send + Sync + 'static,
    ) -> Vec<u8> {
        match self.answer(question, progress).and_then(|answer| Ok((answer.body()?, answer))) {
            Ok((body, answer)) => {
                let missing = answer.missing.as_ref().map(|error| error.message.as_str());
                let budget = missing.or(answer.note.as_deref());
                written(&Head { status: 200, r#type: answer.media_type(), budget }, &body)
            }
            Err(error) => failure(&error),
        }
    }

    fn answer(
        &self,
        question: &[u8],
        progress: impl Fn(Progress) + Send + Sync + 'static,
    ) -> Result<Answer, Error> {
        let end = question.iter().position(|&byte| byte == b'\n').unwrap_or(question.len());
        let (name, fields) = question.split_at(end);
        // Places in the fields count from their own start.
        let fields = fields.strip_prefix(b"\n").unwrap_or(fields);
        let (question, wanted) = Question::read(&String::from_utf8_lossy(name), fields)?;
        let work = Work::new(limits(wanted)).on_progress(progress);
        self.session.ask(&question, &work)
    }
}

fn limits(wanted: Wanted) -> Limits {
    Limits {
        positions: wanted.budget.unwrap_or(USUAL.positions),
        bytes: wanted.memory.unwrap_or(USUAL.bytes).min(MOST_BYTES),
        time: wanted.time.or(USUAL.time),
        ..USUAL
    }
}

/// An error in the form of a reply.
fn failure(error: &Error) -> Vec<u8> {
    #[derive(Serialize)]
    struct Shape<'a> {
        error: ErrorReport<'a>,
    }
    let status = error.kind.http_status();
    let body = serde_json::to_vec(&Shape { error: error.report() }).unwrap_or_default();
    written(&Head { status, r#type: "application/json", budget: None }, &body)
}

fn written(head: &Head<'_>, body: &[u8]) -> Vec<u8> {
    let mut reply = serde_json::to_vec(head).unwrap_or_default();
    reply.push(b'\n');
    reply.extend_from_slice(body);
    reply
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use serde_json::{Value, json};

    use super::*;

    fn ask(question: &str) -> (Value, Value) {
        let reply = String::from_utf8(Desk::default().reply(question.as_bytes(), |_| {})).unwrap();
        let (head, body) = reply.split_once('\n').unwrap();
        (serde_json::from_str(head).unwrap(), serde_json::from_str(body).unwrap())
    }

    #[test]
    fn an_error_has_the_status_and_the_shape_that_a_server_sends() {
        for (question, status, kind) in [
            ("value\n{\"expression\": \"nim:x\"}", 422, "input"),
            ("value\n{}", 400, "request"),
            ("value", 400, "request"),
            ("", 404, "not-found"),
            ("\u{fffd}\n{}", 404, "not-found"),
        ] {
            let (head, body) = ask(question);
            assert_eq!(head["status"], status, "{question}");
            assert_eq!(body["error"]["kind"], kind, "{question}");
        }
    }

    #[test]
    fn places_count_from_the_start_of_the_fields() {
        let (_, body) = ask("value\n{\"expression\": 5}");
        assert_eq!((&body["error"]["line"], &body["error"]["column"]), (&json!(1), &json!(16)));
    }

    #[test]
    fn no_file_of_this_machine_is_read() {
        let (head, body) = ask("value\n{\"expression\": \"digraph[Cargo.toml]:a\"}");
        assert_eq!(head["status"], 422);
        assert_eq!(body["error"]["kind"], "file");
    }

    #[test]
    fn an_answer_that_a_limit_cut_short_says_so_in_the_head() {
        let fields = json!({ "expression": "wythoff:30,31", "budget": 60 });
        let (head, body) = ask(&format!("explore\n{fields}"));
        assert_eq!(head["status"], 200, "{body}");
        assert!(head["budget"].as_str().is_some_and(|missing| missing.contains("60")), "{head}");
    }

    #[test]
    fn a_question_may_set_more_than_the_usual_limits_but_not_more_memory_than_a_page_has() {
        let wanted = Wanted { budget: Some(5_000_000), memory: Some(u64::MAX), time: None };
        let limits = limits(wanted);
        assert_eq!((limits.positions, limits.bytes), (5_000_000, MOST_BYTES));
        assert_eq!(limits.time, USUAL.time);
    }

    #[test]
    fn long_questions_report_their_progress() {
        let seen = Arc::new(AtomicU64::new(0));
        let count = Arc::clone(&seen);
        let question = b"value\n{\"expression\": \"nimstring:3x3\"}";
        Desk::default().reply(question, move |_| {
            count.fetch_add(1, Ordering::Relaxed);
        });
        assert!(seen.load(Ordering::Relaxed) > 0);
    }
}
