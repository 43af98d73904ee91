use proptest::prelude::*;
use serde_json::json;

use super::*;

fn message(condition: &str) -> String {
    check(condition).unwrap_err().to_string()
}

#[test]
fn good_conditions_pass() {
    for good in [
        "visitor.claims.plan == 'pro'",
        "visitor.claims.unsigned.beta",
        "'admin' in visitor.claims.roles && visitor.claims.age >= 18",
        "has(visitor.claims.plan) && visitor.claims.plan.startsWith('p')",
        "visitor.claims.roles.exists(r, r == 'a' || visitor.claims.others.all(o, o != r))",
        "visitor.claims.email.matches('^.*@example[.]com$')",
        "true",
    ] {
        assert!(check(good).is_ok(), "{good}: {}", message(good));
    }
}

#[test]
fn scalars_have_a_text() {
    let visitor = Visitor::new(&json!({"name": "Ada", "age": 36, "rate": 0.5, "beta": true, "roles": ["a"]}));
    let text = |expression| visitor.text(expression);
    assert_eq!(text("visitor.claims.name + '!'").as_deref(), Some("Ada!"));
    assert_eq!(text("visitor.claims.age + 1").as_deref(), Some("37"));
    assert_eq!(text("visitor.claims.rate").as_deref(), Some("0.5"));
    assert_eq!(text("visitor.claims.beta").as_deref(), Some("true"));
    for nothing in ["visitor.claims.roles", "visitor.claims.unknown", "user.name", "1 +", ""] {
        assert_eq!(text(nothing), None, "{nothing}");
    }
}

#[test]
fn bad_conditions_are_refused_with_their_position() {
    assert!(message("visitor.claims.plan ==").contains("line 1 column"));
    assert!(message("visitor.claims.plan = 'a'").contains("line 1 column"));
    assert!(message("user.name == 'a'").contains("`user`"));
    assert!(message("cel:visitor.claims.a.exists(x, y == x)").contains("`y`"));
    assert!(message("").contains("is not an expression"));
    let nested = "cel:[1].all(a, [1].all(b, [1].all(c, [1].all(d, a + b + c + d == 4))))";
    assert!(message(nested).contains("loops"));
}

#[test]
fn deep_nesting_is_refused_before_it_is_read() {
    for part in ["(", "!", "-", "[", "{1:", "true?", "a.", "1+", "a[", "f("] {
        assert!(check(&part.repeat(1024 / part.len())).is_err(), "{part}");
    }
    let deepest = [
        format!("{}true{}", "(".repeat(16), ")".repeat(16)),
        format!("{}true", "!".repeat(16)),
        format!("{}1{} == 1", "[".repeat(16), "]".repeat(16)),
        format!("visitor{}", ".a".repeat(200)),
        format!("1{} == 1", "+1".repeat(100)),
    ];
    for condition in deepest {
        check(&condition).unwrap_or_else(|error| panic!("{condition}: {error}"));
        let _ = Visitor::new(&json!({})).meets(&condition);
    }
}

#[test]
fn visitors_meet_what_is_true_of_their_claims() {
    let visitor = Visitor::new(
        &json!({"plan": "pro", "age": 20, "roles": ["admin"], "score": 1.5, "org": {"size": 3}}),
    );
    for (condition, expected) in [
        ("visitor.claims.plan == 'pro'", true),
        ("visitor.claims.plan == 'free'", false),
        ("visitor.claims.age >= 18 && visitor.claims.age < 65", true),
        ("visitor.claims.score > 1.0", true),
        ("'admin' in visitor.claims.roles", true),
        ("visitor.claims.roles.exists(role, role == 'admin')", true),
        ("visitor.claims.org.size == 3", true),
        ("has(visitor.claims.org)", true),
        ("has(visitor.claims.nothing)", false),
        ("visitor.claims.nothing == 1", false),
        ("visitor.claims.plan", true),
        ("visitor.claims.plan > 3", false),
        ("nonsense(", false),
    ] {
        assert_eq!(visitor.meets(condition), expected, "{condition}");
    }
    assert!(Visitor::new(&json!(null)).meets("!has(visitor.claims.plan)"));
}

#[test]
fn a_visit_has_one_budget_for_all_conditions_and_answers_each_once() {
    let visitor = Visitor::new(&json!({"unsigned": {"a": vec![0; 2_000]}, "plan": "pro"}));
    let nested = "visitor.claims.unsigned.a.all(x, visitor.claims.unsigned.a.all(y, x == y))";
    assert!(!visitor.meets(nested), "it takes more steps than a visit has");
    assert_eq!(visitor.steps.get(), STEPS, "unevaluated conditions cost nothing");
    assert!(visitor.meets("visitor.claims.unsigned.a.all(x, x == 0)"));
    let left = visitor.steps.get();
    for _ in 0..1_000 {
        assert!(visitor.meets("visitor.claims.unsigned.a.all(x, x == 0)"));
    }
    assert_eq!(visitor.steps.get(), left);
    let different = |number: usize| format!("visitor.claims.unsigned.a.all(x, x != {number})");
    let shown = (1..=1_000).filter(|number| visitor.meets(&different(*number))).count();
    assert!((10..1_000).contains(&shown), "{shown} of them fit the budget");
    assert!(visitor.meets("visitor.claims.plan == 'pro'"), "a cheap one still fits");
}

