//! Why a sum has its value, and why a turn achieves what it does.

use nimoon::solve::solution::{AnswerError, Placement, Solution};
use nimoon::{AnyValue, EntailingValue, Kind, Label, Outcome, TurnKind, Value, Work};
use schemars::JsonSchema;
use serde::Serialize;

use super::answer::{ComponentReport, SumReport};
use nimoon_formats::write::json::{Json, shaped};

/// How the values of components add, one after the other.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(transparent)]
#[schemars(rename = "Addition")]
pub struct AdditionReport {
    /// The steps, one for each component after the first.
    pub steps: Vec<AdditionStep>,
}

/// One addition: a cell of the table of [ACLNSS, Thm 2.5], or of two values of which one is of the general theory.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AdditionStep {
    /// The component that is added.
    pub component: usize,
    /// The kind of the value of the components before it.
    row: &'static str,
    /// The kind of its own value.
    column: &'static str,
    /// The value of the components before it.
    #[serde(serialize_with = "shaped")]
    #[schemars(with = "Json<AnyValue>")]
    pub sum: AnyValue,
    /// Its own value.
    #[serde(serialize_with = "shaped")]
    #[schemars(with = "Json<AnyValue>")]
    pub value: AnyValue,
    /// The value with it.
    #[serde(serialize_with = "shaped")]
    #[schemars(with = "Json<AnyValue>")]
    pub total: AnyValue,
    /// The rule of the table that is used, in words.
    pub rule: String,
}

impl AdditionReport {
    /// How the values of a sum add; none where some component has no value, or there is no algebra.
    pub fn new(report: &SumReport) -> Option<Self> {
        let mut values = report.components.iter().map(|component| match &component.label {
            Some(Label::White(value)) => Some(value.clone()),
            _ => None,
        });
        let mut sum = values.next()??;
        let mut steps = Vec::new();
        for (component, value) in (1..).zip(values) {
            let value = value?;
            let total = AnyValue::sum([&sum, &value], &mut Work::default()).ok()??;
            let (row, column, rule) = (kind(&sum), kind(&value), rule(&sum, &value, &total));
            steps.push(AdditionStep {
                component,
                row,
                column,
                sum,
                value,
                total: total.clone(),
                rule,
            });
            sum = total;
        }
        Some(Self { steps })
    }
}

/// The rule of the table that is used, in words.
fn rule(sum: &AnyValue, value: &AnyValue, total: &AnyValue) -> String {
    use Value::{Cyclic, FullMoon, Moon, Nimber, Ninny};
    if let (AnyValue::Control(_), _) | (_, AnyValue::Control(_)) = (sum, value) {
        return format!(
            "a duel is fought in one component at a time, whatever stands in the other: {total}"
        );
    }
    let (AnyValue::CarryOn(a), AnyValue::CarryOn(b)) = (sum, value) else {
        return match (sum.nimber(), value.nimber()) {
            (Some(a), Some(b)) => nim_sum(a, b),
            _ => "a moon absorbs whatever stands beside it".to_owned(),
        };
    };
    match (a, b) {
        (FullMoon, _) | (_, FullMoon) => {
            "a checkmate wins whatever stands beside it, so a full moon absorbs".to_owned()
        }
        (Cyclic(_), Cyclic(_)) => {
            "two cyclic zones: nobody can leave both with one move, so no exit is left".to_owned()
        }
        (Nimber(a), Nimber(b)) => nim_sum(*a, *b),
        (Nimber(a) | Ninny(a), Nimber(b) | Ninny(b)) => {
            format!("the forced value goes to {a} ⊕ {b}; the zone stays: {total}")
        }
        (Nimber(n) | Ninny(n), Cyclic(exits)) | (Cyclic(exits), Nimber(n) | Ninny(n)) => {
            format!("each exit of {{{exits}}} has {n} added: {total}")
        }
        (Moon(forced), Cyclic(exits)) | (Cyclic(exits), Moon(forced)) => format!(
            "the moon is brought to one of its forced values {{{forced}}} first, and the zone left \
                 by one of its exits {{{exits}}}: all nim-sums of the two are exits, {total}"
        ),
        (Moon(forced), Moon(other)) => format!(
            "both moons are brought to forced values, one of {{{forced}}} and one of {{{other}}}: \
                 {total}"
        ),
        (Moon(forced), Nimber(n) | Ninny(n)) | (Nimber(n) | Ninny(n), Moon(forced)) => {
            format!("each forced value of {{{forced}}} has {n} added: {total}")
        }
    }
}

fn nim_sum(a: u64, b: u64) -> String {
    format!("nim-sum: {a} ⊕ {b} = {}", a ^ b)
}

