//! Arrays to which elements are only added.
//!
//! A variable is measured whenever it is used, so that none holds more than the limits allow. To go through all of
//! an array each time would make a list of n options cost n² steps. So the arrays that most scripts build,
//! `let moves = []; … moves.push(…)`, are found in the text of the script: their elements never change, so
//! only what was added since the last use has to be measured.
//!
//! A name stands for such arrays if, wherever it is used in the script,
//!
//! - it is defined by `let`, and not a parameter or a variable of a loop;
//! - it is followed by `.push(…)`, `.len()` or `.is_empty()`, or stands on the left of `+=`, which change
//!   nothing in front of the end;
//! - or it is used as a whole, outside of loops, at most [`MOST_COPIES`] times in the text. So a copy is not made more often
//!   than the elements were added, and need not be paid for each time.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use rhai::{AST, ASTFlags, ASTNode, Expr, Stmt};

/// How often the whole array may be used in the text.
const MOST_COPIES: usize = 8;

/// Methods that change nothing in front of the end.
const METHODS: [&str; 3] = ["push", "len", "is_empty"];

/// The names of arrays to which elements are only added.
pub(crate) fn growing(ast: &AST) -> BTreeSet<String> {
    let mut defined = BTreeSet::new();
    let mut others: BTreeSet<String> =
        ast.iter_functions().flat_map(|function| function.params).map(str::to_owned).collect();
    let mut copies: BTreeMap<String, usize> = BTreeMap::new();
    ast.walk(&mut |path| {
        match path {
            [.., ASTNode::Stmt(Stmt::Var(definition, flags, _))] => {
                let is_constant = flags.contains(ASTFlags::CONSTANT);
                let names = if is_constant { &mut others } else { &mut defined };
                names.insert(definition.0.name.to_string());
            }
            [.., ASTNode::Stmt(Stmt::For(definition, _))] => {
                others.insert(definition.0.name.to_string());
                others.extend(definition.1.iter().map(|counter| counter.name.to_string()));
            }
            [.., ASTNode::Stmt(Stmt::TryCatch(block, _))] => {
                if let Expr::Variable(variable, ..) = &block.expr {
                    others.insert(variable.1.to_string());
                }
            }
            [above @ .., ASTNode::Expr(expr @ Expr::Variable(variable, ..))] => {
                let name = variable.1.to_string();
                match use_of(above, expr) {
                    Use::Adds => {}
                    Use::Copies => *copies.entry(name).or_default() += 1,
                    Use::Changes => _ = others.insert(name),
                }
            }
            _ => {}
        }
        true
    });
    defined.retain(|name| {
        !others.contains(name) && copies.get(name).is_none_or(|&count| count <= MOST_COPIES)
    });
    defined
}

enum Use {
    Adds,
    Copies,
    Changes,
}

/// How a variable is used, by what is around it.
fn use_of(above: &[ASTNode<'_>], variable: &Expr) -> Use {
    match above.last() {
        Some(ASTNode::Expr(Expr::Dot(chain, ..)))
            if std::ptr::eq(&raw const chain.lhs, variable) =>
        {
            match &chain.rhs {
                Expr::MethodCall(call, _) if METHODS.contains(&call.name.as_str()) => Use::Adds,
                _ => Use::Changes,
            }
        }
        Some(ASTNode::Expr(Expr::Index(chain, ..)))
            if std::ptr::eq(&raw const chain.lhs, variable) =>
        {
            Use::Changes
        }
        Some(ASTNode::Stmt(Stmt::Assignment(assignment)))
            if std::ptr::eq(&raw const assignment.1.lhs, variable) =>
        {
            let operator = assignment.0.get_op_assignment_info();
            let adds = operator.is_some_and(|(_, _, _, text, _, _)| text == "+=");
            if adds { Use::Adds } else { Use::Changes }
        }
        // A function may change what it is given first.
        Some(ASTNode::Expr(Expr::FnCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _)))
            if call.args.first().is_some_and(|first| std::ptr::eq(first, variable)) =>
        {
            Use::Changes
        }
        _ => {
            let in_loop = above.iter().any(|node| {
                matches!(node, ASTNode::Stmt(Stmt::While(..) | Stmt::Do(..) | Stmt::For(..)))
            });
            if in_loop { Use::Changes } else { Use::Copies }
        }
    }
}

/// What was measured of an array, and how much of it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Measured {
    pub(crate) length: usize,
    pub(crate) array: usize,
    pub(crate) map: usize,
    pub(crate) memory: usize,
    pub(crate) values: usize,
}

thread_local! {
    /// For each growing array of the calls that are under way on this thread, by the level of the call and the place
    /// of the variable, what is known.
    static KNOWN: RefCell<Vec<((usize, usize), Measured)>> = const { RefCell::new(Vec::new()) };
}

/// Forgets everything, when a call begins.
pub(crate) fn forget_all() {
    KNOWN.with_borrow_mut(Vec::clear);
}

/// Forgets what stood at this place and those above it, since a variable is defined there.
pub(crate) fn forget(level: usize, place: usize) {
    KNOWN.with_borrow_mut(|known| {
        known.retain(|((l, p), _)| *l < level || *l == level && *p < place);
    });
}

/// What is known of the array at this place.
pub(crate) fn known(level: usize, place: usize) -> Measured {
    KNOWN.with_borrow(|known| {
        let found = known.iter().rev().find(|(at, _)| *at == (level, place));
        found.map(|(_, measured)| *measured).unwrap_or_default()
    })
}

/// Takes note of what was measured.
pub(crate) fn remember(level: usize, place: usize, measured: Measured) {
    KNOWN.with_borrow_mut(|known| {
        match known.iter_mut().rev().find(|(at, _)| *at == (level, place)) {
            Some((_, found)) => *found = measured,
            None => known.push(((level, place), measured)),
        }
    });
}
