//! The marks that are open while inline content is built.

use crate::document::Mark;

/// A mark that has begun.
struct OpenMark {
    /// The name of its element; empty for Markdown's own.
    name: String,
    mark: Mark,
    /// How often it has begun and not ended.
    times: usize,
}

/// The marks that are open. However often one is begun again, it is one: there are as many as there are elements for them.
#[derive(Default)]
pub(crate) struct OpenMarks {
    /// All but the colors.
    marks: Vec<OpenMark>,
    /// The colors that are open. The last one counts.
    colors: Vec<Mark>,
}

impl OpenMarks {
    /// The marks in their one order, with one more that is on this text alone.
    pub(crate) fn current(&self, extra: Option<Mark>) -> Vec<Mark> {
        let open = self.marks.iter().map(|open| &open.mark);
        let mut marks: Vec<Mark> = open.chain(self.colors.last()).cloned().chain(extra).collect();
        marks.sort();
        marks.dedup();
        marks
    }

    /// Begins a mark: by the name of its element, or an empty one for Markdown's own.
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

    /// Whether an element of this name is open.
    pub(crate) fn has(&self, name: &str) -> bool {
        match name {
            "mark" => !self.colors.is_empty(),
            name => self.marks.iter().any(|open| open.name == name),
        }
    }

    /// Ends the element of this name that began last.
    pub(crate) fn end(&mut self, name: &str) {
        match name {
            "mark" => drop(self.colors.pop()),
            name => self.end_one(|open| open.name == name),
        }
    }

    /// Ends a mark of Markdown's own.
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
