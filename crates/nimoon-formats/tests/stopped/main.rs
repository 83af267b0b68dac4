//! Readers and reports end soon when somebody else asks them to, while they work.

mod affine;
mod loopy;
mod reading;
mod streams;
#[path = "../../../nimoon/tests/stopped/table.rs"]
mod table;
mod writing;

#[test]
fn readers_are_left() {
    table::end(&reading::cases());
}

#[test]
fn streams_are_left() {
    table::end(&streams::cases());
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
fn nothing_is_missing() {
    let mut all = reading::cases();
    all.extend(streams::cases());
    all.extend(affine::cases());
    all.extend(loopy::cases());
    all.extend(writing::cases());
    table::complete(concat!(env!("CARGO_MANIFEST_DIR"), "/src"), &all);
}
