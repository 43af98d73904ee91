//! Call-outs in quotes, as GitHub and Obsidian write them.

use super::callout;
use super::code::code_lines;

/// Returns a text whose call-outs in quotes are those of GitHub: others (`> [!INFO]- Title`) have further kinds, and
/// fold. The mark may directly follow the sign of the quote (`>[!NOTE]`).
pub(super) fn alerts(text: &str) -> String {
    if !text.contains("[!") {
        return text.to_owned();
    }
    let lines: Vec<&str> = text.lines().collect();
    let line = |(line, is_code): (&&str, bool)| {
        let changed = if is_code { None } else { alert(line) };
        changed.unwrap_or_else(|| (*line).to_owned()) + "\n"
    };
    lines.iter().zip(code_lines(&lines)).map(line).collect()
}

/// Returns the first line of a call-out with the nearest kind of GitHub.
fn alert(line: &str) -> Option<String> {
    const KINDS: [&str; 5] = ["note", "tip", "important", "warning", "caution"];
    let (before, behind) = line.split_once("[!")?;
    let (kind, title) = behind.split_once(']')?;
    if !before.trim_end().ends_with('>') || !before.chars().all(|c| c == '>' || c == ' ') {
        return None;
    }
    // Extensions of Markdown have options behind the kind: `[!tip | inline]`.
    let kind = kind.split('|').next().unwrap_or_default().trim().to_ascii_lowercase();
    let nearest = match callout::style(&kind) {
        _ if KINDS.contains(&kind.as_str()) => kind.as_str(),
        Some("success") => "tip",
        Some("warning") => "warning",
        Some("danger") => "caution",
        Some(_) => "note",
        None if matches!(
            kind.as_str(),
            "nb" | "primary" | "secondary" | "light" | "dark" | "todo" | "quote"
        ) =>
        {
            "note"
        }
        None => return None,
    };
    let title = title.strip_prefix(['-', '+']).unwrap_or(title).trim();
    let space = if before.ends_with(' ') { "" } else { " " };
    let mark = format!("{before}{space}[!{}]", nearest.to_ascii_uppercase());
    Some(match title {
        "" => mark,
        // Markdown is not read in titles.
        title if ["**", "](", "</"].iter().any(|mark| title.contains(mark)) => {
            format!("{mark}\n{before}{title}\n{before}")
        }
        title => format!("{mark} {title}"),
    })
}

#[cfg(test)]
mod tests {
    use super::alerts;

    #[test]
    fn marks_become_those_of_github() {
        for (text, expected) in [
            (">[!NOTE]\n> Text.\n", "> [!NOTE]\n> Text.\n"),
            ("> [!info]- More\n> Text.\n", "> [!NOTE] More\n> Text.\n"),
            ("> [!tip | inline]\n> Text.\n", "> [!TIP]\n> Text.\n"),
            ("> ```\n> [!info]\n> ```\n", "> ```\n> [!info]\n> ```\n"),
        ] {
            assert_eq!(alerts(text), expected);
        }
    }
}
