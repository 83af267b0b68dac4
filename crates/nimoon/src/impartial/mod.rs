//! Impartial games: values, theories that label digraphs, sums and turns.

pub mod control;
pub mod explain;
pub mod labelling;
pub mod labels;
pub mod nimbers;
pub mod notation;
pub mod representative;
pub mod rounds;
pub(crate) mod search;
pub mod sets;
pub mod sum;
pub mod theory;
pub mod turn;
pub mod value;
