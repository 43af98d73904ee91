//! Images and text boxes in drawings (20.1, 20.4).

use super::body::{Reader, add_words};
use super::xml::{alternative, attribute, child, find, is_word};
use crate::document::{ContentRef, InlineKind, InlineNode};
use crate::html::address;
use crate::inline_builder::{Format, InlineBuilder};
use crate::limits::docx::MAX_TEXT_BOX_DEPTH;
use crate::markdown::HrefKind;
use roxmltree::Node;

/// English Metric Units (EMU) per pixel, at 96 pixels per inch.
const EMU: f64 = 9525.0;

impl Reader<'_> {
    /// Reads a drawing, an older picture or an object: its images, and its text as separate blocks.
    pub(super) fn drawing(&mut self, node: Node<'_, '_>, runs: &mut InlineBuilder, format: &Format) {
        let mut stack = vec![(node, About::default())];
        let (mut has_picture, mut is_embedded) = (false, false);
        let mut first = None;
        while let Some((inner, outer)) = stack.pop() {
            let about = outer.nearer(inner);
            match inner.tag_name().name() {
                "txbxContent" => {
                    if self.level < MAX_TEXT_BOX_DEPTH {
                        has_picture = true;
                        self.level += 10;
                        let outer = std::mem::take(&mut self.boxes);
                        let fields = std::mem::take(&mut self.fields);
                        let blocks = self.blocks_below(inner, 0);
                        self.fields = fields;
                        self.boxes = outer;
                        self.boxes.extend(blocks);
                        self.level -= 10;
                    } else {
                        self.add_box(|runs| add_words(inner, runs));
                    }
                }
                // Text of a shape on a locked canvas (20.1.2.2.39), and decorative text of older drawings.
                "txBody" => {
                    has_picture = true;
                    for paragraph in inner.children().filter(|child| child.tag_name().name() == "p") {
                        self.add_box(|runs| add_drawn_words(paragraph, runs));
                    }
                }
                "textpath" => {
                    if let Some(words) = attribute(inner, "string") {
                        has_picture = true;
                        self.add_box(|runs| runs.collapsed(words, &Format::default()));
                    }
                }
                "OLEObject" => {
                    // The picture of an equation shows all of it.
                    let is_equation =
                        attribute(inner, "ProgID").is_some_and(|program| program.starts_with("Equation"));
                    is_embedded |= !is_equation && attribute(inner, "Type") == Some("Embed");
                }
                "blip" | "imagedata" => {
                    // The drawing's own description, for pictures without a closer one.
                    let description =
                        about.description.or_else(|| *first.get_or_insert_with(|| find(node, "docPr")));
                    let about = About { description, ..about };
                    has_picture |= self.image(inner, about, runs, format);
                }
                "chart" | "relIds" => {
                    self.left_out.charts += 1;
                    has_picture = true;
                }
                "AlternateContent" => stack.extend(alternative(inner).map(|inner| (inner, about))),
                _ => {
                    let children: Vec<Node<'_, '_>> = inner.children().filter(Node::is_element).collect();
                    stack.extend(children.into_iter().rev().map(|inner| (inner, about)));
                }
            }
        }
        if !has_picture && is_word(node, "object") {
            self.left_out.charts += 1;
        } else if is_embedded {
            self.left_out.embedded += 1;
        }
    }

    /// Adds a paragraph after the current one.
    fn add_box(&mut self, words: impl FnOnce(&mut InlineBuilder)) {
        let mut runs = InlineBuilder::default();
        words(&mut runs);
        self.boxes.extend(crate::lines::paragraph(runs.finish_line()));
    }

    /// Adds an image of a drawing. Returns whether there is an image to show.
    fn image(
        &mut self,
        blip: Node<'_, '_>,
        about: About<'_, '_>,
        runs: &mut InlineBuilder,
        format: &Format,
    ) -> bool {
        let relation =
            ["embed", "id", "link"].iter().find_map(|name| self.relations.get(attribute(blip, name)?));
        let Some(relation) = relation else { return false };
        let src = if relation.external {
            match address::of_image(&relation.target) {
                Some(src) => src,
                None => return false,
            }
        } else {
            self.images.insert(relation.target.clone());
            if is_foreign(&relation.target) {
                self.left_out.foreign += 1;
            }
            relation.target.clone()
        };
        let found = self.refs.resolve(&src, HrefKind::Image);
        let found = found.filter(|found| matches!(found, ContentRef::File { .. }));
        let reference = found.unwrap_or_else(|| ContentRef::url(src));
        let mut node = InlineNode::new(InlineKind::InlineImage).with("ref", reference.to_value());
        let About { description: about, extent } = about;
        let shape = blip.parent().filter(|shape| shape.tag_name().name() == "shape");
        let alt = about.and_then(|about| attribute(about, "descr")).or_else(|| attribute(shape?, "alt"));
        if let Some(alt) = alt.map(str::trim).filter(|alt| !alt.is_empty()) {
            node.data.insert("alt".to_owned(), alt.into());
        }
        for (name, side) in [("width", "cx"), ("height", "cy")] {
            let pixels = extent
                .and_then(|extent| pixels(attribute(extent, side)?))
                .or_else(|| shape_size(shape?, name));
            if let Some(pixels) = pixels {
                node.data.insert(name.to_owned(), pixels.into());
            }
        }
        let click =
            about.and_then(|about| child(about, "hlinkClick")).and_then(|click| attribute(click, "id"));
        let target = click.and_then(|id| self.relations.target(id)).map(str::to_owned);
        let link = target.and_then(|target| self.link(&target)).or_else(|| format.link.clone());
        self.anchors.words();
        runs.node(node, &Format { link, ..format.clone() });
        true
    }
}

