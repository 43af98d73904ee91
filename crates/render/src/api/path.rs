//! Paths with parameters in braces.

/// Splits a path before and after each parameter.
pub(super) fn pieces(path: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = path;
    while let Some((before, from)) = rest.find('{').and_then(|start| rest.split_at_checked(start)) {
        let Some((parameter, behind)) = from.find('}').and_then(|end| from.split_at_checked(end + 1)) else {
            break;
        };
        found.extend([before, parameter]);
        rest = behind;
    }
    found.push(rest);
    found.retain(|piece| !piece.is_empty());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_cut_at_their_parameters() {
        assert_eq!(pieces("/a/{b}/c{d}"), ["/a/", "{b}", "/c", "{d}"]);
        assert_eq!(pieces("/a/{b"), ["/a/{b"]);
        assert_eq!(pieces(""), [""; 0]);
    }
}
