//! Values part by part: what an option leaves is a sum, and its value is the sum of the values.
//!
//! No product of components is built. Parts are settled in an order in which each comes after those
//! that it leads to; parts that lead to each other are settled together.
//!
//! - **Without cycles** a part is settled by its options alone: by the mex rule, or by that of the
//!   entailing theory [LNS2021, Thm 20]. For an entailing move one must know what it wins beside:
//!   the complement of what the replies win beside, and a reply is a move in one of the parts that
//!   are due, with the other parts as a value beside it. If such a reply entails, that comes first;
//!   a stack holds what waits.
//! - **With cycles and carry-on moves** the strongly connected components of the explored graph are
//!   settled one after the other. Within one, everything that was settled before is replaced by the
//!   simplest game of its value ([`representative`](crate::impartial::representative)), and the
//!   result is labelled as any digraph. This is exact: what an option adds to the wins, the exits
//!   and the forced values of a node depends on its value alone [ACLNSS, Thm 2.4, Thm 2.5], and so
//!   what the options leave may be a sum.
//! - A part that leads to itself *beside* another part grows without end, and has infinitely many
//!   followers. It is rejected by name.
//! - **With cycles and entailing moves** no algebra is known. Then [`super::digraph`] makes a
//!   digraph of whole components, whose nodes are lists of parts, within the budget; outcome and
//!   turn come from search.

use rustc_hash::FxHashMap;
use thiserror::Error;

use super::digraph::{State, has_several_options};
use super::{Exploration, Part};
use crate::graph::components::strongly_connected;
use crate::graph::digraph::{Digraph, Node};
use crate::impartial::nimbers::{NimberSet, Nimbers};
use crate::impartial::representative::{RepresentativeError, representative};
use crate::impartial::theory::{Theory, label};
use crate::impartial::value::{AnyValue, EntailingValue, Value};
use crate::limits::{Interrupted, Limit, Work};
use crate::ruleset::{Fault, Kind};

/// What kinds of moves there are among the parts, and whether they go round in circles.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts, no states")]
pub struct Shape {
    /// Whether some part leads back to itself.
    pub cyclic: bool,
    /// Whether some option leaves several parts.
    pub splits: bool,
    /// Whether some option is a carry-on move.
    pub again: bool,
    /// Whether some option is an entailing move, or some position must be answered.
    pub entailing: bool,
    /// Whether some entailing move, or some position that must be answered, has several answers, as
    /// far as that was explored. Answers that leave the same are one, as they are in the
    /// [digraph](super::digraph), where the carry-on theory needs gray nodes with one option.
    pub several_answers: bool,
    /// A part that leads to itself beside another part.
    pub grows: Option<Part>,
    /// Parts that lead to each other, each list after all those that it leads to.
    components: Vec<Vec<Part>>,
}

impl Shape {
    /// Visits all that was explored.
    pub fn new(exploration: &Exploration) -> Self {
        let expanded = |part: &Part| exploration.is_expanded(*part);
        let components = strongly_connected(exploration.len(), |part, list| {
            if exploration.is_expanded(part) {
                list.extend(exploration.options(part).flat_map(|(_, left)| left));
            }
        });
        let mut place = vec![0_u32; exploration.len()];
        for (i, component) in components.iter().enumerate() {
            for &part in component {
                place[part as usize] = i as u32;
            }
        }
        let mut shape = Self {
            cyclic: components.iter().any(|component| component.len() > 1),
            splits: false,
            again: false,
            entailing: false,
            several_answers: false,
            grows: None,
            components,
        };
        let several = |parts: &[Part]| {
            let due = parts.iter().copied().filter(expanded).collect();
            has_several_options(exploration, &State::Entailed { due, beside: [].into() })
        };
        for part in (0..exploration.len() as Part).filter(expanded) {
            let (field, position) = exploration.position(part);
            let due = exploration.field(field).must_be_answered(position);
            shape.entailing |= due;
            shape.several_answers = shape.several_answers || due && several(&[part]);
            for (kind, left) in exploration.options(part) {
                shape.splits |= left.len() > 1;
                shape.again |= kind == Kind::Again;
                let entails = kind == Kind::Entailing;
                shape.entailing |= entails;
                shape.several_answers = shape.several_answers || entails && several(left);
                shape.cyclic |= left.contains(&part);
                let back = |other: &&Part| place[**other as usize] == place[part as usize];
                if left.len() > 1 && shape.grows.is_none() && left.iter().any(|other| back(&other))
                {
                    shape.grows = Some(part);
                }
            }
        }
        shape
    }

