//! Readers stop promptly when cancelled from another thread.

mod reading;
mod streams;
#[path = "../../../../nimoon/tests/suite/stopped/table.rs"]
mod table;

#[test]
fn readers_are_left() {
    table::end(&reading::cases());
}

#[test]
fn streams_are_left() {
    table::end(&streams::cases());
}

#[test]
fn nothing_is_missing() {
    let mut all = reading::cases();
    all.extend(streams::cases());
    table::complete(concat!(env!("CARGO_MANIFEST_DIR"), "/src"), &all);
}
