//! Lists: their levels, kinds and numbers (17.9).

use super::xml::{attribute, child, is_word, value};
use crate::limits::docx::LIST_LEVELS;
use roxmltree::Node;
use std::collections::HashMap;

/// Marker of a list item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Marker {
    Bullet,
    Number(u32),
    /// No marker: the paragraph is indented like its list.
    None,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bullet,
    Number,
    None,
}

#[derive(Debug, Clone)]
struct Level {
    kind: Kind,
    start: u32,
    /// Level whose items restart this one; `Some(0)` for never.
    restart: Option<usize>,
}

#[derive(Debug, Default)]
struct Abstract {
    levels: HashMap<usize, Level>,
    /// Style that defines the levels instead.
    link: Option<String>,
    /// Style that uses these levels.
    style: Option<String>,
}

#[derive(Debug, Default)]
struct Instance {
    base: String,
    levels: HashMap<usize, Level>,
    starts: HashMap<usize, u32>,
}

/// All lists of a document with their counters.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    abstracts: HashMap<String, Abstract>,
    instances: HashMap<String, Instance>,
    /// Counters by abstract list, which several lists can share.
    counts: HashMap<String, [Option<u32>; LIST_LEVELS]>,
    /// Lists and levels that have started counting.
    begun: std::collections::HashSet<(String, usize)>,
}

impl Numbering {
    pub(super) fn read(&mut self, root: Node<'_, '_>) {
        for node in root.children().filter(|node| is_word(*node, "abstractNum")) {
            let Some(id) = attribute(node, "abstractNumId") else { continue };
            let found = Abstract {
                levels: levels(node),
                link: value(node, "numStyleLink").map(str::to_owned),
                style: value(node, "styleLink").map(str::to_owned),
            };
            self.abstracts.insert(id.to_owned(), found);
        }
        for node in root.children().filter(|node| is_word(*node, "num")) {
            let (Some(id), Some(base)) = (attribute(node, "numId"), value(node, "abstractNumId")) else {
                continue;
            };
            let mut instance = Instance { base: base.to_owned(), ..Instance::default() };
            for over in node.children().filter(|child| is_word(*child, "lvlOverride")) {
                let Some(at) = attribute(over, "ilvl").and_then(|level| level.parse().ok()) else { continue };
                instance.levels.extend(levels(over));
                if let Some(start) = value(over, "startOverride").and_then(|start| start.parse().ok()) {
                    instance.starts.insert(at, start);
                }
            }
            self.instances.insert(id.to_owned(), instance);
        }
        self.follow_links();
    }

    /// Resolves lists that take their levels from a style: they get the levels of the list that the style uses.
    fn follow_links(&mut self) {
        let styled: HashMap<String, String> =
            self.abstracts.iter().filter_map(|(id, list)| Some((list.style.clone()?, id.clone()))).collect();
        let links: HashMap<String, String> = self
            .abstracts
            .iter()
            .filter_map(|(id, list)| Some((id.clone(), styled.get(list.link.as_ref()?)?.clone())))
            .collect();
        for instance in self.instances.values_mut() {
            if let Some(target) = links.get(&instance.base) {
                instance.base.clone_from(target);
            }
        }
    }

    /// Counts an item of a list; `None` for an unknown list.
    pub(super) fn next(&mut self, list: &str, level: usize) -> Option<Marker> {
        let level = level.min(LIST_LEVELS - 1);
        let instance = self.instances.get(list)?;
        let definition =
            instance.levels.get(&level).or_else(|| self.abstracts.get(&instance.base)?.levels.get(&level));
        let Level { kind, start, .. } =
            definition.cloned().unwrap_or(Level { kind: Kind::Bullet, start: 1, restart: None });
        let counts = self.counts.entry(instance.base.clone()).or_default();
        let begins = self.begun.insert((list.to_owned(), level));
        let restart = instance.starts.get(&level).filter(|_| begins).copied();
        let count = counts.get_mut(level)?;
        let number = restart.unwrap_or_else(|| count.map_or(start, |count| count.saturating_add(1)));
        *count = Some(number);
        // Deeper levels restart, unless defined otherwise (17.9.10).
        let base = self.abstracts.get(&instance.base);
        for (deeper, count) in counts.iter_mut().enumerate().skip(level + 1) {
            let definition = instance.levels.get(&deeper).or_else(|| base?.levels.get(&deeper));
            let by = definition.and_then(|definition| definition.restart);
            if by.is_none_or(|by| by > 0 && level < by) {
                *count = None;
            }
        }
        Some(match kind {
            Kind::Bullet => Marker::Bullet,
            Kind::Number => Marker::Number(number),
            Kind::None => Marker::None,
        })
    }
}

fn levels(node: Node<'_, '_>) -> HashMap<usize, Level> {
    let levels = node.children().filter(|child| is_word(*child, "lvl"));
    let read = levels.filter_map(|level| {
        let at = attribute(level, "ilvl")?.parse().ok()?;
        let text = value(level, "lvlText").unwrap_or_default();
        let kind = match value(level, "numFmt").unwrap_or("decimal") {
            "bullet" => Kind::Bullet,
            "none" if child(level, "lvlPicBulletId").is_none() && text.trim().is_empty() => Kind::None,
            "none" => Kind::Bullet,
            _ => Kind::Number,
        };
        let start = value(level, "start").and_then(|start| start.parse().ok()).unwrap_or(1);
        let restart = value(level, "lvlRestart").and_then(|restart| restart.parse().ok());
        Some((at, Level { kind, start, restart }))
    });
    read.collect()
}