    /// What is against a theory that does not fit.
    pub(crate) fn against(&self, theory: Theory) -> &'static str {
        match theory {
            Theory::Short | Theory::Cyclic if self.entailing => "there are entailing moves",
            Theory::Short | Theory::Cyclic if self.again => "there are carry-on moves",
            Theory::CarryOn => "there are entailing moves with several answers",
            _ => "play can go round in circles",
        }
    }

    /// The smallest theory that fits; none where entailing moves and cycles meet, which only the
    /// digraph can decide.
    pub fn theory(&self) -> Option<Theory> {
        match (self.cyclic, self.again, self.entailing) {
            (false, false, false) => Some(Theory::Short),
            (false, _, _) => Some(Theory::Entailing),
            (true, false, false) => Some(Theory::Cyclic),
            (true, true, false) => Some(Theory::CarryOn),
            (true, _, true) => None,
        }
    }
}

/// Why the values of parts are not known.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum PartsError {
    /// The rules failed, or a position has too many options.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The work was interrupted.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

/// The values of all parts.
#[derive(Clone, Debug)]
pub struct PartValues {
    theory: Theory,
    values: Values,
    /// For each part, its place in the order in which values were found: the measure that falls.
    places: Vec<u32>,
    /// What the mover wins beside, for parts that an entailing move left.
    covers: FxHashMap<Box<[Part]>, NimberSet>,
}

#[derive(Clone, Debug)]
enum Values {
    Entailing(Vec<EntailingValue>),
    CarryOn(Vec<Value>),
}

impl PartValues {
    /// Finds the values of all parts in a theory that [`Shape::theory`] allows: that one or, for
    /// carry-on moves without cycles, the carry-on theory.
    ///
    /// # Errors
    /// When the rules fail, or the work is interrupted.
    pub fn new(
        exploration: &mut Exploration,
        shape: &Shape,
        theory: Theory,
        work: &Work,
    ) -> Result<Self, PartsError> {
        let mut pace = work.pace();
        let mut places = vec![0; exploration.len()];
        let acyclic = matches!(theory, Theory::Short | Theory::Entailing);
        let mut found = Self {
            theory,
            values: if acyclic {
                Values::Entailing(vec![EntailingValue::Nimber(0); exploration.len()])
            } else {
                Values::CarryOn(vec![Value::ZERO; exploration.len()])
            },
            places: Vec::new(),
            covers: FxHashMap::default(),
        };
        let mut settled = 0;
        for component in &shape.components {
            pace.step()?;
            let order = found.settle(exploration, component, work)?;
            for part in order {
                places[part as usize] = settled;
                settled += 1;
            }
        }
        found.places = places;
        Ok(found)
    }

    /// The theory of the values.
    pub fn theory(&self) -> Theory {
        self.theory
    }

    /// The place of a part in the order in which values were found.
    pub(crate) fn place(&self, part: Part) -> u32 {
        self.places.get(part as usize).copied().unwrap_or(u32::MAX)
    }

    /// The value of a part.
    pub fn value(&self, exploration: &Exploration, part: Part) -> AnyValue {
        match &self.values {
            Values::Entailing(_) => self.any(self.entailing(exploration, part)),
            Values::CarryOn(values) => AnyValue::CarryOn(values[part as usize].clone()),
        }
    }

    /// The value of the sum of these parts.
    pub fn total(&self, exploration: &Exploration, parts: &[Part]) -> AnyValue {
        match &self.values {
            Values::Entailing(_) => self.any(self.entailing_total(exploration, parts)),
            Values::CarryOn(values) => AnyValue::CarryOn(total(values, parts)),
        }
    }

    fn any(&self, value: EntailingValue) -> AnyValue {
        match (self.theory, value) {
            (Theory::Short, EntailingValue::Nimber(n)) => AnyValue::CarryOn(Value::Nimber(n)),
            _ => AnyValue::Entailing(value),
        }
    }

    /// Whether the value of a part is known. That of a part met later is only where a theorem or a
    /// search has it.
    pub(crate) fn knows(&self, exploration: &Exploration, part: Part) -> bool {
        let settled = match &self.values {
            Values::Entailing(values) => values.len(),
            Values::CarryOn(values) => values.len(),
        };
        (part as usize) < settled || exploration.leaf_value(part).is_some()
    }

