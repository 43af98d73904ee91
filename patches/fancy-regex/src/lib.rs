//! The part of fancy-regex 0.16 that syntect uses, on a release that shares the automata of equal parts of an expression
//! (`docs/adr/0014-rendering.md`).

pub use current::{Error, Regex, RegexBuilder};

/// Groups of a match in a text. fancy-regex 0.16 has no other haystacks.
pub type Captures<'t> = current::Captures<'t, str>;
