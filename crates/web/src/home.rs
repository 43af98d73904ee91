//! The page at the root of a deployment.

use actix_web::HttpResponse;
use actix_web::http::header;
use maud::{DOCTYPE, html};
use quire_server::urls::base_path;

use crate::assets;
use crate::state::WebData;

/// The page loads its style sheet and icon only.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// `GET /`: what to do next on a new server.
pub(crate) async fn home(web: WebData) -> HttpResponse {
    let base = web.state.urls.base();
    let prefix = base_path(base);
    let import = format!(
        "curl -X POST {base}/v1/orgs/$ORGANIZATION/sites \\\n  -H \"Authorization: Bearer $TOKEN\" \\\n  \
         -H 'Content-Type: application/json' \\\n  -d '{{\"title\": \"Docs\", \"spaces\": \"sample\"}}'"
    );
    let publish = format!(
        "curl -X POST \\\n  {base}/v1/orgs/$ORGANIZATION/sites/$SITE/publish \\\n  -H \"Authorization: Bearer $TOKEN\""
    );
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="robots" content="noindex";
                title { "Quire" }
                link rel="icon" href=(assets::path(&prefix, "favicon.svg"));
                link rel="stylesheet" href=(assets::path(&prefix, "home.css"));
            }
            body {
                main {
                    img src=(assets::path(&prefix, "favicon.svg")) alt="" width="48" height="48";
                    h1 { "Quire is running" }
                    p.lead { "Documentation that is written together, reviewed, and published as a site." }
                    ol {
                        li {
                            h2 { "Create an organization and a token" }
                            "On the machine of the server:"
                            pre tabindex="0" { code { "quire admin bootstrap --organization Acme \\\n  --email ada@example.com --name Ada" } }
                        }
                        li { h2 { "Create a site" } pre tabindex="0" { code { (import) } } }
                        li { h2 { "Publish it" } pre tabindex="0" { code { (publish) } } "Its address is " code { "urls.published" } " of the answer." }
                    }
                    p { "Every request is described in the " a href={ (prefix) "/docs/" } { "API reference" } "." }
                }
            }
        }
    };
    HttpResponse::Ok()
        .insert_header((header::CONTENT_SECURITY_POLICY, POLICY))
        .insert_header((header::CACHE_CONTROL, "no-cache"))
        .content_type("text/html; charset=utf-8")
        .body(page.into_string())
}