    /// The value of a part without cycles: as settled or, met later, by a theorem or a search.
    fn entailing(&self, exploration: &Exploration, part: Part) -> EntailingValue {
        if let Values::Entailing(values) = &self.values
            && let Some(&value) = values.get(part as usize)
        {
            return value;
        }
        exploration.leaf_value(part).unwrap_or(EntailingValue::Nimber(0))
    }

    fn entailing_total(&self, exploration: &Exploration, parts: &[Part]) -> EntailingValue {
        let values = parts.iter().map(|&part| self.entailing(exploration, part));
        values.fold(EntailingValue::Nimber(0), |sum, value| sum + value)
    }

    /// Finds the values of parts that lead to each other, and gives them in the order in which
    /// they were found.
    fn settle(
        &mut self,
        exploration: &mut Exploration,
        component: &[Part],
        work: &Work,
    ) -> Result<Vec<Part>, PartsError> {
        let single = match component {
            &[part] => !exploration.is_expanded(part) || !leads_to_itself(exploration, part),
            _ => false,
        };
        match &mut self.values {
            Values::Entailing(_) => {
                for &part in component {
                    let value = self.settle_entailing(exploration, part, work)?;
                    if let Values::Entailing(values) = &mut self.values {
                        values[part as usize] = value;
                    }
                }
                Ok(component.to_vec())
            }
            Values::CarryOn(values) if single => {
                for &part in component {
                    values[part as usize] = settle_carry_on(exploration, values, part);
                }
                Ok(component.to_vec())
            }
            Values::CarryOn(values) => settle_together(exploration, values, component, work),
        }
    }

    /// A part all of whose followers are settled, in a game without cycles.
    fn settle_entailing(
        &mut self,
        exploration: &mut Exploration,
        part: Part,
        work: &Work,
    ) -> Result<EntailingValue, PartsError> {
        if !exploration.is_expanded(part) {
            return Ok(exploration.leaf_value(part).unwrap_or(EntailingValue::Nimber(0)));
        }
        let entailed = exploration.options(part).filter(|(kind, _)| *kind == Kind::Entailing);
        let entailed: Vec<Box<[Part]>> = entailed.map(|(_, left)| left.into()).collect();
        for due in &entailed {
            self.cover(exploration, due, usize::MAX, work)?;
        }
        let mut wins = Gathered::default();
        for (kind, left) in exploration.options(part) {
            self.gather(exploration, &mut wins, kind, left, EntailingValue::Nimber(0));
        }
        Ok(wins.finish().mex().map_or(EntailingValue::Moon, EntailingValue::Nimber))
    }

    /// The nim-heaps beside which an entailing move to `due` wins.
    ///
    /// # Errors
    /// When there are more than `limit` options to visit, the rules fail, or the work is
    /// interrupted.
    pub(crate) fn cover(
        &mut self,
        exploration: &mut Exploration,
        due: &[Part],
        limit: usize,
        work: &Work,
    ) -> Result<NimberSet, PartsError> {
        let mut pace = work.pace();
        // What an entailing move entails is computed first; a stack, since that may go on.
        let mut room = limit;
        let mut waiting: Vec<Box<[Part]>> = vec![due.into()];
        while let Some(next) = waiting.pop() {
            pace.step()?;
            if self.covers.contains_key(&next) {
                continue;
            }
            if let [part] = *next
                && !exploration.is_expanded(part)
            {
                let (field, position) = exploration.position(part);
                if let Some(known) = exploration.field(field).theorem_due(position) {
                    self.covers.insert(next, known);
                    continue;
                }
            }
            let mut replies = Vec::new();
            for (i, &part) in next.iter().enumerate() {
                let beside: Vec<Part> =
                    next.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, &p)| p).collect();
                let beside = self.entailing_total(exploration, &beside);
                let options = options_of(exploration, part, room)?;
                room = room.saturating_sub(options.len());
                replies.extend(options.into_iter().map(|(kind, left)| (kind, left, beside)));
            }
            let unknown = replies.iter().filter(|(kind, left, _)| {
                *kind == Kind::Entailing && !self.covers.contains_key(left.as_slice())
            });
            let unknown: Vec<Box<[Part]>> =
                unknown.map(|(_, left, _)| left.as_slice().into()).collect();
            if !unknown.is_empty() {
                waiting.push(next);
                waiting.extend(unknown);
                continue;
            }
            let mut wins = Gathered::default();
            for (kind, left, beside) in &replies {
                self.gather(exploration, &mut wins, *kind, left, *beside);
            }
            self.covers.insert(next, wins.finish().complement());
        }
        Ok(self.covers.get(due).cloned().unwrap_or(NimberSet::nothing()))
    }

    /// Adds the nim-heaps beside which a move wins.
    fn gather(
        &self,
        exploration: &Exploration,
        wins: &mut Gathered,
        kind: Kind,
        left: &[Part],
        beside: EntailingValue,
    ) {
        let value = || self.entailing_total(exploration, left) + beside;
        match kind {
            Kind::Ordinary => {
                if let EntailingValue::Nimber(n) = value() {
                    wins.numbers.push(n);
                }
            }
            Kind::Again => wins.all_except(match value() {
                EntailingValue::Nimber(n) => Nimbers::from([n]),
                EntailingValue::Moon => Nimbers::EMPTY,
            }),
            Kind::Entailing => match (self.covers.get(left), beside) {
                (None, _) | (Some(NimberSet::Only(_)), EntailingValue::Moon) => {}
                (Some(NimberSet::Only(set)), EntailingValue::Nimber(n)) => {
                    wins.numbers.extend(set.iter().map(|element| element ^ n));
                }
                (Some(NimberSet::AllExcept(set)), EntailingValue::Nimber(n)) => {
                    wins.all_except(set.nim_add(n));
                }
                (Some(NimberSet::AllExcept(_)), EntailingValue::Moon) => {
                    wins.all_except(Nimbers::EMPTY);
                }
            },
        }
    }
}

