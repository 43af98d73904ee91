//! `/o/{organizationId}/webhooks`: webhooks and their deliveries.

use actix_web::{HttpRequest, HttpResponse};
use maud::{Markup, html};
use quire_domain::ids::{EventId, OrganizationId, WebhookId};
use quire_domain::policy::Action;
use quire_domain::webhooks::{DeliveryFacts, DeliveryState, EventKind, WebhookFacts};
use quire_server::{ApiError, ApiResult};
use quire_storage::Reader;
use quire_storage::list::Slice;
use quire_storage::lookup::Credentials;

use super::{Area, MOST, Settings, empty, load, more};
use crate::state::WebData;
use crate::workspace::forms::{ApiForm, Field, Tick};
use crate::workspace::requests::{next, parameter, position};
use crate::workspace::shell::counted;
use crate::workspace::tables::{ACTIONS, table};

/// States for filtering deliveries.
const STATES: [(DeliveryState, &str); 3] = [
    (DeliveryState::Failed, "Failed"),
    (DeliveryState::Pending, "Waiting"),
    (DeliveryState::Succeeded, "Delivered"),
];

/// Responds to `/o/{organizationId}/webhooks`.
pub(super) async fn list(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    id: OrganizationId,
) -> ApiResult<HttpResponse> {
    let list = format!("webhooks in the settings of {id}");
    let after: Option<WebhookId> = position(request, &list)?;
    let (settings, found) =
        load(web, caller, id, Action::InspectOrganization, move |reader, organization| {
            Ok(reader.webhooks(organization, after, MOST)?)
        })
        .await?;
    let Some(webhooks) = found else { return Ok(settings.refuse(Area::Webhooks, "admin")) };
    let cursor = next(&webhooks, &list, |webhook| webhook.id)?;
    let content = html! {
        p.sub { (counted(webhooks.total, "webhook", "webhooks")) }
        @if settings.administers() {
            h2 { "New webhook" }
            (ApiForm { url: &settings.api("webhooks"), shows: Some("secret"), submit: "Create webhook", is_primary: true, ..ApiForm::default() }
                .with(fields(None)))
        }
        h2 { "Webhooks" }
        @if webhooks.items.is_empty() {
            (empty("No webhooks yet", "A webhook notifies your server of events with signed requests, which are retried until they arrive."))
        } @else {
            ul.list {
                @for webhook in &webhooks.items {
                    li {
                        (settings.frame.icon("git-merge", ""))
                        a.t href=(settings.at(&format!("webhooks/{}", webhook.id))) { (webhook.url) }
                        span.d { (webhook.description.as_deref().unwrap_or_default()) " " (count(webhook.events.len())) }
                        span.w { @if !webhook.active { span.pill { "Paused" } } (settings.frame.ago(webhook.updated_at)) }
                    }
                }
            }
        }
        (more(&settings.at("webhooks"), &[], cursor.as_deref().map(|cursor| ("page", cursor))))
    };
    Ok(settings.respond(Area::Webhooks, content))
}

fn count(events: usize) -> String {
    counted(u64::try_from(events).unwrap_or(u64::MAX), "event", "events")
}

fn fields(webhook: Option<&WebhookFacts>) -> Markup {
    let events: Vec<&EventKind> = EventKind::ALL.iter().filter(|kind| **kind != EventKind::Ping).collect();
    let has = |kind: EventKind| webhook.is_some_and(|webhook| webhook.events.contains(&kind));
    html! {
        (Field {
            name: "url",
            label: "Address",
            kind: "url",
            value: webhook.map(|webhook| webhook.url.as_str()).unwrap_or_default(),
            is_required: true,
            hint: Some("It gets a POST request for each event."),
            ..Field::default()
        })
        (Field {
            name: "description",
            label: "Description",
            value: webhook.and_then(|webhook| webhook.description.as_deref()).unwrap_or_default(),
            clears: webhook.is_some(),
            ..Field::default()
        })
        fieldset.ticks {
            legend { "Events" }
            @for kind in events {
                (Tick { name: "events", label: &words(kind.as_str()), value: Some(kind.as_str()), is_ticked: has(*kind) })
            }
        }
        @if let Some(webhook) = webhook {
            (Tick { name: "active", label: "Events are delivered", value: None, is_ticked: webhook.active })
        }
    }
}

