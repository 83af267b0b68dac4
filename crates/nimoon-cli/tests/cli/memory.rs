//! What is held is bounded by --memory, also by readers, forms and loopy games.

use crate::program::{run, words};

#[test]
fn readers_forms_and_loopy_games_are_bounded_by_memory() {
    for (line, memory) in [
        ("label zones.game", "50"),
        ("sum zones.game z", "50"),
        ("label formats/trap.dot", "50"),
        ("label formats/trap.json", "50"),
        ("label formats/trap.edges", "50"),
        ("label formats/trap.aut", "50"),
        ("label formats/trap.pg", "50"),
        ("remoteness endings.json", "50"),
        ("loopy carousel.json", "50"),
        ("affine {70|-30}+{50|{1|-4}}", "4K"),
        ("affine --of nim:9", "1K"),
        ("loopy {30|-20}+{9|-7}+^[on]", "1K"),
        ("compare {30|-20} {9|over}", "1K"),
        ("ordinal w^w+w^5+w^3+w", "200"),
        ("ordinal (w+1)^40", "1K"),
        ("ordinal nim(w^2,w+5)", "100"),
    ] {
        let within = |memory: &str| run(&words(&format!("{line} --memory {memory}")));
        let told = within(memory);
        assert_eq!((told.code, told.error_lines()), (Some(3), 1), "{line}: {}", told.stderr);
        assert!(told.stderr.contains("raise it by --memory"), "{line}: {}", told.stderr);
        let enough = within("1G");
        assert_eq!(enough.code, Some(0), "{line}: {}", enough.stderr);
    }
}

#[test]
fn a_script_ends_in_the_middle_of_a_call() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = folder.path().join("slow.rhai");
    let slow = "fn options(p) { let n = 0; while n < 1000000 { n += 1; } [p + 1] }";
    std::fs::write(&rules, slow).expect("it is written");
    let rules = rules.to_str().expect("it is text");
    let told = run(&["value", "slow:1", "--rules", rules, "--time", "0.3"]);
    assert_eq!((told.code, told.error_lines()), (Some(3), 1), "{}", told.stderr);
    assert!(told.stderr.contains("raise it by --time"), "{}", told.stderr);
}
