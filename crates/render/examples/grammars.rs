//! Writes `vendor/grammars.bin`, the grammars of two-face with simplified expressions, and their licenses.

#[path = "../tests/support/simplify.rs"]
mod simplify;

use syntect::dumps::dump_to_uncompressed_file;
use syntect::parsing::syntax_definition::Pattern;
use syntect::parsing::{Regex, SyntaxSetBuilder};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let full = two_face::syntax::extra_newlines().into_builder();
    let mut grammars = SyntaxSetBuilder::new();
    for grammar in full.syntaxes() {
        let mut grammar = grammar.clone();
        for context in grammar.contexts.values_mut() {
            for pattern in &mut context.patterns {
                if let Pattern::Match(pattern) = pattern {
                    pattern.regex = Regex::new(simplify::with_small_classes(pattern.regex.regex_str()));
                }
            }
        }
        grammars.add(grammar);
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/vendor/grammars.bin");
    dump_to_uncompressed_file(&grammars.build(), path)?;
    let licenses = two_face::acknowledgement::listing();
    let licenses = licenses.for_syntaxes().iter();
    let licenses: Vec<String> = licenses
        .map(|license| format!("{}\n\n{}\n", license.rel_path.display(), license.text.trim()))
        .collect();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/vendor/grammars-licenses.txt");
    Ok(std::fs::write(path, licenses.join("\n\n"))?)
}
