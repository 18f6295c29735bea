//! The known attacks on HTTP/2. Each has to cost the client more than the server, and to leave other visitors
//! alone.

use std::time::Duration;

use vitrine::http::connections::ConnectionLimits;

use super::frames::{
    ACK, CONTINUATION, DATA, END_HEADERS, END_STREAM, ENHANCE_YOUR_CALM, HEADERS, PING, PROTOCOL_ERROR,
    RST_STREAM, SETTINGS, WINDOW_UPDATE, connected, fields, frame, request, reset, setting,
};
use crate::common::small_server::{Server, generous, until_counted};
use crate::common::tls::{Http2, Identity, get};
use crate::common::until::{finishes, until};

/// The ids of a client's streams.
fn streams() -> impl Iterator<Item = u32> {
    (1..).step_by(2)
}

/// A field of 4,000 bytes; `first` says whether it enters the table of HPACK.
fn long_field(first: u8) -> Vec<u8> {
    // The length: 127, and 3,873 in seven bits each.
    [&[first, 1, b'x', 0x7f, 0xa1, 0x1e][..], &[b'v'; 4_000]].concat()
}

/// Waits until the connection has ended, or its client has found that it has.
async fn ends_during(server: &Server, attack: impl Future<Output = ()>) {
    finishes("the end of the connection", async {
        tokio::select! {
            () = attack => {}
            () = until_counted(|| server.counters().open.get(), 0) => {}
        }
    })
    .await;
    until_counted(|| server.counters().open.get(), 0).await;
}

