//! From [`Expression`] to [`Game`]: nodes are evaluated in the order in which they stand, operands
//! first.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use thiserror::Error;

use super::atoms;
use super::game::{Builder, Game, Term, joined, product};
use super::{Dyadic, Expression, Node, Word};
use crate::limits::{Interrupted, Work};
use crate::notation::NotationError;
use crate::partizan::graph::{Graph, Vertex};
use crate::partizan::sides::Sides;
use crate::partizan::stoppers::{Stopper, Stoppers};
use crate::player::Player;

/// Why an expression has no value.
///
/// ```
/// use nimoon::partizan::notation::{EvaluateError, Expression};
/// use nimoon::{Work, partizan::Stoppers};
/// let expression: Expression = "0 & 1".parse().unwrap();
/// let error = expression.evaluate(&mut Stoppers::new(), &mut Work::default()).unwrap_err();
/// assert!(matches!(error, EvaluateError::Notation(error) if error.at == 0));
/// ```
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum EvaluateError {
    /// The work was interrupted.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// There is no such game.
    #[error(transparent)]
    Notation(#[from] NotationError),
}

struct Evaluation<'a> {
    expression: &'a Expression,
    stoppers: &'a mut Stoppers,
    work: &'a mut Work,
    /// dud, which is one graph everywhere.
    dud: Arc<Graph>,
}

impl Expression {
    /// The game: its sides as far as they are found, and the graph as given.
    ///
    /// # Errors
    /// When the work is interrupted, in `G & H` if G ≥ H does not hold, and when a number grows
    /// beyond a million.
    ///
    /// ```
    /// use nimoon::partizan::notation::Expression;
    /// use nimoon::{Work, partizan::Stoppers};
    /// let mut stoppers = Stoppers::new();
    /// let mut text = |expression: &str| {
    ///     let expression: Expression = expression.parse().unwrap();
    ///     let game = expression.evaluate(&mut stoppers, &mut Work::default()).unwrap();
    ///     stoppers.sides_text(game.sides())
    /// };
    /// assert_eq!(text("on+off").unwrap(), "dud");
    /// assert_eq!(text("over+under").unwrap(), "over & under");
    /// assert_eq!(text("upon+upon").unwrap(), "{0|^[on]*}");
    /// ```
    pub fn evaluate(
        &self,
        stoppers: &mut Stoppers,
        work: &mut Work,
    ) -> Result<Game, EvaluateError> {
        let dud = Arc::new(Graph::of_options([[vec![0], vec![0]]]));
        let mut evaluation = Evaluation { expression: self, stoppers, work, dud };
        let mut games: Vec<Option<Game>> = Vec::with_capacity(self.nodes.len());
        for node in 0..self.nodes.len() {
            let game = evaluation.node(node, &mut games)?;
            games.push(game);
        }
        match games.pop().flatten() {
            Some(game) => Ok(game),
            None => Err(NotationError::at(0, "there is no game").into()),
        }
    }
}

