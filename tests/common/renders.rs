//! Renders that never end, throw or fill the memory, as bodies of a function in JavaScript.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use vitrine::contract::PageJson;
use vitrine::render::{RenderError, Renderer, RendererSettings};

use super::until::until;
use super::{error_page, renderer_settings, renderer_with};

/// These run until they are stopped.
pub(crate) const ENDLESS: [&str; 3] = [
    "for (;;) {}",
    "for (;;) { try { for (;;) {} } catch {} finally { continue; } }",
    "/^(a+)+$/.test('a'.repeat(60) + 'b');",
];

/// These fill the limited heap.
pub(crate) const HEAP_BOMBS: [&str; 4] = [
    "const rows = []; for (;;) rows.push(new Array(1000).fill(rows.length));",
    "const rows = []; for (;;) rows.push({ at: rows.length, text: 'x' + rows.length });",
    "const rows = []; for (let n = 0; ; n++) rows.push(() => n);",
    "const rows = []; for (let n = 0; ; n++) rows.push(('x' + n).repeat(1000).toUpperCase());",
];

/// These ask for memory outside the limited heap.
pub(crate) const OUTSIDE_THE_HEAP: [&str; 5] = [
    "const rows = []; for (;;) rows.push(new Uint8Array(1 << 24).fill(1));",
    "const rows = []; for (;;) rows.push(new ArrayBuffer(1 << 24));",
    "const rows = []; for (;;) rows.push(new SharedArrayBuffer(1 << 24));",
    "const rows = []; for (;;) rows.push(new WebAssembly.Memory({ initial: 1024 }));",
    "let text = 'x'; for (;;) text += text;",
];

/// Exceptions of every kind.
pub(crate) const THROWN: [&str; 8] = [
    "throw null;",
    "throw undefined;",
    "throw 'text';",
    "throw {};",
    "throw Symbol('x');",
    "throw Object.create(null);",
    "function broken() { throw new TypeError('no shelf'); } broken();",
    "const deeper = (n) => deeper(n + 1) + 1; deeper(0);",
];

/// These return something that is no markup.
pub(crate) const NO_MARKUP: [&str; 3] =
    ["return 7;", "return Promise.resolve('late');", "return '<p><!--$!--></p>';"];

/// A renderer whose bundle does what `body` says, except for the error page, which is `fine`.
pub(crate) async fn hostile_renderer(body: &str, timeout: Duration) -> Renderer {
    let source = format!(
        "globalThis.renderPage = (json) => {{
           const page = JSON.parse(json);
           if (page.status !== 404) {{ {body} }}
           return 'fine';
         }};"
    );
    renderer_with(&source, RendererSettings { timeout, ..renderer_settings(1) }).await
}

/// Renders every page, but runs `body` for products whose `id` fulfils `poisoned`, an expression in JavaScript.
pub(crate) async fn hanging_products(
    poisoned: &str,
    body: &str,
    isolates: usize,
    queue: usize,
    timeout: Duration,
) -> Renderer {
    let source = format!(
        "globalThis.renderPage = (json) => {{
           const page = JSON.parse(json);
           const id = Number(page.path.split('/')[2]);
           if (page.path.startsWith('/product/') && ({poisoned})) {{ {body} }}
           return '<main>fine</main>';
         }};"
    );
    renderer_with(&source, RendererSettings { queue, timeout, ..renderer_settings(isolates) }).await
}

/// A page that a [`hostile_renderer`] fails on.
pub(crate) fn hostile_page() -> PageJson {
    PageJson::new(&serde_json::json!({ "status": 200 })).unwrap()
}

/// A render that stays under way until its outcome is asked for, or this is dropped.
pub(crate) async fn render_under_way(renderer: &Renderer) -> Pin<Box<impl Future>> {
    loop {
        let mut render = Box::pin(renderer.render(error_page()));
        if poll_fn(|context| Poll::Ready(render.as_mut().poll(context).is_pending())).await {
            return render;
        }
    }
}

/// Waits until the next render works, at the latest once the isolate is replaced.
pub(crate) async fn until_fine(renderer: &Renderer) {
    until("a render that works", async || match renderer.render(error_page()).await {
        Ok(rendered) => {
            assert_eq!(rendered.markup, "fine");
            true
        }
        // The only isolate may be restarting; the queue holds the request meanwhile.
        Err(RenderError::Timeout | RenderError::Lost | RenderError::Refused(_)) => false,
        Err(error) => panic!("{error}"),
    })
    .await;
}
