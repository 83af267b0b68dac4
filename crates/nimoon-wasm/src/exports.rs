//! What the page calls, and what it lends.
//!
//! The page runs the module in one thread. It writes a question where [`room`] says, calls [`ask`], and reads the reply before it
//! asks again. A panic ends the module, and the page starts another one.

use std::cell::RefCell;
use std::time::Duration;

use nimoon::limits::clock;

use crate::Desk;
use crate::progress::paced;

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    safe fn now() -> f64;
    safe fn progress(text: *const u8, length: usize);
    safe fn failed(text: *const u8, length: usize);
}

#[derive(Default)]
struct Module {
    desk: Desk,
    question: Vec<u8>,
    reply: Vec<u8>,
}

thread_local! {
    static MODULE: RefCell<Module> = RefCell::default();
}

/// Prepares the module: lends the clock of the page, and passes on the message of a panic.
#[unsafe(no_mangle)]
pub extern "C" fn start() {
    clock::lend(|| Duration::from_secs_f64(now().max(0.0) / 1000.0));
    std::panic::set_hook(Box::new(|panic| {
        let text = panic.to_string();
        failed(text.as_ptr(), text.len());
    }));
}

/// Makes room for a question of this many bytes, and returns where it is.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    MODULE.with_borrow_mut(|module| {
        // The last reply was read; its memory serves the next question.
        module.reply = Vec::new();
        module.question = vec![0; length];
        module.question.as_mut_ptr()
    })
}

/// Answers the question: the address of the reply in the upper half, its length in the lower one.
#[unsafe(no_mangle)]
pub extern "C" fn ask() -> u64 {
    MODULE.with_borrow_mut(|module| {
        let question = std::mem::take(&mut module.question);
        let show = paced(|words| progress(words.as_ptr(), words.len()));
        module.reply = module.desk.reply(&question, show);
        (module.reply.as_ptr() as u64) << 32 | module.reply.len() as u64
    })
}
