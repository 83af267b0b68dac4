//! Expressions of ordinals and of games with ordinals.
//!
//! | text | meaning |
//! |---|---|
//! | `5`, `w` | numbers below 2¹²⁸, and ω; also `ω` and `omega` |
//! | `a ^ b`, `a * b`, `a + b` | power, product and sum in the usual sense, from what binds tightest to the loosest; `w^w^2` is `w^(w^2)` |
//! | `natural(a, b, …)` | the natural sum |
//! | `nim(a, b, …)` | transfinite Nim with these heaps: the nim-sum |
//! | `nimproduct(a, b, …)` | the nim-product |
//! | `dollars(d, c)` | a pool of d dollars and c cents, with any even number of cents for a dollar: ω·d + c |
//! | `dollars100(d, c)` | the same with hundred cents for a dollar: 100·d + c |
//! | `conjunctive(a, b, …)`, `selective(a, b, …)` | compounds of pools: the remoteness |
//! | `a < b`, and `<=`, `=`, `!=`, `>=`, `>` | a comparison; only one, and only of whole expressions |
//!
//! A game within an expression stands for its ordinal. An ordinal in `nim` is a heap, and an
//! ordinal in a compound is the [pool](super::Pool) of that remoteness. Compounds nest; `nim`
//! within `nim` has the same heaps as if they stood in one. Blanks are free.
//!
//! ## What cannot be combined
//! The ordinal of `nim` is a nim-value, which says what a game is worth beside others. The ordinal
//! of a pool or a compound is a remoteness, which says how far the end is. Neither can be found
//! from the other, so no operation, function or comparison takes both. A nim-value cannot be the
//! remoteness of a component, nor a remoteness a heap or a factor of a nim-product. The number of
//! dollars or cents is neither. What is computed from a nim-value or a remoteness is one too:
//! `nim(2) + 1` is a nim-value, and so are nim-products.
//!
//! ## Limits and cost
//! Texts nest [`Ordinal::MOST_DEPTH`] deep. Reading is evaluating; each operation counts the terms
//! of its result, and the budget is how many there may be in all. Memory is that of the terms that
//! are in use at a time: of all operands that wait for their operation, and of the results.

use std::cmp::Ordering;

use thiserror::Error;

use super::nim::Nim;
use super::ordinal::{Ordinal, OrdinalError, Term};
use super::pool::{Exchange, Pool};
use super::pools::{Compound, Pools};
use crate::limits::{Interrupted, Limit, Work};

mod tokens;

use tokens::{Kind, Token, Tokens};

/// What an expression says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A comparison.
    Truth(bool),
    /// An ordinal.
    Ordinal(Ordinal),
    /// Heaps of transfinite Nim, and their nim-sum.
    Nim(Nim, Ordinal),
    /// A pool.
    Pool(Pool),
    /// A compound of pools, and its remoteness.
    Pools(Pools, Ordinal),
    /// The remoteness of a compound that has compounds as components.
    Compound(Compound, Ordinal),
}

impl Answer {
    /// The ordinal, if it is not a comparison.
    ///
    /// ```
    /// use nimoon::{Work, transfinite::expression::read};
    /// let answer = read("nim(w, 3) + 1", &mut Work::default()).unwrap();
    /// assert_eq!(answer.value().unwrap().to_string(), "w + 4");
    /// ```
    pub fn value(&self) -> Option<Ordinal> {
        match self {
            Self::Truth(_) => None,
            Self::Ordinal(value)
            | Self::Nim(_, value)
            | Self::Pools(_, value)
            | Self::Compound(_, value) => Some(value.clone()),
            Self::Pool(pool) => Some(pool.remoteness()),
        }
    }
}

/// Why an expression has no answer, and where.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{kind}")]
pub struct ExpressionError {
    /// The place in the text, in bytes.
    pub at: usize,
    /// What is wrong.
    pub kind: ExpressionErrorKind,
}

/// What is wrong with an expression.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExpressionErrorKind {
    /// It cannot be read, or names something that does not exist.
    #[error("{0}")]
    Notation(String),
    /// The answer is beyond a limit.
    #[error(transparent)]
    Limit(OrdinalError),
    /// The work was interrupted; each term counts as a position.
    #[error("{0}{because}", because = explained(*.0))]
    Interrupted(Interrupted),
}

