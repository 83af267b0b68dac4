//! Expressions that may name partizan rulesets.

use nimoon::solve::explore::Field;
use nimoon::solve::partizan::PartizanSolution;
use nimoon::{Positions, Work};
use nimoon::{
    notation::NotationError,
    ruleset::{Impartial, ImpartialError, PartizanPositions, PositionId},
};

use super::{Expression, ExpressionError, Library, Reads, go_on, read_term, terms};

/// Positions of a ruleset of either kind.
pub enum AnyPositions {
    /// Both players have the same moves.
    Impartial(Box<dyn Positions>),
    /// Left and Right have moves of their own.
    Partizan(Box<dyn PartizanPositions>),
}

impl AnyPositions {
    /// The positions, if they are impartial; `at` is where the ruleset is named, `why` says what
    /// the others are missing.
    pub(super) fn impartial(
        self,
        at: usize,
        why: &str,
    ) -> Result<Box<dyn Positions>, ExpressionError> {
        match self {
            Self::Impartial(positions) => Ok(positions),
            Self::Partizan(positions) => {
                let name = positions.name();
                let message = format!(
                    "`{name}` is a partizan game, where Left and Right have moves of their own; {why}"
                );
                Err(ExpressionError::at(at, message))
            }
        }
    }
}

impl Reads for AnyPositions {
    fn of(made: AnyPositions, _at: usize) -> Result<Self, ExpressionError> {
        Ok(made)
    }

    fn name(&self) -> &str {
        match self {
            Self::Impartial(positions) => positions.name(),
            Self::Partizan(positions) => positions.name(),
        }
    }

    fn read(&mut self, text: &str) -> Result<PositionId, NotationError> {
        match self {
            Self::Impartial(positions) => positions.read(text),
            Self::Partizan(positions) => positions.read(text),
        }
    }
}

/// A component of a sum that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MixedTerm {
    /// Its ruleset.
    pub field: Field,
    /// Its position.
    pub position: PositionId,
    /// Where it begins: bytes from the start of the expression.
    pub at: usize,
}

/// A sum of components of any rulesets.
#[derive(Default)]
pub struct MixedExpression {
    /// The rulesets, each once.
    pub fields: Vec<AnyPositions>,
    /// The components.
    pub terms: Vec<MixedTerm>,
}

impl MixedExpression {
    /// Reads an expression and adds all of its terms, with places counted from the start of its own
    /// text.
    ///
    /// ```
    /// use nimoon_session::expression::{AnyExpression, MixedExpression, NoLibrary};
    /// let mut sum = MixedExpression::default();
    /// sum.extend("nim:3", &mut NoLibrary).unwrap();
    /// sum.extend("backsliding:t..f", &mut NoLibrary).unwrap();
    /// assert_eq!((sum.fields.len(), sum.terms.len()), (2, 2));
    /// ```
    ///
    /// # Errors
    /// When the text is not an expression, with the place; or when a file cannot be read.
    pub fn extend(&mut self, text: &str, library: &mut dyn Library) -> Result<(), ExpressionError> {
        for (start, end) in terms(text)? {
            go_on(library, self.terms.len())?;
            self.terms.push(read_term(&mut self.fields, &text[start..end], start, library)?);
        }
        Ok(())
    }

    /// The sum, ready for questions; impartial components are explored, within the budget.
    ///
    /// ```
    /// use nimoon_session::expression::{AnyExpression, NoLibrary};
    /// let read = AnyExpression::read("backsliding:t..f + nim:2", &mut NoLibrary).unwrap();
    /// let AnyExpression::Mixed(read) = read else { panic!("backsliding is partizan") };
    /// let mut sum = read.solution(&nimoon::Work::new(nimoon::Limits::new(1000))).unwrap();
    /// let start = sum.start().to_vec();
    /// let sides = sum.sides(&start).unwrap();
    /// assert_eq!(sum.stoppers().sides_text(sides).unwrap(), "*3");
    /// ```
    ///
    /// # Errors
    /// With the component that cannot stand here: where it begins, and why.
    pub fn solution(self, work: &Work) -> Result<PartizanSolution, (usize, ImpartialError)> {
        let Self { fields, terms } = self;
        let mut made: Vec<Box<dyn PartizanPositions>> = Vec::with_capacity(fields.len());
        for (number, field) in fields.into_iter().enumerate() {
            made.push(match field {
                AnyPositions::Partizan(positions) => positions,
                AnyPositions::Impartial(positions) => {
                    let mut positions = Impartial::new(positions, work);
                    for term in terms.iter().filter(|term| usize::from(term.field) == number) {
                        let explored = positions.explore(term.position);
                        explored.map_err(|error| (term.at, error))?;
                    }
                    Box::new(positions)
                }
            });
        }
        let terms = terms.into_iter().map(|term| (term.field, term.position)).collect();
        Ok(PartizanSolution::new(made, terms, work))
    }
}

