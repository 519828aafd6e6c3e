//! Regular expressions from outside, which take linear time whatever they are.

use std::ops::Range;
use std::time::{Duration, Instant};

use regex::{Regex, RegexBuilder};
use thiserror::Error;

/// Most characters in a pattern.
pub const MAX_CHARS: usize = 1000;
/// Most memory of a compiled pattern: enough for some dozen Unicode classes.
const MAX_BYTES: usize = 2 << 20;

/// A regular expression to search for in names.
#[derive(Debug)]
pub struct Pattern(Regex);

/// Why a text cannot be searched for.
#[derive(Debug, Error)]
pub enum PatternError {
    /// Longer than anything typed by hand.
    #[error("a regular expression may have at most {MAX_CHARS} characters, not: {0}")]
    Long(usize),
    /// It repeats too much too often.
    #[error("the regular expression is too complex: `{0}`")]
    Complex(String),
    /// For each character of a name, the worst ones that are not too complex take a while.
    #[error("searching for the regular expression takes too long: `{0}`")]
    Slow(String),
    /// It is invalid, or needs more than linear time.
    #[error("invalid regular expression, {reason}: `{text}`")]
    Syntax {
        /// What is wrong.
        reason: String,
        /// The text.
        text: String,
    },
}

impl Pattern {
    /// The pattern that `text` describes.
    pub fn new(text: &str, ignore_case: bool) -> Result<Self, PatternError> {
        let chars = text.chars().count();
        if chars > MAX_CHARS {
            return Err(PatternError::Long(chars));
        }
        RegexBuilder::new(text)
            .case_insensitive(ignore_case)
            .size_limit(MAX_BYTES)
            .dfa_size_limit(MAX_BYTES)
            .build()
            .map(Self)
            .map_err(|error| refusal(&error, text.into()))
    }

    /// The pattern that finds `text` itself.
    pub fn literal(text: &str, ignore_case: bool) -> Result<Self, PatternError> {
        let chars = text.chars().count();
        if chars > MAX_CHARS {
            return Err(PatternError::Long(chars));
        }
        // Marks that have a meaning in patterns may double its length.
        RegexBuilder::new(&regex::escape(text))
            .case_insensitive(ignore_case)
            .size_limit(MAX_BYTES)
            .dfa_size_limit(MAX_BYTES)
            .build()
            .map(Self)
            .map_err(|error| refusal(&error, text.into()))
    }

    /// Where it is found in `text`, from the start on; matches do not overlap, and empty ones do
    /// not count.
    pub fn find_in<'t>(&self, text: &'t str) -> impl Iterator<Item = Range<usize>> + use<'_, 't> {
        self.0.find_iter(text).map(|found| found.range()).filter(|range| !range.is_empty())
    }

    /// Whether it is found anywhere in each of `names`; an error when that takes longer than
    /// `limit`.
    pub fn search<S: AsRef<str>>(
        &self,
        names: &[S],
        limit: Duration,
    ) -> Result<Vec<bool>, PatternError> {
        let began = Instant::now();
        let found = names.iter().map(|name| {
            let found = self.0.is_match(name.as_ref());
            let in_time = began.elapsed() <= limit;
            in_time.then_some(found).ok_or_else(|| PatternError::Slow(self.0.as_str().into()))
        });
        found.collect()
    }
}

