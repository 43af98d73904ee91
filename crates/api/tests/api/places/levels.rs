//! Default levels.

use quire_domain::Role;
use quire_test_support::Answer;
use serde_json::json;

use super::fixture::Fixture;

/// The strongest of some permissions of an answer.
fn strongest(answer: &Answer) -> &'static str {
    let ladder = ["admin", "review", "edit", "comment", "view"];
    let may = |name: &&&str| answer.json["permissions"][**name] == json!(true);
    ladder.iter().find(may).copied().unwrap_or("none")
}

#[actix_web::test]
async fn members_have_the_stronger_of_their_role_and_the_level() {
    let fixture = Fixture::new().await;
    let space = fixture.space("Guide", None).await;
    let path = format!("/v1/spaces/{space}");
    let [reader, editor, creator] =
        [Role::Read, Role::Edit, Role::Create].map(|role| fixture.app.as_role(role));
    let guest = fixture.app.member_of(fixture.app.organization, None);
    for (level, of_reader, of_editor, of_creator) in [
        ("read", "view", "edit", "review"),
        ("comment", "comment", "edit", "review"),
        ("review", "review", "review", "review"),
    ] {
        let _ = fixture.admin.patch(&path, json!({"defaultLevel": level})).await.expect(200);
        for (caller, expected) in [(&reader, of_reader), (&editor, of_editor), (&creator, of_creator)] {
            assert_eq!(strongest(&caller.get(&path).await.expect(200)), expected, "{level}");
        }
        guest.get(&path).await.expect(404);
    }
    // A grant counts alone: it lowers as well as raises.
    fixture.app.grant(&creator, &space, Role::Read);
    fixture.app.grant(&guest, &space, Role::Edit);
    assert_eq!(strongest(&creator.get(&path).await.expect(200)), "view");
    assert_eq!(strongest(&guest.get(&path).await.expect(200)), "edit");
    // Without a level, roles below that of an administrator don't count.
    let closed = fixture.admin.patch(&path, json!({"defaultLevel": null})).await.expect(200);
    assert_eq!((closed.at("/defaultLevel"), strongest(&closed)), (&json!(null), "admin"));
    editor.get(&path).await.expect(404);
    assert_eq!(strongest(&creator.get(&path).await.expect(200)), "view");
}
