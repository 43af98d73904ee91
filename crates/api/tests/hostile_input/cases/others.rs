//! Specifications, conditions, schemas, drawings and searches.

use crate::inputs::Input::{self, Made, Nested, Numbered, Repeat};

const HEAD: &str = "{\"openapi\":\"3.0.0\",\"info\":{\"title\":\"a\",\"version\":\"1\"},";

pub const OPENAPI: &[(&str, Input)] = &[
    (
        "operations",
        Made(
            |n| spec("paths", &many(n, |at| format!("\"/a{at}\":{{\"get\":{{\"responses\":{{}}}}}}")), "{}"),
            4_000,
        ),
    ),
    ("operations that share their parameters", Made(shared, 1_000)),
    ("models", Made(|n| models(&many(n, |at| format!("\"A{at}\":{{\"type\":\"object\"}}"))), 8_000)),
    (
        "models in a chain",
        Made(
            |n| {
                models(&many(n, |at| {
                    format!(
                        "\"A{at}\":{{\"properties\":{{\"a\":{{\"$ref\":\"#/components/schemas/A{}\"}}}}}}",
                        at + 1
                    )
                }))
            },
            4_000,
        ),
    ),
    (
        "models in a circle",
        Made(
            |n| {
                models(&many(n, |at| {
                    format!(
                        "\"A{at}\":{{\"properties\":{{\"a\":{{\"$ref\":\"#/components/schemas/A{}\"}}}}}}",
                        (at + 1) % n.max(1)
                    )
                }))
            },
            4_000,
        ),
    ),
    (
        "models that refer to two others",
        Made(
            |n| {
                models(&many(n, |at| {
                    format!(
                        "\"A{at}\":{{\"allOf\":[{{\"$ref\":\"#/components/schemas/A{0}\"}},{{\"$ref\":\"#/components/schemas/A{0}\"}}]}}",
                        at + 1
                    )
                }))
            },
            2_000,
        ),
    ),
    (
        "allOf in allOf",
        Made(|n| models(&format!("\"A\":{}{{}}{}", "{\"allOf\":[".repeat(n), "]}".repeat(n))), 100),
    ),
    (
        "anyOf of many",
        Made(
            |n| models(&format!("\"A\":{{\"anyOf\":[{}]}}", many(n, |_| "{\"type\":\"string\"}".to_owned()))),
            20_000,
        ),
    ),
    (
        "properties",
        Made(
            |n| {
                models(&format!(
                    "\"A\":{{\"properties\":{{{}}}}}",
                    many(n, |at| format!("\"a{at}\":{{\"type\":\"string\"}}"))
                ))
            },
            20_000,
        ),
    ),
    (
        "properties in properties",
        Made(|n| models(&format!("\"A\":{}{{}}{}", "{\"properties\":{\"a\":".repeat(n), "}}".repeat(n))), 60),
    ),
    (
        "arrays of arrays",
        Made(|n| models(&format!("\"A\":{}{{}}{}", "{\"items\":".repeat(n), "}".repeat(n))), 110),
    ),
    (
        "a long enumeration",
        Made(|n| models(&format!("\"A\":{{\"enum\":[{}]}}", many(n, |at| format!("\"{at}\"")))), 40_000),
    ),
    (
        "a long description",
        Made(
            |n| {
                format!("{HEAD}\"paths\":{{}},\"x\":\"\"}}")
                    .replace("\"version\"", &format!("\"description\":\"{}\",\"version\"", "*a* ".repeat(n)))
                    .into()
            },
            40_000,
        ),
    ),
    (
        "a description of quotes",
        Made(
            |n| {
                format!("{HEAD}\"paths\":{{}}}}")
                    .replace("\"version\"", &format!("\"description\":\"{}\",\"version\"", ">".repeat(n)))
                    .into()
            },
            200_000,
        ),
    ),
    (
        "tags",
        Made(
            |n| {
                format!(
                    "{HEAD}\"tags\":[{}],\"paths\":{{}}}}",
                    many(n, |at| format!("{{\"name\":\"a{at}\"}}"))
                )
                .into()
            },
            8_000,
        ),
    ),
    (
        "servers",
        Made(
            |n| {
                format!(
                    "{HEAD}\"servers\":[{}],\"paths\":{{}}}}",
                    many(n, |at| format!("{{\"url\":\"https://a{at}.example\"}}"))
                )
                .into()
            },
            8_000,
        ),
    ),
    (
        "responses",
        Made(
            |n| {
                spec(
                    "paths",
                    &format!(
                        "\"/a\":{{\"get\":{{\"responses\":{{{}}}}}}}",
                        many(n, |at| format!("\"{at}\":{{\"description\":\"a\"}}"))
                    ),
                    "{}",
                )
            },
            8_000,
        ),
    ),
    (
        "parameters",
        Made(
            |n| {
                spec(
                    "paths",
                    &format!(
                        "\"/a\":{{\"get\":{{\"parameters\":[{}],\"responses\":{{}}}}}}",
                        many(n, |at| format!("{{\"name\":\"a{at}\",\"in\":\"query\"}}"))
                    ),
                    "{}",
                )
            },
            8_000,
        ),
    ),
    ("brackets", Repeat("", "[", "")),
    ("YAML that nests", Repeat("openapi: 3.0.0\ninfo: {title: a, version: '1'}\npaths: ", "{a: ", "")),
    // Even at the smallest size, there are more nodes than the limit.
    ("YAML of aliases", Made(|levels| yaml_aliases(levels + 7), 64)),
    (
        "YAML of many keys",
        Numbered(
            "openapi: 3.0.0\ninfo: {title: a, version: '1'}\npaths:\n",
            "  /a{}:\n    get:\n      responses: {}\n",
            "",
        ),
    ),
];

