//! Evaluation of expressions, with a count of the steps.

use std::borrow::Cow;
use std::cell::Cell;
use std::cmp::Ordering;

use serde_json::Value as Json;

use super::value::Value;
use super::{Binary, Expression, Method, Quantifier, Unary};

/// Bytes of text that are read in one step.
const BYTES: usize = 16;

/// Reason why an expression has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Stop {
    /// An optional member of `undefined` or `null` ended the enclosing chain.
    EndOfChain,
    /// The operation is not defined for its operands, a TypeError of ECMAScript.
    Meaningless,
    /// No steps remain.
    Exhausted,
}

type Outcome<'v> = Result<Value<'v>, Stop>;

/// Evaluates an expression for the object `visitor`, and deducts its steps. One step is the evaluation of a node, the
/// access to an item, or the reading of 16 bytes of text.
///
/// # Errors
/// An undefined operation, such as a call of a method that the value does not have, and the end of the steps.
pub(in super::super) fn evaluate<'v>(
    expression: &'v Expression,
    visitor: &'v Json,
    steps: &Cell<u64>,
) -> Outcome<'v> {
    Evaluation { visitor, steps, parameters: Vec::new() }.value(expression)
}

struct Evaluation<'v, 's> {
    visitor: &'v Json,
    steps: &'s Cell<u64>,
    /// Values of the parameters of the enclosing functions.
    parameters: Vec<Value<'v>>,
}

