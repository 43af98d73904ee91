//! The grammars in `vendor/grammars.bin` are those of two-face, with simplified expressions.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

#[path = "support/simplify.rs"]
mod simplify;

use std::collections::BTreeMap;

use simplify::simplified;
use syntect::parsing::syntax_definition::Pattern;
use syntect::parsing::{ParseState, Regex, SyntaxSet};

fn vendored() -> SyntaxSet {
    syntect::dumps::from_uncompressed_data(include_bytes!("../vendor/grammars.bin")).unwrap()
}

/// The expressions of each context of each grammar.
fn expressions(set: SyntaxSet) -> BTreeMap<(String, String), Vec<String>> {
    let builder = set.into_builder();
    let contexts = builder.syntaxes().iter().flat_map(|grammar| {
        grammar.contexts.iter().map(move |(name, context)| {
            let expressions = context.patterns.iter().filter_map(|pattern| match pattern {
                Pattern::Match(pattern) => Some(pattern.regex.regex_str().to_owned()),
                Pattern::Include(_) => None,
            });
            ((grammar.name.clone(), name.clone()), expressions.collect())
        })
    });
    contexts.collect()
}

#[test]
fn the_file_has_the_grammars_of_two_face() {
    let full = expressions(two_face::syntax::extra_newlines());
    let vendored = expressions(vendored());
    assert!(full.len() > 1_000 && full.keys().eq(vendored.keys()));
    for (context, expressions) in full {
        let simple: Vec<String> = expressions.iter().map(|expression| simplified(expression)).collect();
        assert_eq!(
            vendored[&context], simple,
            "run `cargo run -p quire-render --example grammars`: {context:?}"
        );
    }
}

#[test]
fn classes_of_letters_are_one_range() {
    for (full, simple) in [
        (r"[_$\p{L}][_$\p{L}\p{N}]*", r"[_$a-zA-Z\x{80}-\x{10FFFF}][_$a-zA-Z\x{80}-\x{10FFFF}0-9]*"),
        (r"\w+\W\d", r"[a-zA-Z\x{80}-\x{10FFFF}0-9_]+[^a-zA-Z\x{80}-\x{10FFFF}0-9_][0-9]"),
        (r"[\W\d][^\p{Lu}]", r"[\W0-9][^A-Z]"),
        (r"\\w\[\w\]\p{Greek}\", r"\\w\[[a-zA-Z\x{80}-\x{10FFFF}0-9_]\]\p{Greek}\"),
        ("ü\\ü", "ü\\ü"),
    ] {
        assert_eq!(simplified(full), simple, "{full}");
    }
}

/// A grammar that does not compile would panic when a listing needs it.
#[test]
fn simplified_expressions_compile() {
    for expression in [r"(?<![_$\p{L}\p{N}])\b(get|set)\b(?=\s*[\w.\-]+)", r"(?x) [\d\p{Nd}\p{L}] # \w"] {
        let simple = simplified(expression);
        assert!(Regex::try_compile(&simple).is_none(), "{simple}");
    }
}

#[test]
fn identifiers_of_other_scripts_are_read_as_before() {
    for (language, listing) in [
        (
            "ts",
            "const größe = (x: число) => x * 2; // ü “quoted”\nfunction имя(λ: string) { return `${λ} – ok`; }\n",
        ),
        ("py", "def größe(x: int) -> str:\n    return f\"{x!r} — ü\"\n"),
        ("rs", "fn größe(x: &str) -> String { format!(\"{x} ü\") }\n"),
        ("go", "func größe(x int) string { return fmt.Sprintf(\"%d\\n\", x) }\n"),
        ("sh", "größe=1; echo \"$größe – ü\" | sed 's/ü/u/'\n"),
    ] {
        assert_eq!(
            tokens(&vendored(), language, listing),
            tokens(&two_face::syntax::extra_newlines(), language, listing)
        );
    }
}

fn tokens(set: &SyntaxSet, language: &str, listing: &str) -> Vec<String> {
    let mut state = ParseState::new(set.find_syntax_by_token(language).unwrap());
    let lines = listing.split_inclusive('\n');
    lines.map(|line| format!("{:?}", state.parse_line(line, set).unwrap())).collect()
}
