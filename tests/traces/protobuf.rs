//! As much of protobuf's wire format as a trace needs (`opentelemetry/proto/collector/trace/v1`).

/// A span that was received. Identifiers are hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) trace: String,
    pub(crate) id: String,
    pub(crate) parent: String,
    pub(crate) name: String,
    /// The attribute `service.name` of its resource.
    pub(crate) service: String,
}

/// The spans of an `ExportTraceServiceRequest`.
pub(crate) fn spans(request: &[u8]) -> Vec<Span> {
    let mut spans = Vec::new();
    for resource in messages(request, 1) {
        let service = service(resource);
        for scope in messages(resource, 2) {
            spans.extend(messages(scope, 2).into_iter().map(|message| span(message, service.clone())));
        }
    }
    spans
}

/// The name of the service whose `ResourceSpans` these are.
fn service(message: &[u8]) -> String {
    let attributes = messages(message, 1).into_iter().flat_map(|resource| messages(resource, 1));
    let mut names = attributes.filter(|attribute| messages(attribute, 1) == [b"service.name"]);
    text(messages(messages(names.next().unwrap(), 2)[0], 1)[0])
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn span(message: &[u8], service: String) -> Span {
    let bytes = |field| messages(message, field).first().copied().unwrap_or_default();
    let digits = |field| bytes(field).iter().map(|byte| format!("{byte:02x}")).collect();
    Span { trace: digits(1), id: digits(2), parent: digits(4), name: text(bytes(5)), service }
}

/// The values of a field that holds bytes, a text or a message.
fn messages(mut rest: &[u8], wanted: usize) -> Vec<&[u8]> {
    let mut values = Vec::new();
    while !rest.is_empty() {
        let key = varint(&mut rest);
        let length = match key & 7 {
            0 => {
                varint(&mut rest);
                continue;
            }
            1 => 8,
            2 => varint(&mut rest),
            5 => 4,
            other => panic!("wire type {other}"),
        };
        let value = rest.split_off(..length).unwrap();
        if (key >> 3, key & 7) == (wanted, 2) {
            values.push(value);
        }
    }
    values
}

fn varint(rest: &mut &[u8]) -> usize {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = rest.split_off_first().unwrap();
        number |= usize::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            break;
        }
    }
    number
}
