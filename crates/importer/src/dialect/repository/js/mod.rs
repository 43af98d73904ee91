//! Settings of generators in JavaScript and TypeScript: the values of their literals. No code is executed.
//!
//! Names are resolved to their declarations in the file and in imported files of the repository, and calls of functions
//! without arguments to the returned expression. Any other expression has no value.

mod scope;
mod syntax;

use std::collections::BTreeSet;

use oxc_ast::ast::{
    Argument, ArrayExpressionElement, ArrowFunctionBody, CallExpression, Expression, ObjectPropertyKind,
    TemplateLiteral,
};

use self::scope::{Binding, Scope};
use crate::path;
use crate::tree::SourceTree;

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Self>),
    /// An object, in the order of its keys.
    Object(Vec<(String, Self)>),
    /// A boolean; `null` is false.
    Flag(bool),
    /// A number.
    Number(f64),
    /// Call of a function that is not in the repository, with its name and arguments.
    Call(String, Vec<Self>),
    /// Anything else.
    Other,
}

impl Value {
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        self.entries().iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_text()
    }

    pub(super) fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn items(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    pub(super) fn entries(&self) -> &[(String, Self)] {
        match self {
            Self::Object(entries) => entries,
            _ => &[],
        }
    }

    /// Returns whether the value contains an unknown expression.
    pub(super) fn has_other(&self) -> bool {
        match self {
            Self::Other | Self::Call(..) => true,
            Self::List(items) => items.iter().any(Self::has_other),
            Self::Object(entries) => entries.iter().any(|(_, value)| value.has_other()),
            Self::Text(_) | Self::Flag(_) | Self::Number(_) => false,
        }
    }

    /// Returns the object that is passed to a call such as `defineConfig({…})`; for any other value, the value itself.
    pub(super) fn given(&self) -> &Self {
        let mut value = self;
        while let Self::Call(_, arguments) = value {
            let is_given = |value: &&Self| matches!(value, Self::Object(_) | Self::Call(..));
            let Some(argument) = arguments.iter().find(is_given) else { break };
            value = argument;
        }
        value
    }

    /// Returns the arguments of the first call of `name` in a list.
    pub(super) fn call(&self, name: &str) -> Option<&[Self]> {
        self.items().iter().find_map(|item| match item {
            Self::Call(called, arguments) if called == name => Some(arguments.as_slice()),
            _ => None,
        })
    }

    fn set(&mut self, key: String, value: Self) {
        let Self::Object(entries) = self else { return };
        match entries.iter_mut().find(|(known, _)| *known == key && !key.is_empty()) {
            Some((_, known)) => *known = value,
            None => entries.push((key, value)),
        }
    }
}

/// Limits on the values of all settings, their nesting, and the bytes of the scripts, larger than any navigation.
const MAX_VALUES: usize = 400_000;
const MAX_DEPTH: usize = 64;
const MAX_BYTES: usize = 16 * 1024 * 1024;
/// Bytes of a text that count as one value.
const TEXT_BYTES: usize = 16;

/// Reads scripts of a repository.
pub(super) struct Scripts<'t> {
    tree: &'t SourceTree,
    values: usize,
    bytes: usize,
    /// Exports on the evaluation path, since files may import each other.
    open: BTreeSet<(String, String)>,
}

impl<'t> Scripts<'t> {
    pub(super) fn of(tree: &'t SourceTree) -> Self {
        Self { tree, values: MAX_VALUES, bytes: MAX_BYTES, open: BTreeSet::new() }
    }

    /// Returns the default export of a script, or the content of a JSON file; `None` if it cannot be read.
    pub(super) fn exported(&mut self, file: &str) -> Option<Value> {
        self.export(file, "default", 0)
    }

    /// Returns the value that a script in an HTML file assigns to `window.NAME`; `None` if no script does.
    pub(super) fn assigned_in_page(&mut self, file: &str, name: &str) -> Option<Value> {
        self.bytes = self.bytes.checked_sub(self.tree.files.get(file)?.len())?;
        let page = self.tree.text(file)?;
        let scripts = page.split("<script").skip(1).filter_map(|rest| {
            let (_, script) = rest.split_once('>')?;
            Some(script.split_once("</script").map_or(script, |(script, _)| script))
        });
        scripts
            .filter(|script| script.contains(name))
            .find_map(|script| self.read_text(script, file, name, 0))
    }

