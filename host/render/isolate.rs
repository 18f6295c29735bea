//! One isolate, an instance of the JavaScript engine. Only this file and `engine.rs` use `deno_core`, and a
//! request crosses into JavaScript only through [`Isolate::render`].
//!
//! A [`JsRuntime`] must stay on the thread that created it; `worker.rs` has those threads.

use std::borrow::Cow;
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Waker};

use deno_core::error::JsError;
use deno_core::{
    JsRuntime, ModuleLoadOptions, ModuleLoadReferrer, ModuleLoadResponse, ModuleLoader,
    ModuleResolveResponse, ModuleSpecifier, NoopModuleLoader, PollEventLoopOptions, ResolutionKind,
    RuntimeOptions, v8,
};
use memchr::memmem;

use super::boot_error::BootError;
use super::bundle::Bundle;
#[cfg(feature = "v8")]
use super::engine::set_v8_flags;
use super::engine::{BUNDLE_NAME, Console, vitrine_host};
use super::outcome::{Exception, RenderError};
use crate::contract::PageJson;
use crate::observe::Bounded;

/// React writes this comment where a Suspense boundary failed; the markup is incomplete then.
const SUSPENSE_FAILED: &str = "<!--$!-->";

/// Extra heap, in bytes, in which a render that reached the heap limit can unwind.
const UNWIND_HEADROOM: usize = 32 << 20;

/// The ratio of the heap limit, in bytes, to the markup, in characters, that an isolate may remember between
/// renders. A character takes one byte or two. QuickJS needs more of its heap for a render.
const HEAP_PER_MEMO: usize = if cfg!(feature = "quickjs") { 64 } else { 32 };

/// Size of the young generation, in bytes: three semi-spaces of 8 MiB. An isolate that renders takes it in
/// addition to its heap limit.
pub(crate) const YOUNG_GENERATION: usize = 24 << 20;

/// How many console lines of one isolate are logged; further ones are dropped.
const MAX_CONSOLE_LINES: u32 = 20;

/// Script that runs after the bundle and deletes the globals which a pure function of a page does not
/// need: the host's functions, clocks (`Intl` formats the present time), randomness, code from strings,
/// WebAssembly, and buffers, whose memory is outside the limited heap.
const SEAL: &str = "
    for (const made of [() => {}, async () => {}, function* () {}, async function* () {}]) {
      delete Object.getPrototypeOf(made).constructor;
    }
    const buffers = Object.getOwnPropertyNames(globalThis)
      .filter((name) => /Buffer$|Array$|^DataView$|^Atomics$/.test(name) && name !== 'Array');
    const others = ['Deno', '__bootstrap', 'Date', 'Temporal', 'Intl', 'Function', 'WebAssembly', 'eval'];
    for (const name of [...others, ...buffers]) {
      delete globalThis[name];
    }
    delete Math.random;
";

/// Initialises the engine for the whole process.
///
/// Must run on the main thread, before any thread that may own an isolate is started: V8's protection of
/// code pages holds for the thread that initialises it and for threads started by that one.
pub fn initialize_platform() {
    assert!(on_main_thread(), "the engine must be initialised on the main thread");
    #[cfg(feature = "quickjs")]
    disable_bytecode_cache();
    #[cfg(feature = "v8")]
    set_v8_flags();
    JsRuntime::init_platform(None);
}

/// Stops the QuickJS backend from storing bytecode in a shared folder, from which it loads unchecked.
#[cfg(feature = "quickjs")]
#[expect(unsafe_code, reason = "the backend reads this setting from the environment only")]
fn disable_bytecode_cache() {
    // SAFETY: no other thread exists yet that could read the environment at the same time.
    unsafe { std::env::set_var("V82JSC_NO_BC_CACHE", "1") };
}

#[cfg(target_os = "linux")]
fn on_main_thread() -> bool {
    // The main thread's id is the process id. Thread names are not reliable.
    std::fs::read_link("/proc/thread-self")
        .ok()
        .and_then(|link| link.file_name()?.to_str()?.parse::<u32>().ok())
        .is_none_or(|thread| thread == std::process::id())
}

#[cfg(not(target_os = "linux"))]
fn on_main_thread() -> bool {
    true
}

/// An isolate whose bundle is not ready. A type of its own, so that there is a [`Terminator`] before scripts run,
/// which may never finish.
pub(super) struct BlankIsolate {
    runtime: JsRuntime,
    /// The bundle's script.
    script: Arc<str>,
    memo_budget: usize,
    out_of_memory: Rc<Cell<bool>>,
}

