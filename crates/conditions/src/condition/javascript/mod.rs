//! Conditions in JavaScript: the ECMAScript expressions that are meaningful for claims, without statements,
//! assignments, object literals and global names.
//!
//! They differ from ECMAScript where a condition would be false for a reason that its author does not see: a member of
//! `undefined` or `null` is `undefined` even without `?.`, and `in` also finds an item of a list and a part of a text.

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
    /// Parameter of a function, by the number of enclosing functions.
    Parameter(usize),
    Member {
        object: Box<Self>,
        key: Box<Self>,
        is_optional: bool,
    },
    /// Chain of members and calls. It is undefined if one of its optional members has an undefined or null object.
    Chain(Box<Self>),
    Call {
        object: Box<Self>,
        method: Method,
        argument: Option<Box<Self>>,
        is_optional: bool,
    },
    /// Call of a list method whose argument is a function of one parameter.
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