/// Description and size from the elements around a picture, the nearest first (20.4.2.5, 20.4.2.7).
#[derive(Clone, Copy, Default)]
struct About<'a, 'i> {
    description: Option<Node<'a, 'i>>,
    extent: Option<Node<'a, 'i>>,
}

impl<'a, 'i> About<'a, 'i> {
    /// Returns the values of an element, with those around it as defaults.
    fn nearer(self, node: Node<'a, 'i>) -> Self {
        Self {
            description: child(node, "docPr").or(self.description),
            extent: child(node, "extent").or(self.extent),
        }
    }
}

/// Adds the words of a paragraph of DrawingML.
fn add_drawn_words(paragraph: Node<'_, '_>, runs: &mut InlineBuilder) {
    for node in paragraph.descendants() {
        match node.tag_name().name() {
            "t" => runs.collapsed(node.text().unwrap_or_default(), &Format::default()),
            "br" => runs.collapsed(" ", &Format::default()),
            _ => {}
        }
    }
}

/// Returns whether an image is a metafile, which browsers do not show.
fn is_foreign(target: &str) -> bool {
    let target = target.to_ascii_lowercase();
    [".emf", ".wmf", ".wdp", ".tif", ".tiff"].iter().any(|ending| target.ends_with(ending))
}

fn pixels(emu: &str) -> Option<u32> {
    let pixels = emu.parse::<f64>().ok()? / EMU;
    whole(pixels)
}

fn whole(pixels: f64) -> Option<u32> {
    (1.0..100_000.0).contains(&pixels).then(|| format!("{pixels:.0}").parse().ok())?
}

/// Returns a dimension of an older picture: `width:12pt`.
fn shape_size(shape: Node<'_, '_>, name: &str) -> Option<u32> {
    let rules = attribute(shape, "style")?.split(';').filter_map(|rule| rule.split_once(':'));
    let (_, value) = rules.into_iter().find(|(property, _)| property.trim() == name)?;
    let value = value.trim();
    let factors = [("pt", 96.0 / 72.0), ("px", 1.0), ("in", 96.0)];
    let (unit, factor) = factors.iter().find(|(unit, _)| value.ends_with(unit))?;
    whole(value.strip_suffix(unit)?.parse::<f64>().ok()? * factor)
}
