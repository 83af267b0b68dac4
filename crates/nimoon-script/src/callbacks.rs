//! The functions of arrays and object maps that call a function of the script.
//!
//! Those of the interpreter are replaced, all of them. Its `sort` and `dedup` ignore the errors of
//! the comparison. Its other functions wrap an error such that `try` can catch it even if it is a
//! limit, and take every answer of a predicate that is not a boolean for `false`. Those here pass
//! on the first error, leave the array or map as it was then, and call the function in an order
//! that depends on nothing but the elements. Otherwise they do what the book of Rhai says.

use rhai::{
    Array, Dynamic, Engine, EvalAltResult, FnPtr, FuncRegistration, INT, Map, NativeCallContext,
};

type Answer<T> = Result<T, Box<EvalAltResult>>;

/// Puts the functions here in place of those of the interpreter.
pub(crate) fn replace_callers(engine: &mut Engine) {
    offer(engine, "for_each", Access::Reads, |callback, array| {
        indexed(array).try_for_each(|[_, index]| callback.call(&[index], 0).map(drop))?;
        Ok(Dynamic::UNIT)
    });
    offer(engine, "map", Access::Reads, |callback, array| {
        let mapped: Answer<Array> = indexed(array).map(|item| callback.call(&item, 0)).collect();
        Ok(mapped?.into())
    });
    offer(engine, "filter", Access::Reads, |callback, array| {
        let marked = callback.tests(array)?;
        Ok(take_marked(&mut array.clone(), &marked).into())
    });
    offer(engine, "some", Access::Reads, |callback, array| {
        Ok(position(callback, array, 0)?.is_some().into())
    });
    offer(engine, "all", Access::Reads, |callback, array| {
        for item in indexed(array) {
            if !callback.test(&item, 0)? {
                return Ok(false.into());
            }
        }
        Ok(true.into())
    });
    offer_from(engine, "find", |callback, array, start| {
        let found = position(callback, array, start)?;
        Ok(found.map_or(Dynamic::UNIT, |i| array[i].clone()))
    });
    offer_from(engine, "find_map", found);
    offer_index_of(engine);
    offer_reduce(engine, "reduce", |callback, array, initial| {
        reduced(callback, indexed(array), initial)
    });
    offer_reduce(engine, "reduce_rev", |callback, array, initial| {
        reduced(callback, indexed(array).rev(), initial)
    });
    read_only("zip").register_into_engine(
        engine,
        |context: NativeCallContext, first: &mut Array, second: Array, function: FnPtr| {
            let mut callback = Callback::new("zip", context, function);
            let pairs = indexed(first).zip(second);
            pairs.map(|([x, i], y)| callback.call(&[x, y, i], 2)).collect::<Answer<Array>>()
        },
    );
    for name in ["sort", "sort_by"] {
        offer(engine, name, Access::Changes, |callback, array| {
            *array = sorted(callback, array.clone())?;
            Ok(Dynamic::UNIT)
        });
    }
    for name in ["order", "order_by"] {
        offer(engine, name, Access::Reads, |callback, array| {
            Ok(sorted(callback, array.clone())?.into())
        });
    }
    offer(engine, "dedup", Access::Changes, |callback, array| {
        *array = deduplicated(array, |kept, item| callback.test(&[kept.clone(), item.clone()], 2))?;
        Ok(Dynamic::UNIT)
    });
    changing("dedup").register_into_engine(
        engine,
        |context: NativeCallContext, array: &mut Array| -> Answer<()> {
            *array = deduplicated(array, |kept, item| equal(&context, kept, item))?;
            Ok(())
        },
    );
    offer(engine, "drain", Access::Changes, |callback, array| {
        let marked = callback.tests(array)?;
        Ok(take_marked(array, &marked).into())
    });
    offer(engine, "retain", Access::Changes, |callback, array| {
        let marked = not(callback.tests(array)?);
        Ok(take_marked(array, &marked).into())
    });
    offer_for_maps(engine);
}

/// Whether a function may be called on a constant.
#[derive(Clone, Copy, PartialEq)]
enum Access {
    Reads,
    Changes,
}

/// A function that can be called on a constant.
pub(crate) fn read_only(name: &'static str) -> FuncRegistration {
    FuncRegistration::new(name).with_purity(true)
}

/// One that cannot be called on a constant.
pub(crate) fn changing(name: &'static str) -> FuncRegistration {
    FuncRegistration::new(name).with_purity(false)
}

