//! One JavaScript engine instance. This is the only file that names `deno_core`, and
//! [`Isolate::render`] is the only call that crosses into JavaScript per request.
//!
//! A [`JsRuntime`] belongs to the thread that made it, for life; `worker.rs` has those threads.

use std::borrow::Cow;
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Waker};

use deno_core::error::JsError;
use deno_core::url::{Url, quirks};
use deno_core::{
    JsRuntime, ModuleLoadOptions, ModuleLoadReferrer, ModuleLoadResponse, ModuleLoader,
    ModuleResolveResponse, ModuleSpecifier, NoopModuleLoader, OpState, PollEventLoopOptions, ResolutionKind,
    RuntimeOptions, op2, v8,
};

use super::error::{BootError, Exception, RenderError};
use crate::page_json::PageJson;

/// React leaves this mark where a Suspense boundary gave up; the markup around it is incomplete.
const SUSPENSE_FAILED: &str = "<!--$!-->";

/// Room that a render which hit the heap limit gets to unwind in, in bytes.
const UNWIND_ROOM: usize = 32 << 20;

/// How many console lines of one isolate reach the log; the rest are only counted.
const CONSOLE_LINES: u32 = 20;

/// Takes away from the loaded bundle what a pure function of a page has no use for: the host's
/// functions, the clock, randomness, ways to make code, and memory outside the limited heap.
const SEAL: &str = "
    for (const made of [() => {}, async () => {}, function* () {}, async function* () {}]) {
      delete Object.getPrototypeOf(made).constructor;
    }
    const buffers = Object.getOwnPropertyNames(globalThis)
      .filter((name) => /Buffer$|Array$|^DataView$|^Atomics$/.test(name) && name !== 'Array');
    for (const name of ['Deno', '__bootstrap', 'Date', 'Function', 'WebAssembly', 'eval', ...buffers]) {
      delete globalThis[name];
    }
    delete Math.random;
";

/// The name under which the bundle runs; source-mapped frames are resolved against it.
const BUNDLE_NAME: &str = "vitrine:///ssr/bundle.js";

/// Initialises the engine for the whole process.
///
/// Must run on the main thread before any other thread that may own an isolate exists: V8 ties
/// its protected code pages to the thread that initialises it and to that thread's children.
pub fn initialize_platform() {
    assert!(on_main_thread(), "the engine must be initialised on the main thread");
    // The QuickJS backend otherwise keeps module bytecode in a shared folder and loads it unchecked.
    // SAFETY: no other thread exists yet, so nobody reads the environment at the same time.
    #[cfg(feature = "quickjs")]
    unsafe {
        std::env::set_var("V82JSC_NO_BC_CACHE", "1");
    }
    #[cfg(feature = "v8")]
    deno_core::v8_set_flags(
        [
            "vitrine",
            // Isolate threads have 8 MiB of stack; by default V8 uses one of them and fails on deep trees.
            "--stack-size=6144",
            // Loop unrolling also removes loops' interrupt checks, after which neither the watchdog
            // nor the heap limit can end an endless loop that allocates.
            "--no-turboshaft-loop-unrolling",
        ]
        .map(String::from)
        .into(),
    );
    JsRuntime::init_platform(None);
}

#[cfg(target_os = "linux")]
fn on_main_thread() -> bool {
    // The main thread's id is the process id; a thread's name may be anything.
    std::fs::read_link("/proc/thread-self")
        .ok()
        .and_then(|link| link.file_name()?.to_str()?.parse::<u32>().ok())
        .is_none_or(|thread| thread == std::process::id())
}

#[cfg(not(target_os = "linux"))]
fn on_main_thread() -> bool {
    true
}

/// An isolate without a bundle. Split from [`Isolate`] so that a bundle which never finishes
/// loading can be terminated too.
pub struct BlankIsolate {
    runtime: JsRuntime,
    out_of_memory: Rc<Cell<bool>>,
}

/// An isolate with the bundle loaded, ready to render.
pub struct Isolate {
    runtime: JsRuntime,
    render: v8::Global<v8::Function>,
    terminator: Terminator,
    /// Set by the near-heap-limit callback; the isolate must not be used again.
    out_of_memory: Rc<Cell<bool>>,
}

/// Stops the JavaScript that an isolate is running, from any thread.
#[derive(Clone)]
pub struct Terminator {
    handle: v8::IsolateHandle,
    fired: Arc<AtomicBool>,
}

impl Terminator {
    /// Ends the running render with [`RenderError::Timeout`]. The isolate is not reusable then.
    pub fn terminate(&self) {
        self.fired.store(true, Ordering::SeqCst);
        self.handle.terminate_execution();
    }

