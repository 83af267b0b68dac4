//! Which question to search next, where one is too large for a single search.
//!
//! A depth-first search keeps to the option that it searched first. On small boards that costs
//! little; on large ones a guess that was wrong near the top costs more than all the rest. So large
//! questions make a tree, and each has two numbers: how many positions it seems to take to answer
//! it with yes, and with no. A question "is the value of G n?" has the answer yes if none of its
//! options has the value n, and for each m < n one has the value m. So the number for no of a
//! question is the least number for yes among the options in question for n, and its number for yes
//! is made of the numbers for no of all of them; and for m < n the other way round. The next
//! question to search is found from the top, always through the option that takes least to answer
//! with yes. These are the proof numbers of [Allis1994], with two departures:
//!
//! - *Guesses in place of ones.* What is not yet searched has the positions that graphs of its cost
//!   took, by how likely each answer is.
//! - *The largest, and little of the others.* Options share most of the positions below them, so
//!   those that all must be searched count with their largest number and a twentieth of the others.
//!
//! The depth-first search answers questions that seem small ([`super::search`]), within a limit; if
//! that is hit, they make a part of the tree as well. All of them share one table, so nothing is
//! lost that was found before a limit. Answered questions leave the tree.
//!
//! On the board of 3×6 this takes a quarter of the time of the depth-first search alone.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use nimoon::limits::Interrupted;

use super::knowledge::Knowledge;
use super::search::{Beside, Part, Search};
use super::table::Known;

/// How many positions graphs of cost 400 take, and by how much a cost is more if they are twice as
/// many: rough, from boards up to 4×4.
const AT_400: f64 = 1000.0;
const TWICE: f64 = 10.0;

/// How often the answer is yes for the likely value, and for values above 1.
const LIKELY: f64 = 0.85;
const LARGE_VALUE: f64 = 0.03;

/// What all others count beside the largest number.
const OTHERS: f64 = 0.05;

/// Limits of the depth-first search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Depth {
    /// What seems to take more positions is not.
    pub(super) small: f64,
    /// How many positions it has for a question.
    pub(super) most: u64,
    /// What takes less than this share of all positions so far is small too. A question costs the
    /// tree as much as some dozens of positions, and the larger the board, the less does a wrong
    /// choice of this size cost.
    pub(super) share: f64,
}

impl Default for Depth {
    fn default() -> Self {
        Self { small: 30_000.0, most: 200_000, share: 1.0 / 512.0 }
    }
}

impl Depth {
    /// All questions are for the tree.
    #[cfg(test)]
    pub(super) const NONE: Self = Self { small: 0.0, most: 0, share: 0.0 };

    /// The same after this many positions.
    pub(super) fn after(self, positions: u64) -> Self {
        let share = self.share * positions as f64;
        let most = self.most.max(whole(MOST_BY_SHARE * share));
        Self { small: self.small.max(share), most, ..self }
    }
}

/// What seems to take this share of all positions may take so many times as many.
const MOST_BY_SHARE: f64 = 4.0;

/// A question that took the depth-first search too long leads to others that take this part of its
/// limit at least.
const AT_LEAST: f64 = 0.3;

/// By how much the numbers of a question grow while a thread is at it, so that others look
/// elsewhere.
const TAKEN: f64 = 4.0;

/// How many bytes a question takes, about: with its code, its place among others and its parents.
const BYTES: u64 = 300;

/// How many positions it seems to take to answer with yes, and with no.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Numbers {
    yes: f64,
    no: f64,
}

impl Numbers {
    const YES: Self = Self { yes: 0.0, no: f64::INFINITY };
    const NO: Self = Self { yes: f64::INFINITY, no: 0.0 };

    fn answer(self) -> Option<bool> {
        if self.yes == 0.0 {
            Some(true)
        } else if self.no == 0.0 {
            Some(false)
        } else {
            None
        }
    }
}

/// The numbers of several questions of which all must be answered.
#[derive(Clone, Copy, Default)]
struct Together {
    largest: f64,
    sum: f64,
}

impl Together {
    fn add(&mut self, number: f64) {
        self.largest = self.largest.max(number);
        self.sum += number;
    }

    fn number(self) -> f64 {
        if self.largest.is_infinite() {
            return self.largest;
        }
        self.largest + OTHERS * (self.sum - self.largest)
    }
}

/// A place in the tree.
type Place = u32;

/// The parent of a question that no other question needs.
const NO_PARENT: Place = Place::MAX;

/// Whether an option has one value, for all options that may have it.
#[derive(Debug)]
struct Subquestion {
    /// Whether this is the value in question, which no option may have, or one below it.
    forbidden: bool,
    /// Those that were not answered with no.
    options: Vec<Place>,
}

