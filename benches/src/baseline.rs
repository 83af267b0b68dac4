//! Compares the program `nimoon` with the baseline `sfp`, both as child processes on the same
//! files.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use thiserror::Error;

use crate::answer::{self, AnswerError, Entry};
use crate::machine::median;

/// A family of random digraphs that the baseline can write.
pub(crate) struct Family {
    pub(crate) name: &'static str,
    kind: &'static str,
    /// How often an arc of a `mix` may lead to any node, not only to a smaller one.
    back: &'static str,
}

pub(crate) const FAMILIES: [Family; 3] = [
    Family { name: "uni", kind: "uni", back: "0" },
    Family { name: "mix 0", kind: "mix", back: "0" },
    Family { name: "mix 0.02", kind: "mix", back: "0.02" },
];

/// The baseline keeps exits in the 64 bits of a word.
const LIMIT_OF_BASELINE: u64 = 64;

/// Why the comparison stopped.
#[derive(Debug, Error)]
pub(crate) enum BaselineError {
    #[error("no compiler was found ({0}); install `cc` and `c++` to build the baselines")]
    NoCompiler(io::Error),
    #[error("the compiler could not build {path}:\n{message}", path = path.display())]
    Compile { path: PathBuf, message: String },
    #[error(
        "{path} could not be started ({error}); `cargo build --profile dist --package nimoon-cli` \
         builds it",
        path = path.display()
    )]
    NotStarted { path: PathBuf, error: io::Error },
    #[error("`{command}` failed ({status}): {message}")]
    Failed { command: String, status: String, message: String },
    #[error("{path}: {error}", path = path.display())]
    File { path: PathBuf, error: io::Error },
    #[error("the output of {program} on {path} is not as expected: {error}", path = path.display())]
    Output { program: &'static str, path: PathBuf, error: AnswerError },
    #[error("WRONG ANSWER on {path}: {what}", path = path.display())]
    Wrong { path: PathBuf, what: String },
}

/// Compiles a baseline of that name into a folder beside this program, and returns its path.
pub(crate) fn compile(name: &str) -> Result<PathBuf, BaselineError> {
    let this = std::env::current_exe()
        .map_err(|error| BaselineError::File { path: PathBuf::from("bench"), error })?;
    let folder = this.parent().unwrap_or(Path::new(".")).join("bench-inputs");
    std::fs::create_dir_all(&folder)
        .map_err(|error| BaselineError::File { path: folder.clone(), error })?;
    let folder_of_sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("baseline");
    let (compiler, source) = match folder_of_sources.join(format!("{name}.cpp")) {
        source if source.exists() => ("c++", source),
        _ => ("cc", folder_of_sources.join(format!("{name}.c"))),
    };
    let program = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let output = Command::new(compiler)
        .args(["-O3", "-march=native", "-o"])
        .args([&program, &source])
        .output()
        .map_err(BaselineError::NoCompiler)?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(BaselineError::Compile { path: source, message });
    }
    Ok(program)
}

/// The paths of the two programs and their inputs.
pub(crate) struct TestBed {
    folder: PathBuf,
    baseline: PathBuf,
    program: PathBuf,
}

impl TestBed {
    /// Compiles the baseline into the target folder.
    pub(crate) fn new() -> Result<Self, BaselineError> {
        let baseline = compile("sfp")?;
        let folder = baseline.parent().unwrap_or(Path::new(".")).to_owned();
        // Cargo puts both programs into one folder, and the baseline is in a folder in it.
        let beside = folder.parent().unwrap_or(Path::new("."));
        let program = beside.join(format!("nimoon{}", std::env::consts::EXE_SUFFIX));
        Ok(Self { folder, baseline, program })
    }

    /// Writes a random digraph.
    pub(crate) fn generate(
        &self,
        family: &Family,
        nodes: u32,
        arcs: u32,
        seed: u64,
    ) -> Result<PathBuf, BaselineError> {
        let Family { kind, back, .. } = family;
        let path = self.folder.join(format!("{kind}-{back}-{nodes}-{arcs}-{seed}.edges"));
        let mut command = Command::new(&self.baseline);
        command
            .args(["gen", kind, &nodes.to_string(), &arcs.to_string(), &seed.to_string(), back])
            .arg(&path);
        output(command)?;
        Ok(path)
    }

