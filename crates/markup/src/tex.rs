//! TeX writer for the parts of formulas in MathML and office formats.

/// Joins parts, with a space where a command would merge with a letter.
pub(crate) fn join(parts: impl Iterator<Item = String>) -> String {
    let mut out = String::new();
    for part in parts {
        push(&mut out, &part);
    }
    out
}

/// Joins parts with a separator.
pub(crate) fn join_with(parts: impl Iterator<Item = String>, between: &str) -> String {
    parts.collect::<Vec<_>>().join(between)
}

fn push(out: &mut String, part: &str) {
    let ends_in_command = out.rfind('\\').is_some_and(|at| {
        let command = out.get(at + 1..).unwrap_or_default();
        !command.is_empty() && command.chars().all(|c| c.is_ascii_alphabetic())
    });
    if ends_in_command && part.starts_with(|c: char| c.is_ascii_alphabetic()) {
        out.push(' ');
    }
    out.push_str(part);
}

/// Returns text in a formula.
pub(crate) fn text(words: &str) -> String {
    if words.trim().is_empty() {
        return String::new();
    }
    format!("\\text{{{}}}", escape(words))
}

/// Escapes characters with a meaning in TeX.
fn escape(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for c in words.chars() {
        match c {
            '{' | '}' | '#' | '%' | '&' | '_' | '$' => {
                out.push('\\');
                out.push(c);
            }
            '\\' => out.push_str("\\backslash "),
            '^' => out.push_str("\\hat{}"),
            '~' => out.push_str("\\sim "),
            c => out.push(c),
        }
    }
    out
}

/// Returns the characters of a formula. Names of several letters are upright.
pub(crate) fn symbols(characters: &str, is_name: bool) -> String {
    if is_name && characters.chars().count() > 1 && characters.chars().all(|c| c.is_ascii_alphabetic()) {
        return if FUNCTIONS.contains(&characters) {
            format!("\\{characters}")
        } else {
            format!("\\mathrm{{{characters}}}")
        };
    }
    join(characters.chars().map(|c| match SYMBOLS.iter().find(|(symbol, _)| *symbol == c) {
        Some((_, command)) => (*command).to_owned(),
        // Invisible operators such as function application and invisible times.
        None if matches!(c, '\u{2061}'..='\u{2064}' | '\u{200b}') => String::new(),
        None => escape(&c.to_string()),
    }))
}

pub(crate) fn fraction(above: &str, below: &str) -> String {
    format!("\\frac{{{above}}}{{{below}}}")
}

pub(crate) fn root(degree: Option<&str>, of: &str) -> String {
    match degree.filter(|degree| !degree.is_empty()) {
        Some(degree) => format!("\\sqrt[{degree}]{{{of}}}"),
        None => format!("\\sqrt{{{of}}}"),
    }
}

/// Returns a base with a subscript and a superscript.
pub(crate) fn scripts(base: &str, below: Option<&str>, above: Option<&str>) -> String {
    let mut out = if base.chars().count() > 1 && !base.starts_with('\\') {
        format!("{{{base}}}")
    } else {
        base.to_owned()
    };
    for (sign, script) in [('_', below), ('^', above)] {
        if let Some(script) = script.filter(|script| !script.is_empty()) {
            out.push_str(&format!("{sign}{{{script}}}"));
        }
    }
    out
}

/// Returns a base with a part below: a limit below a sum, otherwise a line or words below.
pub(crate) fn under(base: &str, below: &str) -> String {
    if is_large(base) {
        return scripts(base, Some(below), None);
    }
    match below {
        "_" | "\\_" | "―" | "‾" => format!("\\underline{{{base}}}"),
        "\\underbrace" | "⏟" => format!("\\underbrace{{{base}}}"),
        _ => format!("\\underset{{{below}}}{{{base}}}"),
    }
}

/// Returns a base with a part above: a limit, an accent, otherwise words above.
pub(crate) fn over(base: &str, above: &str) -> String {
    if is_large(base) {
        return scripts(base, None, Some(above));
    }
    match accent(above) {
        Some(command) => format!("\\{command}{{{base}}}"),
        None => format!("\\overset{{{above}}}{{{base}}}"),
    }
}

/// Returns the command of an accent above a letter.
pub(crate) fn accent(sign: &str) -> Option<&'static str> {
    Some(match sign {
        "^" | "\\hat{}" | "ˆ" | "\u{302}" => "hat",
        "~" | "\\sim" | "\\sim " | "˜" | "\u{303}" => "tilde",
        "¯" | "‾" | "―" | "_" | "\\_" | "\u{304}" | "\u{305}" => "overline",
        "→" | "\\to" | "\\rightarrow" | "\u{20d7}" => "vec",
        "˙" | "." | "\u{307}" => "dot",
        "¨" | "\u{308}" => "ddot",
        "ˇ" | "\u{30c}" => "check",
        "⏞" => "overbrace",
        _ => return None,
    })
}

/// Returns whether a base is a sign or function with limits.
fn is_large(base: &str) -> bool {
    const LARGE: [&str; 12] = [
        "\\sum", "\\prod", "\\int", "\\oint", "\\bigcup", "\\bigcap", "\\lim", "\\max", "\\min", "\\sup",
        "\\inf", "\\coprod",
    ];
    LARGE.contains(&base.trim())
}

