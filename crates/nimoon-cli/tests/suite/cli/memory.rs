//! What is held is bounded by --memory, also by readers, forms and loopy games.

use crate::cli::program::{run, run_on, words};

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
        let reply = within(memory);
        assert_eq!((reply.code, reply.error_lines()), (Some(3), 1), "{line}: {}", reply.stderr);
        assert!(reply.stderr.contains("raise it with --memory"), "{line}: {}", reply.stderr);
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
    let reply = run(&["value", "slow:1", "--rules", rules, "--time", "0.3"]);
    assert_eq!((reply.code, reply.error_lines()), (Some(3), 1), "{}", reply.stderr);
    assert!(reply.stderr.contains("raise it with --time"), "{}", reply.stderr);
}

#[test]
fn a_sum_of_very_many_components_is_read_as_far_as_memory_and_time_go() {
    let sum = vec!["nim:3"; 200_000].join("+");
    for (limit, name) in [("--memory 16M", "--memory"), ("--time 0", "--time")] {
        let reply = run_on(sum.as_str(), &words(&format!("value - --format json {limit}")));
        assert_eq!((reply.code, reply.error_lines()), (Some(3), 1), "{limit}: {}", reply.stderr);
        assert!(reply.stderr.contains(name), "{limit}: {}", reply.stderr);
        assert!(reply.stdout.starts_with("{\"components\":[]"), "{limit}: {}", reply.stdout);
    }
    let reply = run_on(sum.as_str(), &words("value - --format json --memory 1G"));
    assert!(reply.answer().contains("\"outcome\":\"P\""));
}

#[test]
fn a_sum_of_positions_that_a_script_reads_for_long_ends_with_the_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = folder.path().join("slow.rhai");
    let slow = "fn options(n) { [] }
                fn read(text) { let s = 0; for i in 0..300000 { s += i; } parse_int(text) }";
    std::fs::write(&rules, slow).expect("it is written");
    let rules = rules.to_str().expect("it is text");
    let sum: Vec<String> = (0..3000).map(|i| format!("slow:{i}")).collect();
    let begin = std::time::Instant::now();
    let reply = run_on(sum.join("+"), &["value", "-", "--rules", rules, "--time", "1"]);
    assert_eq!((reply.code, reply.error_lines()), (Some(3), 1), "{}", reply.stderr);
    assert!(reply.stderr.contains("components of the sum were read"), "{}", reply.stderr);
    // All of them take many minutes.
    assert!(begin.elapsed().as_secs() < 60);
}
