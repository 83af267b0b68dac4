//! The interpreter with what is offered to scripts, and nothing else.
//!
//! The interpreter bounds steps, calls, and the sizes of values. Three things it does not bound are
//! bounded here. The time: asked for every few steps. The depth of values: `a = [a]` in a loop makes
//! a value that overflows the stack as soon as it is copied or compared, so what a variable holds is
//! measured whenever the variable is used; a value can only grow through one. And what a variable
//! holds in all, since names of properties and moves do not count for the interpreter.

use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

use nimoon::ruleset::{Kind, Move};
use rhai::packages::{
    BasicArrayPackage, BasicMapPackage, BasicMathPackage, CorePackage, LogicPackage,
    MoreStringPackage, Package,
};
use rhai::{Dynamic, Engine, EvalAltResult};

use crate::error::{DEPTH, MEMORY};
use crate::limits::Limits;
use crate::position::{Position, Room};

/// A move, as `to`, `again` and `entails` make it.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub(crate) option: Move<Position>,
    pub(crate) words: Option<Arc<str>>,
    size: usize,
}

impl Choice {
    /// The move of this kind to a position.
    pub(crate) fn new(
        kind: Kind,
        to: &Dynamic,
        words: Option<&str>,
        limits: &Limits,
    ) -> Result<Self, String> {
        let mut room = Room::new(limits);
        let to = Position::from_script(to, &mut room)?;
        let words: Option<Arc<str>> = words.map(Into::into);
        let size = room.taken() + words.as_ref().map_or(0, |words| words.len());
        Ok(Self { option: Move { to, kind }, words, size })
    }
}

/// Names of the language that scripts have no use for.
///
/// `this` would be a variable that is never measured; `curry` makes values that are never measured;
/// `sleep` would not be stopped by the clock. The others are ways to run text or to look around.
const DISABLED: [&str; 6] = ["eval", "this", "curry", "sleep", "Fn", "exit"];

/// The interpreter for these limits.
pub(crate) fn engine(limits: &Limits) -> Engine {
    let mut engine = Engine::new_raw();
    CorePackage::new().register_into_engine(&mut engine);
    LogicPackage::new().register_into_engine(&mut engine);
    BasicMathPackage::new().register_into_engine(&mut engine);
    BasicArrayPackage::new().register_into_engine(&mut engine);
    BasicMapPackage::new().register_into_engine(&mut engine);
    MoreStringPackage::new().register_into_engine(&mut engine);
    for symbol in DISABLED {
        engine.disable_symbol(symbol);
    }
    engine
        .set_max_operations(limits.operations)
        .set_max_call_levels(limits.calls)
        .set_max_expr_depths(limits.nesting, limits.nesting)
        .set_max_variables(limits.variables)
        .set_max_string_size(limits.string)
        .set_max_array_size(limits.array)
        .set_max_map_size(limits.map)
        .set_fail_on_invalid_map_property(true);
    engine.on_progress(|steps| (steps % STEPS_PER_LOOK == 0 && is_late()).then_some(Dynamic::UNIT));
    measure_variables(&mut engine, limits);
    offer_moves(&mut engine, limits);
    engine
}

fn offer_moves(engine: &mut Engine, limits: &Limits) {
    engine.register_type_with_name::<Choice>("move");
    let kinds = [("to", Kind::Ordinary), ("again", Kind::Again), ("entails", Kind::Entailing)];
    for (name, kind) in kinds {
        let fault = |message: String| Box::<EvalAltResult>::from(message);
        let (silent, spoken) = (limits.clone(), limits.clone());
        engine.register_fn(name, move |to: Dynamic| {
            Choice::new(kind, &to, None, &silent).map_err(fault)
        });
        engine.register_fn(name, move |to: Dynamic, words: &str| {
            Choice::new(kind, &to, Some(words), &spoken).map_err(fault)
        });
    }
}

/// Measures what a variable holds whenever it is used.
fn measure_variables(engine: &mut Engine, limits: &Limits) {
    let Limits { depth, memory, .. } = *limits;
    // The interpreter calls this way of listening volatile; a change of it would not compile.
    #[expect(deprecated, reason = "volatile, not deprecated, as its documentation says")]
    engine.on_var(move |name, _, context| {
        if let Some(value) = context.scope().get(name) {
            let mut left = memory;
            measure(value, depth, &mut left).map_err(|word| {
                EvalAltResult::ErrorDataTooLarge(word.to_owned(), rhai::Position::NONE)
            })?;
        }
        Ok(None)
    });
}

fn measure(value: &Dynamic, depth: usize, left: &mut usize) -> Result<(), &'static str> {
    /// What a value takes where it stands.
    const EACH: usize = 16;
    let mut take = |bytes: usize| {
        *left = left.checked_sub(bytes).ok_or(MEMORY)?;
        Ok::<_, &'static str>(())
    };
    take(EACH)?;
    if value.is_int() {
        // The commonest case.
    } else if let Ok(array) = value.as_array_ref() {
        let depth = depth.checked_sub(1).ok_or(DEPTH)?;
        for value in array.iter() {
            measure(value, depth, left)?;
        }
    } else if let Ok(map) = value.as_map_ref() {
        let depth = depth.checked_sub(1).ok_or(DEPTH)?;
        for (name, value) in map.iter() {
            *left = left.checked_sub(EACH + name.len()).ok_or(MEMORY)?;
            measure(value, depth, left)?;
        }
    } else if let Ok(text) = value.as_immutable_string_ref() {
        take(text.len())?;
    } else if let Some(choice) = value.read_lock::<Choice>() {
        take(EACH + choice.size)?;
    }
    Ok(())
}

/// How many steps are made between two looks at the clock.
const STEPS_PER_LOOK: u64 = 64;

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod clock {
    use super::{Cell, Duration};
    use std::time::Instant;

    thread_local! {
        /// When the call that this thread runs must end. A call begins and ends on one thread, and
        /// no call begins within another.
        static END: Cell<Option<Instant>> = const { Cell::new(None) };
    }

    pub(crate) fn start(time: Duration) {
        END.set(Instant::now().checked_add(time));
    }

    pub(super) fn is_late() -> bool {
        END.get().is_some_and(|end| Instant::now() > end)
    }
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod clock {
    use super::Duration;

    pub(crate) fn start(_: Duration) {}

    pub(super) fn is_late() -> bool {
        false
    }
}

use clock::is_late;
pub(crate) use clock::start;
