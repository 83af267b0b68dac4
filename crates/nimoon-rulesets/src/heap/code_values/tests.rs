use std::collections::BTreeSet;

use nimoon::impartial::value::EntailingValue::{self, Nimber};
use proptest::prelude::*;

use super::*;
use crate::heap::Base;
use crate::heap::sequence::tests::{resumes, values};
use crate::heap::splits::Mask;

fn code(text: &str) -> Code {
    Code::read(text, Base::Hexadecimal).unwrap()
}

/// By the recursion alone, with the best cut.
fn recursion(text: &str) -> ByCode {
    ByCode::without_period(code(text), Cut::best(Path::best()))
}

/// The values of a code that leaves at most two heaps, or of Grundy's game for the code 4.0 without
/// equal halves: every pair is marked.
fn plain(code: &Code, equal: bool, last: usize) -> Vec<EntailingValue> {
    let mut nimbers: Vec<usize> = Vec::new();
    let mut marks = vec![usize::MAX; 1 << 14];
    for heap in 0..=last {
        for (taken, digit) in code.digits().iter().enumerate().take(heap + 1) {
            let left = heap - taken;
            if digit & 1 != 0 && left == 0 {
                marks[0] = heap;
            }
            if digit & 2 != 0 && left > 0 {
                marks[nimbers[left]] = heap;
            }
            if digit & 4 != 0 {
                for part in (1..=left / 2).filter(|part| equal || 2 * part != left) {
                    marks[nimbers[part] ^ nimbers[left - part]] = heap;
                }
            }
        }
        nimbers.push(marks.iter().position(|&mark| mark != heap).unwrap());
    }
    nimbers.into_iter().map(|nimber| Nimber(nimber as u64)).collect()
}

/// Cuts that lead through every part of the search.
fn cuts() -> Vec<Cut> {
    let best = Cut::best(Path::best());
    let tiny = Cut { group: 3, batch: 2, sample: 0, tile: 1, searched: 1, threads: false, ..best };
    let mut cuts = vec![best, tiny];
    cuts.push(Cut { batch: 1, sample: 1, tile: 64, ..tiny });
    cuts.push(Cut { cap: 3, ..tiny });
    cuts.push(Cut { mask: Mask::From(0, 0), ..best });
    for mask in [1, 0b101, 0b1111, u32::MAX] {
        cuts.push(Cut { mask: Mask::From(20, mask), ..tiny });
        cuts.push(Cut { mask: Mask::From(50, mask), sample: 0, ..best });
    }
    cuts.extend(Path::ALL.map(|path| Cut { path, ..tiny }));
    cuts
}

#[test]
fn all_octal_codes_with_three_digits_follow_the_definition() {
    for digits in 0..512 {
        let code = code(&format!("0.{digits:03o}"));
        let expected = plain(&code, true, 400);
        assert!(values(ByCode::new(code.clone()), 400) == expected, "{code}");
        let cut = Cut::best(Path::best());
        assert!(values(ByCode::without_period(code.clone(), cut), 400) == expected, "{code}");
    }
    for digits in 0..64 {
        let code = code(&format!("4.{digits:02o}"));
        assert!(values(ByCode::new(code.clone()), 400) == plain(&code, true, 400), "{code}");
    }
}

#[test]
fn values_do_not_depend_on_how_the_work_is_cut() {
    let texts = ["0.77", "0.07", "0.007", "0.6", "0.16", "0.165", "0.4", "4.0", "4.31", "0.70007"];
    for text in texts {
        let code = code(text);
        let expected = plain(&code, true, 500);
        for cut in cuts() {
            let found = values(ByCode::without_period(code.clone(), cut), 500);
            assert!(found == expected, "{text} with {cut:?}");
        }
    }
    let expected = plain(&code("4.0"), false, 700);
    for cut in cuts() {
        assert!(values(ByUnequalParts::new(cut), 700) == expected, "{cut:?}");
    }
}

#[test]
fn sparse_spaces_follow_the_definition_whether_the_mask_is_found_early_late_or_wrong() {
    const LAST: usize = 20_000;
    // 0.6 has a sparse space by 0b1_1110_1110, 0.16 by 0b11110, Grundy's game by 0b1111_1110.
    let good = [("0.6", 0b1_1110_1110), ("0.16", 0b1_1110), ("0.77", 0b1111)];
    for (text, mask) in good {
        let code = code(text);
        let expected = plain(&code, true, LAST);
        for mask in
            [Mask::Best, Mask::From(100, mask), Mask::From(15_000, mask), Mask::From(9_000, 3)]
        {
            let cut = Cut { mask, ..Cut::best(Path::best()) };
            let found = values(ByCode::without_period(code.clone(), cut), LAST);
            assert!(found == expected, "{text} with {mask:?}");
        }
    }
    let expected = plain(&code("4.0"), false, LAST);
    for mask in [Mask::Best, Mask::From(5_000, 0b1111_1110), Mask::From(9_000, 0b1010)] {
        let cut = Cut { mask, ..Cut::best(Path::best()) };
        assert!(values(ByUnequalParts::new(cut), LAST) == expected, "{mask:?}");
    }
}

#[test]
fn threads_change_no_value() {
    const LAST: usize = 24_000;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    for text in ["0.6", "0.106", "0.07"] {
        let alone =
            ByCode::without_period(code(text), Cut { threads: false, ..Cut::best(Path::best()) });
        let alone = values(alone, LAST);
        assert!(pool.install(|| values(recursion(text), LAST)) == alone, "{text}");
    }
}

