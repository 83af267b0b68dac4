//! What each task consists of.

/// The program that a step runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tool {
    /// `cargo`.
    Cargo,
    /// The program `nimoon`, built in release mode.
    Nimoon,
    /// The shell, for a script that gets what it needs from outside of Rust. It ends with
    /// [`SKIPPED`] where it cannot, see `xtask/scripts/needs.sh`.
    Script,
    /// The same, for what is told of the world and not of the change at hand: it may be skipped also
    /// where changes are judged.
    Outlook,
}

/// How a script ends that lacks what it needs and could not install it: it has neither passed nor
/// failed. The same number as in automake.
pub(crate) const SKIPPED: i32 = 77;

/// The environment variable with the file into which such a script writes the reason.
pub(crate) const REASON: &str = "XTASK_REASON";

/// One command of a task.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// What it is called when it starts, ends or fails.
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

/// The steps of `cargo xtask test`, quick ones first.
pub(crate) const TEST: &[Step] = &[
    Step::cargo("format", &["fmt", "--all", "--check"]),
    Step::cargo("lints", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]),
    Step {
        environment: &[("RUSTDOCFLAGS", "-D warnings")],
        ..Step::cargo("documentation", &["doc", "--workspace", "--no-deps"])
    },
    Step::cargo("tests", &["test", "--workspace"]),
    Step::script("oldest Rust", &["xtask/scripts/oldest-rust.sh"]),
    Step { tool: Tool::Outlook, ..Step::script("advisories", &["xtask/scripts/advisories.sh"]) },
    Step::script("page in a browser", &["crates/nimoon-web/tests/browser/run.sh"]),
    Step::script("Python package", &["crates/nimoon-py/tests/run.sh"]),
    // The same inputs each time, so that a change is judged by what it changes.
    Step::script("fuzzing", &["fuzz/run.sh", "--seed", "1"]),
    // Through the program in release mode: that it starts, then audits, which set theory against
    // brute force on more digraphs than a debug build gets through.
    Step::nimoon("release build", &["--version"]),
    Step::nimoon("audit of all digraphs of three nodes", &["audit", "--exhaustive", "3"]),
    Step::nimoon(
        "audit of all carry-on digraphs of four nodes",
        &["audit", "--exhaustive", "4", "--theory", "carry-on"],
    ),
    Step::nimoon("audit of random digraphs", &["audit", "--random", "20000"]),
];

/// The steps of `cargo xtask bench`; its arguments go to the last.
pub(crate) const BENCH: &[Step] = &[
    Step::cargo("release build", &["build", "--release", "--package", "nimoon-cli"]),
    Step::cargo("benches", &["run", "--release", "--quiet", "--package", "nimoon-benches", "--"]),
];

const BUILD: [Step; 4] = [
    Step::cargo("program", &["build", "--release", "--locked", "--package", "nimoon-cli"]),
    Step {
        environment: &[("RUSTDOCFLAGS", "-D warnings")],
        ..Step::cargo("documentation", &["doc", "--workspace", "--no-deps", "--locked"])
    },
    // Each is unpacked and compiled against the others as they were packed. What it is given is
    // committed, or it is a rehearsal: the first step sees to that.
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

/// The steps of `cargo xtask fuzz`; its arguments go to the last.
pub(crate) const FUZZ: &[Step] = &[Step::script("fuzzing", &["fuzz/run.sh"])];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_steps_of_a_task_share_a_name() {
        for steps in [TEST, BENCH, FUZZ, RELEASE, REHEARSAL] {
            let mut names: Vec<_> = steps.iter().map(|step| step.name).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), steps.len());
        }
    }

    #[test]
    fn only_what_is_told_of_the_world_may_be_skipped_where_changes_are_judged() {
        for steps in [TEST, BENCH, FUZZ, RELEASE, REHEARSAL] {
            for step in steps {
                assert_eq!(step.tool == Tool::Outlook, step.name == "advisories", "{}", step.name);
            }
        }
    }
}