/// The kind of a value, as rows and columns of the table are named.
fn kind(value: &AnyValue) -> &'static str {
    match value {
        AnyValue::CarryOn(Value::Nimber(_)) | AnyValue::Entailing(EntailingValue::Nimber(_)) => {
            "nimber"
        }
        AnyValue::CarryOn(Value::FullMoon) => "full-moon",
        AnyValue::CarryOn(Value::Moon(_)) | AnyValue::Entailing(EntailingValue::Moon) => "moon",
        AnyValue::CarryOn(Value::Ninny(_)) => "ninny",
        AnyValue::CarryOn(Value::Cyclic(_)) => "cyclic",
        AnyValue::Control(_) => "control",
        AnyValue::General(_) => "general",
    }
}

/// Why a turn achieves what it does: what it leaves, in words.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "TurnReason")]
pub struct TurnReasonReport {
    /// The components after the turn.
    pub components: Vec<ComponentReport>,
    /// The value after it; null where there is none.
    #[serde(serialize_with = "shaped")]
    #[schemars(with = "Json<Option<AnyValue>>")]
    pub value: Option<AnyValue>,
    /// Who wins then.
    #[serde(serialize_with = "shaped")]
    #[schemars(with = "Json<Outcome>")]
    pub outcome: Outcome,
    /// The reasons.
    pub sentences: Vec<String>,
}

impl TurnReasonReport {
    /// Why the turn to play in a placement is the one to play; none if there is no turn.
    ///
    /// # Errors
    /// When a budget is hit.
    pub fn new(
        solution: &mut Solution,
        placement: &Placement,
    ) -> Result<Option<Self>, AnswerError> {
        let answer = solution.answer(placement)?;
        let Some(turn) = answer.turn.filter(|turn| !turn.plies.is_empty()) else {
            return Ok(None);
        };
        let mut after = placement.clone();
        for made in &answer.moves {
            after = solution.after(&after, made);
        }
        // Who is to move then: forced replies are the opponent's, and a carry-on move changes
        // nobody.
        let mut yours = true;
        for made in &answer.moves {
            if made.kind != Kind::Again {
                yours = !yours;
            }
        }
        let components: Vec<ComponentReport> = (0..after.len())
            .map(|component| ComponentReport::of_placement(solution, &after, component))
            .collect();
        let value = solution.value(&after);
        let outcome = solution.outcome(&after)?;
        let stuck = solution.moves(&after)?.is_empty();
        let mut sentences = Vec::new();
        let who = if yours { "you" } else { "the opponent" };
        if turn.endless {
            sentences.push("The turn goes round for ever, and nobody can break it.".to_owned());
        } else if stuck {
            sentences.push(format!(
                "After it {who} cannot move, and so lose{}.",
                if yours { "" } else { "s" }
            ));
        } else if let Some(due) = after.due() {
            let covers = match &components[due].label {
                Some(Label::Gray(Some(cover))) => format!(", which covers {cover}"),
                _ => String::new(),
            };
            sentences.push(format!(
                "After it {who} must answer in component {due}{covers}: beside the rest, {}.",
                fate(outcome, yours)
            ));
        } else {
            let numbers: Option<Vec<u64>> = components
                .iter()
                .map(|component| match &component.label {
                    Some(Label::White(value)) => value.nimber(),
                    _ => None,
                })
                .collect();
            if let Some(numbers) = numbers {
                let sum = numbers.iter().fold(0, |sum, n| sum ^ n);
                let terms: Vec<String> = numbers.iter().map(u64::to_string).collect();
                sentences.push(format!(
                    "After it every component has a nimber, and their nim-sum is {} = {sum}.",
                    terms.join(" ⊕ ")
                ));
                sentences.push(if sum == 0 {
                        "So it is a P-position: whatever is moved, the nim-sum can be brought back to 0 by \
                         the answer, until nobody can move."
                            .to_owned()
                    } else {
                        "That is not 0, so whoever moves then can make it 0.".to_owned()
                    });
            } else {
                let reply =
                    value.as_ref().map_or(String::new(), |value| format!(" the value {value},"));
                sentences.push(format!(
                    "After it the sum has{reply} outcome {outcome}: {}.",
                    fate(outcome, yours)
                ));
            }
        }
        sentences.push(
            match turn.kind {
                TurnKind::Winning => "So the turn wins.",
                TurnKind::Drawing => "So the turn keeps the draw; no turn wins.",
                TurnKind::Losing => "Every turn loses against good play.",
                TurnKind::None => "There is no move.",
            }
            .to_owned(),
        );
        Ok(Some(Self { components, value, outcome, sentences }))
    }
}

/// What becomes of the player to move.
fn fate(outcome: Outcome, yours: bool) -> &'static str {
    match (outcome, yours) {
        (Outcome::N, true) | (Outcome::P, false) => "you win",
        (Outcome::P, true) | (Outcome::N, false) => "the opponent wins",
        (Outcome::D, _) => "nobody can force a win",
    }
}
