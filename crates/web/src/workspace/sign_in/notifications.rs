//! Section of the account page with the settings for mails about inbox entries.

use maud::{Markup, html};
use quire_domain::inbox::InboxEntryType;
use quire_domain::notifications::{Delivery, Notifications};

use super::frame;
use crate::state::Web;

/// Writes the section of the account page.
pub(super) fn section(web: &Web, notifications: &Notifications) -> Markup {
    html! {
        section #notifications aria-labelledby="notifications-title" {
            h2 #notifications-title { "Notifications" }
            @if web.state.settings.mail {
                p { "Mails about unread entries of your inbox. Daily mails are sent at 07:00 UTC." }
            } @else {
                p { "This server sends no mail. Your choices take effect once it does." }
            }
            form method="post" action=(frame::at(web, "/~/account/notifications")) {
                @for kind in InboxEntryType::ALL { (field(kind, notifications.of(kind))) }
                button { "Save notifications" }
            }
        }
    }
}

fn field(kind: InboxEntryType, present: Delivery) -> Markup {
    let (name, label) = match kind {
        InboxEntryType::ReviewRequest => ("reviewRequest", "Requests to review"),
        InboxEntryType::Mention => ("mention", "Mentions"),
        InboxEntryType::Reply => ("reply", "Replies"),
        InboxEntryType::Conflict => ("conflict", "Conflicts"),
        InboxEntryType::Import => ("import", "Finished imports"),
    };
    html! {
        div.field {
            label for=(name) { (label) }
            select #(name) name=(name) {
                @for delivery in Delivery::ALL {
                    option value=(delivery.as_str()) selected[delivery == present] { (words(delivery)) }
                }
            }
        }
    }
}

const fn words(delivery: Delivery) -> &'static str {
    match delivery {
        Delivery::AtOnce => "At once",
        Delivery::Daily => "Once a day",
        Delivery::Never => "Never",
    }
}
