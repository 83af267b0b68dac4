//! Values as formulas, for notebooks and other pages that set mathematics but know no packages.

use nimoon::{AnyValue, EntailingValue, NimberSet, Nimbers, Value};

/// The value as a formula of LaTeX that needs no package and no definition.
///
/// ```
/// use nimoon_formats::write::value_math;
/// let formula = |text: &str| value_math(&text.parse().unwrap());
/// assert_eq!(formula("oo{0,2}"), r"\infty_{0,2}");
/// assert_eq!(formula("moon{0}"), r"\text{☾}_{0}");
/// assert_eq!(formula("ninny{2}"), r"\infty^{*}_{2}");
/// assert_eq!(formula("[0/1, >0]"), r"[0/1,\,{>}0]");
/// ```
pub fn value_math(value: &AnyValue) -> String {
    let moon = r"\text{☾}";
    let below = |sign: &str, set: &Nimbers| {
        if set.is_empty() { sign.to_owned() } else { format!("{sign}_{{{set}}}") }
    };
    match value {
        AnyValue::CarryOn(Value::Nimber(n)) | AnyValue::Entailing(EntailingValue::Nimber(n)) => {
            n.to_string()
        }
        AnyValue::CarryOn(Value::FullMoon) => r"\bigcirc".to_owned(),
        AnyValue::CarryOn(Value::Moon(forced)) => below(moon, forced),
        AnyValue::Entailing(EntailingValue::Moon) => moon.to_owned(),
        AnyValue::CarryOn(Value::Ninny(n)) => format!(r"\infty^{{*}}_{{{n}}}"),
        AnyValue::CarryOn(Value::Cyclic(exits)) => below(r"\infty", exits),
        AnyValue::Control(value) => value.latex(),
        AnyValue::General(outcomes) => format!(
            r"\text{{win }}{}\text{{, loss }}{}\text{{, draw }}{}",
            set(&outcomes.win),
            set(&outcomes.loss),
            set(&outcomes.draw)
        ),
    }
}

fn set(set: &NimberSet) -> String {
    match set {
        NimberSet::Only(elements) => format!(r"\{{{elements}\}}"),
        NimberSet::AllExcept(without) if without.is_empty() => r"\mathbb{N}".to_owned(),
        NimberSet::AllExcept(without) => format!(r"\mathbb{{N}}\setminus\{{{without}\}}"),
    }
}
