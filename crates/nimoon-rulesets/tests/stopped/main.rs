//! Searches and tables end soon when somebody else asks them to, while they work.

mod functions;
mod positions;
#[path = "../../../nimoon/tests/stopped/table.rs"]
mod table;
mod tables;

#[test]
fn functions_are_left() {
    table::end(&functions::cases());
}

#[test]
fn positions_are_left() {
    table::end(&positions::cases());
}

#[test]
fn no_function_is_missing() {
    table::complete(concat!(env!("CARGO_MANIFEST_DIR"), "/src"), &functions::cases());
}
