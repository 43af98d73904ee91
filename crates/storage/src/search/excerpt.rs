//! Excerpts: the few words around a match.

/// Characters of an excerpt at most, without the dots that say that something was left out.
const LENGTH: usize = 200;

/// Cuts an excerpt out of a part of a text, between words where there is such a place near.
///
/// `cut_before` and `cut_after` say whether the text goes on there.
pub(super) fn excerpt(part: &str, cut_before: bool, cut_after: bool) -> String {
    let mut words: Vec<&str> = part.split_whitespace().collect();
    if cut_before && words.len() > 1 && !part.starts_with(char::is_whitespace) {
        words.remove(0);
    }
    let text = words.join(" ");
    let end = text.char_indices().nth(LENGTH).map_or(text.len(), |(end, _)| end);
    let (head, rest) = text.split_at(end);
    let head = if rest.is_empty() {
        head
    } else {
        // A script without spaces has none to be cut at.
        let near = head.rfind(char::is_whitespace).filter(|space| *space > end / 2);
        near.map_or(head, |space| head.split_at(space).0)
    };
    let dots = |cut: bool| if cut { "…" } else { "" };
    format!("{}{head}{}", dots(cut_before), dots(cut_after || !rest.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::{LENGTH, excerpt};

    #[test]
    fn a_short_text_is_whole_and_on_one_line() {
        assert_eq!(excerpt("one\n two\tthree ", false, false), "one two three");
        assert_eq!(excerpt("", false, false), "");
    }

    #[test]
    fn words_are_whole_where_the_text_goes_on() {
        assert_eq!(excerpt("ting with the end", true, false), "…with the end");
        assert_eq!(excerpt("the beginning and", false, true), "the beginning and…");
        let long = excerpt(&"word ".repeat(100), true, true);
        assert!(long.starts_with("…word") && long.ends_with("word…"), "{long}");
        assert!(long.chars().count() <= LENGTH + 2);
    }

    #[test]
    fn scripts_without_spaces_are_cut_anywhere() {
        let long = excerpt(&"安装".repeat(200), true, true);
        assert_eq!(long.chars().count(), LENGTH + 2);
    }
}