    pub(crate) fn run_baseline(&self, path: &Path, print: bool) -> Result<String, BaselineError> {
        let mut command = Command::new(&self.baseline);
        command.arg("edges").arg(path);
        if print {
            command.arg("-p");
        }
        output(command)
    }

    /// The program `nimoon`.
    pub(crate) fn program(&self) -> Command {
        Command::new(&self.program)
    }

    pub(crate) fn run_program(
        &self,
        path: &Path,
        arguments: &[&str],
    ) -> Result<String, BaselineError> {
        let mut command = Command::new(&self.program);
        command.arg("label").arg(path).args(["--input", "edges"]).args(arguments);
        output(command)
    }

    /// Runs both programs in turn.
    ///
    /// At least on Linux, a process begins with the peak memory of its parent. So the measurement
    /// is right only while this process is smaller than its children.
    fn measure(&self, path: &Path, rounds: usize) -> Result<Measurements, BaselineError> {
        let unread =
            |program| move |error| BaselineError::Output { program, path: path.to_owned(), error };
        let mut infinite = 0.0;
        let mut all: [Vec<f64>; 6] = Default::default();
        for _ in 0..rounds {
            let theirs = self.run_baseline(path, false)?;
            let [their_time, their_memory, count] =
                answer::read_numbers(&theirs, ["total_s", "rss_mb", "infinite"])
                    .map_err(unread("sfp"))?;
            infinite = count;
            let mut numbers = vec![their_time, their_memory];
            for threads in ["1", "2"] {
                let arguments = ["--format", "none", "--timing", "json", "--threads", threads];
                let ours = self.run_program(path, &arguments)?;
                let ours = answer::read_numbers(&ours, ["label_s", "peak_rss_mb"]);
                numbers.extend(ours.map_err(unread("nimoon"))?);
            }
            for (list, one) in all.iter_mut().zip(numbers) {
                list.push(one);
            }
        }
        let [their_time, their_memory, one_time, one_memory, two_time, two_memory] =
            all.map(median);
        let sfp = Measured { time: their_time, memory: their_memory };
        let one = Measured { time: one_time, memory: one_memory };
        let two = Measured { time: two_time, memory: two_memory };
        Ok(Measurements { sfp, one, two, infinite })
    }

    /// Compares the labels of every node, and returns how many are infinite and the largest
    /// nimber.
    fn compare(&self, path: &Path) -> Result<Compared, BaselineError> {
        let unread =
            |program| move |error| BaselineError::Output { program, path: path.to_owned(), error };
        let theirs = answer::read_baseline(&self.run_baseline(path, true)?);
        let theirs = theirs.map_err(unread("sfp"))?;
        let ours = self.run_program(path, &["--format", "csv", "--threads", "1"])?;
        if ours != self.run_program(path, &["--format", "csv", "--threads", "2"])? {
            let what = "nimoon prints other labels with two threads".to_owned();
            return Err(BaselineError::Wrong { path: path.to_owned(), what });
        }
        let ours = answer::read_csv(&ours).map_err(unread("nimoon"))?;
        let edges = std::fs::read_to_string(path)
            .map_err(|error| BaselineError::File { path: path.to_owned(), error })?;
        let nodes = answer::read_nodes(&edges).map_err(unread("sfp gen"))?;

        let wrong = |what| BaselineError::Wrong { path: path.to_owned(), what };
        if ours.len() != nodes.len() {
            return Err(wrong(format!("{} nodes, but {} labels", nodes.len(), ours.len())));
        }
        let mut compared = Compared { nodes: nodes.len(), infinite: 0, largest: 0 };
        for node in nodes {
            // Nodes without arcs, which only the baseline labels, are skipped.
            let (their, our) = (theirs.get(node as usize), ours.get(&node));
            let (Some(their), Some(our)) = (their, our) else {
                return Err(wrong(format!("node {node} has no label")));
            };
            if their != our {
                return Err(wrong(format!("node {node} is {their} for sfp, {our} for nimoon")));
            }
            match our {
                Entry::Finite(n) => compared.largest = compared.largest.max(*n),
                Entry::Infinite(_) => compared.infinite += 1,
            }
        }
        if compared.largest >= LIMIT_OF_BASELINE {
            return Err(wrong(format!("{} is beyond what sfp can print", compared.largest)));
        }
        Ok(compared)
    }
}

/// Medians of seconds and of megabytes.
#[derive(Clone, Copy)]
struct Measured {
    time: f64,
    memory: f64,
}

