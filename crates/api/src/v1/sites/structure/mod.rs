//! Structure of sites: sections, section groups and site spaces.

mod change;
pub mod groups;
pub mod sections;
pub mod site_spaces;

use quire_domain::sites::{SiteStructure, VisitorQuery};

use crate::prelude::*;
use crate::v1::sites::{SitePath, Visit, parts, visit_as};

/// Returns the routes.
pub fn routes() -> Vec<Route> {
    const STRUCTURE: Resource = Tag::Sites.at("/v1/orgs/{organizationId}/sites/{siteId}/structure", None);
    vec![
        Route::get(STRUCTURE, SignedIn, "Get a site's structure", get_site_structure)
            .query::<VisitorQuery>()
            .answers::<SiteStructure>(200)
            .for_visitors(),
    ]
}

async fn get_site_structure(
    Visiting(caller): Visiting,
    Path(path): Path<SitePath>,
    Query(query): Query<VisitorQuery>,
    request: HttpRequest,
    state: State,
) -> ApiResult<HttpResponse> {
    let visitor = Visit::new(query)?;
    let urls = state.urls.clone();
    let structure = state
        .read(caller.credentials(), move |reader| {
            let (visited, who) = visit_as(reader, &caller, path, &visitor)?;
            let parts = parts(reader, (&visited).into())?;
            let site = visited.site();
            let view = SiteView::new(&urls, site).visited_by(&who).shared_with(visitor.key_as(&caller, site));
            Ok(view.structure(&parts))
        })
        .await?;
    respond::ok(&request, &structure)
}

/// Returns a page of the items that a visitor may see. Conditions are evaluated on all items, so the list is paged here
/// and not in the database.
fn cut<T>(items: Vec<T>, key: impl Fn(&T) -> &str, after: Option<&str>, limit: u16) -> Slice<T> {
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