    fn export(&mut self, file: &str, name: &str, depth: usize) -> Option<Value> {
        let key = (file.to_owned(), name.to_owned());
        if depth > MAX_DEPTH || !self.open.insert(key.clone()) {
            return None;
        }
        let value = self.read(file, name, depth);
        self.open.remove(&key);
        value
    }

    fn read(&mut self, file: &str, name: &str, depth: usize) -> Option<Value> {
        self.bytes = self.bytes.checked_sub(self.tree.files.get(file)?.len())?;
        let text = self.tree.text(file)?;
        self.read_text(&text, file, name, depth)
    }

    fn read_text(&mut self, text: &str, file: &str, name: &str, depth: usize) -> Option<Value> {
        syntax::program(text, &path::extension(file), |program| {
            let scope = Scope::of_program(file, program);
            match scope.export(name) {
                Some(binding) => Some(self.binding(&binding, &scope, depth + 1)),
                None => scope.reexported.iter().find_map(|source| {
                    let found = scope::imported(self.tree, scope.file, source)?;
                    self.export(&found, name, depth + 1)
                }),
            }
        })?
    }

    fn binding(&mut self, binding: &Binding<'_, '_>, scope: &Scope<'_, '_>, depth: usize) -> Value {
        match binding {
            Binding::Expression(expression) => self.result(expression, scope, depth),
            Binding::Function(body) => self.returned(body, scope, depth),
            Binding::Name(name) => self.name(name, scope, depth),
            Binding::Import { source, name } => {
                let found = scope::imported(self.tree, scope.file, source);
                found.and_then(|file| self.export(&file, name, depth)).unwrap_or(Value::Other)
            }
        }
    }

    fn name(&mut self, name: &str, scope: &Scope<'_, '_>, depth: usize) -> Value {
        match scope.get(name) {
            Some(binding) if depth <= MAX_DEPTH => self.binding(&binding, scope, depth + 1),
            _ => Value::Other,
        }
    }

    /// Returns the value of an expression; for a function, the value that it returns.
    fn result(&mut self, node: &Expression<'_>, scope: &Scope<'_, '_>, depth: usize) -> Value {
        match node.get_inner_expression() {
            Expression::ArrowFunctionExpression(arrow) => match &arrow.body {
                ArrowFunctionBody::FunctionBody(body) => self.returned(body, scope, depth),
                body => body.as_expression().map_or(Value::Other, |body| self.value(body, scope, depth)),
            },
            Expression::FunctionExpression(function) => match &function.body {
                Some(body) => self.returned(body, scope, depth),
                None => Value::Other,
            },
            node => self.value(node, scope, depth),
        }
    }

    /// Returns the value after the last `return` of a function.
    fn returned(
        &mut self,
        body: &oxc_ast::ast::FunctionBody<'_>,
        scope: &Scope<'_, '_>,
        depth: usize,
    ) -> Value {
        let inner = scope.with(&body.statements);
        let returned = scope::returned(&body.statements);
        returned.map_or(Value::Other, |node| self.value(node, &inner, depth + 1))
    }

    /// Counts values, and returns whether they are within the limit.
    fn count(&mut self, values: usize) -> bool {
        let left = self.values.checked_sub(values);
        self.values = left.unwrap_or_default();
        left.is_some()
    }

    fn text(&mut self, text: String) -> Value {
        if self.count(text.len() / TEXT_BYTES) { Value::Text(text) } else { Value::Other }
    }

