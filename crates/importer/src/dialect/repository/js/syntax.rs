//! Parsing of scripts with Oxc (<https://oxc.rs>), on a sufficiently large stack.

use oxc_allocator::Allocator;
use oxc_ast::ast::Program;
use oxc_parser::Parser;
use oxc_span::SourceType;

/// Maximum number of characters and words for which the parser may recurse.
const MAX_LEVELS: usize = 8_192;
/// Bytes of stack for each of them.
const LEVEL_BYTES: usize = 32 * 1024;
/// Words that may begin an operand that contains another.
const PREFIXES: [&str; 13] = [
    "typeof", "void", "delete", "await", "yield", "new", "do", "keyof", "readonly", "infer", "unique",
    "extends", "else",
];

/// Passes the syntax tree of a script to `read`; `None` if it is not one, or nests too deeply.
pub(super) fn program<T>(text: &str, extension: &str, read: impl FnOnce(&Program<'_>) -> T) -> Option<T> {
    let wrapped;
    let text = if extension == "json" {
        wrapped = format!("export default {text}");
        &wrapped
    } else {
        text
    };
    let levels = levels(text);
    if levels > MAX_LEVELS {
        return None;
    }
    let kind = match extension {
        "ts" | "mts" | "cts" => SourceType::ts(),
        "tsx" => SourceType::tsx(),
        _ => SourceType::jsx(),
    };
    let allocator = Allocator::default();
    let parsed = stacker::grow((levels + 16).saturating_mul(LEVEL_BYTES), || {
        Parser::new(&allocator, text, kind).parse()
    });
    (!parsed.program.body.is_empty()).then(|| read(&parsed.program))
}

/// Returns an upper bound on the recursion of the parser, which has no limit of its own.
fn levels(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_word = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_alphanumeric);
    let opens = |(at, byte): (usize, &u8)| match byte {
        b'(' | b'[' | b'{' | b'<' | b'>' | b'!' | b'~' | b'?' | b'=' | b':' | b'*' | b'`' => true,
        // Between letters and digits it is an operator that needs no recursion, or part of a name.
        b'-' | b'+' => !is_word(at.checked_sub(1)) || !is_word(at.checked_add(1)),
        _ => false,
    };
    let words = text.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| PREFIXES.contains(word));
    bytes.iter().enumerate().filter(|one| opens(*one)).count() + words.count()
}
