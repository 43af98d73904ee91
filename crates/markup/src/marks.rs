//! Conversion of leaves with marks to nested marks.

use crate::document::{Inline, InlineNode, Leaf, Mark};

/// Step of inline content with nested marks.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Step<'d> {
    /// Start of a mark.
    Open(&'d Mark),
    /// End of the innermost mark.
    Close(&'d Mark),
    /// Text within the open marks, which may be code.
    Text { text: String, code: bool },
    /// Any other node.
    Node(&'d InlineNode),
}

/// Orders inline content so that marks nest. Adjacent leaves that share a mark are wrapped in it together.
pub(crate) fn steps(nodes: &[Inline]) -> Vec<Step<'_>> {
    let mut steps = Vec::new();
    let mut run: Vec<&Leaf> = Vec::new();
    for node in nodes {
        match node {
            Inline::Text(text) => run.extend(text.leaves.iter().filter(|leaf| !leaf.text.is_empty())),
            Inline::Node(node) => {
                nest(&run, &mut Vec::new(), &mut steps);
                run.clear();
                steps.push(Step::Node(node));
            }
        }
    }
    nest(&run, &mut Vec::new(), &mut steps);
    steps
}

fn nest<'d>(leaves: &[&'d Leaf], open: &mut Vec<&'d Mark>, steps: &mut Vec<Step<'d>>) {
    let mut rest = leaves;
    while let Some((first, after)) = rest.split_first() {
        let candidates = first.marks.iter().filter(|mark| **mark != Mark::Code && !open.contains(mark));
        let run_of = |mark: &Mark| rest.iter().take_while(|leaf| leaf.marks.contains(mark)).count();
        // Among equally long runs, GitBook's order determines the outermost mark.
        let longest = candidates
            .map(|mark| (run_of(mark), mark))
            .max_by_key(|(run, mark)| (*run, std::cmp::Reverse((depth_of(mark), *mark))));
        let Some((run, mark)) = longest else {
            push_text(steps, first);
            rest = after;
            continue;
        };
        let (inside, outside) = rest.split_at_checked(run).unwrap_or((rest, &[]));
        steps.push(Step::Open(mark));
        open.push(mark);
        nest(inside, open, steps);
        open.pop();
        steps.push(Step::Close(mark));
        rest = outside;
    }
}

/// Returns the nesting order of a mark among others of the same text.
fn depth_of(mark: &Mark) -> u8 {
    match mark {
        Mark::Italic => 0,
        Mark::Color { .. } => 1,
        _ => 2,
    }
}

/// Appends text, merged into preceding text of the same kind.
fn push_text(steps: &mut Vec<Step<'_>>, leaf: &Leaf) {
    let is_code = leaf.marks.contains(&Mark::Code);
    match steps.last_mut() {
        Some(Step::Text { text, code }) if *code == is_code => text.push_str(&leaf.text),
        _ => steps.push(Step::Text { text: leaf.text.clone(), code: is_code }),
    }
}
