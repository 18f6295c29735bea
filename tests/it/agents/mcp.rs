//! The calls by the Model Context Protocol: all three kinds of callers, by requests of their own.

use std::net::SocketAddr;

use serde_json::{Value, json};

use super::{Answer, JSON, call, post};
use crate::common::{sample, start_shop};

const TOOLS: [&str; 3] = ["search_catalog", "lookup_catalog", "get_product"];

async fn send(shop: SocketAddr, headers: &[(&str, &str)], method: &str, params: Value) -> Answer {
    let headers = [&[JSON, ("accept", "application/json")], headers].concat();
    let message = json!({ "jsonrpc": "2.0", "id": "a", "method": method, "params": params });
    post(shop, "/ucp/mcp", &headers, message.to_string()).await
}

/// The result of a method that is called without more than it needs.
async fn result(shop: SocketAddr, method: &str, params: Value) -> Value {
    let answer = send(shop, &[], method, params).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(answer.headers["content-type"], "application/json");
    let message = answer.json();
    assert_eq!((&message["jsonrpc"], &message["id"]), (&json!("2.0"), &json!("a")));
    message["result"].clone()
}

/// Parameters with what a client of the stateless protocol says of itself.
fn stateless(version: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
    });
    params
}

const VERSION: &str = "2026-07-28";

fn headers<'a>(method: &'a str, name: Option<&'a str>) -> Vec<(&'a str, &'a str)> {
    let name = name.map(|name| ("mcp-name", name));
    [("mcp-protocol-version", VERSION), ("mcp-method", method)].into_iter().chain(name).collect()
}

fn arguments(tool: &str) -> Value {
    let catalog = match tool {
        "search_catalog" => json!({ "query": "red" }),
        "lookup_catalog" => json!({ "ids": ["1", "2"] }),
        _ => json!({ "id": "1" }),
    };
    json!({ "name": tool, "arguments": { "catalog": catalog, "meta": { "ucp-agent": {} } } })
}

fn check_tools(list: &Value) {
    let tools = list["tools"].as_array().unwrap();
    let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, TOOLS);
    let text = list.to_string();
    assert!(!text.contains("$ref") && !text.contains("$schema") && !text.contains("outputSchema"));
}

/// The result of a tool says twice what the call by REST answers.
async fn check_result(shop: SocketAddr, tool: &str, result: &Value) {
    let name = match tool {
        "search_catalog" => "search",
        "lookup_catalog" => "lookup",
        _ => "product",
    };
    let expected = call(shop, name, &arguments(tool)["arguments"]["catalog"]).await;
    assert_eq!(result["structuredContent"], expected, "{tool}");
    let text = result["content"][0]["text"].as_str().unwrap();
    assert_eq!(serde_json::from_str::<Value>(text).unwrap(), expected, "{tool}");
}

#[tokio::test(flavor = "multi_thread")]
async fn bare_clients_list_and_call_every_tool() {
    let shop = start_shop(sample()).await;
    check_tools(&result(shop, "tools/list", json!({})).await);
    for tool in TOOLS {
        check_result(shop, tool, &result(shop, "tools/call", arguments(tool)).await).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn older_clients_begin_with_initialize() {
    let shop = start_shop(sample()).await;
    for (wanted, agreed) in [
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2024-11-05", "2025-11-25"),
    ] {
        let params = json!({ "protocolVersion": wanted, "capabilities": {}, "clientInfo": {} });
        let begun = result(shop, "initialize", params).await;
        assert_eq!(
            (&begun["protocolVersion"], &begun["capabilities"]["tools"]),
            (&json!(agreed), &json!({}))
        );
    }
    let notification = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let noted = post(shop, "/ucp/mcp", &[JSON], notification.to_string()).await;
    assert_eq!((noted.status.as_u16(), noted.body.as_str()), (202, ""));
    assert_eq!(result(shop, "ping", json!({})).await, json!({}));
    let unknown = send(shop, &[], "resources/list", json!({})).await;
    assert_eq!((unknown.status.as_u16(), &unknown.json()["error"]["code"]), (200, &json!(-32601)));
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_of_the_stateless_protocol_say_who_they_are_with_each_request() {
    let shop = start_shop(sample()).await;
    for method in ["server/discover", "tools/list"] {
        let answer = send(shop, &headers(method, None), method, stateless(VERSION, json!({}))).await;
        let result = answer.json()["result"].clone();
        assert_eq!((&result["resultType"], &result["cacheScope"]), (&json!("complete"), &json!("public")));
        assert!(result["ttlMs"].is_u64(), "{result}");
    }
    for tool in TOOLS {
        let method = "tools/call";
        let headers = headers(method, Some(tool));
        let answer = send(shop, &headers, method, stateless(VERSION, arguments(tool))).await;
        let result = answer.json()["result"].clone();
        assert_eq!(result["resultType"], "complete");
        check_result(shop, tool, &result).await;
        for missing in 0..headers.len() {
            let mut fewer = headers.clone();
            fewer.remove(missing);
            let answer = send(shop, &fewer, method, stateless(VERSION, arguments(tool))).await;
            assert_eq!((answer.status.as_u16(), &answer.json()["error"]["code"]), (400, &json!(-32020)));
        }
    }
    let other = [("mcp-protocol-version", "2030-01-01"), ("mcp-method", "tools/list")];
    let answer = send(shop, &other, "tools/list", stateless("2030-01-01", json!({}))).await;
    let error = &answer.json()["error"];
    assert_eq!((answer.status.as_u16(), &error["code"]), (400, &json!(-32022)));
    assert_eq!(error["data"], json!({ "supported": [VERSION], "requested": "2030-01-01" }));
    let mut without = stateless(VERSION, json!({}));
    without["_meta"].as_object_mut().unwrap().remove("io.modelcontextprotocol/clientCapabilities");
    let answer = send(shop, &headers("tools/list", None), "tools/list", without).await;
    assert_eq!((answer.status.as_u16(), &answer.json()["error"]["code"]), (400, &json!(-32602)));
    let answer = send(shop, &headers("ping", None), "ping", stateless(VERSION, json!({}))).await;
    assert_eq!((answer.status.as_u16(), &answer.json()["error"]["code"]), (404, &json!(-32601)));
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_arguments_are_answered_with_an_example_and_broken_messages_with_an_error() {
    let shop = start_shop(sample()).await;
    for tool in TOOLS {
        for wrong in [json!({}), json!({ "catalog": {} }), json!({ "catalog": 7 })] {
            let params = json!({ "name": tool, "arguments": wrong });
            let result = result(shop, "tools/call", params).await;
            assert_eq!(result["isError"], true, "{tool} {wrong}");
            assert!(result["content"][0]["text"].as_str().unwrap().contains(r#"{"catalog":"#));
        }
    }
    let ids: Vec<String> = (0..51).map(|id| id.to_string()).collect();
    for params in [
        json!({ "name": "lookup_catalog", "arguments": { "catalog": { "ids": ids } } }),
        json!({ "name": "order" }),
        json!({}),
    ] {
        let answer = send(shop, &[], "tools/call", params).await;
        assert_eq!(answer.json()["error"]["code"], -32602);
    }
    for (body, code) in [
        ("{", -32700),
        ("[]", -32600),
        ("{}", -32600),
        (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32600),
    ] {
        let answer = post(shop, "/ucp/mcp", &[JSON], body).await;
        assert_eq!((answer.status.as_u16(), &answer.json()["error"]["code"]), (400, &json!(code)), "{body}");
    }
}