#[derive(Debug)]
struct Question {
    part: Part,
    value: u8,
    /// How many positions it takes, as far as was seen before its options were.
    work: f64,
    /// Whether the depth-first search has tried it.
    tried: bool,
    /// Whether a thread is at it.
    taken: bool,
    numbers: Numbers,
    /// The questions about its options, once these are found, and how many those were.
    subquestions: Option<Vec<Subquestion>>,
    all: usize,
    /// The questions that led to this one.
    parents: Vec<Place>,
}

/// A question for a thread.
#[derive(Debug)]
pub(super) struct Task {
    place: Place,
    part: Part,
    value: u8,
    /// How many positions the depth-first search may visit; none if it is not worth trying.
    most: Option<u64>,
}

/// Questions that led from one to others.
pub(super) struct Tree<'a> {
    known: Knowledge<'a>,
    questions: Vec<Question>,
    /// Places whose questions are gone.
    free: Vec<Place>,
    places: HashMap<(u64, u8), Place>,
    /// How many questions there may be.
    most: usize,
    depth: Depth,
    /// How many positions the depth-first search has visited.
    positions: u64,
}

impl<'a> Tree<'a> {
    /// The place of the first question.
    const TOP: Place = 0;

    /// A tree for the question whether a part has this value, with this many bytes for all
    /// questions.
    pub(super) fn new(
        known: Knowledge<'a>,
        part: &Part,
        value: u8,
        bytes: u64,
        depth: Depth,
    ) -> Self {
        let most = usize::try_from(bytes / BYTES).unwrap_or(usize::MAX).min(1 << 31);
        let (questions, free, places) = (Vec::new(), Vec::new(), HashMap::new());
        let mut tree = Self { known, questions, free, places, most, depth, positions: 0 };
        tree.add(part.clone(), value, 0.0, NO_PARENT);
        tree
    }

    fn at(&self, place: Place) -> &Question {
        &self.questions[place as usize]
    }

    fn at_mut(&mut self, place: Place) -> &mut Question {
        &mut self.questions[place as usize]
    }

    /// How many questions there are.
    pub(super) fn len(&self) -> usize {
        self.questions.len() - self.free.len()
    }

    /// The answer to the first question.
    pub(super) fn answer(&self) -> Option<bool> {
        self.at(Self::TOP).numbers.answer()
    }

    /// Adds a question, or finds it.
    fn add(&mut self, part: Part, value: u8, at_least: f64, parent: Place) -> Place {
        let key = (part.hash, value);
        if let Some(&place) = self.places.get(&key)
            && self.at(place).part.code == part.code
        {
            self.at_mut(place).parents.push(parent);
            return place;
        }
        self.known.recall(part.hash, &part.code);
        let question = Question {
            value,
            work: usual_work(&part).max(at_least),
            tried: false,
            taken: false,
            numbers: Numbers { yes: 1.0, no: 1.0 },
            subquestions: None,
            all: 0,
            parents: vec![parent],
            part,
        };
        let place = self.free.pop().unwrap_or(self.questions.len() as Place);
        if place as usize == self.questions.len() {
            self.questions.push(question);
        } else {
            *self.at_mut(place) = question;
        }
        self.places.insert(key, place);
        self.at_mut(place).numbers = self.numbers(place);
        place
    }

    /// What the numbers of a question are by what is known now.
    fn numbers(&self, place: Place) -> Numbers {
        let question = self.at(place);
        // An answer stays, also if the table forgets it.
        if question.numbers.answer().is_some() {
            return question.numbers;
        }
        // A value is at most the number of chains, with which the code begins.
        if question.part.code.first().is_some_and(|&chains| chains < question.value) {
            return Numbers::NO;
        }
        let known = self.known.get(question.part.hash, &question.part.code);
        if known.exact() == Some(question.value) {
            return Numbers::YES;
        }
        if known.excludes(question.value) {
            return Numbers::NO;
        }
        let Some(subquestions) = &question.subquestions else {
            let likely = match question.value {
                value if value == question.part.likely() => LIKELY,
                0 | 1 => 1.0 - LIKELY,
                _ => LARGE_VALUE,
            };
            let work = if question.taken { TAKEN * question.work } else { question.work };
            return Numbers { yes: work / likely, no: work / (1.0 - likely) };
        };
        let mut yes = Together::default();
        let mut no = f64::INFINITY;
        for subquestion in subquestions {
            let numbers = self.together(subquestion);
            yes.add(numbers.yes);
            no = no.min(numbers.no);
        }
        Numbers { yes: yes.number(), no }
    }