/// Registers a function of arrays that takes a function, or the name of one.
fn offer(
    engine: &mut Engine,
    name: &'static str,
    access: Access,
    body: fn(&mut Callback<'_>, &mut Array) -> Answer<Dynamic>,
) {
    let registration = || FuncRegistration::new(name).with_purity(access == Access::Reads);
    registration().register_into_engine(
        engine,
        move |context: NativeCallContext, array: &mut Array, function: FnPtr| {
            body(&mut Callback::new(name, context, function), array)
        },
    );
    registration().register_into_engine(
        engine,
        move |context: NativeCallContext, array: &mut Array, function: &str| {
            body(&mut Callback::new(name, context, FnPtr::new(function)?), array)
        },
    );
}

/// The same for one that may start at an index.
fn offer_from(
    engine: &mut Engine,
    name: &'static str,
    body: fn(&mut Callback<'_>, &Array, INT) -> Answer<Dynamic>,
) {
    read_only(name).register_into_engine(
        engine,
        move |context: NativeCallContext, array: &mut Array, function: FnPtr| {
            body(&mut Callback::new(name, context, function), array, 0)
        },
    );
    read_only(name).register_into_engine(
        engine,
        move |context: NativeCallContext, array: &mut Array, function: FnPtr, start: INT| {
            body(&mut Callback::new(name, context, function), array, start)
        },
    );
}

/// The same for one that may start with a value.
fn offer_reduce(
    engine: &mut Engine,
    name: &'static str,
    body: fn(&mut Callback<'_>, &Array, Dynamic) -> Answer<Dynamic>,
) {
    read_only(name).register_into_engine(
        engine,
        move |context: NativeCallContext, array: &mut Array, function: FnPtr| {
            body(&mut Callback::new(name, context, function), array, Dynamic::UNIT)
        },
    );
    read_only(name).register_into_engine(
        engine,
        move |context: NativeCallContext, array: &mut Array, function: FnPtr, initial: Dynamic| {
            body(&mut Callback::new(name, context, function), array, initial)
        },
    );
    read_only(name).register_into_engine(
        engine,
        move |context: NativeCallContext, array: &mut Array, function: &str| {
            let function = FnPtr::new(function)?;
            body(&mut Callback::new(name, context, function), array, Dynamic::UNIT)
        },
    );
    read_only(name).register_into_engine(
        engine,
        move |context: NativeCallContext, array: &mut Array, function: &str, initial: Dynamic| {
            body(&mut Callback::new(name, context, FnPtr::new(function)?), array, initial)
        },
    );
}

/// `index_of` takes a function or a value. A string is a value here, even if a function has this
/// name.
fn offer_index_of(engine: &mut Engine) {
    const NAME: &str = "index_of";
    offer_from(engine, NAME, |callback, array, start| {
        Ok(position(callback, array, start)?.map_or(-1, index).into())
    });
    read_only(NAME).register_into_engine(
        engine,
        |context: NativeCallContext, array: &mut Array, value: &str| {
            index_of_value(&context, array, &value.into(), 0)
        },
    );
    read_only(NAME).register_into_engine(
        engine,
        |context: NativeCallContext, array: &mut Array, value: &str, start: INT| {
            index_of_value(&context, array, &value.into(), start)
        },
    );
}

/// Registers those of object maps, whose functions take the name and the value of a property.
fn offer_for_maps(engine: &mut Engine) {
    read_only("map").register_into_engine(
        engine,
        |context: NativeCallContext, map: &mut Map, function: FnPtr| -> Answer<Map> {
            let mut callback = Callback::new("map", context, function);
            let names = map.keys().cloned();
            names
                .zip(properties(map))
                .map(|(name, old)| Ok((name, callback.call(&old, 1)?)))
                .collect()
        },
    );
    read_only("filter").register_into_engine(
        engine,
        |context: NativeCallContext, map: &mut Map, function: FnPtr| -> Answer<Map> {
            let marked = Callback::new("filter", context, function).tests_of_map(map)?;
            Ok(take_marked_properties(&mut map.clone(), &marked))
        },
    );
    changing("drain").register_into_engine(
        engine,
        |context: NativeCallContext, map: &mut Map, function: FnPtr| -> Answer<Map> {
            let marked = Callback::new("drain", context, function).tests_of_map(map)?;
            Ok(take_marked_properties(map, &marked))
        },
    );
    changing("retain").register_into_engine(
        engine,
        |context: NativeCallContext, map: &mut Map, function: FnPtr| -> Answer<Map> {
            let marked = not(Callback::new("retain", context, function).tests_of_map(map)?);
            Ok(take_marked_properties(map, &marked))
        },
    );
}

/// A function of the script that one of the functions here calls.
struct Callback<'a> {
    /// The function that calls it.
    caller: &'static str,
    context: NativeCallContext<'a>,
    function: FnPtr,
    /// How many of the arguments it takes, once that is known.
    taken: Option<usize>,
}

impl<'a> Callback<'a> {
    fn new(caller: &'static str, context: NativeCallContext<'a>, function: FnPtr) -> Self {
        Self { caller, context, function, taken: None }
    }

    /// Calls it with as many of the arguments as it takes, but not fewer than `least`.
    fn call(&mut self, arguments: &[Dynamic], least: usize) -> Answer<Dynamic> {
        let mut taken = self.taken.unwrap_or(least);
        loop {
            let result = self.function.call_raw(&self.context, None, arguments[..taken].to_vec());
            match result {
                Err(error)
                    if self.taken.is_none()
                        && taken < arguments.len()
                        && self.is_missing(&error) =>
                {
                    taken += 1;
                }
                result => {
                    self.taken = Some(taken);
                    return self.in_caller(result);
                }
            }
        }
    }

    /// Whether there is no such function with this number of parameters. An error from within the
    /// function is wrapped, so it is not mistaken for this one.
    fn is_missing(&self, error: &EvalAltResult) -> bool {
        matches!(error, EvalAltResult::ErrorFunctionNotFound(signature, _)
            if signature.starts_with(self.function.fn_name()))
    }

    /// The error with the name of the caller, unless it ends the script: what is wrapped can be
    /// caught.
    fn in_caller<T>(&self, result: Answer<T>) -> Answer<T> {
        result.map_err(|error| {
            if error.is_system_exception() || error.is_pseudo_error() {
                return error;
            }
            let (caller, source) = (self.caller.to_owned(), String::new());
            EvalAltResult::ErrorInFunctionCall(caller, source, error, rhai::Position::NONE).into()
        })
    }

    /// An answer of the wrong type.
    fn wrong<T>(&self, expected: &str, found: &Dynamic) -> Answer<T> {
        let found = self.context.engine().map_type_name(found.type_name()).to_owned();
        let place = self.context.call_position();
        let error = EvalAltResult::ErrorMismatchOutputType(expected.to_owned(), found, place);
        self.in_caller(Err(error.into()))
    }

    fn test(&mut self, arguments: &[Dynamic], least: usize) -> Answer<bool> {
        let answer = self.call(arguments, least)?;
        answer.as_bool().or_else(|_| self.wrong("bool", &answer))
    }

    /// Whether it says that the first one comes before the second one, by a negative integer or
    /// `true`.
    fn is_less(&mut self, first: &Dynamic, second: &Dynamic) -> Answer<bool> {
        let answer = self.call(&[first.clone(), second.clone()], 2)?;
        match (answer.as_int(), answer.as_bool()) {
            (Ok(sign), _) => Ok(sign < 0),
            (_, Ok(is_less)) => Ok(is_less),
            _ => self.wrong("integer or bool", &answer),
        }
    }

    /// Which elements it says `true` of.
    fn tests(&mut self, array: &Array) -> Answer<Vec<bool>> {
        indexed(array).map(|item| self.test(&item, 0)).collect()
    }

    /// Which properties it says `true` of.
    fn tests_of_map(&mut self, map: &Map) -> Answer<Vec<bool>> {
        properties(map).map(|property| self.test(&property, 1)).collect()
    }
}

/// The elements, each with its index.
fn indexed(array: &Array) -> impl DoubleEndedIterator<Item = [Dynamic; 2]> + ExactSizeIterator {
    array.iter().enumerate().map(|(i, item)| [item.clone(), index(i).into()])
}

/// The properties, each as name and value.
fn properties(map: &Map) -> impl Iterator<Item = [Dynamic; 2]> {
    map.iter().map(|(name, value)| [name.clone().into(), value.clone()])
}

fn index(i: usize) -> INT {
    INT::try_from(i).unwrap_or(INT::MAX)
}

/// How many elements come before this index, which counts from the end if it is negative.
pub(crate) fn offset(array: &Array, start: INT) -> usize {
    let distance = usize::try_from(start.unsigned_abs()).unwrap_or(usize::MAX);
    if start < 0 { array.len().saturating_sub(distance) } else { distance.min(array.len()) }
}

/// The first element from this index on of which the function says `true`.
fn position(callback: &mut Callback<'_>, array: &Array, start: INT) -> Answer<Option<usize>> {
    for (i, item) in indexed(array).enumerate().skip(offset(array, start)) {
        if callback.test(&item, 0)? {
            return Ok(Some(i));
        }
    }
    Ok(None)
}

/// What the function makes of the first element from this index on of which it makes anything.
fn found(callback: &mut Callback<'_>, array: &Array, start: INT) -> Answer<Dynamic> {
    for item in indexed(array).skip(offset(array, start)) {
        let value = callback.call(&item, 0)?;
        if !value.is_unit() {
            return Ok(value);
        }
    }
    Ok(Dynamic::UNIT)
}

fn reduced(
    callback: &mut Callback<'_>,
    items: impl Iterator<Item = [Dynamic; 2]>,
    initial: Dynamic,
) -> Answer<Dynamic> {
    let mut items = items;
    items.try_fold(initial, |result, [item, index]| callback.call(&[result, item, index], 1))
}

/// The elements in order, by merging: stable, and any answers of the comparison give some order.
fn sorted(callback: &mut Callback<'_>, mut left: Array) -> Answer<Array> {
    if left.len() <= 1 {
        return Ok(left);
    }
    let right = left.split_off(left.len() / 2);
    let mut merged = Array::with_capacity(left.len() + right.len());
    let mut left = sorted(callback, left)?.into_iter().peekable();
    let mut right = sorted(callback, right)?.into_iter().peekable();
    while let (Some(first), Some(second)) = (left.peek(), right.peek()) {
        let next = if callback.is_less(second, first)? { &mut right } else { &mut left };
        merged.extend(next.next());
    }
    merged.extend(left);
    merged.extend(right);
    Ok(merged)
}

/// The array without the elements that are the same as the one kept before them.
fn deduplicated(
    array: &Array,
    mut is_same: impl FnMut(&Dynamic, &Dynamic) -> Answer<bool>,
) -> Answer<Array> {
    let mut kept = Array::with_capacity(array.len());
    for item in array {
        let is_repeated = match kept.last() {
            Some(last) => is_same(last, item)?,
            None => false,
        };
        if !is_repeated {
            kept.push(item.clone());
        }
    }
    Ok(kept)
}

/// Whether two values are equal; those of different types that cannot be compared are not.
fn equal(context: &NativeCallContext<'_>, first: &Dynamic, second: &Dynamic) -> Answer<bool> {
    const EQUALS: &str = "==";
    let types = [first, second].map(Dynamic::type_id);
    let mut values = [first.clone(), second.clone()];
    let [first, second] = &mut values;
    match context.call_native_fn_raw(EQUALS, true, &mut [first, second]) {
        Ok(answer) => Ok(answer.as_bool().unwrap_or(false)),
        Err(error) => match *error {
            EvalAltResult::ErrorFunctionNotFound(..) if types[0] != types[1] => Ok(false),
            _ => Err(error),
        },
    }
}

fn index_of_value(
    context: &NativeCallContext<'_>,
    array: &Array,
    value: &Dynamic,
    start: INT,
) -> Answer<INT> {
    for (i, item) in array.iter().enumerate().skip(offset(array, start)) {
        if equal(context, item, value)? {
            return Ok(index(i));
        }
    }
    Ok(-1)
}

/// Takes out the elements that are marked.
fn take_marked(array: &mut Array, marked: &[bool]) -> Array {
    let mut marks = marked.iter();
    let (taken, kept) =
        std::mem::take(array).into_iter().partition(|_| marks.next().copied().unwrap_or(false));
    *array = kept;
    taken
}

/// Takes out the properties that are marked.
fn take_marked_properties(map: &mut Map, marked: &[bool]) -> Map {
    let mut marks = marked.iter();
    let (taken, kept) =
        std::mem::take(map).into_iter().partition(|_| marks.next().copied().unwrap_or(false));
    *map = kept;
    taken
}

fn not(marked: Vec<bool>) -> Vec<bool> {
    marked.into_iter().map(|mark| !mark).collect()
}
