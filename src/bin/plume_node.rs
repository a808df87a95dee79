//! The ROS 2 node: `plume_node [--ros-args …]`.

use clap::Parser;
use std::process::ExitCode;

/// Makes caves for robots on request: ROS 2 services, an action and latched topics under /plume.
///
/// Parameters are set as for every node: --ros-args -p output_root:=caves -p queue:=8
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// ROS 2's own arguments, from `--ros-args` on.
    #[arg(long, num_args = 0.., allow_hyphen_values = true, value_name = "ARGUMENT")]
    ros_args: Vec<String>,
}

fn main() -> ExitCode {
    // Checked here, read by ROS itself.
    let Arguments { ros_args: _ } = Arguments::parse();
    match plume::ros::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("plume_node: {error}");
            ExitCode::FAILURE
        }
    }
}
