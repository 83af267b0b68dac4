use super::*;

fn error(text: &str) -> (usize, String) {
    match Expression::read(text, &mut NoLibrary) {
        Err(ExpressionError::Text { at, message }) => (at, message),
        Err(error) => (usize::MAX, error.to_string()),
        Ok(_) => panic!("`{text}` was read"),
    }
}

#[test]
fn terms_are_joined_where_a_ruleset_follows() {
    let all = |text| ends(text).collect::<Vec<_>>();
    assert_eq!(all("nim:3+nim:4"), [5, 11]);
    assert_eq!(all("slide[-2,+1;20]:7 + nim:1"), [18, 25]);
    assert_eq!(all("nimstring:+--+ +\n|"), [18]);
    assert_eq!(all("digraph[a+b:c]:x"), [16]);
}

#[test]
fn a_misspelt_ruleset_gets_the_nearest_name() {
    assert_eq!(error("nym:3"), (0, "unknown ruleset `nym`; did you mean `nim`?".into()));
    assert!(error("draughts:3").1.contains("nimoon rulesets"));
    assert_eq!(error("nim:2 + nmi:3").0, 8);
}

#[test]
fn an_error_in_a_position_is_counted_from_the_start_of_the_expression() {
    assert_eq!(error("nim:3 +  nim: 1x").0, 15);
    assert_eq!(error("nim").0, 3);
    assert_eq!(error(" ").0, 0);
    assert_eq!(error("nim[3]:4").0, 4);
    assert_eq!(error("nim[3:4").0, 3);
}

#[test]
fn spaces_are_free_but_not_within_names_and_numbers() {
    let same = [
        ("subtraction[1, 3, 4]:10", "subtraction[1,3,4]:10"),
        ("slide[ -2 , -3 , +1 ; 20 ]:7", "slide[-2,-3,+1;20]:7"),
        ("wythoff:3 , 5", "wythoff:3,5"),
        ("kayles:3, 4", "kayles:3,4"),
        ("kayles:3,\n\t4", "kayles:3,4"),
        ("top-entails: ! 3 , 4", "top-entails:!3,4"),
        ("green-lime:0-1g, 1-2l", "green-lime:0-1g,1-2l"),
        ("green-lime:g g l", "green-lime:ggl"),
        ("green-hackenbush:0 - 1 , 1 - 2", "green-hackenbush:0-1,1-2"),
        ("coins: a-b, b-c", "coins:a-b,b-c"),
        ("lights:2b 3s", "lights:2b3s"),
        ("nimstring:1 x 2", "nimstring:1x2"),
        ("nimstring:1x1 / 10 / 01", "nimstring:1x1/10/01"),
        ("octal[ 0.77 ]: 3 , 4 + nim : 3", "octal[0.77]:3,4 + nim:3"),
    ];
    let written = |text: &str| {
        let read = Expression::read(text, &mut NoLibrary);
        let read = read.unwrap_or_else(|error| panic!("{text}: {error:?}"));
        let (field, position) = read.terms[0];
        let field = &read.fields[field as usize];
        format!("{}:{}", field.name(), field.text(position))
    };
    for (spaced, dense) in same {
        assert_eq!(written(spaced), written(dense), "{spaced}");
    }
    assert_eq!(error("nim:1 2"), (6, "expected the end, found `2`".into()));
    assert_eq!(error("coins:a b-c"), (8, "expected `-`, found `b`".into()));
    assert_eq!(error("octal[0.7 7]:3").0, 10);
    assert_eq!(error("wythoff:3 ,  x").0, 13);
    assert_eq!(error("subtraction[1,  0]:3").0, 16);
    assert_eq!(error("nim:3 \n nim:4"), (6, "expected the end, found the end of the line".into()));
    assert_eq!(error("nim:\u{7}"), (4, "expected the size of a heap, found U+0007".to_owned()));
    let picture = "nimstring:+--+  +\n|  |   \n+--+--+";
    assert_eq!(written(picture), "nimstring:1x2/1011/110");
}

#[test]
fn a_position_that_is_missing_is_missed_where_it_should_stand() {
    let after = "expected a position after the `+`, as in `nim:3 + nim:5`";
    let before = "expected a position before the `+`, as in `nim:3 + nim:5`";
    for (text, at, message) in [
        ("+", 0, before),
        ("  + ", 2, before),
        ("+ nim:5", 0, before),
        ("++nim:5", 0, before),
        ("nim:5 +", 7, after),
        ("nim:5 + ", 7, after),
        ("nim:5+", 6, after),
        ("nim:5 + + nim:3", 7, after),
        ("nim:3 + kayles:4, 5 +", 21, after),
    ] {
        assert_eq!(error(text), (at, message.into()), "{text}");
    }
    assert!(error("nim:3 + 5").1.contains("the ruleset is named again"));
}

#[test]
fn a_file_without_a_name_is_asked_for() {
    for (text, at) in [("digraph[]:9", 8), ("ladders[ ]:9", 9)] {
        let (found, message) = error(text);
        assert_eq!(found, at, "{text}");
        assert!(message.starts_with("expected the name of a file"), "{message}");
    }
}

#[test]
fn names_are_suggested_whatever_their_case_and_by_a_part_of_them() {
    for (asked, meant) in [
        ("KAYLS", "kayles"),
        ("Kayls", "kayles"),
        ("dawson", "dawsons-chess"),
        ("hackenbush", "green-hackenbush"),
    ] {
        let (_, message) = error(&format!("{asked}:5"));
        assert!(message.ends_with(&format!("did you mean `{meant}`?")), "{message}");
    }
}

#[test]
fn ordinal_sums_take_any_two_rulesets() {
    let read = Expression::read("ordinal[ nim |octal[0.77]]:2 | 5", &mut NoLibrary).unwrap();
    assert_eq!(read.fields[0].name(), "ordinal[nim | octal[0.77]]");
    assert_eq!(read.fields[0].text(read.terms[0].1), "2 | 5");
    let deep = "ordinal[nim | ordinal[nim | kayles]]:1 | (2 | 3)";
    assert!(Expression::read(deep, &mut NoLibrary).is_ok());
    assert_eq!(error("ordinal[nim | nym]:1 | 2").0, 14);
    assert_eq!(error("ordinal[nim]:1 | 2").0, 11);
    assert_eq!(error("ordinal[nim | kayles]:1 | x").0, 26);
    assert_eq!(error("ordinal[octal[0.88] | nim]:1 | 2").0, 16);
}
