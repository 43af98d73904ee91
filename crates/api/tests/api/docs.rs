//! The reference of the API lists what is served.

use std::collections::BTreeSet;

#[test]
fn the_reference_lists_the_routes_of_the_table() {
    let text = include_str!("../../../../docs/api.md");
    let rows = text.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    let listed: Vec<&str> = rows.map(|(route, _)| route).filter(|route| route.contains(" /")).collect();
    let unique: BTreeSet<String> = listed.iter().map(|&route| route.to_owned()).collect();
    assert_eq!(unique.len(), listed.len(), "a route is listed twice");
    let served: BTreeSet<String> =
        quire_api::routes().iter().map(|route| format!("{} {}", route.method, route.path)).collect();
    let missing: Vec<_> = served.difference(&unique).collect();
    let gone: Vec<_> = unique.difference(&served).collect();
    assert!(missing.is_empty() && gone.is_empty(), "missing: {missing:#?}\nnot served: {gone:#?}");
}
