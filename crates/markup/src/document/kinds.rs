//! Kinds of blocks and inlines, with their names on the wire.

/// Defines an enum of node types with their names on the wire.
macro_rules! kinds {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $wire:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name { $($(#[$variant_doc])* $variant,)* }

        impl $name {
            /// All types.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// Returns the name on the wire, the node's `type`.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $wire,)* }
            }

            /// Returns the type with this name on the wire.
            #[must_use]
            pub fn from_wire(name: &str) -> Option<Self> {
                match name { $($wire => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

kinds! {
    /// Type of a [`Block`](super::Block).
    BlockKind {
        /// Running text.
        Paragraph = "paragraph",
        /// A heading of the first rank.
        Heading1 = "heading-1",
        /// A heading of the second rank.
        Heading2 = "heading-2",
        /// A heading of the third and lowest rank.
        Heading3 = "heading-3",
        /// A numbered list.
        ListOrdered = "list-ordered",
        /// A bulleted list.
        ListUnordered = "list-unordered",
        /// A list of check boxes.
        ListTasks = "list-tasks",
        /// An entry of any of the lists.
        ListItem = "list-item",
        /// A thematic break.
        Divider = "divider",
        /// A quotation.
        Blockquote = "blockquote",
        /// A call-out with a style.
        Hint = "hint",
        /// A code listing, made of code lines.
        Code = "code",
        /// A line of a code listing.
        CodeLine = "code-line",
        /// A displayed formula in TeX notation.
        Math = "math",
        /// A row of images.
        Images = "images",
        /// An image in a row of images.
        Image = "image",
        /// A file to download.
        File = "file",
        /// A drawing kept as a file.
        Drawing = "drawing",
        /// Content of another site, by its URL.
        Embed = "embed",
        /// A title with a collapsible body.
        Expandable = "expandable",
        /// A set of tabs.
        Tabs = "tabs",
        /// A tab of a set of tabs.
        TabsItem = "tabs-item",
        /// A table, shown as a grid or as cards.
        Table = "table",
        /// A prominent link to a page or other content.
        ContentRef = "content-ref",
        /// A block that an integration renders.
        Integration = "integration",
        /// Reusable content, included by reference.
        ReusableContent = "reusable-content",
        /// A sequence of steps.
        Stepper = "stepper",
        /// A step of a stepper.
        StepperStep = "stepper-step",
        /// Columns of content.
        Columns = "columns",
        /// A column of a set of columns.
        Column = "column",
        /// Content shown under a condition.
        If = "if",
        /// An operation of an OpenAPI description that is a file or URL.
        Swagger = "swagger",
        /// An operation of a stored OpenAPI specification.
        OpenApiOperation = "openapi-operation",
        /// Models of a stored OpenAPI specification.
        OpenApiSchemas = "openapi-schemas",
        /// A webhook of a stored OpenAPI specification.
        OpenApiWebhook = "openapi-webhook",
        /// A prompt for an assistant.
        Prompt = "prompt",
        /// A list of dated updates.
        Updates = "updates",
        /// One dated update.
        Update = "update",
    }
}

kinds! {
    /// Type of an [`InlineNode`](super::InlineNode).
    InlineKind {
        /// A link around text.
        Link = "link",
        /// An emoji by its code points in hexadecimal.
        Emoji = "emoji",
        /// An icon by its name.
        Icon = "icon",
        /// An expression evaluated when the page is shown.
        Expression = "expression",
        /// A formula in TeX notation.
        InlineMath = "inline-math",
        /// An image in running text.
        InlineImage = "inline-image",
        /// Text with a note.
        Annotation = "annotation",
        /// A reference displayed as the title of its target.
        Mention = "mention",
        /// A button with a link or an action.
        Button = "button",
    }
}
