//! Upper bound of the steps that a condition takes, computed before the evaluation.
//!
//! The `cel` crate neither counts steps nor can be interrupted, and the time depends on the claims, which the visitor
//! chooses. The bound is computed from the expression and the sizes of the claims that it names, like the cost
//! estimation of cel-go (<https://github.com/google/cel-go/blob/master/checker/cost.go>). One step is the evaluation of
//! a node or the access to an item. It takes about 70 ns in an optimized build.

use cel::common::ast::{EntryExpr, Expr, IdedExpr, LiteralValue, operators};
use serde_json::Value as Json;

use super::VISITOR;

/// Steps per character to compile a regular expression. Unicode classes are the most expensive.
const COMPILING: u64 = 64;
/// Bytes of a string that are compared in one step.
const CHARACTERS: u64 = 16;

/// Returns the maximum steps of an expression.
pub(super) fn of(expression: &IdedExpr, claims: &Json) -> u64 {
    Estimate { claims, scope: Vec::new() }.visit(expression).0
}

/// Maximum size of a value.
#[derive(Clone, Copy, Default)]
struct Shape {
    /// Iterations of a loop over the value.
    items: u64,
    /// Steps to visit the whole value.
    weight: u64,
    /// Steps to visit its largest item.
    largest: u64,
}

/// A number or boolean.
const SCALAR: Shape = Shape { items: 1, weight: 1, largest: 1 };

impl Shape {
    fn of_text(text: &str) -> Self {
        Self { weight: 1 + count(text.len()) / CHARACTERS, ..SCALAR }
    }

    fn of_json(json: &Json) -> Self {
        match json {
            Json::Null | Json::Bool(_) | Json::Number(_) => SCALAR,
            Json::String(text) => Self::of_text(text),
            Json::Array(items) => Self::of_items(items.len(), items.iter().map(Self::of_json)),
            Json::Object(entries) => {
                let parts =
                    entries.iter().map(|(key, value)| Self::of_text(key).concat(Self::of_json(value)));
                Self::of_items(entries.len(), parts)
            }
        }
    }

    fn of_items(items: usize, shapes: impl Iterator<Item = Self>) -> Self {
        let list = Self { items: count(items), weight: 1, largest: 1 };
        shapes.fold(list, |list, item| Self {
            items: list.items,
            weight: list.weight.saturating_add(item.weight),
            largest: list.largest.max(item.weight),
        })
    }

    /// Returns the shape of an item.
    fn item(self) -> Self {
        Self { items: self.largest, weight: self.largest, largest: self.largest }
    }

    /// Returns the shape of a concatenation.
    fn concat(self, other: Self) -> Self {
        Self {
            items: self.items.saturating_add(other.items),
            weight: self.weight.saturating_add(other.weight),
            largest: self.largest.max(other.largest),
        }
    }

    /// Returns the component-wise maximum.
    fn or(self, other: Self) -> Self {
        Self {
            items: self.items.max(other.items),
            weight: self.weight.max(other.weight),
            largest: self.largest.max(other.largest),
        }
    }
}

fn count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

struct Estimate<'a> {
    claims: &'a Json,
    /// Variables of the enclosing loops.
    scope: Vec<(&'a str, Shape)>,
}