#[test]
fn nested_loops_over_short_lists_are_answered() {
    let visitor = Visitor::new(&json!({"roles": vec!["a"; 50], "others": vec!["b"; 50]}));
    assert!(visitor.meets("visitor.claims.roles.all(r, visitor.claims.others.all(o, o != r))"));
    assert!(visitor.meets("visitor.claims.roles.filter(r, r == 'a').exists(r, r.matches('^a+$'))"));
}

#[test]
fn conditions_of_the_family_are_javascript() {
    let visitor = Visitor::new(&json!({
        "plan": "pro", "age": 20, "size": "10", "roles": ["admin", "dev"], "beta": true, "none": null, "Ärger": "ß",
        "org": {"size": 3, "tags": ["a"]}, "items": [{"state": "ok"}, {"state": "ok"}],
        "unsigned": {"bucket": {"FLAG": true}, "lang": "fr"},
    }));
    for (condition, expected) in [
        (r#"visitor.claims.unsigned.persona !== "customer""#, true),
        ("visitor.claims.unsigned.persona != 'customer'", true),
        ("visitor.claims.unsigned.bucket.FLAG === true", true),
        ("visitor.claims.unsigned.lang === \"fr\"", true),
        ("!visitor.claims.unsigned.attribute", true),
        ("visitor.claims['plan'] === `pro`", true),
        ("visitor.claims?.org?.size === 3", true),
        ("visitor.claims.nothing.at.all === undefined", true),
        ("visitor.claims.nothing == null && visitor.claims.none == undefined", true),
        ("visitor.claims.none === undefined", false),
        ("visitor.claims.nothing === visitor.claims.other", true),
        ("visitor.claims.nothing < 1 || visitor.claims.nothing >= 0", false),
        ("typeof visitor.claims.nothing === 'undefined'", true),
        (r#"visitor.claims.roles.includes("dev")"#, true),
        (r#"visitor.claims.roles.includes("de")"#, false),
        (r#"["free", "pro"].includes(visitor.claims.plan)"#, true),
        (
            r#"visitor.claims.plan.includes("r") && visitor.claims.plan.startsWith("p") && visitor.claims.plan.endsWith("o")"#,
            true,
        ),
        ("visitor.claims.nothing?.includes('a') === undefined", true),
        ("visitor.claims.nothing.includes('a')", false),
        ("!visitor.claims.nothing.includes('a')", false),
        ("'plan' in visitor.claims && !('x' in visitor.claims) && 'dev' in visitor.claims.roles", true),
        ("visitor.claims.items.every(item => item.state === 'ok')", true),
        (
            "visitor.claims.roles.some(role => visitor.claims.org.tags.some(tag => role.startsWith(tag)))",
            true,
        ),
        ("visitor.claims.age >= 18 ? visitor.claims.plan == 'pro' : false", true),
        ("visitor.claims.size == 10 && visitor.claims.size !== 10 && visitor.claims.size > 9", true),
        ("'10' < '9' && 10 > 9", true),
        ("true == 1 && false == '' && null != 0 && undefined != 0", true),
        (
            "visitor.claims.roles.length == 2 && visitor.claims.roles[0] === 'admin' && visitor.claims.plan[1] == 'r'",
            true,
        ),
        ("(visitor.claims.nothing ?? 'free') === 'free'", true),
        ("visitor.claims.plan.toUpperCase().trim() === 'PRO'", true),
        ("visitor.claims.roles === visitor.claims.roles && [1] !== [1]", true),
        ("visitor.claims['Ärger'] === 'ß'", true),
        ("0 || '' || null || undefined || NaN", false),
        ("visitor.claims.constructor || visitor.claims.__proto__ || visitor.claims.toString", false),
    ] {
        assert_eq!(check(condition), Ok(()), "{condition}");
        assert_eq!(visitor.meets(condition), expected, "{condition}");
    }
    assert_eq!(
        visitor.text("`${visitor.claims.plan} of ${visitor.claims.age * 2 / 3.0}`").unwrap(),
        "pro of 13.333333333333334"
    );
    assert_eq!(visitor.text("1e21 + ' ' + 1e-7 + ' ' + 0.1 + -0").unwrap(), "1e+21 1e-7 0.10");
}

#[test]
fn cel_goes_on_and_keeps_its_meaning_with_its_prefix() {
    let visitor = Visitor::new(&json!({"plan": "pro", "roles": ["a"], "age": 7}));
    for (condition, expected) in [
        ("visitor.claims.roles.exists(r, r == 'a') && size(visitor.claims.roles) == 1", true),
        ("has(visitor.claims.plan) && visitor.claims.plan.matches('^p')", true),
        ("visitor.claims.absent != 'x'", true),
        ("cel:visitor.claims.absent != 'x'", false),
        ("cel: !visitor.claims.absent", false),
        ("cel:visitor.claims.plan", false),
        ("cel:visitor.claims.age == '7'", false),
        ("visitor.claims.age == '7'", true),
        ("cel:visitor.claims.age / 2 == 3", true),
    ] {
        assert_eq!(check(condition), Ok(()), "{condition}");
        assert_eq!(visitor.meets(condition), expected, "{condition}");
    }
    // Unchecked, CEL would evaluate this without a value of `user`.
    assert!(check("true || user").is_err() && !visitor.meets("true || user"));
}

#[test]
fn what_cannot_be_evaluated_is_refused_with_its_position() {
    for (condition, expected) in [
        (
            "visitor.claims.plan.indexOf('p') == 0",
            "calls `indexOf`, which conditions do not support (line 1 column 21)",
        ),
        ("visitor.claims.plan ===\n  user", "uses `user`, but only `visitor` is available (line 2 column 3)"),
        (
            "visitor.claim.plan === 1",
            "uses `visitor.claim`, but only `visitor.claims` is available (line 1 column 1)",
        ),
        ("visitor.claims.a = 1", "is not allowed in conditions (line 1 column 1)"),
        ("'é' + new Date()", "is not allowed in conditions (line 1 column 7)"),
        ("fetch('x')", "is not a call of a method (line 1 column 1)"),
        (
            "visitor.claims.a.some(x => { while (1) {} })",
            "is not a function of one parameter and one expression (line 1 column 23)",
        ),
        ("visitor.claims.a.includes()", "calls `includes`, which takes one argument (line 1 column 1)"),
        ("/a+/.test(visitor.claims.a)", "calls `test`, which conditions do not support (line 1 column 6)"),
        ("cel:visitor.claims.a.includes('x')", "calls `includes`, which is not a function of CEL"),
    ] {
        assert_eq!(message(condition), expected, "{condition}");
    }
    assert!(message("visitor.claims.plan === ").starts_with("is not an expression: line 1 column"));
    assert!(message("const a = 1").starts_with("is not an expression: line 1 column"));
    assert!(message("a; b").starts_with("is not an expression: line 1 column 2"));
}

/// Returns expressions of all kinds, including meaningless ones.
fn expressions() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "visitor.claims.a",
        "visitor.claims.b",
        "visitor.claims.unsigned.list",
        "visitor",
        "undefined",
        "null",
        "1",
        "-0.5",
        "'a'",
        "''",
        "[1, 'a']",
        "true",
        "x",
        "`t${1}`",
        "user",
        "\"\u{1F600}\"",
    ]);
    leaf.prop_map(str::to_owned).prop_recursive(6, 40, 3, |inner| {
        let operator = prop::sample::select(vec![
            "===", "!==", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "??", "in", "+", "-", "*", "/", "%",
            "**", ",", "=",
        ]);
        let member = prop::sample::select(vec![
            ".length",
            "[0]",
            "?.a",
            "['a']",
            ".includes('a')",
            ".startsWith(1)",
            "?.endsWith(null)",
            ".trim()",
            ".toUpperCase()",
            ".some(x => x == 1)",
            ".every(x => [x].some(y => y))",
            ".b.c",
            ".exists(x, x == 1)",
        ]);
        let prefix = prop::sample::select(vec!["!", "-", "+", "typeof ", "void ", "cel:"]);
        prop_oneof![
            (inner.clone(), operator, inner.clone())
                .prop_map(|(left, operator, right)| format!("({left} {operator} {right})")),
            (inner.clone(), member).prop_map(|(object, member)| format!("({object}){member}")),
            (prefix, inner.clone()).prop_map(|(prefix, operand)| format!("{prefix}{operand}")),
            (inner.clone(), inner.clone(), inner)
                .prop_map(|(test, yes, no)| format!("({test} ? {yes} : {no})")),
        ]
    })
}

proptest! {
    #[test]
    fn no_expression_panics_or_exceeds_its_budget(
        condition in prop_oneof![expressions(), "\\PC{0,60}", "[!(\\[{?.a:`$=>+'\\- ]{0,200}"],
        list in prop::collection::vec(any::<Option<i32>>(), 0..20),
        budget in 0..200_u64,
    ) {
        let visitor = Visitor::new(&json!({"a": "text", "b": list, "unsigned": {"list": [[1], {"a": 2}, "a"]}}));
        visitor.steps.set(budget);
        let _ = check(&condition);
        let _ = visitor.text(&condition);
        let is_met = visitor.meets(&condition);
        prop_assert!(visitor.steps.get() <= budget);
        prop_assert!(!is_met || check(&condition).is_ok() || condition.starts_with(CEL), "{}", condition);
    }
}
