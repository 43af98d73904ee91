//! Canonical JSON: equal values have equal texts.

use serde_json::Value;

/// Writes a JSON value in its canonical form: object keys sorted by code point, no white space,
/// UTF-8, in strings only `"`, `\` and control characters escaped, numbers as `serde_json` prints
/// them. Equal values have equal bytes, regardless of the order of keys in memory.
///
/// It differs from RFC 8785 in two points, which are irrelevant for comparing hashes made here:
/// keys are sorted by code point (RFC: UTF-16 unit), and `1` and `1.0` stay different.
#[must_use]
pub fn canonical_json(value: &Value) -> Vec<u8> {
    let mut out = Vec::new();
    write_value(&mut out, value);
    out
}

fn write_value(out: &mut Vec<u8>, value: &Value) {
    match value {
        Value::Null => out.extend_from_slice(b"null"),
        Value::Bool(true) => out.extend_from_slice(b"true"),
        Value::Bool(false) => out.extend_from_slice(b"false"),
        Value::Number(number) => out.extend_from_slice(number.to_string().as_bytes()),
        Value::String(text) => write_string(out, text),
        Value::Array(items) => write_sequence(out, b"[]", items, write_value),
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            // Strings compare by their UTF-8 bytes, which is the order of their code points.
            members.sort_unstable_by_key(|(key, _)| *key);
            write_sequence(out, b"{}", members, |out, (key, value)| {
                write_string(out, key);
                out.push(b':');
                write_value(out, value);
            });
        }
    }
}

fn write_sequence<T>(
    out: &mut Vec<u8>,
    [open, close]: &[u8; 2],
    items: impl IntoIterator<Item = T>,
    mut write_item: impl FnMut(&mut Vec<u8>, T),
) {
    out.push(*open);
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write_item(out, item);
    }
    out.push(*close);
}

fn write_string(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    for byte in text.bytes() {
        match byte {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            0x08 => out.extend_from_slice(b"\\b"),
            0x0c => out.extend_from_slice(b"\\f"),
            0x00..=0x1f => out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
            _ => out.push(byte),
        }
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn keys_are_sorted_at_every_depth() {
        let value: Value =
            serde_json::from_str(r#" { "b" : [ 1, {"z":null, "a":true} ], "a\n": "é\u0001", "": 1.50 } "#)
                .unwrap();
        let text = String::from_utf8(canonical_json(&value)).unwrap();
        assert_eq!(text, r#"{"":1.5,"a\n":"é\u0001","b":[1,{"a":true,"z":null}]}"#);
    }

    #[test]
    fn it_reads_back_as_the_same_value() {
        let value = json!({"text": "\"\\\u{8}\u{c}\n\r\t\u{1f}\u{7f}\u{2028}😀", "n": [-1, 1e300, 0.1]});
        assert_eq!(serde_json::from_slice::<Value>(&canonical_json(&value)).unwrap(), value);
    }
}
