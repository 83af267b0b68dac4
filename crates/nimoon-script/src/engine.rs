//! The interpreter with what is offered to scripts, and nothing else.
//!
//! The interpreter bounds steps, calls, and the sizes of values. Three things it does not bound are
//! bounded here. The time: the clock is asked every few steps, and so is the effort under which the
//! rules are asked. The depth of values: `a = [a]` in a
//! loop makes a value that overflows the stack as soon as it is copied or compared. And what a value
//! holds in all, since names of properties and moves do not count for the interpreter.
//!
//! A value can only grow through a variable, so what a variable holds is measured whenever the
//! variable is used. The other limits are looked at in the same moment, since the interpreter forgets
//! where in the script it stopped, and a listener to variables does not. Its own limits are twice as
//! wide, and stop what uses no variables, such as `loop {}`.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::time::Duration;

use nimoon::effort::{Effort, Interrupted};
use nimoon::ruleset::{Kind, Move};
use rhai::packages::{
    BasicArrayPackage, BasicMapPackage, BasicMathPackage, CorePackage, LogicPackage,
    MoreStringPackage, Package,
};
use rhai::{Dynamic, Engine, EvalAltResult, INT, OptimizationLevel};

use crate::error::Problem;
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

/// Why a script was stopped, as a value that it seems to throw.
#[derive(Clone, Debug)]
pub(crate) struct Stop {
    pub(crate) problem: Problem,
    pub(crate) message: String,
}

impl Stop {
    fn error((problem, message): (Problem, String)) -> EvalAltResult {
        let stop = Dynamic::from(Self { problem, message });
        EvalAltResult::ErrorRuntime(stop, rhai::Position::NONE)
    }
}

/// Words of the language that scripts have no use for. `eval` runs text; `this` would be a variable
/// that is never measured, and `curry` makes values that cannot be.
const DISABLED: [&str; 4] = ["eval", "this", "curry", "Fn"];

/// How many calls deeper the limit of the interpreter lies: sorting swallows its error, so it should
/// be met only by functions that call each other and use no variable.
const CALLS_WITHOUT_VARIABLES: usize = 8;

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
    // Switches inside each other take the optimizer twice the time for each level.
    engine.set_optimization_level(OptimizationLevel::None);
    engine
        .set_max_operations(limits.operations.saturating_mul(2))
        .set_max_call_levels(limits.calls + CALLS_WITHOUT_VARIABLES)
        .set_max_expr_depths(limits.nesting, limits.nesting)
        .set_max_variables(limits.variables)
        .set_max_string_size(limits.string.saturating_mul(2))
        .set_max_array_size(limits.array.saturating_mul(2))
        .set_max_map_size(limits.map.saturating_mul(2))
        .set_fail_on_invalid_map_property(true);
    engine.on_progress(|steps| {
        STEPS.set(steps);
        let late =
            steps % STEPS_PER_LOOK == 0 && (is_late() || (steps > FREE.get() && is_interrupted()));
        // A script that catches the error, as sorting does, is stopped at its next step.
        let ended = late || BROKEN.get().is_some() || INTERRUPTED.get().is_some();
        ended.then_some(Dynamic::UNIT)
    });
    watch_variables(&mut engine, limits);
    offer_moves(&mut engine, limits);
    // The clock cannot stop one who sleeps.
    engine.register_fn("sleep", |_: INT| {
        let message = "a script cannot sleep".to_owned();
        Err::<(), _>(Box::new(Stop::error((Problem::Rules, message))))
    });
    engine
}

fn offer_moves(engine: &mut Engine, limits: &Limits) {
    engine.register_type_with_name::<Choice>("move");
    let kinds = [("to", Kind::Ordinary), ("again", Kind::Again), ("entails", Kind::Entailing)];
    for (name, kind) in kinds {
        let fault = |message| Box::new(Stop::error((Problem::Rules, message)));
        let (silent, spoken) = (limits.clone(), limits.clone());
        engine.register_fn(name, move |to: Dynamic| {
            Choice::new(kind, &to, None, &silent).map_err(fault)
        });
        engine.register_fn(name, move |to: Dynamic, words: &str| {
            Choice::new(kind, &to, Some(words), &spoken).map_err(fault)
        });
    }
}

