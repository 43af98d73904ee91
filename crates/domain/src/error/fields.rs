//! From the validator's errors to the details of an error body.

use validator::{ValidationError, ValidationErrors, ValidationErrorsKind};

use super::FieldError;

/// Every failing field with its path as the caller wrote it (`changes[0].noIndex`), in the order of the paths.
pub fn field_errors(errors: &ValidationErrors) -> Vec<FieldError> {
    let mut found = Vec::new();
    collect("", errors, &mut found);
    found.sort();
    found
}

fn collect(prefix: &str, errors: &ValidationErrors, found: &mut Vec<FieldError>) {
    for (name, kind) in errors.errors() {
        let field = join(prefix, &camel_case(name));
        match kind {
            ValidationErrorsKind::Struct(nested) => collect(&field, nested, found),
            ValidationErrorsKind::List(items) => {
                for (index, nested) in items {
                    collect(&format!("{field}[{index}]"), nested, found);
                }
            }
            ValidationErrorsKind::Field(errors) => {
                found.extend(
                    errors.iter().map(|error| FieldError { field: field.clone(), message: message(error) }),
                );
            }
        }
    }
}

fn join(prefix: &str, name: &str) -> String {
    if prefix.is_empty() { name.to_owned() } else { format!("{prefix}.{name}") }
}

/// The validator names fields as Rust does, bodies name them in camel case.
fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let mut camel = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        camel.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        camel.push_str(letters.as_str());
    }
    camel
}

/// The error's own sentence. The validator's built-in checks have none, but name their bounds.
fn message(error: &ValidationError) -> String {
    if let Some(message) = &error.message {
        return message.clone().into_owned();
    }
    match (error.params.get("min"), error.params.get("max")) {
        (Some(min), Some(max)) => format!("must be {min} to {max}"),
        (Some(min), None) => format!("must be at least {min}"),
        (None, Some(max)) => format!("must be at most {max}"),
        (None, None) => format!("is not a valid {}", error.code),
    }
}
