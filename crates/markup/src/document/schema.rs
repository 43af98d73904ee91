//! Schema of each kind of node: one table for the reader, the writer and the tests.
//!
//! Unknown properties are kept, unless the kind closes its data. The *content* blocks allowed in each container are a
//! superset of those in the reference, so that all of Markdown is valid; structural blocks (items, lines, steps) are
//! strict.

use super::rules::Rule;
use super::{BlockKind as B, InlineKind as I};

/// Named value of `data`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) rule: Rule,
    pub(super) need: Need,
}

/// Presence requirement of a value.
#[derive(Debug, Clone, Copy)]
pub(super) enum Need {
    Always,
    /// Required unless this member is present.
    Unless(&'static str),
    Never,
}

/// Allowed content below a node.
#[derive(Debug, Clone, Copy)]
pub(super) enum Below {
    Void,
    /// Any inline.
    Inlines,
    /// Text and these inlines.
    Text(&'static [I]),
    /// Any content block.
    Content,
    /// These structural blocks only.
    Only(&'static [B]),
    /// Exactly one block, of one of these kinds.
    One(&'static [B]),
}

/// A role of a fragment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Role {
    pub(super) name: &'static str,
    pub(super) required: bool,
    pub(super) holds: AllowedContent,
}

/// Allowed content of a fragment with this role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AllowedContent {
    /// Any content.
    Any,
    /// At least one block.
    Some,
    /// Exactly one paragraph.
    Line,
}

/// Fragments of a node.
#[derive(Debug, Clone, Copy)]
pub(super) enum Fragments {
    None,
    /// One fragment for each of these roles.
    Roles(&'static [Role]),
    /// Any number, identified by name: the cells of a table.
    Cells,
}

/// Schema of a kind of node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Schema {
    pub(super) below: Below,
    pub(super) data: &'static [Field],
    /// Keys other than those in `data` are refused.
    pub(super) closed: bool,
    pub(super) fragments: Fragments,
    /// The node must have `data`, even if it is empty.
    pub(super) has_data: bool,
    /// The node must have `isVoid`.
    pub(super) says_void: bool,
}

impl Schema {
    pub(super) fn is_void(&self) -> bool {
        matches!(self.below, Below::Void)
    }