    /// The numbers of a question about all options.
    fn together(&self, subquestion: &Subquestion) -> Numbers {
        let mut none = Together::default();
        let mut some = f64::INFINITY;
        for &option in &subquestion.options {
            let numbers = self.at(option).numbers;
            none.add(numbers.no);
            some = some.min(numbers.yes);
        }
        let none = none.number();
        if subquestion.forbidden {
            Numbers { yes: none, no: some }
        } else {
            Numbers { yes: some, no: none }
        }
    }

    /// A question for a thread; none if all that should be searched now are taken.
    ///
    /// Where most likely all options must be searched, a thread that helps begins at the other end.
    pub(super) fn next(&mut self, helps: bool) -> Option<Task> {
        let mut place = Self::TOP;
        loop {
            let question = self.at(place);
            let Some(subquestions) = &question.subquestions else { break };
            let mut open =
                subquestions.iter().filter(|subquestion| self.together(subquestion).yes > 0.0);
            // Most values are 0 or 1, so a question for more is answered soonest by the least
            // number that no option has.
            let next = if question.value > 1 {
                open.next()
            } else {
                open.min_by(|a, b| self.together(a).no.total_cmp(&self.together(b).no))
            }?;
            let all_are_needed = next.forbidden == (question.numbers.yes < question.numbers.no);
            let options = next.options.iter().filter(|&&option| !self.at(option).taken);
            let by_yes = |a: &&Place, b: &&Place| {
                self.at(**a).numbers.yes.total_cmp(&self.at(**b).numbers.yes)
            };
            place = *if helps && all_are_needed {
                options.max_by(by_yes)
            } else {
                options.min_by(by_yes)
            }?;
        }
        let full = self.len() >= self.most;
        let depth = self.depth.after(self.positions);
        let question = self.at_mut(place);
        if question.taken {
            return None;
        }
        let at_once = !question.tried && usual_work(&question.part) <= depth.small;
        let most = match (full, at_once) {
            (true, _) => Some(u64::MAX),
            (false, true) => Some(depth.most),
            (false, false) => None,
        };
        question.taken = true;
        question.tried = true;
        question.parents.push(NO_PARENT);
        let task = Task { place, part: question.part.clone(), value: question.value, most };
        self.renew(place);
        Some(task)
    }

    /// How much of the first question is answered, in thousandths, as if all options took as long.
    pub(super) fn answered(&self) -> u16 {
        let (mut share, mut answered) = (1_000_000, 0);
        let mut place = Self::TOP;
        while share >= 1000 {
            let question = self.at(place);
            let Some(subquestion) = question.subquestions.as_ref().and_then(|all| all.last())
            else {
                break;
            };
            if question.numbers.yes < question.numbers.no {
                share /= question.all.max(1);
                answered += share * (question.all - subquestion.options.len());
            }
            let yes = |&&option: &&Place| self.at(option).numbers.yes;
            let Some(&next) = subquestion.options.iter().min_by(|a, b| yes(a).total_cmp(&yes(b)))
            else {
                break;
            };
            place = next;
        }
        (answered / 1000) as u16
    }

    /// Takes the answer to a question that was answered by one search; it took this many positions.
    fn settle(&mut self, task: &Task, answer: bool, positions: u64) {
        self.positions = self.positions.saturating_add(positions);
        let question = self.at_mut(task.place);
        question.taken = false;
        question.numbers = if answer { Numbers::YES } else { Numbers::NO };
        self.learn(task.place, answer, positions);
        self.renew_all(&self.at(task.place).parents.clone());
        self.leave(task.place, NO_PARENT);
    }

    /// Adds questions about the options, after the depth-first search failed within its limit.
    fn grow(&mut self, task: &Task, options: &[Beside]) {
        let has = |value| {
            let is_it = move |option: &Beside| option.part.is_none() && option.nimber == value;
            options.iter().any(is_it)
        };
        if has(task.value) {
            return self.settle(task, false, task.most.unwrap_or(1));
        }
        self.positions = self.positions.saturating_add(task.most.unwrap_or(1));
        let at_least = task.most.map_or(0.0, |most| AT_LEAST * most as f64);
        let mut subquestions = Vec::new();
        for value in (0..=task.value).filter(|&value| !has(value)) {
            let parts =
                options.iter().filter_map(|option| Some((option.part.as_ref()?, option.nimber)));
            let options = parts
                .map(|(part, nimber)| self.add(part.clone(), value ^ nimber, at_least, task.place))
                .collect();
            subquestions.push(Subquestion { forbidden: value == task.value, options });
        }
        let question = self.at_mut(task.place);
        question.taken = false;
        question.all = subquestions.last().map_or(0, |subquestion| subquestion.options.len());
        question.subquestions = Some(subquestions);
        self.renew(task.place);
        self.leave(task.place, NO_PARENT);
    }

