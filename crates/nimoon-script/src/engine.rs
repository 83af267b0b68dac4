//! The interpreter with what is offered to scripts, and nothing else.
//!
//! The interpreter bounds steps, calls, and the sizes of values. Three things it does not bound are
//! bounded here. The work of a step: a function such as `contains` takes one step however long the
//! string is. The depth of values: `a = [a]` in a loop makes a value that overflows the stack as
//! soon as it is copied or compared. And what a value holds in all, since names of properties and
//! moves do not count for the interpreter.
//!
//! A value can only grow through a variable, so what a variable holds is measured whenever the
//! variable is used, and a large value costs more steps. The other limits are checked in the same
//! moment, since the interpreter forgets where in the script it stopped, and a listener to
//! variables does not. Its own limits are twice as wide, and stop what uses no variables, such as
//! `loop {}`.
//!
//! No limit is a time, so that a script gives the same answer on a machine that is slow or busy.
//! The clock of the work under which the rules are called can end a call; then there is no answer.
//!
//! Why a call must end is kept until the next call starts, and ends it at its next step whatever
//! the script does about it. The errors of the interpreter's own limits cannot be caught.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use nimoon::limits::{Interrupted, Work};
use nimoon::ruleset::{Kind, Move};
use rhai::packages::{
    BasicArrayPackage, BasicMapPackage, BasicMathPackage, CorePackage, LogicPackage,
    MoreStringPackage, Package,
};
use rhai::{
    Array, Dynamic, Engine, EvalAltResult, EvalContext, INT, ImmutableString, OptimizationLevel,
    Scope,
};

use crate::callbacks::{changing, replace_callers};
use crate::constants::offer_readers;
use crate::error::Problem;
use crate::growing::{Measured, forget, forget_all, known, remember};
use crate::limits::Limits;
use crate::position::{Position, Room, Sum, Value};

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
    ) -> Result<Self, Reason> {
        let mut room = Room::new(limits);
        let to = Position::from_script(to, &mut room)?;
        let words: Option<Arc<str>> = words.map(Into::into);
        let size = room.taken() + words.as_ref().map_or(0, |words| words.len());
        Ok(Self { option: Move { to, kind }, words, size })
    }
}

/// What is wrong, and how to say it.
pub(crate) type Reason = (Problem, String);

/// Why a script was stopped, as a value that it seems to throw.
#[derive(Clone, Debug)]
pub(crate) struct Stop {
    pub(crate) problem: Problem,
    pub(crate) message: String,
}

impl Stop {
    /// Fails for this reason. A limit stays broken, even if the script catches the error.
    fn fail<T>((problem, message): Reason) -> Result<T, Box<EvalAltResult>> {
        if let Problem::Limit(name) = problem {
            BROKEN.set(Some(name));
        }
        let stop = Dynamic::from(Self { problem, message });
        Err(EvalAltResult::ErrorRuntime(stop, rhai::Position::NONE).into())
    }
}

/// Words of the language that scripts have no use for. `eval` runs text; `this` would be a variable
/// that is never measured, and `curry` makes values that cannot be.
const DISABLED: [&str; 4] = ["eval", "this", "curry", "Fn"];

/// How many calls deeper the limit of the interpreter lies: it does not say where it was met, so it
/// should be met only by functions that call each other and use no variable.
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
        .set_fail_on_invalid_map_property(true);
    engine.on_progress(|steps| {
        STEPS.set(steps);
        // A script that catches the error is stopped at its next step.
        let ended = BROKEN.get().is_some()
            || INTERRUPTED.get().is_some()
            || steps % STEPS_PER_LOOK == 0 && steps > FREE.get() && is_interrupted();
        ended.then_some(Dynamic::UNIT)
    });
    watch_variables(&mut engine, limits, Constants::default());
    replace_callers(&mut engine);
    offer_readers(&mut engine);
    offer_moves(&mut engine, limits);
    offer_sums(&mut engine, limits);
    offer_pad(&mut engine, limits);
    // A step takes no time of its own, and no work that grows with the script.
    engine.register_fn("sleep", |_: INT| refused("sleep"));
    let list = || refused("list its functions");
    engine.register_fn("get_fn_metadata_list", list);
    engine.register_fn("get_fn_metadata_list", move |_: &str| list());
    engine.register_fn("get_fn_metadata_list", move |_: &str, _: INT| list());
    engine
}

fn refused(what: &str) -> Result<(), Box<EvalAltResult>> {
    Stop::fail((Problem::Rules, format!("a script cannot {what}")))
}

