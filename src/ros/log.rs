//! Log lines in ROS's form: on the console, in `~/.ros/log` and on `/rosout`, at the level that
//! `--ros-args --log-level` sets.

use std::fmt::{self, Write as _};
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;

/// Name of the logger.
const LOGGER: &str = "plume";

/// Sends what the library and r2r log to ROS. Does nothing when a subscriber is there already.
pub fn init() {
    // ROS filters further, by `--log-level`.
    let layer = RosLayer.with_filter(LevelFilter::DEBUG);
    let subscriber = tracing_subscriber::registry().with(layer);
    // Also takes in the `log` crate's records, on which r2r reports requests that it drops.
    let _ = subscriber.try_init();
}

struct RosLayer;

impl<S: Subscriber> Layer<S> for RosLayer {
    fn on_event(&self, event: &Event<'_>, _context: Context<'_, S>) {
        let mut line = Line::default();
        event.record(&mut line);
        // ROS takes C strings.
        let text = line.0.replace('\0', "\\0");
        match *event.metadata().level() {
            Level::ERROR => r2r::log_error!(LOGGER, "{text}"),
            Level::WARN => r2r::log_warn!(LOGGER, "{text}"),
            Level::INFO => r2r::log_info!(LOGGER, "{text}"),
            Level::DEBUG | Level::TRACE => r2r::log_debug!(LOGGER, "{text}"),
        }
    }
}

/// The message, then the other fields.
#[derive(Default)]
struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        // Writing to a string cannot fail.
        let _ = match field.name() {
            "message" => write!(self.0, "{value:?}"),
            name if name.starts_with("log.") => Ok(()),
            name => write!(self.0, " {name}={value:?}"),
        };
    }
}
