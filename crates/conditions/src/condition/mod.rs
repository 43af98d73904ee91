//! Conditions: expressions of CEL (the Common Expression Language, <https://cel.dev>) over `visitor.claims`.

mod cost;

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use cel::common::ast::{EntryExpr, Expr, IdedExpr};
use cel::parser::PrattParser;
use cel::{Context, ParseErrors, Value};
use serde_json::Value as Json;

/// The one variable that a condition may name.
const VISITOR: &str = "visitor";
/// Maximum nesting of `all`, `exists`, `map` and `filter`: each level multiplies the work.
const MAX_NESTING: usize = 2;

/// Maximum nesting of an expression: parsing and evaluating it recurse for each level.
const MAX_DEPTH: u16 = 24;
/// Maximum number of parts of an expression.
const MAX_PARTS: usize = 256;
/// Bytes of stack to read or evaluate an expression of that depth on, with room to spare in unoptimized builds.
const STACK: usize = 32 << 20;

fn parse(condition: &str) -> Result<IdedExpr, ParseErrors> {
    let parser = PrattParser::new().max_recursion_depth(MAX_DEPTH).max_expression_node_count(MAX_PARTS);
    stacker::grow(STACK, || parser.parse(condition))
}

/// Refusal of a condition. Its message describes the error; a syntax error includes line and column.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConditionError(String);

/// Checks that a condition parses, names no variable but `visitor`, and nests loops at most once. The caller bounds the
/// length.
///
/// # Errors
/// The first problem.
pub fn check(condition: &str) -> Result<(), ConditionError> {
    let expression = parse(condition).map_err(|errors| ConditionError(syntax(&errors)))?;
    let mut walk = Walk { scope: Vec::new() };
    walk.visit(&expression, 0).map_err(ConditionError)
}

