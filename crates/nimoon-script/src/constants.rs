//! Constants stay as they are.
//!
//! Functions get a copy of a constant, so a change of it would be lost without a word. The copy and
//! everything in it is read-only, so the interpreter refuses functions that would change it, and
//! assignments to an element or a property. It does not refuse to add a property, and to assign to
//! a character of a string or a bit of an integer. So all assignments to a part of a constant are
//! found here, in the text of the script.
//!
//! It also refuses some functions that only read, and changes of what a loop takes from a constant.
//! These are replaced.

use std::any::TypeId;
use std::collections::BTreeSet;
use std::ops::{Range, RangeInclusive};

use rhai::{
    AST, ASTFlags, ASTNode, Array, Dynamic, Engine, EvalAltResult, Expr, INT, Module,
    NativeCallContext, Position, Stmt,
};

use crate::callbacks::{offset, read_only};

/// The names that stand for a constant wherever they are defined.
pub(crate) fn constants(ast: &AST) -> BTreeSet<String> {
    let parameters = ast.iter_functions().flat_map(|function| function.params);
    let mut variables: BTreeSet<_> = parameters.map(str::to_owned).collect();
    let mut constants = BTreeSet::new();
    ast.walk(&mut |path| {
        match path.last() {
            Some(ASTNode::Stmt(Stmt::Var(definition, flags, _))) => {
                let is_constant = flags.contains(ASTFlags::CONSTANT);
                let names = if is_constant { &mut constants } else { &mut variables };
                names.insert(definition.0.name.to_string());
            }
            Some(ASTNode::Stmt(Stmt::For(definition, _))) => {
                variables.insert(definition.0.name.to_string());
                variables.extend(definition.1.iter().map(|counter| counter.name.to_string()));
            }
            Some(ASTNode::Stmt(Stmt::TryCatch(block, _))) => {
                if let Expr::Variable(variable, ..) = &block.expr {
                    variables.insert(variable.1.to_string());
                }
            }
            _ => {}
        }
        true
    });
    &constants - &variables
}

/// The first assignment to an element or a property of a constant, and what to say about it. Those
/// outside the functions are `outside`; those with names that always stand for one are `always`.
pub(crate) fn first_assignment(
    ast: &AST,
    outside: &BTreeSet<&str>,
    always: &BTreeSet<String>,
) -> Option<(Position, String)> {
    let mut found = Vec::new();
    ast.walk(&mut |path| {
        if let Some(ASTNode::Stmt(Stmt::Assignment(assignment))) = path.last()
            && let Expr::Dot(chain, ..) | Expr::Index(chain, ..) = &assignment.1.lhs
            && let Expr::Variable(variable, index, position) = &chain.lhs
        {
            let name = variable.1.as_str();
            // A name with an index is defined in the same function.
            let is_outside = variable.0.is_none() && index.is_none();
            if always.contains(name) || is_outside && outside.contains(name) {
                found.push((*position, refusal("an assignment", name)));
            }
        }
        true
    });
    found.into_iter().min_by_key(|(position, _)| (position.line(), position.position()))
}

/// What to say of a call of this function that was refused, since it would change a constant.
pub(crate) fn refused_call(function: &str, position: Position, ast: &AST) -> String {
    let mut name = None;
    ast.walk(&mut |path| {
        let object = match path {
            [above @ .., ASTNode::Expr(call @ Expr::MethodCall(_, at))] if *at == position => {
                object(above, call)
            }
            [.., ASTNode::Expr(Expr::FnCall(call, at)) | ASTNode::Stmt(Stmt::FnCall(call, at))]
                if *at == position =>
            {
                call.args.first()
            }
            _ => None,
        };
        if let Some(Expr::Variable(variable, ..)) = object {
            name = Some(variable.1.to_string());
        }
        name.is_none()
    });
    match name {
        Some(name) => refusal(&format!("`{function}`"), &name),
        None => format!("`{function}` would change a constant"),
    }
}

fn refusal(what: &str, name: &str) -> String {
    format!("{what} would change the constant `{name}`; change a copy of it: `let copy = {name};`")
}

/// Where the chain begins that a call is part of: `a` for `c` in `a.b[0].c().d()`. The interpreter
/// keeps a chain as its beginning and the rest, which is a chain again: `a` and `b[0].c().d()`.
fn object<'a>(above: &[ASTNode<'a>], call: &'a Expr) -> Option<&'a Expr> {
    let (mut object, mut part) = (None, call);
    for node in above.iter().rev() {
        let ASTNode::Expr(whole @ (Expr::Dot(chain, flags, _) | Expr::Index(chain, flags, _))) =
            *node
        else {
            break;
        };
        let is_rest = std::ptr::eq(&raw const chain.rhs, part);
        // In `a[b.c()]`, the chain of `a` ends with the index, which is another one.
        if is_rest && object.is_some() && flags.contains(ASTFlags::BREAK) {
            break;
        }
        if is_rest {
            object = Some(&chain.lhs);
        }
        part = whole;
    }
    object
}

/// Replaces the functions of the interpreter that only read but are not marked so.
pub(crate) fn offer_readers(engine: &mut Engine) {
    read_only("get").register_into_engine(engine, |array: &mut Array, index: INT| {
        array.get(offset(array, index)).cloned().unwrap_or(Dynamic::UNIT)
    });
    read_only("extract").register_into_engine(engine, |array: &mut Array, start: INT| {
        extracted(array, start, INT::MAX)
    });
    read_only("extract").register_into_engine(engine, extracted);
    read_only("extract").register_into_engine(engine, |array: &mut Array, range: Range<INT>| {
        let start = range.start.max(0);
        extracted(array, start, range.end.max(start) - start)
    });
    read_only("extract").register_into_engine(
        engine,
        |array: &mut Array, range: RangeInclusive<INT>| {
            let start = (*range.start()).max(0);
            extracted(array, start, ((*range.end()).max(start) - start).saturating_add(1))
        },
    );
    for (name, sort) in [("order", "sort"), ("order_desc", "sort_desc")] {
        read_only(name).register_into_engine(
            engine,
            move |context: NativeCallContext,
                  array: &mut Array|
                  -> Result<Dynamic, Box<EvalAltResult>> {
                let mut copy = Dynamic::from(array.clone());
                let _ = context.call_native_fn_raw(sort, true, &mut [&mut copy])?;
                Ok(copy)
            },
        );
    }
    let mut iterators = Module::new();
    iterators.set_iter(TypeId::of::<Array>(), |array| {
        let items = array.into_array().unwrap_or_default().into_iter();
        Box::new(items.map(|item| if item.is_read_only() { item.clone() } else { item }))
    });
    engine.register_global_module(iterators.into());
    read_only("contains")
        .register_into_engine(engine, |range: &mut Range<INT>, value: INT| range.contains(&value));
    read_only("contains")
        .register_into_engine(engine, |range: &mut RangeInclusive<INT>, value: INT| {
            range.contains(&value)
        });
}

/// The elements from an index on, at most so many.
fn extracted(array: &mut Array, start: INT, length: INT) -> Array {
    let length = usize::try_from(length).unwrap_or(0);
    array.iter().skip(offset(array, start)).take(length).cloned().collect()
}
