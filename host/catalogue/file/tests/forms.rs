//! Tables as other shops write them.

use std::collections::HashMap;

use super::super::report::Reason;
use super::{FileError, FileOptions, Reading, Slug, left_out, lines, parse_text, parse_with, shown};
use crate::catalogue::ProductKey;

/// The form of a text, and what a shop shows of it.
fn form(text: &str) -> (&'static str, Vec<String>) {
    let shown = shown(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    (parse_text(text).unwrap().report.dialect, shown)
}

#[test]
fn a_header_may_follow_remarks_and_a_title() {
    for (before, header) in [
        ("", 1),
        ("# Required | The unique ID,# Required | The title,# Required | The price\n", 2),
        ("\"# Required | The\nunique ID\",\"The \"\"title\"\"\"\n", 3),
        ("Prices of spring\n\nsep=,\n,,\n", 5),
        (&"remark\n".repeat(19), 20),
    ] {
        let text = format!("{before}id,title,price\n1,Cup,5\n2,Bowl,\n");
        assert_eq!(form(&text), ("a table of products", vec!["1 Cup 5.00 USD Unknown 0".into()]), "{text}");
        assert_eq!(left_out(&text), [format!("1 without a price above zero (line {})", header + 2)]);
    }
    for before in ["remark\n".repeat(20), "id;name\n".repeat(30)] {
        let text = format!("{before}id,title,price\n1,Cup,5\n");
        assert!(matches!(parse_text(&text), Err(FileError::Columns { .. })), "{text}");
    }
    // Rows are no header, and a header with other delimiters than its title is found.
    assert_eq!(
        form("Cups, bowls, and more\nid;title;price\n1;Cup;5,00\nid;title;price\n").1,
        ["1 Cup 5.00 USD Unknown 0"]
    );
}

#[test]
fn woocommerce_is_read_in_other_languages() {
    for (header, name) in [
        (
            "ID,Typ,Artikelnummer,Name,Veröffentlicht,Sichtbarkeit im Katalog,Vorrätig?,Lager,Angebotspreis,Regulärer Preis,Kategorien,Bilder,Übergeordnetes Produkt,Attribut 1 Name,Attribut 1 Wert(e)",
            "de",
        ),
        (
            "ID,Type,UGS,Nom,Publié,Visibilité dans le catalogue,En stock\u{a0}?,Stock,Tarif promo,Tarif régulier,Catégories,Images,Parent,Nom de l\u{2019}attribut 1,Valeur(s) de l\u{2019}attribut 1 ",
            "fr",
        ),
        (
            "ID,Tipo,SKU,Nombre,Publicado,Visibilidad en el catálogo,¿Existencias?,Inventario,Precio rebajado,Precio normal,Categorías,Imágenes,Superior,Nombre del atributo 1,Valor(es) del atributo 1",
            "es",
        ),
        (
            "ID,Tipo,SKU,Nome,Pubblicato,Visibilità nel catalogo,In stock?,Magazzino,Prezzo in offerta,Prezzo di listino,Categorie,Immagine,Genitore,Nome dell'attributo 1,Valore dell'attributo 1",
            "it",
        ),
        (
            "ID,Type,SKU,Naam,Gepubliceerd,Zichtbaarheid in catalogus,Op voorraad?,Voorraad,Actieprijs,Reguliere prijs,Categorieën,Afbeeldingen,Hoofd,Naam eigenschap 1,Waarde eigenschap 1",
            "nl",
        ),
        (
            "ID,Typ,SKU,Nazwa,Opublikowano,Widoczność w katalogu,W magazynie?,Stan magazynowy,Cena promocyjna,Cena,Kategorie,Obrazki,Element nadrzędny,Nazwa atrybutu 1,Wartości atrybutu 1",
            "pl",
        ),
        (
            "ID,Tipo,SKU,Nome,Publicado,Visibilidade no catálogo,Em estoque?,Estoque,Preço promocional,Preço,Categorias,Imagens,Ascendente,Nome do atributo 1,Valores do atributo 1",
            "pt",
        ),
        (
            "ID,Typ,Artikelnummer,Namn,Publicerad,Synlighet i katalog,I lager?,Lager,Reapris,Ordinarie pris,Kategorier,Bilder,Förälder,Attribut 1 namn,Attribut 1 värde(n)",
            "sv",
        ),
    ] {
        let text = format!(
            "{header}\n\
             30,variable,HOOD,Hoodie,1,visible,1,,,,Clothing,https://a.example/h.webp,,Size,\"S, M\"\n\
             31,variation,HOOD-S,Hoodie - S,1,visible,1,,40,45,,,HOOD,Size,S\n\
             32,variation,HOOD-M,Hoodie - M,1,visible,0,,,45,,,HOOD,Size,M\n\
             33,simple,CUP,Cup,-1,visible,1,,,5,,,,,\n\
             34,simple,MUG,Mug,1,hidden,1,,,5,,,,,\n\
             35,simple,JAR,Jar,1,visible,1,7,,5,,,,,\n"
        );
        assert_eq!(
            form(&text),
            (
                "WooCommerce's products",
                vec![
                    "HOOD Hoodie 40.00 USD InStock(None) 1".into(),
                    "  Size=S 40.00 InStock(None) HOOD-S".into(),
                    "  Size=M 45.00 SoldOut HOOD-M".into(),
                    "JAR Jar 5.00 USD InStock(Some(7)) 0".into(),
                ]
            ),
            "{name}"
        );
    }
}

#[test]
fn subscriptions_of_woocommerce_are_products() {
    let text = "ID,Type,SKU,Name,Published,Regular price,Parent,Attribute 1 name,Attribute 1 value(s)\n\
        1,subscription,TEA,Tea,1,5,,,\n\
        2,variable-subscription,BOX,Box,1,,,Size,\"S, M\"\n\
        3,subscription_variation,BOX-S,Box - S,1,6,BOX,Size,S\n\
        4,\"subscription_variation, virtual\",BOX-M,Box - M,1,7,BOX,Size,M\n";
    assert_eq!(
        shown(text).unwrap(),
        [
            "TEA Tea 5.00 USD Unknown 0",
            "BOX Box 6.00 USD Unknown 0",
            "  Size=S 6.00 Unknown BOX-S",
            "  Size=M 7.00 Unknown BOX-M",
        ]
    );
}

#[test]
fn small_sheets_are_read() {
    for (text, expected) in [
        (
            "SKU,Name,Price,Qty,Image URL\nC-1,Cup,5,3,https://a.example/c.webp\n",
            "C-1 Cup 5.00 USD InStock(Some(3)) 1",
        ),
        (
            "Item;Quantity;Unit price;Photo\nCup;0;5,50;https://a.example/c.webp\n",
            "Cup Cup 5.50 USD SoldOut 1",
        ),
        // The better name counts.
        ("Item,Product name,Price,In stock\nC-1,Cup,5,yes\n", "Cup Cup 5.00 USD InStock(None) 0"),
        ("Product,Price,Image 1,Image 2,Image 3\nCup,5,/a.webp,,/c.webp\n", "Cup Cup 5.00 USD Unknown 2"),
        ("Product ID,Item name,Retail price\n7,Cup,5\n", "7 Cup 5.00 USD Unknown 0"),
        ("Spring list\nItem No.\tTitle\tPrice\tcategory\nC-1\tCup\t5\tCups\n", "C-1 Cup 5.00 USD Unknown 0"),
    ] {
        assert_eq!(form(text), ("a sheet of products", vec![expected.into()]), "{text}");
    }
}

#[test]
fn two_ids_with_one_short_code_are_two_products() {
    // All of these ids are written with the same nine letters, so only their codes tell them apart. The first by name needs
    // none.
    let mut keys = HashMap::new();
    let ids = (0_u32..1 << 18).map(|number| {
        (0..9)
            .map(|place| ['\u{e8}', '\u{e9}', '\u{ea}', '\u{eb}'][(number >> (2 * place)) as usize & 3])
            .collect::<String>()
    });
    let (first, second) = ids
        .filter_map(|id| keys.insert(ProductKey::of(&id), id.clone()).map(|first| (first, id)))
        .next()
        .unwrap();
    let lines = shown(&format!("id,title,price\n{first},Lamp,5\n{second},Cup,6\n")).unwrap();
    let long = ProductKey::with_long_code(&second);
    let plain = ProductKey::of("eeeeeeeee");
    let [lamp, cup] = match first < second {
        true => [plain, long],
        false => [ProductKey::of(&first), plain],
    };
    let expected = [(lamp, "Lamp 5.00"), (cup, "Cup 6.00")];
    let expected = expected.map(|(key, shown)| format!("{key} {shown} USD Unknown 0"));
    assert_eq!(lines, expected);
    let line = |id: &str, rest: &str| format!("{{\"id\":\"{id}\",{rest}}}\n");
    let lamp = line(&first, r#""title":"Lamp","price":5"#);
    let lines = shown(&[&*lamp, &line(&second, r#""title":"Cup","price":6"#), &lamp].concat()).unwrap();
    assert_eq!(lines, expected);
}

#[test]
fn ids_are_made_of_titles_where_nothing_else_names_a_product() {
    let rows = ["Oak Lamp,5", "Cup,6", ",7", "Cup,8"];
    let read = |rows: &[&str]| format!("title,price\n{}\n", rows.join("\n"));
    let text = read(&rows);
    let lines = shown(&text).unwrap();
    let [lamp, cup] = &*lines else { panic!("{lines:?}") };
    assert_eq!(lamp, "Oak-Lamp Oak Lamp 5.00 USD Unknown 0");
    assert_eq!(cup, "Cup Cup 6.00 USD Unknown 0");
    assert_eq!(
        left_out(&text),
        ["1 without a title (line 4)", "1 with the id, or the options, of an earlier one (line 5)"]
    );
    assert!(parse_text(&text).unwrap().report.ids_from_titles);
    assert_eq!(shown(&read(&["Mug,1", rows[1], rows[0]])).unwrap()[2], *lamp, "other rows change no id");
    // An SKU comes first; the title stands in for a blank one.
    let text = "sku,title,price\nC-1,Cup,5\n,Bowl,6\n";
    assert_eq!(shown(text).unwrap(), ["C-1 Cup 5.00 USD Unknown 0", "Bowl Bowl 6.00 USD Unknown 0"]);
    assert!(parse_text(text).unwrap().report.ids_from_titles);
    assert!(!parse_text("sku,title,price\nC-1,Cup,5\n").unwrap().report.ids_from_titles);
    // A file of another form that lacks its ids is none of these.
    for header in [
        "Title,Variant Price,Option1 Name,Option1 Value",
        "Name,Regular price,Parent,Attribute 1 name,Attribute 1 value(s)",
        "title,price,item_group_id,size",
        "group,title,price,options",
        "title,price,options",
        "handleId,name,price",
        "sku,name,price,configurable_variations",
        "name,cost",
        "title,stock",
    ] {
        let text = format!("{header}\na,5,a,a\n");
        assert!(matches!(parse_text(&text), Err(FileError::Columns { .. })), "{header}");
    }
}

const MAGENTO: &str = "sku,store_view_code,attribute_set_code,product_type,categories,name,description,product_online,visibility,price,special_price,base_image,additional_images,qty,is_in_stock,configurable_variations\n\
    TEE-S,,Top,simple,,Tee S,,1,Not Visible Individually,20.000000,,/t/s/s.jpg,,3.0000,1,\n\
    TEE,,Top,configurable,\"Default Category/Tops,Default Category\",Tee,Soft,1,\"Catalog, Search\",,,/t/e/tee.jpg,\"/t/e/1.jpg,/t/e/2.jpg\",0.0000,1,\"sku=TEE-S,size=S,color=Red|sku=TEE-M,size=M,color=Red|sku=TEE-L,size=L,color=Red\"\n\
    TEE,german,Top,configurable,,Hemd,Weich,,,,,,,,,\n\
    TEE-M,,Top,simple,,Tee M,,1,Not Visible Individually,22.000000,19.500000,,,0.0000,0,\n\
    TEE-L,,Top,simple,,Tee L,,2,Not Visible Individually,22.000000,,,,5.0000,1,\n\
    CUP,,Home,simple,Default Category/Home/Cups,Cup,,1,4,5.000000,,,,,1,\n\
    OFF,,Home,simple,,Off,,2,4,5.000000,,,,,1,\n\
    GIFT,,Home,simple,,Gift,,1,1,1.000000,,,,,1,\n\
    SET,,Home,bundle,,Set,,1,4,,,,,,1,\n";

#[test]
fn what_magento_exports_becomes_products() {
    assert_eq!(
        form(MAGENTO),
        (
            "Magento's products",
            vec![
                "TEE Tee 20.00 USD InStock(Some(3)) 4".into(),
                "  Size=S Color=Red 20.00 InStock(Some(3)) TEE-S".into(),
                "  Size=M Color=Red 19.50 SoldOut TEE-M".into(),
                "CUP Cup 5.00 USD InStock(None) 0".into(),
            ]
        )
    );
    assert_eq!(
        left_out(MAGENTO),
        ["2 not for sale (lines 8, 9)", "1 of products that only join others (line 10)"]
    );
    let Reading { products, .. } = parse_text(MAGENTO).unwrap();
    assert_eq!(products[0].summary.description, "Soft");
    assert_eq!(products[0].variants[0].picture.as_deref(), Some("/t/s/s.jpg"));
    let categories = products.iter().map(|product| product.summary.category.clone());
    assert_eq!(categories.collect::<Vec<_>>(), [Slug::of("Tops"), Slug::of("Cups")]);
    // In other forms these words say something else, or nothing.
    let text = "id,title,price,visibility\n1,A,5,1\n2,B,5,0\n";
    assert_eq!(shown(text).unwrap(), ["1 A 5.00 USD Unknown 0"]);
}

#[test]
fn the_sample_of_prestashop_becomes_products() {
    let header = "Product ID;Active (0/1);Name *;Categories (x,y,z...);Price tax excluded;Reference #;Manufacturer;EAN13;Quantity;Visibility;Summary;Available for order (0 = No, 1 = Yes);Image URLs (x,y,z...)";
    let rows = "1;1;iPod Nano;Home,iPods;100;RP-1;Apple;4006381333931;160;both;<p>New.</p>;1;http://a.example/15.jpg,http://a.example/23.jpg\n\
        2;0;iPod shuffle;iPods;60;RP-2;Apple;;5;both;;1;\n\
        3;1;Folio;3;25;RP-3;Belkin;;0;;;1;\n\
        4;1;Case;Accessories;25;RP-4;Belkin;;3;none;;1;\n\
        5;1;Dock;Home/Accessories;25.50;RP-5;Belkin;;3;catalog;;0;\n";
    let text = format!("{header}\n{rows}");
    assert_eq!(
        form(&text),
        (
            "PrestaShop's products",
            vec![
                "1 iPod Nano 100.00 USD InStock(Some(160)) 2".into(),
                "3 Folio 25.00 USD SoldOut 0".into(),
                "5 Dock 25.50 USD SoldOut 0".into(),
            ]
        )
    );
    let Reading { products, report, .. } = parse_text(&text).unwrap();
    let categories = products.iter().map(|product| product.summary.category.clone());
    assert_eq!(categories.collect::<Vec<_>>(), [Slug::of("iPods"), None, Slug::of("Accessories")]);
    assert_eq!(products[0].summary.brand.as_deref(), Some("Apple"));
    assert!(products[0].gtin.is_some() && report.has_net_prices);
    // In the middle of November 2026.
    let now = 1_794_700_800;
    let text = "ID;Name;Price tax included;Discount amount;Discount percent;Discount from (yyyy-mm-dd);Discount to (yyyy-mm-dd)\n\
        1;A;10.01;;50;2026-11-01;2026-11-30\n2;B;10;1.50;;;\n3;C;10;;20;2026-12-01;2026-12-31\n4;D;10;0;0;0000-00-00;0000-00-00\n\
        5;E;10;0.00;5;0000-00-00;0000-00-00\n6;F;10;about 1;;;\n7;G;10;;20;soon;\n";
    let Reading { products, report, changes, .. } = parse_with(text, &FileOptions::default(), now).unwrap();
    let prices: Vec<u64> = products.iter().map(|product| product.summary.price.minor()).collect();
    assert_eq!(prices, [501, 850, 1000, 1000, 950, 1000, 1000]);
    assert_eq!(products[0].summary.list_price.map(|list_price| list_price.minor()), Some(1001));
    assert_eq!(lines(&report, Reason::UnclearDiscount), [7]);
    assert_eq!(lines(&report, Reason::UnclearDates), [8]);
    assert!(changes.next.is_some());
    // Prices with tax come first.
    let text = "ID;Active (0/1);Name *;Price tax excluded;Price tax included\n1;1;Cup;10;12\n";
    assert_eq!(shown(text).unwrap(), ["1 Cup 12.00 USD Unknown 0"]);
    assert!(!parse_text(text).unwrap().report.has_net_prices);
    assert!(!parse_text("id,title,price\n1,A,5\n").unwrap().report.has_net_prices);
}

#[test]
fn what_wix_exports_becomes_products() {
    let text = "handleId,fieldType,name,description,productImageUrl,collection,sku,ribbon,price,surcharge,visible,discountMode,discountValue,inventory,weight,productOptionName1,productOptionType1,productOptionDescription1,productOptionName2,productOptionType2,productOptionDescription2\n\
        tee,Product,Blue Tee,<p>Soft</p>,a~mv2.jpg;b~mv2.jpg;https://a.example/c.jpg,Tops;Sale,TEE,,20.0,,true,PERCENT,0.0,InStock,,Size,DROP_DOWN,Small;Large,Color,COLOR,#ff0000:Red\n\
        tee,Variant,,,,,TEE-S,,,0.0,TRUE,,,4,,,,Small,,,#ff0000:Red\n\
        tee,Variant,,,,,TEE-L,,,4.5,true,,,OutOfStock,,,,Large,,,#ff0000:Red\n\
        tee,Variant,,,,,TEE-X,,,4.5,FALSE,,,2,,,,XL,,,#ff0000:Red\n\
        cup,Product,Cup,,c~mv2.png,Kitchen,CUP,,5,,true,,,7,,Note,DROP_DOWN,A;B,,,\n\
        hid,Product,Hidden,,,,HID,,5,,false,,,7,,,,,,,\n\
        box,Product,Box,,,,BOX,,,,true,,,7,,,,,,,\n";
    assert_eq!(
        form(text),
        (
            "Wix's products",
            vec![
                "tee Blue Tee 20.00 USD InStock(Some(4)) 3".into(),
                "  Size=Small Color=Red 20.00 InStock(Some(4)) TEE-S".into(),
                "  Size=Large Color=Red 24.50 SoldOut TEE-L".into(),
                "cup Cup 5.00 USD InStock(Some(7)) 1".into(),
            ]
        )
    );
    assert_eq!(left_out(text), ["1 not for sale (line 7)", "1 without a price above zero (line 8)"]);
    let image = |options: &FileOptions| parse_with(text, options, 0).unwrap().products[1].images.clone();
    assert_eq!(image(&FileOptions::default()), ["https://static.wixstatic.com/media/c~mv2.png"]);
    let options = FileOptions::parse("image_base = \"https://b.example/\"").unwrap();
    assert_eq!(image(&options), ["https://b.example/c~mv2.png"]);
    // A surcharge that is no number, or without a price, is no price.
    for (price, surcharge, expected) in [
        ("20", "1.25", Some("21.25")),
        ("20.00", "-5", Some("15.00")),
        ("20", "", Some("20.00")),
        ("20", "two", None),
        ("", "5", None),
        ("1", "-5", None),
    ] {
        let text = format!(
            "handleId,fieldType,name,price,surcharge,productOptionName1,productOptionDescription1\n\
             a,Product,A,{price},,Size,S\na,Variant,,,{surcharge},,S\nb,Product,B,5,,,\n"
        );
        let lines = shown(&text).unwrap();
        let found = lines
            .first()
            .filter(|line| line.starts_with("a "))
            .map(|line| line.contains(expected.unwrap_or("-")));
        assert_eq!(found, expected.map(|_| true), "{text}: {lines:?}");
    }
}

#[test]
fn a_discount_of_wix_counts_for_all_variants() {
    for (mode, value, expected) in [
        ("PERCENT", "10", ["18.00", "22.05", "4.50"]),
        ("PERCENT", "12.5", ["17.50", "21.44", "4.38"]),
        ("AMOUNT", "3.20", ["16.80", "21.30", "1.80"]),
        ("AMOUNT", "20", ["20.00", "4.50", "5.00"]),
        ("PERCENT", "0.0", ["20.00", "24.50", "5.00"]),
        ("PERCENT", "100", ["20.00", "24.50", "5.00"]),
        ("", "", ["20.00", "24.50", "5.00"]),
    ] {
        let text = format!(
            "handleId,fieldType,name,price,surcharge,discountMode,discountValue,productOptionName1,productOptionDescription1\n\
             a,Product,A,20.0,,{mode},{value},Size,S;L\na,Variant,,,,,,,S\na,Variant,,,4.5,,,,L\nb,Product,B,5,,{mode},{value},,\n"
        );
        let lines = shown(&text).unwrap();
        assert_eq!(lines.len(), 4, "{lines:?}");
        let is_price = |(line, price): (&String, &&str)| line.contains(&format!(" {price} "));
        assert!(lines[1..].iter().zip(&expected).all(is_price), "{text}: {lines:?}");
    }
}

#[test]
fn listings_of_etsy_become_products() {
    let text = "TITLE,DESCRIPTION,PRICE,CURRENCY_CODE,QUANTITY,TAGS,MATERIALS,IMAGE1,IMAGE2,IMAGE3,VARIATION 1 TYPE,VARIATION 1 NAME,VARIATION 1 VALUES,SKU\n\
        Silver Ring,Simple,8.30,GBP,1,\"ring,silver\",\"Silver,Stone\",https://a.example/1.jpg,https://a.example/2.jpg,https://a.example/3.jpg,Size,Size,\"6,7\",SKU-1\n\
        Cup,\"Line one\nline two\",6.15,GBP,3,,,,,,,,,\n";
    assert_eq!(
        form(text),
        (
            "Etsy's listings",
            vec![
                "SKU-1 Silver Ring 8.30 GBP InStock(Some(1)) 3".into(),
                "Cup Cup 6.15 GBP InStock(Some(3)) 0".into()
            ]
        )
    );
    let Reading { products, report, .. } = parse_text(text).unwrap();
    assert_eq!(products[0].tags, ["ring", "silver"]);
    assert!(report.ids_from_titles);
    assert_eq!(report.unused, ["MATERIALS", "VARIATION 1 TYPE", "VARIATION 1 NAME", "VARIATION 1 VALUES"]);
}

#[test]
fn files_of_other_forms_are_read_as_before() {
    for (header, name) in [
        ("id,title,price,sku,product_type,attribute_set_code,name", "a table of products"),
        ("id,title,price,Product ID,Price tax excluded,Active (0/1)", "a table of products"),
        ("id,typ,name,price", "a table of products"),
        ("id,title,price,qty,item,photo", "a table of products"),
        ("Handle,Title,Variant Price,handleId,fieldType", "Shopify's products"),
    ] {
        let cells = ["1"].iter().chain(&["A", "5"]).chain(&["5"; 4]).copied();
        let row: Vec<&str> = cells.take(header.split(',').count()).collect();
        assert_eq!(form(&format!("{header}\n{}\n", row.join(","))).0, name, "{header}");
    }
}

#[test]
fn columns_say_in_every_form_what_is_not_for_sale() {
    let shows = [
        "visible",
        "Is Visible",
        "Product Visible?",
        "Allow Purchases?",
        "published",
        "is_active",
        "Available for sale",
        "Can be Sold",
        "For Sale",
        "online",
        "Is Published",
        "Item active?",
        "Sellable",
    ];
    let withdraws = [
        "Archived",
        "hidden",
        "is hidden",
        "Discontinued",
        "is_archived",
        "deleted",
        "Is deleted",
        "disabled",
        "Is Discontinued?",
        "Product hidden",
        "Inactive",
    ];
    let shows = shows.iter().map(|name| (name, ["No", "yes"]));
    for (name, [no, yes]) in shows.chain(withdraws.iter().map(|name| (name, ["TRUE", "false"]))) {
        for header in ["id,title,price", "SKU,Name,Price", "Product ID,Name *,Price tax included"] {
            let text = format!("{header},{name}\n1,A,5,{no}\n2,B,5,{yes}\n3,C,5,\n");
            assert_eq!(shown(&text).unwrap(), ["2 B 5.00 USD Unknown 0", "3 C 5.00 USD Unknown 0"], "{text}");
            assert_eq!(left_out(&text), ["1 not for sale (line 2)"], "{text}");
        }
    }
    for text in [
        "id,title,price,archived,hidden\n1,A,5,no,yes\n2,B,5,no,no\n",
        "id,title,price,discontinued\n1,A,5,discontinued\n2,B,5,active\n",
        "id,title,price,deleted\n1,A,5,perhaps\n2,B,5,0\n",
        "SKU,Name,Price,Discontinued\n1,A,5,x\n2,B,5,\n",
        "{\"id\":1,\"title\":\"A\",\"price\":5,\"isArchived\":true}\n{\"id\":2,\"title\":\"B\",\"price\":5,\"isArchived\":false}\n",
        "<rss><item><id>1</id><title>A</title><price>5</price><hidden>no</hidden><archived>yes</archived></item>\
         <item><id>2</id><title>B</title><price>5</price><for_sale>yes</for_sale></item>\
         <item><id>3</id><title>C</title><price>5</price><for_sale>no</for_sale></item></rss>",
    ] {
        assert_eq!(shown(text).unwrap(), ["2 B 5.00 USD Unknown 0"], "{text}");
    }
    let options = FileOptions::parse("[columns]\nwithdrawn = \"Weg\"").unwrap();
    let read = parse_with("id,title,price,Weg\n1,A,5,ja\n2,B,5,nein\n", &options, 0).unwrap();
    assert_eq!(read.products.len(), 1);
}

#[test]
fn what_is_not_on_sale_has_its_price() {
    for text in [
        "SKU,Name,Price,Sale Price,On Sale\nA,Cup,10,8,Yes\nB,Pot,20,1,No\nC,Jar,5,1,\n",
        "id,title,price,sale_price,is_on_sale\nA,Cup,10,8,1\nB,Pot,20,1,0\nC,Jar,5,1,perhaps\n",
        "{\"id\":\"A\",\"title\":\"Cup\",\"price\":10,\"sale_price\":8,\"on_sale\":true}\n\
         {\"id\":\"B\",\"title\":\"Pot\",\"price\":20,\"sale_price\":1,\"onSale\":false}\n\
         {\"id\":\"C\",\"title\":\"Jar\",\"price\":5,\"sale_price\":1,\"on_sale\":\"no\"}\n",
    ] {
        let expected = ["A Cup 8.00 USD Unknown 0", "B Pot 20.00 USD Unknown 0", "C Jar 5.00 USD Unknown 0"];
        assert_eq!(shown(text).unwrap(), expected, "{text}");
    }
}

#[test]
fn what_the_newer_wix_exports_becomes_products() {
    let text = "handle,fieldType,name,visible,plainDescription,media,brand,price,strikethroughPrice,inventory,sku,barcode,productOptionName1,productOptionType1,productOptionChoices1\n\
        bougie,PRODUCT,Bougie,TRUE,<p>Cire</p>,https://a.example/a.jpg;https://a.example/b.jpg,Lum,24,30,IN_STOCK,B1,4006381333931,,,\n\
        vase,PRODUCT,Vase,TRUE,,c.jpg,,,,,,,Size,TEXT_CHOICES,Small;Large\n\
        vase,VARIANT,,,,,,60,70,3,,,Size,TEXT_CHOICES,Small\n\
        vase,VARIANT,,,,,,75,,OUT_OF_STOCK,,,Size,TEXT_CHOICES,Large\n\
        hidden,PRODUCT,Hidden,FALSE,,,,5,,IN_STOCK,,,Size,TEXT_CHOICES,Small\n\
        hidden,VARIANT,,,,,,5,,IN_STOCK,,,Size,TEXT_CHOICES,Small\n\
        pot,PRODUCT,Pot,TRUE,,,,7,,0,,,,,\n";
    assert_eq!(
        form(text),
        (
            "Wix's products",
            vec![
                "bougie Bougie 24.00 USD InStock(None) 2".into(),
                "vase Vase 60.00 USD InStock(Some(3)) 1".into(),
                "  Size=Small 60.00 InStock(Some(3)) ".into(),
                "  Size=Large 75.00 SoldOut ".into(),
                "pot Pot 7.00 USD SoldOut 0".into(),
            ]
        )
    );
    let Reading { products, .. } = parse_text(text).unwrap();
    assert!(products[0].gtin.is_some() && products[0].summary.list_price.is_some());
    assert_eq!((&*products[0].summary.description, &*products[0].sku), ("Cire", "B1"));
    assert!(products[1].variants[0].list_price.is_some() && products[1].variants[1].list_price.is_none());
    assert_eq!(products[1].images, ["https://static.wixstatic.com/media/c.jpg"]);
}

#[test]
fn a_table_with_columns_that_decide_what_is_sold_is_refused() {
    for header in [
        // Squarespace, BigCommerce before and since 2023, and Square.
        "Product ID [Non Editable],Variant ID [Non Editable],Product Type [Non Editable],Product Page,Product URL,Title,Description,SKU,Option Name 1,Option Value 1,Price,Sale Price,On Sale,Stock,Categories,Tags,Weight,Visible,Hosted Image URLs",
        "Item Type,Product ID,Product Name,Product Type,Product Code/SKU,Option Set,Product Description,Price,Sale Price,Allow Purchases?,Product Visible?,Current Stock Level,Category",
        "Item,ID,Name,Type,SKU,Options,Inventory Tracking,Current Stock,Price,Sale Price,Brand ID,Description,Is Visible,Availability,GTIN,Variant Image URL,Product URL",
        "Reference Handle,Token,Item Name,Variation Name,SKU,Description,Category,GTIN,Price,Online Sale Price,Archived,Sellable,Option Name 1,Option Value 1",
        "SKU,Name,Price,Variant",
        "SKU,Name,Price,Parent SKU",
        "id,name,price,Attribute set",
        "id,title,regular price,Customer group",
        "SKU,Name,Price,On Sale",
        // Other programs use these words too.
        "Kod;Nazwa;Typ;Cena",
        "ID,Tipo,Nome,Prezzo di listino,Prezzo",
        "ID,Type,SKU,Name,Published,Price,Parent",
        "handle,name,price",
    ] {
        let cells = header.matches([',', ';']).count() + 1;
        let row = vec!["1"; cells].join(if header.contains(',') { "," } else { ";" });
        let read = parse_text(&format!("{header}\n{row}\n"));
        assert!(matches!(read, Err(FileError::Columns { .. })), "{header}");
    }
    for header in ["id,title,price,variant", "SKU,Name,Price,Optional", "id,name,price,Age group"] {
        assert_eq!(shown(&format!("{header}\n1,A,5,a\n")).unwrap(), ["1 A 5.00 USD Unknown 0"], "{header}");
    }
    // The operator may say what counts.
    let options = FileOptions::parse("[columns]\ntitle = \"Name\"").unwrap();
    assert!(parse_with("SKU,Name,Price,Variant\n1,A,5,a\n", &options, 0).is_ok());
}

#[test]
fn rows_with_one_sku_are_not_mixed() {
    for text in [
        "SKU,Name,Price\nC-1,Cup,5\nC-1,Mug,6\n",
        "TITLE,PRICE,CURRENCY_CODE,QUANTITY,SKU\nCup,5,USD,,C-1\nMug,6,USD,,C-1\n",
        "Item code,Item name,Price,Photo\nC-1,Cup,5,\nC-1,,,/a.webp\n",
        "Product ID,Name,Price\nC-1,Cup,5\nC-1,Cup,6\n",
    ] {
        assert_eq!(shown(text).unwrap(), ["C-1 Cup 5.00 USD Unknown 0"], "{text}");
        assert_eq!(left_out(text), ["1 with the id, or the options, of an earlier one (line 3)"], "{text}");
    }
}

#[test]
fn magento_sells_what_is_visible_itself_and_counts_what_is_counted() {
    let text = "sku,attribute_set_code,product_type,name,price,product_online,visibility,qty,is_in_stock,manage_stock,use_config_manage_stock,special_price,special_price_from_date,special_price_to_date,configurable_variations,categories\n\
        A,Top,simple,A,5,1,4,3,1,1,1,,,,,Default Category/Men/Shoes\n\
        OFF,Top,configurable,Off,,2,4,0,1,1,1,,,,\"sku=A,size=S|sku=B,size=M\",\n\
        B,Top,simple,B,6,1,1,3,1,,,,,,,\n\
        ON,Top,configurable,On,,1,4,0,1,1,1,,,,\"sku=B,size=M|sku=C,size=L\",Default Category/Women/Shoes\n\
        C,Top,simple,C,7,1,1,0,0,0,1,,,,,\n\
        TWO,Top,configurable,Two,,1,4,0,1,1,1,,,,\"sku=C,size=L|sku=D,size=XL\",\n\
        D,Top,virtual,D,8,1,1,0,0,0,0,,,,,\n\
        E,Top,simple,E,9,1,4,2,1,1,1,4,11/1/26,12/31/26,,\n";
    assert_eq!(
        shown(text).unwrap(),
        [
            "A A 5.00 USD InStock(Some(3)) 0",
            "ON On 6.00 USD InStock(Some(3)) 0",
            "  Size=M 6.00 InStock(Some(3)) B",
            "  Size=L 7.00 SoldOut C",
            "TWO Two 8.00 USD InStock(None) 0",
            "E E 9.00 USD InStock(Some(2)) 0",
        ]
    );
    assert_eq!(
        left_out(text),
        ["1 not for sale (line 3)", "1 with the id, or the options, of an earlier one (line 7)"]
    );
    // In the middle of November 2026.
    let Reading { products, .. } = parse_with(text, &FileOptions::default(), 1_794_700_800).unwrap();
    assert!(products[3].summary.list_price.is_some());
    let category = |place: usize| products[place].summary.category.as_ref().map(ToString::to_string);
    assert_eq!([0, 1].map(category), [Some("men-shoes".into()), Some("women-shoes".into())]);
}

#[test]
fn prestashop_sells_what_is_sold_out_if_it_may() {
    let text = "Product ID;Name *;Price tax included;Quantity;Out of stock action\n1;A;5;0;1\n2;B;5;0;0\n3;C;5;0;2\n4;D;5;3;1\n";
    assert_eq!(
        shown(text).unwrap(),
        [
            "1 A 5.00 USD BackOrder 0",
            "2 B 5.00 USD SoldOut 0",
            "3 C 5.00 USD SoldOut 0",
            "4 D 5.00 USD InStock(Some(3)) 0",
        ]
    );
}

#[test]
fn the_header_is_found_as_the_rows_are_read() {
    for text in [
        "\nsep=;\nid;title;price\n1;Cup;5\n",
        "sep=;\n\nid;title;price\n1;Cup;5\n",
        "\"sep=;\"\nid;title;price\n1;Cup;5\n",
        "\"Best\" prices of spring\nid\ttitle\tprice\n1\tCup\t5\n",
        "\"Spring prices\nid\ttitle\tprice\n1\tCup\t5\n",
        "\"Prices \\\"of\\\" spring\"\nid,title,price\n1,Cup,5\n",
    ] {
        assert_eq!(shown(text).unwrap(), ["1 Cup 5.00 USD Unknown 0"], "{text}");
    }
}

#[test]
fn items_with_codes_are_named_by_their_descriptions() {
    for (text, expected) in [
        (
            "Item,Description,Unit Price\nA-1001,Oak lamp,5\nA-1002,Cup,6\n",
            ["A-1001 Oak lamp 5.00 USD Unknown 0", "A-1002 Cup 6.00 USD Unknown 0"],
        ),
        (
            "Article;Description;Price\n4711;Red cup;5,00\n4712;Bowl;6,00\n",
            ["4711 Red cup 5.00 USD Unknown 0", "4712 Bowl 6.00 USD Unknown 0"],
        ),
        (
            "Product,Details,Price\nP1,Cup,5\nP2,Mug,6\n",
            ["P1 Cup 5.00 USD Unknown 0", "P2 Mug 6.00 USD Unknown 0"],
        ),
        // Not all are codes, or another column has them.
        (
            "Item,Description,Unit Price\nA-1,Red,5\nCup,Blue,6\n",
            ["A-1 A-1 5.00 USD Unknown 0", "Cup Cup 6.00 USD Unknown 0"],
        ),
        (
            "Item,SKU,Description,Price\nMark2,a,Red,5\nMark3,b,Blue,6\n",
            ["a Mark2 5.00 USD Unknown 0", "b Mark3 6.00 USD Unknown 0"],
        ),
    ] {
        assert_eq!(shown(text).unwrap(), expected, "{text}");
    }
}

#[test]
fn columns_that_may_decide_what_is_sold_are_named_first() {
    let others: Vec<String> = (0..25).map(|number| format!("x{number}")).collect();
    let unused = |last: &str| {
        let text =
            format!("id,title,price,{},Buying price,{last}\n1,A,5{}\n", others.join(","), ",".repeat(27));
        parse_text(&text).unwrap().report.unused
    };
    for last in ["Stock place", "Picture_2", "wholesale; sale", "Variants"] {
        let unused = unused(last);
        assert_eq!((&unused[..3], unused.len()), (&["Buying price", last, "x0"].map(String::from)[..], 21));
        assert_eq!(unused[20], "…");
    }
}
