//! The queue of caves: one is made at a time, a bounded number waits.

use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

/// Asks one job to stop; clones are the same token.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Asks the job to stop.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the job was asked to stop.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Why a job was not queued.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The name is in the queue already.
    #[error("cave {name:?} is being made by an earlier call; wait for it or choose another name")]
    SameName {
        /// Name of the cave.
        name: String,
    },
    /// Too many wait.
    #[error(
        "a cave is being made and {waiting} more wait, the most that parameter `queue` allows; \
         try again later"
    )]
    Full {
        /// Jobs that wait.
        waiting: usize,
    },
    /// The node ends.
    #[error("the node is shutting down")]
    Stopping,
}

/// What a job does. Called exactly once: with its token on the worker thread, or with a refusal
/// on the thread that submitted it. A job that finds its token set must only say so.
pub type Work = Box<dyn FnOnce(Result<&Cancel, Refusal>) + Send>;

struct Job {
    name: String,
    cancel: Cancel,
    work: Work,
}

#[derive(Default)]
struct State {
    running: Option<(String, Cancel)>,
    waiting: VecDeque<Job>,
    stopping: bool,
}

impl State {
    fn refusal(&self, name: &str, capacity: usize) -> Option<Refusal> {
        let running = self.running.iter().map(|(name, _)| name.as_str());
        let mut names = running.chain(self.waiting.iter().map(|job| job.name.as_str()));
        if self.stopping {
            Some(Refusal::Stopping)
        } else if names.any(|other| other == name) {
            Some(Refusal::SameName {
                name: name.to_owned(),
            })
        } else if self.waiting.len() + usize::from(self.running.is_some()) > capacity {
            let ahead = self.waiting.len() + usize::from(self.running.is_some());
            Some(Refusal::Full {
                waiting: ahead.saturating_sub(1),
            })
        } else {
            None
        }
    }
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Jobs never run under the lock, so a panic cannot leave the state half-changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A handle to the queue; clones share it.
#[derive(Clone)]
pub struct Queue {
    shared: Arc<Shared>,
}

/// The thread that does the jobs.
pub struct Worker {
    queue: Queue,
    ended: mpsc::Receiver<()>,
}

impl Queue {
    /// Starts the worker thread.
    ///
    /// # Errors
    /// When the system refuses a thread.
    pub fn start() -> io::Result<(Queue, Worker)> {
        let queue = Queue {
            shared: Arc::default(),
        };
        let (end, ended) = mpsc::channel();
        let shared = Arc::clone(&queue.shared);
        thread::Builder::new()
            .name("plume-job".to_owned())
            .spawn(move || {
                work(&shared);
                let _ = end.send(());
            })?;
        Ok((queue.clone(), Worker { queue, ended }))
    }

    /// Queues `work` under `name` behind at most `capacity` jobs, the running one not counted as waiting.
    pub fn submit(&self, name: &str, capacity: usize, work: Work) -> Cancel {
        let cancel = Cancel::default();
        let mut state = self.shared.lock();
        if let Some(refusal) = state.refusal(name, capacity) {
            drop(state);
            work(Err(refusal));
        } else {
            state.waiting.push_back(Job {
                name: name.to_owned(),
                cancel: cancel.clone(),
                work,
            });
            self.shared.changed.notify_all();
        }
        cancel
    }

