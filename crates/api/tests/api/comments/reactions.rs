//! Reactions.

use std::time::Duration;

use quire_domain::Role;
use serde_json::{Value, json};

use super::fixture::{Fixture, markdown};

/// Returns the emojis with the ids of the users who gave them.
fn given(reactions: &Value) -> Vec<(String, Vec<String>)> {
    let reactions = reactions.as_array().unwrap().iter();
    reactions
        .map(|reaction| {
            let users = reaction["users"].as_array().unwrap();
            assert_eq!(reaction["count"], json!(users.len()));
            let users = users.iter().map(|user| user["user"]["id"].as_str().unwrap().to_owned()).collect();
            (reaction["emoji"].as_str().unwrap().to_owned(), users)
        })
        .collect()
}

#[actix_web::test]
async fn reactions_are_added_once_and_taken_back() {
    let fixture = Fixture::new().await;
    let (ada, bob) = (fixture.role(Role::Comment), fixture.role(Role::Comment));
    let [a, b] = [ada.user().to_string(), bob.user().to_string()];
    for resource in &fixture.resources {
        let comment =
            format!("{resource}/{}", ada.post(resource, markdown("?")).await.expect(201).text("/id"));
        let reply = ada.post(&format!("{comment}/replies"), markdown("!")).await.expect(201).text("/id");
        let reply = format!("{comment}/replies/{reply}");
        for (path, other) in [(&comment, &reply), (&reply, &comment)] {
            let untouched = given(ada.get(other).await.expect(200).at("/reactions"));
            let _ = bob.put(path, json!({"addedReactions": ["🚀", "1f440", "🚀"]})).await.expect(200);
            fixture.app.clock.advance(Duration::from_secs(1));
            let _ = bob.put(path, json!({"addedReactions": ["🚀"]})).await.expect(200);
            let both = ada.put(path, json!({"addedReactions": ["🚀"]})).await.expect(200);
            let expected =
                vec![("🚀".to_owned(), vec![b.clone(), a.clone()]), ("1f440".to_owned(), vec![b.clone()])];
            assert_eq!(given(both.at("/reactions")), expected);
            assert_ne!(both.at("/reactions/0/users/0/reactedAt"), both.at("/reactions/0/users/1/reactedAt"));
            assert_eq!(given(ada.get(other).await.expect(200).at("/reactions")), untouched);
            // A reaction of another user cannot be removed.
            let same = ada.put(path, json!({"removedReactions": ["1f440", "🎉"]})).await.expect(200);
            assert_eq!(given(same.at("/reactions")), expected);
            let less = bob.put(path, json!({"removedReactions": ["🚀", "1f440"]})).await.expect(200);
            assert_eq!(given(less.at("/reactions")), [("🚀".to_owned(), vec![a.clone()])]);
            let changes = json!({"addedReactions": ["🎉"], "removedReactions": ["🎉"]});
            let same = ada.put(path, changes).await.expect(200);
            assert_eq!(same.at("/reactions"), less.at("/reactions"));
        }
        let list = ada.get(resource).await.expect(200);
        assert_eq!(list.at("/items/0/reactions"), ada.get(&comment).await.expect(200).at("/reactions"));
        let list = ada.get(&format!("{comment}/replies")).await.expect(200);
        assert_eq!(list.at("/items/0/reactions"), ada.get(&reply).await.expect(200).at("/reactions"));
    }
}

#[actix_web::test]
async fn spellings_of_an_emoji_are_one_reaction() {
    let fixture = Fixture::new().await;
    let (ada, bob) = (fixture.role(Role::Comment), fixture.role(Role::Comment));
    let both = vec![ada.user().to_string(), bob.user().to_string()];
    let comments = &fixture.resources[0];
    let comment = format!("{comments}/{}", ada.post(comments, markdown("?")).await.expect(201).text("/id"));
    let _ = ada.put(&comment, json!({"addedReactions": ["2764", "❤️", "1f44d"]})).await.expect(200);
    let given_twice =
        bob.put(&comment, json!({"addedReactions": ["❤", "2764-FE0F", "👎"]})).await.expect(200);
    let thumbs = [("1f44d".to_owned(), both[..1].to_vec()), ("👎".to_owned(), both[1..].to_vec())];
    let hearts = given(given_twice.at("/reactions")).into_iter().find(|(emoji, _)| emoji == "2764");
    assert_eq!(hearts, Some(("2764".to_owned(), both.clone())), "{}", given_twice.json);
    let _ = bob.put(&comment, json!({"removedReactions": ["2764-fe0f"]})).await.expect(200);
    let taken_back = ada.put(&comment, json!({"removedReactions": ["❤️"]})).await.expect(200);
    assert_eq!(given(taken_back.at("/reactions")), thumbs);
    assert_eq!(ada.put(&comment, json!({"addedReactions": ["+1f44d"]})).await.status, 400);
}

#[actix_web::test]
async fn a_comment_has_at_most_fifty_different_reactions() {
    let fixture = Fixture::new().await;
    let (ada, bob) = (fixture.role(Role::Comment), fixture.role(Role::Comment));
    let comments = &fixture.resources[0];
    let comment = format!("{comments}/{}", ada.post(comments, markdown("?")).await.expect(201).text("/id"));
    let reply = ada.post(&format!("{comment}/replies"), markdown("!")).await.expect(201).text("/id");
    let reply = format!("{comment}/replies/{reply}");
    let emojis = |range: std::ops::Range<u32>| range.map(|point| format!("{point:x}")).collect::<Vec<_>>();
    for path in [&comment, &reply] {
        let _ = ada.put(path, json!({"addedReactions": emojis(0x1f400..0x1f432)})).await.expect(200);
        let one_more = bob.put(path, json!({"addedReactions": ["1f432", "1f400"]})).await.expect(409);
        assert_eq!(one_more.reason(), "too-many");
        let present = bob.put(path, json!({"addedReactions": ["1f400"]})).await.expect(200);
        assert_eq!(present.at("/reactions").as_array().unwrap().len(), 50);
        assert_eq!(present.at("/reactions/0/count"), &json!(2));
        let _ = ada.put(path, json!({"removedReactions": ["1f401"]})).await.expect(200);
        let _ = bob.put(path, json!({"addedReactions": ["1f432"]})).await.expect(200);
    }
}
