//! More than a thousand malformed inputs, over all readers and commands, each refused in one line.

use std::fs;
use std::io::Write as _;
use std::process::Stdio;
use std::sync::Mutex;

use crate::faults::program::{Random, examples, failed, nimoon};

/// Files of all formats, and the commands that read them from standard input.
const FILES: [(&str, &str); 7] = [
    ("menagerie.game", "game"),
    ("formats/tavern.json", "json"),
    ("formats/tavern.dot", "dot"),
    ("formats/tavern.edges", "edges"),
    ("formats/trap.aut", "aut"),
    ("formats/trap.pg", "pgsolver"),
    ("endings.json", "json"),
];

/// What stands before an expression, and an expression that is right.
///
/// What is right all the same must not take long.
const EXPRESSIONS: [(&[&str], &str); 24] = [
    (&["value", "--budget", "500"], "top-entails:7 + nimstring:1x3"),
    (&["value", "--budget", "500"], "green-lime:0-1g,1-2l,1-3g"),
    (&["value", "--budget", "500"], "slide[-2,-3,+1;20]:7"),
    (&["value", "--budget", "500"], "ordinal[nim | kayles]:2 | 3"),
    (&["value", "--budget", "500"], "backsliding:tt..ff"),
    (&["value", "--budget", "500"], "lights:2b3s"),
    (&["value", "--budget", "500"], "coins:a-b,b-c"),
    (&["value", "--budget", "500"], "subtraction[1,3,4]:10"),
    (&["value", "--budget", "500"], "wythoff:3,5"),
    (&["value", "--budget", "500"], "nimstring:1x1/10/01"),
    (&["table", "--budget", "500", "octal[0.77]"], "0..20"),
    (&["period", "--up-to", "300"], "octal[0.156]"),
    (&["representative"], "moon{0,1}"),
    (&["loopy", "--budget", "5000"], "{0||0|-2}"),
    (&["loopy", "--budget", "5000"], "a{1||a|0}"),
    (&["loopy", "--budget", "5000"], "Tiny(2) + 3*^"),
    (&["compare", "--budget", "5000", "over"], "upon & over"),
    (&["affine"], "{{oo|0},0|{0|-oo},0}"),
    (&["affine"], "moon + {oo|*2}"),
    (&["ordinal"], "nim(w^2, w*3 + 5, 7)"),
    (&["ordinal"], "natural(w^w, 3) < w"),
    (&["unicycle", "--budget", "5000"], "LLRRL"),
    (&["compound", "selective(a,conjunctive(b,c))"], "smith-trap.game"),
    (&["sum", "zones.game", "d"], "e"),
];

/// The same with one thing wrong: something too much, something missing, something else.
fn wrong(good: &[u8], random: &mut Random) -> Vec<u8> {
    const NOISE: &[u8] = b"?;{}[]()|:,\"\\\0\xff\n 9-x";
    let mut bad = good.to_vec();
    let place = random.below(bad.len());
    let noise = NOISE[random.below(NOISE.len())];
    match random.below(4) {
        0 => bad.insert(place, noise),
        1 => bad[place] = noise,
        2 => bad.truncate(place),
        _ => drop(bad.remove(place)),
    }
    bad
}

/// One input for the program.
struct Case {
    arguments: Vec<String>,
    input: Vec<u8>,
}

fn cases() -> Vec<Case> {
    let mut random = Random(2026);
    let mut cases = Vec::new();
    for (file, format) in FILES {
        let good = fs::read(examples().join(file)).expect("the example is there");
        for number in 0..150 {
            let command = if number % 5 == 0 { "remoteness" } else { "label" };
            let arguments = [command, "-", "--input", format].map(str::to_owned).to_vec();
            cases.push(Case { arguments, input: wrong(&good, &mut random) });
        }
    }
    for (before, good) in EXPRESSIONS {
        for _ in 0..50 {
            // Arguments are text, and have no zeros in them.
            let bad = wrong(good.as_bytes(), &mut random);
            let bad = String::from_utf8_lossy(&bad).replace('\0', "?");
            let arguments = before.iter().copied().map(str::to_owned).chain([bad]).collect();
            cases.push(Case { arguments, input: Vec::new() });
        }
    }
    cases
}

/// The exit code; whatever the input was, it is an answer, a refusal in one line, or a file that is
/// not there.
fn run(case: &Case) -> usize {
    let arguments: Vec<&str> = case.arguments.iter().map(String::as_str).collect();
    let mut command = nimoon(&arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    // It may be refused before it was read.
    let _ = stdin.write_all(&case.input);
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    let code = output.status.code().unwrap_or(-1);
    match code {
        0 => assert!(output.stderr.is_empty(), "{arguments:?}"),
        1..=3 => failed(&output, code, &[]),
        _ => panic!("{arguments:?}: {:?}", output.status),
    }
    usize::try_from(code).expect("it is at most three")
}

#[test]
fn a_thousand_malformed_inputs_are_refused_in_one_line() {
    let waiting = Mutex::new(cases());
    let codes = Mutex::new([0_usize; 4]);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let next = waiting.lock().expect("no thread failed").pop();
                    let Some(case) = next else { return };
                    let code = run(&case);
                    codes.lock().expect("no thread failed")[code] += 1;
                }
            });
        }
    });
    let [answered, gone, refused, budget] = codes.into_inner().expect("no thread failed");
    println!(
        "{refused} malformed inputs were refused, {gone} named a file that is not there, {budget} hit a budget, \
         {answered} were right all the same"
    );
    assert!(refused >= 1000, "{refused} are fewer than a thousand");
}