/// The options of any part, expanded or not.
pub(crate) fn options_of(
    exploration: &mut Exploration,
    part: Part,
    limit: usize,
) -> Result<Vec<(Kind, Vec<Part>)>, Fault> {
    if !exploration.is_expanded(part) {
        return exploration.options_of_leaf(part, limit);
    }
    let options = exploration.options(part).map(|(kind, left)| (kind, left.to_vec()));
    let options: Vec<_> = options.collect();
    if options.len() > limit { Err(Fault::TooMany { limit }) } else { Ok(options) }
}

/// A union of sets of nimbers, in the making.
#[derive(Default)]
struct Gathered {
    numbers: Vec<u64>,
    /// If some set had all but these.
    except: Option<Nimbers>,
}

impl Gathered {
    fn all_except(&mut self, without: Nimbers) {
        self.except = Some(match self.except.take() {
            None => without,
            Some(known) => known.iter().filter(|&n| without.contains(n)).collect(),
        });
    }

    fn finish(self) -> NimberSet {
        let Self { numbers, except } = self;
        let numbers: Nimbers = numbers.into_iter().collect();
        match except {
            None => NimberSet::Only(numbers),
            Some(without) => {
                NimberSet::all_except(without.iter().filter(|&n| !numbers.contains(n)))
            }
        }
    }
}

fn leads_to_itself(exploration: &Exploration, part: Part) -> bool {
    exploration.options(part).any(|(_, left)| left.contains(&part))
}

fn total(values: &[Value], parts: &[Part]) -> Value {
    parts.iter().map(|&part| &values[part as usize]).sum()
}

/// A part that does not lead back to itself and all of whose followers are settled, in the
/// carry-on theory; the rules are those of [`crate::impartial::theory::carry_on`] for one node.
fn settle_carry_on(exploration: &Exploration, values: &[Value], part: Part) -> Value {
    let (mut to, mut again) = (Vec::new(), Vec::new());
    for (kind, left) in exploration.options(part) {
        let list = if kind == Kind::Again { &mut again } else { &mut to };
        list.push(total(values, left));
    }
    if again.contains(&Value::FullMoon) {
        return Value::FullMoon;
    }
    let mut wins = Gathered::default();
    wins.numbers.extend(to.iter().filter_map(Value::nimber));
    for value in &again {
        match value.wins_beside() {
            NimberSet::Only(set) => wins.numbers.extend(set.iter()),
            NimberSet::AllExcept(set) => wins.all_except(set),
        }
    }
    let forced = again.iter().flat_map(|value| match value {
        Value::Nimber(n) | Value::Ninny(n) => vec![*n],
        Value::Moon(forced) => forced.iter().collect(),
        Value::FullMoon | Value::Cyclic(_) => Vec::new(),
    });
    let forced: Nimbers = forced.collect();
    let exits =
        to.iter().filter_map(Value::nimber).chain(again.iter().flat_map(|value| match value {
            Value::Cyclic(exits) => exits.iter().collect(),
            _ => Vec::new(),
        }));
    let exits: Nimbers = exits.collect();
    let Some(mex) = wins.finish().mex() else { return Value::Moon(forced) };
    let loses = to.iter().all(|value| value.wins_beside().contains(mex))
        && again.iter().all(|value| *value == Value::Nimber(mex));
    match forced.as_slice() {
        _ if loses => Value::Nimber(mex),
        [] => Value::Cyclic(exits),
        [only] => Value::Ninny(*only),
        _ => Value::Moon(forced),
    }
}