/// Replaces the functions `pad`: with an empty string to pad with, that of the interpreter would
/// never end, and what they make of a small value may be large, in one step.
fn offer_pad(engine: &mut Engine, limits: &Limits) {
    let (of_arrays, of_strings) = (limits.clone(), limits.clone());
    changing("pad").register_into_engine(
        engine,
        move |array: &mut Array, length: INT, item: Dynamic| -> Result<(), Box<EvalAltResult>> {
            let limits = &of_arrays;
            let length = usize::try_from(length).unwrap_or(0).max(array.len());
            let work = work_of_padding(array, length, &item, limits);
            charge(work.or_else(|name| Stop::fail(limits.broken(name)))?, limits)?;
            array.resize(length, item);
            Ok(())
        },
    );
    let pad = move |text: &mut ImmutableString, length: INT, padding: &str| {
        let limits = &of_strings;
        let length = usize::try_from(length).unwrap_or(0);
        let missing = length.saturating_sub(text.chars().count());
        if missing > 0 && padding.is_empty() {
            let message = "`pad` needs something to pad with, found an empty string".to_owned();
            return Stop::fail((Problem::Rules, message));
        }
        if length > limits.string {
            return Stop::fail(limits.broken("string"));
        }
        charge(length, limits)?;
        *text += padding.chars().cycle().take(missing).collect::<String>();
        if text.len() > limits.string {
            return Stop::fail(limits.broken("string"));
        }
        Ok(())
    };
    let by_character = pad.clone();
    changing("pad").register_into_engine(engine, pad);
    changing("pad").register_into_engine(
        engine,
        move |text: &mut ImmutableString, length: INT, padding: char| {
            by_character(text, length, padding.encode_utf8(&mut [0; 4]))
        },
    );
}

fn offer_moves(engine: &mut Engine, limits: &Limits) {
    engine.register_type_with_name::<Choice>("move");
    let kinds = [("to", Kind::Ordinary), ("again", Kind::Again), ("entails", Kind::Entailing)];
    for (name, kind) in kinds {
        let (silent, spoken) = (limits.clone(), limits.clone());
        engine.register_fn(name, move |to: Dynamic| {
            Choice::new(kind, &to, None, &silent).or_else(Stop::fail)
        });
        engine.register_fn(name, move |to: Dynamic, words: &str| {
            Choice::new(kind, &to, Some(words), &spoken).or_else(Stop::fail)
        });
    }
}

/// Positions that fall into parts, which nimoon then need not ask for.
fn offer_sums(engine: &mut Engine, limits: &Limits) {
    engine.register_type_with_name::<Sum>("sum");
    let parts = |values: &[&Dynamic], limits: &Limits| -> Result<Sum, Box<EvalAltResult>> {
        let mut room = Room::new(limits);
        let parts = values.iter().map(|value| Position::from_script(value, &mut room));
        let parts: Result<Arc<[_]>, _> = parts.map(|part| part.map(|part| part.0)).collect();
        parts.map(Sum).or_else(Stop::fail)
    };
    let (of_array, of_two) = (limits.clone(), limits.clone());
    engine.register_fn("sum", move |array: Array| {
        parts(&array.iter().collect::<Vec<_>>(), &of_array)
    });
    engine.register_fn("sum", move |a: Dynamic, b: Dynamic| parts(&[&a, &b], &of_two));
    let limits = limits.clone();
    engine.register_fn("splits", move |heap: INT| -> Result<Array, Box<EvalAltResult>> {
        let half = usize::try_from(heap / 2).unwrap_or(0);
        if half > limits.array {
            return Stop::fail(limits.broken("array"));
        }
        charge(half * WORK_PER_SPLIT, &limits)?;
        let pair = |least: INT| {
            let parts = [least, heap - least].map(Value::Integer);
            Dynamic::from(Sum(parts.into()))
        };
        Ok((1..=heap / 2).map(pair).collect())
    });
}

/// The constants of a script.
#[derive(Default)]
pub(crate) struct Constants {
    /// The names of arrays to which elements are only added.
    pub(crate) growing: BTreeSet<String>,
    /// The names that always stand for a constant.
    pub(crate) names: BTreeSet<String>,
    /// Those outside the functions, once they are known, with the work that they take.
    pub(crate) outside: BTreeMap<String, (Dynamic, usize)>,
}