/// An isolate with the bundle loaded, ready to render.
pub(super) struct Isolate {
    runtime: JsRuntime,
    render: v8::Global<v8::Function>,
    /// Makes the bundle forget the markup that it remembers between renders; `None` if it remembers none.
    forget: Option<v8::Global<v8::Function>>,
    /// Replaces the texts of the bundle; `None` if it has none.
    replace_texts: Option<v8::Global<v8::Function>>,
    /// The texts in use, instead of those of the bundle.
    texts: Option<PageJson>,
    terminator: Terminator,
    /// Set by the near-heap-limit callback. The isolate must not be used after that.
    out_of_memory: Rc<Cell<bool>>,
}

/// Terminates an isolate's running JavaScript, from any thread.
#[derive(Clone)]
pub(super) struct Terminator {
    handle: v8::IsolateHandle,
    fired: Arc<AtomicBool>,
}

impl Terminator {
    /// Ends the running render with [`RenderError::Timeout`]. The isolate must not be used after that.
    pub(super) fn terminate(&self) {
        self.fired.store(true, Ordering::SeqCst);
        self.handle.terminate_execution();
    }

    /// Whether [`Terminator::terminate`] was called.
    pub(super) fn fired(&self) -> bool {
        self.fired.load(Ordering::SeqCst)
    }
}

/// The limits of an isolate's heap. `limit` is in bytes, and applies to the old generation alone.
///
/// By default V8 gives the young generation a share of the limit: 24 MiB of 256, but 6 MiB of 64. A render
/// allocates several megabytes, which in a small young generation are copied again and again while they are
/// in use.
fn heap(limit: usize) -> v8::CreateParams {
    v8::CreateParams::default()
        .heap_limits(0, limit)
        .set_max_old_generation_size_in_bytes(limit)
        .set_max_young_generation_size_in_bytes(YOUNG_GENERATION)
}

impl BlankIsolate {
    /// Creates an isolate that belongs to this thread. `heap_limit` is in bytes.
    ///
    /// The thread must be inside a tokio context: V8 posts delayed tasks through it, and aborts
    /// the process without one.
    ///
    /// # Errors
    /// Fails when the engine cannot create an isolate.
    pub(super) fn new(bundle: &Bundle, heap_limit: usize) -> Result<Self, BootError> {
        let mut runtime = JsRuntime::try_new(RuntimeOptions {
            extensions: vec![vitrine_host::init()],
            module_loader: Some(Rc::new(SourceMaps { map: bundle.source_map })),
            create_params: Some(heap(heap_limit)),
            ..Default::default()
        })
        .map_err(|error| BootError::Engine(error.to_string()))?;

        runtime.op_state().borrow_mut().put(Console(Box::new(log_lines())));

        let out_of_memory = Rc::new(Cell::new(false));
        let flag = Rc::clone(&out_of_memory);
        let handle = runtime.v8_isolate().thread_safe_handle();
        runtime.add_near_heap_limit_callback(move |current, _initial| {
            flag.set(true);
            handle.terminate_execution();
            current + UNWIND_HEADROOM
        });
        let script = Arc::clone(&bundle.source);
        Ok(Self { runtime, script, memo_budget: heap_limit / HEAP_PER_MEMO, out_of_memory })
    }

    /// The handle that stops this isolate's JavaScript.
    pub(super) fn terminator(&mut self) -> Terminator {
        Terminator { handle: self.runtime.v8_isolate().thread_safe_handle(), fired: Arc::default() }
    }

    /// Runs the bundle and [`SEAL`], and looks up the bundle's functions.
    ///
    /// # Errors
    /// Fails when a script throws and when the bundle defines no render function.
    pub(super) fn load(self, terminator: Terminator) -> Result<Isolate, BootError> {
        let Self { mut runtime, script, memo_budget, out_of_memory } = self;
        let bundle_error = |error: Box<JsError>| BootError::Bundle(Box::new((*error).into()));
        runtime.execute_script(BUNDLE_NAME, script).map_err(bundle_error)?;
        runtime.execute_script("vitrine:///ssr/seal.js", SEAL).map_err(bundle_error)?;
        let render = function(&mut runtime, "renderPage").ok_or(BootError::NoRenderFunction)?;
        let forget = function(&mut runtime, "forgetMarkup");
        forbid_code_from_strings(&mut runtime);
        if let Some(limit) = function(&mut runtime, "limitMarkup") {
            limit_markup(&mut runtime, &limit, memo_budget);
        }
        let replace_texts = function(&mut runtime, "replaceTexts");
        Ok(Isolate { runtime, render, forget, replace_texts, texts: None, terminator, out_of_memory })
    }
}