    /// Asks a job to stop. One that still waits is ended here and now, on this thread.
    pub fn cancel(&self, cancel: &Cancel) {
        cancel.set();
        let waiting = {
            let mut state = self.shared.lock();
            let place = state
                .waiting
                .iter()
                .position(|job| job.cancel.is_same(cancel));
            place.and_then(|place| state.waiting.remove(place))
        };
        if let Some(job) = waiting {
            (job.work)(Ok(&job.cancel));
        }
    }
}

impl Worker {
    /// Refuses new jobs, cancels all others and waits for them to end; false when they did not.
    pub fn stop(self, patience: Duration) -> bool {
        {
            let mut state = self.queue.shared.lock();
            state.stopping = true;
            for cancel in state.waiting.iter().map(|job| &job.cancel) {
                cancel.set();
            }
            if let Some((_, cancel)) = &state.running {
                cancel.set();
            }
            self.queue.shared.changed.notify_all();
        }
        self.ended.recv_timeout(patience).is_ok()
    }
}

fn work(shared: &Shared) {
    loop {
        let job = {
            let mut state = shared.lock();
            state.running = None;
            loop {
                if let Some(job) = state.waiting.pop_front() {
                    state.running = Some((job.name.clone(), job.cancel.clone()));
                    break job;
                }
                if state.stopping {
                    return;
                }
                state = shared
                    .changed
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
            }
        };
        (job.work)(Ok(&job.cancel));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Receiver, Sender, channel};

    const LONG: Duration = Duration::from_secs(60);

    /// What became of a job: its name and whether it ran, was cancelled or refused.
    type Fate = (&'static str, Result<bool, Refusal>);

    /// Reports its fate once `gate` closes.
    fn gated(name: &'static str, fates: &Sender<Fate>, gate: Receiver<()>) -> Work {
        let fates = fates.clone();
        Box::new(move |start| {
            let _ = gate.recv();
            fates.send((name, start.map(Cancel::is_set))).unwrap();
        })
    }

    fn open(name: &'static str, fates: &Sender<Fate>) -> Work {
        gated(name, fates, channel().1)
    }

    #[test]
    fn jobs_run_in_order() {
        let (queue, worker) = Queue::start().unwrap();
        let (fates, seen) = channel();
        let (gate, closed) = channel();
        queue.submit("a", 4, gated("a", &fates, closed));
        queue.submit("b", 4, open("b", &fates));
        queue.submit("c", 4, open("c", &fates));
        drop(gate);
        let order: Vec<Fate> = seen.iter().take(3).collect();
        assert_eq!(
            order,
            [("a", Ok(false)), ("b", Ok(false)), ("c", Ok(false))]
        );
        assert!(worker.stop(LONG));
    }

    #[test]
    fn same_name_and_full_queue_are_refused() {
        let (queue, worker) = Queue::start().unwrap();
        let (fates, seen) = channel();
        let (gate, closed) = channel();
        queue.submit("a", 1, gated("a", &fates, closed));
        queue.submit("a", 1, open("a", &fates));
        assert_eq!(
            seen.recv().unwrap().1,
            Err(Refusal::SameName { name: "a".into() })
        );
        queue.submit("b", 1, open("b", &fates));
        queue.submit("b", 9, open("b", &fates));
        assert_eq!(
            seen.recv().unwrap().1,
            Err(Refusal::SameName { name: "b".into() })
        );
        queue.submit("c", 1, open("c", &fates));
        assert_eq!(
            seen.recv().unwrap(),
            ("c", Err(Refusal::Full { waiting: 1 }))
        );
        drop(gate);
        assert_eq!(seen.recv().unwrap(), ("a", Ok(false)));
        assert_eq!(seen.recv().unwrap(), ("b", Ok(false)));
        assert!(worker.stop(LONG));
    }

    #[test]
    fn a_waiting_job_is_cancelled_at_once() {
        let (queue, worker) = Queue::start().unwrap();
        let (fates, seen) = channel();
        let (gate, closed) = channel();
        queue.submit("a", 4, gated("a", &fates, closed));
        let waiting = queue.submit("b", 4, open("b", &fates));
        queue.cancel(&waiting);
        assert_eq!(seen.recv().unwrap(), ("b", Ok(true)));
        drop(gate);
        assert_eq!(seen.recv().unwrap(), ("a", Ok(false)));
        assert!(worker.stop(LONG));
    }

    #[test]
    fn stopping_cancels_all_and_refuses_more() {
        let (queue, worker) = Queue::start().unwrap();
        let (fates, seen) = channel();
        let (started, running) = channel();
        let fates_of_a = fates.clone();
        queue.submit(
            "a",
            4,
            Box::new(move |start| {
                started.send(()).unwrap();
                let cancel = start.unwrap();
                while !cancel.is_set() {
                    thread::yield_now();
                }
                fates_of_a.send(("a", Ok(true))).unwrap();
            }),
        );
        queue.submit("b", 4, open("b", &fates));
        running.recv().unwrap();
        assert!(worker.stop(LONG));
        assert_eq!(seen.recv().unwrap(), ("a", Ok(true)));
        assert_eq!(seen.recv().unwrap(), ("b", Ok(true)));
        queue.submit("c", 4, open("c", &fates));
        assert_eq!(seen.recv().unwrap(), ("c", Err(Refusal::Stopping)));
    }
}
