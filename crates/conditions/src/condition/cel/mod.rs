//! Conditions in CEL (the Common Expression Language, <https://cel.dev>). Conditions stored before the introduction of
//! JavaScript are in CEL.

mod cost;

use std::collections::HashMap;
use std::sync::Arc;

use cel::common::ast::{EntryExpr, Expr, IdedExpr, operators};
use cel::parser::PrattParser;
use cel::{Context, ParseErrors, Value};
use serde_json::Value as Json;

use super::{ConditionError, MAX_PARTS, VISITOR, deep_stack};

/// Maximum nesting of `all`, `exists`, `map` and `filter`: each level multiplies the work.
const MAX_NESTING: usize = 2;
/// Maximum nesting of an expression. Parsing and evaluation recurse once per level.
const MAX_DEPTH: u16 = 24;

/// Names of functions that are not operators, in addition to the macros.
const FUNCTIONS: [&str; 26] = [
    "bool",
    "bytes",
    "contains",
    "double",
    "duration",
    "endsWith",
    "getDate",
    "getDayOfMonth",
    "getDayOfWeek",
    "getDayOfYear",
    "getFullYear",
    "getHours",
    "getMilliseconds",
    "getMinutes",
    "getMonth",
    "getSeconds",
    "int",
    "matches",
    "max",
    "min",
    "size",
    "startsWith",
    "string",
    "timestamp",
    "type",
    "uint",
];

/// Returns the maximum steps of an expression.
pub(super) fn cost(expression: &IdedExpr, claims: &Json) -> u64 {
    cost::of(expression, claims)
}

/// Parses an expression.
///
/// # Errors
/// The first syntax error, with its position.
pub(super) fn parse(condition: &str) -> Result<IdedExpr, ConditionError> {
    let parser = PrattParser::new().max_recursion_depth(MAX_DEPTH).max_expression_node_count(MAX_PARTS);
    deep_stack(|| parser.parse(condition)).map_err(|errors| syntax(&errors))
}

/// Parses an expression. Its only variable is `visitor`, it calls only known functions, and it nests loops at most
/// once.
///
/// # Errors
/// The first problem.
pub(super) fn checked(condition: &str) -> Result<IdedExpr, ConditionError> {
    let expression = parse(condition)?;
    let mut walk = Walk { scope: Vec::new() };
    deep_stack(|| walk.visit(&expression, 0)).map_err(ConditionError)?;
    Ok(expression)
}

/// Returns the parser's first error with its position.
fn syntax(errors: &ParseErrors) -> ConditionError {
    ConditionError(errors.errors.first().map_or_else(
        || "is not an expression".to_owned(),
        |error| {
            let (line, column) = error.pos;
            format!("is not an expression: line {line} column {column}: {}", error.msg)
        },
    ))
}

/// Walks an expression with the names that its loops declare.
struct Walk<'a> {
    scope: Vec<&'a str>,
}

impl<'a> Walk<'a> {
    fn visit(&mut self, node: &'a IdedExpr, loops: usize) -> Result<(), String> {
        match &node.expr {
            Expr::Unspecified | Expr::Literal(_) => Ok(()),
            Expr::Ident(name) if name == VISITOR || self.scope.contains(&name.as_str()) => Ok(()),
            Expr::Ident(name) => Err(format!("uses `{name}`, but only `visitor` is available")),
            Expr::Select(select) => self.visit(&select.operand, loops),
            Expr::Call(call) if !is_known(&call.func_name) => {
                Err(format!("calls `{}`, which is not a function of CEL", call.func_name))
            }
            Expr::Call(call) => {
                call.target.iter().try_for_each(|target| self.visit(target, loops))?;
                call.args.iter().try_for_each(|argument| self.visit(argument, loops))
            }
            Expr::List(list) => list.elements.iter().try_for_each(|element| self.visit(element, loops)),
            Expr::Map(map) => map.entries.iter().try_for_each(|entry| self.entry(&entry.expr, loops)),
            Expr::Struct(_) => Err("creates an object of a type, which is not allowed here".to_owned()),
            Expr::Comprehension(_) if loops >= MAX_NESTING => {
                Err(format!("has more than {MAX_NESTING} loops inside each other"))
            }
            Expr::Comprehension(inner) => {
                self.visit(&inner.iter_range, loops)?;
                let outside = self.scope.len();
                self.scope.extend([inner.iter_var.as_str(), inner.accu_var.as_str()]);
                self.scope.extend(inner.iter_var2.as_deref());
                for part in [&inner.accu_init, &inner.loop_cond, &inner.loop_step, &inner.result] {
                    self.visit(part, loops + 1)?;
                }
                self.scope.truncate(outside);
                Ok(())
            }
        }
    }

    fn entry(&mut self, entry: &'a EntryExpr, loops: usize) -> Result<(), String> {
        match entry {
            EntryExpr::StructField(field) => self.visit(&field.value, loops),
            EntryExpr::MapEntry(entry) => {
                self.visit(&entry.key, loops)?;
                self.visit(&entry.value, loops)
            }
        }
    }
}

/// Returns whether CEL defines a function or operator. Operators have names that start with `_` or with a character
/// that no identifier starts with.
fn is_known(function: &str) -> bool {
    let is_operator = function.starts_with(['_', '!', '-', '@']) || function == operators::HAS;
    is_operator || FUNCTIONS.contains(&function)
}

/// Returns the evaluation environment for a visitor with these claims.
pub(super) fn context(claims: &Json) -> Context<'static, 'static> {
    let mut context = Context::default();
    context.add_variable_from_value(VISITOR, HashMap::from([("claims".to_owned(), value(claims))]));
    context
}

/// Returns the text of a string, number or boolean.
pub(super) fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.as_str().to_owned()),
        Value::Int(number) => Some(number.to_string()),
        Value::UInt(number) => Some(number.to_string()),
        Value::Float(number) => Some(number.to_string()),
        Value::Bool(is) => Some(is.to_string()),
        _ => None,
    }
}

/// Converts JSON to CEL. Whole numbers become `int`, so that they can be compared with the numbers of a condition.
fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(is) => Value::Bool(*is),
        Json::Number(number) => match number.as_i64() {
            Some(whole) => Value::Int(whole),
            None => Value::Float(number.as_f64().unwrap_or(f64::NAN)),
        },
        Json::String(text) => Value::String(Arc::new(text.clone())),
        Json::Array(items) => Value::List(Arc::new(items.iter().map(value).collect())),
        Json::Object(entries) => {
            let entries: HashMap<String, Value> =
                entries.iter().map(|(key, entry)| (key.clone(), value(entry))).collect();
            entries.into()
        }
    }
}