/// What positions are here, if they are what there are too many of.
fn explained(interrupted: Interrupted) -> &'static str {
    match interrupted.limit() {
        Some(Limit::Positions) => ", and each term counts as one",
        _ => "",
    }
}

/// Reads and evaluates an expression; the budget counts terms.
///
/// ```
/// use nimoon::{Work, transfinite::expression::{Answer, read}};
/// let answer = |text| read(text, &mut Work::default());
/// assert_eq!(answer("1 + w = w"), Ok(Answer::Truth(true)));
/// assert_eq!(answer("w^2*3 + w + 5").unwrap().value().unwrap().to_string(), "w^2*3 + w + 5");
/// assert_eq!(answer("w + w^").unwrap_err().at, 6);
/// ```
///
/// # Errors
/// If the text cannot be read, or the answer is beyond a limit.
pub fn read(text: &str, work: &mut Work) -> Result<Answer, ExpressionError> {
    let mut reader = Reader { tokens: Tokens::new(text), depth: 0, work, in_use: 0 };
    let first = reader.sum()?;
    let next = reader.tokens.next()?;
    let Kind::Comparison(comparison) = next.kind else {
        return match next.kind {
            Kind::End => Ok(first.answer),
            _ => Err(unexpected(&next, "+, *, ^, a comparison or the end")),
        };
    };
    let second = reader.sum()?;
    let end = reader.tokens.next()?;
    match end.kind {
        Kind::End => {}
        Kind::Comparison(_) => return Err(wrong(end.at, "there can be only one comparison")),
        _ => return Err(unexpected(&end, "+, *, ^ or the end")),
    }
    first.measure.with(&second)?;
    let order = first.value().cmp(&second.value());
    Ok(Answer::Truth(match comparison {
        "<" => order == Ordering::Less,
        "<=" => order != Ordering::Greater,
        "=" => order == Ordering::Equal,
        "!=" => order != Ordering::Equal,
        ">=" => order != Ordering::Less,
        _ => order == Ordering::Greater,
    }))
}

fn wrong(at: usize, message: impl Into<String>) -> ExpressionError {
    ExpressionError { at, kind: ExpressionErrorKind::Notation(message.into()) }
}

/// What is wrong with a token where something else was expected.
fn unexpected(token: &Token, expected: &str) -> ExpressionError {
    let message = match token.kind {
        Kind::End => format!("the expression ends here: expected {expected}"),
        Kind::Minus => {
            "ordinals have no subtraction and no negatives: expected ".to_owned() + expected
        }
        Kind::Dots => {
            "a tower without an end is ε₀, and only ordinals below ε₀ can be written; for a \
                       finite tower write all of it"
                .to_owned()
        }
        Kind::Omega | Kind::Number(_) | Kind::Name(_) | Kind::Open => {
            format!("expected {expected}; a product is written with *, as in w*2")
        }
        _ => format!("expected {expected}"),
    };
    wrong(token.at, message)
}

struct Reader<'a, 'w> {
    tokens: Tokens<'a>,
    depth: usize,
    work: &'w mut Work,
    /// How many terms are in use.
    in_use: usize,
}

/// What an ordinal says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Measure {
    /// Nothing about a game.
    Number,
    /// What a game is worth beside others.
    NimValue,
    /// How far the end of a game is.
    Remoteness,
}

impl Measure {
    /// What the ordinal says that is found from one that says this, and another one.
    fn with(self, second: &Operand) -> Result<Self, ExpressionError> {
        match (self, second.measure) {
            (first, Self::Number) => Ok(first),
            (Self::Number, second) => Ok(second),
            (first, measure) if first == measure => Ok(first),
            (first, measure) => Err(wrong(
                second.at,
                format!("{} cannot be combined with {}", measure.name(), first.name()),
            )),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Number => "a plain number",
            Self::NimValue => "a nim-value",
            Self::Remoteness => "a remoteness",
        }
    }
}

/// What has been read, where it begins, and what its ordinal says.
struct Operand {
    at: usize,
    answer: Answer,
    measure: Measure,
}

impl Operand {
    /// An ordinal that is not a game, or no longer one.
    fn ordinal(at: usize, ordinal: Ordinal, measure: Measure) -> Self {
        Self { at, answer: Answer::Ordinal(ordinal), measure }
    }

