//! Examples of requests in several programming languages.

use super::request::Request;
use crate::limits::MAX_EXAMPLE_BYTES;
use quire_markup::openapi::{Content, Encoding, Field, Json};

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
    match request.method.as_str() {
        "GET" => {}
        "HEAD" => code.push_str(" --head"),
        method => code.push_str(&format!(" -X {method}")),
    }
    code.push_str(&format!(" {}", quoted(&request.url)));
    for (name, value) in &request.headers {
        code.push_str(&format!(" \\\n  -H {}", quoted(&format!("{name}: {value}"))));
    }
    let mut option = |name: &str, value: &str| code.push_str(&format!(" \\\n  {name} {}", quoted(value)));
    match &request.body {
        Some(Content::Json(json)) => option("-d", &lines(json)),
        // `-d` would read a text that begins with `@` as the name of a file.
        Some(Content::Text(_, text)) if text.starts_with('@') => option("--data-raw", text),
        Some(Content::Text(_, text)) => option("-d", text),
        Some(Content::Form(fields)) => {
            for (name, value) in fields {
                option("--data-urlencode", &format!("{}={value}", Encoding::Percent.of(name)));
            }
        }
        Some(Content::Multipart(fields)) => fields.iter().for_each(|field| option("-F", &curl_field(field))),
        Some(Content::Binary) => option("--data-binary", "@file"),
        None => {}
    }
    code
}

/// Writes a field of a multipart body as an option of curl. `@`, `<` and `;` have a special meaning there.
fn curl_field(field: &Field) -> String {
    let value = match &field.text {
        None => format!("@{}", field.file_name()),
        Some(text) if text.starts_with(['@', '<', '"']) || text.contains(';') => {
            format!("\"{}\"", text.replace('\\', r"\\").replace('"', "\\\""))
        }
        Some(text) => text.clone(),
    };
    let media = field.media.as_ref().map(|media| format!(";type={media}")).unwrap_or_default();
    format!("{}={value}{media}", field.name)
}

fn javascript(request: &Request) -> String {
    let mut code = String::new();
    let has_file = match &request.body {
        Some(Content::Multipart(fields)) => fields.iter().any(|field| field.text.is_none()),
        body => *body == Some(Content::Binary),
    };
    if has_file {
        code.push_str("const file = document.querySelector(\"input[type=file]\").files[0];\n");
    }
    if let Some(Content::Multipart(fields)) = &request.body {
        code.push_str("const form = new FormData();\n");
        for field in fields {
            let value = match (&field.text, &field.media) {
                (None, _) => "file".to_owned(),
                (Some(text), None) => string(text),
                (Some(text), Some(media)) => {
                    format!("new Blob([{}], {{ type: {} }})", string(text), string(media))
                }
            };
            code.push_str(&format!("form.append({}, {value});\n", string(&field.name)));
        }
    }
    code.push_str(&format!("const response = await fetch({}, {{\n", string(&request.url)));
    code.push_str(&format!("  method: {},\n", string(&request.method)));
    if !request.headers.is_empty() {
        code.push_str("  headers: {\n");
        for (name, value) in &request.headers {
            code.push_str(&format!("    {}: {},\n", string(name), string(value)));
        }
        code.push_str("  },\n");
    }
    match &request.body {
        Some(Content::Json(json)) => {
            code.push_str(&format!("  body: JSON.stringify({}),\n", indented(&lines(json), "  ")));
        }
        Some(Content::Text(_, text)) => code.push_str(&format!("  body: {},\n", string(text))),
        Some(Content::Form(fields)) => {
            code.push_str("  body: new URLSearchParams([\n");
            for (name, value) in fields {
                code.push_str(&format!("    [{}, {}],\n", string(name), string(value)));
            }
            code.push_str("  ]),\n");
        }
        Some(Content::Multipart(_)) => code.push_str("  body: form,\n"),
        Some(Content::Binary) => code.push_str("  body: file,\n"),
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
        Some(Content::Json(json)) => {
            let mut literal = String::new();
            python_literal(json, 1, &mut literal);
            code.push_str(&format!("    json={literal},\n"));
        }
        Some(Content::Text(_, text)) => code.push_str(&format!("    data={}.encode(),\n", string(text))),
        Some(Content::Form(fields)) => {
            code.push_str("    data=[\n");
            for (name, value) in fields {
                code.push_str(&format!("        ({}, {}),\n", string(name), string(value)));
            }
            code.push_str("    ],\n");
        }
        Some(Content::Multipart(fields)) => {
            code.push_str("    files=[\n");
            for field in fields {
                code.push_str(&format!("        ({}, ({})),\n", string(&field.name), python_field(field)));
            }
            code.push_str("    ],\n");
        }
        Some(Content::Binary) => code.push_str("    data=open(\"file\", \"rb\"),\n"),
        None => {}
    }
    code.push_str(")\nprint(response.status_code, response.text)");
    code
}

/// Writes the file name, content and content type of a multipart field.
fn python_field(field: &Field) -> String {
    let file = string(field.file_name());
    let content = match &field.text {
        Some(text) => format!("None, {}", string(text)),
        None => format!("{file}, open({file}, \"rb\")"),
    };
    let media = field.media.as_ref().map(|media| format!(", {}", string(media))).unwrap_or_default();
    format!("{content}{media}")
}

