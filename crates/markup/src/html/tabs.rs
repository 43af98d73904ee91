//! Tabs: a list of titles and the same number of panels.

use super::dom::{Data, Element, Id};
use super::flow::{Flow, Reader};
use super::scope::Scope;
use crate::document::{Block, BlockKind};

impl Reader<'_, '_> {
    /// Reads a set of tabs. Returns whether the element is one, with matching titles and panels.
    pub(super) fn tabs(&mut self, id: Id, element: &Element, flow: &mut Flow, scope: &Scope) -> bool {
        let is_set = element.has_class(&[
            "tabs-container",
            "tabbed-set",
            "sd-tab-set",
            "sphinx-tabs",
            "vp-code-group",
            "tabs",
        ]) || element.name() == "starlight-tabs"
            || element.has_class_prefix("tabs-container");
        if !is_set {
            return false;
        }
        let (titles, panels) = (self.outermost(id, is_title), self.outermost(id, is_panel));
        if titles.len() < 2 || titles.len() != panels.len() || self.has_strays(id) {
            return false;
        }
        flow.end_line(None);
        let inner = scope.deeper(2);
        let mut items = Vec::new();
        for (title, panel) in titles.into_iter().zip(panels) {
            let words = crate::lines::single_spaced(&self.dom.text(title));
            let nodes = match self.dom.element(panel).map(Element::name) {
                // The listing itself is the panel.
                Some("pre") => self.blocks_of(&[panel], &inner),
                _ => self.blocks(panel, &inner),
            };
            items.push(Block::blocks(BlockKind::TabsItem, nodes).with("title", words));
        }
        flow.blocks.push(Block::blocks(BlockKind::Tabs, items));
        true
    }

    /// Returns whether there are words outside the titles and panels.
    fn has_strays(&self, id: Id) -> bool {
        let mut stack: Vec<Id> = self.dom.children(id).to_vec();
        while let Some(id) = stack.pop() {
            match self.dom.data(id) {
                Some(Data::Text(text)) if text.chars().any(char::is_alphanumeric) => return true,
                Some(Data::Element(element))
                    if !is_title(element) && !is_panel(element) && !self.is_silent(element) =>
                {
                    stack.extend(self.dom.children(id));
                }
                _ => {}
            }
        }
        false
    }

    /// Returns the matching descendants of a node that are not inside another match.
    fn outermost(&self, id: Id, wanted: fn(&Element) -> bool) -> Vec<Id> {
        let mut found = Vec::new();
        let mut stack: Vec<Id> = self.dom.children(id).iter().rev().copied().collect();
        while let Some(id) = stack.pop() {
            match self.dom.element(id) {
                Some(element) if wanted(element) => found.push(id),
                // A panel's content is not searched, since it may contain nested tabs.
                Some(element) if !is_panel(element) => stack.extend(self.dom.children(id).iter().rev()),
                _ => {}
            }
        }
        found
    }
}

fn is_title(element: &Element) -> bool {
    element.get("role") == Some("tab")
        || element.has_class(&["sd-tab-label", "sphinx-tabs-tab"])
        || (element.name() == "label" && (element.has("for") || element.has("data-title")))
}

fn is_panel(element: &Element) -> bool {
    element.get("role") == Some("tabpanel")
        || element.has_class(&["sd-tab-content", "tabbed-block", "sphinx-tabs-panel"])
        || (element.name() == "div" && element.has_class_prefix("language-"))
}