fn refusal(error: &regex::Error, text: String) -> PatternError {
    match error {
        regex::Error::CompiledTooBig(_) => PatternError::Complex(text),
        error => {
            // The message draws the pattern with a mark below it; the reason is its last line.
            let message = error.to_string();
            let reason = message.lines().next_back().unwrap_or_default();
            let reason = reason.trim_start_matches("error: ").to_owned();
            PatternError::Syntax { reason, text }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_in(pattern: &Pattern, name: &str) -> bool {
        pattern.search(&[name], Duration::MAX).unwrap()[0]
    }

    #[test]
    fn patterns_are_searched_for_anywhere() {
        let cases = [
            ("loss", "train/loss", true),
            ("^loss", "train/loss", false),
            ("loss$", "train/loss", true),
            ("Loss", "train/loss", false),
            ("(?i)Loss", "train/loss", true),
            ("", "", true),
            (r"layer_\d+/w", "net/layer_12/w", true),
            ("größe", "die größe", true),
            (r"^\w+$", "größe", true),
            ("a.c", "a\nc", false),
        ];
        for (text, name, found) in cases {
            let pattern = Pattern::new(text, false).unwrap();
            assert_eq!(is_in(&pattern, name), found, "{text} in {name}");
        }
        assert!(is_in(&Pattern::new("GRÖSSE|Loss", true).unwrap(), "grösse"));
    }

    #[test]
    fn what_is_no_pattern_is_refused_in_one_sentence() {
        let cases = [
            ("(", "invalid regular expression, unclosed group: `(`"),
            ("a{9", "invalid regular expression, unclosed counted repetition: `a{9`"),
            (
                "(?=x)",
                "invalid regular expression, look-around, including look-ahead and look-behind, is \
                 not supported: `(?=x)`",
            ),
            (r"(a)\1", r"invalid regular expression, backreferences are not supported: `(a)\1`"),
            ("(a{99}){99}{99}", "the regular expression is too complex: `(a{99}){99}{99}`"),
        ];
        for (text, reason) in cases {
            assert_eq!(Pattern::new(text, false).unwrap_err().to_string(), reason);
        }
        let long = Pattern::new(&"ä".repeat(1001), false).unwrap_err();
        assert_eq!(
            long.to_string(),
            "a regular expression may have at most 1000 characters, not: 1001"
        );
        assert!(Pattern::new(&"ä".repeat(1000), false).is_ok());
    }

    #[test]
    fn a_literal_is_found_as_it_is_written() {
        let found = |text: &str, ignore_case, inside: &str| {
            let pattern = Pattern::literal(text, ignore_case).unwrap();
            pattern.find_in(inside).map(|range| (range.start, range.end)).collect::<Vec<_>>()
        };
        assert_eq!(found("a.b", false, "aXb a.b A.B"), [(4, 7)]);
        assert_eq!(found("a.b", true, "aXb a.b A.B"), [(4, 7), (8, 11)]);
        assert_eq!(found("GRÖSSE", true, "grösse"), [(0, 7)]);
        assert!(found("", false, "abc").is_empty());
        assert!(Pattern::literal(&"(".repeat(1000), true).is_ok());
        assert!(Pattern::literal(&"(".repeat(1001), true).is_err());
    }

    #[test]
    fn a_search_ends_when_its_time_is_up() {
        let pattern = Pattern::new("(a[ab]{0,70}){30}[c-z]", false).unwrap();
        let names = vec!["ab".repeat(100); 1_000_000];
        let error = pattern.search(&names, Duration::from_millis(1)).unwrap_err().to_string();
        assert!(error.starts_with("searching for the regular expression takes too long"));
        let none: [&str; 0] = [];
        assert_eq!(pattern.search(&none, Duration::ZERO).unwrap(), []);
    }

    #[test]
    fn what_takes_others_for_ever_is_searched_for_or_refused() {
        let nested = format!("{}a{}", "(".repeat(499), ")*".repeat(250));
        let hostile = [
            "^(a+)+$",
            "^(a|a)*$",
            "^(.*a){20}$",
            "(?:a?){300}a{300}",
            "[ab]*a[ab]{700}",
            r"(\w+\s?)+!",
            r"(\pL{50}){50}",
            &nested,
        ];
        let name = format!("{}!", "a".repeat(2000));
        for text in hostile {
            if let Ok(pattern) = Pattern::new(text, true) {
                let found = is_in(&pattern, &name);
                assert!(!found || !text.ends_with('$'), "{text}");
            }
        }
    }
}
