//! Time limits of synchronizations.

use std::time::Duration;

use quire_content::git::GitRunner;
use quire_test_support::GitServer;
use quire_worker::{Outcome, Services, run_next};

use super::Connected;
use super::lost::filled;

impl Connected {
    /// Requests a synchronization, and runs it with other time limits while the server withholds its answers after the
    /// first ones.
    async fn run_withheld(
        &self,
        server: &GitServer,
        answered: usize,
        limited: impl Fn(GitRunner) -> GitRunner,
    ) {
        server.answer_only(answered, || {});
        self.ask().await;
        let git = limited(self.app.api.git.clone());
        let services = Services { git, ..self.app.services() };
        while run_next(&services).await.unwrap() != Outcome::Idle {}
        server.answer_all();
    }

    /// Asserts that a failed run changed nothing, and that the next one completes its work.
    async fn fails_and_recovers(&self, there: &str, (text, reason): (&str, &str)) {
        let log = self.log().await;
        assert_eq!((&log[0]["state"], &log[0]["summary"]), (&"failure".into(), &reason.into()), "{log:?}");
        assert_eq!(self.repository.head().as_deref(), Some(there), "nothing was pushed");
        let space = self.admin.get(&format!("/v1/spaces/{}", self.space)).await.expect(200);
        assert_eq!(space.text("/gitSync/operation/state"), "failure");
        assert!(self.admin.get(&self.path).await.expect(200).at("/nextRunAt").is_string(), "it is retried");

        self.app.clock.advance(Duration::from_secs(60));
        self.sync().await;
        let log = self.log().await;
        assert_eq!(
            (&log[0]["state"], &log[0]["direction"]),
            (&"success".into(), &"export".into()),
            "{log:?}"
        );
        assert_eq!(self.repository.text("README.md"), format!("# Home\n\n- one\n- {text}\n"));
        assert_eq!(self.repository.text("guide.md"), format!("# Guide\n\nWritten there, {text}.\n"));
        let set_aside = self.admin.get(&format!("/v1/spaces/{}/change-requests", self.space)).await;
        assert_eq!(set_aside.expect(200).at("/items"), &serde_json::json!([]));
    }

    /// Changes a page on each side, and returns the commit of the repository.
    async fn change_both(&self, text: &str) -> String {
        let page = format!("# Guide\n\nWritten there, {text}.\n");
        let there = self.repository.commit(&[("guide.md", Some(page.as_bytes()))]);
        self.edit(&format!("* one\n* {text}")).await;
        there
    }
}

#[actix_web::test]
async fn a_run_that_takes_too_long_ends_with_the_reason_and_the_next_one_works() {
    let Some(server) = GitServer::start() else { return };
    let connected = Connected::to(&server, filled(&server)).await;
    let limit = |git: GitRunner| git.with_time_limits(Duration::from_secs(1), Duration::from_secs(60));
    let there = connected.change_both("first").await;
    connected.run_withheld(&server, 0, limit).await;
    let reason = "The import failed: The run took longer than 1s.";
    connected.fails_and_recovers(&there, ("first", reason)).await;

    // After the import, which reads the refs, the commit and the text of a page.
    let there = connected.change_both("second").await;
    connected.run_withheld(&server, 4, limit).await;
    let reason = "The export failed: The run took longer than 1s.";
    connected.fails_and_recovers(&there, ("second", reason)).await;
}

#[actix_web::test]
async fn a_synchronization_that_does_not_end_in_time_is_in_the_log() {
    let Some(server) = GitServer::start() else { return };
    let connected = Connected::to(&server, filled(&server)).await;
    let limit = |git: GitRunner| git.with_time_limits(Duration::from_secs(900), Duration::from_secs(1));
    let there = connected.change_both("first").await;
    connected.run_withheld(&server, 0, limit).await;
    let reason = "The import failed: It did not finish in time.";
    connected.fails_and_recovers(&there, ("first", reason)).await;
}
