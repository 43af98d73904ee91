//! Formulas: TeX, rendered as MathML. A parser reads TeX without evaluating it, and every character is escaped here.

mod alphabet;
mod token;
mod writer;

use crate::limits::{FORMULA_FRAME, MAX_FORMULA, MAX_FORMULA_DEPTH};
use maud::{Markup, PreEscaped, html};
use pulldown_latex::event::Event;
use pulldown_latex::{Parser, Storage};

/// Renders a formula in running text.
pub(crate) fn inline(tex: &str) -> Markup {
    formula(tex, false)
}

/// Renders a formula on lines of its own.
pub(crate) fn display(tex: &str) -> Markup {
    formula(tex, true)
}

fn formula(tex: &str, is_display: bool) -> Markup {
    let content = nesting(tex).and_then(|nesting| {
        let stack = FORMULA_FRAME.saturating_mul(nesting.saturating_add(16));
        // A panic of the parser must not fail the page: it only costs this formula.
        let read = || std::panic::catch_unwind(|| read(tex, is_display)).ok().flatten();
        stacker::maybe_grow(stack, stack, read)
    });
    html! {
        @match content {
            Some(content) => math display=[is_display.then_some("block")] {
                semantics { mrow { (PreEscaped(content)) } annotation encoding="application/x-tex" { (tex) } }
            },
            None => code.tex { (tex) },
        }
    }
}

/// Returns an upper bound on the recursion of the parser: it may recurse for each nested group, and for each command,
/// since a command may be the argument of the one before it. `None` for a formula that the parser can't handle.
fn nesting(tex: &str) -> Option<usize> {
    // Commands that the author defines may expand each other without end.
    let own = ["\\def", "\\let", "\\futurelet", "\\newcommand", "\\renewcommand", "\\providecommand"];
    if tex.len() > MAX_FORMULA || own.iter().any(|own| tex.contains(own)) {
        return None;
    }
    let (mut depth, mut deepest, mut commands) = (0_usize, 0_usize, 0_usize);
    for (at, byte) in tex.bytes().enumerate() {
        match byte {
            b'{' => depth = depth.saturating_add(1),
            b'}' => depth = depth.saturating_sub(1),
            b'\\' => {
                commands = commands.saturating_add(1);
                // The parser reads the next byte as a character, and panics inside a multi-byte one.
                if tex.as_bytes().get(at + 1).is_some_and(|byte| !byte.is_ascii()) {
                    return None;
                }
            }
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    Some(deepest.saturating_add(commands)).filter(|nesting| *nesting <= MAX_FORMULA_DEPTH)
}

/// Returns the content of a formula; `None` for a formula that can't be parsed, which is then shown as its source.
fn read(tex: &str, is_display: bool) -> Option<String> {
    // The parser lacks this command, but allows its definition.
    let source =
        if tex.contains("\\mathscr") { format!("\\def\\mathscr{{\\mathcal}}{tex}") } else { tex.to_owned() };
    let storage = Storage::new();
    let events: Vec<Event<'_>> = Parser::new(&source, &storage).collect::<Result<_, _>>().ok()?;
    writer::write(events, is_display)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_mathml() {
        let formulas = [
            r"\frac{1}{2}",
            r"x^2",
            r"\sqrt[3]{x}",
            r"\mathbb{R}",
            r"a < b",
            r"\begin{pmatrix} a & b \end{pmatrix}",
        ];
        let written = formulas.map(|tex| format!("{tex}\n{}", read(tex, true).unwrap_or_default()));
        insta::assert_snapshot!(written.join("\n\n"));
        for tex in [
            r"\sum_{i=0}^{n} \alpha_i \leq \int_0^\infty e^{-x^2}\,dx",
            r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}",
            r"f(x) = \begin{cases} 1 & x > 0 \\ 0 & \text{else} \end{cases}",
            r"\mathbb{R} \to \mathscr{L}, \lim_{x \to 0} \sin x, a \not= b",
            r"\begin{aligned} a &= b \\ &= c \end{aligned}",
            r"\color{red} x + \left( \frac{a}{b} \right) \bigl( y \bigr)",
        ] {
            assert!(read(tex, false).is_some(), "{tex}");
        }
    }

    #[test]
    fn what_is_no_formula_is_shown_as_written() {
        for tex in [r"\frac{1", r"\unknowncommand<b>", &"x".repeat(MAX_FORMULA + 1)] {
            let html = display(tex).into_string();
            assert!(html.starts_with("<code class=\"tex\">") && !html.contains("<b>"), "{tex}");
        }
    }

    #[test]
    fn hostile_formulas_end() {
        for tex in [
            r"\sqrt".repeat(800),
            "x^{".repeat(1_300),
            "{".repeat(4_000),
            r"\left(".repeat(600),
            r"\def\a{\a\a}\a".to_owned(),
            r"\futurelet\a\a\a\a".to_owned(),
            r"\begin{matrix}".repeat(280),
            r"\sqrt".repeat(MAX_FORMULA_DEPTH),
            "x^{".repeat(MAX_FORMULA_DEPTH),
            "{".repeat(MAX_FORMULA_DEPTH),
            r"\left(".repeat(MAX_FORMULA_DEPTH / 2),
            r"\begin{matrix}".repeat(MAX_FORMULA_DEPTH / 3),
            r"\frac1".repeat(600),
            "x^x_".repeat(1_000),
            r"\hat".repeat(MAX_FORMULA_DEPTH),
            "\\\u{1e7f0}".to_owned(),
        ] {
            display(&tex);
        }
        for tex in [
            r"\operatorname{<img src=x onerror=alert(1)>}",
            r"\mathop{<script>alert(1)</script>}",
            r"\text{</math><script>alert(1)</script>}",
        ] {
            let html = inline(tex).into_string();
            assert!(!html.contains("<img") && !html.contains("<script"), "{html}");
        }
    }
}
