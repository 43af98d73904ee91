//! Languages of listings: their display names, and the grammars for them.

/// Names of languages without a grammar of their own, with the names of the grammars used for them.
const ALIASES: [(&str, &str); 24] = [
    ("shell", "bash"),
    ("console", "bash"),
    ("shell-session", "bash"),
    ("terminal", "bash"),
    ("zsh", "bash"),
    ("curl", "bash"),
    ("jsonc", "json"),
    ("json5", "json"),
    ("jsx", "tsx"),
    ("csharp", "cs"),
    ("c#", "cs"),
    ("objectivec", "objc"),
    ("handlebars", "html"),
    ("hbs", "html"),
    ("golang", "go"),
    ("docker", "dockerfile"),
    ("proto", "protobuf"),
    ("protobuf", "proto"),
    ("hcl", "tf"),
    ("terraform", "tf"),
    ("mdx", "md"),
    ("jinja", "html"),
    ("node", "js"),
    ("postgresql", "sql"),
];

/// Display names of languages.
const TITLES: [(&str, &str); 62] = [
    ("asm", "Assembly"),
    ("bash", "Bash"),
    ("bat", "Batch"),
    ("c", "C"),
    ("c#", "C#"),
    ("console", "Console"),
    ("cpp", "C++"),
    ("cs", "C#"),
    ("csharp", "C#"),
    ("css", "CSS"),
    ("csv", "CSV"),
    ("dart", "Dart"),
    ("diff", "Diff"),
    ("docker", "Dockerfile"),
    ("dockerfile", "Dockerfile"),
    ("elixir", "Elixir"),
    ("go", "Go"),
    ("golang", "Go"),
    ("graphql", "GraphQL"),
    ("haskell", "Haskell"),
    ("hcl", "HCL"),
    ("html", "HTML"),
    ("http", "HTTP"),
    ("ini", "INI"),
    ("java", "Java"),
    ("javascript", "JavaScript"),
    ("js", "JavaScript"),
    ("json", "JSON"),
    ("jsonc", "JSON"),
    ("json5", "JSON5"),
    ("jsx", "JSX"),
    ("julia", "Julia"),
    ("kotlin", "Kotlin"),
    ("latex", "LaTeX"),
    ("lua", "Lua"),
    ("makefile", "Makefile"),
    ("markdown", "Markdown"),
    ("md", "Markdown"),
    ("mermaid", "Mermaid"),
    ("nginx", "nginx"),
    ("perl", "Perl"),
    ("php", "PHP"),
    ("powershell", "PowerShell"),
    ("proto", "Protocol Buffers"),
    ("protobuf", "Protocol Buffers"),
    ("py", "Python"),
    ("python", "Python"),
    ("r", "R"),
    ("rb", "Ruby"),
    ("rs", "Rust"),
    ("ruby", "Ruby"),
    ("rust", "Rust"),
    ("scala", "Scala"),
    ("scss", "SCSS"),
    ("sh", "Shell"),
    ("shell", "Shell"),
    ("sql", "SQL"),
    ("swift", "Swift"),
    ("terraform", "Terraform"),
    ("toml", "TOML"),
    ("ts", "TypeScript"),
    ("typescript", "TypeScript"),
];

/// Languages whose display name is the name in upper case.
const CAPITALS: [&str; 6] = ["tsx", "xml", "yaml", "yml", "svg", "tex"];

/// Names for a listing without a language.
const PLAIN: [&str; 5] = ["", "text", "txt", "plain", "none"];

/// Returns the display name of a language; `None` for text without a language.
pub(crate) fn title(name: &str) -> Option<String> {
    let lower = name.trim().to_lowercase();
    if PLAIN.contains(&lower.as_str()) {
        return None;
    }
    if let Some((_, title)) = TITLES.iter().find(|(known, _)| *known == lower) {
        return Some((*title).to_owned());
    }
    if CAPITALS.contains(&lower.as_str()) {
        return Some(lower.to_uppercase());
    }
    Some(name.trim().to_owned())
}

/// Returns the token that identifies a grammar; `None` for text without a language.
pub(crate) fn token(name: &str) -> Option<String> {
    let lower = name.trim().to_lowercase();
    if PLAIN.contains(&lower.as_str()) || lower == "mermaid" || lower.len() > 40 {
        return None;
    }
    Some(ALIASES.iter().find(|(alias, _)| *alias == lower).map_or(lower, |(_, token)| (*token).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_have_names() {
        assert_eq!(title("JS").as_deref(), Some("JavaScript"));
        assert_eq!(title("yaml").as_deref(), Some("YAML"));
        assert_eq!(title("Brainfuck").as_deref(), Some("Brainfuck"));
        assert_eq!(title(" text "), None);
        assert_eq!(token("Shell").as_deref(), Some("bash"));
        assert_eq!(token("mermaid"), None);
    }
}
