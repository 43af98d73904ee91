//! References by target. Roles and links without text show the title of their target.

use quire_markup::markdown::escaped;

use super::Sphinx;
use crate::path;

/// Maximum depth of nested fences.
const MAX_FENCES: usize = 32;

impl Sphinx {
    /// Inserts the titles of targets into references without text, and replaces targets in links with addresses.
    /// Listings are unchanged.
    pub(super) fn with_titles(&self, path: &str, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        // Open fences, and whether they hold code. Directives contain text, and further fences.
        let mut fences: Vec<(&str, bool)> = Vec::new();
        for line in text.lines() {
            let trimmed = line.trim_start();
            let info = trimmed.trim_start_matches(['`', '~']);
            let length = trimmed.len() - info.len();
            let marks = trimmed.get(..length).filter(|_| length >= 3);
            match (fences.last(), marks) {
                (Some((open, _)), Some(marks)) if marks.starts_with(open) && info.trim().is_empty() => {
                    fences.pop();
                }
                (None | Some((_, false)), Some(marks)) if fences.len() < MAX_FENCES => {
                    fences.push((marks, !info.starts_with('{') || info.starts_with("{code")));
                }
                _ => {}
            }
            if fences.last().is_some_and(|(_, is_code)| *is_code) {
                out.push_str(line);
            } else {
                let line = self.substituted(line);
                out.push_str(&self.links(path, &self.roles(path, &line)));
            }
            out.push('\n');
        }
        out
    }

    fn substituted(&self, line: &str) -> String {
        let mut line = line.to_owned();
        if line.contains("{{") {
            for (name, value) in &self.substitutions {
                for written in [format!("{{{{{name}}}}}"), format!("{{{{ {name} }}}}")] {
                    line = line.replace(&written, value);
                }
            }
        }
        line
    }

    /// Returns the heading of a target, otherwise its name.
    fn title(&self, label: &str) -> Option<&str> {
        self.labels
            .get(&label.to_lowercase())
            .map(|known| known.title.as_str())
            .filter(|title| !title.is_empty())
    }

    /// Inserts text into roles without text: `` {ref}`label` `` and `` {doc}`page` ``.
    fn roles(&self, path: &str, line: &str) -> String {
        let mut out = String::with_capacity(line.len());
        let mut rest = line;
        while let Some((before, behind)) = rest.split_once("}`") {
            let name = before.rsplit('{').next().unwrap_or_default();
            let Some((inside, after)) = behind.split_once('`') else { break };
            let title = match name {
                _ if inside.contains('<') => None,
                "ref" | "numref" | "any" => self.title(inside),
                "doc" => self.page_title(path, inside),
                _ => None,
            };
            out.push_str(before);
            match title {
                Some(title) => {
                    out.push_str(&format!("}}`{} <{inside}>`", title.replace(['`', '<', '>'], "")))
                }
                None => out.push_str(&format!("}}`{inside}`")),
            }
            rest = after;
        }
        out.push_str(rest);
        out
    }

    fn page_title(&self, path: &str, name: &str) -> Option<&str> {
        let found = match name.strip_prefix('/') {
            Some(name) => path::join(&self.root, name),
            None => path::join(path::folder(path), name),
        }?;
        self.titles.get(&format!("{found}.md")).or_else(|| self.titles.get(&found)).map(String::as_str)
    }

    /// Replaces targets in links with addresses: `[words](label)`, `[](label)`, `[](#label)`, `<project:#label>`.
    fn links(&self, path: &str, line: &str) -> String {
        let mut out = String::with_capacity(line.len());
        let mut rest = line;
        while let Some((before, behind)) = rest.split_once("](") {
            let Some((address, after)) = behind.split_once(')') else { break };
            let label = address.strip_prefix('#').unwrap_or(address);
            let known = self.labels.get(&label.to_lowercase()).filter(|_| !label.is_empty());
            // A heading of the page itself may have the same name.
            let known = known
                .filter(|known| !address.starts_with('#') || known.file != path || before.ends_with('['));
            out.push_str(before);
            let is_bare = before.ends_with('[') && !before.ends_with("![");
            let title = match known {
                Some(_) => self.title(label).unwrap_or(label),
                None => self.page_title(path, address).unwrap_or(address.trim_start_matches('#')),
            };
            if is_bare {
                out.push_str(&escaped(title));
            }
            match known {
                Some(_) => out.push_str(&format!("](project:#{label})")),
                None => out.push_str(&format!("]({address})")),
            }
            rest = after;
        }
        out.push_str(rest);
        let mut text = String::with_capacity(out.len());
        let mut rest = out.as_str();
        while let Some((before, behind)) = rest.split_once("<project:#") {
            let Some((label, after)) = behind.split_once('>') else { break };
            // Such an address between angle brackets also occurs in other links.
            if before.ends_with('(') {
                text.push_str(&format!("{before}<project:#{label}>"));
            } else {
                let title = self.title(label).unwrap_or(label);
                text.push_str(&format!("{before}[{}](project:#{label})", escaped(title)));
            }
            rest = after;
        }
        text.push_str(rest);
        text
    }
}
