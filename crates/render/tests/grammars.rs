//! The grammars in `vendor/grammars.bin` are those of two-face, with simplified expressions.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

#[path = "support/simplify.rs"]
mod simplify;

use std::collections::BTreeMap;

use simplify::with_small_classes;
use syntect::parsing::syntax_definition::{MatchPattern, Pattern};
use syntect::parsing::{ParseState, Regex, SyntaxSet};

fn vendored() -> SyntaxSet {
    syntect::dumps::from_uncompressed_data(include_bytes!("../vendor/grammars.bin")).unwrap()
}

/// Returns the rules of each context of each grammar.
fn rules(set: SyntaxSet) -> BTreeMap<(String, String), Vec<MatchPattern>> {
    let builder = set.into_builder();
    let contexts = builder.syntaxes().iter().flat_map(|grammar| {
        grammar.contexts.iter().map(move |(name, context)| {
            let rules = context.patterns.iter().filter_map(|pattern| match pattern {
                Pattern::Match(rule) => Some(rule.clone()),
                Pattern::Include(_) => None,
            });
            ((grammar.name.clone(), name.clone()), rules.collect())
        })
    });
    contexts.collect()
}

#[test]
fn the_file_has_the_grammars_of_two_face() {
    let full = rules(two_face::syntax::extra_newlines());
    let vendored = rules(vendored());
    assert!(full.len() > 1_000 && full.keys().eq(vendored.keys()));
    for (context, rules) in full {
        let simple: Vec<String> =
            rules.iter().map(|rule| with_small_classes(rule.regex.regex_str())).collect();
        let expressions: Vec<&str> = vendored[&context].iter().map(|rule| rule.regex.regex_str()).collect();
        assert_eq!(expressions, simple, "run `cargo run -p quire-render --example grammars`: {context:?}");
    }
}

#[test]
fn classes_of_letters_are_one_range() {
    for (full, simple) in [
        (r"[_$\p{L}][_$\p{L}\p{N}]*", r"[_$a-zA-Z\x{80}-\x{10FFFF}][_$a-zA-Z\x{80}-\x{10FFFF}0-9]*"),
        (r"\w+\W\d", r"[a-zA-Z\x{80}-\x{10FFFF}0-9_]+[^a-zA-Z\x{80}-\x{10FFFF}0-9_][0-9]"),
        (r"[\W\d][^\p{Lu}]", r"[\W0-9][^A-Z]"),
        (r"\s*[\p{Ll}_]", r"[\t-\r\x20]*[a-z\x{80}-\x{10FFFF}_]"),
        (r"\S[^\s\S]", r"[^\t-\r\x20][^\t-\r\x20\S]"),
        (r"\\w\[\w\]\p{Greek}\", r"\\w\[[a-zA-Z\x{80}-\x{10FFFF}0-9_]\]\p{Greek}\"),
        ("ü\\ü", "ü\\ü"),
    ] {
        assert_eq!(with_small_classes(full), simple, "{full}");
    }
}

/// A grammar that does not compile would panic at its first use.
#[test]
fn simplified_expressions_compile() {
    for expression in [r"(?<![_$\p{L}\p{N}])\b(get|set)\b(?=\s*[\w.\-]+)", r"(?x) [\d\p{Nd}\p{L}] # \w"] {
        let simple = with_small_classes(expression);
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

/// Statements that exercise the largest expressions of the TypeScript grammar.
const FUNCTIONS: &str = r"
export class A<T> extends B implements C {
  private readonly f?: Function = async <U>(x: U, ...rest: number[]): Promise<void> => await g(x);
  static get 0x1f(): string { return a?.b!.c<T>(1) }
  let: (a: number) => void = function* () { yield (a, b) => ({ c: 1 }) };
  async [key]<T extends { a: 1 }>(override x = 1_000n, y?: 'z') {}
}
const { a = (b) => b, [c]: d } = e, h = { i: async (j) => j, k: function () {}, 'l': (m): n => m };
for (const l of m) n?.(l as O<P>);
abstract class Q { constructor(public r: Function, protected s: <T>(t: T) => void = (t) => {}) { super() } }
";

#[test]
fn functions_of_typescript_are_read_as_before() {
    for language in ["ts", "tsx"] {
        assert_eq!(
            tokens(&vendored(), language, FUNCTIONS),
            tokens(&two_face::syntax::extra_newlines(), language, FUNCTIONS)
        );
    }
}

fn tokens(set: &SyntaxSet, language: &str, listing: &str) -> Vec<String> {
    let mut state = ParseState::new(set.find_syntax_by_token(language).unwrap());
    let lines = listing.split_inclusive('\n');
    lines.map(|line| format!("{:?}", state.parse_line(line, set).unwrap())).collect()
}
