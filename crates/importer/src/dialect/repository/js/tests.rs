use bytes::Bytes;
use proptest::prelude::*;

use super::*;

fn read(files: &[(&str, &str)], file: &str) -> Option<Value> {
    let files = files.iter().map(|(path, text)| ((*path).to_owned(), Bytes::from((*text).to_owned())));
    Scripts::of(&SourceTree::from_files(files)).exported(file)
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

#[test]
fn literals_are_read_and_nothing_else_has_a_value() {
    let source = "// a comment\nconst sidebars: Config = {\n  docs: ['intro', \"a/b\", `c`, ...more, make('x', {y: 1})],\n  'api guide': {type: \"category\", open: true, position: 2.5, label: t('x'), },\n  ...rest, /* [ */ method() { return 1 }, short,\n};\nexport default sidebars satisfies Config;";
    let value = read(&[("a.ts", source)], "a.ts").unwrap();
    let call = Value::Call(
        "make".to_owned(),
        vec![text("x"), Value::Object(vec![("y".to_owned(), Value::Number(1.0))])],
    );
    assert_eq!(
        value.get("docs").unwrap().items(),
        [text("intro"), text("a/b"), text("c"), Value::Other, call]
    );
    let api = value.get("api guide").unwrap();
    assert_eq!((api.text("type"), api.get("open")), (Some("category"), Some(&Value::Flag(true))));
    assert_eq!((api.get("position"), api.text("label")), (Some(&Value::Number(2.5)), None));
    assert!(value.has_other());
}

#[test]
fn names_are_followed_through_the_file_and_the_repository() {
    let files = [
        (
            "site/config.mts",
            "import { defineConfig } from 'vitepress'\nimport en, { guide as first } from './nav/en'\nimport raw from './nav/raw.json'\nconst base = '/docs'\nconst sidebar = [...first, `${base}/b`]\nfunction nav() { const x = ['n']; return [...x, 'm'] }\nexport default defineConfig({ title: en.title, sidebar, nav: nav(), lazy: () => 1, raw })\n",
        ),
        (
            "site/nav/en.ts",
            "export const guide = ['a']\nexport { more as second } from './more.js'\nexport default { title: 'T' }\n",
        ),
        ("site/nav/raw.json", "{\"a\": [\"b\"]}"),
        ("c.js", "const x = require('./d'); exports.y = 1; module.exports = () => ({ x });"),
        ("d.cjs", "module.exports = { z: 'z' };"),
        ("loop.js", "import l from './loop.js'\nconst a = b, b = a;\nexport default { l, a };"),
    ];
    let value = read(&files, "site/config.mts").unwrap();
    let config = value.given();
    assert_eq!(config.text("title"), Some("T"));
    assert_eq!(config.get("sidebar"), Some(&Value::List(vec![text("a"), text("/docs/b")])));
    assert_eq!(config.get("nav"), Some(&Value::List(vec![text("n"), text("m")])));
    assert_eq!(config.get("raw").unwrap().get("a").unwrap().items(), [text("b")]);
    assert_eq!(read(&files, "c.js").unwrap().get("x").unwrap().text("z"), Some("z"));
    let looped = read(&files, "loop.js").unwrap();
    assert_eq!((looped.get("l"), looped.get("a")), (Some(&Value::Other), Some(&Value::Other)));
}

#[test]
fn hostile_scripts_are_refused_or_bounded() {
    for source in [
        "[".repeat(1_000_000),
        "!".repeat(200_000),
        format!("export default {}1{}", "(".repeat(3_000), ")".repeat(3_000)),
        format!("export default {}", "- ".repeat(7_000)),
        "if(a)".repeat(8_000),
        "new ".repeat(8_000),
        format!("export default [{}]", "1,".repeat(200_000)),
        "a=>".repeat(4_000),
        format!("x = {}", "`${".repeat(2_000)),
    ] {
        let value = read(&[("a.js", &source)], "a.js");
        assert!(value.is_none_or(|value| value.items().len() <= 200_000));
    }
    // Values that double at each step are cut off at the limit of values.
    let doubled: String = (1..60).map(|at| format!("const a{at} = [...a{0}, ...a{0}];\n", at - 1)).collect();
    let source = format!("const a0 = ['x'];\n{doubled}export default a59;");
    assert!(read(&[("a.js", &source)], "a.js").is_some());
}

proptest! {
    #[test]
    fn any_text_is_read_without_panic(source in "[\\[\\]{}()'\"`,:$a1é/*\\\\. \n=>]{0,60}") {
        read(&[("a.ts", &format!("export default {source}"))], "a.ts");
    }
}