    fn value(&self) -> Ordinal {
        self.answer.value().unwrap_or_default()
    }
}

type Read = Result<Operand, ExpressionError>;

impl Reader<'_, '_> {
    /// Counts terms.
    fn spend(&mut self, at: usize, terms: usize) -> Result<(), ExpressionError> {
        self.work.count_all(terms as u64).map_err(|interrupted| ExpressionError {
            at,
            kind: ExpressionErrorKind::Interrupted(interrupted),
        })
    }

    /// Counts terms that are in use from now on.
    fn hold(&mut self, at: usize, terms: usize) -> Result<(), ExpressionError> {
        self.spend(at, terms)?;
        self.in_use = self.in_use.saturating_add(terms);
        let bytes = self.in_use.saturating_mul(size_of::<Term>());
        self.work.hold(bytes as u64).map_err(|interrupted| ExpressionError {
            at,
            kind: ExpressionErrorKind::Interrupted(interrupted),
        })
    }

    /// Counts operands that are no longer in use.
    fn release(&mut self, operands: &[&Ordinal]) {
        let terms = operands.iter().map(|operand| operand.size()).sum();
        self.in_use = self.in_use.saturating_sub(terms);
    }

    /// An ordinal that an operation at this place has given.
    fn ordinal(
        &mut self,
        at: usize,
        found: Result<Ordinal, OrdinalError>,
    ) -> Result<Ordinal, ExpressionError> {
        let limit = |error| ExpressionError { at, kind: ExpressionErrorKind::Limit(error) };
        let ordinal = found.map_err(limit)?;
        self.hold(at, ordinal.size())?;
        Ok(ordinal)
    }

    fn sum(&mut self) -> Read {
        let first = self.product()?;
        if self.tokens.peek()?.kind != Kind::Plus {
            return Ok(first);
        }
        let mut sum = first.value();
        let mut measure = first.measure;
        let mut size = sum.size();
        while self.tokens.peek()?.kind == Kind::Plus {
            let at = self.tokens.next()?.at;
            let added = self.product()?;
            measure = measure.with(&added)?;
            let added = added.value();
            // The sum grows in place, so only what is added counts.
            size = size.saturating_add(added.size());
            if size > Ordinal::MOST_TERMS {
                // Much may have vanished. To look is work too.
                size = sum.size().saturating_add(added.size());
                self.spend(at, size)?;
            }
            let found = if size > Ordinal::MOST_TERMS {
                Err(OrdinalError::Terms)
            } else {
                sum.try_add_assign(added).map(|()| Ordinal::ZERO)
            };
            self.ordinal(at, found)?;
        }
        Ok(Operand::ordinal(first.at, sum, measure))
    }

    fn product(&mut self) -> Read {
        let mut product = self.power()?;
        while self.tokens.peek()?.kind == Kind::Times {
            let at = self.tokens.next()?.at;
            let second = self.power()?;
            let measure = product.measure.with(&second)?;
            let (first, second) = (product.value(), second.value());
            let found = self.ordinal(at, first.try_mul(&second))?;
            product = Operand::ordinal(product.at, found, measure);
            self.release(&[&first, &second]);
        }
        Ok(product)
    }

    /// Powers are read from the left and evaluated from the right, without recursion: a tower needs
    /// no parentheses, so that its height is known only at the end.
    fn power(&mut self) -> Read {
        let mut power = self.operand("an ordinal")?;
        // What stands below the power, and where the sign between them is.
        let mut tower = Vec::new();
        let mut measure = power.measure;
        while self.tokens.peek()?.kind == Kind::Power {
            let at = self.tokens.next()?.at;
            let exponent = self.operand("an exponent")?;
            measure = measure.with(&exponent)?;
            tower.push((std::mem::replace(&mut power, exponent), at));
        }
        while let Some((below, at)) = tower.pop() {
            let (base, exponent) = (below.value(), power.value());
            let found = self.ordinal(at, base.try_pow(&exponent))?;
            power = Operand::ordinal(below.at, found, measure);
            self.release(&[&base, &exponent]);
        }
        Ok(power)
    }

