//! Keyset pagination.

use uuid::Uuid;

/// Page of a list, with the length of the whole list.
#[derive(Clone, Debug)]
pub struct Slice<T> {
    /// Items, at most `limit`.
    pub items: Vec<T>,
    /// Number of all matching items.
    pub total: u64,
    /// `true` if more items follow.
    pub has_more: bool,
}

impl<T> Slice<T> {
    /// Creates a page from the result of a query with `limit + 1`.
    pub(crate) fn cut(mut items: Vec<T>, limit: u16, total: i64) -> Self {
        let limit = usize::from(limit);
        let has_more = items.len() > limit;
        items.truncate(limit);
        Self { items, total: u64::try_from(total).unwrap_or(0), has_more }
    }

    /// Converts each item of the page.
    ///
    /// # Errors
    /// The first error of `item`.
    pub fn try_map<U, E>(self, item: impl FnMut(T) -> Result<U, E>) -> Result<Slice<U>, E> {
        self.try_map_all(|items| items.into_iter().map(item).collect())
    }

    /// Converts all items of the page at once.
    ///
    /// # Errors
    /// The error of `items`.
    pub(crate) fn try_map_all<U, E>(
        self,
        items: impl FnOnce(Vec<T>) -> Result<Vec<U>, E>,
    ) -> Result<Slice<U>, E> {
        Ok(Slice { items: items(self.items)?, total: self.total, has_more: self.has_more })
    }
}

/// Returns the number of rows to fetch for a page: one more than its items, to detect whether more follow.
pub(crate) fn fetch_limit(limit: u16) -> i64 {
    i64::from(limit).saturating_add(1)
}

/// Returns the id below which a page of ids in descending order starts; the greatest UUID for the first page. So all
/// pages use the same statement, whose condition is an index range.
pub(crate) fn page_end(after: Option<impl Into<Uuid>>) -> Uuid {
    after.map_or(Uuid::max(), Into::into)
}