impl<'v> Evaluation<'v, '_> {
    fn value(&mut self, expression: &'v Expression) -> Outcome<'v> {
        self.spend(0)?;
        Ok(match expression {
            Expression::Undefined => Value::Undefined,
            Expression::Null => Value::Null,
            Expression::Boolean(is) => Value::Boolean(*is),
            Expression::Number(number) => Value::Number(*number),
            Expression::Text(text) => Value::Text(Cow::Borrowed(text)),
            Expression::List(items) => {
                Value::List(items.iter().map(|item| self.value(item)).collect::<Result<_, _>>()?)
            }
            Expression::Visitor => Value::from(self.visitor),
            Expression::Parameter(index) => self.parameters.get(*index).cloned().unwrap_or(Value::Undefined),
            Expression::Member { object, key, is_optional } => self.member(object, key, *is_optional)?,
            Expression::Chain(chain) => match self.value(chain) {
                Err(Stop::EndOfChain) => Value::Undefined,
                outcome => outcome?,
            },
            Expression::Call { object, method, argument, is_optional } => {
                let object = self.receiver(object, *is_optional)?;
                let argument = argument.as_deref().map(|argument| self.value(argument)).transpose()?;
                self.call(&object, *method, argument)?
            }
            Expression::Loop { object, quantifier, body, is_optional } => {
                let object = self.receiver(object, *is_optional)?;
                Value::Boolean(self.quantify(&object, *quantifier, body)?)
            }
            Expression::Unary(operator, operand) => {
                let operand = self.value(operand)?;
                self.unary(*operator, &operand)?
            }
            Expression::Binary(operator, left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                self.binary(*operator, &left, &right)?
            }
            Expression::And(left, right) => {
                let left = self.value(left)?;
                if left.is_truthy() { self.value(right)? } else { left }
            }
            Expression::Or(left, right) => {
                let left = self.value(left)?;
                if left.is_truthy() { left } else { self.value(right)? }
            }
            Expression::Coalesce(left, right) => {
                let left = self.value(left)?;
                if left.is_nullish() { self.value(right)? } else { left }
            }
            Expression::Conditional { test, consequent, alternate } => {
                let chosen = if self.value(test)?.is_truthy() { consequent } else { alternate };
                self.value(chosen)?
            }
        })
    }

    /// Evaluates the object of an optional member or of a call.
    fn receiver(&mut self, object: &'v Expression, is_optional: bool) -> Outcome<'v> {
        let object = self.value(object)?;
        if is_optional && object.is_nullish() { Err(Stop::EndOfChain) } else { Ok(object) }
    }

    fn member(&mut self, object: &'v Expression, key: &'v Expression, is_optional: bool) -> Outcome<'v> {
        let object = self.receiver(object, is_optional)?;
        let key = self.value(key)?;
        self.spend(object.size().saturating_add(key.size()))?;
        Ok(object.member(&key))
    }

    fn call(&self, object: &Value<'v>, method: Method, argument: Option<Value<'v>>) -> Outcome<'v> {
        let argument = argument.unwrap_or(Value::Undefined);
        if method == Method::Includes && object.is_list() {
            return self.holds(object, &argument).map(Value::Boolean);
        }
        let Value::Text(text) = object else { return Err(Stop::Meaningless) };
        self.spend(text.len().saturating_add(argument.size()))?;
        let part = || argument.to_text().ok_or(Stop::Meaningless);
        Ok(match method {
            Method::Includes => Value::Boolean(text.contains(part()?.as_ref())),
            Method::StartsWith => Value::Boolean(text.starts_with(part()?.as_ref())),
            Method::EndsWith => Value::Boolean(text.ends_with(part()?.as_ref())),
            Method::ToLowerCase => Value::Text(text.to_lowercase().into()),
            Method::ToUpperCase => Value::Text(text.to_uppercase().into()),
            Method::Trim => Value::Text(text.trim().to_owned().into()),
        })
    }

    /// Returns whether a list holds a value.
    fn holds(&self, list: &Value<'v>, value: &Value<'v>) -> Result<bool, Stop> {
        for item in list.items().into_iter().flatten() {
            self.spend(item.size().min(value.size()))?;
            if item.is_same(value) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn quantify(
        &mut self,
        list: &Value<'v>,
        quantifier: Quantifier,
        body: &'v Expression,
    ) -> Result<bool, Stop> {
        let decides = quantifier == Quantifier::Some;
        for item in list.items().ok_or(Stop::Meaningless)? {
            self.parameters.push(item);
            let outcome = self.value(body);
            self.parameters.pop();
            if outcome?.is_truthy() == decides {
                return Ok(decides);
            }
        }
        Ok(!decides)
    }

    fn unary(&self, operator: Unary, operand: &Value<'v>) -> Outcome<'v> {
        self.spend(operand.size())?;
        Ok(match operator {
            Unary::Not => Value::Boolean(!operand.is_truthy()),
            Unary::Minus => Value::Number(-operand.to_number()),
            Unary::Plus => Value::Number(operand.to_number()),
            Unary::TypeOf => Value::Text(operand.type_name().into()),
        })
    }

    fn binary(&self, operator: Binary, left: &Value<'v>, right: &Value<'v>) -> Outcome<'v> {
        self.spend(left.size().saturating_add(right.size()))?;
        let number = |of: fn(f64, f64) -> f64| Value::Number(of(left.to_number(), right.to_number()));
        let ordered = |fits: fn(Ordering) -> bool| Value::Boolean(left.order(right).is_some_and(fits));
        Ok(match operator {
            Binary::StrictEqual => Value::Boolean(left.is(right)),
            Binary::StrictUnequal => Value::Boolean(!left.is(right)),
            Binary::LooseEqual => Value::Boolean(left.equals(right)),
            Binary::LooseUnequal => Value::Boolean(!left.equals(right)),
            Binary::Less => ordered(Ordering::is_lt),
            Binary::LessOrEqual => ordered(Ordering::is_le),
            Binary::Greater => ordered(Ordering::is_gt),
            Binary::GreaterOrEqual => ordered(Ordering::is_ge),
            Binary::In => Value::Boolean(self.is_in(left, right)?),
            Binary::Add => add(left, right).ok_or(Stop::Meaningless)?,
            Binary::Subtract => number(|left, right| left - right),
            Binary::Multiply => number(|left, right| left * right),
            Binary::Divide => number(|left, right| left / right),
            Binary::Remainder => number(|left, right| left % right),
        })
    }

    /// Returns whether a value is a key of an object, an item of a list or a part of a text.
    fn is_in(&self, value: &Value<'v>, whole: &Value<'v>) -> Result<bool, Stop> {
        match whole {
            Value::Claims(Json::Object(members)) => {
                let name = value.to_text().ok_or(Stop::Meaningless)?;
                Ok(members.contains_key(name.as_ref()))
            }
            Value::Claims(_) | Value::List(_) => self.holds(whole, value),
            Value::Text(text) => Ok(text.contains(value.to_text().ok_or(Stop::Meaningless)?.as_ref())),
            _ => Err(Stop::Meaningless),
        }
    }

    /// Deducts one step, and the steps to read this many bytes.
    fn spend(&self, bytes: usize) -> Result<(), Stop> {
        let steps = u64::try_from(bytes / BYTES).unwrap_or(u64::MAX).saturating_add(1);
        let left = self.steps.get().checked_sub(steps).ok_or(Stop::Exhausted)?;
        self.steps.set(left);
        Ok(())
    }
}

/// `+`: concatenates if an operand is a text, and adds otherwise. Lists and objects cannot be added.
fn add<'v>(left: &Value<'v>, right: &Value<'v>) -> Option<Value<'v>> {
    if let (Value::Text(_), _) | (_, Value::Text(_)) = (left, right) {
        return Some(Value::Text((left.to_text()?.into_owned() + right.to_text()?.as_ref()).into()));
    }
    left.to_text().and(right.to_text())?;
    Some(Value::Number(left.to_number() + right.to_number()))
}
