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
    let of_resource = |resource| {
        let service = service(resource);
        let scopes = messages(resource, 2);
        scopes.flat_map(|scope| messages(scope, 2)).map(move |message| span(message, service.clone()))
    };
    messages(request, 1).flat_map(of_resource).collect()
}

/// The name of the service whose `ResourceSpans` these are.
fn service(message: &[u8]) -> String {
    let attributes = messages(message, 1).flat_map(|resource| messages(resource, 1));
    let mut names = attributes.filter(|attribute| messages(attribute, 1).any(|key| key == b"service.name"));
    let value = messages(names.next().unwrap(), 2).next().unwrap();
    text(messages(value, 1).next().unwrap())
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn span(message: &[u8], service: String) -> Span {
    let bytes = |field| messages(message, field).next().unwrap_or_default();
    let digits = |field| bytes(field).iter().map(|byte| format!("{byte:02x}")).collect();
    Span { trace: digits(1), id: digits(2), parent: digits(4), name: text(bytes(5)), service }
}

/// The values of a field that holds bytes, a text or a message.
fn messages(message: &[u8], wanted: u64) -> impl Iterator<Item = &[u8]> {
    let mut rest = message;
    std::iter::from_fn(move || {
        while !rest.is_empty() {
            let key = varint(&mut rest);
            let value = match key & 7 {
                0 => {
                    varint(&mut rest);
                    continue;
                }
                1 => take(&mut rest, 8),
                2 => {
                    let length = varint(&mut rest);
                    take(&mut rest, usize::try_from(length).unwrap())
                }
                5 => take(&mut rest, 4),
                other => panic!("wire type {other}"),
            };
            if key >> 3 == wanted && key & 7 == 2 {
                return Some(value);
            }
        }
        None
    })
}

fn take<'a>(rest: &mut &'a [u8], length: usize) -> &'a [u8] {
    let (taken, after) = rest.split_at(length);
    *rest = after;
    taken
}

fn varint(rest: &mut &[u8]) -> u64 {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let [byte] = take(rest, 1) else { panic!("one byte was asked for") };
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            break;
        }
    }
    number
}
