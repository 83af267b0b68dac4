//! The functions of a script that mean something.

use std::collections::BTreeSet;

use rhai::{AST, ASTNode, Expr, Stmt};

use crate::error::{Problem, Report, ScriptError, shorten};

/// The functions that mean something, with their parameters.
const HOOKS: [(&str, &[&str]); 9] = [
    ("options", &["p"]),
    ("left", &["p"]),
    ("right", &["p"]),
    ("parts", &["p"]),
    ("canonical", &["p"]),
    ("read", &["text"]),
    ("write", &["p"]),
    ("board", &["p"]),
    ("words", &["p", "q"]),
];

/// Which of these functions a script has, and what there is to warn of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hooks {
    has: [bool; HOOKS.len()],
    pub(crate) warnings: Vec<String>,
}

impl Hooks {
    /// Looks through a script.
    pub(crate) fn new(report: &Report, ast: &AST) -> Result<Self, ScriptError> {
        let mut hooks = Self::default();
        for (has, (name, parameters)) in hooks.has.iter_mut().zip(HOOKS) {
            let functions = ast.iter_functions().filter(|function| function.name == name);
            let counts: Vec<_> = functions.map(|function| function.params.len()).collect();
            *has = counts.contains(&parameters.len());
            if let (false, Some(found)) = (*has, counts.first()) {
                let message = format!(
                    "the parameters of `{name}` are ({}), found {found}",
                    parameters.join(", ")
                );
                return Err(at_definition(report, name, message));
            }
        }
        hooks.check_moves(report, ast)?;
        hooks.warnings = hooks.misspelt(report, ast);
        Ok(hooks)
    }

    pub(crate) fn has(&self, function: &str) -> bool {
        HOOKS.iter().zip(self.has).any(|((name, _), has)| has && *name == function)
    }

    /// Whether Left and Right have moves of their own.
    pub(crate) fn is_partizan(&self) -> bool {
        self.has("left")
    }

    /// A script has either `options`, or `left` and `right`.
    fn check_moves(&self, report: &Report, ast: &AST) -> Result<(), ScriptError> {
        let [options, left, right] = ["options", "left", "right"].map(|name| self.has(name));
        match (options, left, right) {
            (true, false, false) | (false, true, true) => return Ok(()),
            (true, left, _) => {
                let name = if left { "left" } else { "right" };
                let message = "a ruleset has either `options`, where both players have the same moves, or \
                               `left` and `right`";
                return Err(at_definition(report, name, message.to_owned()));
            }
            (false, false, false) => {}
            (false, left, _) => {
                let (found, missing) = if left { ("left", "right") } else { ("right", "left") };
                let message = format!(
                    "a ruleset with `{found}` needs a function `fn {missing}(p) {{ … }}` too"
                );
                return Err(at_definition(report, found, message));
            }
        }
        let mut names: Vec<_> = ast.iter_functions().map(|f| f.name).collect();
        names.sort_unstable();
        names.dedup();
        let meant = names.iter().find_map(|name| {
            let moves = ["options", "left", "right"].into_iter();
            let mut near = moves.filter(|hook| name.contains(hook) || is_near(name, hook));
            near.next_back().map(|hook| (*name, hook))
        });
        if let Some((name, hook)) = meant {
            let message = format!(
                "nimoon never calls `{name}`: the function with the moves is called `{hook}(p)`"
            );
            return Err(at_definition(report, name, message));
        }
        let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
        let found = if names.is_empty() {
            "no function".to_owned()
        } else {
            shorten(names.join(", "), 200)
        };
        let message = format!(
            "a ruleset needs a function `fn options(p) {{ … }}` that gives an array of moves, or `left(p)` \
             and `right(p)`; the script has {found}"
        );
        Err(report.error(Problem::Functions, message))
    }

    /// Functions that nobody calls, and whose names are nearly those of functions that mean something.
    fn misspelt(&self, report: &Report, ast: &AST) -> Vec<String> {
        let called = called(ast);
        let mut names: Vec<_> = ast.iter_functions().map(|function| function.name).collect();
        names.sort_unstable();
        names.dedup();
        let strange = names
            .into_iter()
            .filter(|name| !called.contains(*name) && HOOKS.iter().all(|(hook, _)| hook != name));
        let warnings = strange.filter_map(|name| {
            let hooks = HOOKS.iter().map(|(hook, _)| *hook);
            let hook = hooks.filter(|hook| !self.has(hook)).find(|hook| is_near(name, hook))?;
            let place = report
                .definition(name)
                .map_or_else(String::new, |place| format!("{}:{}:", place.line, place.column));
            let file = &report.file;
            Some(format!("{file}:{place} nothing calls `{name}`; did you mean `{hook}`?"))
        });
        warnings.collect()
    }
}

fn at_definition(report: &Report, name: &str, message: String) -> ScriptError {
    let place = report.definition(name);
    ScriptError { place, ..report.error(Problem::Functions, message) }
}

/// The names of all functions that a script calls, or names in a string.
fn called(ast: &AST) -> BTreeSet<String> {
    let mut called = BTreeSet::new();
    ast.walk(&mut |path| {
        match path.last() {
            Some(
                ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _))
                | ASTNode::Stmt(Stmt::FnCall(call, _)),
            ) => {
                called.insert(call.name.to_string());
            }
            Some(ASTNode::Expr(Expr::StringConstant(text, _))) => {
                called.insert(text.to_string());
            }
            Some(ASTNode::Expr(Expr::Variable(variable, ..))) => {
                called.insert(variable.1.to_string());
            }
            _ => {}
        }
        true
    });
    called
}

/// Whether one name becomes the other by one or two small changes.
fn is_near(name: &str, hook: &str) -> bool {
    let (name, hook): (Vec<char>, Vec<char>) = (name.chars().collect(), hook.chars().collect());
    let most = if hook.len() > 5 { 2 } else { 1 };
    if name.len().abs_diff(hook.len()) > most {
        return false;
    }
    // The distances of the beginnings of `name` from those of `hook`.
    let mut line: Vec<usize> = (0..=hook.len()).collect();
    for (i, letter) in name.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, other) in hook.iter().enumerate() {
            let change = line[j] + usize::from(letter != other);
            next.push(change.min(line[j + 1] + 1).min(next[j] + 1));
        }
        line = next;
    }
    line[hook.len()] <= most
}
