//! Results on stdout.

use crate::failure::Failure;
use serde::Serialize;
use std::io::{self, ErrorKind, Write};

/// Prints `text` as it is.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    let written = stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush());
    written.map_err(|error| match error.kind() {
        ErrorKind::BrokenPipe => Failure::ReaderGone,
        _ => Failure::Failed(format!("cannot write to stdout: {error}")),
    })
}

/// Prints `value` as one line of JSON.
pub fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let json = serde_json::to_string(value)
        .map_err(|error| Failure::Failed(format!("cannot write the summary: {error}")))?;
    print(&format!("{json}\n"))
}
