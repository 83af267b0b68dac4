//! Numbers, ups and the other named games as stoppers.

use super::{Dyadic, Up, Word};
use crate::limits::{Interrupted, Work};
use crate::partizan::sides::Sides;
use crate::partizan::simplify::Simplifier;
use crate::partizan::stoppers::{Stopper, Stoppers, WITHIN};

/// x, or x + *: {x|x}.
pub(super) fn number(
    stoppers: &mut Stoppers,
    number: Dyadic,
    star: bool,
    work: &mut Work,
) -> Result<Stopper, Interrupted> {
    let x = stoppers.number(number, work)?;
    Ok(if star { Stopper(stoppers.form([vec![x.0], vec![x.0]])) } else { x })
}

/// *n = {0, …, *(n−1) | 0, …, *(n−1)}.
pub(super) fn nimber(
    stoppers: &mut Stoppers,
    n: u32,
    work: &mut Work,
) -> Result<Stopper, Interrupted> {
    let mut smaller = vec![Stoppers::ZERO.0];
    for _ in 0..n {
        work.hold(stoppers.bytes())?;
        for _ in &smaller {
            work.count()?;
        }
        smaller.push(stoppers.form([smaller.clone(), smaller.clone()]));
    }
    Ok(Stopper(smaller[n as usize]))
}

/// `^3*2` and the like: ups, with a nimber, negated for downs.
pub(super) fn up(
    stoppers: &mut Stoppers,
    up: Up,
    with: u32,
    down: bool,
    work: &mut Work,
) -> Result<Option<Stopper>, Interrupted> {
    let found = match up {
        Up::Times(0) => nimber(stoppers, with, work)?,
        Up::Times(times) => ups(stoppers, times, with, work)?,
        _ => {
            let plain = match up {
                Up::Bracket(Some(n)) => bracket(stoppers, n, work)?,
                Up::Angle(Some(n)) => match bracket(stoppers, n - 1, work)? {
                    Some(before) => angle(stoppers, before, work)?,
                    None => None,
                },
                Up::Angle(None) => {
                    let upon = word(stoppers, Word::Upon);
                    angle(stoppers, upon, work)?
                }
                Up::Times(_) | Up::Bracket(None) => Some(word(stoppers, Word::Upon)),
            };
            let nimber = nimber(stoppers, with, work)?;
            match plain {
                Some(plain) => match stoppers.sum_onside(plain, nimber, work)? {
                    Some(sum) => sum,
                    None => return Ok(None),
                },
                None => return Ok(None),
            }
        }
    };
    Ok(Some(if down { stoppers.negative(found) } else { found }))
}

/// ^n*m = {0|^(n−1)*(m⊕1)}, but ^* = {0,*|0}.
fn ups(
    stoppers: &mut Stoppers,
    times: u32,
    with: u32,
    work: &mut Work,
) -> Result<Stopper, Interrupted> {
    let zero = Stoppers::ZERO.0;
    // The nimber that is left beside the first up.
    let first = with ^ ((times - 1) & 1);
    let mut found = if first == 1 {
        let star = nimber(stoppers, 1, work)?.0;
        stoppers.form([vec![zero, star], vec![zero]])
    } else {
        let right = nimber(stoppers, first ^ 1, work)?.0;
        stoppers.form([vec![zero], vec![right]])
    };
    for _ in 1..times {
        work.count()?;
        found = stoppers.form([vec![zero], vec![found]]);
    }
    Ok(Stopper(found))
}

/// ^[n] = ^<1> + … + ^<n>.
fn bracket(
    stoppers: &mut Stoppers,
    n: u32,
    work: &mut Work,
) -> Result<Option<Stopper>, Interrupted> {
    let mut sum = Stoppers::ZERO;
    for _ in 0..n {
        let Some(next) = angle(stoppers, sum, work)? else { return Ok(None) };
        match stoppers.sum_onside(sum, next, work)? {
            Some(found) => sum = found,
            None => return Ok(None),
        }
    }
    Ok(Some(sum))
}

/// {0|*−G}: ^<n> if G is ^[n−1].
fn angle(
    stoppers: &mut Stoppers,
    bracket: Stopper,
    work: &mut Work,
) -> Result<Option<Stopper>, Interrupted> {
    let star = nimber(stoppers, 1, work)?;
    let down = stoppers.negative(bracket);
    match stoppers.sum_onside(down, star, work)? {
        Some(right) => brace(stoppers, [vec![Stoppers::ZERO], vec![right]], work).map(Some),
        None => Ok(None),
    }
}

/// {L|R} with stoppers as options.
pub(super) fn brace(
    stoppers: &mut Stoppers,
    options: [Vec<Stopper>; 2],
    work: &mut Work,
) -> Result<Stopper, Interrupted> {
    let options = options.map(|list| list.into_iter().map(|option| option.0).collect());
    // A vertex that leads to stoppers alone is one, so it is always settled.
    let place = Simplifier::new(stoppers, work).settle(vec![options])?[0];
    Ok(Stopper(place))
}

/// A word that stands for a stopper; for dud, its onside.
pub(super) fn word(stoppers: &mut Stoppers, word: Word) -> Stopper {
    let zero = Stoppers::ZERO.0;
    let options = match word {
        Word::On | Word::Dud => [vec![WITHIN], vec![]],
        Word::Off => [vec![], vec![WITHIN]],
        Word::Over => [vec![zero], vec![WITHIN]],
        Word::Under => [vec![WITHIN], vec![zero]],
        Word::Upon => [vec![WITHIN], vec![stoppers.form([vec![zero], vec![zero]])]],
    };
    Stopper(stoppers.cycle(&[options])[0])
}

/// The sides of dud = {dud|dud}: on and off.
pub(super) fn dud(stoppers: &mut Stoppers) -> Sides {
    let [onside, offside] = [Word::On, Word::Off].map(|side| Some(word(stoppers, side)));
    Sides { onside, offside }
}
