//! One cave, from a call's words to its answer.

use super::convert;
use super::jobs::{Cancel, Queue};
use super::parameters::Parameters;
use super::topics::Topics;
use crate::config;
use crate::model;
use crate::pipeline::{self, Cave, Request, Until};
use crate::progress::{Observer, Stage};
use r2r::plume_interfaces::action::GenerateCave;
use r2r::plume_interfaces::msg::CaveSummary;
use r2r::plume_interfaces::srv::Generate;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What a call asks for.
#[derive(Clone, Debug, Default)]
pub struct Goal {
    /// Name of the model.
    pub name: String,
    /// Seed.
    pub seed: u64,
    /// Preset; empty for the parameter's.
    pub preset: String,
    /// YAML with changed keys; empty for none.
    pub config_yaml: String,
    /// Whether to put it into a simulator.
    pub spawn: bool,
}

impl From<&Generate::Request> for Goal {
    fn from(request: &Generate::Request) -> Self {
        Self {
            name: request.name.clone(),
            seed: request.seed,
            preset: request.preset.clone(),
            config_yaml: request.config_yaml.clone(),
            spawn: request.spawn,
        }
    }
}

impl From<&GenerateCave::Goal> for Goal {
    fn from(goal: &GenerateCave::Goal) -> Self {
        Self {
            name: goal.name.clone(),
            seed: goal.seed,
            preset: goal.preset.clone(),
            config_yaml: goal.config_yaml.clone(),
            spawn: goal.spawn,
        }
    }
}

/// The answer to a call.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Whether the model is there.
    pub success: bool,
    /// Why not, or what else there is to say.
    pub message: String,
    /// Folder of the model.
    pub model_path: String,
    /// World file.
    pub world_path: String,
    /// Figures.
    pub summary: CaveSummary,
}

impl Outcome {
    fn failure(message: &str) -> Self {
        // A ROS string ends at its first NUL, and r2r panics on one.
        Self {
            message: message.replace('\0', "\\0"),
            ..Self::default()
        }
    }
}

impl From<Outcome> for Generate::Response {
    fn from(outcome: Outcome) -> Self {
        let Outcome {
            success,
            message,
            model_path,
            world_path,
            summary,
        } = outcome;
        Self {
            success,
            message,
            model_path,
            world_path,
            summary,
        }
    }
}

impl From<Outcome> for GenerateCave::Result {
    fn from(outcome: Outcome) -> Self {
        let Outcome {
            success,
            message,
            model_path,
            world_path,
            summary,
        } = outcome;
        Self {
            success,
            message,
            model_path,
            world_path,
            summary,
        }
    }
}

/// Told of `done` of `total` units of a stage, from any thread; must return at once.
pub type Feedback = Box<dyn Fn(Stage, u64, u64) + Send + Sync>;

/// Makes caves for every kind of call.
pub struct Generator {
    /// Caves being made and waiting.
    pub queue: Queue,
    /// Where the last one is shown.
    pub topics: Arc<Mutex<Topics>>,
    /// As they are now.
    pub parameters: Arc<Mutex<Parameters>>,
}

impl Generator {
    /// Checks and queues a call and returns at once; `answer` is called exactly once, on the
    /// worker thread, or on this one when the call is refused.
    pub fn submit(
        &self,
        goal: Goal,
        feedback: Option<Feedback>,
        answer: impl FnOnce(Outcome) + Send + 'static,
    ) -> Cancel {
        let parameters = self
            .parameters
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let request = match prepare(&goal, &parameters) {
            Ok(request) => request,
            Err(message) => {
                tracing::warn!("cave {:?} refused: {message}", goal.name);
                answer(Outcome::failure(&message));
                return Cancel::default();
            }
        };
        let topics = Arc::clone(&self.topics);
        let capacity = parameters.queue;
        let name = request.name.clone();
        let work = move |start: Result<&Cancel, super::jobs::Refusal>| match start {
            Ok(cancel) => {
                let watch = Watch::new(&request.name, cancel, feedback);
                answer(make(&request, &goal, &parameters, &watch, &topics));
            }
            Err(refusal) => {
                tracing::warn!("cave {:?} refused: {refusal}", goal.name);
                answer(Outcome::failure(&refusal.to_string()));
            }
        };
        self.queue.submit(&name, capacity, Box::new(work))
    }
}

/// The pipeline's request, or why there is none.
fn prepare(goal: &Goal, parameters: &Parameters) -> Result<Request, String> {
    model::check_name(&goal.name).map_err(|error| error.to_string())?;
    let preset = if goal.preset.is_empty() {
        &parameters.preset
    } else {
        &goal.preset
    };
    let text = Some(goal.config_yaml.as_str()).filter(|text| !text.trim().is_empty());
    let mut config = config::resolve(
        Some(preset),
        None,
        text.map(|text| ("config_yaml", text)),
        &[],
    )
    .map_err(|error| error.to_string())?;
    config.seed = goal.seed;
    Ok(Request {
        name: goal.name.clone(),
        config,
        out: parameters.output_root(),
        graph: None,
        until: Until::Model,
        threads: None,
    })
}