/// A sum of either kind.
pub enum AnyExpression {
    /// All components are impartial.
    Impartial(Expression),
    /// Some component is partizan.
    Mixed(MixedExpression),
}

impl AnyExpression {
    /// Reads an expression.
    ///
    /// ```
    /// use nimoon_session::expression::{AnyExpression, NoLibrary};
    /// let read = |text| AnyExpression::read(text, &mut NoLibrary).unwrap();
    /// assert!(matches!(read("nim:3 + nim:5"), AnyExpression::Impartial(_)));
    /// assert!(matches!(read("nim:3 + backsliding:t..f"), AnyExpression::Mixed(_)));
    /// ```
    ///
    /// # Errors
    /// When the text is none, with the place; or when a file cannot be read.
    pub fn read(text: &str, library: &mut dyn Library) -> Result<Self, ExpressionError> {
        let mut sum = MixedExpression::default();
        sum.extend(text, library)?;
        Ok(sum.into())
    }
}

impl From<MixedExpression> for AnyExpression {
    fn from(sum: MixedExpression) -> Self {
        if sum.fields.iter().any(|field| matches!(field, AnyPositions::Partizan(_))) {
            return Self::Mixed(sum);
        }
        let fields = sum.fields.into_iter().filter_map(|field| match field {
            AnyPositions::Impartial(positions) => Some(positions),
            AnyPositions::Partizan(_) => None,
        });
        let terms = sum.terms.into_iter().map(|term| (term.field, term.position)).collect();
        Self::Impartial(Expression { fields: fields.collect(), terms })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expression::NoLibrary;

    fn error(text: &str) -> (usize, String) {
        match AnyExpression::read(text, &mut NoLibrary) {
            Err(ExpressionError::Text { at, message }) => (at, message),
            Err(error) => (usize::MAX, error.to_string()),
            Ok(AnyExpression::Mixed(read)) => {
                match read.solution(&Work::new(nimoon::Limits::new(1000))) {
                    Err((at, error)) => (at, error.to_string()),
                    Ok(_) => panic!("`{text}` was solved"),
                }
            }
            Ok(AnyExpression::Impartial(_)) => panic!("`{text}` was read"),
        }
    }

    #[test]
    fn errors_are_pointed_at_in_sums_of_both_kinds() {
        assert_eq!(error("nim:1 + backsliding:t.x").0, 22);
        assert_eq!(error("backsliding:t. + nim:1x").0, 22);
        assert_eq!(error("backslidin:t.").0, 0);
        assert_eq!(error("fox-geese:4/geese=1.2/fox=2.2").0, 18);
        assert_eq!(error("backsliding[3]:t.").0, 12);
        assert_eq!(error("").0, 0);
    }

    #[test]
    fn impartial_games_with_other_than_ordinary_moves_are_refused_beside_partizan_ones() {
        let (at, message) = error("backsliding:t. + top-entails:5");
        assert_eq!(at, 17);
        assert!(message.contains("answer in the same place"), "{message}");
        let (at, message) = error("nimstring:1x1 + backsliding:t.");
        assert_eq!(at, 0);
        assert!(message.contains("the same player moves again"), "{message}");
    }

    #[test]
    fn impartial_games_take_no_more_than_the_budget() {
        let (at, message) = error("nim:100000000 + backsliding:t.");
        assert_eq!(at, 0);
        assert!(message.contains("budget of 1000 positions"), "{message}");
    }

    #[test]
    fn partizan_games_are_refused_where_only_impartial_ones_are_known() {
        let refused = |text| match Expression::read(text, &mut NoLibrary) {
            Err(ExpressionError::Text { at, message }) => (at, message),
            _ => panic!("`{text}` was read"),
        };
        let (at, message) = refused("nim:3 + backsliding:t.");
        assert_eq!(at, 8);
        assert!(message.contains("`backsliding` is a partizan game"), "{message}");
        assert_eq!(error("ordinal[nim | fox-geese]:1 | 2").0, 14);
    }
}
