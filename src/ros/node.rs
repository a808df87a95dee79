//! The node's life: start, serve, stop.

use super::action;
use super::generate::{Generator, Goal, Outcome};
use super::jobs::Queue;
use super::parameters::{self, Parameters};
use super::topics::Topics;
use super::{Error, log};
use futures::{Stream, StreamExt};
use r2r::plume_interfaces::action::GenerateCave;
use r2r::plume_interfaces::srv::Generate;
use r2r::rcl_interfaces::msg::ParameterEvent;
use r2r::{Clock, Context, Node, ParameterValue, Publisher, QosProfile, ServiceRequest};
use std::future::Future;
use std::panic::catch_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tokio::signal::unix::{SignalKind, signal};

/// Longest wait of one spin.
const SPIN: Duration = Duration::from_millis(20);
/// A spin that returns sooner has found nothing to wait for, or an expired goal.
const SPUN_TOO_SOON: Duration = Duration::from_millis(1);
/// Pause after such a spin.
const SPIN_PAUSE: Duration = Duration::from_millis(2);
/// How long the running cave may take to stop; the node has two seconds in all.
const STOP_PATIENCE: Duration = Duration::from_millis(1500);

/// The usual depth of ten would lose calls of a burst without a word.
const CALLS: QosProfile = QosProfile {
    depth: 100,
    ..QosProfile::services_default()
};

/// Runs the node until SIGINT or SIGTERM.
///
/// ROS's own arguments (`--ros-args …`) are taken from the process's.
///
/// # Errors
/// When the node cannot start, or when it had to leave a cave that would not stop.
pub fn run() -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .thread_name("plume-serve")
        .enable_all()
        .build()?;
    let outcome = runtime.block_on(serve());
    // Tasks wait for streams that are gone; nothing is lost by not waiting for them.
    runtime.shutdown_background();
    outcome
}

async fn serve() -> Result<(), Error> {
    // First of all, so that a signal during the start is not lost.
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hang_up = signal(SignalKind::hangup())?;

    let mut node = Node::create(context()?, "plume", "")?;
    log::init();
    let parameters = Arc::new(Mutex::new(Parameters::default()));
    let (answer_parameters, changes) = node
        .make_derived_parameter_handler(parameters.clone())
        .map_err(Error::Parameter)?;
    let announcements =
        node.create_publisher("/parameter_events", QosProfile::parameter_events())?;
    let requests = node.create_service::<Generate::Service>("~/generate", CALLS)?;
    let goals = node.create_action_server::<GenerateCave::Action>("~/generate_cave")?;
    let topics = Arc::new(Mutex::new(Topics::new(&mut node)?));
    let (clock, name) = (node.get_ros_clock(), node.fully_qualified_name()?);

    let (queue, worker) = Queue::start()?;
    let generator = Arc::new(Generator {
        queue,
        topics,
        parameters: Arc::clone(&parameters),
    });
    tokio::spawn(answer_parameters);
    tokio::spawn(announce(changes, announcements, name, clock));
    tokio::spawn(answer(requests, Arc::clone(&generator)));
    tokio::spawn(action::serve(goals, generator));
    let spinning = Spinner::start(node)?;

    let root = parameters
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .output_root();
    // What a killed run left behind; a root that does not exist yet has nothing.
    if let Ok(removed) = crate::model::clean_stale(&root) {
        for folder in removed {
            tracing::info!(
                "removed {}, left by a run that was killed",
                folder.display()
            );
        }
    }
    tracing::info!("ready; models go to {}", root.display());
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
        _ = hang_up.recv() => {}
    }
    tracing::info!("shutting down");
    let stopped = tokio::task::spawn_blocking(move || worker.stop(STOP_PATIENCE)).await;
    spinning.stop();
    if stopped.unwrap_or(false) {
        Ok(())
    } else {
        Err(Error::Stuck(STOP_PATIENCE))
    }
}

/// r2r panics on arguments that ROS does not understand.
fn context() -> Result<Context, Error> {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let created = catch_unwind(Context::create);
    std::panic::set_hook(hook);
    match created {
        Ok(context) => Ok(context?),
        Err(panic) => {
            let reason = panic.downcast_ref::<String>().cloned();
            Err(Error::Arguments(
                reason.unwrap_or_else(|| "unknown reason".to_owned()),
            ))
        }
    }
}

/// Answers calls of `generate`.
async fn answer(
    mut requests: impl Stream<Item = ServiceRequest<Generate::Service>> + Unpin,
    generator: Arc<Generator>,
) {
    // r2r keeps ten requests and drops the rest: nothing here may wait.
    while let Some(request) = requests.next().await {
        let goal = Goal::from(&request.message);
        generator.submit(goal, None, move |outcome: Outcome| {
            if let Err(error) = request.respond(outcome.into()) {
                tracing::warn!("an answer could not be sent: {error}");
            }
        });
    }
}

/// Tells the world of changed parameters, which r2r leaves to the node.
fn announce(
    changes: impl Stream<Item = (String, ParameterValue)> + Send,
    announcements: Publisher<ParameterEvent>,
    node: String,
    clock: Arc<Mutex<Clock>>,
) -> impl Future<Output = ()> + Send {
    changes.for_each(move |(name, value)| {
        let now = clock
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get_now();
        let event = ParameterEvent {
            stamp: Clock::to_builtin_time(&now.unwrap_or_default()),
            node: node.clone(),
            changed_parameters: vec![parameters::to_msg(&name, &value)],
            ..ParameterEvent::default()
        };
        tracing::info!("parameter {name} changed");
        if let Err(error) = announcements.publish(&event) {
            tracing::warn!("the change of parameter {name} could not be published: {error}");
        }
        futures::future::ready(())
    })
}

/// The thread that owns the node; `spin_once` blocks.
struct Spinner {
    stop: Arc<AtomicBool>,
    thread: thread::JoinHandle<()>,
}

impl Spinner {
    fn start(mut node: Node) -> std::io::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let thread = thread::Builder::new()
            .name("plume-spin".to_owned())
            .spawn(move || {
                while !stopped.load(Ordering::Relaxed) {
                    let started = Instant::now();
                    node.spin_once(SPIN);
                    if started.elapsed() < SPUN_TOO_SOON {
                        thread::sleep(SPIN_PAUSE);
                    }
                }
            })?;
        Ok(Self { stop, thread })
    }

    /// Ends the thread and the node with it.
    fn stop(self) {
        self.stop.store(true, Ordering::Relaxed);
        if self.thread.join().is_err() {
            tracing::error!("the ROS thread had panicked");
        }
    }
}