    fn operand(&mut self, expected: &str) -> Read {
        let token = self.tokens.next()?;
        match token.kind {
            Kind::Number(number) => {
                self.hold(token.at, 1)?;
                Ok(Operand::ordinal(token.at, Ordinal::finite(number), Measure::Number))
            }
            Kind::Omega => {
                self.hold(token.at, 2)?;
                Ok(Operand::ordinal(token.at, Ordinal::omega(), Measure::Number))
            }
            Kind::Open => {
                self.deeper(token.at)?;
                let inner = self.sum()?;
                self.depth -= 1;
                let end = self.tokens.next()?;
                match end.kind {
                    Kind::Close => Ok(inner),
                    Kind::Comparison(_) => {
                        Err(wrong(end.at, "a comparison cannot be within parentheses"))
                    }
                    _ => Err(unexpected(&end, "+, *, ^ or )")),
                }
            }
            Kind::Name(name) => self.call(token.at, name),
            Kind::Minus if expected == "an exponent" => {
                Err(wrong(token.at, "exponents are ordinals, and none is negative"))
            }
            _ => Err(unexpected(&token, expected)),
        }
    }

    fn deeper(&mut self, at: usize) -> Result<(), ExpressionError> {
        self.depth += 1;
        if self.depth > Ordinal::MOST_DEPTH {
            let most = Ordinal::MOST_DEPTH;
            return Err(wrong(at, format!("this is nested deeper than the limit of {most}")));
        }
        Ok(())
    }

    fn call(&mut self, at: usize, name: &str) -> Read {
        let function = Function::of_name(name).ok_or_else(|| unknown(at, name))?;
        let open = self.tokens.next()?;
        if open.kind != Kind::Open {
            return Err(wrong(open.at, format!("expected ( behind {name}")));
        }
        self.deeper(at)?;
        let mut arguments = Vec::new();
        loop {
            let next = self.tokens.peek()?;
            if next.kind == Kind::Close && arguments.is_empty() {
                return Err(wrong(
                    next.at,
                    format!("{name}() is empty: expected {}", function.needs()),
                ));
            }
            arguments.push(self.sum()?);
            let end = self.tokens.next()?;
            match end.kind {
                Kind::Comma => {}
                Kind::Close => break,
                Kind::Comparison(_) => {
                    return Err(wrong(end.at, "a comparison cannot be within parentheses"));
                }
                _ => return Err(unexpected(&end, "+, *, ^, a comma or )")),
            }
        }
        self.depth -= 1;
        let measure = function.measure(name, &arguments)?;
        let answer = self.apply(function, at, arguments)?;
        Ok(Operand { at, answer, measure })
    }

    fn apply(
        &mut self,
        function: Function,
        at: usize,
        arguments: Vec<Operand>,
    ) -> Result<Answer, ExpressionError> {
        let values = |arguments: &[Operand]| -> Vec<Ordinal> {
            arguments.iter().map(Operand::value).collect()
        };
        match function {
            Function::Natural => {
                let values = values(&arguments);
                let sum = self.ordinal(at, Ordinal::try_natural_sum(&values))?;
                self.release(&values.iter().collect::<Vec<_>>());
                Ok(Answer::Ordinal(sum))
            }
            Function::Nim => {
                let heaps = arguments.into_iter().flat_map(|argument| match argument.answer {
                    Answer::Nim(nim, _) => nim.into_heaps(),
                    _ => vec![argument.value()],
                });
                let nim = Nim::new(heaps.collect());
                let value = self.ordinal(at, Ok(nim.value()))?;
                Ok(Answer::Nim(nim, value))
            }
            Function::NimProduct => {
                let mut product = Ordinal::finite(1);
                for factor in &arguments {
                    let found = Ordinal::nim_product(&product, &factor.value()).ok_or_else(|| {
                        wrong(
                            factor.at,
                            "nim-products are computed of finite ordinals only: transfinite ones \
                                      need roots of nimbers, such as w, the cube root of 2",
                        )
                    })?;
                    self.spend(factor.at, NIM_PRODUCT)?;
                    product = self.ordinal(factor.at, Ok(found))?;
                }
                Ok(Answer::Ordinal(product))
            }
            Function::Dollars(exchange) => {
                let [dollars, cents] = arguments.as_slice() else {
                    return Err(wrong(
                        at,
                        format!("expected {}, and nothing else", function.needs()),
                    ));
                };
                let number = |count: &Operand, what: &str| {
                    count.value().as_finite().ok_or_else(|| {
                        wrong(
                            count.at,
                            format!(
                                "the number of {what} is finite; an ordinal is a pool by itself"
                            ),
                        )
                    })
                };
                let dollars = number(dollars, "dollars")?;
                let cents = number(cents, "cents")?;
                let limit = |error| ExpressionError { at, kind: ExpressionErrorKind::Limit(error) };
                Pool::try_new(exchange, dollars, cents).map(Answer::Pool).map_err(limit)
            }
            Function::Compound(compound) => {
                let value = self.ordinal(at, compound.try_remoteness(&values(&arguments)))?;
                let pool = |argument: Operand| match argument.answer {
                    Answer::Ordinal(coins) => Some(Pool::of_coins(coins)),
                    Answer::Pool(pool) => Some(pool),
                    _ => None,
                };
                Ok(match arguments.into_iter().map(pool).collect() {
                    Some(pools) => Answer::Pools(Pools::new(compound, pools), value),
                    None => Answer::Compound(compound, value),
                })
            }
        }
    }
}

