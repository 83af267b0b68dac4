//! Numbers, ups and the other named games as stoppers.

use super::{Dyadic, Up, Word};
use crate::effort::{Effort, Interrupted};
use crate::loopy::sides::Sides;
use crate::loopy::simplify::Work;
use crate::loopy::stoppers::{Stopper, Stoppers, WITHIN};

/// x, or x + *: {x|x}.
pub(super) fn number(
    stoppers: &mut Stoppers,
    number: Dyadic,
    star: bool,
    effort: &mut Effort,
) -> Result<Stopper, Interrupted> {
    let x = stoppers.number(number, effort)?;
    Ok(if star { Stopper(stoppers.form([vec![x.0], vec![x.0]])) } else { x })
}

/// *n = {0, …, *(n−1) | 0, …, *(n−1)}.
pub(super) fn nimber(
    stoppers: &mut Stoppers,
    n: u32,
    effort: &mut Effort,
) -> Result<Stopper, Interrupted> {
    let mut smaller = vec![Stoppers::ZERO.0];
    for _ in 0..n {
        effort.hold(stoppers.bytes())?;
        for _ in &smaller {
            effort.count()?;
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
    effort: &mut Effort,
) -> Result<Option<Stopper>, Interrupted> {
    let found = match up {
        Up::Times(0) => nimber(stoppers, with, effort)?,
        Up::Times(times) => ups(stoppers, times, with, effort)?,
        _ => {
            let plain = match up {
                Up::Bracket(Some(n)) => bracket(stoppers, n, effort)?,
                Up::Angle(Some(n)) => match bracket(stoppers, n - 1, effort)? {
                    Some(before) => angle(stoppers, before, effort)?,
                    None => None,
                },
                Up::Angle(None) => {
                    let upon = word(stoppers, Word::Upon);
                    angle(stoppers, upon, effort)?
                }
                Up::Times(_) | Up::Bracket(None) => Some(word(stoppers, Word::Upon)),
            };
            let nimber = nimber(stoppers, with, effort)?;
            match plain {
                Some(plain) => match stoppers.sum_onside(plain, nimber, effort)? {
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
    effort: &mut Effort,
) -> Result<Stopper, Interrupted> {
    let zero = Stoppers::ZERO.0;
    // The nimber that is left beside the first up.
    let first = with ^ ((times - 1) & 1);
    let mut found = if first == 1 {
        let star = nimber(stoppers, 1, effort)?.0;
        stoppers.form([vec![zero, star], vec![zero]])
    } else {
        let right = nimber(stoppers, first ^ 1, effort)?.0;
        stoppers.form([vec![zero], vec![right]])
    };
    for _ in 1..times {
        effort.count()?;
        found = stoppers.form([vec![zero], vec![found]]);
    }
    Ok(Stopper(found))
}

/// ^[n] = ^<1> + … + ^<n>.
fn bracket(
    stoppers: &mut Stoppers,
    n: u32,
    effort: &mut Effort,
) -> Result<Option<Stopper>, Interrupted> {
    let mut sum = Stoppers::ZERO;
    for _ in 0..n {
        let Some(next) = angle(stoppers, sum, effort)? else { return Ok(None) };
        match stoppers.sum_onside(sum, next, effort)? {
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
    effort: &mut Effort,
) -> Result<Option<Stopper>, Interrupted> {
    let star = nimber(stoppers, 1, effort)?;
    let down = stoppers.negative(bracket);
    match stoppers.sum_onside(down, star, effort)? {
        Some(right) => brace(stoppers, [vec![Stoppers::ZERO], vec![right]], effort).map(Some),
        None => Ok(None),
    }
}

/// {L|R} with stoppers as options.
pub(super) fn brace(
    stoppers: &mut Stoppers,
    options: [Vec<Stopper>; 2],
    effort: &mut Effort,
) -> Result<Stopper, Interrupted> {
    let options = options.map(|list| list.into_iter().map(|option| option.0).collect());
    // A vertex that leads to stoppers alone is one, so it is always settled.
    let place = Work::new(stoppers, effort).settle(vec![options])?[0];
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
