//! `PATCH /v1/orgs/{organizationId}/sites/{siteId}`

use actix_web::HttpResponse;
use quire_domain::bounded::IntoText as _;
use quire_domain::policy::Action;
use quire_domain::sites::{HostnameRecord, SiteUpdate, host_of};
use quire_storage::Reader;
use quire_storage::lookup::Credentials;
use quire_storage::sites::HostnameProof;

use super::{SitePath, lock};
use crate::api::ApiData;
use crate::error::ApiResult;
use crate::extract::{Caller, OptionalJson, Path};
use crate::preconditions::IfMatch;
use crate::present::SiteView;
use crate::respond;
use crate::state::State;

/// Updates a site.
pub async fn update_site_by_id(
    Caller(caller): Caller,
    Path(path): Path<SitePath>,
    OptionalJson(body): OptionalJson<SiteUpdate>,
    if_match: IfMatch,
    state: State,
    api: ApiData,
) -> ApiResult<HttpResponse> {
    let by_dns = proven_hostnames(&caller, path, &body, &state, &api).await?;
    let (urls, rules) = (state.urls.clone(), state.settings.hostname_rules());
    let site = state
        .transact(caller, move |tx| {
            let site = lock(tx, path)?;
            if_match.check(&SiteView::new(&urls, &site).seen_by(site.role()).site())?;
            Ok(tx.update_site(site, body, &HostnameProof { rules: &rules, by_dns: &by_dns })?)
        })
        .await?;
    respond::changed(&SiteView::new(&state.urls, &site).seen_by(site.role()).site())
}

/// Returns the new host names that a TXT record proves. Names that are proven already are not looked up.
async fn proven_hostnames(
    caller: &Credentials,
    path: SitePath,
    body: &SiteUpdate,
    state: &State,
    api: &ApiData,
) -> ApiResult<Vec<String>> {
    let hostname = body.hostname.clone().into_text()?.into_option().flatten();
    let proxy = body.proxy.clone().into_text()?.into_option().flatten();
    let asked: Vec<String> =
        hostname.into_iter().chain(proxy).map(|address| host_of(&address).to_owned()).collect();
    if asked.is_empty() {
        return Ok(Vec::new());
    }
    let rules = state.settings.hostname_rules();
    let look = move |reader: &mut Reader<'_>| {
        let site = reader.site(path.0, path.1)?.authorize(Action::ManageSites)?;
        Ok(reader.unproven_hostnames(&site, asked.clone(), &rules)?)
    };
    let unproven = state.read(*caller, look).await?;
    let mut proven = Vec::new();
    for hostname in unproven {
        let HostnameRecord { name, value, .. } = HostnameRecord::proving(&hostname, path.0);
        match api.imports.fetcher.texts_of(&name).await {
            Ok(texts) if texts.iter().any(|text| text.trim() == value) => proven.push(hostname),
            Ok(_) => {}
            Err(error) => log::debug!("{name} has no TXT record: {error}"),
        }
    }
    Ok(proven)
}
