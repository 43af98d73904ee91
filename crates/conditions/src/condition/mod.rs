//! Conditions over `visitor.claims`, in JavaScript or in CEL.

mod cel;
mod javascript;

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;

use ::cel::common::ast::IdedExpr;
use ::cel::{Context, Value as CelValue};
use serde_json::{Value as Json, json};

/// The only variable of a condition.
const VISITOR: &str = "visitor";
/// Prefix of a condition in CEL.
const CEL: &str = "cel:";

/// Maximum number of parts of an expression.
const MAX_PARTS: usize = 256;
/// Stack in bytes to parse or evaluate an expression, with a margin for unoptimized builds.
const STACK: usize = 32 << 20;

/// Runs work that recurses once per nesting level of an expression.
fn deep_stack<T>(work: impl FnOnce() -> T) -> T {
    stacker::grow(STACK, work)
}

/// Error of a condition. Its message has the line and the column.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConditionError(String);

/// Checks that a condition can be evaluated: it has only known operators, methods and names, and bounded numbers of
/// parts and loops. The caller bounds the length.
///
/// # Errors
/// The first problem. If the expression is neither JavaScript nor CEL, this is the problem of JavaScript.
pub fn check(condition: &str) -> Result<(), ConditionError> {
    if let Some(expression) = condition.strip_prefix(CEL) {
        return cel::checked(expression).map(drop);
    }
    let refused = javascript::read(condition).map(drop);
    refused.or_else(|refusal| cel::checked(condition).map(drop).map_err(|_| refusal))
}

/// Expression in its language.
enum Expression {
    JavaScript(javascript::Expression),
    Cel(IdedExpr),
}

/// Parses an expression. With the prefix `cel:` it is CEL. Without it, valid JavaScript is JavaScript, and other
/// expressions are CEL if [`cel::checked`] accepts them: without that check, CEL would evaluate `true || user` without
/// a value of `user`.
fn read(expression: &str) -> Result<Expression, ConditionError> {
    if let Some(expression) = expression.strip_prefix(CEL) {
        return cel::parse(expression).map(Expression::Cel);
    }
    let read = javascript::read(expression).map(Expression::JavaScript);
    read.or_else(|refusal| cel::checked(expression).map(Expression::Cel).map_err(|_| refusal))
}

/// Budget of steps shared by all conditions of a visit, about 0.1 s of CPU time. See [`cel::cost`] and
/// [`javascript::evaluate`].
const STEPS: u64 = 1_000_000;

/// Claims of a visitor, for the conditions of one visit.
pub struct Visitor {
    /// CEL environment. It is created on first use: it holds the whole standard library, and most visits evaluate no
    /// CEL.
    context: OnceCell<Context<'static, 'static>>,
    /// The object `visitor`.
    visitor: Json,
    /// Remaining steps.
    steps: Cell<u64>,
    /// Results by condition.
    answers: RefCell<HashMap<String, bool>>,
}

impl Visitor {
    /// Creates a visitor with these claims. Claims that are not an object are ignored.
    #[must_use]
    pub fn new(claims: &Json) -> Self {
        let visitor = if claims.is_object() { json!({"claims": claims}) } else { json!({"claims": {}}) };
        Self { context: OnceCell::new(), visitor, steps: Cell::new(STEPS), answers: RefCell::default() }
    }

    fn claims(&self) -> &Json {
        self.visitor.get("claims").unwrap_or(&Json::Null)
    }

    /// Returns whether a condition is true for the visitor. In JavaScript, any value that converts to true is enough. A
    /// condition is false if its evaluation fails (a call of a method on an absent claim, in CEL also a missing claim
    /// or incomparable types) or takes more than the remaining steps. Equal conditions are evaluated once.
    #[must_use]
    pub fn meets(&self, condition: &str) -> bool {
        if let Some(answer) = self.answers.borrow().get(condition) {
            return *answer;
        }
        let answer = read(condition).is_ok_and(|expression| match expression {
            Expression::JavaScript(expression) => deep_stack(|| {
                javascript::evaluate(&expression, &self.visitor, &self.steps)
                    .is_ok_and(|value| value.is_truthy())
            }),
            Expression::Cel(expression) => matches!(self.cel(&expression), Some(CelValue::Bool(true))),
        });
        self.answers.borrow_mut().insert(condition.to_owned(), answer);
        answer
    }

    /// Returns the value of an expression as text if it is a text, a number or a boolean. Fails like
    /// [`meets`](Self::meets).
    #[must_use]
    pub fn text(&self, expression: &str) -> Option<String> {
        match read(expression).ok()? {
            Expression::JavaScript(expression) => deep_stack(|| {
                let value = javascript::evaluate(&expression, &self.visitor, &self.steps).ok()?;
                value.text().map(|text| text.into_owned())
            }),
            Expression::Cel(expression) => cel::text(&self.cel(&expression)?),
        }
    }

    /// Evaluates a CEL expression if the remaining steps suffice.
    fn cel(&self, expression: &IdedExpr) -> Option<CelValue> {
        deep_stack(|| {
            let left = self.steps.get().checked_sub(cel::cost(expression, self.claims()))?;
            self.steps.set(left);
            self.context.get_or_init(|| cel::context(self.claims())).resolve(expression).ok()
        })
    }
}

#[cfg(test)]
mod tests;
