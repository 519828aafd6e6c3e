//! SIGTERM and SIGHUP: what was logged is written before the process dies of them.
//!
//! The handler only wakes a thread, which writes and then lets the signal do what it always does.
//! Signals that the program handles or ignores itself are left alone.
#![allow(unsafe_code)] // Signals have no safe interface; each use says why it is sound.

use std::io::{PipeReader, Read, pipe};
use std::os::fd::IntoRawFd;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use signal_hook::consts::{SIGHUP, SIGTERM};
use signal_hook::low_level;

use super::process::Process;

/// A disk that hangs must not keep a process alive that should end.
const STALL: Duration = Duration::from_secs(3);
/// Nor must many pictures; most schedulers wait for 30 s before they kill.
const LIMIT: Duration = Duration::from_secs(20);

/// What we listen to, and whether our handler was installed, here or before a fork.
static SIGNALS: [(i32, AtomicBool); 2] =
    [(SIGTERM, AtomicBool::new(false)), (SIGHUP, AtomicBool::new(false))];
/// The process whose thread listens; another one (a child) dies as if we were not there.
static LISTENER: AtomicU32 = AtomicU32::new(0);
/// Where the handler writes the signal's number.
static PIPE: AtomicI32 = AtomicI32::new(-1);

/// Starts to listen, unless this process does already.
pub fn install() {
    let ours = std::process::id();
    // The first process of a container lives on with a signal that it does not handle.
    if LISTENER.load(Ordering::SeqCst) == ours || ours == 1 {
        return;
    }
    let mut any = false;
    for (signal, ours) in &SIGNALS {
        if !ours.load(Ordering::SeqCst) && has_default_action(*signal) {
            ours.store(register(*signal), Ordering::SeqCst);
        }
        any |= ours.load(Ordering::SeqCst);
    }
    if any && start_thread() {
        LISTENER.store(ours, Ordering::SeqCst);
    }
}

/// The child of a fork has no thread that listens.
pub fn forget() {
    LISTENER.store(0, Ordering::SeqCst);
}

fn has_default_action(signal: i32) -> bool {
    // SAFETY: an all-zero sigaction is a valid one, and with no new action given the call only
    // fills it in.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &mut action) == 0
            && action.sa_sigaction == libc::SIG_DFL
    }
}

fn register(signal: i32) -> bool {
    // SAFETY: the handler calls only what is safe in one: atomics, getpid, write, and the
    // emulation of the default action, which says so of itself.
    unsafe { low_level::register(signal, move || on_signal(signal)) }.is_ok()
}

fn on_signal(signal: i32) {
    let number = signal as u8;
    // SAFETY: the pipe's writing end is never closed while its number is known here.
    let notified = LISTENER.load(Ordering::SeqCst) == std::process::id()
        && unsafe { libc::write(PIPE.load(Ordering::SeqCst), (&raw const number).cast(), 1) } == 1;
    if !notified {
        let _ = low_level::emulate_default_handler(signal);
    }
}

fn start_thread() -> bool {
    let Ok((reader, writer)) = pipe() else { return false };
    PIPE.store(writer.into_raw_fd(), Ordering::SeqCst);
    let thread = thread::Builder::new().name("kymograph-signals".to_owned());
    thread.spawn(move || listen(reader)).is_ok()
}

fn listen(mut reader: PipeReader) {
    let mut number = [0];
    if reader.read_exact(&mut number).is_err() {
        return;
    }
    Process::current().flush_before_end(STALL, LIMIT);
    let _ = low_level::emulate_default_handler(i32::from(number[0]));
}
