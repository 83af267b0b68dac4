//! The machine of the measurements, and medians of times.

use std::fs;

/// The processor, the number of processors and the memory, as far as the system reports them.
pub(crate) fn description() -> String {
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let meminfo = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let model = field(&cpuinfo, "model name").unwrap_or("unknown processor");
    let count = std::thread::available_parallelism().map_or(1, usize::from);
    let memory = field(&meminfo, "MemTotal")
        .and_then(|text| text.strip_suffix(" kB")?.parse::<u64>().ok())
        .map_or_else(String::new, |kb| format!(", {} GB memory", kb.div_ceil(1 << 20)));
    format!(
        "machine: {model} ({count} processors{memory}), {} {}",
        std::env::consts::OS,
        std::env::consts::ARCH
    )
}

/// The first value of a key in lines `key : value`.
fn field<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.trim() == key)
        .map(|(_, value)| value.trim())
}

/// The middle one of some measurements, the upper of the two middle ones if their number is
/// even; not a number if there are none.
pub(crate) fn median(mut measurements: Vec<f64>) -> f64 {
    measurements.sort_by(f64::total_cmp);
    measurements.get(measurements.len() / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_found_by_its_whole_name() {
        let text = "model\t: 1\nmodel name\t: Some CPU: fast\nmodel name\t: other\n";
        assert_eq!(field(text, "model name"), Some("Some CPU: fast"));
        assert_eq!(field(text, "cores"), None);
    }

    #[test]
    fn the_median_does_not_depend_on_the_order() {
        for order in [[1.0, 2.0, 9.0], [9.0, 1.0, 2.0], [2.0, 9.0, 1.0]] {
            assert!((median(order.to_vec()) - 2.0).abs() < 1e-12);
        }
        assert!(median(vec![]).is_nan());
    }
}