fn go(request: &Request) -> String {
    let checked = "if err != nil {\n\tlog.Fatal(err)\n}\n";
    let mut code = String::new();
    let body = match &request.body {
        Some(Content::Json(json)) => go_reader(&lines(json)),
        Some(Content::Text(_, text)) => go_reader(text),
        Some(Content::Form(fields)) => {
            let encoded = |(name, value): &(String, String)| {
                format!("{}={}", Encoding::Percent.of(name), Encoding::Percent.of(value))
            };
            go_reader(&fields.iter().map(encoded).collect::<Vec<_>>().join("&"))
        }
        Some(Content::Multipart(fields)) => {
            code.push_str("var body bytes.Buffer\nform := multipart.NewWriter(&body)\n");
            fields.iter().for_each(|field| code.push_str(&go_field(field)));
            code.push_str("form.Close()\n");
            "&body".to_owned()
        }
        Some(Content::Binary) => {
            code.push_str(&format!("file, err := os.Open(\"file\")\n{checked}"));
            "file".to_owned()
        }
        None => "nil".to_owned(),
    };
    let (method, url) = (string(&request.method), string(&request.url));
    code.push_str(&format!("request, err := http.NewRequest({method}, {url}, {body})\n{checked}"));
    if matches!(request.body, Some(Content::Multipart(_))) {
        code.push_str("request.Header.Set(\"Content-Type\", form.FormDataContentType())\n");
    }
    for (name, value) in &request.headers {
        code.push_str(&format!("request.Header.Set({}, {})\n", string(name), string(value)));
    }
    code.push_str(&format!(
        "response, err := http.DefaultClient.Do(request)\n{checked}defer response.Body.Close()"
    ));
    code
}

fn go_reader(text: &str) -> String {
    let literal = if text.contains('`') { string(text) } else { format!("`{text}`") };
    format!("strings.NewReader({literal})")
}

fn go_field(field: &Field) -> String {
    let name = string(&field.name);
    match (&field.text, &field.media) {
        (Some(text), None) => format!("form.WriteField({name}, {})\n", string(text)),
        (Some(text), Some(media)) => {
            let disposition = string(&format!("form-data; name={name}"));
            format!(
                "if part, err := form.CreatePart(textproto.MIMEHeader{{\n\t\"Content-Disposition\": {{{disposition}}},\n\t\"Content-Type\":        {{{}}},\n}}); err == nil {{\n\tio.WriteString(part, {})\n}}\n",
                string(media),
                string(text)
            )
        }
        (None, _) => {
            let file = string(field.file_name());
            format!(
                "if part, err := form.CreateFormFile({name}, {file}); err == nil {{\n\tcontent, _ := os.ReadFile({file})\n\tpart.Write(content)\n}}\n"
            )
        }
    }
}

fn lines(json: &Json) -> String {
    json.to_lines_within(2 * MAX_EXAMPLE_BYTES)
}

/// Writes a text in double quotes, in the syntax of JSON, which all of these languages accept.
fn string(text: &str) -> String {
    Json::text(text).to_line()
}

fn indented(text: &str, by: &str) -> String {
    text.replace('\n', &format!("\n{by}"))
}

/// Writes JSON as a Python literal.
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

    fn snippets(media: &str, body: Content) -> String {
        let request = Request {
            method: "POST".to_owned(),
            url: "https://a.example/it's".to_owned(),
            headers: vec![("Content-Type".to_owned(), media.to_owned())],
            body: Some(body),
        };
        let text =
            all(&request).into_iter().map(|snippet| format!("# {}\n{}\n", snippet.title, snippet.code));
        text.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn requests_are_written_in_each_language() {
        let json = Json::parse(r#"{"a": [true, null], "b": "c`\"d"}"#).unwrap();
        insta::assert_snapshot!(snippets("application/json", Content::Json(json)));
    }

    #[test]
    fn forms_are_written_in_each_language() {
        let fields = [("a[b]", "c d&e"), ("f", "it's")];
        let fields = fields.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        insta::assert_snapshot!(snippets("application/x-www-form-urlencoded", Content::Form(fields)));
    }

    #[test]
    fn multipart_bodies_are_written_in_each_language() {
        let field = |text: Option<&str>, media: Option<&str>| Field {
            name: "a".to_owned(),
            text: text.map(str::to_owned),
            media: media.map(str::to_owned),
        };
        let fields = vec![
            field(Some("plain"), None),
            field(Some("@b;\"c\\"), None),
            field(Some("{\"d\":1}"), Some("application/json")),
            field(None, Some("image/png")),
            field(None, None),
        ];
        insta::assert_snapshot!(snippets("multipart/form-data", Content::Multipart(fields)));
    }

    #[test]
    fn texts_and_files_are_written_in_each_language() {
        let text = snippets("text/csv", Content::Text("text", "@a,b\nc".to_owned()));
        insta::assert_snapshot!(format!("{text}\n{}", snippets("image/png", Content::Binary)));
    }
}