fn make(
    request: &Request,
    goal: &Goal,
    parameters: &Parameters,
    watch: &Watch,
    topics: &Mutex<Topics>,
) -> Outcome {
    if watch.is_cancelled() {
        tracing::info!("cave {:?} cancelled before it began", request.name);
        return Outcome::failure("cancelled");
    }
    tracing::info!("cave {:?}: seed {}", request.name, request.config.seed);
    // A panic is a bug of ours, but no reason to leave the caller without an answer.
    let result = catch_unwind(AssertUnwindSafe(|| pipeline::run(request, watch)));
    let cave = match result {
        Ok(Ok(cave)) => cave,
        Ok(Err(error)) => {
            tracing::warn!("cave {:?}: {error}", request.name);
            return Outcome::failure(&error.to_string());
        }
        Err(panic) => {
            let message = format!(
                "internal error, please report it: {}",
                panic_message(&*panic)
            );
            tracing::error!("cave {:?}: {message}", request.name);
            return Outcome::failure(&message);
        }
    };
    let mut message = praise(&cave);
    tracing::info!("{message}");
    let topics = topics.lock().unwrap_or_else(PoisonError::into_inner);
    if let Err(error) = topics.publish(&cave, &parameters.frame_id, parameters.map_level) {
        tracing::warn!("cave {:?} could not be published: {error}", request.name);
        message += &format!("; its topics could not be published: {error}");
    }
    if goal.spawn {
        message += "; the model was written but not spawned: no simulator support is built in yet";
    }
    Outcome {
        success: true,
        message,
        model_path: cave.summary.model_path.display().to_string(),
        world_path: cave.summary.world_path.display().to_string(),
        summary: convert::summary(&cave.summary),
    }
}

fn praise(cave: &Cave) -> String {
    let s = &cave.summary;
    format!(
        "cave {:?}: {} nodes, {:.0} m, {} triangles in {} chunks, made in {:.1} s",
        s.name, s.nodes, s.length_m, s.visual_triangles, s.chunks, s.seconds
    )
}

fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}

/// The pipeline's view of a call: logs each stage once, passes progress on, hears of cancellation.
struct Watch<'a> {
    name: &'a str,
    cancel: &'a Cancel,
    feedback: Option<Feedback>,
    /// Stages that were logged, a bit each.
    seen: AtomicU8,
}

impl<'a> Watch<'a> {
    fn new(name: &'a str, cancel: &'a Cancel, feedback: Option<Feedback>) -> Self {
        Self {
            name,
            cancel,
            feedback,
            seen: AtomicU8::new(0),
        }
    }
}

impl Observer for Watch<'_> {
    fn progress(&self, stage: Stage, done: u64, total: u64) {
        let bit = 1 << stage as u8;
        if self.seen.fetch_or(bit, Ordering::Relaxed) & bit == 0 {
            tracing::info!("cave {:?}: {stage}", self.name);
        }
        if let Some(feedback) = &self.feedback {
            feedback(stage, done, total);
        }
    }

    fn note(&self, line: &str) {
        tracing::info!("cave {:?}: {line}", self.name);
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.is_set()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn goal(name: &str, config_yaml: &str) -> Goal {
        Goal {
            name: name.to_owned(),
            seed: 7,
            config_yaml: config_yaml.to_owned(),
            ..Goal::default()
        }
    }

    #[test]
    fn a_call_becomes_a_request_below_the_output_root() {
        let parameters = Parameters {
            output_root: "/caves".to_owned(),
            ..Parameters::default()
        };
        let request = prepare(&goal("demo", "skeleton: {nodes: 8}"), &parameters).unwrap();
        assert_eq!(request.config.seed, 7);
        assert_eq!(request.config.skeleton.nodes, 8);
        assert_eq!(request.out, std::path::Path::new("/caves"));
        assert_eq!(request.until, Until::Model);
    }

    #[test]
    fn bad_words_are_refused_with_the_reason() {
        let parameters = Parameters::default();
        for name in ["", "..", "a/b", "-a", "a\nb", &"x".repeat(101)] {
            assert!(prepare(&goal(name, ""), &parameters).is_err(), "{name:?}");
        }
        let error = prepare(&goal("a", "skeleton: ["), &parameters).unwrap_err();
        assert!(error.contains("config_yaml"), "{error}");
        let error = prepare(
            &Goal {
                preset: "nope".into(),
                ..goal("a", "")
            },
            &parameters,
        );
        assert!(error.unwrap_err().contains("nope"));
    }

    #[test]
    fn answers_hold_no_nul() {
        assert_eq!(Outcome::failure("a\0b").message, "a\\0b");
    }
}
