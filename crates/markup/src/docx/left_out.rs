//! Content of a document that a page does not have, and the sentences that say so.

/// Counts of content that was left out.
#[derive(Debug, Default)]
pub(super) struct LeftOut {
    pub(super) comments: usize,
    pub(super) charts: usize,
    pub(super) changes: usize,
    pub(super) contents: bool,
    pub(super) foreign: usize,
    /// Characters of symbol fonts that were replaced.
    pub(super) symbols: usize,
    /// Embedded files whose picture is shown.
    pub(super) embedded: usize,
    /// Files that Word would insert, but whose format is not read.
    pub(super) inserted: usize,
    /// Pictures of inserted web pages.
    pub(super) pictures: usize,
    /// Headers or footers with words.
    pub(super) margins: bool,
}

impl LeftOut {
    /// Adds what was left out of another part.
    pub(super) fn add(&mut self, other: &Self) {
        let Self {
            comments,
            charts,
            changes,
            contents,
            foreign,
            symbols,
            embedded,
            inserted,
            pictures,
            margins,
        } = other;
        self.comments += comments;
        self.charts += charts;
        self.changes += changes;
        self.contents |= contents;
        self.foreign += foreign;
        self.symbols += symbols;
        self.embedded += embedded;
        self.inserted += inserted;
        self.pictures += pictures;
        self.margins |= margins;
    }

    /// Returns a sentence for each kind of content.
    pub(super) fn notices(&self) -> Vec<String> {
        let counted = |count: usize, one: &str, many: &str| match count {
            0 => None,
            1 => Some(one.to_owned()),
            count => Some(many.replace("{}", &count.to_string())),
        };
        let said = |is_said: bool, sentence: &str| is_said.then(|| sentence.to_owned());
        let sentences = [
            counted(
                self.inserted,
                "an inserted file was left out: it is not HTML, text or a Word document",
                "{} inserted files were left out: they are not HTML, text or Word documents",
            ),
            counted(self.comments, "a comment was left out", "{} comments were left out"),
            counted(
                self.charts,
                "a chart or object without a picture was left out",
                "{} charts or objects without a picture were left out",
            ),
            counted(
                self.embedded,
                "an embedded file was left out: its picture is shown",
                "{} embedded files were left out: their pictures are shown",
            ),
            counted(
                self.pictures,
                "a picture of an inserted web page was left out",
                "{} pictures of inserted web pages were left out",
            ),
            counted(
                self.symbols,
                "a character of a symbol font is shown as □",
                "{} characters of symbol fonts are shown as □",
            ),
            counted(
                self.foreign,
                "an image is of a kind that browsers don't show",
                "{} images are of kinds that browsers don't show",
            ),
            said(self.changes > 0, "tracked changes were taken as accepted"),
            said(self.margins, "headers and footers were left out"),
            said(self.contents, "the table of contents was left out: pages have one of their headings"),
        ];
        sentences.into_iter().flatten().collect()
    }
}