#[test]
fn a_proved_period_changes_no_value() {
    for text in ["0.77", "0.07", "0.137", "0.156", "0.3", "4.7", "0.27A", "0.20B"] {
        let last = if code(text).most_heaps() > 2 { 300 } else { 10_000 };
        let by_period = values(ByCode::new(code(text)), last);
        assert!(by_period == values(recursion(text), last), "{text}");
    }
    let mut kayles = HeapValues::new(ByCode::new(code("0.77")));
    (0..1_000_000).for_each(|_| _ = kayles.advance());
    assert!(kayles.values()[71..].iter().zip(&kayles.values()[83..]).all(|(a, b)| a == b));
}

#[test]
fn sequences_of_codes_resume_anywhere() {
    resumes(&ByUnequalParts::default(), 60);
    for text in ["0.77", "0.007", "4.31", "0.3F", "8.02"] {
        resumes(&ByCode::new(code(text)), 40);
        resumes(&recursion(text), 40);
    }
    resumes(&ByCode::new(code("0.77")), 180);
    // The totals of a heap lie apart, and groups are small.
    for batch in [1, 2] {
        let cut = Cut { batch, sample: 0, threads: false, ..Cut::best(Path::best()) };
        for text in ["0.77", "0.70007", "4.00707"] {
            resumes(&ByCode::without_period(code(text), cut), 150);
        }
    }
}

#[test]
fn a_sparse_space_resumes_from_values_alone() {
    let whole = values(recursion("0.6"), 9_000);
    for cut in [8_000, 8_999] {
        let mut sequence = HeapValues::new(recursion("0.6"));
        sequence.resume(whole[..cut].to_vec());
        (cut..=9_000).for_each(|_| _ = sequence.advance());
        assert!(sequence.values() == whole);
    }
}

#[test]
fn codes_that_leave_three_heaps_follow_the_definition() {
    for text in ["0.3F", "0.8", "0.08", "8.0", "C.31", "0.F", "0.888", "0.A5"] {
        let code = code(text);
        assert_eq!(values(ByCode::new(code.clone()), 90), by_options(&code, 90), "{text}");
    }
}

#[test]
fn values_of_a_broken_file_cost_no_more_than_their_heaps() {
    // The largest that are taken over; what follows is wrong, but found.
    let given = (0..3_000).map(|heap| Nimber(2 * heap)).collect();
    let mut sequence = HeapValues::new(recursion("0.77"));
    sequence.resume(given);
    (0..50).for_each(|_| _ = sequence.advance());
    assert_eq!(sequence.values().len(), 3_050);
}

fn mex(reached: &BTreeSet<u64>) -> u64 {
    (0..).zip(reached).take_while(|&(number, &reached)| number == reached).count() as u64
}

/// The nimbers of heaps by the meaning of the digits, every option written out.
fn by_options(code: &Code, last: usize) -> Vec<EntailingValue> {
    let mut nimbers: Vec<u64> = Vec::new();
    for heap in 0..=last {
        let mut reached = BTreeSet::new();
        for (taken, digit) in code.digits().iter().enumerate().take(heap + 1) {
            let left = heap - taken;
            // Sizes in any order, empty heaps included; the digit says how many may not be empty.
            for a in 0..=left {
                for b in 0..=left - a {
                    let sizes = [a, b, left - a - b];
                    let count = sizes.iter().filter(|&&size| size > 0).count();
                    if digit >> count & 1 == 1 {
                        reached.insert(sizes.iter().fold(0, |sum, &size| sum ^ nimbers[size]));
                    }
                }
            }
        }
        nimbers.push(mex(&reached));
    }
    nimbers.into_iter().map(Nimber).collect()
}

proptest! {
    #[test]
    fn random_octal_codes_follow_the_definition(
        first in prop::sample::select(vec![0, 4]),
        digits in prop::collection::vec(0u8..8, 1..8),
    ) {
        let text: String = digits.iter().map(u8::to_string).collect();
        let code = Code::read(&format!("{first}.{text}"), Base::Octal).unwrap();
        prop_assert_eq!(values(ByCode::new(code.clone()), 14), by_options(&code, 14));
    }

    #[test]
    fn random_hexadecimal_codes_follow_the_definition(
        first in prop::sample::select(vec!["0", "4", "8", "C"]),
        digits in prop::collection::vec(0u8..16, 1..6),
    ) {
        let text: Vec<_> = digits.iter().map(|digit| format!("{digit:X}")).collect();
        let code = Code::read(&format!("{first}.{}", text.concat()), Base::Hexadecimal).unwrap();
        prop_assert_eq!(values(ByCode::new(code.clone()), 20), by_options(&code, 20));
    }
}

/// The work of a process that chooses its instructions, which holds for the whole process.
const INSISTING: &str = "NIMOON_INSIST_ON_PORTABLE";

/// Not a test of its own, but for the instructions that are chosen without insisting: what the
/// other process does.
#[test]
fn process_that_may_insist() {
    let expected = if std::env::var_os(INSISTING).is_some() {
        Path::Portable.insist().unwrap();
        Path::Portable
    } else {
        Path::best()
    };
    for text in ["0.77", "0.156", "0.46", "0.8F"] {
        for made in [ByCode::new(code(text)), ByCode::alone(code(text))] {
            assert_eq!(made.cut.path, expected, "{text}");
        }
    }
    for made in [ByUnequalParts::default(), ByUnequalParts::alone()] {
        assert_eq!(made.cut.path, expected);
    }
}

#[test]
fn octal_and_hexadecimal_codes_and_grundys_game_use_the_instructions_that_were_insisted_on() {
    let status = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "heap::code_values::tests::process_that_may_insist"])
        .env(INSISTING, "1")
        .stdout(std::process::Stdio::null())
        .status();
    assert!(status.unwrap().success());
}
