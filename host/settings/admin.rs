//! Settings of the listener for operators.

use std::fmt;
use std::path::{Path, PathBuf};

use clap::Args;
use thiserror::Error;

use super::sources::SettingSource;
use super::text_file::{TextFileError, bounded_text_of};
use crate::admin::Token;
use crate::process::listening::Address;

/// The name of the setting that is the token.
pub(super) const TOKEN: &str = "admin-token";
/// The name of the setting that is the file with the token.
pub(super) const TOKEN_FILE: &str = "admin-token-file";

/// Settings of the listener for operators.
#[derive(Args, Debug)]
pub(crate) struct AdminSettings {
    /// Where operators are answered: metrics, health, status and purges. An address and port, or
    /// `unix:` and the path of a socket; without it nowhere.
    #[arg(long, env = "VITRINE_ADMIN", value_name = "ADDRESS")]
    pub(crate) admin: Option<Address>,

    /// What a request for a purge must present, or `@` and the path of a file with it; without it no purge
    /// is allowed. A token that begins with `@` itself can stand in a file only.
    #[arg(long, env = "VITRINE_ADMIN_TOKEN", hide_env_values = true, value_name = "TOKEN")]
    admin_token: Option<Secret>,

    /// File with what a request for a purge must present. If the token itself is given too, a flag counts more
    /// than a variable, and a variable more than the settings file.
    #[arg(long, env = "VITRINE_ADMIN_TOKEN_FILE", value_name = "FILE")]
    admin_token_file: Option<PathBuf>,

    /// What purges need, once it was read.
    #[arg(skip)]
    token: Option<Token>,
}

/// A text that is never shown.
#[derive(Clone)]
struct Secret(String);

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret")
    }
}

/// Why the operators' token cannot be used. No message shows what may be a token.
#[derive(Debug, Error)]
pub(crate) enum TokenError {
    #[error("--{TOKEN} and --{TOKEN_FILE} are both given by {0}; only one of them can count")]
    Both(SettingSource),
    #[error("the token of {} cannot be read: {error}", path.display())]
    File { path: PathBuf, error: TextFileError },
    #[error("the file that --{TOKEN} names behind its `@` cannot be read: {0}")]
    FileBehindSign(TextFileError),
    #[error(
        "the token for operators has fewer than {} characters, or some that no header may have",
        Token::SHORTEST
    )]
    Invalid,
}

impl AdminSettings {
    /// The token that purges need; `None` without one.
    pub(crate) fn token(&self) -> Option<&Token> {
        self.token.as_ref()
    }

    /// Reads the token from the source that counts most: `direct` and `file` say where the token and the file's
    /// path come from.
    ///
    /// # Errors
    /// When both come from the same place, the file cannot be read, or the token is too short to be secret
    /// or cannot be presented.
    pub(super) fn read_token(
        &mut self,
        direct: Option<SettingSource>,
        file: Option<SettingSource>,
    ) -> Result<(), TokenError> {
        let text = match (&self.admin_token, &self.admin_token_file) {
            (None, None) => return Ok(()),
            (Some(_), Some(_)) if direct == file => {
                return Err(TokenError::Both(direct.unwrap_or(SettingSource::Default)));
            }
            (Some(token), None) => token.text()?,
            (Some(token), Some(_)) if direct > file => token.text()?,
            (_, Some(path)) => {
                bounded_text_of(path).map_err(|error| TokenError::File { path: path.clone(), error })?
            }
        };
        self.token = Some(Token::new(text.trim()).ok_or(TokenError::Invalid)?);
        Ok(())
    }
}

impl Secret {
    /// The text itself, or that of the file named after an `@`.
    fn text(&self) -> Result<String, TokenError> {
        match self.0.strip_prefix('@') {
            Some(path) => bounded_text_of(Path::new(path)).map_err(TokenError::FileBehindSign),
            None => Ok(self.0.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const TOKEN: &str = "correct horse battery";

    fn settings(token: Option<&str>, file: Option<&Path>) -> AdminSettings {
        let admin_token = token.map(|token| Secret(token.into()));
        AdminSettings { admin: None, admin_token, admin_token_file: file.map(Path::to_owned), token: None }
    }

    fn read(token: Option<&str>, file: Option<&Path>) -> Result<Option<Token>, TokenError> {
        let mut settings = settings(token, file);
        settings.read_token(token.map(|_| SettingSource::Flag), file.map(|_| SettingSource::Environment))?;
        Ok(settings.token)
    }

    #[test]
    fn a_token_is_given_directly_or_in_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("token");
        fs::write(&file, format!("{TOKEN}\n")).unwrap();
        let at_file = format!("@{}", file.display());
        for token in [read(Some(TOKEN), None), read(Some(&at_file), None), read(None, Some(&file))] {
            let token = token.unwrap().unwrap();
            assert!(token.is(TOKEN) && !token.is("correct horse batterx"));
        }
        assert!(read(None, None).unwrap().is_none());
    }

    #[test]
    fn of_token_and_file_the_one_that_counts_more_is_used() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("token");
        fs::write(&file, "that of the file").unwrap();
        for (direct, of_file, expected) in [
            (SettingSource::Flag, SettingSource::Environment, TOKEN),
            (SettingSource::Environment, SettingSource::File, TOKEN),
            (SettingSource::File, SettingSource::Environment, "that of the file"),
            (SettingSource::File, SettingSource::Flag, "that of the file"),
            (SettingSource::Environment, SettingSource::Flag, "that of the file"),
        ] {
            let mut settings = settings(Some(TOKEN), Some(&file));
            settings.read_token(Some(direct), Some(of_file)).unwrap();
            assert!(settings.token().unwrap().is(expected), "{direct:?} {of_file:?}");
        }
        for both in [SettingSource::Flag, SettingSource::Environment, SettingSource::File] {
            let refused = settings(Some(TOKEN), Some(&file)).read_token(Some(both), Some(both));
            assert!(matches!(refused, Err(TokenError::Both(source)) if source == both));
        }
    }

    #[test]
    fn a_token_that_cannot_be_used_is_refused() {
        let missing = Path::new("/nonexistent/token");
        assert!(matches!(read(None, Some(missing)), Err(TokenError::File { .. })));
        assert!(matches!(read(None, Some(Path::new("/dev/zero"))), Err(TokenError::File { .. })));
        for text in ["", "short", "with a line\nend in it", "über-geheim-und-lang"] {
            assert!(matches!(read(Some(text), None), Err(TokenError::Invalid)), "{text}");
        }
    }

    #[test]
    fn a_token_is_never_shown() {
        let text = "@s3cret-that-begins-with-a-sign";
        let error = read(Some(text), None).unwrap_err();
        assert!(!format!("{error} {error:?}").contains("s3cret"), "{error}");
        assert!(!format!("{:?}", settings(Some(text), None)).contains("s3cret"));
    }
}