    pub(super) fn has_fragments(&self) -> bool {
        !matches!(self.fragments, Fragments::None)
    }
}

macro_rules! must {
    ($name:literal, $rule:expr) => {
        Field { name: $name, rule: $rule, need: Need::Always }
    };
    ($name:literal, $rule:expr, unless $other:literal) => {
        Field { name: $name, rule: $rule, need: Need::Unless($other) }
    };
}

macro_rules! may {
    ($name:literal, $rule:expr) => {
        Field { name: $name, rule: $rule, need: Need::Never }
    };
}

pub(super) use {may, must};

const fn open(below: Below, data: &'static [Field]) -> Schema {
    let says_void = matches!(below, Below::Void);
    Schema { below, data, closed: false, fragments: Fragments::None, has_data: true, says_void }
}

const fn closed(below: Below, data: &'static [Field]) -> Schema {
    Schema { closed: true, ..open(below, data) }
}

/// Returns the schema of a kind with optional `data`.
const fn bare(schema: Schema) -> Schema {
    Schema { has_data: false, ..schema }
}

/// Returns the schema of a non-void kind with required `isVoid`.
const fn said(schema: Schema) -> Schema {
    Schema { says_void: true, ..schema }
}

const fn with_roles(schema: Schema, roles: &'static [Role]) -> Schema {
    Schema { fragments: Fragments::Roles(roles), ..schema }
}

const ALIGN: Field = may!("align", Rule::OneOf(&["start", "center", "end"]));
const FULL_WIDTH: Field = may!("fullWidth", Rule::Flag);
const ANY_REF: Rule = Rule::Ref(&[]);
/// Reference to a file, or a URL so that a path to an unknown file is kept.
const FILE_REF: Rule = Rule::Ref(&["file", "url"]);
const OPENAPI_REF: Rule = Rule::Ref(&["openapi"]);

/// Returns the schema of a kind of block.
pub(super) fn of_block(kind: B) -> Schema {
    match kind {
        B::Paragraph => bare(closed(Below::Inlines, &[ALIGN])),
        B::Heading1 | B::Heading2 | B::Heading3 => {
            open(Below::Inlines, &[may!("id", Rule::HeadingId), ALIGN])
        }
        B::ListOrdered => open(Below::Only(&[B::ListItem]), &[may!("start", Rule::Count(0))]),
        B::ListUnordered | B::ListTasks => bare(closed(Below::Only(&[B::ListItem]), &[])),
        B::ListItem => bare(open(Below::Content, &[may!("checked", Rule::Flag)])),
        B::Divider => closed(Below::Void, &[]),
        B::Blockquote => bare(closed(Below::Content, &[])),
        B::Hint => open(
            Below::Content,
            &[
                must!("style", Rule::OneOf(&["info", "warning", "danger", "success"])),
                may!("icon", Rule::Text),
            ],
        ),
        B::Code => open(Below::Only(&[B::CodeLine]), CODE),
        B::CodeLine => open(Below::Text(&[I::Annotation, I::Expression]), &[may!("highlighted", Rule::Flag)]),
        B::Math => open(Below::Void, &[must!("formula", Rule::Text)]),
        B::Images => said(open(
            Below::Only(&[B::Image]),
            &[
                may!("align", Rule::OneOf(&["center", "left", "right"])),
                FULL_WIDTH,
                may!("withFrame", Rule::Flag),
            ],
        )),
        B::Image => with_roles(open(Below::Void, IMAGE), &[CAPTION]),
        B::File => open(Below::Void, &[must!("ref", FILE_REF)]),
        B::Drawing => open(Below::Void, &[may!("ref", FILE_REF)]),
        B::Embed => open(Below::Void, &[must!("url", Rule::Embed), FULL_WIDTH]),
        B::Expandable => with_roles(closed(Below::Void, &[may!("defaultExpanded", Rule::Flag)]), EXPANDABLE),
        B::Tabs => bare(closed(Below::Only(&[B::TabsItem]), &[FULL_WIDTH])),
        B::TabsItem => open(
            Below::Content,
            &[may!("title", Rule::Text), may!("icon", Rule::Text), may!("slug", Rule::Text)],
        ),
        B::Table => Schema { fragments: Fragments::Cells, ..open(Below::Void, TABLE) },
        B::ContentRef => open(Below::Void, &[must!("ref", ANY_REF)]),
        B::ReusableContent => open(Below::Void, &[must!("ref", Rule::Ref(&["reusable-content"]))]),
        B::Stepper => bare(closed(Below::Only(&[B::StepperStep]), &[])),
        B::StepperStep => open(Below::Content, &[may!("icon", Rule::Text)]),
        B::Columns => said(open(Below::Only(&[B::Column]), &[FULL_WIDTH])),
        B::Column => {
            closed(Below::Content, &[may!("width", Rule::Length), may!("verticalAlignment", Rule::Text)])
        }
        B::If => open(Below::Content, &[must!("expression", Rule::Text)]),
        B::Prompt => open(Below::One(&[B::Code]), PROMPT),
        B::Updates => {
            open(Below::Only(&[B::Update]), &[must!("format", Rule::OneOf(&["numeric", "full", "short"]))])
        }
        B::Update => open(Below::Content, &[must!("date", Rule::Text), may!("tags", Rule::Tags)]),
        B::Integration | B::Swagger | B::OpenApiOperation | B::OpenApiSchemas | B::OpenApiWebhook => {
            open(Below::Void, of_machine_block(kind))
        }
    }
}

/// Returns the data of blocks whose content comes from an integration or a specification.
fn of_machine_block(kind: B) -> &'static [Field] {
    const METHOD: Field = must!("method", Rule::Text);
    const PATH: Field = must!("path", Rule::Text);
    match kind {
        B::Swagger => &[PATH, METHOD, must!("ref", FILE_REF), may!("expanded", Rule::Flag), FULL_WIDTH],
        B::OpenApiOperation => &[PATH, METHOD, must!("ref", OPENAPI_REF), may!("headless", Rule::Flag)],
        B::OpenApiSchemas => &[
            must!("schemas", Rule::Texts),
            may!("grouped", Rule::Flag),
            must!("ref", OPENAPI_REF),
            may!("title", Rule::Text),
        ],
        B::OpenApiWebhook => &[must!("name", Rule::Text), METHOD, must!("ref", OPENAPI_REF)],
        _ => &[
            must!("integration", Rule::Text),
            must!("block", Rule::Text),
            must!("props", Rule::Object),
            may!("url", Rule::Link),
            FULL_WIDTH,
        ],
    }
}

const CODE: &[Field] = &[
    may!("syntax", Rule::Text),
    may!("title", Rule::Text),
    may!("overflow", Rule::OneOf(&["scroll", "wrap"])),
    may!("lineNumbers", Rule::Flag),
    FULL_WIDTH,
    may!("expandable", Rule::Flag),
    may!("collapsedLineCount", Rule::Count(1)),
];

const IMAGE: &[Field] = &[
    must!("ref", FILE_REF),
    may!("refDark", FILE_REF),
    may!("width", Rule::Length),
    may!("height", Rule::Length),
    may!("alt", Rule::Text),
];

const PROMPT: &[Field] = &[
    must!("description", Rule::Text),
    may!("icon", Rule::Text),
    may!("openInAIProviders", Rule::FlagOrTexts),
    may!("defaultExpanded", Rule::OneOf(&["hidden", "partial", "full"])),
];

const TABLE: &[Field] = &[
    must!("view", Rule::Object),
    must!("records", Rule::Object),
    must!("definition", Rule::Object),
    FULL_WIDTH,
];

const CAPTION: Role = Role { name: "caption", required: false, holds: AllowedContent::Any };

const EXPANDABLE: &[Role] = &[
    Role { name: "expandable-title", required: true, holds: AllowedContent::Line },
    Role { name: EXPANDABLE_BODY, required: true, holds: AllowedContent::Some },
];

const EXPANDABLE_BODY: &str = "expandable-body";
const ANNOTATION_BODY: &str = "annotation-body";

/// Returns whether a fragment with this role must not be empty.
pub(super) fn is_body(role: &str) -> bool {
    matches!(role, EXPANDABLE_BODY | ANNOTATION_BODY)
}

/// Returns the schema of a kind of inline.
pub(super) fn of_inline(kind: I) -> Schema {
    match kind {
        I::Link => open(Below::Text(&[I::InlineImage]), &[must!("ref", ANY_REF)]),
        I::Emoji => open(Below::Void, &[must!("code", Rule::Text)]),
        I::Icon => open(Below::Void, &[must!("icon", Rule::Text), may!("color", Rule::Text)]),
        I::Expression => open(Below::Void, &[must!("expression", Rule::Text)]),
        I::InlineMath => open(Below::Void, &[must!("formula", Rule::Text)]),
        I::InlineImage => open(
            Below::Void,
            &[
                must!("ref", FILE_REF),
                may!("refDark", FILE_REF),
                may!("caption", Rule::Text),
                may!("alt", Rule::Text),
                may!("size", Rule::OneOf(&["original", "line"])),
            ],
        ),
        I::Annotation => with_roles(
            said(bare(closed(Below::Text(&[]), &[]))),
            &[Role { name: ANNOTATION_BODY, required: true, holds: AllowedContent::Some }],
        ),
        I::Mention => open(Below::Void, &[must!("ref", ANY_REF)]),
        I::Button => open(
            Below::Void,
            &[
                must!("label", Rule::Text),
                must!("kind", Rule::OneOf(&["primary", "secondary"])),
                may!("icon", Rule::Text),
                must!("ref", ANY_REF, unless "action"),
                may!("action", Rule::Action),
            ],
        ),
    }
}

/// Returns whether a block of this kind may appear in any container of content.
pub(super) fn is_content(kind: B) -> bool {
    !matches!(
        kind,
        B::ListItem | B::CodeLine | B::Image | B::TabsItem | B::StepperStep | B::Column | B::Update
    )
}
