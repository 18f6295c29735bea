//! Links to where the products of a file are sold. How a page shows them is tested in `client/pages/ProductPage.test.tsx`
//! and `browser/specialShops/own.spec.ts`.

use serde_json::{Value, json};

use crate::common::pages::data;
use crate::common::program::{Program, file_with};

const TABLE: &str = "id,title,price,link\n\
    lamp,Oak Lamp,5,https://www.market.example/lamp?a=1&b=2\n\
    cup,Cup,5,/product/lamp\n\
    bowl,Bowl,5,javascript:alert(1)\n\
    tray,Tray,5,\n";

#[tokio::test(flavor = "multi_thread")]
async fn the_page_of_a_product_leads_to_where_it_is_sold_if_the_shop_shows_links() {
    let (_folder, file) = file_with("products.csv", TABLE);
    for flags in [&[] as &[&str], &["--buy", "none"]] {
        let (shop, is_linked) = (Program::of_file(&file, flags), flags.is_empty());
        for key in ["lamp", "cup", "bowl", "tray"] {
            let page = data(shop.address, &format!("/product/{key}")).await;
            let link = json!({ "href": "https://www.market.example/lamp?a=1&b=2", "host": "market.example" });
            let expected = if is_linked && key == "lamp" { link } else { Value::Null };
            assert_eq!(page["content"]["product"]["link"], expected, "{flags:?}: {key}");
        }
    }
}
