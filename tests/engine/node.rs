//! Node, the reference that both engines are compared with.

use std::process::Stdio;

use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;
use vitrine::contract::PageJson;

/// Renders pages with a server bundle in Node.
pub(crate) async fn render_with_node(bundle: &str, pages: &[PageJson]) -> Vec<String> {
    let program = format!(
        "{bundle}\nconst lines = require('fs').readFileSync(0, 'utf8').split('\\n');\n\
         process.stdout.write(JSON.stringify(lines.map((line) => renderPage(line))));"
    );
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("render.cjs");
    std::fs::write(&script, program).unwrap();
    let mut node =
        Command::new("node").arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = node.stdin.take().unwrap();
    let lines = pages.iter().map(PageJson::as_str).collect::<Vec<_>>().join("\n");
    let writing = tokio::spawn(async move { input.write_all(lines.as_bytes()).await });
    let output = node.wait_with_output().await.unwrap();
    writing.await.unwrap().unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The server bundle with the components as the browser has them: without the `.server.tsx` modules.
pub(crate) async fn plain_bundle() -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("plain.js");
    let status = Command::new("node")
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["scripts/bundle-server.mjs".as_ref(), file.as_os_str(), "plain".as_ref()])
        .status()
        .await
        .unwrap();
    assert!(status.success());
    std::fs::read_to_string(file).unwrap()
}
