//! Operators see which version of the catalogue is on sale.

use crate::common::operators::{Socket, TOKEN};
use crate::common::program::{Program, file_with};
use crate::common::until::blocking_until;

/// The digest in the metrics of a shop with these flags, which `/status` names as well.
fn named(catalogue: &str) -> String {
    let socket = Socket::new();
    let address = socket.address();
    let flags = ["--catalogue", catalogue, "--isolates", "1", "--admin", &address, "--admin-token", TOKEN];
    let _shop = Program::quiet(&flags);
    let mut name = None;
    blocking_until("a name", || {
        let metrics = socket.ask("GET /metrics");
        let start = "vitrine_catalogue_version_timestamp_seconds{digest=\"";
        let line = metrics.lines().find_map(|line| line.strip_prefix(start));
        name = line.and_then(|line| Some(line.split_once('"')?.0.to_owned()));
        name.is_some()
    });
    let name = name.unwrap();
    assert!(name.len() == 12 && socket.ask("GET /status").contains(&name), "{name}");
    name
}

#[test]
fn the_version_on_sale_is_named_also_of_a_file_and_of_the_sample() {
    let of_file = |price: u32| {
        let (_folder, file) =
            file_with("products.csv", &format!("id,title,price\n1,Cup,{price}\n2,Bowl,5\n"));
        named(&format!("file:{}", file.display()))
    };
    assert_eq!(of_file(5), of_file(5), "replicas with equal files sell the same");
    assert_ne!(of_file(5), of_file(6));
    assert_eq!(named("sample"), named("sample"));
}
