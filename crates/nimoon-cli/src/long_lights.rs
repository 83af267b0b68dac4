//! A fixture of lights that is too long for memory: it is read once, from the plug on.

use std::io::Read;

use nimoon::{AnyValue, EntailingValue, Label, NotationError, Outcome, Theory, TurnKind};
use nimoon_rulesets::strip::{LightsPass, LightsPly};
use nimoon_session::report::{ComponentReport, PlyReport, SumReport, TurnReport};

use crate::args::{AnswerFormat, ValueArgs};
use crate::failure::Failure;
use crate::output::{print_json, print_text};
use crate::reading;

/// The results for such a fixture.
pub(crate) struct LongLights {
    value: EntailingValue,
    /// Its beginning.
    shown: String,
    /// A turn, if one was found.
    turn: Option<Vec<LightsPly>>,
}

/// The number of bytes that are read at once.
const BLOCK: usize = 1 << 18;

/// The number of characters that are shown.
const SHOWN: usize = 24;

/// The bytes before the colon, if the text begins with this ruleset.
fn before_colon(text: &[u8]) -> Option<usize> {
    let name = text.trim_ascii_start();
    let rest = name.strip_prefix(b"lights")?.trim_ascii_start();
    rest.starts_with(b":").then_some(text.len() - rest.len())
}

/// Counts lines, to find the place of an error.
struct Lines {
    ended: usize,
    /// The number of bytes before the last line.
    before: usize,
    bytes: usize,
}

impl Lines {
    fn count(&mut self, text: &[u8]) {
        self.ended += text.split(|&byte| byte == b'\n').count() - 1;
        if let Some(last) = text.iter().rposition(|&byte| byte == b'\n') {
            self.before = self.bytes + last + 1;
        }
        self.bytes += text.len();
    }
}

impl LongLights {
    /// Whether this is the beginning of a fixture of lights.
    pub(crate) fn is_named(beginning: &[u8]) -> bool {
        before_colon(beginning).is_some()
    }

    /// Reads the fixture; `beginning` was read before.
    pub(crate) fn read(
        source: &str,
        beginning: Vec<u8>,
        mut reader: impl Read,
    ) -> Result<Self, Failure> {
        let first = before_colon(&beginning).map_or(0, |colon| colon + 1);
        let start = beginning[first..].trim_ascii_start();
        let start = String::from_utf8_lossy(&start[..start.len().min(SHOWN)]).into_owned();
        let mut pass = LightsPass::default();
        let mut lines = Lines { ended: 0, before: 0, bytes: 0 };
        lines.count(&beginning[..first]);
        let mut feed = |text: &[u8]| {
            pass.push(text).map_err(|error| wrong(source, first, &mut lines, text, &error))?;
            lines.count(text);
            Ok(())
        };
        feed(&beginning[first..])?;
        drop(beginning);
        let mut block = vec![0; BLOCK];
        loop {
            match reader.read(&mut block) {
                Ok(0) => break,
                Ok(length) => feed(&block[..length])?,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(reading::cannot(source, &error)),
            }
        }
        let value = pass.finish().map_err(|error| wrong(source, first, &mut lines, &[], &error))?;
        let shown = format!("lights:{start}… ({} pieces)", pass.pieces());
        Ok(Self { value, shown, turn: pass.turn() })
    }

    /// Prints the answer.
    pub(crate) fn print(&self, args: &ValueArgs) -> Result<(), Failure> {
        let requested = args.theory.theory();
        if let Some(theory) = requested.filter(|&theory| theory != Theory::Entailing) {
            return Err(Failure::input(format!(
                "--theory {theory}: a fixture of lights of this length has a value only in the \
                 entailing theory"
            )));
        }
        if args.turns || args.explain {
            return Err(Failure::input(
                "--turns and --explain do not work for a fixture of lights of this length",
            ));
        }
        let report = self.report();
        match args.format {
            AnswerFormat::Table => print_text(&report.text())?,
            AnswerFormat::Json => print_json(&report)?,
        }
        if report.turn.is_some() {
            return Ok(());
        }
        let message = "the value is exact, but nimoon lists no turn for a fixture of this length with \
                       working bulbs; it does for fixtures of at most 16 MiB";
        Err(Failure::Budget { message: message.to_owned() })
    }

