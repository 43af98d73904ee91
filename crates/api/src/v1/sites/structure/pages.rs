//! Lists for visitors, who may see a part of a site.

use quire_storage::list::Slice;

/// Returns a page of the items that a visitor may see. Conditions are evaluated on all items, so pages are cut here and
/// not in the database.
pub(super) fn cut<T>(items: Vec<T>, key: impl Fn(&T) -> &str, after: Option<&str>, limit: u16) -> Slice<T> {
    let total = u64::try_from(items.len()).unwrap_or(u64::MAX);
    let mut rest: Vec<T> =
        items.into_iter().filter(|item| after.is_none_or(|after| key(item) > after)).collect();
    let has_more = rest.len() > usize::from(limit);
    rest.truncate(usize::from(limit));
    Slice { items: rest, total, has_more }
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn pages_follow_each_other() {
        let items = || vec!["a", "b", "c"];
        let first = cut(items(), |item| item, None, 2);
        assert_eq!((first.items, first.total, first.has_more), (vec!["a", "b"], 3, true));
        let second = cut(items(), |item| item, Some("b"), 2);
        assert_eq!((second.items, second.total, second.has_more), (vec!["c"], 3, false));
    }
}