/// Parts that lead to each other: a digraph of them, with simple games in place of what is settled.
fn settle_together(
    exploration: &Exploration,
    values: &mut [Value],
    component: &[Part],
    work: &Work,
) -> Result<Vec<Part>, PartsError> {
    let mut sketch = Sketch::default();
    let nodes: FxHashMap<Part, Node> =
        component.iter().map(|&part| (part, sketch.node())).collect();
    for &part in component {
        let from = nodes[&part];
        for (kind, left) in exploration.options(part) {
            let to = match left {
                [only] if nodes.contains_key(only) => nodes[only],
                _ => sketch.game(&total(values, left), work)?,
            };
            let to = if kind == Kind::Again { sketch.again(to) } else { to };
            sketch.arcs.push((from, to));
        }
    }
    let Sketch { len, gray, arcs, .. } = sketch;
    // The parts were counted when they were found.
    let work = &work.child(work.limits().positions(u64::MAX));
    let labelled = Digraph::new(len as usize, gray, arcs)
        .ok()
        .and_then(|digraph| label(&digraph, Some(Theory::CarryOn), work).ok());
    let Some(labelling) = labelled else {
        unreachable!("gray nodes have one option, so the carry-on theory fits")
    };
    if let Some(interrupted) = labelling.interrupted() {
        return Err(interrupted.into());
    }
    for &part in component {
        let Some(AnyValue::CarryOn(value)) = labelling.value(nodes[&part]) else {
            unreachable!("parts are white nodes")
        };
        values[part as usize] = value;
    }
    let mut place = vec![u32::MAX; labelling.len()];
    for (i, &node) in labelling.order().iter().enumerate() {
        place[node as usize] = i as u32;
    }
    let mut order = component.to_vec();
    order.sort_by_key(|part| place[nodes[part] as usize]);
    Ok(order)
}

/// How many arcs the simplest games may have together; a nim-heap of n has n²/2.
const MOST_ARCS: u64 = 50_000_000;

/// A digraph in the making.
#[derive(Default)]
struct Sketch {
    len: Node,
    gray: Vec<Node>,
    arcs: Vec<(Node, Node)>,
    games: FxHashMap<Value, Node>,
    onto: FxHashMap<Node, Node>,
}

impl Sketch {
    fn node(&mut self) -> Node {
        self.len += 1;
        self.len - 1
    }

    /// A gray node whose one option is `to`.
    fn again(&mut self, to: Node) -> Node {
        if let Some(&gray) = self.onto.get(&to) {
            return gray;
        }
        let gray = self.node();
        self.gray.push(gray);
        self.arcs.push((gray, to));
        self.onto.insert(to, gray);
        gray
    }

    /// The simplest game of this value.
    fn game(&mut self, value: &Value, work: &Work) -> Result<Node, PartsError> {
        if let Some(&node) = self.games.get(value) {
            return Ok(node);
        }
        work.check()?;
        let room =
            work.child(work.limits().positions(MOST_ARCS.saturating_sub(self.arcs.len() as u64)));
        let form =
            representative(&AnyValue::CarryOn(value.clone()), &room).map_err(
                |error| match error {
                    RepresentativeError::Interrupted { interrupted, .. }
                        if interrupted.limit() != Some(Limit::Positions) =>
                    {
                        PartsError::Interrupted(interrupted)
                    }
                    error => PartsError::Fault(Fault::Rules(error.to_string())),
                },
            )?;
        let offset = self.len;
        self.len += form.digraph.len() as Node;
        self.gray.extend(form.digraph.gray_nodes().map(|node| node + offset));
        self.arcs.extend(form.digraph.arcs().map(|(from, to)| (from + offset, to + offset)));
        self.games.insert(value.clone(), form.start + offset);
        Ok(form.start + offset)
    }
}