/// Checks the limits whenever a variable or a constant is used.
///
/// A constant is given out as a copy that the interpreter makes read-only, so it refuses to call a
/// function on it that would change it. In an array or a map, such a copy is a value like any
/// other.
pub(crate) fn watch_variables(engine: &mut Engine, limits: &Limits, constants: Constants) {
    let limits = limits.clone();
    // The interpreter calls this way of listening volatile; a change of it would not compile.
    #[expect(deprecated, reason = "volatile, not deprecated, as its documentation says")]
    engine.on_def_var(|is_run, info, context| {
        if is_run {
            let scope = context.scope();
            forget(context.call_level(), place_of(info.name(), scope).unwrap_or(scope.len()));
        }
        Ok(true)
    });
    #[expect(deprecated, reason = "volatile, not deprecated, as its documentation says")]
    engine.on_var(move |name, _, mut context| {
        let level = context.call_level();
        if level > limits.calls {
            return Stop::fail(limits.broken("calls"));
        }
        let Some(value) = context.scope().get(name) else {
            let Some((value, work)) = constants.outside.get(name) else { return Ok(None) };
            charge(*work, &limits)?;
            return Ok(Some(value.clone()));
        };
        let is_constant = value.is_read_only();
        if !is_constant && (value.is_int() || value.is_bool()) {
            // The commonest, and small.
            return charge(0, &limits).map(|()| None);
        }
        if !is_constant && constants.growing.contains(name) && value.is_array() {
            return measure_growth(name, level, &mut context, &limits).map(|()| None);
        }
        let measure =
            Measure::of(value, &limits).or_else(|name| Stop::fail(limits.broken(name)))?;
        charge(measure.work, &limits)?;
        if is_constant {
            return Ok(constants.names.contains(name).then(|| value.clone()));
        }
        if measure.holds_constants
            && let Some(value) = context.scope_mut().get_mut(name)
        {
            // A copy can be changed.
            *value = value.clone();
        }
        Ok(None)
    });
}

/// The place of the variable that a name stands for.
fn place_of(name: &str, scope: &Scope<'_>) -> Option<usize> {
    // The latest come first.
    let behind = scope.iter_raw().position(|(other, ..)| other == name)?;
    Some(scope.len() - 1 - behind)
}

/// Checks the limits of an array of which only the end is new.
fn measure_growth(
    name: &str,
    level: usize,
    context: &mut EvalContext<'_, '_, '_, '_, '_, '_>,
    limits: &Limits,
) -> Result<(), Box<EvalAltResult>> {
    let scope = context.scope();
    let Some(place) = place_of(name, scope) else { return Ok(()) };
    let known = known(level, place);
    let mut measure = Measure::from(known);
    {
        let Some(value) = scope.get(name) else { return Ok(()) };
        let Ok(array) = value.as_array_ref() else { return Ok(()) };
        let added = &array[known.length.min(array.len())..];
        if known.length == 0 {
            measure.memory += Measure::EACH;
            measure.values += 1;
        }
        measure.array += added.len();
        let found = within(measure.array, limits.array, "array");
        let found = found.and_then(|()| added.iter().try_for_each(|v| measure.add(v, 1, limits)));
        found.or_else(|name| Stop::fail(limits.broken(name)))?;
        let length = array.len();
        remember(level, place, measure.measured(length));
    }
    charge(WORK_PER_VALUE * (measure.values - known.values), limits)?;
    if measure.holds_constants
        && let Some(mut value) =
            context.scope_mut().get_mut(name).and_then(rhai::Dynamic::write_lock::<Array>)
    {
        for added in value.iter_mut().skip(known.length) {
            // A copy can be changed.
            *added = added.clone();
        }
    }
    Ok(())
}

/// Counts steps for work that the interpreter takes for one step or none.
fn charge(work: usize, limits: &Limits) -> Result<(), Box<EvalAltResult>> {
    CHARGED.set(CHARGED.get() + (work / WORK_PER_STEP) as u64);
    if STEPS.get() + CHARGED.get() > limits.operations {
        return Stop::fail(limits.broken("operations"));
    }
    Ok(())
}

/// How much work counts as one step: a byte of a string counts as 1, a value in an array or a map
/// as [`WORK_PER_VALUE`]. So steps take roughly the same time.
const WORK_PER_STEP: usize = 64;
/// How much work it is to make a pair of heaps.
const WORK_PER_SPLIT: usize = 8;
/// Strings inside arrays and maps are shared when these are copied, so their length does not count.
const WORK_PER_VALUE: usize = 2;