    /// Writes the answer to a question to the table and the memory.
    fn learn(&self, place: Place, answer: bool, positions: u64) {
        let Question { part, value, .. } = self.at(place);
        let known = if answer { Known::value(*value) } else { Known::default().but_not(*value) };
        self.known.put(part.hash, &part.code, known, positions);
        self.known.keep(part.hash, &part.code, positions);
    }

    /// Computes the numbers of a question again, and of those that led to it as far as they change.
    fn renew(&mut self, place: Place) {
        self.renew_all(&[place]);
    }

    /// An option has fewer chains than what it is an option of; so each question comes once, after
    /// all that it leads to.
    fn renew_all(&mut self, places: &[Place]) {
        let mut waiting = BTreeSet::new();
        let wait = |tree: &Self, waiting: &mut BTreeSet<_>, places: &[Place]| {
            let places = places.iter().filter(|&&place| place != NO_PARENT);
            waiting.extend(places.map(|&place| (tree.at(place).part.code.first().copied(), place)));
        };
        wait(self, &mut waiting, places);
        while let Some((_, place)) = waiting.pop_first() {
            // What led to nothing else may be gone by now.
            if self.at(place).parents.is_empty() {
                continue;
            }
            let numbers = self.numbers(place);
            if self.at(place).numbers != numbers {
                self.at_mut(place).numbers = numbers;
                wait(self, &mut waiting, &self.at(place).parents);
                if let Some(answer) = numbers.answer() {
                    self.learn(place, answer, whole(self.at(place).work));
                }
            }
            self.forget_answered(place);
        }
    }

    /// Lets go of the options that matter no more.
    fn forget_answered(&mut self, place: Place) {
        let settled = self.at(place).numbers.answer().is_some();
        let Some(mut subquestions) = self.at_mut(place).subquestions.take() else { return };
        let mut left = Vec::new();
        for subquestion in &mut subquestions {
            subquestion.options.retain(|&option| {
                let stays = !settled && self.at(option).numbers.no > 0.0;
                if !stays {
                    left.push(option);
                }
                stays
            });
        }
        self.at_mut(place).subquestions = Some(subquestions);
        for option in left {
            self.leave(option, place);
        }
    }

    /// Removes a parent of a question, and the question with its last parent.
    fn leave(&mut self, place: Place, parent: Place) {
        let mut waiting = vec![(place, parent)];
        while let Some((place, parent)) = waiting.pop() {
            let question = self.at_mut(place);
            if let Some(at) = question.parents.iter().position(|&other| other == parent) {
                question.parents.swap_remove(at);
            }
            if !question.parents.is_empty() {
                continue;
            }
            let key = (question.part.hash, question.value);
            question.part.code = Box::default();
            let options = question
                .subquestions
                .take()
                .into_iter()
                .flatten()
                .flat_map(|subquestion| subquestion.options);
            waiting.extend(options.map(|option| (option, place)));
            if self.places.get(&key) == Some(&place) {
                self.places.remove(&key);
            }
            self.free.push(place);
        }
    }
}

/// An estimate of how many positions it takes to search a part.
fn usual_work(part: &Part) -> f64 {
    AT_400 * ((f64::from(part.cost) - 400.0) / TWICE).exp2()
}

/// A number of positions that was guessed.
#[expect(clippy::cast_sign_loss, reason = "no guess is below 0")]
fn whole(positions: f64) -> u64 {
    positions as u64
}

fn locked<'t, 'a>(tree: &'t Mutex<Tree<'a>>) -> MutexGuard<'t, Tree<'a>> {
    tree.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How much of the first question is answered, in thousandths.
pub(super) fn answered(tree: &Mutex<Tree<'_>>) -> u16 {
    locked(tree).answered()
}

/// Answers the first question of a tree, beside other threads that do so.
pub(super) fn answer(
    tree: &Mutex<Tree<'_>>,
    search: &mut Search<'_>,
    helps: bool,
) -> Result<bool, Interrupted> {
    loop {
        let task = {
            let mut tree = locked(tree);
            if let Some(answer) = tree.answer() {
                return Ok(answer);
            }
            tree.next(helps)
        };
        let Some(task) = task else {
            search.wait()?;
            continue;
        };
        match find(&task, search)? {
            Found::Answer(answer, positions) => locked(tree).settle(&task, answer, positions),
            Found::Options(options) => locked(tree).grow(&task, &options),
        }
    }
}

/// What a thread found out about a question.
enum Found {
    /// The answer, and how many positions that took.
    Answer(bool, u64),
    Options(Vec<Beside>),
}

fn find(task: &Task, search: &mut Search<'_>) -> Result<Found, Interrupted> {
    if let Some(most) = task.most {
        let before = search.visited();
        if let Some(answer) = search.is(&task.part, task.value, most)? {
            return Ok(Found::Answer(answer, search.visited() - before));
        }
    }
    search.options(&task.part).map(Found::Options)
}
