//! Searches, tables and reports end soon when somebody else asks them to, while they work.

mod affine;
mod exploring;
mod expressions;
mod files;
mod loopy;
mod positions;
mod questions;
#[path = "../../../../nimoon/tests/suite/stopped/table.rs"]
mod table;
mod tables;
mod writing;

#[test]
fn expressions_are_left() {
    table::end(&expressions::cases());
}

#[test]
fn positions_are_left() {
    table::end(&positions::cases());
}

#[test]
fn files_are_left() {
    table::end(&files::cases());
}

#[test]
fn forms_are_left() {
    table::end(&affine::cases());
}

#[test]
fn loopy_games_are_left() {
    table::end(&loopy::cases());
}

#[test]
fn sums_and_certificates_are_left() {
    table::end(&writing::cases());
}

#[test]
fn questions_are_left() {
    table::end(&questions::cases());
}

#[test]
fn explorations_are_left() {
    table::end(&exploring::cases());
}

#[test]
fn no_function_is_missing() {
    let mut all = expressions::cases();
    all.extend(exploring::cases());
    all.extend(files::cases());
    all.extend(affine::cases());
    all.extend(loopy::cases());
    all.extend(writing::cases());
    all.extend(questions::cases());
    table::complete(concat!(env!("CARGO_MANIFEST_DIR"), "/src"), &all);
}