/// A nim-product of large numbers takes as long as many terms.
const NIM_PRODUCT: usize = 64;

#[derive(Clone, Copy)]
enum Function {
    Natural,
    Nim,
    NimProduct,
    Dollars(Exchange),
    Compound(Compound),
}

impl Function {
    const ALL: [(&str, Self); 7] = [
        ("nim", Self::Nim),
        ("natural", Self::Natural),
        ("nimproduct", Self::NimProduct),
        ("dollars", Self::Dollars(Exchange::AnyEven)),
        ("dollars100", Self::Dollars(Exchange::Hundred)),
        ("conjunctive", Self::Compound(Compound::Conjunctive)),
        ("selective", Self::Compound(Compound::Selective)),
    ];

    fn of_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|&(_, function)| function)
    }

    /// What the result says; arguments that say something else are refused.
    fn measure(self, name: &str, arguments: &[Operand]) -> Result<Measure, ExpressionError> {
        let (takes, gives) = match self {
            Self::Natural => {
                return arguments.iter().try_fold(Measure::Number, Measure::with);
            }
            Self::Nim | Self::NimProduct => (Measure::NimValue, Measure::NimValue),
            Self::Dollars(_) => (Measure::Number, Measure::Remoteness),
            Self::Compound(_) => (Measure::Remoteness, Measure::Remoteness),
        };
        match arguments.iter().find(|of| ![Measure::Number, takes].contains(&of.measure)) {
            None => Ok(gives),
            Some(Operand { at, measure, .. }) => {
                let [takes, found] = [takes, *measure].map(Measure::name);
                Err(wrong(*at, format!("expected {takes} in {name}(…), and this is {found}")))
            }
        }
    }

    fn needs(self) -> &'static str {
        match self {
            Self::Nim => "at least one heap, as in nim(w, 3)",
            Self::Dollars(Exchange::AnyEven) => "dollars and cents, as in dollars(1, 5)",
            Self::Dollars(Exchange::Hundred) => "dollars and cents, as in dollars100(1, 5)",
            Self::Natural | Self::NimProduct => "at least one ordinal",
            Self::Compound(_) => "at least one component, as in conjunctive(w + 1, w + 2)",
        }
    }
}

fn unknown(at: usize, name: &str) -> ExpressionError {
    if ["e0", "e_0", "e₀", "ε", "ε0", "ε₀", "ε_0", "epsilon", "epsilon0", "epsilon_0"]
        .contains(&name)
    {
        return wrong(
            at,
            "ε₀ is the first ordinal that cannot be written: the ordinals here are those below ε₀",
        );
    }
    let names = Function::ALL.map(|(name, _)| name).join(", ");
    let hint = match name.trim_start_matches(['w', 'ω']) {
        "" => "; a product is written with *, as in w*w",
        rest if rest.len() < name.len() && rest.bytes().all(|b| b.is_ascii_digit()) => {
            "; a product is written with *, as in w*2, and a power with ^, as in w^2"
        }
        _ => "",
    };
    let shown: String = name.chars().take(40).collect();
    wrong(at, format!("unknown name `{shown}`: expected a number, w, or one of {names}{hint}"))
}
