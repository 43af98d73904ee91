//! Parsing of expressions with Oxc (<https://oxc.rs>).

use oxc_allocator::Allocator;
use oxc_ast::ast::{
    Argument, ArrayExpression, ArrowFunctionExpression, BinaryExpression, BinaryOperator, BindingPattern,
    CallExpression, ChainElement, Expression as Node, LogicalExpression, LogicalOperator, MemberExpression,
    SourceType, TemplateLiteral, UnaryExpression, UnaryOperator,
};
use oxc_parser::{ParseOptions, Parser};
use oxc_span::GetSpan;

use super::super::{ConditionError, MAX_PARTS, VISITOR, deep_stack};
use super::{Binary, Expression, Method, Quantifier, Unary};

/// Maximum nesting of functions: each level multiplies the work.
const MAX_LOOPS: usize = 2;
/// Maximum nesting of brackets and prefixes. The parser recurses for each of them.
const MAX_DEPTH: usize = 64;

/// Parses an expression.
///
/// # Errors
/// The first problem, with its line and column.
pub(in super::super) fn read(text: &str) -> Result<Expression, ConditionError> {
    if let Some(at) = too_deep(text) {
        return Err(located(text, at, "is nested too deeply"));
    }
    deep_stack(|| {
        let allocator = Allocator::default();
        let options = ParseOptions { preserve_parens: false, ..ParseOptions::default() };
        let parser = Parser::new(&allocator, text, SourceType::script()).with_options(options);
        let node = parser.parse_expression().map_err(|problems| {
            let problem = problems.into_vec().into_iter().next();
            let label = problem.as_ref().and_then(|problem| problem.labels.first());
            let at = label.and_then(|label| usize::try_from(label.offset()).ok());
            let message = problem.map_or_else(|| "unexpected end".into(), |problem| problem.message.clone());
            syntax(text, at.unwrap_or(text.len()), &message)
        })?;
        let mut reader = Reader { text, parts: 0, parameters: Vec::new() };
        reader.read(&node)
    })
}

/// Returns the position at which brackets and prefixes nest too deeply.
///
/// Brackets in string literals count as well. The limit bounds the recursion of the parser, which has none of its own.
fn too_deep(text: &str) -> Option<usize> {
    let (mut open, mut prefixes) = (0_usize, 0_usize);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => open += 1,
            b')' | b']' | b'}' => open = open.saturating_sub(1),
            // Each of these may start an operand of a preceding operator.
            b'!' | b'~' | b'+' | b'-' | b'?' | b'>' | b'*' | b'=' => prefixes += 1,
            _ => {}
        }
        if open > MAX_DEPTH || prefixes > MAX_PARTS {
            return Some(at);
        }
    }
    None
}

fn syntax(text: &str, at: usize, message: &str) -> ConditionError {
    let (line, column) = position(text, at);
    ConditionError(format!("is not an expression: line {line} column {column}: {}", lowercase(message)))
}

fn located(text: &str, at: usize, message: &str) -> ConditionError {
    let (line, column) = position(text, at);
    ConditionError(format!("{message} (line {line} column {column})"))
}

/// Returns the line and the column of an offset. Both count characters from 1.
fn position(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.rsplit('\n').next().unwrap_or_default();
    (before.matches('\n').count() + 1, line.chars().count() + 1)
}

fn lowercase(message: &str) -> String {
    let mut characters = message.chars();
    characters.next().map_or_else(String::new, |first| first.to_lowercase().chain(characters).collect())
}

struct Reader<'t> {
    text: &'t str,
    parts: usize,
    /// Names of the parameters of the enclosing functions.
    parameters: Vec<String>,
}

type Read<T> = Result<T, ConditionError>;

