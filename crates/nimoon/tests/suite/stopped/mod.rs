//! Every engine stops promptly when cancelled from another thread.

mod affine;
mod control;
mod digraphs;
mod loopy;
mod positions;
mod table;

#[test]
fn digraphs_are_left() {
    table::end(&digraphs::cases());
}

#[test]
fn values_of_control_are_left() {
    table::end(&control::cases());
}

#[test]
fn loopy_games_are_left() {
    table::end(&loopy::cases());
}

#[test]
fn forms_are_left() {
    table::end(&affine::cases());
}

#[test]
fn positions_are_left() {
    table::end(&positions::cases());
}

#[test]
fn no_engine_is_missing() {
    let mut all = digraphs::cases();
    all.extend(control::cases());
    all.extend(loopy::cases());
    all.extend(affine::cases());
    all.extend(positions::cases());
    table::complete(concat!(env!("CARGO_MANIFEST_DIR"), "/src"), &all);
}