/// Returns rows of cells.
pub(crate) fn matrix(rows: impl Iterator<Item = Vec<String>>) -> String {
    let rows: Vec<String> = rows.map(|cells| cells.join(" & ")).collect();
    format!("\\begin{{matrix}}{}\\end{{matrix}}", rows.join(" \\\\ "))
}

/// Returns content between scalable delimiters; an empty delimiter is invisible.
pub(crate) fn fenced(open: &str, close: &str, inner: &str) -> String {
    let delimiter = |sign: &str| match sign {
        "" => ".".to_owned(),
        "{" => "\\{".to_owned(),
        "}" => "\\}".to_owned(),
        "‖" => "\\|".to_owned(),
        "⟨" | "〈" => "\\langle".to_owned(),
        "⟩" | "〉" => "\\rangle".to_owned(),
        "⌈" => "\\lceil".to_owned(),
        "⌉" => "\\rceil".to_owned(),
        "⌊" => "\\lfloor".to_owned(),
        "⌋" => "\\rfloor".to_owned(),
        sign if sign.chars().count() == 1 && sign.is_ascii() => sign.to_owned(),
        _ => ".".to_owned(),
    };
    let mut out = format!("\\left{}", delimiter(open));
    push(&mut out, inner);
    push(&mut out, &format!("\\right{}", delimiter(close)));
    out
}

/// Functions that TeX knows by name.
pub(crate) const FUNCTIONS: [&str; 24] = [
    "sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "log",
    "ln", "exp", "lim", "max", "min", "sup", "inf", "det", "dim", "gcd", "arg",
];

/// Signs and their commands.
const SYMBOLS: [(char, &str); 92] = [
    ('α', "\\alpha"),
    ('β', "\\beta"),
    ('γ', "\\gamma"),
    ('δ', "\\delta"),
    ('ε', "\\varepsilon"),
    ('ϵ', "\\epsilon"),
    ('ζ', "\\zeta"),
    ('η', "\\eta"),
    ('θ', "\\theta"),
    ('ϑ', "\\vartheta"),
    ('ι', "\\iota"),
    ('κ', "\\kappa"),
    ('λ', "\\lambda"),
    ('μ', "\\mu"),
    ('ν', "\\nu"),
    ('ξ', "\\xi"),
    ('π', "\\pi"),
    ('ρ', "\\rho"),
    ('σ', "\\sigma"),
    ('ς', "\\varsigma"),
    ('τ', "\\tau"),
    ('υ', "\\upsilon"),
    ('φ', "\\varphi"),
    ('ϕ', "\\phi"),
    ('χ', "\\chi"),
    ('ψ', "\\psi"),
    ('ω', "\\omega"),
    ('Γ', "\\Gamma"),
    ('Δ', "\\Delta"),
    ('Θ', "\\Theta"),
    ('Λ', "\\Lambda"),
    ('Ξ', "\\Xi"),
    ('Π', "\\Pi"),
    ('Σ', "\\Sigma"),
    ('Φ', "\\Phi"),
    ('Ψ', "\\Psi"),
    ('Ω', "\\Omega"),
    ('∑', "\\sum"),
    ('∏', "\\prod"),
    ('∐', "\\coprod"),
    ('∫', "\\int"),
    ('∬', "\\iint"),
    ('∭', "\\iiint"),
    ('∮', "\\oint"),
    ('⋃', "\\bigcup"),
    ('⋂', "\\bigcap"),
    ('×', "\\times"),
    ('÷', "\\div"),
    ('·', "\\cdot"),
    ('⋅', "\\cdot"),
    ('±', "\\pm"),
    ('∓', "\\mp"),
    ('≤', "\\le"),
    ('≥', "\\ge"),
    ('≠', "\\ne"),
    ('≈', "\\approx"),
    ('≡', "\\equiv"),
    ('∼', "\\sim"),
    ('≅', "\\cong"),
    ('∝', "\\propto"),
    ('∞', "\\infty"),
    ('∂', "\\partial"),
    ('∇', "\\nabla"),
    ('√', "\\surd"),
    ('∈', "\\in"),
    ('∉', "\\notin"),
    ('⊂', "\\subset"),
    ('⊆', "\\subseteq"),
    ('⊃', "\\supset"),
    ('⊇', "\\supseteq"),
    ('∪', "\\cup"),
    ('∩', "\\cap"),
    ('∅', "\\emptyset"),
    ('∀', "\\forall"),
    ('∃', "\\exists"),
    ('¬', "\\neg"),
    ('∧', "\\wedge"),
    ('∨', "\\vee"),
    ('→', "\\to"),
    ('←', "\\leftarrow"),
    ('↔', "\\leftrightarrow"),
    ('⇒', "\\Rightarrow"),
    ('⇐', "\\Leftarrow"),
    ('⇔', "\\Leftrightarrow"),
    ('↦', "\\mapsto"),
    ('…', "\\dots"),
    ('⋯', "\\cdots"),
    ('⋮', "\\vdots"),
    ('⋱', "\\ddots"),
    ('′', "'"),
    ('−', "-"),
    ('°', "^{\\circ}"),
];
