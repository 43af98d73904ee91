//! Rules for views, columns and records.

use quire_markup::Document;
use serde_json::{Value, json};

use crate::build::*;

const WRONG_IMAGE: &str =
    "data.records.r.values.a: must be a reference of a file or url kind, or an object with such a `ref`";

#[test]
fn tables_are_checked() {
    let text_column = || json!({"type": "text", "textAlignment": "left"});
    let record = |record: Value| {
        let mut table = table(text_column(), json!("x"));
        table["data"]["records"]["r"] = record;
        table
    };
    let option = |option: Value| json!({"type": "select", "multiple": true, "options": [option]});
    let cell = || json!({"object": "fragment", "fragment": "c", "nodes": []});
    assert_refused(&[
        (without(table(text_column(), json!(1)), "fragments"), "fragments: is missing"),
        (
            with(table(text_column(), json!("c")), "fragments", json!([cell(), cell()])),
            "data: two fragments of the table have the same name",
        ),
        (
            with(void("table", json!({"view": {}, "definition": {}})), "fragments", json!([])),
            "data.records: is missing",
        ),
        (view(json!({"type": "list", "columns": []})), "data.view.type: must be one of grid, cards"),
        (view(json!({"type": "grid", "columns": []})), "data.view.hideHeader: is missing"),
        (
            view(json!({"type": "grid", "hideHeader": false})),
            "data.view.columns: must be an array of strings",
        ),
        (
            view(json!({"type": "grid", "hideHeader": false, "columns": ["a"]})),
            "data.view.columns: must contain only columns of the definition",
        ),
        (
            view(json!({"type": "grid", "hideHeader": false, "columns": [], "columnWidths": {"a": "1px"}})),
            "data.view.columnWidths: must be an object of numbers",
        ),
        (
            view(json!({"type": "grid", "hideHeader": false, "columns": [], "stickyHeader": 1})),
            "data.view.stickyHeader: must be a boolean",
        ),
        (view(json!({"type": "cards", "columns": []})), "data.view.cardSize: is missing"),
        (
            view(json!({"type": "cards", "columns": [], "cardSize": "huge"})),
            "data.view.cardSize: must be one of medium, large",
        ),
        (
            view(json!({"type": "cards", "columns": [], "cardSize": "large", "coverDefinition": 1})),
            "data.view.coverDefinition: must be a string",
        ),
        (table(json!({"type": "text"}), json!("x")), "data.definition.a.textAlignment: is missing"),
        (
            table(json!({"type": "text", "textAlignment": "start"}), json!("x")),
            "data.definition.a.textAlignment: must be one of center, right, left",
        ),
        (
            table(
                json!({"type": "text", "textAlignment": "left", "verticalAlignment": "center"}),
                json!("x"),
            ),
            "data.definition.a.verticalAlignment: must be one of top, middle, bottom",
        ),
        (
            table(json!({"type": "spell"}), json!("x")),
            "data.definition.a.type: must be one of text, number, checkbox, files, content-ref, users, rating, select, image",
        ),
        (table(json!({"type": "number", "title": 1}), json!(1)), "data.definition.a.title: must be a string"),
        (
            table(json!({"type": "number", "id": "b"}), json!(1)),
            "data.definition.a.id: must be `a`, the key of the column",
        ),
        (table(json!({"type": "users"}), json!(["u"])), "data.definition.a.multiple: is missing"),
        (table(json!({"type": "rating", "max": "5"}), json!(1)), "data.definition.a.max: must be a number"),
        (
            table(json!({"type": "select", "multiple": true}), json!(["v"])),
            "data.definition.a.options: is missing",
        ),
        (
            table(option(json!({"value": "v", "label": "V"})), json!(["v"])),
            "data.definition.a.options: must be an array of objects with a value, a label and a color",
        ),
        (record(json!({"values": {}})), "data.records.r.orderIndex: is missing"),
        (record(json!({"orderIndex": 1, "values": {}})), "data.records.r.orderIndex: must be a string"),
        (record(json!({"orderIndex": "1"})), "data.records.r.values: is missing"),
        (record(json!(1)), "data.records.r: must be an object"),
        (
            table(json!({"type": "number"}), json!(null)),
            "data.records.r.values.a: must be a number, a string, a boolean, an array of strings or a reference",
        ),
        (
            table(json!({"type": "content-ref"}), json!({"kind": "spoon"})),
            "data.records.r.values.a: must be a reference",
        ),
        (table(json!({"type": "content-ref"}), json!("c")), "data.records.r.values.a: must be a reference"),
        (table(json!({"type": "image"}), json!("f1")), WRONG_IMAGE),
        (table(json!({"type": "image"}), json!({"kind": "page", "page": "p"})), WRONG_IMAGE),
        (table(json!({"type": "image"}), json!({"ref": {"kind": "page", "page": "p"}})), WRONG_IMAGE),
        (
            table(
                json!({"type": "image"}),
                json!({"ref": {"kind": "file", "file": "f"}, "objectFit": "tile"}),
            ),
            WRONG_IMAGE,
        ),
        (table(json!({"type": "image"}), json!({"alt": "a"})), WRONG_IMAGE),
    ]);
    for image in [
        json!({"kind": "file", "file": "f"}),
        json!({"kind": "url", "url": "https://e.com/a.png"}),
        json!({"ref": {"kind": "file", "file": "f"}, "objectFit": "cover", "alt": "a"}),
    ] {
        assert!(Document::from_json(&document(&[table(json!({"type": "image"}), image)])).is_ok());
    }
    for column in [
        json!({"type": "number"}),
        json!({"type": "users", "multiple": false}),
        json!({"type": "rating", "max": 5}),
        option(json!({"value": "v", "label": "V", "color": "red"})),
    ] {
        assert!(Document::from_json(&document(&[table(column, json!("x"))])).is_ok());
    }
}

#[test]
fn tables_have_only_so_many_columns_and_cells() {
    let sized = |columns: usize, records: usize| {
        let definition: serde_json::Map<String, Value> = (0..columns)
            .map(|n| (format!("c{n}"), json!({"id": format!("c{n}"), "title": "", "type": "number"})))
            .collect();
        let records: serde_json::Map<String, Value> =
            (0..records).map(|n| (format!("r{n}"), json!({"orderIndex": "1", "values": {}}))).collect();
        let view = json!({"type": "grid", "columns": [], "hideHeader": false});
        let data = json!({"view": view, "definition": definition, "records": records});
        with(void("table", data), "fragments", json!([]))
    };
    assert_refused(&[
        (sized(301, 1), "data.definition: must have at most 300 columns"),
        (sized(300, 334), "data.records: must have at most 100000 cells, including empty ones"),
    ]);
    assert!(Document::from_json(&document(&[sized(300, 333)])).is_ok());
}