impl Isolate {
    /// The handle that stops this isolate's JavaScript.
    pub(super) fn terminator(&self) -> Terminator {
        self.terminator.clone()
    }

    /// Whether the isolate was terminated or reached its heap limit, and must be dropped.
    pub(super) fn is_lost(&self) -> bool {
        self.out_of_memory.get() || self.terminator.fired()
    }

    /// Calls `renderPage(json)` and returns the markup.
    pub(super) fn render(&mut self, page: &PageJson) -> Result<String, RenderError> {
        match self.call(page) {
            _ if self.out_of_memory.get() => Err(RenderError::OutOfMemory),
            Err(_) if self.terminator.fired() => Err(RenderError::Timeout),
            Ok(markup) if memmem::find(markup.as_bytes(), SUSPENSE_FAILED.as_bytes()).is_some() => {
                Err(RenderError::Incomplete)
            }
            outcome => outcome,
        }
    }

    fn call(&mut self, page: &PageJson) -> Result<String, RenderError> {
        deno_core::scope!(scope, &mut self.runtime);
        v8::tc_scope!(let scope, scope);
        let render = v8::Local::new(scope, &self.render);
        let argument = page_string(scope, page).ok_or(RenderError::OutOfMemory)?;
        let receiver = v8::undefined(scope).into();
        let Some(result) = render.call(scope, receiver, &[argument.into()]) else {
            return Err(match scope.exception() {
                // A termination leaves no exception to describe.
                Some(thrown) if !scope.has_terminated() => {
                    RenderError::Exception(Box::new(describe(scope, thrown)))
                }
                _ => RenderError::Lost,
            });
        };
        let markup = v8::Local::<v8::String>::try_from(result).map_err(|_| RenderError::NoMarkup)?;
        Ok(copy_out(scope, markup))
    }

    /// Forgets remembered markup, and returns memory like [`Self::return_memory`].
    pub(super) fn collect_garbage(&mut self) {
        self.forget_markup();
        self.return_memory();
    }

    /// Collects garbage and returns free heap memory. Takes tens of milliseconds.
    #[cfg_attr(feature = "quickjs", expect(clippy::unused_self, reason = "the other engine needs it"))]
    pub(super) fn return_memory(&mut self) {
        // QuickJS counts references and frees memory at once, so there is nothing to collect.
        #[cfg(feature = "v8")]
        self.runtime.v8_isolate().low_memory_notification();
    }

    /// The heap in use, in bytes; `None` where the engine does not say it.
    #[cfg(feature = "v8")]
    pub(super) fn used_heap(&mut self) -> Option<u64> {
        Some(self.runtime.v8_isolate().get_heap_statistics().used_heap_size() as u64)
    }

    /// The heap in use, in bytes; `None` where the engine does not say it.
    #[cfg(feature = "quickjs")]
    #[expect(clippy::unused_self, reason = "the other engine needs it")]
    pub(super) fn used_heap(&mut self) -> Option<u64> {
        None
    }

    /// Lets the following renders use these texts, or those of the bundle.
    pub(super) fn use_texts(&mut self, texts: Option<PageJson>) {
        if self.texts == texts {
            return;
        }
        if let Some(replace) = &self.replace_texts {
            deno_core::scope!(scope, &mut self.runtime);
            let argument = texts.as_ref().and_then(|texts| page_string(scope, texts));
            let argument = argument.map_or_else(|| v8::undefined(scope).into(), v8::Local::<v8::Value>::from);
            let receiver = v8::undefined(scope).into();
            // It parses what the host has written, so it can only fail where memory ends, as does the render then.
            let _ = v8::Local::new(scope, replace).call(scope, receiver, &[argument]);
        }
        self.texts = texts;
    }

    fn forget_markup(&mut self) {
        let Some(forget) = &self.forget else { return };
        deno_core::scope!(scope, &mut self.runtime);
        let forget = v8::Local::new(scope, forget);
        let receiver = v8::undefined(scope).into();
        // It only empties maps, so it cannot throw.
        let _ = forget.call(scope, receiver, &[]);
    }

