//! `nimoon period`.

use insta::assert_snapshot;

use crate::cli::bad_input::{failed, refused};
use crate::cli::program::{run, transcript, words};

#[test]
fn a_period_is_a_sentence_that_says_whether_it_is_proved() {
    assert_snapshot!(transcript(&[
        "period kayles",
        "period dawsons-kayles",
        "period dawsons-chess",
        "period octal[0.156]",
        "period subtraction[1,3,4]",
        "period hexadecimal[0.3F] --up-to 500",
        "period grundys-game",
        "period subtraction[1,100000]",
        "period kayles --up-to 100",
    ]));
}

#[test]
fn a_period_is_json_for_scripts() {
    assert_snapshot!(transcript(&[
        "period kayles --format json",
        "period octal[0.156] --format json",
        "period hexadecimal[0.3F] --up-to 500 --format json",
        "period grundys-game --up-to 500 --format json",
        "period octal[.770] --format json",
    ]));
}

#[test]
fn more_heaps_are_visited_only_until_a_period_is_proved() {
    let checked_to = |line: &str| run(&words(line)).json()["checked_to"].clone();
    assert_eq!(checked_to("period grundys-game --format json"), 10_000);
    assert_eq!(checked_to("period hexadecimal[0.3F] --format json"), 2_000);
    assert_eq!(checked_to("period grundys-game --up-to 77 --format json"), 77);
    assert!(checked_to("period kayles --format json").as_u64() < Some(1_000));
}

#[test]
fn what_has_no_period_to_look_for_is_refused_with_what_has() {
    let cases: &[(&[&str], &str)] = &[
        (&["wythoff"], "1:10: expected `,`, found the end"),
        (&["mine"], "unknown ruleset `mine`"),
        (&["kayls"], "1:1: unknown ruleset `kayls`; did you mean `kayles`?"),
        (&["kayles:5"], "1:7: expected a ruleset alone"),
        (&["octal[0.77]:5"], "1:12: expected a ruleset alone"),
        (&["octal[0.77]x"], "1:12: expected the end"),
        (&["octal"], "1:6: `octal` needs an octal code"),
        (&["octal[0.79]"], "1:10: expected a digit from 0 to 7"),
        (&["  octal[ 0.79 ]"], "1:13: expected a digit from 0 to 7"),
        (&["octal[0.77"], "1:6: this bracket is not closed"),
        (&["kayles[3]"], "1:7: `kayles` takes nothing in brackets"),
        (&["subtraction[0]"], "1:13"),
        (&[""], "1:1: expected the name of a ruleset"),
        (&["[]"], "1:1: expected the name of a ruleset"),
        (&["kayles", "--up-to", "99999999999"], "--up-to may be 10000000 at most"),
        (&["hexadecimal[0.3F]", "--up-to", "20001"], "--up-to may be 20000 at most"),
        (&["kayles", "--up-to", "1000000000000000000000000000000"], "invalid value"),
        (&["kayles", "--up-to", "-1"], "invalid value '-1' for '--up-to"),
        (&["kayles", "--format", "csv"], "invalid value 'csv' for '--format"),
        (&[], "required arguments were not provided"),
    ];
    for (arguments, says) in cases {
        refused(&run(&[&["period"], *arguments].concat()), &[says]);
    }
}

#[test]
fn a_budget_counts_heaps() {
    let over = run(&words("period kayles --budget 1"));
    failed(&over, 3, &["the budget of 1 position was hit", "raise it with --budget"]);
    assert!(over.stdout.contains("no period found up to heap 0"), "{}", over.stdout);
    let over = run(&words("period octal[0.106] --up-to 1000000 --budget 100 --format json"));
    failed(&over, 3, &["the budget of 100 positions was hit"]);
    assert!(over.stdout.contains(r#""checked_to":99"#), "{}", over.stdout);
    // As many as are needed are enough, and what is proved is proved.
    assert_eq!(run(&words("period kayles --budget 1000")).code, Some(0));
}