/// The measurements of a digraph: the baseline, and nimoon with one thread and with two.
struct Measurements {
    sfp: Measured,
    one: Measured,
    two: Measured,
    /// The number of infinite nodes that the baseline reports.
    infinite: f64,
}

/// The common results of two programs.
struct Compared {
    nodes: usize,
    infinite: usize,
    largest: u64,
}

/// The standard output of a command that must succeed.
pub(crate) fn output(mut command: Command) -> Result<String, BaselineError> {
    let result = command.output().map_err(|error| BaselineError::NotStarted {
        path: PathBuf::from(command.get_program()),
        error,
    })?;
    if !result.status.success() {
        return Err(BaselineError::Failed {
            command: format!("{command:?}"),
            status: result.status.to_string(),
            message: String::from_utf8_lossy(&result.stderr).trim().to_owned(),
        });
    }
    Ok(String::from_utf8_lossy(&result.stdout).into_owned())
}

/// Node by node on smaller digraphs of every family and of several densities.
pub(crate) fn answers() -> Result<(), BaselineError> {
    const SIZES: [(u32, u32); 5] =
        [(10, 20), (300, 600), (300, 3_000), (20_000, 80_000), (20_000, 200_000)];
    const SEEDS: u64 = 4;
    let bed = TestBed::new()?;
    println!("answers: every label compared with sfp, {SEEDS} digraphs a row\n");
    println!("| family | nodes | arcs | labels compared | infinite | largest value |");
    println!("|---|---:|---:|---:|---:|---:|");
    for family in &FAMILIES {
        for (nodes, arcs) in SIZES {
            let mut total = Compared { nodes: 0, infinite: 0, largest: 0 };
            for seed in 1..=SEEDS {
                let path = bed.generate(family, nodes, arcs, seed)?;
                let compared = bed.compare(&path)?;
                total.nodes += compared.nodes;
                total.infinite += compared.infinite;
                total.largest = total.largest.max(compared.largest);
            }
            let Compared { nodes: labels, infinite, largest } = total;
            println!("| {} | {nodes} | {arcs} | {labels} | {infinite} | {largest} |", family.name);
        }
    }
    println!("\nno label differs");
    Ok(())
}

/// Time and memory on large digraphs, printed after every label was compared.
pub(crate) fn times(rounds: usize) -> Result<(), BaselineError> {
    const SIZES: [(u32, u32); 2] = [(1_000_000, 4_000_000), (2_500_000, 10_000_000)];
    const SEED: u64 = 1;
    let bed = TestBed::new()?;
    println!(
        "baseline: seed {SEED}; medians of {rounds} alternate runs; labelling with the building of \
         adjacency, reading apart; sfp has one thread\n"
    );
    let mut measured = Vec::new();
    for (nodes, arcs) in SIZES {
        for family in &FAMILIES {
            let path = bed.generate(family, nodes, arcs, SEED)?;
            let measurements = bed.measure(&path, rounds)?;
            measured.push((family.name, arcs, path, measurements));
        }
    }
    // Answers are compared after the last measurement, since the comparison makes this process
    // large.
    println!(
        "| family | arcs | infinite | largest value | sfp s | 1 thread s | ratio | 2 threads s | \
         ratio | 1 by 2 threads | sfp MB | 1 thread MB | ratio | 2 threads MB | ratio |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for (name, arcs, path, measurements) in measured {
        let Compared { infinite, largest, .. } = bed.compare(&path)?;
        if (measurements.infinite - infinite as f64).abs() > 0.5 {
            let what = format!("{} are infinite, {infinite} printed", measurements.infinite);
            return Err(BaselineError::Wrong { path, what });
        }
        let Measurements { sfp, one, two, .. } = measurements;
        println!(
            "| {name} | {arcs} | {infinite} | {largest} | {:.3} | {:.3} | {:.2} | {:.3} | {:.2} | \
             {:.2} | {:.0} | {:.0} | {:.2} | {:.0} | {:.2} |",
            sfp.time,
            one.time,
            one.time / sfp.time,
            two.time,
            two.time / sfp.time,
            one.time / two.time,
            sfp.memory,
            one.memory,
            one.memory / sfp.memory,
            two.memory,
            two.memory / sfp.memory,
        );
        // The files of the larger digraphs take almost a gigabyte.
        std::fs::remove_file(&path).map_err(|error| BaselineError::File { path, error })?;
    }
    println!("\nratios are nimoon by sfp: below 1, nimoon needs less; no label differs");
    Ok(())
}
