//! What a search for a period found, in words and as JSON.

use schemars::JsonSchema;
use serde::Serialize;

use super::period::{Period, PeriodReport};

impl PeriodReport {
    /// What was found, in words; `option` is how the largest heap is called where it can be raised.
    pub fn sentence(&self, option: &str) -> String {
        let PeriodReport { ruleset, period, checked_to, .. } = self;
        let name = ruleset.split('[').next().unwrap_or_default();
        let Some(Period { preperiod, period, saltus, proved, .. }) = *period else {
            let hope = match name {
                "subtraction" => {
                    format!("every subtraction game has one, so raise it with {option}")
                }
                _ => "none is claimed".to_owned(),
            };
            return format!("{ruleset}: no period found up to heap {checked_to}; {hope}");
        };
        let growth = if saltus > 0 { format!(" and saltus {saltus}") } else { String::new() };
        let after =
            if preperiod > 0 { format!("after {preperiod}") } else { "from heap 0 on".into() };
        let certainty = if proved {
            "proved by the Guy–Smith bound".to_owned()
        } else {
            format!("observed up to heap {checked_to}, not proved")
        };
        format!("{ruleset}: period {period}{growth} {after}, {certainty}")
    }
}

/// The period of the values of heaps, as far as one was found.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Period")]
pub(super) struct JsonPeriod {
    /// The ruleset.
    ruleset: String,
    /// The length of the period; null where none was found.
    period: Option<usize>,
    /// The heap after which the period begins.
    preperiod: Option<usize>,
    /// How much the values grow in each period.
    saltus: Option<u64>,
    /// Whether the period is proved to go on for ever.
    proved: bool,
    /// The largest heap whose value was computed.
    checked_to: usize,
}

impl From<PeriodReport> for JsonPeriod {
    fn from(PeriodReport { ruleset, period, checked_to, .. }: PeriodReport) -> Self {
        Self {
            ruleset,
            period: period.map(|found| found.period),
            preperiod: period.map(|found| found.preperiod),
            saltus: period.map(|found| found.saltus),
            proved: period.is_some_and(|found| found.proved),
            checked_to,
        }
    }
}
