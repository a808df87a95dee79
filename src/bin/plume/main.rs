//! The `plume` command line.
fn main() {}
