//! How much a script may use.

use crate::error::Problem;

/// How much one call of a function of a script may use. What goes beyond ends with an error that
/// names the limit. No limit is a time: a call gives the same answer on any machine.
///
/// ```
/// use nimoon_script::Limits;
///
/// let patient = Limits { operations: 1_000_000_000, ..Limits::default() };
/// assert_eq!(patient.calls, 32);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Steps of the interpreter: about one for each name, operator, call and turn of a loop. Each
    /// use of a variable takes one more for every 64 bytes of a string, and for every 32 values in
    /// an array or a map.
    pub operations: u64,
    /// Calls inside calls; at most [`Limits::MOST_CALLS`].
    pub calls: usize,
    /// Brackets and blocks inside each other, in the text of the script; at most
    /// [`Limits::MOST_NESTING`].
    pub nesting: usize,
    /// Variables of one function.
    pub variables: usize,
    /// Bytes of a string.
    pub string: usize,
    /// Elements of an array, those of the arrays inside it included. A position has no more options
    /// than this.
    pub array: usize,
    /// Properties of an object map, those of the maps inside it included.
    pub map: usize,
    /// Arrays and maps inside each other; at most [`Limits::MOST_DEPTH`].
    pub depth: usize,
    /// What one variable holds, in bytes, roughly.
    pub memory: usize,
    /// Size of a position: bytes of strings and number of all other values in it.
    pub position: usize,
    /// Bytes of the script.
    pub script: usize,
}

impl Limits {
    /// More calls inside calls could overflow the stack of a thread.
    pub const MOST_CALLS: usize = 32;
    /// Deeper expressions could overflow the stack of a thread.
    pub const MOST_NESTING: usize = 64;
    /// Deeper values could overflow the stack of a thread when they are compared.
    pub const MOST_DEPTH: usize = 64;

    /// The limits with those lowered that keep the stack safe. The interpreter takes 0 for "no
    /// limit", which is never meant.
    pub(crate) fn checked(self) -> Self {
        Self {
            operations: self.operations.max(1),
            calls: self.calls.min(Self::MOST_CALLS),
            nesting: self.nesting.clamp(1, Self::MOST_NESTING),
            string: self.string.max(1),
            array: self.array.max(1),
            map: self.map.max(1),
            depth: self.depth.min(Self::MOST_DEPTH),
            ..self
        }
    }

    /// What to say of a call that broke the limit of this name.
    pub(crate) fn broken(&self, name: &'static str) -> (Problem, String) {
        let most = match name {
            "operations" => format!("a call takes more than {} steps", self.operations),
            "calls" => format!("calls are nested deeper than {}", self.calls),
            "nesting" => format!("brackets and blocks are nested deeper than {}", self.nesting),
            "variables" => format!("a function has more than {} variables", self.variables),
            "string" => format!("a string has more than {} bytes", self.string),
            "array" => format!("an array has more than {} elements", self.array),
            "map" => format!("an object map has more than {} properties", self.map),
            "depth" => format!("arrays and maps are nested deeper than {}", self.depth),
            "memory" => format!("a variable holds more than {} bytes", self.memory),
            "position" => format!("a position has a size of more than {}", self.position),
            _ => format!("the script has more than {} bytes", self.script),
        };
        let hint = match name {
            "operations" => "; is there a loop without an end?",
            "calls" => "; does a function call itself without an end?",
            _ => "",
        };
        (Problem::Limit(name), format!("{most} (limit `{name}`){hint}"))
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            operations: 10_000_000,
            calls: 32,
            nesting: 64,
            variables: 64,
            string: 10_000,
            array: 20_000,
            map: 2_000,
            depth: 32,
            memory: 8_000_000,
            position: 10_000,
            script: 1_000_000,
        }
    }
}