    /// Runs the engine's pending tasks, such as garbage collection and finished compilations. Called
    /// between renders, so that no render waits for them.
    pub(super) fn run_pending_tasks(&mut self) {
        let mut context = Context::from_waker(Waker::noop());
        // The bundle starts no asynchronous work, so one poll is enough and its result does not matter.
        let _ = self.runtime.poll_event_loop(&mut context, PollEventLoopOptions::default());
    }
}

/// Passes the page's JSON to V8 as an external string, which is not copied into the heap.
#[cfg(feature = "v8")]
fn page_string<'s>(scope: &v8::PinScope<'s, '_>, page: &PageJson) -> Option<v8::Local<'s, v8::String>> {
    v8::String::new_external_onebyte(scope, page.as_bytes().into())
}

/// Copies the page's JSON, because QuickJS never frees external strings.
#[cfg(feature = "quickjs")]
fn page_string<'s>(scope: &v8::PinScope<'s, '_>, page: &PageJson) -> Option<v8::Local<'s, v8::String>> {
    v8::String::new_from_one_byte(scope, page.as_bytes(), v8::NewStringType::Normal)
}

/// Copies a JavaScript string out of the heap. React's result is a rope, which the view flattens.
fn copy_out(scope: &mut v8::Isolate, string: v8::Local<v8::String>) -> String {
    let view = v8::ValueView::new(scope, string);
    match view.data() {
        v8::ValueViewData::OneByte(latin1) => from_latin1(latin1),
        v8::ValueViewData::TwoByte(utf16) => String::from_utf16_lossy(utf16),
    }
}

/// Decodes ISO 8859-1. Pieces without a character beyond ASCII, as most of a page's are, are copied at once.
fn from_latin1(latin1: &[u8]) -> String {
    const PIECE: usize = 64;
    let mut text = String::with_capacity(latin1.len() + latin1.len() / 64);
    for piece in latin1.chunks(PIECE) {
        match std::str::from_utf8(piece) {
            Ok(ascii) if ascii.is_ascii() => text.push_str(ascii),
            _ => text.extend(piece.iter().copied().map(char::from)),
        }
    }
    text
}

/// Describes a thrown value, which may be of any type.
fn describe<'s>(scope: &mut v8::PinScope<'s, '_>, thrown: v8::Local<'s, v8::Value>) -> Exception {
    if thrown.is_native_error() {
        return (*JsError::from_v8_exception(scope, thrown)).into();
    }
    // deno_core converts other values to errors first, which QuickJS cannot do with every value.
    let message = match thrown {
        symbol if symbol.is_symbol() => "a symbol".into(),
        object if object.is_object() => "an object that is no error".into(),
        primitive => primitive.to_rust_string_lossy(scope),
    };
    Exception { name: "Thrown".into(), message, stack: Vec::new() }
}

/// Makes the engine refuse `eval` and `new Function`, in addition to [`SEAL`]. No effect in QuickJS.
fn forbid_code_from_strings(runtime: &mut JsRuntime) {
    deno_core::scope!(scope, runtime);
    scope.get_current_context().set_allow_generation_from_strings(false);
}

/// Tells the bundle how much markup it may remember between renders, in characters.
fn limit_markup(runtime: &mut JsRuntime, limit: &v8::Global<v8::Function>, characters: usize) {
    deno_core::scope!(scope, runtime);
    #[expect(clippy::cast_precision_loss, reason = "a fraction of a heap is far below 2^53")]
    let characters = v8::Number::new(scope, characters as f64);
    let receiver = v8::undefined(scope).into();
    // It only sets a variable and empties maps, so it cannot throw.
    let _ = v8::Local::new(scope, limit).call(scope, receiver, &[characters.into()]);
}

/// Logs the first [`MAX_CONSOLE_LINES`] lines, each cut.
fn log_lines() -> impl FnMut(&str) {
    let mut lines = 0_u32;
    move |line| {
        lines = lines.saturating_add(1);
        if lines <= MAX_CONSOLE_LINES {
            tracing::warn!(line = %Bounded(line), "the bundle wrote to its console");
        } else if lines == MAX_CONSOLE_LINES + 1 {
            tracing::warn!(
                "the bundle keeps writing to its console; this isolate's further lines are dropped"
            );
        }
    }
}

/// A function that the bundle has put on the global object.
fn function(runtime: &mut JsRuntime, name: &str) -> Option<v8::Global<v8::Function>> {
    deno_core::scope!(scope, runtime);
    let global = scope.get_current_context().global(scope);
    v8::String::new(scope, name)
        .and_then(|name| global.get(scope, name.into()))
        .and_then(|value| v8::Local::<v8::Function>::try_from(value).ok())
        .map(|function| v8::Global::new(scope, function))
}

