//! `plume verify`.

use crate::failure::Failure;
use crate::output::print;
use clap::Args;
use plume::model;
use std::path::PathBuf;

#[derive(Args)]
pub struct Verify {
    /// Folder of the model
    pub model: PathBuf,
}

/// Checks a model against its manifest and lists what is wrong.
pub fn run(args: &Verify) -> Result<(), Failure> {
    let shown = args.model.display();
    let report = model::verify(&args.model).map_err(|error| match error.is_bad_input() {
        true => Failure::BadInput(error.to_string()),
        false => Failure::Failed(error.to_string()),
    })?;
    if report.problems.is_empty() {
        return print(&format!(
            "{shown}: {} files checked, all good\n",
            report.checked
        ));
    }
    print(&format!("{}\n", report.problems.join("\n")))?;
    let count = report.problems.len();
    Err(Failure::Failed(format!(
        "{shown}: {count} problems in {} files",
        report.checked
    )))
}
