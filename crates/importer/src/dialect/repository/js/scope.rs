//! Name resolution in a script: declarations, imports and exports.

use std::collections::HashMap;

use oxc_ast::ast::{
    AssignmentTarget, BindingPattern, Declaration, ExportDefaultDeclarationKind, Expression, FunctionBody,
    ImportDeclarationSpecifier, Program, Statement,
};

use crate::path;
use crate::tree::SourceTree;

/// Meaning of a name.
pub(super) enum Binding<'s, 'p> {
    Expression(&'s Expression<'p>),
    Function(&'s FunctionBody<'p>),
    /// Another name of the file.
    Name(String),
    /// An export of another file.
    Import {
        source: String,
        name: String,
    },
}

impl Clone for Binding<'_, '_> {
    fn clone(&self) -> Self {
        match self {
            Self::Expression(expression) => Self::Expression(expression),
            Self::Function(body) => Self::Function(body),
            Self::Name(name) => Self::Name(name.clone()),
            Self::Import { source, name } => Self::Import { source: source.clone(), name: name.clone() },
        }
    }
}

/// Names known at a position in a file.
pub(super) struct Scope<'s, 'p> {
    pub(super) file: &'s str,
    names: HashMap<String, Binding<'s, 'p>>,
    exports: HashMap<String, Binding<'s, 'p>>,
    /// Files whose exports are also exports of this file.
    pub(super) reexported: Vec<&'s str>,
}

impl<'s, 'p> Scope<'s, 'p> {
    pub(super) fn of_program(file: &'s str, program: &'s Program<'p>) -> Self {
        let mut scope = Self { file, names: HashMap::new(), exports: HashMap::new(), reexported: Vec::new() };
        program.body.iter().for_each(|statement| scope.statement(statement));
        scope
    }

    /// Returns the scope of a function with these statements.
    pub(super) fn with<'i>(&self, statements: &'i [Statement<'p>]) -> Scope<'i, 'p>
    where
        's: 'i,
    {
        let names: HashMap<String, Binding<'i, 'p>> =
            self.names.iter().map(|(name, binding)| (name.clone(), binding.clone())).collect();
        let mut inner = Scope { file: self.file, names, exports: HashMap::new(), reexported: Vec::new() };
        statements.iter().for_each(|statement| inner.statement(statement));
        inner
    }

    pub(super) fn get(&self, name: &str) -> Option<Binding<'s, 'p>> {
        self.names.get(name).cloned()
    }

    /// Returns an export. The default export may also be the object assigned to `module.exports`.
    pub(super) fn export(&self, name: &str) -> Option<Binding<'s, 'p>> {
        self.exports.get(name).cloned()
    }

    fn statement(&mut self, statement: &'s Statement<'p>) {
        match statement {
            Statement::ImportDeclaration(import) => {
                for specifier in import.specifiers.iter().flatten() {
                    let name = match specifier {
                        ImportDeclarationSpecifier::ImportSpecifier(one) => one.imported.name().to_string(),
                        _ => "default".to_owned(),
                    };
                    let source = import.source.value.to_string();
                    self.names.insert(specifier.name().to_string(), Binding::Import { source, name });
                }
            }
            Statement::ExportDefaultDeclaration(export) => {
                let binding = match &export.declaration {
                    ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
                        function.body.as_ref().map(|body| Binding::Function(body))
                    }
                    declaration => declaration.as_expression().map(Binding::Expression),
                };
                self.exports.extend(binding.map(|binding| ("default".to_owned(), binding)));
            }
            Statement::ExportDeclaration(export) => {
                for name in self.declaration(&export.declaration) {
                    self.exports.insert(name.clone(), Binding::Name(name));
                }
            }
            Statement::ExportNamedDeclaration(export) => {
                for one in &export.specifiers {
                    let local = Binding::Name(one.local.name().to_string());
                    self.exports.insert(one.exported.name().to_string(), local);
                }
            }
            Statement::ExportFromDeclaration(export) => {
                for one in &export.specifiers {
                    let import = Binding::Import {
                        source: export.source.value.to_string(),
                        name: one.local.name().to_string(),
                    };
                    self.exports.insert(one.exported.name().to_string(), import);
                }
            }
            Statement::ExportAllDeclaration(export) => self.reexported.push(export.source.value.as_str()),
            Statement::ExpressionStatement(statement) => self.assignment(&statement.expression),
            statement => {
                if let Some(declaration) = statement.as_declaration() {
                    self.declaration(declaration);
                }
            }
        }
    }

    /// Adds the names of a declaration and returns them.
    fn declaration(&mut self, declaration: &'s Declaration<'p>) -> Vec<String> {
        let mut names = Vec::new();
        match declaration {
            Declaration::VariableDeclaration(variables) => {
                for variable in &variables.declarations {
                    if let (BindingPattern::BindingIdentifier(id), Some(init)) =
                        (&variable.id, &variable.init)
                    {
                        names.push(id.name.to_string());
                        self.names.insert(id.name.to_string(), Binding::Expression(init));
                    }
                }
            }
            Declaration::FunctionDeclaration(function) => {
                if let (Some(id), Some(body)) = (&function.id, &function.body) {
                    names.push(id.name.to_string());
                    self.names.insert(id.name.to_string(), Binding::Function(body));
                }
            }
            _ => {}
        }
        names
    }

    /// Reads `module.exports = …` and `exports.name = …`, and `window.name = …` of a script in a page.
    fn assignment(&mut self, expression: &'s Expression<'p>) {
        let Expression::AssignmentExpression(assignment) = expression else { return };
        let AssignmentTarget::StaticMemberExpression(target) = &assignment.left else { return };
        let property = target.property.name.as_str();
        let name = match &target.object {
            Expression::Identifier(object) if matches!(object.name.as_str(), "exports" | "window") => {
                property
            }
            Expression::Identifier(object) if object.name == "module" && property == "exports" => "default",
            _ => return,
        };
        self.exports.insert(name.to_owned(), Binding::Expression(&assignment.right));
    }
}

/// Returns the value of the last `return` among these statements.
pub(super) fn returned<'s, 'p>(statements: &'s [Statement<'p>]) -> Option<&'s Expression<'p>> {
    statements.iter().rev().find_map(|statement| match statement {
        Statement::ReturnStatement(statement) => statement.argument.as_ref(),
        _ => None,
    })
}

/// Returns the file of the repository that a script imports.
pub(super) fn imported(tree: &SourceTree, file: &str, source: &str) -> Option<String> {
    const ENDS: [&str; 14] = [
        "",
        ".ts",
        ".js",
        ".mts",
        ".mjs",
        ".cts",
        ".cjs",
        ".tsx",
        ".jsx",
        ".json",
        "/index.ts",
        "/index.js",
        "/index.mts",
        "/index.mjs",
    ];
    if !source.starts_with('.') {
        return None;
    }
    let wanted = path::join(path::folder(file), source)?;
    // TypeScript imports a file by the name of its compiled script.
    let plain = [".js", ".mjs", ".cjs"].iter().find_map(|end| wanted.strip_suffix(end));
    let spellings = ENDS.iter().map(|end| format!("{wanted}{end}"));
    let compiled =
        plain.into_iter().flat_map(|plain| ["ts", "mts", "cts"].map(|end| format!("{plain}.{end}")));
    spellings.chain(compiled).find(|file| tree.files.contains_key(file))
}
