//! The steps of each task.

/// The program that a step runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tool {
    /// `cargo`.
    Cargo,
    /// The program `nimoon`, built in release mode.
    Nimoon,
    /// The shell, for a script that installs programs beside Rust. It ends with [`SKIPPED`] if it
    /// cannot, see `xtask/scripts/needs.sh`.
    Script,
    /// The same, for a step that needs the network: it may be skipped even in CI.
    Outlook,
    /// The same, for a task that is nothing without it: it may not be skipped.
    Needed,
}

/// The exit code of a script that lacks a program and could not install it: it has neither passed
/// nor failed. The same number as in automake.
pub(crate) const SKIPPED: i32 = 77;

/// The environment variable with the file into which such a script writes the reason.
pub(crate) const REASON: &str = "XTASK_REASON";

/// One command of a task.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// Its name in messages.
    pub name: &'static str,
    /// The program.
    pub tool: Tool,
    /// Its arguments.
    pub command: &'static [&'static str],
    /// Environment variables that it needs.
    pub environment: &'static [(&'static str, &'static str)],
}

impl Step {
    const fn cargo(name: &'static str, command: &'static [&'static str]) -> Self {
        Self { name, tool: Tool::Cargo, command, environment: &[] }
    }

    const fn script(name: &'static str, command: &'static [&'static str]) -> Self {
        Self { tool: Tool::Script, ..Self::cargo(name, command) }
    }

    const fn nimoon(name: &'static str, command: &'static [&'static str]) -> Self {
        Self { tool: Tool::Nimoon, ..Self::cargo(name, command) }
    }
}

const FORMAT: Step = Step::cargo("format", &["fmt", "--all", "--check"]);

const LINTS: Step =
    Step::cargo("lints", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]);

const DOCUMENTATION: Step = Step {
    environment: &[("RUSTDOCFLAGS", "-D warnings")],
    ..Step::cargo("documentation", &["doc", "--workspace", "--no-deps"])
};

const TESTS: Step = Step::cargo("tests", &["test", "--workspace"]);

const ADVISORIES: Step =
    Step { tool: Tool::Outlook, ..Step::script("advisories", &["xtask/scripts/advisories.sh"]) };

/// Needs the network once.
const SPELLING: Step =
    Step { tool: Tool::Outlook, ..Step::script("spelling", &["xtask/scripts/spelling.sh"]) };

const SET_UP_BROWSER: Step =
    Step::script("set up the browser", &["xtask/scripts/setup.sh", "browser"]);

const SET_UP_PYTHON: Step = Step::script("set up Python", &["xtask/scripts/setup.sh", "python"]);

/// The steps of `cargo xtask check`: what to run after every change.
pub(crate) const CHECK: &[Step] = &[
    FORMAT,
    LINTS,
    Step::cargo(
        "tests of the wording",
        &["test", "--package", "xtask", "--test", "suite", "wording::"],
    ),
    SPELLING,
    Step::cargo("unit tests", &["test", "--workspace", "--lib", "--bins"]),
    Step::cargo("tests of the core", &["test", "--package", "nimoon", "--test", "suite"]),
];

/// The steps of `cargo xtask test`, which must pass before a change is merged; quick ones first.
pub(crate) const TEST: &[Step] = &[
    FORMAT,
    LINTS,
    DOCUMENTATION,
    SPELLING,
    TESTS,
    ADVISORIES,
    SET_UP_BROWSER,
    Step::script(
        "page in a browser, in short",
        &["crates/nimoon-web/tests/browser/run.sh", "short"],
    ),
    SET_UP_PYTHON,
    Step::script("Python package, in short", &["crates/nimoon-py/tests/run.sh", "-m", "not slow"]),
    Step::nimoon("audit of all digraphs of three nodes", &["audit", "--exhaustive", "3"]),
];

/// The steps of `cargo xtask full`: everything.
pub(crate) const FULL: &[Step] = &[
    FORMAT,
    LINTS,
    DOCUMENTATION,
    SPELLING,
    TESTS,
    Step::script("oldest Rust", &["xtask/scripts/oldest-rust.sh"]),
    ADVISORIES,
    SET_UP_BROWSER,
    Step::script("page in a browser", &["crates/nimoon-web/tests/browser/run.sh"]),
    Step::script("page without a server", &["crates/nimoon-web/tests/browser/static.sh"]),
    SET_UP_PYTHON,
    Step::script("OpenAPI document", &["crates/nimoon-web/tests/schema/run.sh"]),
    Step::script("Python package", &["crates/nimoon-py/tests/run.sh"]),
    // The same inputs each time, so that only the change makes a difference.
    Step::script("fuzzing", &["fuzz/run.sh", "--seed", "1"]),
    Step {
        environment: &[("NIMOON_KILLS", "200")],
        ..Step::cargo(
            "kills",
            &["test", "--package", "nimoon-cli", "--test", "suite", "faults::kills"],
        )
    },
    // Audits compare theories with brute force on more digraphs than a debug build can handle.
    Step::nimoon("audit of all digraphs of three nodes", &["audit", "--exhaustive", "3"]),
    Step::nimoon(
        "audit of all carry-on digraphs of four nodes",
        &["audit", "--exhaustive", "4", "--theory", "carry-on"],
    ),
    Step::nimoon("audit of random digraphs", &["audit", "--random", "20000"]),
];

/// The steps of `cargo xtask bench`; its arguments go to the last.
pub(crate) const BENCH: &[Step] = &[
    Step::cargo("program", &["build", "--profile", "dist", "--package", "nimoon-cli"]),
    Step::cargo(
        "benches",
        &["run", "--profile", "dist", "--quiet", "--package", "nimoon-benches", "--"],
    ),
];

const BUILD: [Step; 4] = [
    Step::cargo("program", &["build", "--profile", "dist", "--locked", "--package", "nimoon-cli"]),
    DOCUMENTATION,
    // Each package is unpacked and compiled with the other packages. The first step ensures that
    // everything is committed, or that this is a rehearsal.
    Step::cargo(
        "packages",
        &[
            "package",
            "--workspace",
            "--locked",
            "--allow-dirty",
            "--exclude=xtask",
            "--exclude=nimoon-benches",
            "--exclude=nimoon-fuzz",
            "--exclude=nimoon-py",
        ],
    ),
    Step::script("wheel and checksums", &["xtask/scripts/release.sh", "collect"]),
];

/// The steps of `cargo xtask release`.
pub(crate) const RELEASE: &[Step] = &[
    Step::script("tree and changelog", &["xtask/scripts/release.sh", "check"]),
    BUILD[0],
    BUILD[1],
    BUILD[2],
    BUILD[3],
];

/// The steps of `cargo xtask release rehearse`.
pub(crate) const REHEARSAL: &[Step] = &[
    Step::script("rehearsal", &["xtask/scripts/release.sh", "check", "rehearse"]),
    BUILD[0],
    BUILD[1],
    BUILD[2],
    BUILD[3],
];

/// The steps of `cargo xtask page`.
pub(crate) const PAGE: &[Step] =
    &[Step { tool: Tool::Needed, ..Step::script("page", &["xtask/scripts/page.sh"]) }];

/// The steps of `cargo xtask fuzz`; its arguments go to the last.
pub(crate) const FUZZ: &[Step] = &[Step::script("fuzzing", &["fuzz/run.sh"])];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_steps_of_a_task_share_a_name() {
        for steps in [CHECK, TEST, FULL, BENCH, FUZZ, PAGE, RELEASE, REHEARSAL] {
            let mut names: Vec<_> = steps.iter().map(|step| step.name).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), steps.len());
        }
    }

    #[test]
    fn the_full_test_has_every_step_of_the_shorter_ones() {
        let full: Vec<_> = FULL.iter().map(|step| step.name).collect();
        for step in CHECK.iter().chain(TEST) {
            let whole = step.name.trim_end_matches(", in short");
            let part_of_tests = whole.contains("tests");
            assert!(part_of_tests || full.contains(&whole), "{}", step.name);
        }
    }

    #[test]
    fn only_steps_that_need_the_network_may_be_skipped_in_ci() {
        for steps in [CHECK, TEST, FULL, BENCH, FUZZ, PAGE, RELEASE, REHEARSAL] {
            for step in steps {
                let needs_network = ["advisories", "spelling"].contains(&step.name);
                assert_eq!(step.tool == Tool::Outlook, needs_network, "{}", step.name);
            }
        }
    }
}