    fn value(&mut self, node: &Expression<'_>, scope: &Scope<'_, '_>, depth: usize) -> Value {
        if depth > MAX_DEPTH || !self.count(1) {
            return Value::Other;
        }
        let node = node.get_inner_expression();
        if let Some(member) = node.as_member_expression() {
            let Some(name) = member.static_property_name() else { return Value::Other };
            return self.value(member.object(), scope, depth + 1).get(name).cloned().unwrap_or(Value::Other);
        }
        match node {
            Expression::StringLiteral(literal) => self.text(literal.value.to_string()),
            Expression::BooleanLiteral(literal) => Value::Flag(literal.value),
            Expression::NumericLiteral(literal) => Value::Number(literal.value),
            Expression::NullLiteral(_) => Value::Flag(false),
            Expression::TemplateLiteral(template) => self.template(template, scope, depth),
            Expression::Identifier(identifier) => self.name(identifier.name.as_str(), scope, depth),
            Expression::AwaitExpression(awaited) => self.value(&awaited.argument, scope, depth + 1),
            Expression::ArrayExpression(list) => {
                let mut items = Vec::with_capacity(list.elements.len());
                for element in &list.elements {
                    match element {
                        ArrayExpressionElement::SpreadElement(spread) => {
                            match self.value(&spread.argument, scope, depth + 1) {
                                Value::List(more) => items.extend(more),
                                _ => items.push(Value::Other),
                            }
                        }
                        ArrayExpressionElement::Elision(_) => {}
                        element => items.push(
                            element
                                .as_expression()
                                .map_or(Value::Other, |element| self.value(element, scope, depth + 1)),
                        ),
                    }
                }
                Value::List(items)
            }
            Expression::ObjectExpression(object) => {
                let mut value = Value::Object(Vec::new());
                for property in &object.properties {
                    match property {
                        ObjectPropertyKind::SpreadProperty(spread) => {
                            match self.value(&spread.argument, scope, depth + 1) {
                                Value::Object(more) => {
                                    more.into_iter().for_each(|(key, more)| value.set(key, more));
                                }
                                _ => value.set(String::new(), Value::Other),
                            }
                        }
                        ObjectPropertyKind::ObjectProperty(property) => {
                            let key = property.key.static_name().filter(|_| !property.computed);
                            let key = key.map(std::borrow::Cow::into_owned).unwrap_or_default();
                            value.set(key, self.value(&property.value, scope, depth + 1));
                        }
                    }
                }
                value
            }
            Expression::CallExpression(call) => self.call(call, scope, depth),
            _ => Value::Other,
        }
    }

    /// Returns the text of a template whose parts are texts.
    fn template(&mut self, template: &TemplateLiteral<'_>, scope: &Scope<'_, '_>, depth: usize) -> Value {
        let mut text = String::new();
        let mut values = template.expressions.iter();
        for part in &template.quasis {
            let Some(cooked) = &part.value.cooked else { return Value::Other };
            text.push_str(cooked.as_str());
            if let Some(value) = values.next() {
                match self.value(value, scope, depth + 1) {
                    Value::Text(value) => text.push_str(&value),
                    _ => return Value::Other,
                }
            }
        }
        self.text(text)
    }

    fn call(&mut self, call: &CallExpression<'_>, scope: &Scope<'_, '_>, depth: usize) -> Value {
        let callee = call.callee.get_inner_expression();
        let name = match callee {
            Expression::Identifier(identifier) => identifier.name.to_string(),
            callee => match callee.as_member_expression() {
                Some(member) => match (member.object(), member.static_property_name()) {
                    (Expression::Identifier(object), Some(name)) => format!("{}.{name}", object.name),
                    _ => return Value::Other,
                },
                None => return Value::Other,
            },
        };
        let argument = |argument: &Argument<'_>, reader: &mut Self| {
            argument
                .as_expression()
                .map_or(Value::Other, |argument| reader.result(argument, scope, depth + 1))
        };
        let arguments: Vec<Value> = call.arguments.iter().map(|one| argument(one, self)).collect();
        match (name.as_str(), arguments.as_slice()) {
            ("require", [Value::Text(source)]) => {
                let file = scope::imported(self.tree, scope.file, source);
                file.and_then(|file| self.export(&file, "default", depth)).unwrap_or(Value::Other)
            }
            ("require.resolve", [Value::Text(source)]) => Value::Text(source.clone()),
            (name, []) => match self.name(name, scope, depth) {
                Value::Other => Value::Call(name.to_owned(), arguments),
                value => value,
            },
            _ => Value::Call(name, arguments),
        }
    }
}

#[cfg(test)]
mod tests;
