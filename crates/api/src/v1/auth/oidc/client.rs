//! This service as a client of a provider, whose requests pass the guard of fetches.

use std::time::Duration;

use quire_importer::fetch::Fetcher;
use quire_server::oidc::http::{Request, Response};
use quire_server::oidc::{Client, ExchangeError, Exchanged};
use quire_storage::oidc::UsableProvider;

use crate::state::State;

/// Longest time of one request to a provider.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Largest answer of a provider.
const BYTES_MAX: u64 = 256 << 10;

/// Returns the client of a provider.
pub(super) fn of(state: &State, provider: &UsableProvider) -> Client {
    Client {
        issuer: provider.issuer.clone(),
        client_id: provider.client_id.clone(),
        client_secret: provider.client_secret.clone(),
        redirect_url: state.urls.oidc_callback(provider.id),
    }
}

/// Returns a function that sends requests.
pub(super) fn exchange(fetcher: &Fetcher) -> impl Fn(Request<Vec<u8>>) -> Exchanged + use<> {
    let fetcher = fetcher.clone();
    move |request| {
        let fetcher = fetcher.clone();
        Box::pin(async move {
            let answer: Result<Response<Vec<u8>>, _> = fetcher.exchange(request, TIMEOUT, BYTES_MAX).await;
            answer.map_err(|error| ExchangeError(error.to_string()))
        })
    }
}