impl<'a> Estimate<'a> {
    /// Returns the steps of an expression and the shape of its value.
    fn visit(&mut self, node: &'a IdedExpr) -> (u64, Shape) {
        match &node.expr {
            Expr::Unspecified | Expr::Struct(_) => (1, SCALAR),
            Expr::Literal(literal) => (1, shape_of_literal(literal)),
            Expr::Ident(name) => (1, self.variable(name)),
            Expr::Select(select) => match self.claim(node) {
                Some(claim) => (2, Shape::of_json(claim)),
                None => {
                    let (steps, operand) = self.visit(&select.operand);
                    (steps.saturating_add(1), operand)
                }
            },
            Expr::Call(call) => {
                let operands: Vec<&IdedExpr> = call.target.as_deref().into_iter().chain(&call.args).collect();
                let visited: Vec<(u64, Shape)> = operands.iter().map(|operand| self.visit(operand)).collect();
                let pattern = match call.func_name.as_str() {
                    "matches" => operands.last().map_or(0, |pattern| self.compiling(pattern)),
                    _ => 0,
                };
                called(&call.func_name, &visited, pattern)
            }
            Expr::List(list) => {
                let visited: Vec<(u64, Shape)> = list.elements.iter().map(|item| self.visit(item)).collect();
                let steps = visited.iter().fold(1, |sum: u64, (steps, _)| sum.saturating_add(*steps));
                (steps, Shape::of_items(visited.len(), visited.into_iter().map(|(_, shape)| shape)))
            }
            Expr::Map(map) => {
                let (mut steps, mut shape) = (1, SCALAR);
                for entry in &map.entries {
                    let (taken, part) = self.entry(&entry.expr);
                    (steps, shape) = (taken.saturating_add(steps), shape.concat(part));
                }
                (steps, shape)
            }
            Expr::Comprehension(inner) => {
                let (mut steps, range) = self.visit(&inner.iter_range);
                let outside = self.scope.len();
                self.scope.push((&inner.iter_var, range.item()));
                self.scope.extend(inner.iter_var2.as_deref().map(|name| (name, range.item())));
                // The evaluator appends to the accumulator without reading it.
                self.scope.push((&inner.accu_var, SCALAR));
                let (of_condition, _) = self.visit(&inner.loop_cond);
                let (of_step, step) = self.visit(&inner.loop_step);
                let each = of_condition.saturating_add(of_step).saturating_add(1);
                steps = steps.saturating_add(range.weight).saturating_add(range.items.saturating_mul(each));
                for once in [&inner.accu_init, &inner.result] {
                    steps = steps.saturating_add(self.visit(once).0);
                }
                self.scope.truncate(outside);
                let weight = range.items.saturating_mul(step.weight);
                (steps, Shape { items: range.items, weight, largest: step.weight })
            }
        }
    }

    fn entry(&mut self, entry: &'a EntryExpr) -> (u64, Shape) {
        match entry {
            EntryExpr::StructField(field) => self.visit(&field.value),
            EntryExpr::MapEntry(entry) => {
                let ((key, shape_of_key), (value, shape)) =
                    (self.visit(&entry.key), self.visit(&entry.value));
                (key.saturating_add(value), shape_of_key.concat(shape))
            }
        }
    }

    fn variable(&self, name: &str) -> Shape {
        let found = self.scope.iter().rev().find(|(known, _)| *known == name);
        found.map_or_else(|| Shape::of_json(self.claims), |(_, shape)| *shape)
    }

    /// Resolves a path below `visitor.claims`. Returns null for an absent claim.
    fn claim(&self, node: &IdedExpr) -> Option<&'a Json> {
        let Expr::Select(select) = &node.expr else { return None };
        match &select.operand.expr {
            Expr::Ident(name) => {
                let is_visitor = name == VISITOR && !self.scope.iter().any(|(known, _)| known == name);
                (is_visitor && select.field == "claims").then_some(self.claims)
            }
            _ => Some(self.claim(&select.operand)?.get(&select.field).unwrap_or(&Json::Null)),
        }
    }

    /// Returns the steps to compile a regular expression.
    fn compiling(&self, pattern: &IdedExpr) -> u64 {
        let known = match &pattern.expr {
            Expr::Literal(LiteralValue::String(text)) => Some(text.inner()),
            _ => self.claim(pattern).and_then(Json::as_str),
        };
        // A computed pattern may be anything that the claims hold.
        known.map_or(u64::MAX, |text| {
            count(text.len()).saturating_mul(repetitions(text)).saturating_mul(COMPILING)
        })
    }
}

fn shape_of_literal(literal: &LiteralValue) -> Shape {
    match literal {
        LiteralValue::String(text) => Shape::of_text(text.inner()),
        LiteralValue::Bytes(bytes) => Shape { weight: 1 + count(bytes.inner().len()) / CHARACTERS, ..SCALAR },
        _ => SCALAR,
    }
}

