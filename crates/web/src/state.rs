//! Data that the handlers of sites share.

use std::sync::Arc;

use actix_web::web;
use quire_content::computed::Expansions;
use quire_content::git::GitRunner;
use quire_render::Highlighter;
use quire_server::State;

use crate::bodies::Bodies;
use crate::hosts::Hosts;

/// Data that the handlers of sites share.
pub(crate) struct Web {
    pub(crate) state: State,
    pub(crate) bodies: Bodies,
    pub(crate) expansions: Expansions,
    pub(crate) highlighter: Arc<Highlighter>,
    pub(crate) hosts: Hosts,
    /// Runner of comparisons with Git repositories, shared with the API.
    pub(crate) git: GitRunner,
}

/// Extractor for [`Web`].
pub(crate) type WebData = web::Data<Web>;

impl Web {
    pub(crate) fn new(
        state: State,
        expansions: Expansions,
        highlighter: Arc<Highlighter>,
        git: GitRunner,
    ) -> Self {
        let bodies = Bodies::new(state.settings.caches.site_pages());
        let bytes = bodies.bytes();
        state.metrics.export_caches(move || vec![("site_pages", bytes())]);
        Self {
            bodies,
            expansions,
            highlighter,
            git,
            hosts: Hosts::new(state.settings.hostname_rules().own),
            state,
        }
    }
}
