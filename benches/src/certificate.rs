//! Proves a labelling label by label, with the checker, which shares no code with the engine.

use nimoon::{
    AnyValue, Cover, Digraph, EntailingValue, Label, Labelling, NimberSet, Theory, Value,
};
use nimoon_check::{self as check, Rejection, Rows, Set, check_labels};

/// Checks every label, and returns the largest nimber and the number of white nodes without one.
pub(crate) fn check(digraph: &Digraph, labelling: &Labelling) -> Result<(u64, usize), Rejection> {
    let mut options = Rows::default();
    for node in digraph.nodes() {
        options.push(digraph.options(node).iter().copied());
    }
    let gray: Vec<u32> = digraph.gray_nodes().collect();
    let listed = check::Digraph::new(Vec::new(), &gray, options)?;
    let theory = match labelling.theory() {
        Theory::Short => check::Theory::Short,
        Theory::Cyclic => check::Theory::Cyclic,
        Theory::Entailing => check::Theory::Entailing,
        Theory::CarryOn => check::Theory::CarryOn,
        Theory::General => check::Theory::General,
    };
    let labels: Vec<check::Label> =
        digraph.nodes().map(|node| of_label(labelling.label(node))).collect();
    check_labels(&listed, theory, &labels, Some(labelling.order()), None)?;
    let nimbers = || digraph.nodes().filter_map(|node| labelling.nimber(node));
    let white = digraph.len() - gray.len();
    Ok((nimbers().max().unwrap_or(0), white - nimbers().count()))
}

fn of_label(label: Label) -> check::Label {
    let numbers = |set: nimoon::Nimbers| set.as_slice().to_vec();
    let value = match label {
        Label::White(AnyValue::CarryOn(value)) => match value {
            Value::Nimber(n) => check::Value::Nimber(n),
            Value::FullMoon => check::Value::FullMoon,
            Value::Moon(forced) => check::Value::Moon(Some(numbers(forced))),
            Value::Ninny(f) => check::Value::Ninny(f),
            Value::Cyclic(exits) => check::Value::Cyclic(numbers(exits)),
        },
        Label::White(AnyValue::Entailing(EntailingValue::Nimber(n))) => check::Value::Nimber(n),
        Label::White(AnyValue::Entailing(EntailingValue::Moon)) => check::Value::Moon(None),
        Label::Gray(Some(Cover::NewMoon)) => return check::Label::NewMoon,
        Label::Gray(Some(Cover::FullMoon)) => return check::Label::FullMoon,
        Label::Gray(Some(Cover::Heaps(NimberSet::Only(set)))) => {
            return check::Label::Covers(Set::only(numbers(set)));
        }
        Label::Gray(Some(Cover::Heaps(NimberSet::AllExcept(set)))) => {
            return check::Label::Covers(Set::all_except(numbers(set)));
        }
        // Labels of the general theory are not measured, and would be rejected.
        Label::White(AnyValue::Control(_) | AnyValue::General(_)) | Label::Gray(_) => {
            return check::Label::Nothing;
        }
    };
    check::Label::White(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nimoon::label;

    /// z; gray g → z; c → c, g; gray h → c; x → z, h; y → x; and u → u, z.
    fn digraph(with_g: bool) -> Digraph {
        let mut arcs = vec![(1, 0), (2, 2), (3, 2), (4, 0), (4, 3), (5, 4), (6, 6), (6, 0)];
        if with_g {
            arcs.push((2, 1));
        }
        Digraph::new(7, [1, 3], arcs).unwrap()
    }

    #[test]
    fn right_labels_pass_and_those_of_another_digraph_do_not() {
        let labelled = |with_g| {
            label(&digraph(with_g), Some(Theory::CarryOn), &nimoon::Work::default())
                .expect("it fits")
        };
        assert!(check(&digraph(true), &labelled(true)).is_ok());
        assert!(check(&digraph(false), &labelled(false)).is_ok());
        assert!(check(&digraph(true), &labelled(false)).is_err());
        assert!(check(&digraph(false), &labelled(true)).is_err());
    }
}