/// Returns the steps and the shape of a call from those of its operands.
fn called(name: &str, operands: &[(u64, Shape)], pattern: u64) -> (u64, Shape) {
    let steps = operands.iter().fold(1, |sum: u64, (steps, _)| sum.saturating_add(*steps));
    let shapes = operands.iter().map(|(_, shape)| *shape);
    let is_logic = [
        operators::LOGICAL_AND,
        operators::LOGICAL_OR,
        operators::LOGICAL_NOT,
        operators::CONDITIONAL,
        operators::NOT_STRICTLY_FALSE,
        operators::INDEX,
    ]
    .contains(&name);
    // All other functions read their operands.
    let looked_at = shapes.clone().fold(0, |sum: u64, shape| sum.saturating_add(shape.weight));
    let steps = if is_logic { steps } else { steps.saturating_add(looked_at) };
    let shape = match name {
        operators::ADD => shapes.reduce(Shape::concat),
        operators::CONDITIONAL => shapes.skip(1).reduce(Shape::or),
        operators::LOGICAL_AND
        | operators::LOGICAL_OR
        | operators::LOGICAL_NOT
        | operators::NOT_STRICTLY_FALSE
        | operators::IN
        | operators::EQUALS
        | operators::NOT_EQUALS
        | operators::GREATER
        | operators::GREATER_EQUALS
        | operators::LESS
        | operators::LESS_EQUALS => Some(SCALAR),
        _ => shapes.reduce(Shape::or),
    };
    (steps.saturating_add(pattern), shape.unwrap_or(SCALAR))
}

/// Returns the product of the counted repetitions of a regular expression, as if all were nested.
fn repetitions(pattern: &str) -> u64 {
    let counted = pattern.split('{').skip(1).filter_map(|behind| behind.split('}').next());
    let most =
        counted.filter_map(|bounds| bounds.split(',').filter_map(|bound| bound.parse::<u64>().ok()).max());
    most.fold(1, |product, most| product.saturating_mul(most.max(1)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::parse;
    use super::*;

    fn steps(condition: &str) -> u64 {
        let claims =
            json!({"plan": "pro", "a": vec![0; 100], "b": [[1, 2], [3]], "email": "ada@example.com"});
        of(&parse(condition).unwrap(), &claims)
    }

    #[test]
    fn loops_multiply_and_the_rest_adds_up() {
        assert!(steps("visitor.claims.plan == 'pro'") < 10);
        let one = steps("visitor.claims.a.all(x, x == 0)");
        assert!((100..2_000).contains(&one), "{one}");
        let two = steps("visitor.claims.a.all(x, visitor.claims.a.all(y, x == y))");
        assert!(two > 80 * one, "{two}");
        let both = steps("visitor.claims.a.all(x, x == 0) && visitor.claims.a.all(x, x == 0)");
        assert!(both < 2 * one + 10, "{both}");
    }

    #[test]
    fn hidden_loops_are_counted() {
        let plain = steps("visitor.claims.a.all(x, x == 0)");
        for hidden in [
            "visitor.claims.a.all(x, x in visitor.claims.a)",
            "visitor.claims.a.all(x, visitor.claims.a == visitor.claims.a)",
            "visitor.claims.a.map(x, visitor.claims.a).all(y, y == visitor.claims.a)",
            "(visitor.claims.a + visitor.claims.a).all(x, x in (visitor.claims.a + visitor.claims.a))",
        ] {
            assert!(steps(hidden) > 10 * plain, "{hidden}: {}", steps(hidden));
        }
    }

    #[test]
    fn regular_expressions_cost_what_compiling_them_does() {
        assert!(steps("visitor.claims.email.matches('^.*@example[.]com$')") < 5_000);
        assert!(steps(r"visitor.claims.email.matches('(\\w{100}){100}')") > 1_000_000);
        assert!(steps("visitor.claims.email.matches(visitor.claims.plan + '{9}')") > 1_000_000);
    }
}
