//! Runs the command, with the sockets that a service manager has handed over, and names the build.
//!
//! The commit is here and not in the library, so that a new commit rebuilds nothing but the executable.

use std::process::ExitCode;

use vitrine::process::listening::HandedOver;

fn main() -> ExitCode {
    // Must run before any other thread exists, because it removes variables from the environment.
    let handed_over = HandedOver::from_env();
    vitrine::commands::run(&version(), DATE, handed_over)
}

/// Digits of the commit that are shown.
const DIGITS: usize = 12;

/// The commit that this executable is built from. The compiler reads the log, of which nothing else gets
/// into the executable.
const COMMIT: Option<[u8; DIGITS]> = last_commit(include_bytes!(env!("VITRINE_BUILD_LOG")));

/// When that commit was made, in seconds since 1970.
const DATE: u64 = {
    let named = number(env!("VITRINE_BUILD_DATE").as_bytes(), 0);
    let log = include_bytes!(env!("VITRINE_BUILD_LOG"));
    match COMMIT {
        // The build script has run for an earlier commit. For a commit made on this machine, the log has the same
        // date.
        Some(commit) if !starts_with(env!("VITRINE_BUILD_DATED_COMMIT").as_bytes(), &commit) => {
            last_date(log)
        }
        _ => named,
    }
};

/// What `--version` says after the program's name. The engine is there because the speed of renders depends
/// on it.
fn version() -> String {
    let commit = COMMIT.as_ref().and_then(|digits| str::from_utf8(digits).ok()).unwrap_or("unknown");
    let engine = if cfg!(feature = "v8") { "v8" } else { "quickjs" };
    let (version, profile) = (env!("CARGO_PKG_VERSION"), env!("VITRINE_BUILD_PROFILE"));
    format!("{version} (commit {commit}, engine {engine}, profile {profile})")
}

/// The commit that the last line of a git log of references (`logs/HEAD`) leads to: its second word.
const fn last_commit(log: &[u8]) -> Option<[u8; DIGITS]> {
    let mut start = last_line(log);
    while start < log.len() && log[start] != b' ' {
        start += 1;
    }
    start += 1;
    if start + DIGITS > log.len() {
        return None;
    }
    let mut digits = [0; DIGITS];
    let mut index = 0;
    while index < DIGITS {
        digits[index] = log[start + index];
        if !digits[index].is_ascii_hexdigit() {
            return None;
        }
        index += 1;
    }
    Some(digits)
}

/// The date in the last line of such a log: the number after the address, before the tab.
const fn last_date(log: &[u8]) -> u64 {
    let mut position = last_line(log);
    let mut date = 0;
    while position + 1 < log.len() && log[position] != b'\t' {
        if log[position] == b'>' {
            date = number(log, position + 2);
        }
        position += 1;
    }
    date
}

/// The number whose digits begin at this position.
const fn number(text: &[u8], mut position: usize) -> u64 {
    let mut number: u64 = 0;
    while position < text.len() && text[position].is_ascii_digit() {
        number = number.saturating_mul(10).saturating_add((text[position] - b'0') as u64);
        position += 1;
    }
    number
}

/// Whether a commit begins with these digits. An empty commit counts as one that does.
const fn starts_with(commit: &[u8], digits: &[u8; DIGITS]) -> bool {
    let mut index = 0;
    while index < DIGITS && index < commit.len() {
        if commit[index] != digits[index] {
            return false;
        }
        index += 1;
    }
    true
}

/// Where the last line starts.
const fn last_line(log: &[u8]) -> usize {
    let mut start = log.len().saturating_sub(1);
    while start > 0 && log[start - 1] != b'\n' {
        start -= 1;
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_of_the_log_names_the_commit() {
        let zeros = "0".repeat(40);
        let (first, second) = ("a1".repeat(20), "b2".repeat(20));
        let log = format!(
            "{zeros} {first} N <n@example> 1 +0000\tcommit: one\n{first} {second} N <n@example> 2 +0000\tcommit: > 3 two\n"
        );
        assert_eq!(last_commit(log.as_bytes()), Some(*b"b2b2b2b2b2b2"));
        assert_eq!(last_commit(log.trim_end().as_bytes()), Some(*b"b2b2b2b2b2b2"));
        assert_eq!(last_date(log.as_bytes()), 2);
    }

    #[test]
    fn a_date_belongs_to_its_commit() {
        let digits = b"b2b2b2b2b2b2";
        assert!(starts_with(b"b2b2b2b2b2b2b2b2", digits) && starts_with(b"", digits));
        assert!(!starts_with(b"b2b2b2b2b2b3b2b2", digits));
    }

    #[test]
    fn without_a_log_there_is_no_commit() {
        for log in ["", "\n", "no commit\n", "- a1a1\n"] {
            assert_eq!((last_commit(log.as_bytes()), last_date(log.as_bytes())), (None, 0), "{log:?}");
        }
    }
}
