//! Checkpoints of a cluster, which only a run reads: a damaged one is rejected or ignored, and a
//! forged one does no harm.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use nimoon::smith::remoteness::Play;
use nimoon::{Theory, Work};
use nimoon_cluster::{
    Activity, Checkpoints, ClusterError, End, Every, Input, Plan, Question, label,
};
use tempfile::TempDir;

use super::files::damaged;
use crate::bytes::Bytes;

/// The files of a folder.
type Files = BTreeMap<String, Vec<u8>>;

/// A question with its answer, and with the checkpoints at several moments.
struct Case {
    plan: Plan,
    answer: Files,
    kept: Vec<Files>,
}

/// White and gray nodes on and before a cycle, and without one.
const CYCLIC: &str = "a b\nb a\nb c\nc g\ngray g\ng d\nd e\nb d\ne a\nf\n";
const ACYCLIC: &str = "a b\na g\ngray g\ng c\nb c\nd a\n";

/// A folder in memory if possible, since each input is written to it.
pub(super) fn folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    folder.expect("there is room for a folder")
}

fn contents(folder: &Path) -> Files {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let file = |path: &Path| Some((path.file_name()?.to_str()?.to_owned(), fs::read(path).ok()?));
    entries.filter_map(|entry| file(&entry.path())).collect()
}

fn cases() -> &'static [Case] {
    static CASES: OnceLock<(Vec<Case>, TempDir)> = OnceLock::new();
    let (case, _) = CASES.get_or_init(|| {
        let place = folder();
        let edges = |name: &str, text: &str| {
            let path = place.path().join(name);
            fs::write(&path, text).expect("there is room for a file");
            Input::Files { paths: vec![path], local: false }
        };
        let (cyclic, acyclic) = (edges("cyclic.edges", CYCLIC), edges("acyclic.edges", ACYCLIC));
        let questions = [
            (cyclic.clone(), Question::Label(None)),
            (acyclic, Question::Label(None)),
            (cyclic.clone(), Question::Label(Some(Theory::General))),
            (cyclic, Question::Remoteness(Play::Normal)),
            (Input::Expression("kayles:5".to_owned()), Question::Label(None)),
        ];
        (questions.into_iter().map(|(input, question)| kept(input, question)).collect(), place)
    });
    case
}

/// Runs a question to its end, and once more up to each checkpoint.
fn kept(input: Input, question: Question) -> Case {
    const MOST: u64 = 16;
    let mut plan = Plan::new(input, "");
    plan.question = question;
    plan.shards = 4;
    plan.piece = 8;
    let place = folder();
    plan.out = place.path().join("out");
    label(&plan, Arc::new(|_| {})).expect("it is labelled");
    let answer = contents(&plan.out);
    let interrupted = |after: u64| {
        let kept = folder();
        let stop = Arc::new(AtomicBool::new(false));
        let mut plan = plan.clone();
        plan.workers = 2;
        plan.work = Work::default().until(Arc::clone(&stop));
        plan.checkpoints =
            Some(Checkpoints { folder: kept.path().to_owned(), every: Every::Supersteps(1) });
        let watch = move |progress: nimoon_cluster::Progress| {
            if matches!(progress.stage, Activity::Kept { serial } if serial >= after) {
                stop.store(true, Ordering::Relaxed);
            }
        };
        label(&plan, Arc::new(watch)).is_err().then(|| contents(kept.path()))
    };
    let kept = (1..MOST).map_while(interrupted).filter(|files| !files.is_empty()).collect();
    Case { plan, answer, kept }
}

/// Resumes from checkpoints.
fn resumed(case: &Case, kept: &Files, workers: usize) -> Result<Files, ClusterError> {
    let place = folder();
    let [out, parts] = ["out", "kept"].map(|name| place.path().join(name));
    fs::create_dir(&parts).expect("there is room for a folder");
    for (name, file) in kept {
        fs::write(parts.join(name), file).expect("there is room for a file");
    }
    let mut plan = case.plan.clone();
    plan.workers = workers;
    plan.out = out;
    plan.checkpoints = Some(Checkpoints { folder: parts, every: Every::Supersteps(1000) });
    label(&plan, Arc::new(|_| {})).map(|_| contents(&plan.out))
}

/// The place where the words of a part begin.
fn after_head(file: &[u8]) -> usize {
    file.iter().position(|&byte| byte == b'\n').map_or(file.len(), |end| end + 1)
}

/// The same part with an end that fits, computed by the checksum of parts.
fn sealed(mut file: Vec<u8>) -> Vec<u8> {
    const END: usize = 16;
    let mix = |mut bits: u64| {
        bits = (bits ^ (bits >> 33)).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
        bits = (bits ^ (bits >> 33)).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
        bits ^ (bits >> 33)
    };
    let start = after_head(&file);
    let words = (file.len() - start).saturating_sub(END) / 4;
    file.truncate(start + 4 * words);
    let mut sum = 0x9E37_79B9_7F4A_7C15 ^ start as u64;
    for chunk in file[..start].chunks(8) {
        let mut eight = [0; 8];
        eight[..chunk.len()].copy_from_slice(chunk);
        sum = mix(sum ^ u64::from_le_bytes(eight));
    }
    sum = mix(sum);
    for four in file[start..].as_chunks().0 {
        let word = u64::from(u32::from_le_bytes(*four));
        sum = (sum ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23);
    }
    file.extend((words as u64).to_le_bytes());
    file.extend(sum.to_le_bytes());
    file
}

/// A run that resumes from a damaged part gives the right answer or an error that names the part; a
/// part with an end that fits gives some answer.
pub(super) fn part(bytes: &mut Bytes<'_>) {
    let what = usize::from(bytes.byte());
    let workers = 1 + what / 8 % 2;
    let case = &cases()[bytes.below(cases().len())];
    let moment = bytes.below(case.kept.len());
    let mut kept = case.kept[moment].clone();
    let number = bytes.below(kept.len());
    let (name, file) = kept.iter_mut().nth(number).expect("there is a part");
    let name = name.clone();
    let changed = match what % 6 {
        0 => bytes.rest().to_vec(),
        1 => [&file[..after_head(file)], bytes.rest()].concat(),
        2 | 3 => damaged(file, bytes),
        4 => sealed(damaged(file, bytes)),
        // A part of another moment, of this worker or of another one.
        _ => {
            let others = &case.kept[bytes.below(case.kept.len())];
            others.values().nth(bytes.below(others.len())).cloned().unwrap_or_default()
        }
    };
    *file = changed;
    // After a valid head the fuzzer may find words that fit.
    let forged = matches!(what % 6, 1 | 4);
    match resumed(case, &kept, workers) {
        Ok(answer) => assert!(forged || answer == case.answer, "{name} was accepted"),
        Err(error) => {
            let message = error.to_string();
            let refused = error.end() == End::Input && message.contains("checkpoint");
            assert!(refused || forged && error.end() != End::Other, "{name}: {message}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checkpoints_of_every_kind_are_resumed() {
        let mut kinds: Vec<&str> = Vec::new();
        for case in cases() {
            for kept in &case.kept {
                kinds.extend(kept.keys().filter_map(|name| Some(name.split_once('-')?.0)));
                assert!(kept.values().all(|file| sealed(file.clone()) == *file));
                assert_eq!(resumed(case, kept, 1).unwrap(), case.answer);
            }
        }
        kinds.sort_unstable();
        kinds.dedup();
        assert_eq!(kinds, ["building", "digraph", "heaps", "levels", "rounds", "settled"]);
    }
}