pub const CONDITIONS: &[(&str, Input)] = &[
    ("one loop", Made(|n| visit(&["visitor.claims.a.all(x, x == 0)".to_owned()], n), 60_000)),
    (
        "a loop in a loop",
        Made(|n| visit(&["visitor.claims.a.all(x, visitor.claims.a.all(y, x == y))".to_owned()], n), 60_000),
    ),
    (
        "a loop over another's result",
        Made(
            |n| {
                visit(
                    &["visitor.claims.a.map(x, visitor.claims.a).all(y, y == visitor.claims.a)".to_owned()],
                    n,
                )
            },
            60_000,
        ),
    ),
    (
        "a hidden loop",
        Made(|n| visit(&["visitor.claims.a.all(x, x in visitor.claims.a)".to_owned()], n), 60_000),
    ),
    (
        "lists that are compared in a loop",
        Made(
            |n| visit(&["visitor.claims.a.all(x, visitor.claims.a == visitor.claims.a)".to_owned()], n),
            60_000,
        ),
    ),
    (
        "equal conditions",
        Made(|n| visit(&vec!["visitor.claims.a.all(x, x == 0)".to_owned(); n], 2_000), 60_000),
    ),
    (
        "equal conditions with a loop in a loop",
        Made(
            |n| visit(&vec!["visitor.claims.a.all(x, visitor.claims.a.all(y, x == y))".to_owned(); n], 2_000),
            60_000,
        ),
    ),
    (
        "different conditions",
        Made(
            |n| {
                visit(
                    &(0..n).map(|at| format!("visitor.claims.a.all(x, x != {at} + 1)")).collect::<Vec<_>>(),
                    2_000,
                )
            },
            2_000,
        ),
    ),
    (
        "different conditions with a loop in a loop",
        Made(
            |n| {
                visit(
                    &(0..n)
                        .map(|at| format!("visitor.claims.a.all(x, visitor.claims.a.all(y, x != y + {at}))"))
                        .collect::<Vec<_>>(),
                    2_000,
                )
            },
            2_000,
        ),
    ),
    (
        "concatenated lists",
        Made(
            |n| {
                visit(
                    &[format!("({}).all(x, x == 0)", vec!["visitor.claims.a"; n.clamp(1, 50)].join(" + "))],
                    500,
                )
            },
            50,
        ),
    ),
    (
        "concatenated texts",
        Made(
            |n| {
                visit(
                    &[format!("({}).size() > 1", vec!["visitor.claims.t"; n.clamp(1, 50)].join(" + "))],
                    500,
                )
            },
            50,
        ),
    ),
    (
        "expensive regular expressions",
        Made(
            |n| {
                visit(
                    &(0..n)
                        .map(|at| format!("visitor.claims.t.matches('(\\\\w{{100}}){{{at}}}')"))
                        .collect::<Vec<_>>(),
                    500,
                )
            },
            2_000,
        ),
    ),
    (
        "a regular expression in a loop",
        Made(
            |n| visit(&["visitor.claims.a.all(x, visitor.claims.t.matches('^(a|b|ab)*$'))".to_owned()], n),
            60_000,
        ),
    ),
    (
        "a visitor's own regular expression",
        Made(|n| visit(&["visitor.claims.t.matches(visitor.claims.t + '{9}')".to_owned()], n), 60_000),
    ),
    ("parentheses", Made(|n| visit(&[format!("{}true{}", "(".repeat(n), ")".repeat(n))], 1), 500)),
    ("negations", Made(|n| visit(&[format!("{}true", "!".repeat(n))], 1), 1_000)),
    (
        "claims that nest",
        Made(
            |n| {
                format!("visitor.claims.a.all(x, x == 0)\n{{\"a\":{}{}}}", "[".repeat(n), "]".repeat(n))
                    .into()
            },
            120,
        ),
    ),
];

