//! Fields of the index.

use std::sync::LazyLock;

use quire_domain::ids::{PageId, SpaceId};
use tantivy::schema::{
    BytesOptions, FAST, Field, IndexRecordOption, NumericOptions, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::store::Compressor;
use tantivy::tokenizer::{TextAnalyzer, TokenizerManager, WhitespaceTokenizer};
use tantivy::{Index, IndexBuilder, IndexSettings, Term};

use crate::analyzer::Analyzer;

/// Fields, the same in every index.
pub(crate) static FIELDS: LazyLock<Fields> = LazyLock::new(Fields::new);

/// Names of fast fields, which are read by name.
pub(crate) mod names {
    pub(crate) const SPACE: [&str; 2] = ["space_high", "space_low"];
    pub(crate) const PAGE: [&str; 2] = ["page_high", "page_low"];
    pub(crate) const ROOT: [&str; 4] = ["root_0", "root_1", "root_2", "root_3"];
    pub(crate) const LANGUAGE: &str = "language";
    pub(crate) const COUNTS: [&str; 2] = ["count", "missing"];
    pub(crate) const COMPUTED: &str = "computed";
}

const WORDS: &str = "words";
const LIST: &str = "list";
const WHOLE: &str = "raw";

/// Fields of pages, and of the documents that record the indexed versions of spaces.
pub(crate) struct Fields {
    pub(crate) schema: Schema,
    pub(crate) title: Field,
    pub(crate) headings: Field,
    pub(crate) body: Field,
    /// Folded words of the title, as one term.
    pub(crate) whole_title: Field,
    /// Folded words of each heading, as one term.
    pub(crate) whole_headings: Field,
    /// First one to three letters of the words of the title.
    pub(crate) title_edges: Field,
    /// First one to three letters of all words of the page.
    pub(crate) edges: Field,
    /// Ends of long words, to find parts of compounds.
    pub(crate) tails: Field,
    /// Stored [`PageText`](crate::page_text::PageText) of the page, for answers.
    pub(crate) record: Field,
    /// Space of the page.
    pub(crate) space: Field,
    /// Ids of the space and the page.
    pub(crate) key: Field,
    /// Space whose indexed version the document records.
    pub(crate) state: Field,
    pub(crate) spaces: [Field; 2],
    pub(crate) pages: [Field; 2],
    pub(crate) roots: [Field; 4],
    pub(crate) language: Field,
    pub(crate) counts: [Field; 2],
    pub(crate) computed: Field,
}

impl Fields {
    fn new() -> Self {
        let mut builder = Schema::builder();
        let mut text = |name: &str, tokenizer: &str, option: IndexRecordOption| {
            let indexing = TextFieldIndexing::default()
                .set_tokenizer(tokenizer)
                .set_index_option(option)
                .set_fieldnorms(option != IndexRecordOption::Basic);
            builder.add_text_field(name, TextOptions::default().set_indexing_options(indexing))
        };
        let positions = IndexRecordOption::WithFreqsAndPositions;
        let basic = IndexRecordOption::Basic;
        let (title, headings, body) = (
            text("title", WORDS, positions),
            text("headings", WORDS, positions),
            text("body", WORDS, positions),
        );
        let (whole_title, whole_headings) =
            (text("whole_title", WHOLE, basic), text("whole_headings", WHOLE, basic));
        let (title_edges, edges, tails) =
            (text("title_edges", LIST, basic), text("edges", LIST, basic), text("tails", LIST, basic));
        let record = builder.add_text_field("record", TextOptions::default().set_stored());
        let mut bytes = |name: &str| builder.add_bytes_field(name, BytesOptions::default().set_indexed());
        let (space, key, state) = (bytes("space"), bytes("key"), bytes("state"));
        let mut fast = |name: &str| builder.add_u64_field(name, NumericOptions::from(FAST));
        let spaces = names::SPACE.map(&mut fast);
        let pages = names::PAGE.map(&mut fast);
        let roots = names::ROOT.map(&mut fast);
        let language = fast(names::LANGUAGE);
        let counts = names::COUNTS.map(&mut fast);
        let computed = fast(names::COMPUTED);
        Self {
            schema: builder.build(),
            title,
            headings,
            body,
            whole_title,
            whole_headings,
            title_edges,
            edges,
            tails,
            record,
            space,
            key,
            state,
            spaces,
            pages,
            roots,
            language,
            counts,
            computed,
        }
    }

    /// Returns the term that all pages of a space have.
    pub(crate) fn space_term(&self, space: SpaceId) -> Term {
        Term::from_field_bytes(self.space, space.as_uuid().as_bytes())
    }

    /// Returns the term of a page.
    pub(crate) fn key_term(&self, space: SpaceId, page: PageId) -> Term {
        Term::from_field_bytes(self.key, &key(space, page))
    }

    /// Returns the term of the document that records the indexed version of a space.
    pub(crate) fn state_term(&self, space: SpaceId) -> Term {
        Term::from_field_bytes(self.state, space.as_uuid().as_bytes())
    }
}

/// Returns the bytes of a space's id and a page's id.
pub(crate) fn key(space: SpaceId, page: PageId) -> Vec<u8> {
    [*space.as_uuid().as_bytes(), *page.as_uuid().as_bytes()].concat()
}

/// Returns the tokenizers that the fields name.
pub(crate) fn tokenizers() -> TokenizerManager {
    let manager = TokenizerManager::default();
    manager.register(WORDS, TextAnalyzer::from(Analyzer::default()));
    manager.register(LIST, TextAnalyzer::from(WhitespaceTokenizer::default()));
    manager
}

/// Returns the builder of an index.
pub(crate) fn builder() -> IndexBuilder {
    // Answers read single pages, so each page is an uncompressed block of its own.
    let settings = IndexSettings {
        docstore_compression: Compressor::None,
        docstore_compress_dedicated_thread: false,
        docstore_blocksize: 1,
        ..IndexSettings::default()
    };
    Index::builder().schema(FIELDS.schema.clone()).tokenizers(tokenizers()).settings(settings)
}
