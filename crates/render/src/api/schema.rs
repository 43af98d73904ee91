//! Schemas as trees of their properties.

use super::Api;
use crate::limits::{MAX_EXAMPLE_BYTES, MAX_PROPERTIES, MAX_SCHEMA_DEPTH};
use crate::listing::listing;
use maud::{Markup, html};
use quire_markup::Document;
use quire_markup::openapi::{Direction, Json, constraints, example_of, type_of};

/// Maximum number of alternatives of a schema. Later ones are left out.
const MAX_ALTERNATIVES: usize = 12;

/// Members of a schema: properties with their schemas, and alternatives.
#[derive(Default)]
struct Members<'j> {
    properties: Vec<Property<'j>>,
    alternatives: Vec<&'j Json>,
}

/// State of a traversal of a schema.
struct Walk {
    /// References on the path to the current schema. A repeated one is a cycle.
    above: Vec<String>,
    direction: Direction,
}

struct Property<'j> {
    name: String,
    schema: &'j Json,
    is_required: bool,
}

impl<'j> Api<'_, '_, 'j> {
    /// Renders the page or block of a model.
    pub(super) fn model(&self, body: &Json) -> Markup {
        let schema = body.get("schema").unwrap_or(&Json::Null);
        let example = example_of(schema, self.parts, Direction::Any)
            .map(|example| example.to_lines_within(MAX_EXAMPLE_BYTES));
        html! {
            (self.markdown(self.parts.follow(schema).str("description")))
            (self.schema(schema, Direction::Any))
            @if let Some(example) = example {
                figure.code {
                    figcaption { span.code-title { (self.page.words.example) } }
                    (listing(self.page, "json", &example))
                }
            }
        }
    }

    /// Renders the type of a schema, and the tree of its properties in messages of a direction.
    pub(super) fn schema(&self, schema: &Json, direction: Direction) -> Markup {
        let mut walk = Walk { above: Vec::new(), direction };
        html! {
            div.api-schema {
                p { span.type { (self.inlines(&type_of(schema, self.parts))) } (self.constraints(self.parts.follow(schema))) }
                (self.members(schema, 0, &mut walk))
            }
        }
    }

    /// Renders a parameter or header.
    pub(super) fn field(&self, name: &str, parameter: &Json) -> Markup {
        let described = parameter.entries_of("content").first().and_then(|(_, media)| media.get("schema"));
        let schema = parameter.get("schema").or(described).unwrap_or(&Json::Null);
        let about = parameter.str("description").or_else(|| self.parts.follow(schema).str("description"));
        html! {
            li {
                (self.field_head(name, schema, parameter.flag("required"), parameter.flag("deprecated")))
                (self.markdown(about))
                (self.members(schema, 1, &mut Walk { above: Vec::new(), direction: Direction::Any }))
            }
        }
    }

    fn field_head(&self, name: &str, schema: &Json, is_required: bool, is_deprecated: bool) -> Markup {
        html! {
            p.api-field {
                code { (name) } " "
                span.type { (self.inlines(&type_of(schema, self.parts))) }
                @if is_required { " " span.required { (self.page.words.required) } }
                @if is_deprecated { " " span.deprecated { (self.page.words.deprecated) } }
                (self.constraints(self.parts.follow(schema)))
            }
        }
    }

    fn constraints(&self, schema: &Json) -> Markup {
        let words = constraints(schema, self.parts).map(|block| self.aside(&Document::new(vec![block])));
        let words = words.map(maud::PreEscaped::into_string).unwrap_or_default();
        let words =
            words.strip_prefix("<p>").and_then(|words| words.strip_suffix("</p>")).unwrap_or_default();
        html! { @if !words.is_empty() { " " span.constraints { (maud::PreEscaped(words)) } } }
    }

    /// Renders the properties of a schema recursively. A schema within itself is only named.
    fn members(&self, schema: &Json, depth: usize, walk: &mut Walk) -> Markup {
        let mut members = Members::default();
        let entered = walk.above.len();
        self.collect(schema, "", 0, walk, &mut members);
        let content = html! {
            @if !members.properties.is_empty() || !members.alternatives.is_empty() {
                @if depth == 0 { (self.listed(&members, depth, walk)) } @else if depth < MAX_SCHEMA_DEPTH {
                    details.api-members {
                        summary { (if members.properties.is_empty() { self.page.words.one_of } else { self.page.words.properties }) }
                        (self.listed(&members, depth, walk))
                    }
                }
            }
        };
        walk.above.truncate(entered);
        content
    }

    fn listed(&self, members: &Members<'_>, depth: usize, walk: &mut Walk) -> Markup {
        let inner = depth.saturating_add(1);
        html! {
            @if !members.properties.is_empty() {
                ul.api-fields {
                    @for property in members.properties.iter().take_while(|_| self.takes_property()) {
                        @let target = self.parts.follow(property.schema);
                        @let about = property.schema.str("description").or_else(|| target.str("description"));
                        li {
                            (self.field_head(&property.name, property.schema, property.is_required, target.flag("deprecated")))
                            (self.markdown(about))
                            (self.members(property.schema, inner, walk))
                        }
                    }
                    @if self.properties.get() > MAX_PROPERTIES { li { "…" } }
                }
            }
            @if !members.alternatives.is_empty() {
                @if !members.properties.is_empty() || depth == 0 { p.api-one-of { (self.page.words.one_of) } }
                @for alternative in members.alternatives.iter().take(MAX_ALTERNATIVES) {
                    @if self.takes_property() {
                        div.api-alternative {
                            p.api-field { span.type { (self.inlines(&type_of(alternative, self.parts))) } }
                            (self.members(alternative, inner, walk))
                        }
                    }
                }
            }
        }
    }

    fn takes_property(&self) -> bool {
        self.properties.set(self.properties.get().saturating_add(1));
        self.properties.get() <= MAX_PROPERTIES
    }

    /// Collects the members of a schema from all its parts, including its items.
    fn collect<'s>(
        &'s self,
        schema: &'s Json,
        prefix: &str,
        depth: usize,
        walk: &mut Walk,
        members: &mut Members<'s>,
    ) {
        if depth > MAX_SCHEMA_DEPTH || !self.parts.visit() {
            return;
        }
        if let Some(reference) = schema.str("$ref") {
            if walk.above.iter().any(|own| own == reference) {
                return;
            }
            walk.above.push(reference.to_owned());
        }
        let target = self.parts.follow(schema);
        let inner = depth.saturating_add(1);
        for part in target.items_of("allOf") {
            self.collect(part, prefix, inner, walk, members);
        }
        let required: Vec<&str> = target.items_of("required").iter().filter_map(Json::as_str).collect();
        for (name, schema) in target.entries_of("properties").iter().take(MAX_PROPERTIES) {
            if !walk.direction.has(schema, self.parts) {
                continue;
            }
            let is_required = required.contains(&name.as_str());
            members.properties.push(Property { name: format!("{prefix}{name}"), schema, is_required });
        }
        for key in ["oneOf", "anyOf"] {
            members.alternatives.extend(target.items_of(key));
        }
        if let Some(items) = target.get("items") {
            self.collect(items, prefix, inner, walk, members);
        }
        if let Some(schema @ Json::Object(_)) = target.get("additionalProperties") {
            members.properties.push(Property { name: format!("{prefix}*"), schema, is_required: false });
        }
    }
}