pub const SCHEMAS: &[(&str, Input)] = &[
    ("properties", Made(|n| schema(&many(n, |at| format!("\"a{at}\":{{\"type\":\"string\"}}"))), 4_000)),
    (
        "properties in properties",
        Made(
            |n| {
                schema(&format!(
                    "\"a\":{}{{\"type\":\"string\"}}{}",
                    "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{\"a\":".repeat(n),
                    "}}".repeat(n)
                ))
            },
            50,
        ),
    ),
    (
        "enumerations",
        Made(
            |n| {
                schema(&format!(
                    "\"a\":{{\"type\":\"string\",\"enum\":[{}]}}",
                    many(n, |at| format!("\"{at}\""))
                ))
            },
            16_000,
        ),
    ),
    (
        "equal values of an enumeration",
        Made(
            |n| {
                schema(&format!(
                    "\"a\":{{\"type\":\"string\",\"enum\":[{}]}}",
                    many(n, |_| "\"a\"".to_owned())
                ))
            },
            16_000,
        ),
    ),
    (
        "patterns",
        Made(
            |n| {
                schema(&many(n, |at| {
                    format!("\"a{at}\":{{\"type\":\"string\",\"pattern\":\"^(a+)+{at}$\"}}")
                }))
            },
            2_000,
        ),
    ),
    (
        "one long pattern",
        Made(
            |n| schema(&format!("\"a\":{{\"type\":\"string\",\"pattern\":\"{}\"}}", "(a|b)*".repeat(n))),
            16_000,
        ),
    ),
    (
        "repetitions in a pattern",
        Made(
            |n| {
                schema(&format!(
                    "\"a\":{{\"type\":\"string\",\"pattern\":\"{}a{}\"}}",
                    "(".repeat(n),
                    "){9}".repeat(n)
                ))
            },
            200,
        ),
    ),
    (
        "references",
        Made(
            |n| schema(&many(n, |at| format!("\"a{at}\":{{\"$ref\":\"#/properties/a{}\"}}", at + 1))),
            4_000,
        ),
    ),
    (
        "references in a circle",
        Made(
            |n| {
                schema(&many(n, |at| {
                    format!("\"a{at}\":{{\"$ref\":\"#/properties/a{}\"}}", (at + 1) % n.max(1))
                }))
            },
            4_000,
        ),
    ),
    (
        "allOf in allOf",
        Made(|n| schema(&format!("\"a\":{}{{}}{}", "{\"allOf\":[".repeat(n), "]}".repeat(n))), 50),
    ),
    (
        "anyOf of many",
        Made(
            |n| schema(&format!("\"a\":{{\"anyOf\":[{}]}}", many(n, |at| format!("{{\"const\":{at}}}")))),
            8_000,
        ),
    ),
    (
        "unknown keywords",
        Made(|n| schema(&format!("\"a\":{{{}}}", many(n, |at| format!("\"x{at}\":1")))), 8_000),
    ),
    (
        "required names",
        Made(
            |n| {
                format!("{{\"type\":\"object\",\"required\":[{}]}}", many(n, |at| format!("\"a{at}\"")))
                    .into()
            },
            16_000,
        ),
    ),
    (
        "equal required names",
        Made(
            |n| format!("{{\"type\":\"object\",\"required\":[{}]}}", many(n, |_| "\"a\"".to_owned())).into(),
            16_000,
        ),
    ),
    (
        "long descriptions",
        Made(
            |n| schema(&format!("\"a\":{{\"type\":\"string\",\"description\":\"{}\"}}", "a".repeat(n))),
            200_000,
        ),
    ),
];

