//! A request in several languages.

use super::request::{Body, Request};
use crate::limits::MAX_EXAMPLE_BYTES;
use quire_markup::openapi::Json;

pub(super) struct Snippet {
    pub(super) title: &'static str,
    pub(super) syntax: &'static str,
    pub(super) code: String,
}

pub(super) fn all(request: &Request) -> [Snippet; 4] {
    [
        Snippet { title: "curl", syntax: "bash", code: curl(request) },
        Snippet { title: "JavaScript", syntax: "js", code: javascript(request) },
        Snippet { title: "Python", syntax: "python", code: python(request) },
        Snippet { title: "Go", syntax: "go", code: go(request) },
    ]
}

fn curl(request: &Request) -> String {
    let quoted = |text: &str| format!("'{}'", text.replace('\'', r"'\''"));
    let mut code = String::from("curl");
    if request.method != "GET" {
        code.push_str(&format!(" -X {}", request.method));
    }
    code.push_str(&format!(" {}", quoted(&request.url)));
    for (name, value) in &request.headers {
        code.push_str(&format!(" \\\n  -H {}", quoted(&format!("{name}: {value}"))));
    }
    if let Some(body) = &request.body {
        code.push_str(&format!(" \\\n  -d {}", quoted(&body.text())));
    }
    code
}

fn javascript(request: &Request) -> String {
    let mut code = format!("const response = await fetch({}, {{\n", string(&request.url));
    code.push_str(&format!("  method: {},\n", string(&request.method)));
    if !request.headers.is_empty() {
        code.push_str("  headers: {\n");
        for (name, value) in &request.headers {
            code.push_str(&format!("    {}: {},\n", string(name), string(value)));
        }
        code.push_str("  },\n");
    }
    match &request.body {
        Some(Body::Json(json)) => {
            code.push_str(&format!("  body: JSON.stringify({}),\n", indented(&lines(json), "  ")));
        }
        Some(Body::Text(text)) => code.push_str(&format!("  body: {},\n", string(text))),
        None => {}
    }
    code.push_str("});\nconsole.log(response.status, await response.text());");
    code
}

fn python(request: &Request) -> String {
    let mut code = format!(
        "import requests\n\nresponse = requests.request(\n    {},\n    {},\n",
        string(&request.method),
        string(&request.url)
    );
    if !request.headers.is_empty() {
        code.push_str("    headers={\n");
        for (name, value) in &request.headers {
            code.push_str(&format!("        {}: {},\n", string(name), string(value)));
        }
        code.push_str("    },\n");
    }
    match &request.body {
        Some(Body::Json(json)) => {
            let mut literal = String::new();
            python_literal(json, 1, &mut literal);
            code.push_str(&format!("    json={literal},\n"));
        }
        Some(Body::Text(text)) => code.push_str(&format!("    data={},\n", string(text))),
        None => {}
    }
    code.push_str(")\nprint(response.status_code, response.text)");
    code
}

fn go(request: &Request) -> String {
    let body = match &request.body {
        Some(body) => {
            let text = body.text();
            let literal = if text.contains('`') { string(&text) } else { format!("`{text}`") };
            format!("strings.NewReader({literal})")
        }
        None => "nil".to_owned(),
    };
    let mut code = format!(
        "request, err := http.NewRequest({}, {}, {body})\nif err != nil {{\n\tlog.Fatal(err)\n}}\n",
        string(&request.method),
        string(&request.url)
    );
    for (name, value) in &request.headers {
        code.push_str(&format!("request.Header.Set({}, {})\n", string(name), string(value)));
    }
    code.push_str("response, err := http.DefaultClient.Do(request)\nif err != nil {\n\tlog.Fatal(err)\n}\ndefer response.Body.Close()");
    code
}

impl Body {
    fn text(&self) -> String {
        match self {
            Self::Json(json) => lines(json),
            Self::Text(text) => text.clone(),
        }
    }
}

fn lines(json: &Json) -> String {
    json.to_lines_within(2 * MAX_EXAMPLE_BYTES)
}

/// A text in double quotes, as JSON and all of these languages write it.
fn string(text: &str) -> String {
    Json::text(text).to_line()
}

fn indented(text: &str, by: &str) -> String {
    text.replace('\n', &format!("\n{by}"))
}

/// JSON as Python writes it.
fn python_literal(json: &Json, depth: usize, out: &mut String) {
    let indent = "    ".repeat(depth);
    let inner = depth.saturating_add(1);
    match json {
        Json::Null => out.push_str("None"),
        Json::Bool(true) => out.push_str("True"),
        Json::Bool(false) => out.push_str("False"),
        Json::Number(_) | Json::Text(_) => out.push_str(&json.to_line()),
        Json::List(items) if items.is_empty() => out.push_str("[]"),
        Json::Object(entries) if entries.is_empty() => out.push_str("{}"),
        Json::List(items) => {
            out.push_str("[\n");
            for item in items {
                out.push_str(&format!("{indent}    "));
                python_literal(item, inner, out);
                out.push_str(",\n");
            }
            out.push_str(&format!("{indent}]"));
        }
        Json::Object(entries) => {
            out.push_str("{\n");
            for (name, value) in entries {
                out.push_str(&format!("{indent}    {}: ", string(name)));
                python_literal(value, inner, out);
                out.push_str(",\n");
            }
            out.push_str(&format!("{indent}}}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_written_in_each_language() {
        let request = Request {
            method: "POST".to_owned(),
            url: "https://a.example/it's".to_owned(),
            headers: vec![("Content-Type".to_owned(), "application/json".to_owned())],
            body: Some(Body::Json(Json::parse(r#"{"a": [true, null], "b": "c`\"d"}"#).unwrap())),
        };
        let text: Vec<String> = all(&request)
            .into_iter()
            .map(|snippet| format!("# {}\n{}\n", snippet.title, snippet.code))
            .collect();
        insta::assert_snapshot!(text.join("\n"));
    }
}
