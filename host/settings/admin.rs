//! Settings of the listener for operators.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use thiserror::Error;

use crate::admin::Token;
use crate::process::listening::Address;

/// Settings of the listener for operators.
#[derive(Args, Debug)]
pub(crate) struct AdminSettings {
    /// Where operators are answered: metrics, health, status and purges. An address and port, or
    /// `unix:` and the path of a socket; without it nowhere.
    #[arg(long, env = "VITRINE_ADMIN", value_name = "ADDRESS")]
    pub(crate) admin: Option<Address>,

    /// What a request for a purge must present, or `@` and the path of a file with it; without it no purge
    /// is allowed.
    #[arg(long, env = "VITRINE_ADMIN_TOKEN", hide_env_values = true, value_name = "TOKEN")]
    admin_token: Option<String>,

    /// File with what a request for a purge must present.
    #[arg(long, env = "VITRINE_ADMIN_TOKEN_FILE", value_name = "FILE", conflicts_with = "admin_token")]
    admin_token_file: Option<PathBuf>,
}

/// Why the operators' token cannot be used.
#[derive(Debug, Error)]
pub(crate) enum TokenError {
    #[error("the token of {0} cannot be read")]
    File(PathBuf, #[source] io::Error),
    #[error(
        "the token for operators has fewer than {} characters, or some that no header may have",
        Token::SHORTEST
    )]
    Invalid,
}

impl AdminSettings {
    /// The file with the token, if it is in one.
    pub(crate) fn token_file(&self) -> Option<&Path> {
        let named = self.admin_token.as_deref().and_then(|token| token.strip_prefix('@'));
        named.map(Path::new).or(self.admin_token_file.as_deref())
    }

    /// The token that purges need; `None` without one.
    ///
    /// # Errors
    /// Fails when its file cannot be read, and when it is too short to be secret or not presentable.
    pub(crate) fn token(&self) -> Result<Option<Token>, TokenError> {
        let text = match (self.token_file(), &self.admin_token) {
            (Some(file), _) => {
                fs::read_to_string(file).map_err(|error| TokenError::File(file.to_owned(), error))?
            }
            (None, Some(token)) => token.clone(),
            (None, None) => return Ok(None),
        };
        Token::new(text.trim()).map(Some).ok_or(TokenError::Invalid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(token: Option<&str>, file: Option<&Path>) -> AdminSettings {
        let admin_token = token.map(str::to_owned);
        AdminSettings { admin: None, admin_token, admin_token_file: file.map(Path::to_owned) }
    }

    #[test]
    fn a_token_is_given_directly_or_in_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("token");
        fs::write(&file, "correct horse battery\n").unwrap();
        let at_file = format!("@{}", file.display());
        for settings in [
            settings(Some("correct horse battery"), None),
            settings(Some(&at_file), None),
            settings(None, Some(&file)),
        ] {
            let token = settings.token().unwrap().unwrap();
            assert!(token.is("correct horse battery") && !token.is("correct horse batterx"));
        }
        assert!(settings(None, None).token().unwrap().is_none());
    }

    #[test]
    fn a_token_that_cannot_be_used_is_refused_at_the_start() {
        let missing = Path::new("/nonexistent/token");
        assert!(matches!(settings(None, Some(missing)).token(), Err(TokenError::File(..))));
        for text in ["", "short", "with a line\nend in it", "über-geheim-und-lang"] {
            assert!(matches!(settings(Some(text), None).token(), Err(TokenError::Invalid)), "{text}");
        }
    }
}
