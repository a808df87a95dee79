"""Start the plume node: `ros2 launch plume plume.launch.py output_root:=$HOME/caves`."""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue

ARGUMENTS = [
    DeclareLaunchArgument(
        "output_root",
        default_value="~/.local/share/plume",
        description="Folder under which models are made; ~/ is the home folder.",
    ),
    DeclareLaunchArgument(
        "frame_id", default_value="map", description="Frame of everything published."
    ),
    DeclareLaunchArgument(
        "preset", default_value="leo_cave", description="Preset of calls that name none."
    ),
    DeclareLaunchArgument(
        "map_level", default_value="0", description="Level shown on /plume/map, 0 to 63."
    ),
    DeclareLaunchArgument(
        "queue", default_value="4", description="Caves that may wait while one is made, 0 to 64."
    ),
    DeclareLaunchArgument(
        "use_sim_time", default_value="false", description="Stamp messages with the time of /clock."
    ),
]


def parameter(name: str, value_type: type) -> ParameterValue:
    """Pass a launch argument on as a parameter of a fixed type, whatever it looks like."""
    return ParameterValue(LaunchConfiguration(name), value_type=value_type)


def generate_launch_description() -> LaunchDescription:
    """Describe one node."""
    node = Node(
        package="plume",
        executable="plume_node",
        name="plume",
        output="screen",
        parameters=[
            {
                "output_root": parameter("output_root", str),
                "frame_id": parameter("frame_id", str),
                "preset": parameter("preset", str),
                "map_level": parameter("map_level", int),
                "queue": parameter("queue", int),
                "use_sim_time": parameter("use_sim_time", bool),
            }
        ],
    )
    return LaunchDescription([*ARGUMENTS, node])
