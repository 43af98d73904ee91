//! Services and programs that Quire uses: mail, a GitHub App, the PDF renderer.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use quire_content::git::{GithubApp, GithubAppError};
use quire_storage::content::git_installations::GitAppInstallation;
use quire_worker::mail::Mailer;

use super::values::{CommaSeparated, words};
use crate::usage::WrongInput;

/// Mail settings.
#[derive(Args, Debug)]
pub struct MailOptions {
    /// The SMTP server for mail, as smtp://user:password@host:port, or smtps:// for TLS from the start
    #[arg(long, env = "QUIRE_SMTP_URL", value_name = "URL", hide_env_values = true)]
    smtp_url: Option<String>,
    /// The sender of mail, such as `Quire <quire@example.com>`
    #[arg(long, env = "QUIRE_MAIL_FROM", value_name = "ADDRESS")]
    mail_from: Option<String>,
}

impl MailOptions {
    /// Returns the mailer; `None` without an SMTP server.
    ///
    /// # Errors
    /// A sentence that names the variable, without its value.
    pub fn mailer(&self) -> anyhow::Result<Option<Mailer>> {
        let given = |value: &Option<String>| value.clone().filter(|value| !value.is_empty());
        match (given(&self.smtp_url), given(&self.mail_from)) {
            (None, _) => Ok(None),
            (Some(_), None) => {
                Err(WrongInput("QUIRE_MAIL_FROM: QUIRE_SMTP_URL needs a sender".to_owned()).into())
            }
            (Some(url), Some(from)) => match Mailer::new(&url, &from) {
                Ok(mailer) => Ok(Some(mailer)),
                Err(error) => Err(WrongInput(error.to_string()).into()),
            },
        }
    }
}

/// GitHub App that connections to repositories may use.
#[derive(Args, Debug)]
pub struct GithubOptions {
    /// The number or the client id of a GitHub App that connections may use in place of tokens
    #[arg(long, env = "QUIRE_GITHUB_APP_ID", value_name = "ID")]
    github_app_id: Option<String>,
    /// Its private key in PEM, or the file with it
    #[arg(long, env = "QUIRE_GITHUB_APP_KEY", value_name = "PEM OR FILE", hide_env_values = true)]
    github_app_key: Option<String>,
    /// The URL of the API of a GitHub Enterprise Server, which ends with /api/v3 [default: github.com]
    #[arg(long, env = "QUIRE_GITHUB_APP_API", value_name = "URL")]
    github_app_api: Option<String>,
    /// Installations of the app that organizations may use, as organization=installation, separated by commas
    #[arg(long, env = "QUIRE_GITHUB_APP_INSTALLATIONS", value_name = "INSTALLATIONS", default_value = "", hide_default_value = true, value_parser = installations)]
    github_app_installations: CommaSeparated<GitAppInstallation>,
}

impl GithubOptions {
    /// Prefix of a PEM key, with which no path begins.
    const PEM: &str = "-----BEGIN";

    /// Maximum size of a key file in bytes.
    const KEY_BYTES: u64 = 64 << 10;

    /// Returns the app; `None` without an id.
    ///
    /// # Errors
    /// A sentence that names the variable, without the key.
    pub fn app(&self) -> anyhow::Result<Option<GithubApp>> {
        let given = |value: &Option<String>| value.clone().filter(|value| !value.is_empty());
        let (id, key) = match (given(&self.github_app_id), given(&self.github_app_key)) {
            (None, None) => return Ok(None),
            (Some(id), Some(key)) => (id, key),
            (Some(_), None) => {
                let message = "QUIRE_GITHUB_APP_KEY: QUIRE_GITHUB_APP_ID needs the key of the app";
                return Err(WrongInput(message.to_owned()).into());
            }
            (None, Some(_)) => {
                let message = "QUIRE_GITHUB_APP_ID: QUIRE_GITHUB_APP_KEY needs the id of the app";
                return Err(WrongInput(message.to_owned()).into());
            }
        };
        let key = if key.trim_start().starts_with(Self::PEM) { key } else { Self::read(Path::new(&key))? };
        let api = given(&self.github_app_api).unwrap_or_else(|| GithubApp::API.to_owned());
        let installations = self.github_app_installations.0.clone();
        let app = GithubApp::new(&id, key.trim(), &api, installations).map_err(|error| {
            let name = match error {
                GithubAppError::Id => "QUIRE_GITHUB_APP_ID",
                GithubAppError::Key => "QUIRE_GITHUB_APP_KEY",
                GithubAppError::Api => "QUIRE_GITHUB_APP_API",
            };
            WrongInput(format!("{name}: {error}"))
        })?;
        Ok(Some(app))
    }

    /// Reads the key file. Errors do not contain the path, because it may be a truncated key.
    fn read(path: &Path) -> anyhow::Result<String> {
        let mut text = String::new();
        let read = File::open(path).and_then(|file| file.take(Self::KEY_BYTES).read_to_string(&mut text));
        match read {
            Ok(_) => Ok(text),
            Err(error) => {
                Err(WrongInput(format!("QUIRE_GITHUB_APP_KEY: the file can't be read: {error}")).into())
            }
        }
    }
}