impl Evaluation<'_> {
    /// The game of a node; none for what becomes part of the braces around it.
    fn node(
        &mut self,
        node: usize,
        games: &mut [Option<Game>],
    ) -> Result<Option<Game>, EvaluateError> {
        self.work.count()?;
        self.work.hold(self.stoppers.bytes())?;
        let place = self.expression.places[node] as usize;
        let mut take = |of: u32| match games[of as usize].take() {
            Some(game) => Ok(game),
            None => Err(NotationError::at(place, "there is no game")),
        };
        let game = match self.expression.nodes[node] {
            Node::Number { number, star } => {
                Game::of_stopper(atoms::number(self.stoppers, number, star, self.work)?)
            }
            Node::Nimber(n) => Game::of_stopper(atoms::nimber(self.stoppers, n, self.work)?),
            Node::Up { up, nimber, down } => {
                let found = atoms::up(self.stoppers, up, nimber, down, self.work)?;
                let message = "no canonical form was found for this sum";
                Game::of_stopper(found.ok_or_else(|| NotationError::at(place, message))?)
            }
            Node::Word(Word::Dud) => {
                let terms = Some(vec![(Term::Graph(Arc::clone(&self.dud)), 1)]);
                Game { sides: atoms::dud(self.stoppers), terms }
            }
            Node::Word(word) => Game::of_stopper(atoms::word(self.stoppers, word)),
            Node::Brace { .. } if self.expression.is_option[node] => return Ok(None),
            Node::Brace { .. } => self.braces(node as u32, games)?,
            Node::Reference { .. } | Node::Pass => return Ok(None),
            Node::Negative(of) => {
                let of = take(of)?;
                self.negative(of)?
            }
            Node::Switch((start, end)) => {
                let options = &self.expression.options[start as usize..end as usize];
                let options: Result<Vec<Game>, _> = options.iter().map(|&of| take(of)).collect();
                self.switch(options?)?
            }
            Node::Tiny(of) => {
                let of = take(of)?;
                let of = self.negative(of)?;
                self.tiny(&of)?
            }
            Node::Miny(of) => {
                // Miny(G) = −Tiny(G).
                let of = take(of)?;
                let of = self.negative(of)?;
                let tiny = self.tiny(&of)?;
                self.negative(tiny)?
            }
            Node::Multiple(times, of) => {
                let of = take(of)?;
                self.multiple(times, of, place)?
            }
            Node::Add(a, b) => {
                let (a, b) = (take(a)?, take(b)?);
                self.sum(a, b, place)?
            }
            Node::Ordinal(a, b) => {
                let (a, b) = (take(a)?, take(b)?);
                self.ordinal(&a, &b)?
            }
            Node::Sides(a, b) => {
                let (a, b) = (take(a)?, take(b)?);
                let sides = Sides { onside: a.sides.onside, offside: b.sides.offside };
                if let (Some(onside), Some(offside)) = (sides.onside, sides.offside)
                    && !self.stoppers.ge(onside, offside, self.work)?
                {
                    let message = "in `G & H`, G must be at least H: there is no such game";
                    return Err(NotationError::at(place, message).into());
                }
                Game { sides, terms: None }
            }
        };
        Ok(Some(game))
    }

    /// The game whose graph was built with the start first. What is a stopper in it is not
    /// simplified again.
    fn built(&mut self, builder: Builder) -> Result<Game, Interrupted> {
        let (graph, known) = builder.finish();
        let sides = self.stoppers.sides_knowing(&graph, 0, &known, self.work)?;
        Ok(Game::of_graph(graph, sides))
    }

    /// Braces with all braces in them, as one graph.
    fn braces(&mut self, root: u32, games: &mut [Option<Game>]) -> Result<Game, Interrupted> {
        let expression = self.expression;
        let mut builder = Builder::default();
        let mut vertices: FxHashMap<u32, Vertex> = FxHashMap::default();
        let mut waiting = vec![root];
        vertices.insert(root, builder.vertex(self.work)?);
        while let Some(node) = waiting.pop() {
            let Node::Brace { left, right } = expression.nodes[node as usize] else { continue };
            let from = vertices[&node];
            for (player, (start, end)) in Player::BOTH.into_iter().zip([left, right]) {
                for &option in &expression.options[start as usize..end as usize] {
                    self.work.count()?;
                    let option = match expression.nodes[option as usize] {
                        Node::Reference { scope } => expression.scopes[scope as usize],
                        Node::Pass => node,
                        _ => option,
                    };
                    let game = games.get_mut(option as usize).and_then(Option::take);
                    let to = if let Some(&to) = vertices.get(&option) {
                        to
                    } else if let Some(game) = game {
                        self.embed(&mut builder, &game)?
                    } else {
                        let to = builder.vertex(self.work)?;
                        vertices.insert(option, to);
                        waiting.push(option);
                        to
                    };
                    builder.options[from as usize][player.index()].push(to);
                }
            }
        }
        self.built(builder)
    }

    /// A game as part of a graph, in the form as given; what it equals is kept with it.
    fn embed(&mut self, builder: &mut Builder, game: &Game) -> Result<Vertex, Interrupted> {
        let vertex = match game.terms.as_deref() {
            Some([(term, 1)]) => builder.term(self.stoppers, term, self.work)?,
            Some(terms) => {
                let graph = product(self.stoppers, terms, self.work)?;
                builder.graph(&graph, self.work)?
            }
            // Reading refuses games without a graph here.
            None => return builder.vertex(self.work),
        };
        if let Some(stopper) = game.sides.stopper() {
            builder.equal.insert(vertex, stopper);
        }
        Ok(vertex)
    }

    /// A game as part of a graph, in canonical form if it equals a stopper.
    fn embed_simplified(
        &mut self,
        builder: &mut Builder,
        game: &Game,
    ) -> Result<Vertex, Interrupted> {
        match game.sides.stopper() {
            Some(stopper) => builder.stopper(self.stoppers, stopper, self.work),
            None => self.embed(builder, game),
        }
    }

    /// {G,H,…|−G,−H,…}.
    fn switch(&mut self, options: Vec<Game>) -> Result<Game, Interrupted> {
        let mut builder = Builder::default();
        let start = builder.vertex(self.work)?;
        let mut sides = [Vec::new(), Vec::new()];
        for game in options {
            sides[0].push(self.embed_simplified(&mut builder, &game)?);
            let negative = self.negative(game)?;
            sides[1].push(self.embed_simplified(&mut builder, &negative)?);
        }
        builder.options[start as usize] = sides;
        self.built(builder)
    }

    /// {0||0|G}.
    fn tiny(&mut self, game: &Game) -> Result<Game, Interrupted> {
        let mut builder = Builder::default();
        let [start, threat] = [builder.vertex(self.work)?, builder.vertex(self.work)?];
        let zero = builder.stopper(self.stoppers, Stoppers::ZERO, self.work)?;
        let gain = self.embed_simplified(&mut builder, game)?;
        builder.options[start as usize] = [vec![zero], vec![threat]];
        builder.options[threat as usize] = [vec![zero], vec![gain]];
        self.built(builder)
    }

    /// G:H: options of G, and G with options of H.
    fn ordinal(&mut self, base: &Game, upon: &Game) -> Result<Game, Interrupted> {
        let mut builder = Builder::default();
        let below = self.embed(&mut builder, base)?;
        let options = builder.options[below as usize].clone();
        // Vertices of H get the options of G as well, so they are not stoppers that G could share.
        let upper = match upon.terms.as_deref() {
            Some(terms) => product(self.stoppers, terms, self.work)?,
            None => return Ok(base.clone()),
        };
        let first = builder.graph(&upper, self.work)?;
        for vertex in first as usize..builder.options.len() {
            for (list, more) in builder.options[vertex].iter_mut().zip(&options) {
                for &to in more {
                    self.work.count()?;
                    list.push(to);
                }
            }
        }
        let graph = builder.finish().0.reachable(first);
        let sides = self.stoppers.sides(&graph, 0, self.work)?;
        Ok(Game::of_graph(graph, sides))
    }

    fn negative(&mut self, game: Game) -> Result<Game, Interrupted> {
        let onside = game.sides.offside.map(|side| self.minus(side)).transpose()?;
        let offside = game.sides.onside.map(|side| self.minus(side)).transpose()?;
        let Some(mut terms) = game.terms else {
            return Ok(Game { sides: Sides { onside, offside }, terms: None });
        };
        for (term, _) in &mut terms {
            match term {
                Term::Stopper(stopper) => *stopper = self.minus(*stopper)?,
                // dud is its own negative, and stays one graph.
                Term::Graph(graph) if Arc::ptr_eq(graph, &self.dud) => {}
                Term::Graph(graph) => *graph = Arc::new(graph.negative()),
            }
        }
        Ok(Game { sides: Sides { onside, offside }, terms: Some(terms) })
    }

    /// The negative of a stopper; that of a number is known as such.
    fn minus(&mut self, stopper: Stopper) -> Result<Stopper, Interrupted> {
        match self.stoppers.number_of(stopper) {
            Some(number) => self.stoppers.number(number.negative(), self.work),
            None => Ok(self.stoppers.negative(stopper)),
        }
    }

    /// The number that a game equals.
    fn number(&self, game: &Game) -> Option<Dyadic> {
        self.stoppers.number_of(game.sides.stopper()?)
    }

    fn build(&mut self, number: Dyadic, place: usize) -> Result<Stopper, EvaluateError> {
        if number.fits() {
            return Ok(self.stoppers.number(number, self.work)?);
        }
        let message = format!("this adds up to a number larger than {}", Dyadic::MOST);
        Err(NotationError::at(place, message).into())
    }

    fn sum(&mut self, a: Game, b: Game, place: usize) -> Result<Game, EvaluateError> {
        let sides = match (self.number(&a), self.number(&b)) {
            // Numbers are added as such: a million and a million have 10¹² pairs of followers.
            (Some(x), Some(y)) => Sides::of(self.build(x.plus(y), place)?),
            _ => self.stoppers.sum(a.sides, b.sides, self.work)?,
        };
        let sides = self.retry(sides, &[(&a, 1), (&b, 1)])?;
        let terms = match (a.into_terms(), b.into_terms()) {
            (Some(a), Some(b)) => Some(joined(a, b)),
            _ => None,
        };
        Ok(Game { sides, terms })
    }

    /// Finds the sides of a sum where those of an operand are not known.
    fn retry(&mut self, sides: Sides, operands: &[(&Game, u32)]) -> Result<Sides, Interrupted> {
        let Sides { mut onside, mut offside } = sides;
        let lacks = |side: fn(&Sides) -> Option<Stopper>| {
            operands.iter().any(|(game, _)| side(&game.sides).is_none())
        };
        if onside.is_none()
            && lacks(|sides| sides.onside)
            && let Some(terms) = side_terms(operands, |sides| sides.onside)
        {
            let graph = product(self.stoppers, &terms, self.work)?;
            onside = self.stoppers.onside(&graph, 0, self.work)?;
        }
        if offside.is_none()
            && lacks(|sides| sides.offside)
            && let Some(terms) = side_terms(operands, |sides| sides.offside)
        {
            let graph = product(self.stoppers, &terms, self.work)?.negative();
            let found = self.stoppers.onside(&graph, 0, self.work)?;
            offside = found.map(|side| self.stoppers.negative(side));
        }
        Ok(Sides { onside, offside })
    }

    /// n*G, by adding one G after the other.
    fn multiple(&mut self, times: u32, game: Game, place: usize) -> Result<Game, EvaluateError> {
        if times == 1 {
            return Ok(game);
        }
        if times == 0 {
            return Ok(Game::of_stopper(Stoppers::ZERO));
        }
        if let Some(number) = self.number(&game) {
            // Both factors are below 2⁶¹ and 2²⁰.
            let numerator = i128::from(number.numerator) * i128::from(times);
            let number = match i64::try_from(numerator) {
                Ok(numerator) => Dyadic::new(numerator, number.exponent),
                Err(_) => Dyadic { numerator: i64::MAX, exponent: 0 },
            };
            return Ok(Game::of_stopper(self.build(number, place)?));
        }
        // The last partial sum that equals a stopper, and how many games were added to it.
        let (mut reduced, mut more) = (None, 1);
        let mut sides = game.sides;
        for _ in 1..times {
            self.work.count()?;
            if let Some(stopper) = sides.stopper() {
                (reduced, more) = (Some(stopper), 0);
            }
            sides = self.stoppers.sum(sides, game.sides, self.work)?;
            more += 1;
        }
        let sides = self.retry(sides, &[(&game, times)])?;
        let terms = game.into_terms().map(|terms| {
            let reduced = reduced.map(|stopper| (Term::Stopper(stopper), 1));
            let rest = terms.into_iter().map(|(term, n)| (term, n.saturating_mul(more)));
            joined(reduced.into_iter().collect(), rest)
        });
        Ok(Game { sides, terms })
    }
}

/// The terms of a sum for one side: that side of each operand, or its graph where it is not found.
fn side_terms(
    operands: &[(&Game, u32)],
    side: impl Fn(&Sides) -> Option<Stopper>,
) -> Option<Vec<(Term, u32)>> {
    let mut all = Vec::new();
    for &(game, times) in operands {
        let terms = match side(&game.sides) {
            Some(stopper) => vec![(Term::Stopper(stopper), 1)],
            None => game.terms.clone()?,
        };
        all = joined(all, terms.into_iter().map(|(term, n)| (term, n.saturating_mul(times))));
    }
    Some(all)
}
