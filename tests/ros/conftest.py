"""Fixtures: an isolated ROS domain, the real node as a process, and a client of it."""

import fcntl
import os
import random
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

# Generous limits: they end a hanging test, they measure nothing.
DISCOVERY_S = 60.0
ANSWER_S = 300.0

SMALL = "skeleton: {nodes: 8}\ntexture: {size_px: 256}\n"
# Long enough to be still at work whatever else happens in a test, which then cancels it.
LARGE = "skeleton: {nodes: 400}\ntexture: {size_px: 4096}\n"


def claim_domain() -> tuple[int, object]:
    """Find a ROS domain that no other test run and no other program on this machine uses."""
    domains = list(range(1, 102))
    random.shuffle(domains)
    for domain in domains:
        path = Path(tempfile.gettempdir(), f"plume_ros_domain_{domain}.{os.getuid()}")
        lock = path.open("w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            continue
        # Where DDS's first participant of a domain listens (RTPS 2.2, 9.6.1.1).
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.bind(("", 7400 + 250 * domain + 10))
            except OSError:
                lock.close()
                continue
        return domain, lock
    raise RuntimeError("all ROS domains from 1 to 101 are in use")


_DOMAIN, _DOMAIN_LOCK = claim_domain()
os.environ["ROS_DOMAIN_ID"] = str(_DOMAIN)
os.environ["ROS_AUTOMATIC_DISCOVERY_RANGE"] = "LOCALHOST"
os.environ.pop("ROS_LOCALHOST_ONLY", None)

# ROS reads the domain when it is imported and initialised.
import rclpy  # noqa: E402
from plume_interfaces.action import GenerateCave  # noqa: E402
from plume_interfaces.srv import Generate  # noqa: E402
from rclpy.action import ActionClient  # noqa: E402
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy  # noqa: E402


def node_binary() -> Path:
    """Give the node to be tested."""
    named = os.environ.get("PLUME_NODE")
    root = Path(__file__).resolve().parents[2]
    candidates = [root / "target" / profile / "plume_node" for profile in ("debug", "release")]
    for candidate in [Path(named)] if named else candidates:
        if candidate.is_file():
            return candidate
    raise RuntimeError("plume_node is not built; build it or name it in PLUME_NODE")


@dataclass
class PlumeNode:
    """A running plume_node in a ROS namespace of its own."""

    namespace: str
    output_root: Path
    process: subprocess.Popen
    log: Path

    def name(self, relative: str) -> str:
        """Give the full name of one of the node's services or topics."""
        return f"{self.namespace}/plume/{relative}"

    def models(self) -> list[str]:
        """List what lies under the output root, hidden files too."""
        if not self.output_root.exists():
            return []
        return sorted(entry.name for entry in self.output_root.iterdir())


def start_node(folder: Path, namespace: str, *arguments: str) -> PlumeNode:
    """Start plume_node; whoever starts it stops it."""
    output_root = folder / "caves"
    log = folder / "node.log"
    remap = ["-r", f"__ns:={namespace}"] if namespace else []
    command = [node_binary(), *arguments, "--ros-args", *remap]
    with log.open("w") as sink:
        process = subprocess.Popen(
            [*command, "-p", f"output_root:='{output_root}'"],
            stdout=sink,
            stderr=subprocess.STDOUT,
            cwd=folder,
        )
    return PlumeNode(namespace, output_root, process, log)


def stop_node(node: PlumeNode) -> None:
    """End the node's process and wait for it."""
    if node.process.poll() is None:
        node.process.terminate()
        try:
            node.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            node.process.kill()
            node.process.wait()


@dataclass
class Client:
    """A rclpy node that talks to one plume_node."""

    ros: rclpy.node.Node
    plume: PlumeNode
    feedback: list = field(default_factory=list)
    clients: dict = field(default_factory=dict)
    caves: ActionClient = field(init=False)

    def __post_init__(self):
        """Make the client of the action."""
        self.caves = ActionClient(self.ros, GenerateCave, self.plume.name("generate_cave"))

    def spin_until(self, condition: Callable[[], bool], what: str, timeout: float = ANSWER_S):
        """Handle messages until `condition` holds."""
        deadline = self.ros.get_clock().now().nanoseconds + int(timeout * 1e9)
        while not condition():
            assert self.ros.get_clock().now().nanoseconds < deadline, f"waited in vain for {what}"
            assert self.plume.process.poll() is None, self.plume.log.read_text()
            rclpy.spin_once(self.ros, timeout_sec=0.1)

    def wait(self, future, what: str):
        """Wait for a future and give its result."""
        self.spin_until(future.done, what)
        return future.result()

    def call_async(self, service_type, relative: str, request):
        """Send a request once the service is there."""
        client = self.clients.get(relative)
        if client is None:
            client = self.ros.create_client(service_type, self.plume.name(relative))
            self.clients[relative] = client
        self.spin_until(client.service_is_ready, f"service {relative}", DISCOVERY_S)
        return client.call_async(request)

    def call(self, service_type, relative: str, request):
        """Call a service."""
        return self.wait(self.call_async(service_type, relative, request), f"answer of {relative}")

    def generate(self, name: str, config_yaml: str = SMALL, **fields) -> Generate.Response:
        """Call `generate`."""
        request = Generate.Request(name=name, config_yaml=config_yaml, **fields)
        return self.call(Generate, "generate", request)

    def start_cave(self, name: str, config_yaml: str = LARGE):
        """Send a goal and return its handle once the cave is being made."""
        self.feedback.clear()
        self.spin_until(self.caves.server_is_ready, "action generate_cave", DISCOVERY_S)
        goal = GenerateCave.Goal(name=name, config_yaml=config_yaml)
        handle = self.wait(
            self.caves.send_goal_async(goal, feedback_callback=self.feedback.append), "acceptance"
        )
        assert handle.accepted
        result = handle.get_result_async()
        self.spin_until(lambda: self.stages() or result.done(), "feedback")
        assert self.stages(), result.result().result.message
        return handle, result

    def stages(self) -> list[str]:
        """List the stages that the last goal went through so far."""
        stages = (message.feedback.stage for message in self.feedback)
        return [stage for stage in dict.fromkeys(stages) if stage != "queued"]

    def latched(self, message_type, relative: str):
        """Subscribe now, as a late joiner, and give the message that is kept."""
        received = []
        qos = QoSProfile(
            depth=1,
            reliability=ReliabilityPolicy.RELIABLE,
            durability=DurabilityPolicy.TRANSIENT_LOCAL,
        )
        subscription = self.ros.create_subscription(
            message_type, self.plume.name(relative), received.append, qos
        )
        self.spin_until(lambda: received, f"topic {relative}", DISCOVERY_S)
        self.ros.destroy_subscription(subscription)
        return received[-1]


@pytest.fixture(scope="session", autouse=True)
def ros() -> Iterator[None]:
    """Initialise rclpy once."""
    rclpy.init()
    yield
    rclpy.try_shutdown()


def connect(node: PlumeNode) -> Iterator[Client]:
    """Make a client of a node and take it down afterwards."""
    ros_node = rclpy.create_node(f"test_{node.namespace.strip('/') or 'root'}")
    client = Client(ros_node, node)
    yield client
    client.caves.destroy()
    ros_node.destroy_node()


@pytest.fixture(scope="session")
def shared_node(tmp_path_factory) -> Iterator[PlumeNode]:
    """Give a node without a namespace, as users start it, for all tests that leave it running."""
    node = start_node(tmp_path_factory.mktemp("shared"), "")
    yield node
    stop_node(node)


@pytest.fixture(scope="session")
def client(shared_node) -> Iterator[Client]:
    """Give a client of the shared node."""
    yield from connect(shared_node)


@pytest.fixture
def own_node(tmp_path, request) -> Iterator[PlumeNode]:
    """Give a node of this test's own, which it may end."""
    namespace = "/n_" + "".join(c if c.isalnum() else "_" for c in request.node.name)
    node = start_node(tmp_path, namespace)
    yield node
    stop_node(node)


@pytest.fixture
def own_client(own_node) -> Iterator[Client]:
    """Give a client of the test's own node."""
    yield from connect(own_node)
