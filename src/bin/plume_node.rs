//! The ROS 2 node: `plume_node [--ros-args …]`.

use clap::Parser;
use std::process::ExitCode;

/// Makes caves for robots on request: ROS 2 services, an action and latched topics under /plume.
///
/// Parameters are set as for every node: --ros-args -p output_root:=caves -p queue:=8
#[derive(Parser)]
#[command(version)]
struct Arguments {}

fn main() -> ExitCode {
    Arguments::parse_from(without_ros_arguments(std::env::args()));
    match plume::ros::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("plume_node: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Drops what ROS itself reads: from each `--ros-args` to the next `--` or the end.
fn without_ros_arguments(arguments: impl Iterator<Item = String>) -> Vec<String> {
    let mut is_ros = false;
    let is_ours = |argument: &String| {
        let was_ros = is_ros;
        is_ros = if is_ros {
            argument != "--"
        } else {
            argument == "--ros-args"
        };
        !was_ros && !is_ros
    };
    arguments.filter(is_ours).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ros_arguments_are_not_ours() {
        let ours = |line: &str| without_ros_arguments(line.split(' ').map(str::to_owned)).join(" ");
        assert_eq!(ours("node --ros-args -p a:=1 -r __ns:=/x"), "node");
        assert_eq!(
            ours("node -V --ros-args -p a:=1 -- --help"),
            "node -V --help"
        );
        assert_eq!(ours("node --ros-args -- --ros-args -p a:=1"), "node");
        assert_eq!(ours("node --version"), "node --version");
    }
}