/// How much work it is to go through a value, or the limit that it breaks.
pub(crate) fn work(value: &Dynamic, limits: &Limits) -> Result<usize, &'static str> {
    Ok(Measure::of(value, limits)?.work)
}

/// How much work it is to pad an array to this length, or the limit that it then breaks.
fn work_of_padding(
    array: &Array,
    length: usize,
    item: &Dynamic,
    limits: &Limits,
) -> Result<usize, &'static str> {
    let mut measure = Measure::default();
    for value in array {
        measure.add(value, 1, limits)?;
    }
    let (each, missing) = (Measure::of(item, limits)?, length - array.len());
    let all = |kept: usize, each: usize| kept.saturating_add(each.saturating_mul(missing));
    within(all(measure.array, each.array).saturating_add(length), limits.array, "array")?;
    within(all(measure.map, each.map), limits.map, "map")?;
    within(all(measure.memory, each.memory), limits.memory, "memory")?;
    Ok(WORK_PER_VALUE * all(measure.values, each.values))
}

/// How much of the limits a value has used.
#[derive(Default)]
struct Measure {
    array: usize,
    map: usize,
    memory: usize,
    values: usize,
    /// How much work it is to go through it.
    work: usize,
    /// Whether a constant was put into it.
    holds_constants: bool,
}

impl Measure {
    /// Measures a value, or returns the limit that it exceeds.
    fn of(value: &Dynamic, limits: &Limits) -> Result<Self, &'static str> {
        let mut measure = Self::default();
        measure.add(value, 0, limits)?;
        let bytes = value.as_immutable_string_ref().map_or(0, |text| text.len());
        measure.work = bytes + WORK_PER_VALUE * measure.values;
        Ok(measure)
    }

    /// What a value takes where it stands, in bytes.
    const EACH: usize = 16;

    /// What is kept of the measure of an array of this length.
    fn measured(&self, length: usize) -> Measured {
        let Self { array, map, memory, values, .. } = *self;
        Measured { length, array, map, memory, values }
    }

    fn add(&mut self, value: &Dynamic, depth: usize, limits: &Limits) -> Result<(), &'static str> {
        self.memory += Self::EACH;
        self.values += 1;
        self.holds_constants |= depth > 0 && value.is_read_only();
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
                self.memory += Self::EACH + name.len();
                self.add(value, depth + 1, limits)?;
            }
        } else if let Some(choice) = value.read_lock::<Choice>() {
            self.memory += Self::EACH + choice.size;
        } else if let Some(sum) = value.read_lock::<Sum>() {
            self.memory += Self::EACH * (1 + sum.0.len());
            self.values += sum.0.iter().map(Value::size).sum::<usize>();
        }
        within(self.memory, limits.memory, "memory")
    }
}

fn within(found: usize, most: usize, name: &'static str) -> Result<(), &'static str> {
    if found > most { Err(name) } else { Ok(()) }
}

impl From<Measured> for Measure {
    fn from(known: Measured) -> Self {
        let Measured { array, map, memory, values, .. } = known;
        Self { array, map, memory, values, ..Self::default() }
    }
}

thread_local! {
    /// How many steps the call that this thread runs has made.
    static STEPS: Cell<u64> = const { Cell::new(0) };
    /// How many steps were charged on top of these.
    static CHARGED: Cell<u64> = const { Cell::new(0) };
    /// The limit that it broke.
    static BROKEN: Cell<Option<&'static str>> = const { Cell::new(None) };
    /// The work under which it is made.
    static EFFORT: RefCell<Option<Work>> = const { RefCell::new(None) };
    /// How many steps it makes even after that work has ended.
    static FREE: Cell<u64> = const { Cell::new(0) };
    /// What ended that work.
    static INTERRUPTED: Cell<Option<Interrupted>> = const { Cell::new(None) };
}

/// Begins to count for a call on this thread. A call begins and ends on one thread, and no call
/// begins within another.
pub(crate) fn start(work: Option<&Work>, free: u64) {
    forget_all();
    STEPS.set(0);
    CHARGED.set(0);
    FREE.set(free);
    BROKEN.set(None);
    INTERRUPTED.set(None);
    EFFORT.set(work.cloned());
}

/// Checks the clock and the token of the work.
fn is_interrupted() -> bool {
    let ended = EFFORT.with_borrow(|work| work.as_ref().and_then(|work| work.check().err()));
    INTERRUPTED.set(ended);
    ended.is_some()
}

/// What ended the work, and with it the last call on this thread.
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

/// How many steps are made between two checks of the clock and the token.
const STEPS_PER_LOOK: u64 = 64;