/// Looks at the limits whenever a variable is used.
fn watch_variables(engine: &mut Engine, limits: &Limits) {
    let limits = limits.clone();
    // The interpreter calls this way of listening volatile; a change of it would not compile.
    #[expect(deprecated, reason = "volatile, not deprecated, as its documentation says")]
    engine.on_var(move |name, _, context| {
        let broken = if STEPS.get() > limits.operations {
            Some("operations")
        } else if context.call_level() > limits.calls {
            Some("calls")
        } else {
            let value = context.scope().get(name);
            value.and_then(|value| Measure::of(value, &limits))
        };
        let Some(name) = broken else { return Ok(None) };
        BROKEN.set(Some(name));
        Err(Stop::error(limits.broken(name)).into())
    });
}

/// How much of the limits a value has used.
#[derive(Default)]
struct Measure {
    array: usize,
    map: usize,
    memory: usize,
}

impl Measure {
    /// The limit that a value breaks.
    fn of(value: &Dynamic, limits: &Limits) -> Option<&'static str> {
        Self::default().add(value, 0, limits).err()
    }

    fn add(&mut self, value: &Dynamic, depth: usize, limits: &Limits) -> Result<(), &'static str> {
        /// What a value takes where it stands, in bytes.
        const EACH: usize = 16;
        self.memory += EACH;
        if value.is_int() {
            // The commonest.
        } else if let Ok(text) = value.as_immutable_string_ref() {
            self.memory += text.len();
            within(text.len(), limits.string, "string")?;
        } else if let Ok(array) = value.as_array_ref() {
            self.array += array.len();
            within(depth + 1, limits.depth, "depth")?;
            within(self.array, limits.array, "array")?;
            for value in array.iter() {
                self.add(value, depth + 1, limits)?;
            }
        } else if let Ok(map) = value.as_map_ref() {
            self.map += map.len();
            within(depth + 1, limits.depth, "depth")?;
            within(self.map, limits.map, "map")?;
            for (name, value) in map.iter() {
                self.memory += EACH + name.len();
                self.add(value, depth + 1, limits)?;
            }
        } else if let Some(choice) = value.read_lock::<Choice>() {
            self.memory += EACH + choice.size;
        }
        within(self.memory, limits.memory, "memory")
    }
}

fn within(found: usize, most: usize, name: &'static str) -> Result<(), &'static str> {
    if found > most { Err(name) } else { Ok(()) }
}

thread_local! {
    /// How many steps the call that this thread runs has made.
    static STEPS: Cell<u64> = const { Cell::new(0) };
    /// The limit that it broke.
    static BROKEN: Cell<Option<&'static str>> = const { Cell::new(None) };
    /// Under what effort it is made.
    static EFFORT: RefCell<Option<Effort>> = const { RefCell::new(None) };
    /// How many steps it makes whatever became of that effort.
    static FREE: Cell<u64> = const { Cell::new(0) };
    /// What ended that effort.
    static INTERRUPTED: Cell<Option<Interrupted>> = const { Cell::new(None) };
}

/// Begins to count for a call on this thread. A call begins and ends on one thread, and no call
/// begins within another.
pub(crate) fn start(time: Duration, effort: Option<&Effort>, free: u64) {
    STEPS.set(0);
    FREE.set(free);
    BROKEN.set(None);
    INTERRUPTED.set(None);
    EFFORT.set(effort.cloned());
    clock::start(time);
}

/// Looks at the clock and the token of the effort.
fn is_interrupted() -> bool {
    let ended =
        EFFORT.with_borrow(|effort| effort.as_ref().and_then(|effort| effort.check().err()));
    INTERRUPTED.set(ended);
    ended.is_some()
}

/// What ended the effort of the last call on this thread, and the call with it.
pub(crate) fn interrupted() -> Option<Interrupted> {
    INTERRUPTED.get()
}

/// The error of a call that was stopped.
pub(crate) fn stopped() -> EvalAltResult {
    EvalAltResult::ErrorTerminated(Dynamic::UNIT, rhai::Position::NONE)
}

/// The limit that the last call on this thread broke, even if the script caught the error.
pub(crate) fn broken() -> Option<&'static str> {
    BROKEN.get()
}

/// How many steps are made between two looks at the clock.
const STEPS_PER_LOOK: u64 = 64;

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod clock {
    use super::{Cell, Duration};
    use std::time::Instant;

    thread_local! {
        /// When the call that this thread runs must end.
        static END: Cell<Option<Instant>> = const { Cell::new(None) };
    }

    pub(super) fn start(time: Duration) {
        END.set(Instant::now().checked_add(time));
    }

    pub(super) fn is_late() -> bool {
        END.get().is_some_and(|end| Instant::now() > end)
    }
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod clock {
    use super::Duration;

    pub(super) fn start(_: Duration) {}

    pub(super) fn is_late() -> bool {
        false
    }
}

use clock::is_late;
