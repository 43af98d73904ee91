//! Uploads, downloads and PDFs.

use actix_web::test::TestRequest;

use super::content::png;
use super::{Rich, done};
use crate::routes::Fixture;

impl Rich<'_> {
    pub async fn files(&self, fixture: &Fixture) {
        let request = self.change_request().await;
        for resource in [&self.space, &request] {
            let mut body =
                b"--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"dot.png\"\r\n\r\n"
                    .to_vec();
            body.extend(png());
            body.extend(b"\r\n--b--\r\n");
            let upload = TestRequest::post().uri(&format!("{resource}/content/files")).set_payload(body);
            let upload = upload.insert_header(("Content-Type", "multipart/form-data; boundary=b"));
            let uploaded = self.admin.send(upload).await;
            done(&uploaded);
            self.open(&uploaded.text("/items/0/downloadURL")).await;
            let page = fixture.named("pageId");
            let pdf = self.get(&format!("{resource}/pdf?page={page}&only=true")).await.text("/url");
            self.app.run_jobs().await;
            self.open(&pdf).await;
        }
    }

    /// Requests a URL without a token.
    async fn open(&self, url: &str) {
        let path = url.strip_prefix("http://127.0.0.1:8080").unwrap();
        done(&self.app.anonymous().get(path).await);
    }
}