impl Reader<'_> {
    fn read(&mut self, node: &Node<'_>) -> Read<Expression> {
        self.parts += 1;
        if self.parts > MAX_PARTS {
            return Err(self.refuse(node, &format!("has more than {MAX_PARTS} parts")));
        }
        if let Some(member) = node.as_member_expression() {
            return self.member(member);
        }
        Ok(match node {
            Node::NullLiteral(_) => Expression::Null,
            Node::BooleanLiteral(literal) => Expression::Boolean(literal.value),
            Node::NumericLiteral(literal) => Expression::Number(literal.value),
            Node::StringLiteral(literal) => Expression::Text(literal.value.to_string()),
            Node::TemplateLiteral(template) => self.template(template)?,
            Node::Identifier(identifier) => self.identifier(node, identifier.name.as_str())?,
            Node::ArrayExpression(list) => self.list(list)?,
            Node::UnaryExpression(unary) => self.unary(unary)?,
            Node::BinaryExpression(binary) => self.binary(binary)?,
            Node::LogicalExpression(logical) => self.logical(logical)?,
            Node::ConditionalExpression(conditional) => Expression::Conditional {
                test: self.boxed(&conditional.test)?,
                consequent: self.boxed(&conditional.consequent)?,
                alternate: self.boxed(&conditional.alternate)?,
            },
            Node::CallExpression(call) => self.call(call)?,
            Node::ChainExpression(chain) => Expression::Chain(Box::new(match &chain.expression {
                ChainElement::CallExpression(call) => self.call(call)?,
                element => match element.as_member_expression() {
                    Some(member) => self.member(member)?,
                    None => return Err(self.refuse(node, "is not allowed in conditions")),
                },
            })),
            _ => return Err(self.refuse(node, "is not allowed in conditions")),
        })
    }

    fn boxed(&mut self, node: &Node<'_>) -> Read<Box<Expression>> {
        self.read(node).map(Box::new)
    }

    fn identifier(&self, node: &Node<'_>, name: &str) -> Read<Expression> {
        if let Some(parameter) = self.parameters.iter().rposition(|known| known == name) {
            return Ok(Expression::Parameter(parameter));
        }
        match name {
            VISITOR => Ok(Expression::Visitor),
            "undefined" => Ok(Expression::Undefined),
            "NaN" => Ok(Expression::Number(f64::NAN)),
            "Infinity" => Ok(Expression::Number(f64::INFINITY)),
            _ => Err(self.refuse(node, &format!("uses `{name}`, but only `{VISITOR}` is available"))),
        }
    }

    fn template(&mut self, template: &TemplateLiteral<'_>) -> Read<Expression> {
        let mut texts = template.quasis.iter().map(|text| {
            let text = text.value.cooked.as_ref().unwrap_or(&text.value.raw);
            Expression::Text(text.to_string())
        });
        let mut all = texts.next().unwrap_or_else(|| Expression::Text(String::new()));
        for expression in &template.expressions {
            let added = self.boxed(expression)?;
            all = Expression::Binary(Binary::Add, Box::new(all), added);
            if let Some(text) = texts.next() {
                all = Expression::Binary(Binary::Add, Box::new(all), Box::new(text));
            }
        }
        Ok(all)
    }

    fn list(&mut self, list: &ArrayExpression<'_>) -> Read<Expression> {
        let items = list.elements.iter().map(|element| match element.as_expression() {
            Some(item) => self.read(item),
            None => Err(self.refuse(element, "is not allowed in conditions")),
        });
        items.collect::<Read<_>>().map(Expression::List)
    }

    fn unary(&mut self, unary: &UnaryExpression<'_>) -> Read<Expression> {
        let operator = match unary.operator {
            UnaryOperator::LogicalNot => Unary::Not,
            UnaryOperator::UnaryNegation => Unary::Minus,
            UnaryOperator::UnaryPlus => Unary::Plus,
            UnaryOperator::Typeof => Unary::TypeOf,
            _ => return Err(self.refuse(unary, "is not allowed in conditions")),
        };
        Ok(Expression::Unary(operator, self.boxed(&unary.argument)?))
    }

    fn binary(&mut self, binary: &BinaryExpression<'_>) -> Read<Expression> {
        let operator = match binary.operator {
            BinaryOperator::StrictEquality => Binary::StrictEqual,
            BinaryOperator::StrictInequality => Binary::StrictUnequal,
            BinaryOperator::Equality => Binary::LooseEqual,
            BinaryOperator::Inequality => Binary::LooseUnequal,
            BinaryOperator::LessThan => Binary::Less,
            BinaryOperator::LessEqualThan => Binary::LessOrEqual,
            BinaryOperator::GreaterThan => Binary::Greater,
            BinaryOperator::GreaterEqualThan => Binary::GreaterOrEqual,
            BinaryOperator::In => Binary::In,
            BinaryOperator::Addition => Binary::Add,
            BinaryOperator::Subtraction => Binary::Subtract,
            BinaryOperator::Multiplication => Binary::Multiply,
            BinaryOperator::Division => Binary::Divide,
            BinaryOperator::Remainder => Binary::Remainder,
            _ => return Err(self.refuse(binary, "is not allowed in conditions")),
        };
        Ok(Expression::Binary(operator, self.boxed(&binary.left)?, self.boxed(&binary.right)?))
    }

    fn logical(&mut self, logical: &LogicalExpression<'_>) -> Read<Expression> {
        let (left, right) = (self.boxed(&logical.left)?, self.boxed(&logical.right)?);
        Ok(match logical.operator {
            LogicalOperator::And => Expression::And(left, right),
            LogicalOperator::Or => Expression::Or(left, right),
            LogicalOperator::Coalesce => Expression::Coalesce(left, right),
        })
    }

    fn member(&mut self, member: &MemberExpression<'_>) -> Read<Expression> {
        let (key, is_optional) = match member {
            MemberExpression::StaticMemberExpression(member) => {
                let name = member.property.name.as_str();
                let is_root = matches!(&member.object, Node::Identifier(root) if root.name == VISITOR);
                if is_root && name != "claims" && !self.parameters.iter().any(|known| known == VISITOR) {
                    let message =
                        format!("uses `{VISITOR}.{name}`, but only `{VISITOR}.claims` is available");
                    return Err(self.refuse(member.as_ref(), &message));
                }
                (Box::new(Expression::Text(name.to_owned())), member.optional)
            }
            MemberExpression::ComputedMemberExpression(member) => {
                (self.boxed(&member.expression)?, member.optional)
            }
            MemberExpression::PrivateFieldExpression(member) => {
                return Err(self.refuse(member.as_ref(), "is not allowed in conditions"));
            }
        };
        Ok(Expression::Member { object: self.boxed(member.object())?, key, is_optional })
    }

    fn call(&mut self, call: &CallExpression<'_>) -> Read<Expression> {
        let Some(MemberExpression::StaticMemberExpression(callee)) = call.callee.as_member_expression()
        else {
            return Err(self.refuse(call, "is not a call of a method"));
        };
        let is_optional = callee.optional || call.optional;
        let name = callee.property.name.as_str();
        let arguments = call.arguments.as_slice();
        if let Some(quantifier) = quantifier(name) {
            let [Argument::ArrowFunctionExpression(function)] = arguments else {
                return Err(self.refuse(call, &format!("calls `{name}` without a function `item => …`")));
            };
            let (object, body) = (self.boxed(&callee.object)?, self.function(function)?);
            return Ok(Expression::Loop { object, quantifier, body: Box::new(body), is_optional });
        }
        let Some((method, expected)) = method(name) else {
            return Err(
                self.refuse(&callee.property, &format!("calls `{name}`, which conditions do not support"))
            );
        };
        let argument = match (arguments, expected) {
            ([], 0) => None,
            ([argument], 1) => match argument.as_expression() {
                Some(argument) => Some(self.boxed(argument)?),
                None => return Err(self.refuse(argument, "is not allowed in conditions")),
            },
            _ => {
                let expected = if expected == 0 { "no argument" } else { "one argument" };
                return Err(self.refuse(call, &format!("calls `{name}`, which takes {expected}")));
            }
        };
        Ok(Expression::Call { object: self.boxed(&callee.object)?, method, argument, is_optional })
    }

    /// Reads the body of a function.
    fn function(&mut self, function: &ArrowFunctionExpression<'_>) -> Read<Expression> {
        let name = match function.params.items.as_slice() {
            [parameter] if parameter.initializer.is_none() && function.params.rest.is_none() => {
                match &parameter.pattern {
                    BindingPattern::BindingIdentifier(identifier) => Some(identifier.name.to_string()),
                    _ => None,
                }
            }
            _ => None,
        };
        let body = function.body.as_expression().filter(|_| !function.r#async);
        let (Some(name), Some(body)) = (name, body) else {
            return Err(self.refuse(function, "is not a function of one parameter and one expression"));
        };
        if self.parameters.len() >= MAX_LOOPS {
            return Err(self.refuse(function, &format!("has more than {MAX_LOOPS} loops inside each other")));
        }
        self.parameters.push(name);
        let body = self.read(body);
        self.parameters.pop();
        body
    }

    fn refuse(&self, node: &impl GetSpan, message: &str) -> ConditionError {
        let at = usize::try_from(node.span().start).unwrap_or(usize::MAX);
        located(self.text, at, message)
    }
}

fn quantifier(name: &str) -> Option<Quantifier> {
    match name {
        "some" => Some(Quantifier::Some),
        "every" => Some(Quantifier::Every),
        _ => None,
    }
}

/// Returns a method with the number of its arguments.
fn method(name: &str) -> Option<(Method, usize)> {
    Some(match name {
        "includes" => (Method::Includes, 1),
        "startsWith" => (Method::StartsWith, 1),
        "endsWith" => (Method::EndsWith, 1),
        "toLowerCase" => (Method::ToLowerCase, 0),
        "toUpperCase" => (Method::ToUpperCase, 0),
        "trim" => (Method::Trim, 0),
        _ => return None,
    })
}