    /// Whether [`Terminator::terminate`] was called.
    pub fn fired(&self) -> bool {
        self.fired.load(Ordering::SeqCst)
    }
}

impl BlankIsolate {
    /// Creates an isolate that belongs to this thread. `heap_limit` is in bytes.
    ///
    /// The thread must be inside a tokio context: V8 posts delayed tasks through it, and aborts
    /// the process without one.
    pub fn new(source_map: &'static [u8], heap_limit: usize) -> Result<Self, BootError> {
        let mut runtime = JsRuntime::try_new(RuntimeOptions {
            extensions: vec![vitrine_host::init()],
            module_loader: Some(Rc::new(SourceMaps { map: source_map })),
            create_params: Some(v8::CreateParams::default().heap_limits(0, heap_limit)),
            ..Default::default()
        })
        .map_err(|error| BootError::Engine(error.to_string()))?;

        let out_of_memory = Rc::new(Cell::new(false));
        let flag = Rc::clone(&out_of_memory);
        let handle = runtime.v8_isolate().thread_safe_handle();
        runtime.add_near_heap_limit_callback(move |current, _initial| {
            flag.set(true);
            handle.terminate_execution();
            current + UNWIND_ROOM
        });
        Ok(Self { runtime, out_of_memory })
    }

    /// The handle that stops this isolate's JavaScript.
    pub fn terminator(&mut self) -> Terminator {
        Terminator { handle: self.runtime.v8_isolate().thread_safe_handle(), fired: Arc::default() }
    }

    /// Runs the bundle, resolves its render function and takes away what only loading needed.
    pub fn load(mut self, source: Arc<str>, terminator: Terminator) -> Result<Isolate, BootError> {
        let bundle_error = |error: Box<JsError>| BootError::Bundle(Box::new((*error).into()));
        self.runtime.execute_script(BUNDLE_NAME, source).map_err(bundle_error)?;
        self.runtime.execute_script("vitrine:///ssr/seal.js", SEAL).map_err(bundle_error)?;
        let render = render_function(&mut self.runtime)?;
        forbid_code_from_strings(&mut self.runtime);
        let Self { runtime, out_of_memory } = self;
        Ok(Isolate { runtime, render, terminator, out_of_memory })
    }
}

impl Isolate {
    /// The handle that stops this isolate's JavaScript.
    pub fn terminator(&self) -> Terminator {
        self.terminator.clone()
    }

    /// Whether the isolate was terminated or ran into its heap limit, and must be dropped.
    pub fn is_spent(&self) -> bool {
        self.out_of_memory.get() || self.terminator.fired()
    }

    /// Calls `renderPage(json)`.
    pub fn render(&mut self, page: &PageJson) -> Result<String, RenderError> {
        match self.call(page) {
            _ if self.out_of_memory.get() => Err(RenderError::OutOfMemory),
            Err(_) if self.terminator.fired() => Err(RenderError::Timeout),
            Ok(markup) if markup.contains(SUSPENSE_FAILED) => Err(RenderError::Incomplete),
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
                // A termination leaves no exception that could be looked at.
                Some(thrown) if !scope.has_terminated() => {
                    RenderError::Exception(Box::new(describe(scope, thrown)))
                }
                _ => RenderError::Lost,
            });
        };
        let markup = v8::Local::<v8::String>::try_from(result).map_err(|_| RenderError::NoMarkup)?;
        Ok(copy_out(scope, markup))
    }

    /// Gives back what memory the engine can do without; takes tens of milliseconds.
    pub fn collect_garbage(&mut self) {
        // QuickJS counts references, and keeps nothing that it could give back.
        #[cfg(feature = "v8")]
        self.runtime.v8_isolate().low_memory_notification();
    }

    /// Runs the engine's own pending tasks (garbage collection, finished compilations). Called
    /// between renders; a render itself never waits for them.
    pub fn run_pending_tasks(&mut self) {
        let mut context = Context::from_waker(Waker::noop());
        // The bundle starts no asynchronous work, so there is no outcome to wait for.
        let _ = self.runtime.poll_event_loop(&mut context, PollEventLoopOptions::default());
    }
}

/// Hands the page's JSON to V8 without making a second copy in its heap.
#[cfg(feature = "v8")]
fn page_string<'s>(scope: &v8::PinScope<'s, '_>, page: &PageJson) -> Option<v8::Local<'s, v8::String>> {
    v8::String::new_external_onebyte(scope, page.as_bytes().into())
}

