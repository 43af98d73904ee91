//! Checks of the conditions of blocks.

use quire_domain::bounds::CONDITION_MAX;
use quire_markup::Document;
use quire_markup::reading::conditions;

/// Maximum number of problems returned for one document.
const PROBLEMS_MAX: usize = 20;

/// Returns a sentence for each condition in a document that can't be evaluated, at most 20.
#[must_use]
pub fn condition_problems(document: &Document) -> Vec<String> {
    let problems = conditions(document).into_iter().filter_map(|condition| {
        let is_long = u64::try_from(condition.len()).is_ok_and(|length| length > CONDITION_MAX);
        if is_long {
            let beginning: String = condition.chars().take(40).collect();
            return Some(format!("the condition `{beginning}…` is longer than {CONDITION_MAX} bytes"));
        }
        let problem = quire_conditions::check(condition).err()?;
        Some(format!("the condition `{condition}` {problem}"))
    });
    problems.take(PROBLEMS_MAX).collect()
}

/// Returns the reason why a condition can't be evaluated; `None` for one that can.
#[must_use]
pub fn condition_problem(condition: &str) -> Option<String> {
    quire_conditions::check(condition).err().map(|problem| problem.to_string())
}

#[cfg(test)]
mod tests {
    use quire_markup::{StableRefs, parse};

    use super::*;

    #[test]
    fn conditions_that_cannot_be_evaluated_are_named_once() {
        let long = format!("visitor.claims.a === '{}'", "a".repeat(2_000));
        let markdown = format!(
            "{{% if visitor.claims.a === true %}}\n\n{{% if user.b %}}\nx\n{{% endif %}}\n\n{{% endif %}}\n\n\
             > {{% if user.b %}}\n> y\n> {{% endif %}}\n\n{{% if {long} %}}\nz\n{{% endif %}}"
        );
        let problems = condition_problems(&parse(&markdown, &StableRefs));
        assert_eq!(problems.len(), 2, "{problems:?}");
        assert_eq!(
            problems.first().map(String::as_str).filter(|problem| problem.starts_with("the condition `user")),
            Some("the condition `user.b` uses `user`, but only `visitor` is available (line 1 column 1)")
        );
        assert!(problems.iter().any(|problem| problem.contains("is longer than")), "{problems:?}");
    }
}
