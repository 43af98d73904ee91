//! Marks that are open while inline content is built.

use crate::document::Mark;

/// Open mark.
struct OpenMark {
    /// Name of the element; empty for Markdown's own syntax.
    name: String,
    mark: Mark,
    /// Number of unclosed starts.
    times: usize,
}

/// Set of open marks. A mark that is opened again is counted, so the list has at most one entry per element name.
#[derive(Default)]
pub(crate) struct OpenMarks {
    /// All marks except colors.
    marks: Vec<OpenMark>,
    /// Open colors, of which the last one applies.
    colors: Vec<Mark>,
}

impl OpenMarks {
    /// Returns the marks in canonical order, with an additional one for this text.
    pub(crate) fn current(&self, extra: Option<Mark>) -> Vec<Mark> {
        let open = self.marks.iter().map(|open| &open.mark);
        let mut marks: Vec<Mark> = open.chain(self.colors.last()).cloned().chain(extra).collect();
        marks.sort();
        marks.dedup();
        marks
    }

    /// Opens a mark. `name` is the name of its element, or empty for Markdown's own syntax.
    pub(crate) fn begin(&mut self, name: &str, mark: Mark) {
        if matches!(mark, Mark::Color { .. }) {
            self.colors.push(mark);
            return;
        }
        match self.marks.iter_mut().find(|open| open.name == name && open.mark == mark) {
            Some(open) => open.times += 1,
            None => self.marks.push(OpenMark { name: name.to_owned(), mark, times: 1 }),
        }
    }

    /// Returns whether an element with this name is open.
    pub(crate) fn has(&self, name: &str) -> bool {
        match name {
            "mark" => !self.colors.is_empty(),
            name => self.marks.iter().any(|open| open.name == name),
        }
    }

    /// Closes the last mark with this element name.
    pub(crate) fn end(&mut self, name: &str) {
        match name {
            "mark" => drop(self.colors.pop()),
            name => self.end_one(|open| open.name == name),
        }
    }

    /// Closes a mark of Markdown's own syntax.
    pub(crate) fn end_own(&mut self, mark: &Mark) {
        self.end_one(|open| open.name.is_empty() && open.mark == *mark);
    }

    fn end_one(&mut self, is_it: impl Fn(&OpenMark) -> bool) {
        if let Some(found) = self.marks.iter().rposition(is_it)
            && let Some(open) = self.marks.get_mut(found)
        {
            open.times -= 1;
            if open.times == 0 {
                self.marks.remove(found);
            }
        }
    }
}