/// Returns the name of an event as words.
fn words(kind: &str) -> String {
    let words = kind.replace('_', " ");
    let mut characters = words.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

/// Responds to `/o/{organizationId}/webhooks/{webhookId}`.
pub(super) async fn one(
    request: &HttpRequest,
    web: &WebData,
    caller: Credentials,
    id: OrganizationId,
    webhook: &str,
) -> ApiResult<HttpResponse> {
    let webhook: WebhookId = webhook.parse().map_err(|_| ApiError::not_found())?;
    let asked = parameter(request, "state");
    let state = STATES.iter().map(|(state, _)| *state).find(|state| asked.as_deref() == Some(state.as_str()));
    let list = format!("deliveries in the settings to {webhook}: {state:?}");
    let after: Option<EventId> = position(request, &list)?;
    let shared = web.clone();
    let work = move |reader: &mut Reader<'_>| {
        let settings = Settings::load(reader, &shared, id)?;
        if !settings.organization.may(Action::InspectOrganization) {
            return Err(ApiError::not_found());
        }
        let webhook = reader.webhook(&settings.organization, webhook)?;
        let deliveries = reader.deliveries(&webhook, state, after, MOST)?;
        Ok((settings, webhook.into_inner(), deliveries))
    };
    let (settings, webhook, deliveries) = web.state.read(caller, work).await?;
    let cursor = next(&deliveries, &list, |delivery| delivery.id)?;
    let url = settings.api(&format!("webhooks/{}", webhook.id));
    let state = state.map(DeliveryState::as_str).unwrap_or_default();
    let content = html! {
        @if let Some(description) = &webhook.description { p.sub { (description) } }
        @if settings.administers() { (forms(&url, id, &webhook)) }
        h2 { "Deliveries" }
        (recent(&settings, &url, &webhook, state, &deliveries))
        (more(
            &settings.at(&format!("webhooks/{}", webhook.id)),
            &[("state", state)],
            cursor.as_deref().map(|cursor| ("page", cursor)),
        ))
    };
    Ok(settings.respond_below(Area::Webhooks, Some(&webhook.url), content))
}

fn forms(url: &str, organization: OrganizationId, webhook: &WebhookFacts) -> Markup {
    html! {
        div.actions {
            (ApiForm { url: &format!("{url}/ping"), submit: "Send a test", ..ApiForm::default() }.alone("Send a test"))
            (ApiForm {
                url: &format!("{url}/rotate-secret"),
                shows: Some("secret"),
                submit: "New secret",
                confirm: Some("Create a new secret? Deliveries are signed with it from now on."),
                ..ApiForm::default()
            }.alone("New secret"))
            (ApiForm {
                method: "DELETE",
                url,
                next: Some(&format!("o/{organization}/webhooks")),
                submit: "Delete",
                confirm: Some("Delete this webhook with its deliveries?"),
                ..ApiForm::default()
            }.alone("Delete the webhook"))
        }
        details.settings {
            summary { "Change the webhook" }
            (ApiForm { method: "PATCH", url, is_primary: true, ..ApiForm::default() }.with(fields(Some(webhook))))
        }
    }
}

fn recent(
    settings: &Settings,
    url: &str,
    webhook: &WebhookFacts,
    state: &str,
    deliveries: &Slice<DeliveryFacts>,
) -> Markup {
    let address = settings.at(&format!("webhooks/{}", webhook.id));
    html! {
        nav.tabs aria-label="State" {
            a href=(address) aria-current=[state.is_empty().then_some("page")] { "All" }
            @for (known, name) in STATES {
                a href={ (address) "?state=" (known.as_str()) } aria-current=[(state == known.as_str()).then_some("page")] { (name) }
            }
        }
        @if deliveries.items.is_empty() {
            (empty("No deliveries here", "Each event is listed here with the response of the server."))
        } @else {
            p.muted { (counted(deliveries.total, "delivery", "deliveries")) }
            (table("Deliveries", &[("Event", 24), ("State", 28), ("Attempts", 12), ("Time", 16), (ACTIONS, 20)], deliveries.items.iter().map(|delivery| row(settings, url, delivery))))
        }
    }
}

fn row(settings: &Settings, url: &str, delivery: &DeliveryFacts) -> Markup {
    let kind = words(delivery.kind.as_str());
    html! {
        tr {
            td { b { (kind) } }
            td {
                @match delivery.state {
                    DeliveryState::Succeeded => span.pill.merged { "Delivered" },
                    DeliveryState::Pending => span.pill.open { "Waiting" },
                    DeliveryState::Failed => span.pill.bad { "Failed" },
                }
                @if let Some(status) = delivery.last_status { " " (status) }
                @if let Some(error) = &delivery.last_error { div.d { (error) } }
            }
            td { (delivery.attempts) }
            td { (settings.frame.ago(delivery.created_at)) }
            td.end {
                @if settings.administers() {
                    (ApiForm { url: &format!("{url}/deliveries/{}/replay", delivery.id), submit: "Send again", ..ApiForm::default() }
                        .alone(&format!("Send again: {kind}")))
                }
            }
        }
    }
}