impl From<JsError> for Exception {
    fn from(error: JsError) -> Self {
        let stack = error
            .frames
            .iter()
            .map(|frame| {
                format!(
                    "    at {} ({}:{}:{})",
                    frame.function_name.as_deref().unwrap_or("<anonymous>"),
                    frame.file_name.as_deref().unwrap_or("<unknown>"),
                    frame.line_number.unwrap_or_default(),
                    frame.column_number.unwrap_or_default(),
                )
            })
            .collect();
        Self {
            name: error.name.unwrap_or_else(|| "Error".into()),
            message: error.message.unwrap_or(error.exception_message),
            stack,
        }
    }
}

/// Serves the bundle's source map to the engine when it formats a stack; loads nothing else.
struct SourceMaps {
    map: &'static [u8],
}

impl ModuleLoader for SourceMaps {
    fn resolve(&self, specifier: &str, referrer: &str, kind: ResolutionKind) -> ModuleResolveResponse {
        NoopModuleLoader.resolve(specifier, referrer, kind)
    }

    fn load(
        &self,
        specifier: &ModuleSpecifier,
        referrer: Option<&ModuleLoadReferrer>,
        options: ModuleLoadOptions,
    ) -> ModuleLoadResponse {
        NoopModuleLoader.load(specifier, referrer, options)
    }

    fn get_source_map(&self, file_name: &str) -> Option<Cow<'_, [u8]>> {
        (file_name == BUNDLE_NAME && !self.map.is_empty()).then_some(Cow::Borrowed(self.map))
    }

    // The sources are not shipped, but stack traces still name them.
    fn source_map_source_exists(&self, _source_url: &str) -> Option<bool> {
        Some(true)
    }
}

#[cfg(all(test, feature = "v8"))]
mod tests {
    use super::*;

    #[test]
    fn every_latin1_character_becomes_the_same_in_utf8() {
        // Each character at each place of a piece, between others that are ASCII.
        let latin1: Vec<u8> =
            (0..=u8::MAX).flat_map(|byte| [[b'a'; 12].as_slice(), &[byte]].concat()).collect();
        let text = from_latin1(&latin1);
        assert!(text.chars().map(u32::from).eq(latin1.iter().copied().map(u32::from)));
    }

    #[cfg(not(feature = "dev"))]
    #[tokio::test]
    async fn a_loaded_isolate_has_no_globals_that_a_page_does_not_need() {
        const GLOBALS: &str = "Object.getOwnPropertyNames(globalThis).join(' ')";
        const CONSTRUCTORS: &str = "[() => {}, async () => {}, function* () {}, async function* () {}]
            .map((made) => made.constructor.name).join(' ')";
        let mut blank = BlankIsolate::new(&Bundle::embedded(), 256 << 20).unwrap();
        let terminator = blank.terminator();
        let mut runtime = blank.load(terminator).unwrap().runtime;
        let [globals, constructors] = [GLOBALS, CONSTRUCTORS].map(|script| {
            let value = runtime.execute_script("test.js", script).unwrap();
            deno_core::scope!(scope, &mut runtime);
            v8::Local::new(scope, value).to_rust_string_lossy(scope)
        });
        let globals: Vec<&str> = globals.split(' ').collect();
        assert!(globals.contains(&"renderPage"), "{globals:?}");
        for gone in ["Deno", "Date", "Temporal", "Intl", "Function", "WebAssembly", "eval", "ArrayBuffer"] {
            assert!(!globals.contains(&gone), "{gone}");
        }
        // `Object` is the constructor of all of them, and makes no code from strings.
        assert_eq!(constructors, "Object Object Object Object");
    }

    #[tokio::test]
    async fn a_small_heap_limit_leaves_the_young_generation_as_it_is() {
        for limit in [64 << 20, 256 << 20] {
            let params = heap(limit);
            assert_eq!(params.max_young_generation_size_in_bytes(), YOUNG_GENERATION);
            assert_eq!(params.max_old_generation_size_in_bytes(), limit);
            // V8 may change what it is asked for.
            let mut isolate = BlankIsolate::new(&Bundle::from_script(""), limit).unwrap();
            let given = isolate.runtime.v8_isolate().get_heap_statistics().heap_size_limit();
            assert_eq!(given, limit + YOUNG_GENERATION, "{limit}");
        }
    }
}
