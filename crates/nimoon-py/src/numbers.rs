//! Nodes as the arrays of `NumPy` hold them.

use nimoon::Node;

use crate::failure::Failure;

/// Numbers of nodes as an array holds them: of four bytes without a sign, or of eight with one.
pub(crate) enum Numbers<'a> {
    Narrow(&'a [[u8; 4]]),
    Wide(&'a [[u8; 8]]),
}

impl<'a> Numbers<'a> {
    pub(crate) fn new(bytes: &'a [u8], width: usize) -> Self {
        if width == 4 { Self::Narrow(bytes.as_chunks().0) } else { Self::Wide(bytes.as_chunks().0) }
    }

    fn len(&self) -> usize {
        match self {
            Self::Narrow(numbers) => numbers.len(),
            Self::Wide(numbers) => numbers.len(),
        }
    }

    /// Returns an error for the first number that is not a node. Negative numbers are large as
    /// unsigned ones.
    fn check(&self) -> Result<(), Failure> {
        let Self::Wide(numbers) = self else { return Ok(()) };
        // All at once, which takes a fraction of the time of one by one.
        if numbers.iter().fold(0, |all, &number| all | u64::from_ne_bytes(number)) >> 32 == 0 {
            return Ok(());
        }
        let mut numbers = numbers.iter().map(|&number| i64::from_ne_bytes(number));
        let wrong = numbers.find(|&number| Node::try_from(number).is_err()).unwrap_or_default();
        Err(Failure::input(format!(
            "nodes are numbered from 0 to {}: unknown node {wrong}",
            Node::MAX - 1
        )))
    }

    pub(crate) fn nodes(&self) -> Result<Vec<Node>, Failure> {
        self.check()?;
        Ok(match self {
            Self::Narrow(numbers) => numbers.iter().map(|&n| Node::from_ne_bytes(n)).collect(),
            Self::Wide(numbers) => numbers.iter().map(|&n| u64::from_ne_bytes(n) as Node).collect(),
        })
    }

    /// Adds the arcs from these nodes to those.
    pub(crate) fn join(&self, heads: &Self, arcs: &mut Vec<(Node, Node)>) -> Result<(), Failure> {
        if self.len() != heads.len() {
            return Err(Failure::bug("two pieces of arrays are not of one length"));
        }
        self.check()?;
        heads.check()?;
        match (self, heads) {
            (Self::Narrow(tails), Self::Narrow(heads)) => {
                let node = |&number| Node::from_ne_bytes(number);
                arcs.extend(tails.iter().map(node).zip(heads.iter().map(node)));
            }
            (Self::Wide(tails), Self::Wide(heads)) => {
                let node = |&number| u64::from_ne_bytes(number) as Node;
                arcs.extend(tails.iter().map(node).zip(heads.iter().map(node)));
            }
            _ => return Err(Failure::bug("two pieces of arrays are not of one width")),
        }
        Ok(())
    }
}
