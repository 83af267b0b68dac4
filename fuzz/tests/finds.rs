//! Every input that the fuzzer ever found, and every seed, as an ordinary test.

use std::fs;
use std::path::Path;

use nimoon_fuzz::{Target, dictionary, seeds};

#[test]
fn earlier_finds_stay_fixed() {
    let finds = Path::new(env!("CARGO_MANIFEST_DIR")).join("finds");
    let folders = fs::read_dir(finds).unwrap().map(|entry| entry.unwrap().path());
    for folder in folders.filter(|path| path.is_dir()) {
        let name = folder.file_name().unwrap().to_str().unwrap();
        let target = Target::find(name).unwrap_or_else(|| panic!("unknown target `{name}`"));
        for file in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            eprintln!("{}", file.display());
            (target.run)(&fs::read(&file).unwrap());
        }
    }
}

#[test]
fn every_target_takes_its_seeds() {
    for target in Target::ALL {
        let seeds = seeds(target.name);
        assert!(!seeds.is_empty(), "{} has no seeds", target.name);
        for seed in seeds {
            (target.run)(&seed);
        }
        (target.run)(b"");
    }
}

#[test]
fn dictionaries_are_in_one_line_for_each_word() {
    for target in Target::ALL {
        for line in dictionary(target.name).lines() {
            assert!(line.len() > 2 && line.starts_with('"') && line.ends_with('"'), "{line}");
        }
    }
}

#[test]
fn no_two_targets_share_a_name() {
    let mut names: Vec<_> = Target::ALL.iter().map(|target| target.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Target::ALL.len());
}
