//! Why a command did not do what it was asked, and the exit code for that.

use plume::{config, pipeline};
use std::io::{self, Write};
use std::process::ExitCode;

/// Why a command stopped.
#[derive(Debug)]
pub enum Failure {
    /// The input can never work: exit code 2.
    BadInput(String),
    /// Stopped by a signal: exit code 1.
    Cancelled,
    /// Anything else: exit code 1.
    Failed(String),
    /// The reader of stdout is gone (`plume config | head`); nothing to say, exit code 0.
    ReaderGone,
}

impl Failure {
    /// Tells the user, once.
    pub fn report(self) -> ExitCode {
        let (message, code) = match self {
            Failure::BadInput(message) => (format!("error: {message}"), 2),
            Failure::Failed(message) => (format!("error: {message}"), 1),
            Failure::Cancelled => ("cancelled; nothing was written".to_owned(), 1),
            Failure::ReaderGone => return ExitCode::SUCCESS,
        };
        // With stderr closed there is nobody left to tell.
        let _ = writeln!(io::stderr(), "{message}");
        ExitCode::from(code)
    }
}

impl From<config::Error> for Failure {
    fn from(error: config::Error) -> Self {
        Failure::BadInput(error.to_string())
    }
}

impl From<pipeline::Error> for Failure {
    fn from(error: pipeline::Error) -> Self {
        match error {
            pipeline::Error::BadInput(_) => Failure::BadInput(error.to_string()),
            pipeline::Error::Cancelled(_) => Failure::Cancelled,
            pipeline::Error::Failed(_) => Failure::Failed(error.to_string()),
        }
    }
}