/// Another visitor is answered.
async fn others_are_answered(server: &Server, identity: &Identity) {
    assert_eq!(Http2::connect(server.address, identity).await.get("/").await.status(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_end_at_once_end_the_connection() {
    // A window that is enlarged by zero makes the server reset the stream.
    let mistake = |id| frame(WINDOW_UPDATE, 0, id, &0_u32.to_be_bytes());
    let rapid_reset: (&str, &dyn Fn(u32) -> Vec<u8>, _) = ("CVE-2023-44487", &reset, [ENHANCE_YOUR_CALM; 2]);
    let made_you_reset = ("CVE-2025-8671", &mistake as _, [ENHANCE_YOUR_CALM, PROTOCOL_ERROR]);
    for (attack, end, reasons) in [rapid_reset, made_you_reset] {
        let (identity, server, mut attacker) = connected(generous(), &[]).await;
        let burst: Vec<u8> =
            streams().take(10_000).flat_map(|id| [request(id, "/slow"), end(id)].concat()).collect();
        // The server may close while it is sent.
        let _ = attacker.try_send(burst).await;
        let reason = attacker.reason_of_end().await;
        assert!(reason.is_none_or(|reason| reasons.contains(&reason)), "{attack}: {reason:?}");
        until_counted(|| server.counters().open.get(), 0).await;
        assert!(server.gate.waiting() <= 200, "{attack}: {} reached the router", server.gate.waiting());
        others_are_answered(&server, &identity).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_are_cancelled_while_they_are_worked_on_end_the_connection() {
    let (identity, server, mut attacker) = connected(generous(), &[]).await;
    for (sent, id) in (1_usize..).zip(streams().take(1_000)) {
        if attacker.try_send(request(id, "/slow")).await.is_err() {
            break;
        }
        until("the request at the gate, or the end of the connection", async || {
            server.gate.waiting() == sent || server.counters().open.get() == 0
        })
        .await;
        if server.counters().open.get() == 0 || attacker.try_send(reset(id)).await.is_err() {
            break;
        }
    }
    until_counted(|| server.counters().cancellations.get(), 1).await;
    assert!(server.gate.waiting() <= 101, "{} requests reached the router", server.gate.waiting());
    others_are_answered(&server, &identity).await;
}

#[tokio::test]
async fn a_head_that_goes_on_and_on_ends_the_connection() {
    // CVE-2024-27316, "CONTINUATION flood". Each part has a field that does not enter the table, or nothing.
    let continued = |fields: &[u8]| frame(CONTINUATION, 0, 1, fields);
    for (what, parts) in [("fields", continued(&long_field(0x00))), ("nothing", continued(&[]).repeat(1_000))]
    {
        let (identity, server, mut attacker) = connected(generous(), &[]).await;
        attacker.send(frame(HEADERS, END_STREAM, 1, &fields("/slow"))).await;
        let mut sent = 0;
        while attacker.try_send(&parts).await.is_ok() {
            sent += parts.len();
            assert!(sent < 64 << 20, "the server reads on and on: {what}");
        }
        until_counted(|| server.counters().open.get(), 0).await;
        assert_eq!(server.gate.waiting(), 0, "{what}");
        others_are_answered(&server, &identity).await;
    }
}

#[tokio::test]
async fn headers_that_are_small_on_the_wire_and_large_unpacked_are_refused() {
    let (identity, server, mut attacker) = connected(generous(), &[]).await;
    // One field of 4,000 bytes enters the table (index 62), and is named 12,000 times by a byte each.
    let stored = long_field(0x40);
    let bomb = [fields("/slow"), stored, vec![0x80 | 62; 12_000]].concat();
    attacker.send(frame(HEADERS, END_STREAM | END_HEADERS, 1, &bomb)).await;
    // 431, which is no entry of the static table, or the end.
    let answer = attacker.next_of(HEADERS).await;
    assert!(answer.is_none_or(
        |answer| answer.payload.windows(3).any(|text| text == b"431") || answer.flags & END_STREAM != 0
    ));
    assert_eq!(server.gate.waiting(), 0, "it did not reach the router");
    others_are_answered(&server, &identity).await;
}

#[tokio::test]
async fn a_client_that_only_sends_settings_and_pings_has_the_time_of_a_head() {
    for kind in [SETTINGS, PING] {
        let head = Duration::from_millis(700);
        // It reads nothing, so the server may be the one that waits to write.
        let limits = ConnectionLimits { head, stall: head, ..generous() };
        let (identity, server, mut attacker) = connected(limits, &[]).await;
        let payload: &[u8] = if kind == PING { &[7; 8] } else { &[] };
        let flood = frame(kind, 0, 0, payload).repeat(1_000);
        // It reads no answer, so in the end nothing more can be sent.
        ends_during(&server, async { while attacker.try_send(&flood).await.is_ok() {} }).await;
        until_counted(|| server.counters().head_timeouts.get() + server.counters().write_timeouts.get(), 1)
            .await;
        others_are_answered(&server, &identity).await;
    }
}

#[tokio::test]
async fn a_client_that_takes_nothing_is_cut_off_however_much_it_asks() {
    const LARGEST: u32 = (1 << 31) - 1;
    let all = frame(WINDOW_UPDATE, 0, 0, &(LARGEST - 65_535).to_be_bytes());
    // A client without a window, and one that does not read its socket. The window is `SETTINGS_INITIAL_WINDOW_SIZE`.
    for (window, of_connection, requests) in [(0, Vec::new(), 50), (LARGEST, all, 1)] {
        let limits = ConnectionLimits { stall: Duration::from_millis(500), ..generous() };
        let (_identity, server, mut attacker) = connected(limits, &setting(4, window)).await;
        let mut ids = streams();
        let first: Vec<u8> = ids.by_ref().take(requests).flat_map(|id| request(id, "/large")).collect();
        attacker.send([of_connection, first].concat()).await;
        // Further frames do not count as reading, neither pings nor requests.
        let busy = async {
            for id in ids {
                let ping = frame(PING, 0, 0, &[0; 8]);
                if attacker.try_send([ping, request(id, "/slow"), reset(id)].concat()).await.is_err() {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        ends_during(&server, busy).await;
        until_counted(|| server.counters().write_timeouts.get(), 1).await;
    }
}

#[tokio::test]
async fn a_stream_that_is_not_read_does_not_end_those_that_are() {
    let limits = ConnectionLimits { stream: Duration::from_millis(500), ..generous() };
    let (_identity, _server, mut client) = connected(limits, &setting(4, 10)).await;
    client.send(request(1, "/large")).await;
    let ended = client.next_of(RST_STREAM).await.unwrap();
    assert_eq!(ended.stream, 1);
    client.send(request(3, "/")).await;
    let answer = client.next_of(DATA).await.unwrap();
    assert_eq!((answer.stream, &answer.payload[..]), (3, &b"ok"[..]));
}

#[tokio::test]
async fn a_client_has_a_limited_number_of_requests_at_once() {
    let (_identity, server, mut attacker) = connected(generous(), &[]).await;
    attacker.send(streams().take(300).flat_map(|id| request(id, "/slow")).collect::<Vec<_>>()).await;
    let refused = attacker.next_of(RST_STREAM).await.unwrap();
    assert_eq!((refused.stream, refused.reason()), (201, 7), "REFUSED_STREAM");
    server.gate.arrived(100).await;
    assert_eq!(server.gate.waiting(), 0);
}

#[tokio::test]
async fn a_body_is_not_read_and_takes_little_memory() {
    let (identity, server) = Server::encrypted(generous()).await;
    let mut client = Http2::connect(server.address, &identity).await;
    assert_eq!(client.get("/").await.status(), 200, "the server's settings have arrived");
    client.requests = finishes("room", client.requests.clone().ready()).await.unwrap();
    let (answer, mut body) = client.requests.send_request(get("/slow"), false).unwrap();
    server.gate.arrived(1).await;
    let mut sent = 0;
    // Once there has been no room for a while, there will be none.
    loop {
        body.reserve_capacity(1 << 20);
        let room = std::future::poll_fn(|task| body.poll_capacity(task));
        let Ok(Some(Ok(room))) = tokio::time::timeout(Duration::from_millis(300), room).await else { break };
        body.send_data(vec![0; room].into(), false).unwrap();
        sent += room;
        assert!(sent <= 64 << 10, "the server reads on and on");
    }
    server.gate.open();
    assert_eq!(finishes("an answer", answer).await.unwrap().status(), 200);
    others_are_answered(&server, &identity).await;
}

#[tokio::test]
async fn settings_are_acknowledged_and_the_memory_for_headers_is_not_the_client_s_to_choose() {
    // `SETTINGS_HEADER_TABLE_SIZE`
    let (_identity, _server, mut client) = connected(generous(), &setting(1, u32::MAX)).await;
    while client.next_of(SETTINGS).await.unwrap().flags & ACK == 0 {}
    client.send(request(1, "/")).await;
    let head = client.next_of(HEADERS).await.unwrap();
    // A new size would be named first, by an instruction that begins with 001. The server keeps its 4,096 bytes.
    assert_ne!(head.payload[0] & 0b1110_0000, 0b0010_0000);
}
