//! The action `generate_cave`: a call with progress and cancellation.
//!
//! Every goal is accepted, so that a refusal can carry its reason in the result (status aborted).

use super::generate::{Feedback, Generator, Goal, Outcome};
use super::jobs::Cancel;
use futures::{Stream, StreamExt};
use r2r::plume_interfaces::action::GenerateCave;
use r2r::{ActionServerCancelRequest, ActionServerGoal, ActionServerGoalRequest};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

type Goals = ActionServerGoalRequest<GenerateCave::Action>;
type Handle = ActionServerGoal<GenerateCave::Action>;

/// Shortest time between two feedback messages, but for the first of a stage.
const FEEDBACK_PERIOD: Duration = Duration::from_millis(100);
/// Longest wait for ROS to hear of an accepted cancellation, many times a spin's length.
const CANCEL_PATIENCE: Duration = Duration::from_secs(1);

/// Serves goals until the node ends.
pub async fn serve(mut goals: impl Stream<Item = Goals> + Unpin, generator: Arc<Generator>) {
    // r2r keeps ten requests and drops the rest: nothing here may wait.
    while let Some(request) = goals.next().await {
        match request.accept() {
            Ok((handle, cancels)) => start(handle, cancels, &generator),
            Err(error) => tracing::warn!("a goal could not be accepted: {error}"),
        }
    }
}

fn start(
    handle: Handle,
    mut cancels: impl Stream<Item = ActionServerCancelRequest> + Unpin + Send + 'static,
    generator: &Arc<Generator>,
) {
    let goal = Goal::from(&handle.goal);
    // Errors mean that nobody listens.
    let _ = handle.publish_feedback(GenerateCave::Feedback {
        stage: "queued".to_owned(),
        ..GenerateCave::Feedback::default()
    });
    let cancelled = Arc::new(AtomicBool::new(false));
    let feedback = feedback(handle.clone());
    let finish = {
        let cancelled = Arc::clone(&cancelled);
        move |outcome| finish(handle, outcome, &cancelled)
    };
    let job: Cancel = generator.submit(goal, Some(feedback), finish);
    let generator = Arc::clone(generator);
    tokio::spawn(async move {
        while let Some(request) = cancels.next().await {
            // Before `accept`: a job that ends in between must end as cancelled.
            cancelled.store(true, Ordering::SeqCst);
            request.accept();
            let (generator, job) = (Arc::clone(&generator), job.clone());
            // Ending a job that waits sends its result.
            tokio::task::spawn_blocking(move || generator.queue.cancel(&job));
        }
    });
}

/// When feedback was last sent, and of which stages, a bit each.
struct Sender {
    seen: u8,
    last: Instant,
    handle: Handle,
}

fn feedback(handle: Handle) -> Feedback {
    let sender = Mutex::new(Sender {
        seen: 0,
        last: Instant::now(),
        handle,
    });
    Box::new(move |stage, done, total| {
        // While another thread sends there is no need to.
        let Ok(mut sender) = sender.try_lock() else {
            return;
        };
        let bit = 1 << stage as u8;
        if sender.seen & bit != 0 && sender.last.elapsed() < FEEDBACK_PERIOD {
            return;
        }
        sender.seen |= bit;
        sender.last = Instant::now();
        // Errors mean that nobody listens any more.
        let _ = sender.handle.publish_feedback(GenerateCave::Feedback {
            stage: stage.name().to_owned(),
            progress: if total == 0 {
                0.0
            } else {
                done as f32 / total as f32
            },
            done: u32::try_from(done).unwrap_or(u32::MAX),
            total: u32::try_from(total).unwrap_or(u32::MAX),
        });
    })
}

/// Sends the result, on a thread that may wait.
fn finish(mut handle: Handle, outcome: Outcome, cancelled: &AtomicBool) {
    let success = outcome.success;
    let result = GenerateCave::Result::from(outcome);
    let sent = if cancelled.load(Ordering::SeqCst) {
        // r2r carries out an accepted cancellation at its next spin; a result sent before would
        // leave the goal in state `executing` for ever. Once carried out it forgets the goal and
        // `is_cancelling` is an error; from then on only `cancel` works.
        let accepted = Instant::now();
        while handle.is_cancelling().is_ok() && accepted.elapsed() < CANCEL_PATIENCE {
            std::thread::sleep(Duration::from_millis(2));
        }
        handle.cancel(result)
    } else if success {
        handle.succeed(result)
    } else {
        handle.abort(result)
    };
    if let Err(error) = sent {
        tracing::warn!("a result could not be sent: {error}");
    }
}