/// QuickJS would keep external strings for ever, so it gets a plain one.
#[cfg(feature = "quickjs")]
fn page_string<'s>(scope: &v8::PinScope<'s, '_>, page: &PageJson) -> Option<v8::Local<'s, v8::String>> {
    v8::String::new_from_one_byte(scope, page.as_bytes(), v8::NewStringType::Normal)
}

/// Copies a JavaScript string out once. React's result is a rope; the view flattens it.
fn copy_out(scope: &mut v8::Isolate, string: v8::Local<v8::String>) -> String {
    let view = v8::ValueView::new(scope, string);
    match view.data() {
        v8::ValueViewData::OneByte(latin1) if latin1.is_ascii() => {
            String::from_utf8_lossy(latin1).into_owned()
        }
        v8::ValueViewData::OneByte(latin1) => latin1.iter().copied().map(char::from).collect(),
        v8::ValueViewData::TwoByte(utf16) => String::from_utf16_lossy(utf16),
    }
}

/// What was thrown, which may be any value.
fn describe<'s>(scope: &mut v8::PinScope<'s, '_>, thrown: v8::Local<'s, v8::Value>) -> Exception {
    if thrown.is_native_error() {
        return (*JsError::from_v8_exception(scope, thrown)).into();
    }
    // deno_core would make an error of it first, which QuickJS cannot do with every value.
    let message = match thrown {
        symbol if symbol.is_symbol() => "a symbol".into(),
        object if object.is_object() => "an object that is no error".into(),
        primitive => primitive.to_rust_string_lossy(scope),
    };
    Exception { name: "Thrown".into(), message, stack: Vec::new() }
}

/// The same in the engine's own terms; QuickJS knows no such switch.
fn forbid_code_from_strings(runtime: &mut JsRuntime) {
    deno_core::scope!(scope, runtime);
    scope.get_current_context().set_allow_generation_from_strings(false);
}

fn render_function(runtime: &mut JsRuntime) -> Result<v8::Global<v8::Function>, BootError> {
    deno_core::scope!(scope, runtime);
    let global = scope.get_current_context().global(scope);
    v8::String::new(scope, "renderPage")
        .and_then(|name| global.get(scope, name.into()))
        .and_then(|value| v8::Local::<v8::Function>::try_from(value).ok())
        .map(|function| v8::Global::new(scope, function))
        .ok_or(BootError::NoRenderFunction)
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

    // The sources are not shipped; their names are still what a reader of the log wants.
    fn source_map_source_exists(&self, _source_url: &str) -> Option<bool> {
        Some(true)
    }
}

deno_core::extension!(vitrine_host, ops = [op_parse_url, op_console]);

/// The parts of a parsed URL, under the names of the web's `URL`.
#[derive(serde::Serialize)]
struct UrlParts {
    href: String,
    origin: String,
    protocol: String,
    host: String,
    hostname: String,
    port: String,
    pathname: String,
    search: String,
    hash: String,
}

/// Parses by the URL standard, as browsers do; gives nothing for what is no URL.
#[op2]
#[serde]
fn op_parse_url(#[string] href: &str, #[string] base: &str) -> Option<UrlParts> {
    let base = if base.is_empty() { None } else { Some(Url::parse(base).ok()?) };
    let url = Url::options().base_url(base.as_ref()).parse(href).ok()?;
    Some(UrlParts {
        href: quirks::href(&url).into(),
        origin: quirks::origin(&url),
        protocol: quirks::protocol(&url).into(),
        host: quirks::host(&url).into(),
        hostname: quirks::hostname(&url).into(),
        port: quirks::port(&url).into(),
        pathname: quirks::pathname(&url).into(),
        search: quirks::search(&url).into(),
        hash: quirks::hash(&url).into(),
    })
}

/// How many console lines this isolate has written.
#[derive(Default)]
struct ConsoleLines(u32);

/// The bundle's console: the first lines reach the log, cut short; a flood does not.
#[op2(fast)]
fn op_console(state: &mut OpState, #[string] message: &str) {
    if !state.has::<ConsoleLines>() {
        state.put(ConsoleLines::default());
    }
    let ConsoleLines(lines) = state.borrow_mut::<ConsoleLines>();
    *lines = lines.saturating_add(1);
    if *lines <= CONSOLE_LINES {
        let message: String = message.chars().take(500).collect();
        tracing::warn!(%message, "the bundle wrote to its console");
    } else if *lines == CONSOLE_LINES + 1 {
        tracing::warn!("the bundle keeps writing to its console; this isolate's further lines are dropped");
    }
}