/// Returns the parser's first complaint with its position.
fn syntax(errors: &ParseErrors) -> String {
    errors.errors.first().map_or_else(
        || "is not an expression".to_owned(),
        |error| {
            let (line, column) = error.pos;
            format!("is not an expression: line {line} column {column}: {}", error.msg)
        },
    )
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
            Expr::Ident(name) => Err(format!("names `{name}`, where only `visitor` is known")),
            Expr::Select(select) => self.visit(&select.operand, loops),
            Expr::Call(call) => {
                call.target.iter().try_for_each(|target| self.visit(target, loops))?;
                call.args.iter().try_for_each(|argument| self.visit(argument, loops))
            }
            Expr::List(list) => list.elements.iter().try_for_each(|element| self.visit(element, loops)),
            Expr::Map(map) => map.entries.iter().try_for_each(|entry| self.entry(&entry.expr, loops)),
            Expr::Struct(_) => Err("makes an object of a type, which has no meaning here".to_owned()),
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

/// Budget of steps shared by all conditions of a visit, about 0.1 s of CPU time. See [`cost`].
const STEPS: u64 = 1_000_000;

/// A visitor's claims, for the conditions of one visit.
pub struct Visitor {
    /// Environment of evaluations. It has the whole standard library, and most visits evaluate nothing.
    context: OnceCell<Context<'static, 'static>>,
    claims: Json,
    /// Remaining steps.
    steps: Cell<u64>,
    /// Answers by condition.
    answers: RefCell<HashMap<String, bool>>,
}

impl Visitor {
    /// A visitor with these claims; anything but an object counts as none.
    #[must_use]
    pub fn new(claims: &Json) -> Self {
        let claims = if claims.is_object() { claims.clone() } else { Json::Object(serde_json::Map::new()) };
        Self { context: OnceCell::new(), claims, steps: Cell::new(STEPS), answers: RefCell::default() }
    }

    fn context(&self) -> &Context<'static, 'static> {
        self.context.get_or_init(|| {
            let mut context = Context::default();
            let claims = HashMap::from([("claims".to_owned(), value(&self.claims))]);
            context.add_variable_from_value(VISITOR, claims);
            context
        })
    }

    /// Returns true if a condition is true for the visitor. It is false if its evaluation fails (missing claim,
    /// incomparable types) or may take more than the remaining steps. Equal conditions are evaluated once.
    #[must_use]
    pub fn meets(&self, condition: &str) -> bool {
        if let Some(answer) = self.answers.borrow().get(condition) {
            return *answer;
        }
        let answer = parse(condition).is_ok_and(|expression| {
            stacker::grow(STACK, || {
                self.spend(cost::of(&expression, &self.claims))
                    && matches!(self.context().resolve(&expression), Ok(Value::Bool(true)))
            })
        });
        self.answers.borrow_mut().insert(condition.to_owned(), answer);
        answer
    }

    /// Returns the value of an expression as text, if it is a text, a number or a truth value. Fails as [`meets`](Self::meets).
    #[must_use]
    pub fn text(&self, expression: &str) -> Option<String> {
        let expression = parse(expression).ok()?;
        let value = stacker::grow(STACK, || {
            let is_paid = self.spend(cost::of(&expression, &self.claims));
            is_paid.then(|| self.context().resolve(&expression).ok()).flatten()
        });
        match value? {
            Value::String(text) => Some(text.as_str().to_owned()),
            Value::Int(number) => Some(number.to_string()),
            Value::UInt(number) => Some(number.to_string()),
            Value::Float(number) => Some(number.to_string()),
            Value::Bool(is) => Some(is.to_string()),
            _ => None,
        }
    }

    /// Deducts steps if that many remain.
    fn spend(&self, steps: u64) -> bool {
        match self.steps.get().checked_sub(steps) {
            Some(left) => {
                self.steps.set(left);
                true
            }
            None => false,
        }
    }
}

/// Converts JSON for CEL: whole numbers become `int`, so that they compare with the numbers of a condition.
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn message(condition: &str) -> String {
        check(condition).unwrap_err().to_string()
    }

    #[test]
    fn good_conditions_pass() {
        for good in [
            "visitor.claims.plan == 'pro'",
            "visitor.claims.unsigned.beta",
            "'admin' in visitor.claims.roles && visitor.claims.age >= 18",
            "has(visitor.claims.plan) && visitor.claims.plan.startsWith('p')",
            "visitor.claims.roles.exists(r, r == 'a' || visitor.claims.others.all(o, o != r))",
            "visitor.claims.email.matches('^.*@example[.]com$')",
            "true",
        ] {
            assert!(check(good).is_ok(), "{good}: {}", message(good));
        }
    }

    #[test]
    fn scalars_have_a_text() {
        let visitor =
            Visitor::new(&json!({"name": "Ada", "age": 36, "rate": 0.5, "beta": true, "roles": ["a"]}));
        let text = |expression| visitor.text(expression);
        assert_eq!(text("visitor.claims.name + '!'").as_deref(), Some("Ada!"));
        assert_eq!(text("visitor.claims.age + 1").as_deref(), Some("37"));
        assert_eq!(text("visitor.claims.rate").as_deref(), Some("0.5"));
        assert_eq!(text("visitor.claims.beta").as_deref(), Some("true"));
        for nothing in ["visitor.claims.roles", "visitor.claims.unknown", "user.name", "1 +", ""] {
            assert_eq!(text(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn bad_conditions_are_refused_with_their_position() {
        assert!(message("visitor.claims.plan ==").contains("line 1 column"));
        assert!(message("visitor.claims.plan = 'a'").contains("line 1 column"));
        assert!(message("user.name == 'a'").contains("`user`"));
        assert!(message("visitor.claims.a.exists(x, y == x)").contains("`y`"));
        assert!(message("").contains("is not an expression"));
        let nested = "[1].all(a, [1].all(b, [1].all(c, [1].all(d, a + b + c + d == 4))))";
        assert!(message(nested).contains("loops"));
    }

    #[test]
    fn deep_nesting_is_refused_before_it_is_read() {
        for part in ["(", "!", "-", "[", "{1:", "true?", "a.", "1+", "a[", "f("] {
            assert!(check(&part.repeat(1024 / part.len())).is_err(), "{part}");
        }
        let deepest = [
            format!("{}true{}", "(".repeat(16), ")".repeat(16)),
            format!("{}true", "!".repeat(16)),
            format!("{}1{} == 1", "[".repeat(16), "]".repeat(16)),
            format!("visitor{}", ".a".repeat(200)),
            format!("1{} == 1", "+1".repeat(100)),
        ];
        for condition in deepest {
            check(&condition).unwrap_or_else(|error| panic!("{condition}: {error}"));
            let _ = Visitor::new(&json!({})).meets(&condition);
        }
    }

    #[test]
    fn visitors_meet_what_is_true_of_their_claims() {
        let visitor = Visitor::new(
            &json!({"plan": "pro", "age": 20, "roles": ["admin"], "score": 1.5, "org": {"size": 3}}),
        );
        for (condition, expected) in [
            ("visitor.claims.plan == 'pro'", true),
            ("visitor.claims.plan == 'free'", false),
            ("visitor.claims.age >= 18 && visitor.claims.age < 65", true),
            ("visitor.claims.score > 1.0", true),
            ("'admin' in visitor.claims.roles", true),
            ("visitor.claims.roles.exists(role, role == 'admin')", true),
            ("visitor.claims.org.size == 3", true),
            ("has(visitor.claims.org)", true),
            ("has(visitor.claims.nothing)", false),
            ("visitor.claims.nothing == 1", false),
            ("visitor.claims.plan", false),
            ("visitor.claims.plan > 3", false),
            ("nonsense(", false),
        ] {
            assert_eq!(visitor.meets(condition), expected, "{condition}");
        }
        assert!(Visitor::new(&json!(null)).meets("!has(visitor.claims.plan)"));
    }

    #[test]
    fn a_visit_has_one_budget_for_all_conditions_and_answers_each_once() {
        let visitor = Visitor::new(&json!({"unsigned": {"a": vec![0; 2_000]}, "plan": "pro"}));
        let nested = "visitor.claims.unsigned.a.all(x, visitor.claims.unsigned.a.all(y, x == y))";
        assert!(!visitor.meets(nested), "it takes more steps than a visit has");
        assert_eq!(visitor.steps.get(), STEPS, "unevaluated conditions cost nothing");
        assert!(visitor.meets("visitor.claims.unsigned.a.all(x, x == 0)"));
        let left = visitor.steps.get();
        for _ in 0..1_000 {
            assert!(visitor.meets("visitor.claims.unsigned.a.all(x, x == 0)"));
        }
        assert_eq!(visitor.steps.get(), left);
        let different = |number: usize| format!("visitor.claims.unsigned.a.all(x, x != {number})");
        let shown = (1..=1_000).filter(|number| visitor.meets(&different(*number))).count();
        assert!((10..1_000).contains(&shown), "{shown} of them fit the budget");
        assert!(visitor.meets("visitor.claims.plan == 'pro'"), "a cheap one still fits");
    }

    #[test]
    fn nested_loops_over_short_lists_are_answered() {
        let visitor = Visitor::new(&json!({"roles": vec!["a"; 50], "others": vec!["b"; 50]}));
        assert!(visitor.meets("visitor.claims.roles.all(r, visitor.claims.others.all(o, o != r))"));
        assert!(visitor.meets("visitor.claims.roles.filter(r, r == 'a').exists(r, r.matches('^a+$'))"));
    }
}
