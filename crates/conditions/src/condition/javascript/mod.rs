//! Conditions in JavaScript: the expressions of ECMAScript that have a meaning over claims, without statements,
//! assignments, objects and global names.
//!
//! They differ from ECMAScript where a condition would be false for a reason that its author does not see: a member of
//! `undefined` or `null` is `undefined` also without `?.`, and `in` finds an item of a list or a part of a text, as it
//! finds a key of an object.

mod evaluate;
mod read;
mod value;

pub(super) use self::evaluate::evaluate;
pub(super) use self::read::read;

/// Expression.
#[derive(Debug)]
pub(super) enum Expression {
    Undefined,
    Null,
    Boolean(bool),
    Number(f64),
    Text(String),
    List(Vec<Self>),
    /// The object `visitor`.
    Visitor,
    /// Parameter of a function, by the number of functions around it.
    Parameter(usize),
    Member {
        object: Box<Self>,
        key: Box<Self>,
        is_optional: bool,
    },
    /// A chain of members and calls, which is undefined if one of its optional members is one of nothing.
    Chain(Box<Self>),
    Call {
        object: Box<Self>,
        method: Method,
        argument: Option<Box<Self>>,
        is_optional: bool,
    },
    /// A call of a list's method with a function of one parameter.
    Loop {
        object: Box<Self>,
        quantifier: Quantifier,
        body: Box<Self>,
        is_optional: bool,
    },
    Unary(Unary, Box<Self>),
    Binary(Binary, Box<Self>, Box<Self>),
    And(Box<Self>, Box<Self>),
    Or(Box<Self>, Box<Self>),
    /// `??`.
    Coalesce(Box<Self>, Box<Self>),
    Conditional {
        test: Box<Self>,
        consequent: Box<Self>,
        alternate: Box<Self>,
    },
}

/// Method of a text or a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Includes,
    StartsWith,
    EndsWith,
    ToLowerCase,
    ToUpperCase,
    Trim,
}

/// Method of a list that takes a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantifier {
    Some,
    Every,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Unary {
    Not,
    Minus,
    Plus,
    TypeOf,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Binary {
    StrictEqual,
    StrictUnequal,
    LooseEqual,
    LooseUnequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    In,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}