    /// The plies; the text of a position says what was removed.
    fn plies(&self, plies: &[LightsPly]) -> Vec<PlyReport> {
        let mut from = self.shown.clone();
        let reports = plies.iter().map(|&ply| {
            let gone = match ply {
                LightsPly::Bulb(bulb) => format!("up to bulb {bulb}, which goes"),
                LightsPly::Socket { first, .. } => format!("without socket {first}"),
            };
            let to = format!("{from} {gone}");
            let from = std::mem::replace(&mut from, to.clone());
            let words = Some((ply.kind(), ply.words()));
            PlyReport { component: 0, from, to, forced: false, words }
        });
        reports.collect()
    }

    fn report(&self) -> SumReport {
        let position = self.shown.clone();
        let outcome = Some(self.value.outcome());
        let value = AnyValue::Entailing(self.value);
        let turn = self.turn.as_ref().map(|plies| TurnReport {
            kind: match (plies.is_empty(), outcome) {
                (true, _) => TurnKind::None,
                (false, Some(Outcome::N)) => TurnKind::Winning,
                (false, _) => TurnKind::Losing,
            },
            plies: self.plies(plies),
            endless: false,
            guide: None,
            tree: None,
        });
        let label = Some(Label::White(value.clone()));
        SumReport {
            theory: Some(Theory::Entailing),
            complete: true,
            components: vec![ComponentReport { position, label, outcome }],
            value: Some(value),
            outcome,
            turn,
            turns: None,
        }
    }
}

/// An error in the latest block of text; `first` bytes come before the fixture.
fn wrong(
    source: &str,
    first: usize,
    lines: &mut Lines,
    text: &[u8],
    error: &NotationError,
) -> Failure {
    let at = first + error.at;
    lines.count(&text[..at.saturating_sub(lines.bytes).min(text.len())]);
    let (line, column) = (lines.ended + 1, at.saturating_sub(lines.before) + 1);
    let most = reading::MOST_OF_EXPRESSION;
    let message = &error.message;
    Failure::input(format!(
        "{source}:{line}:{column}: {message}; a fixture of more than {most} bytes cannot be part of a sum"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(beginning: &str, rest: &str) -> Result<LongLights, String> {
        let read = LongLights::read("x", beginning.into(), rest.as_bytes());
        read.map_err(Failure::into_message)
    }

    #[test]
    fn the_value_does_not_depend_on_how_much_is_kept() {
        let text = " lights : 2b3s\n5b1s4b 2s2b";
        for cut in 9..text.len() {
            let lights = read(&text[..cut], &text[cut..]).unwrap();
            assert_eq!(lights.value, EntailingValue::Nimber(14));
            assert_eq!(lights.turn, Some(vec![LightsPly::Bulb(1)]));
            assert!(lights.shown.ends_with("… (19 pieces)"), "{}", lights.shown);
        }
        assert!(LongLights::is_named(text.as_bytes()));
        assert!(!LongLights::is_named(b"light:s") && !LongLights::is_named(b"nim:3"));
    }

    #[test]
    fn errors_have_their_line_and_column() {
        let text = "lights:bs\nbbs\nb+nim:3";
        for cut in 7..text.len() {
            let error = read(&text[..cut], &text[cut..]).err().unwrap();
            assert!(error.starts_with("x:3:2: expected `b` for a bulb"), "{error}");
        }
        let error = read("lights:bs\nb2", "").err().unwrap();
        assert!(error.starts_with("x:2:3: "), "{error}");
    }
}
