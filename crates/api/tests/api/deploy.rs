//! Files for operators name only metrics that exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use actix_web::http::Method;
use quire_test_support::TestApp;

/// Returns the names of metrics in a text, without the suffixes of histogram series.
fn names(text: &str) -> BTreeSet<String> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    let names = words.filter(|word| word.starts_with("quire_"));
    let plain = |name: &str| {
        ["_bucket", "_sum", "_count"].iter().find_map(|end| name.strip_suffix(end).map(str::to_owned))
    };
    names.map(|name| plain(name).unwrap_or_else(|| name.to_owned())).collect()
}

#[actix_web::test]
async fn alerts_and_dashboard_name_metrics_that_exist() {
    let app = TestApp::start().await;
    // Request metrics have no series before the first request.
    app.anonymous().call(Method::GET, "/healthz").await;
    let text = String::from_utf8(app.state.metrics.render().unwrap()).unwrap();
    let existing: BTreeSet<&str> =
        text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next()).collect();
    for file in ["alerts.yaml", "grafana.json"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy").join(file);
        let named = names(&fs::read_to_string(path).unwrap());
        assert!(named.len() >= 5, "{file} names {named:?}");
        for name in named {
            assert!(existing.contains(name.as_str()), "{file} names {name}, which is not in {existing:?}");
        }
    }
}
