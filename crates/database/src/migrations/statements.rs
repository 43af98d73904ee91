//! Migrations sent one statement at a time: engines that shard by schema refuse several statements in one message.

use std::any::Any;

use diesel::QueryResult;
use diesel::connection::{BoxableConnection, SimpleConnection};
use diesel::migration::{self, Migration, MigrationMetadata, MigrationName};
use diesel::pg::Pg;

/// Migration that sends its statements one by one.
pub(super) struct ByStatement<'m>(pub(super) &'m dyn Migration<Pg>);

impl Migration<Pg> for ByStatement<'_> {
    fn run(&self, connection: &mut dyn BoxableConnection<Pg>) -> migration::Result<()> {
        for statement in statements_of(self.0)? {
            connection.batch_execute(&statement)?;
        }
        Ok(())
    }

    fn revert(&self, connection: &mut dyn BoxableConnection<Pg>) -> migration::Result<()> {
        self.0.revert(connection)
    }

    fn metadata(&self) -> &dyn MigrationMetadata {
        self.0.metadata()
    }

    fn name(&self) -> &dyn MigrationName {
        self.0.name()
    }
}

/// Returns the statements of a migration, in the order of execution.
///
/// # Errors
/// A migration that is not a script.
pub fn statements_of(migration: &dyn Migration<Pg>) -> migration::Result<Vec<String>> {
    let mut script = Script::default();
    migration.run(&mut script)?;
    Ok(statements(&script.0).into_iter().map(str::to_owned).collect())
}

/// Script of a migration. Diesel passes it only to a connection.
#[derive(Default)]
struct Script(String);

impl SimpleConnection for Script {
    fn batch_execute(&mut self, script: &str) -> QueryResult<()> {
        self.0.push_str(script);
        Ok(())
    }
}

impl BoxableConnection<Pg> for Script {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

enum Token<'s> {
    /// Whitespace or comment.
    Space,
    Semicolon,
    Word(&'s str),
    Other,
}

/// Splits a script at the semicolons outside of literals, comments, and bodies of functions in SQL-standard form.
fn statements(script: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut rest, mut start, mut is_empty) = (script, script, true);
    // Depth of `BEGIN ATOMIC` and the `CASE`s in it, which `END` closes.
    let mut open = 0_usize;
    while !rest.is_empty() {
        let (token, after) = next(rest);
        rest = after;
        match token {
            Token::Space => continue,
            Token::Semicolon if open == 0 => {
                let length = start.len().saturating_sub(rest.len());
                found.extend(start.get(..length).filter(|_| !is_empty).map(str::trim));
                (start, is_empty) = (rest, true);
                continue;
            }
            Token::Word(word) if word.eq_ignore_ascii_case("atomic") => open = 1,
            Token::Word(word) if open > 0 && word.eq_ignore_ascii_case("case") => open += 1,
            Token::Word(word) if open > 0 && word.eq_ignore_ascii_case("end") => open -= 1,
            Token::Semicolon | Token::Word(_) | Token::Other => {}
        }
        is_empty = false;
    }
    found.extend(Some(start.trim()).filter(|_| !is_empty));
    found
}

/// Returns the first token of a non-empty text, and the rest.
fn next(text: &str) -> (Token<'_>, &str) {
    let mut characters = text.chars();
    let first = characters.next().unwrap_or_default();
    let after = characters.as_str();
    match first {
        ';' => (Token::Semicolon, after),
        '-' if after.starts_with('-') => (Token::Space, after.split_once('\n').map_or("", |(_, rest)| rest)),
        '/' if after.starts_with('*') => (Token::Space, after.split_once("*/").map_or("", |(_, rest)| rest)),
        '\'' | '"' => (Token::Other, after.split_once(first).map_or("", |(_, rest)| rest)),
        '$' => (Token::Other, after_dollar_quote(after).unwrap_or(after)),
        _ if first.is_whitespace() => (Token::Space, after),
        _ if is_of_word(first) => {
            let end = text.find(|character| !is_of_word(character)).unwrap_or(text.len());
            let (word, rest) = text.split_at(end);
            (Token::Word(word), rest)
        }
        _ => (Token::Other, after),
    }
}

/// Returns the text after a dollar-quoted literal whose first `$` was read; `None` for any other `$`.
fn after_dollar_quote(text: &str) -> Option<&str> {
    let (tag, body) = text.split_once('$')?;
    if !tag.chars().all(is_of_word) || tag.starts_with(|character: char| character.is_ascii_digit()) {
        return None;
    }
    Some(body.split_once(&format!("${tag}$")).map_or("", |(_, rest)| rest))
}

fn is_of_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

#[cfg(test)]
mod tests {
    use super::statements;

    #[test]
    fn a_script_is_split_at_the_ends_of_its_statements() {
        let script = "-- A; comment.\nSELECT ';', \"a;b\", 'it''s;'; /* ; */\n\
                      DO $do$ BEGIN PERFORM 1; END $do$;\nSELECT $$;$$;;\n\
                      CREATE FUNCTION f() RETURNS int LANGUAGE sql BEGIN ATOMIC\n\
                      SELECT CASE WHEN true THEN 1 END; SELECT 2; END;\n\
                      UPDATE a SET b = $1 WHERE c = $2;\n-- The end.\n";
        let expected = [
            "-- A; comment.\nSELECT ';', \"a;b\", 'it''s;';",
            "/* ; */\nDO $do$ BEGIN PERFORM 1; END $do$;",
            "SELECT $$;$$;",
            "CREATE FUNCTION f() RETURNS int LANGUAGE sql BEGIN ATOMIC\n\
             SELECT CASE WHEN true THEN 1 END; SELECT 2; END;",
            "UPDATE a SET b = $1 WHERE c = $2;",
        ];
        assert_eq!(statements(script), expected);
        assert_eq!(statements("SELECT 1"), ["SELECT 1"]);
        assert_eq!(statements(" \n-- Nothing."), [""; 0]);
    }
}
