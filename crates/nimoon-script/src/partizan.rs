//! Partizan rulesets from scripts: `left(p)` and `right(p)`.
//!
//! The rules of a script can fail, and those of [`PartizanPositions`] cannot. So all followers of a position are
//! visited when it is read, within the limits of the work, and what goes wrong is an error of the reading.

use std::collections::HashMap;

use nimoon::notation::NotationError;
use nimoon::player::Player;
use nimoon::ruleset::{Kind, Notation, PartizanPositions, PositionId, Ruleset};
use nimoon::{Interrupted, Progress, Work};

use crate::error::{Problem, ScriptError};
use crate::position::Position;
use crate::script::Script;

/// The positions of a partizan script that were met so far.
#[derive(Debug)]
pub struct ScriptPositions {
    script: Script,
    name: String,
    numbers: HashMap<Position, PositionId>,
    positions: Vec<Position>,
    /// Of the positions whose followers were visited: the moves of Left and of Right.
    moves: Vec<[Vec<PositionId>; 2]>,
    canonical: Vec<PositionId>,
    work: Work,
    options: usize,
}

impl ScriptPositions {
    /// None so far; what is read and visited counts as this work.
    pub fn new(mut script: Script, work: &Work) -> Self {
        use nimoon::ruleset::Shortcuts as _;
        script.work_within(work);
        let name = script.name();
        Self {
            script,
            name,
            numbers: HashMap::new(),
            positions: Vec::new(),
            moves: Vec::new(),
            canonical: Vec::new(),
            work: work.clone(),
            options: 0,
        }
    }

    fn intern(&mut self, position: Position) -> PositionId {
        let next = self.positions.len() as PositionId;
        *self.numbers.entry(position).or_insert_with_key(|position| {
            self.positions.push(position.clone());
            next
        })
    }

    /// Visits all followers of what was met.
    fn explore(&mut self) -> Result<(), NotationError> {
        while self.moves.len() < self.positions.len() {
            let (expanded, met) = (self.moves.len(), self.positions.len());
            self.go_on(expanded, met)?;
            let position = self.positions[expanded].clone();
            let mut moves = [Vec::new(), Vec::new()];
            for (player, moves) in Player::BOTH.into_iter().zip(&mut moves) {
                let found = self.script.moves_of(&position, player);
                for option in found.map_err(|error| self.failed(error))? {
                    if option.kind != Kind::Ordinary {
                        let error = self.script.not_partizan(&position, player);
                        return Err(error.into());
                    }
                    moves.push(self.intern(option.to));
                }
                self.options += moves.len();
            }
            let canonical = self.script.canonical_form(&position);
            let canonical = canonical.map_err(|error| self.failed(error))?;
            let canonical = self.intern(canonical);
            self.canonical.push(canonical);
            self.moves.push(moves);
        }
        Ok(())
    }

    fn go_on(&self, expanded: usize, met: usize) -> Result<(), NotationError> {
        /// What a position takes in memory, roughly, and a move.
        const POSITION_BYTES: u64 = 300;
        const MOVE_BYTES: u64 = 4;
        let bytes = POSITION_BYTES * met as u64 + MOVE_BYTES * self.options as u64;
        let progress = Progress::Exploring { expanded, met, options: self.options };
        let allowed = self.work.limits().positions;
        let over = met as u64 > allowed;
        let found = self.work.report(progress).and_then(|()| self.work.hold(bytes));
        let ended = found.err().or_else(|| over.then(|| Interrupted::positions(allowed)));
        ended.map_or(Ok(()), |interrupted| Err(self.ended(&interrupted.to_string())))
    }

    fn ended(&self, message: &str) -> NotationError {
        let last = self.positions.last().map_or_else(String::new, |last| self.script.write(last));
        let met = self.positions.len();
        let message =
            format!("{message}; {met} positions were met, the last of them {}:{last}", self.name);
        NotationError::limit(0, message)
    }

    fn failed(&self, error: ScriptError) -> NotationError {
        match error.problem {
            Problem::Interrupted(interrupted) => self.ended(&interrupted.to_string()),
            _ => error.into(),
        }
    }
}

impl PartizanPositions for ScriptPositions {
    fn name(&self) -> &str {
        &self.name
    }

    fn read(&mut self, text: &str) -> Result<PositionId, NotationError> {
        let position = self.script.read(text)?;
        let position = self.intern(position);
        self.explore()?;
        Ok(position)
    }

    fn text(&self, position: PositionId) -> String {
        self.script.write(&self.positions[position as usize])
    }

    fn options(&mut self, position: PositionId, player: Player) -> Vec<PositionId> {
        let moves = self.moves.get(position as usize);
        moves.map(|moves| moves[player as usize].clone()).unwrap_or_default()
    }

    fn canonical(&mut self, position: PositionId) -> PositionId {
        self.canonical.get(position as usize).copied().unwrap_or(position)
    }

    fn words(&self, position: PositionId, player: Player, number: usize, to: PositionId) -> String {
        let [from, to] = [position, to].map(|id| &self.positions[id as usize]);
        self.script.words_of(from, player, number, to)
    }

    fn board(&self, position: PositionId) -> String {
        self.script.board(&self.positions[position as usize])
    }
}
