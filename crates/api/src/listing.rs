//! Common code of list endpoints: reads the cursor and writes the page.

use actix_web::{HttpRequest, HttpResponse};
use quire_domain::list::{List, PageQuery};
use quire_storage::list::Slice;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::ApiResult;
use crate::respond::Written;
use crate::{present, respond};

/// Requested page of a list whose items are ordered by a key `K`.
#[derive(Clone, Debug)]
pub struct Listing<K> {
    name: String,
    after: Option<K>,
    limit: u16,
}

impl<K: Clone + DeserializeOwned> Listing<K> {
    /// Opens the cursor of a page. A cursor is valid only for the list with this name, which includes the filters.
    ///
    /// # Errors
    /// 400 for a malformed cursor or one of another list.
    pub fn new(name: impl Into<String>, page: &PageQuery) -> ApiResult<Self> {
        let name = name.into();
        let after = present::cursor(&name, page.page.as_deref())?;
        Ok(Self { name, after, limit: page.limit() })
    }

    /// Returns the key of the last item on the previous page, and the maximum number of items.
    pub fn position(&self) -> (Option<K>, u16) {
        (self.after.clone(), self.limit)
    }

    /// Returns the page. `key` and `resource` are as for [`Listing::respond`].
    ///
    /// # Errors
    /// Errors of `resource`.
    pub fn page<T, R, Q: Serialize>(
        &self,
        slice: Slice<T>,
        key: impl Fn(&T) -> Q,
        resource: impl FnMut(T) -> ApiResult<R>,
    ) -> ApiResult<List<R>> {
        present::list(&self.name, slice, key, resource)
    }

    /// Serializes the page on the current thread. `key` and `resource` are as for [`Listing::respond`].
    ///
    /// # Errors
    /// Errors of `resource`.
    pub fn write<T, R: Serialize, Q: Serialize>(
        &self,
        slice: Slice<T>,
        key: impl Fn(&T) -> Q,
        resource: impl FnMut(T) -> ApiResult<R>,
    ) -> ApiResult<Written> {
        Written::new(&self.page(slice, key, resource)?)
    }

    /// Responds with the page. `key` returns the key of an item, in the JSON form of `K`; `resource` its wire form.
    ///
    /// # Errors
    /// Errors of `resource`.
    pub fn respond<T, R: Serialize, Q: Serialize>(
        self,
        request: &HttpRequest,
        slice: Slice<T>,
        key: impl Fn(&T) -> Q,
        resource: impl FnMut(T) -> ApiResult<R>,
    ) -> ApiResult<HttpResponse> {
        let list = present::list(&self.name, slice, key, resource)?;
        respond::ok(request, &list)
    }
}
