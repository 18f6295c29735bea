//! Makes the snapshot that the isolates start from; a part of the build script.

use std::cell::RefCell;
use std::rc::Rc;

use anyhow::{Context as _, Result, ensure};
use deno_core::{JsRuntimeForSnapshot, RuntimeOptions};

use crate::engine::{BUNDLE_NAME, Console, set_v8_flags, vitrine_host};

/// A snapshot of an isolate that has run the bundle, and then the script which renders pages with it, so that what
/// they need is compiled. The isolate is not sealed: deno_core looks for its own functions when it starts from a
/// snapshot.
///
/// # Errors
/// Fails when a script throws or writes to the console.
pub(crate) fn take(bundle: String, warm_up: String) -> Result<Box<[u8]>> {
    set_v8_flags();
    // V8 posts delayed tasks through it.
    let tokio = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    let _context = tokio.enter();
    let options = RuntimeOptions { extensions: vec![vitrine_host::init()], ..Default::default() };
    let mut runtime = JsRuntimeForSnapshot::try_new(options).context("no isolate for a snapshot")?;

    let lines = Rc::new(RefCell::new(Vec::new()));
    let written = Rc::clone(&lines);
    let note = move |line: &str| written.borrow_mut().push(line.to_owned());
    runtime.op_state().borrow_mut().put(Console(Box::new(note)));
    runtime.execute_script(BUNDLE_NAME, bundle).context("the server bundle does not load")?;
    runtime.execute_script("vitrine:///ssr/warmUp.js", warm_up).context("ssr/warmUp.ts fails")?;
    ensure!(lines.borrow().is_empty(), "the console was written to: {}", lines.borrow().join("\n"));
    Ok(runtime.snapshot())
}