pub const SVG: &[(&str, Input)] = &[
    ("groups in groups", Nested("<g>", "", "</g>")),
    ("groups in a drawing", Made(|n| svg(&format!("{}{}", "<g>".repeat(n), "</g>".repeat(n))), 900)),
    ("shapes", Made(|n| svg(&"<rect width=\"1\" height=\"1\"/>".repeat(n)), 40_000)),
    ("a long path", Made(|n| svg(&format!("<path d=\"{}\"/>", "M0 0 L1 1 ".repeat(n))), 80_000)),
    (
        "attributes",
        Made(|n| svg(&format!("<rect {}/>", many(n, |at| format!("a{at}=\"b\"")).replace(',', " "))), 8_000),
    ),
    (
        "namespaces",
        Made(
            |n| svg(&format!("<g {}/>", many(n, |at| format!("xmlns:a{at}=\"b\"")).replace(',', " "))),
            4_000,
        ),
    ),
    ("entities that multiply", Made(entities, 40)),
    ("entities", Made(|n| svg(&"&amp;".repeat(n)), 100_000)),
    (
        "uses of uses",
        Made(
            |n| {
                svg(&many(n, |at| {
                    format!("<g id=\"a{at}\"><use href=\"#a{}\"/><use href=\"#a{}\"/></g>", at + 1, at + 1)
                })
                .replace(',', ""))
            },
            4_000,
        ),
    ),
    (
        "style sheets",
        Made(
            |n| {
                svg(&format!(
                    "<style>{}</style>",
                    (0..n).map(|at| format!(".a{at}{{fill:red}}")).collect::<String>()
                ))
            },
            20_000,
        ),
    ),
    (
        "imports in a style sheet",
        Made(|n| svg(&format!("<style>{}</style>", "@import url(a);".repeat(n))), 20_000),
    ),
    ("comments in a style sheet", Made(|n| svg(&format!("<style>{}</style>", "/*".repeat(n))), 80_000)),
    ("escapes in a style sheet", Made(|n| svg(&format!("<style>{}</style>", "\\75 rl(".repeat(n))), 20_000)),
    ("addresses in styles", Made(|n| svg(&format!("<g style=\"{}\"/>", "fill:url(#a);".repeat(n))), 20_000)),
    ("scripts", Made(|n| svg(&"<script>a</script>".repeat(n)), 20_000)),
    ("comments", Made(|n| svg(&"<!-- a -->".repeat(n)), 20_000)),
    (
        "filters",
        Made(
            |n| {
                svg(&format!(
                    "<filter id=\"a\">{}</filter>",
                    "<feGaussianBlur stdDeviation=\"9\"/>".repeat(n)
                ))
            },
            20_000,
        ),
    ),
];

pub const SEARCH: &[(&str, Input)] = &[
    ("words", Repeat("", "a ", "")),
    ("one long word", Repeat("", "a", "")),
    ("quotes", Repeat("", "\" ", "")),
    ("punctuation", Repeat("", "&|!():*", "")),
    ("spaces", Repeat("", " ", "a")),
    ("prefixes", Repeat("", "a:* ", "")),
    ("words of many bytes", Repeat("", "安装", "")),
    ("marks that combine", Repeat("a", "\u{301}", "")),
];

fn many(count: usize, item: impl Fn(usize) -> String) -> String {
    (0..count).map(item).collect::<Vec<_>>().join(",")
}

fn spec(key: &str, inner: &str, components: &str) -> Vec<u8> {
    format!("{HEAD}\"{key}\":{{{inner}}},\"components\":{components}}}").into_bytes()
}

fn models(inner: &str) -> Vec<u8> {
    spec("paths", "", &format!("{{\"schemas\":{{{inner}}}}}"))
}

/// Returns a specification with as many operations as shared parameters.
fn shared(size: usize) -> Vec<u8> {
    let parameters = many(20, |at| format!("{{\"name\":\"a{at}\",\"in\":\"query\"}}"));
    let operations = many(size, |at| {
        format!("\"/a{at}\":{{\"parameters\":[{parameters}],\"get\":{{\"responses\":{{}}}}}}")
    });
    spec("paths", &operations, "{}")
}

fn yaml_aliases(levels: usize) -> Vec<u8> {
    let mut out = "openapi: 3.0.0\ninfo: {title: a, version: '1'}\nx0: &a0 [b]\n".to_owned();
    for level in 1..=levels {
        out.push_str(&format!("x{level}: &a{level} [{}]\n", vec![format!("*a{}", level - 1); 9].join(", ")));
    }
    out.push_str("paths: {}\n");
    out.into_bytes()
}

/// Returns conditions, and a visitor whose claims are a list of `size` zeros and a text of `size` letters.
fn visit(conditions: &[String], size: usize) -> Vec<u8> {
    let claims = format!("{{\"a\":[{}],\"t\":\"{}\"}}", many(size, |_| "0".to_owned()), "a".repeat(size));
    format!("{}\n{claims}", conditions.join("\n")).into_bytes()
}

fn schema(properties: &str) -> Vec<u8> {
    format!("{{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{{{properties}}}}}")
        .into_bytes()
}

fn svg(inner: &str) -> Vec<u8> {
    format!("<svg xmlns=\"http://www.w3.org/2000/svg\">{inner}</svg>").into_bytes()
}

fn entities(levels: usize) -> Vec<u8> {
    let mut declared = "<!ENTITY a0 \"b\">".to_owned();
    for level in 1..=levels {
        declared.push_str(&format!("<!ENTITY a{level} \"{}\">", format!("&a{};", level - 1).repeat(9)));
    }
    format!("<!DOCTYPE svg [{declared}]><svg xmlns=\"http://www.w3.org/2000/svg\">&a{levels};</svg>")
        .into_bytes()
}
