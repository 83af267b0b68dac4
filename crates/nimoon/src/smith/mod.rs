//! Smith's theory on plain digraphs: remoteness, compounds, and the functions G, H and J.

pub mod compound;
pub mod grundy;
pub mod remoteness;