/// PDF rendering options.
#[derive(Args, Debug)]
pub struct PdfOptions {
    /// The PDF renderer [default: `quire-pdf` in the folder of this program]
    #[arg(long, env = "QUIRE_PDF_BIN", value_name = "FILE")]
    pdf_bin: Option<PathBuf>,
    /// A folder of fonts, for characters missing in the built-in and system fonts
    #[arg(long, env = "QUIRE_PDF_FONTS", value_name = "FOLDER")]
    pdf_fonts: Option<PathBuf>,
}

impl PdfOptions {
    /// Returns the program's path. The program need not exist yet.
    ///
    /// # Errors
    /// If the path of this program is unknown.
    pub fn program(&self) -> anyhow::Result<PathBuf> {
        if let Some(program) = self.pdf_bin.as_ref().filter(|program| !program.as_os_str().is_empty()) {
            // The renderer runs in another folder, so the path must be absolute.
            return std::path::absolute(program)
                .context("QUIRE_PDF_BIN: the folder of this process is unknown");
        }
        let own = std::env::current_exe().context("the path of this program is unknown")?;
        Ok(own.with_file_name("quire-pdf"))
    }

    /// Returns the operator's fonts.
    ///
    /// # Errors
    /// If the current folder is unknown.
    pub fn fonts(&self) -> anyhow::Result<Vec<PathBuf>> {
        let folders = self.pdf_fonts.iter().filter(|folder| !folder.as_os_str().is_empty());
        folders
            .map(std::path::absolute)
            .collect::<Result<_, _>>()
            .context("QUIRE_PDF_FONTS: the folder of this process is unknown")
    }
}

fn installations(text: &str) -> Result<CommaSeparated<GitAppInstallation>, String> {
    let CommaSeparated(words) = words::<String>(text)?;
    let read = |word: &String| {
        let (organization, id) = word.split_once('=')?;
        let id = id.trim().parse().ok().filter(|id| *id > 0)?;
        Some(GitAppInstallation { organization: organization.trim().parse().ok()?, id })
    };
    let read = |word: &String| {
        read(word).ok_or_else(|| {
            format!(
                "`{word}` is not the id of an organization and the number of an installation, joined with `=`"
            )
        })
    };
    words.iter().map(read).collect::<Result<_, _>>().map(CommaSeparated)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mail_needs_a_server_and_a_sender() {
        let mailer = |url: &str, from: &str| {
            let given = |text: &str| Some(text.to_owned());
            MailOptions { smtp_url: given(url), mail_from: given(from) }.mailer()
        };
        assert!(mailer("", "").unwrap().is_none() && mailer("", "quire@example.com").unwrap().is_none());
        assert!(mailer("smtps://a:b@mail.example.com", "quire@example.com").unwrap().is_some());
        let error = mailer("smtp://mail.example.com", "").unwrap_err().to_string();
        assert!(error.starts_with("QUIRE_MAIL_FROM"), "{error}");
        let error = mailer("smtp://ada:secret@", "quire@example.com").unwrap_err().to_string();
        assert!(error.starts_with("QUIRE_SMTP_URL") && !error.contains("secret"), "{error}");
    }

    #[test]
    fn an_app_needs_an_id_and_a_key() {
        const KEY: &str = include_str!("../../../../crates/test-support/src/oidc_provider.pem");
        let app = |id: &str, key: &str, api: &str| {
            let given = |text: &str| Some(text.to_owned());
            let github_app_installations = CommaSeparated(Vec::new());
            let (github_app_id, github_app_key, github_app_api) = (given(id), given(key), given(api));
            GithubOptions { github_app_id, github_app_key, github_app_api, github_app_installations }.app()
        };
        assert!(app("", "", "").unwrap().is_none());
        assert_eq!(app("7", KEY, "").unwrap().unwrap().origin(), "https://github.com");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key.pem");
        std::fs::write(&path, KEY).unwrap();
        let of_file = app("7", path.to_str().unwrap(), "https://git.example.org/api/v3").unwrap().unwrap();
        assert_eq!(of_file.origin(), "https://git.example.org");
        for (id, key, api, name) in [
            ("7", "", "", "QUIRE_GITHUB_APP_KEY"),
            ("", KEY, "", "QUIRE_GITHUB_APP_ID"),
            ("a b", KEY, "", "QUIRE_GITHUB_APP_ID"),
            ("7", "hunter2", "", "QUIRE_GITHUB_APP_KEY"),
            ("7", "-----BEGIN hunter2", "", "QUIRE_GITHUB_APP_KEY"),
            ("7", KEY, "git.example.org", "QUIRE_GITHUB_APP_API"),
        ] {
            let error = app(id, key, api).unwrap_err().to_string();
            assert!(error.starts_with(name) && !error.contains("hunter2"), "{error}");
        }
    }

    #[test]
    fn installations_have_organizations() {
        let id = "01975d1e-0000-7000-8000-000000000001";
        let read = installations(&format!("{id}=7, {id} = 8")).unwrap().0;
        assert_eq!(read.iter().map(|found| found.id).collect::<Vec<_>>(), [7, 8]);
        assert!(installations("").unwrap().0.is_empty());
        for other in ["7", "acme=7", &format!("{id}=0"), &format!("{id}=seven")] {
            assert!(installations(other).is_err(), "{other}");
        }
    }
}
