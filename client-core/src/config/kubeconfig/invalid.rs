//! All that is wrong with a configuration, and where.

use std::fmt;

use thiserror::Error;

use super::Problem;

/// All that keeps a configuration from being used, each with the file it stands in; at least one thing, where it is an error.
#[derive(Clone, Debug, Default, Error, PartialEq, Eq)]
pub struct ConfigurationInvalid {
    context: String,
    problems: Vec<Problem>,
    /// The file of each problem; empty where it is not known.
    origins: Vec<String>,
}

impl ConfigurationInvalid {
    /// Nothing yet, of the context that was to be used.
    #[must_use]
    pub fn of_context(name: &str) -> Self {
        Self { context: name.to_owned(), ..Self::default() }
    }

    /// Adds what was found in an entry of the file `origin`.
    pub fn add(&mut self, origin: &str, problems: Vec<Problem>) {
        self.origins.extend(problems.iter().map(|_| origin.to_owned()));
        self.problems.extend(problems);
    }

    /// Nothing where there are no problems.
    ///
    /// # Errors
    /// Where there are.
    pub fn check(self) -> Result<(), Self> {
        if self.problems.is_empty() { Ok(()) } else { Err(self) }
    }

    /// What is wrong, in the order it was found.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Whether a context was asked for that there is not.
    #[must_use]
    pub fn is_context_not_found(&self) -> bool {
        self.problems.iter().any(|problem| matches!(problem, Problem::ContextNotFound(_) | Problem::NoContext))
    }

    /// Whether there is no configuration at all, and nothing else is wrong.
    #[must_use]
    pub fn is_empty_config(&self) -> bool {
        self.problems == [Problem::EmptyConfig]
    }
}

impl From<Problem> for ConfigurationInvalid {
    fn from(problem: Problem) -> Self {
        let mut found = Self::default();
        found.add("", vec![problem]);
        found
    }
}

impl fmt::Display for ConfigurationInvalid {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("invalid configuration")?;
        if !self.context.is_empty() {
            write!(formatter, " of the context \"{}\"", self.context)?;
        }
        for (index, (problem, origin)) in self.problems.iter().zip(&self.origins).enumerate() {
            write!(formatter, "{} {problem}", if index == 0 { ":" } else { ";" })?;
            if !origin.is_empty() {
                write!(formatter, " (in {origin})")?;
            }
        }
        Ok(())
    }
}
