//! Tables, what is proposed for them, and what is read with it.

use super::super::reading::Reading;
use super::super::tests::parse_with;
use super::*;

/// What is proposed for a table, the options of it with their columns in the order of their keys, and the products that
/// are read with it.
fn proposed(table: &str) -> (String, String, Vec<String>) {
    let text = proposal(table.as_bytes(), "products.csv").unwrap();
    let written: toml::Table = toml::from_str(&text).unwrap();
    let name = |(key, name): (&String, &toml::Value)| format!("{key}={}", name.as_str().unwrap());
    let mut columns: Vec<String> = written["columns"].as_table().unwrap().iter().map(name).collect();
    columns.sort_unstable();
    let options = FileOptions::parse(&text).unwrap();
    let products = match parse_with(table, &options, 0) {
        Ok(Reading { products, currency, .. }) => {
            let price = |price| currency.unwrap_or_default().plain(price);
            let products = products.iter().map(|product| &product.summary);
            products.map(|own| format!("{} {} {}", own.id, own.title, price(own.price))).collect()
        }
        Err(_) => Vec::new(),
    };
    (text, columns.join(", "), products)
}

/// Tables, the columns that are proposed for them, and the products that are read with them.
const TABLES: [(&str, &str, [&str; 2]); 22] = [
    (
        "Item No,Designation,Retail price,Cost\nA1,Red cup,12.50,5.00\nA2,Bowl,7.90,3.00\n",
        "id=Item No, price=Retail price, title=Designation",
        ["A1 Red cup 12.50", "A2 Bowl 7.90"],
    ),
    (
        "Artikelnummer;Bezeichnung;EK;VK netto;VK brutto;Bestand;Warengruppe\n\
         4711;Tasse, rot;5,00;10,50;12,50;3;K\u{fc}che\n4712;Schale;3,00;6,64;7,90;0;K\u{fc}che\n",
        "category=Warengruppe, id=Artikelnummer, price=VK brutto, stock=Bestand, title=Bezeichnung",
        ["4711 Tasse, rot 12.50", "4712 Schale 7.90"],
    ),
    (
        "R\u{e9}f\u{e9}rence;D\u{e9}signation;Prix HT;Prix TTC;Marque\nT1;Tasse;10,42;12,50;Hall\nT2;Bol;6,58;7,90;Hall\n",
        "brand=Marque, id=R\u{e9}f\u{e9}rence, price=Prix TTC, title=D\u{e9}signation",
        ["T1 Tasse 12.50", "T2 Bol 7.90"],
    ),
    // What others call a description is the only text.
    (
        "C\u{f3}digo;Descripci\u{f3}n;Precio con IVA\n1;Taza roja;12,50\n2;Cuenco;7,90\n",
        "id=C\u{f3}digo, price=Precio con IVA, title=Descripci\u{f3}n",
        ["1 Taza roja 12.50", "2 Cuenco 7.90"],
    ),
    (
        "Codice articolo;Nome;Prezzo;Giacenza\n1;Tazza;12,50;3\n2;Ciotola;7,90;0\n",
        "id=Codice articolo, price=Prezzo, stock=Giacenza, title=Nome",
        ["1 Tazza 12.50", "2 Ciotola 7.90"],
    ),
    (
        "Artikelcode\tNaam\tPrijs excl. btw\tPrijs incl. btw\n1\tMok\t10,33\t12,50\n2\tKom\t6,53\t7,90\n",
        "id=Artikelcode, price=Prijs incl. btw, title=Naam",
        ["1 Mok 12.50", "2 Kom 7.90"],
    ),
    (
        "Kod produktu|Nazwa|Cena netto|Cena brutto|EAN\nK1|Kubek|10,16|12,50|4006381333931\nK2|Miska|6,42|7,90|96385074\n",
        "gtin=EAN, id=Kod produktu, price=Cena brutto, title=Nazwa",
        ["K1 Kubek 12.50", "K2 Miska 7.90"],
    ),
    (
        "Refer\u{ea}ncia;Nome do produto;Pre\u{e7}o;Marca\n1;Caneca;12,50;Hall\n2;Tigela;7,90;Hall\n",
        "brand=Marca, id=Refer\u{ea}ncia, price=Pre\u{e7}o, title=Nome do produto",
        ["1 Caneca 12.50", "2 Tigela 7.90"],
    ),
    (
        "Artikelnr;Ben\u{e4}mning;Pris inkl. moms;Lagersaldo\n1;Kopp;12,50;3\n2;Sk\u{e5}l;7,90;0\n",
        "id=Artikelnr, price=Pris inkl. moms, stock=Lagersaldo, title=Ben\u{e4}mning",
        ["1 Kopp 12.50", "2 Sk\u{e5}l 7.90"],
    ),
    (
        "K\u{f3}d;N\u{e1}zev;Cena s DPH;Skladem\n1;Hrnek;12,50;3\n2;Miska;7,90;0\n",
        "id=K\u{f3}d, price=Cena s DPH, stock=Skladem, title=N\u{e1}zev",
        ["1 Hrnek 12.50", "2 Miska 7.90"],
    ),
    // Only the values tell.
    (
        "A;B;C;D;E\n1;Tasse;12,50 \u{20ac};1.webp;96385074\n2;Schale;7,90 \u{20ac};2.webp;4006381333931\n",
        "gtin=E, id=A, images=D, price=C, title=B",
        ["1 Tasse 12.50", "2 Schale 7.90"],
    ),
    (
        "Nr;Name;Name;Preis\n1;Tasse;rot;12,50\n2;Schale;;7,90\n",
        "id=Nr, price=Preis, title=Name",
        ["1 Tasse 12.50", "2 Schale 7.90"],
    ),
    (
        "Nr;Name;\"Preis \"\"brutto\"\"\n\\ (EUR)\"\n1;Tasse;12,50\n2;Schale;7,90\n",
        "id=Nr, price=Preis \"brutto\"\n\\ (EUR), title=Name",
        ["1 Tasse 12.50", "2 Schale 7.90"],
    ),
    // The only number of an article, and a delimiter that has to be named.
    (
        "SKU~Bezeichnung~Preis\nA1~Tasse~12,50\nA2~Schale~7,90\n",
        "id=SKU, price=Preis, title=Bezeichnung",
        ["A1 Tasse 12.50", "A2 Schale 7.90"],
    ),
    // Numbers of articles, and a group that is no title.
    (
        "Artikel;Groep;Omschrijving;Prijs\nA1;Servies;Rode mok;12,50\nA2;Servies;Kom;7,90\n",
        "category=Groep, id=Artikel, price=Prijs, title=Omschrijving",
        ["A1 Rode mok 12.50", "A2 Kom 7.90"],
    ),
    (
        "Nr;Serie;Beschreibung;Preis\n1;Hall;Tasse;12,50\n2;Hall;Schale;7,90\n",
        "id=Nr, price=Preis, title=Beschreibung",
        ["1 Tasse 12.50", "2 Schale 7.90"],
    ),
    (
        "Nr;Name;Unit price;Total price incl. VAT\n1;Cup;12.50;25.00\n2;Bowl;7.90;7.90\n",
        "id=Nr, price=Unit price, title=Name",
        ["1 Cup 12.50", "2 Bowl 7.90"],
    ),
    (
        "Nr;Name;VK;Preis ab 10 Stk. brutto\n1;Tasse;12,50;9,90\n2;Schale;7,90;6,90\n",
        "id=Nr, price=VK, title=Name",
        ["1 Tasse 12.50", "2 Schale 7.90"],
    ),
    (
        "Nr;Name;Preis;Aktionspreis;Aktion bis\n1;Tasse;12,50;9,90;2026-12-01\n2;Schale;7,90;;\n",
        "id=Nr, price=Preis, sale_ends=Aktion bis, sale_price=Aktionspreis, title=Name",
        ["1 Tasse 9.90", "2 Schale 7.90"],
    ),
    (
        "Codice;Nome;Prezzo;Pubblicato\n1;Tazza;12,50;s\u{ec}\n2;Ciotola;7,90;s\u{ec}\n3;Piatto;5,00;no\n",
        "id=Codice, price=Prezzo, published=Pubblicato, title=Nome",
        ["1 Tazza 12.50", "2 Ciotola 7.90"],
    ),
    (
        "Nr;Name;Preis;cover_media_url;URL\n1;Tasse;12,50;https://a.example/1;https://b.example/1\n\
         2;Schale;7,90;https://a.example/2;https://b.example/2\n",
        "id=Nr, images=cover_media_url, link=URL, price=Preis, title=Name",
        ["1 Tasse 12.50", "2 Schale 7.90"],
    ),
    (
        "商品番号,商品名,価格,在庫\nA1,カップ,¥1200,3\nA2,皿,¥800,0\n",
        "id=商品番号, price=価格, stock=在庫, title=商品名",
        ["A1 カップ 1200", "A2 皿 800"],
    ),
];

#[test]
fn a_table_is_read_with_what_is_proposed_for_it() {
    for (table, columns, products) in TABLES {
        let (text, found, read) = proposed(table);
        assert_eq!((&*found, read), (columns, products.map(str::to_owned).to_vec()), "{table}{text}");
    }
}

#[test]
fn what_is_not_certain_is_a_remark() {
    for (table, columns, remarks) in [
        (
            "Nr;Name;VK netto\n1;Tasse;10,50\n2;Schale;6,64\n",
            "id=Nr, title=Name",
            &[
                "# It is not certain which column has the prices: see `price` below.\n",
                "# price = \"VK netto\"  # maybe: a price without taxes; such as \"10,50\", \"6,64\"\n",
                "# decimal = \",\"  # not needed: the prices show it; such as \"10,50\", \"6,64\"\n",
            ][..],
        ),
        // Any of two amounts may be a cost.
        (
            "Nr;Name;X;Y\n1;Tasse;10,50;12\n2;Schale;6,64;7,50\n",
            "id=Nr, title=Name",
            &[
                "# price = \"X\"  # maybe: as other columns too, it looks like this; such as \"10,50\", \"6,64\"\n",
            ],
        ),
        (
            "Bezeichnung;Preis EUR;EAN\nTasse;5;96385074\nTasse;5;4006381333931\n",
            "gtin=EAN, price=Preis EUR, title=Bezeichnung",
            &[
                "# No column was found that names each product: id = \"its name\" below [columns] says it.\n",
                "# Each row has another value in \"EAN\", which may name products too.\n",
                "currency = \"EUR\"  # the name of the column with the prices says it\n",
            ],
        ),
        (
            "Nr;Name;Preis;Farbe;Status;Gewicht\n1;Tasse;5 \u{20ac};rot;neu;0,5\n2;Schale;1.299 \u{20ac};blau;alt;1\n",
            "id=Nr, price=Preis, title=Name",
            &[
                "# currency = \"EUR\"  # not needed: the prices name it: \"5 \u{20ac}\"\n",
                "# decimal = \",\"  # maybe: no price shows it for certain; such as \"5 \u{20ac}\", \"1.299 \u{20ac}\"\n",
                "# kilograms = \"Gewicht\"  # maybe: nothing says whether it is in kilograms or in grams",
                "# status = \"Status\"  # maybe: its name says so, but not its values; such as \"neu\", \"alt\"\n",
                "# option_1_value = \"Farbe\"  # maybe: needs a column with the name of the option",
            ],
        ),
        (
            "4711;Tasse;12,50\n4712;Schale;7,90\n4713;Teller;5,00\n",
            "",
            &[
                "# The first row looks like a product: put a row with the names of the columns above it.\n",
                "# price = \"12,50\"  # maybe: its values are amounts; such as \"7,90\", \"5,00\"\n",
            ],
        ),
        (
            "Nr;Name;Name;Preis;Notiz\n1;Tasse;rot;5;\"a\nb\"\n1;Tasse;rot;5;\n",
            "price=Preis, title=Name",
            &[
                "# 2 columns are called \"Name\": the first one that is not blank counts.\n",
                "# id = \"Nr\"  # maybe: its name says so, but not its values; such as \"1\"\n",
                "# Nothing is guessed of: \"Notiz\"\n",
            ],
        ),
    ] {
        assert_remarks(table, columns, remarks);
    }
}

#[test]
fn what_would_sell_at_a_wrong_price_is_a_remark() {
    for (table, columns, remark) in [
        (
            "Nr;Name;Net price;Price unit\n1;Cup;10.50;5\n2;Bowl;6.64;5\n",
            "id=Nr, title=Name",
            "# price = \"Net price\"  # maybe: a price without taxes; such as \"10.50\", \"6.64\"\n",
        ),
        (
            "Nr;Name;Price each\n1;Cup;10.50\n2;Bowl;6.64\n",
            "id=Nr, title=Name",
            "# price = \"Price each\"  # maybe: a part of its name; such as \"10.50\", \"6.64\"\n",
        ),
        (
            "Cikksz\u{e1}m;Megnevez\u{e9}s;\u{c1}r;S\u{fa}ly\nC-1;B\u{f6}gre;1290;0,5\nC-2;T\u{e1}l;990;0,8\n",
            "id=Cikksz\u{e1}m, title=Megnevez\u{e9}s",
            "# price = \"S\u{fa}ly\"  # maybe: its values are amounts; such as \"0,5\", \"0,8\"\n",
        ),
        (
            "Nr;Bezeichnung;L\u{e4}nge\n1;Brett;1,5\n2;Latte;2,5\n",
            "id=Nr, title=Bezeichnung",
            "# price = \"L\u{e4}nge\"  # maybe: its values are amounts; such as \"1,5\", \"2,5\"\n",
        ),
        (
            "C\u{f3}digo;Detalle;PVP;PVP rebajado\n1;Taza roja;12,50;9,90\n2;Cuenco;7,90;6,90\n",
            "id=C\u{f3}digo, price=PVP, title=Detalle",
            "# sale_price = \"PVP rebajado\"  # maybe: a part of its name; such as \"9,90\", \"6,90\"\n",
        ),
        (
            "Nr;Name;Preis;Aktionspreis;Stand\n1;Tasse;12,50;9,90;01.03.2026\n2;Schale;7,90;6,90;02.03.2026\n",
            "id=Nr, price=Preis, title=Name",
            "# sale_price = \"Aktionspreis\"  # maybe: it is not certain when the sale begins and ends;",
        ),
        (
            "Nr;Name;Preis;Aktionspreis;Aktion bis\n1;Tasse;12,50;9,90;Ende Mai\n2;Schale;7,90;6,90;Juni\n",
            "id=Nr, price=Preis, title=Name",
            "# sale_ends = \"Aktion bis\"  # maybe: its name says so, but not its values;",
        ),
        (
            "Nr;Name;Preis\n1;Tasse;12,90 \u{20ac}\n2;Schale;249,\u{2013} \u{20ac}\n3;Teller;auf Anfrage\n",
            "id=Nr, price=Preis, title=Name",
            "; such as \"12,90 \u{20ac}\", \"249,\u{2013} \u{20ac}\"; but also \"auf Anfrage\"\n",
        ),
        (
            "NR;NAME;PREIS (EUR)\n1;Tasse;12,90\n2;Schale;7,90\n",
            "id=NR, price=PREIS (EUR), title=NAME",
            "# currency = \"EUR\"  # maybe: the name of the column with the prices says it\n",
        ),
    ] {
        assert_remarks(table, columns, &[remark]);
    }
}

#[test]
fn stocks_have_numbers_and_columns_say_what_is_sold() {
    for (table, columns, remark) in [
        (
            "Kod;Nazwa;Cena;Stan\n1;Kubek;12,50;brak\n2;Miska;7,90;3\n",
            "id=Kod, price=Cena, stock=Stan, title=Nazwa",
            "stock = \"Stan\"  # its name; such as \"brak\", \"3\"; but also \"brak\"\n",
        ),
        (
            "Nr;Name;Preis;track_inventory\n1;Tasse;12,50;1\n2;Schale;7,90;0\n",
            "id=Nr, price=Preis, title=Name",
            "# Nothing is guessed of: \"track_inventory\"\n",
        ),
        (
            "Nr;Name;Preis;Status\n1;Tasse;12,50;aktiv\n2;Schale;7,90;neu\n",
            "id=Nr, price=Preis, status=Status, title=Name",
            "status = \"Status\"  # its name; such as \"aktiv\", \"neu\"; but also \"neu\"\n",
        ),
        (
            "Nr;Naam;Prijs;Uit assortiment\n1;Mok;12,50;ja\n2;Kom;7,90;nee\n",
            "id=Nr, price=Prijs, title=Naam, withdrawn=Uit assortiment",
            "withdrawn = \"Uit assortiment\"  # its name says what is not sold; such as \"ja\", \"nee\"\n",
        ),
        (
            "Nr;Naam;Prijs;Verwijderd\n1;Mok;12,50;2026-01-02\n2;Kom;7,90;\n",
            "id=Nr, price=Prijs, title=Naam",
            "# \"Verwijderd\" seems to say what is not sold; such as \"2026-01-02\". It is not read, so that such products \
             would be sold",
        ),
    ] {
        assert_remarks(table, columns, &[remark]);
    }
}

fn assert_remarks(table: &str, columns: &str, remarks: &[&str]) {
    let (text, found, _) = proposed(table);
    assert_eq!(found, columns, "{table}{text}");
    assert!(remarks.iter().all(|remark| text.contains(remark)), "{table}{text}");
}

#[test]
fn a_file_that_cannot_be_written_is_removed_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("products.csv.toml");
    let full = |file: &mut File| {
        file.write_all(b"[columns]\nprice = \"")?;
        Err(io::Error::from(io::ErrorKind::StorageFull))
    };
    assert_eq!(write_new(&path, full).unwrap_err().kind(), io::ErrorKind::StorageFull);
    assert!(!path.exists());
    write_new(&path, |file| file.write_all(b"# mine")).unwrap();
    assert_eq!(write_new(&path, full).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
    assert_eq!(fs::read_to_string(&path).unwrap(), "# mine");
}
#[test]
fn a_header_alone_has_a_proposal_and_an_empty_table_has_none() {
    let header = "Artikelnr;Bezeichnung;Preis\n";
    let (text, columns, products) = proposed(header);
    assert_eq!((&*columns, products), ("id=Artikelnr, price=Preis, title=Bezeichnung", vec![]), "{text}");
    assert!(form_of(header.as_bytes(), &FileOptions::parse(&text).unwrap()).is_ok());
    for empty in ["", "\n\n", "sep=;\n"] {
        assert_eq!(proposal(empty.as_bytes(), "products.csv"), None, "{empty:?}");
    }
}

#[test]
fn every_field_that_is_guessed_has_its_key() {
    for (field, key) in FIELDS {
        let options = FileOptions::parse(&format!("[columns]\n{key} = \"x\"\n")).unwrap();
        assert_eq!(options.of_table().columns, [("x".to_owned(), field)], "{key}");
    }
}

#[test]
fn a_proposal_is_written_beside_the_table_and_over_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let table = "Kod;Nazwa;Cena\n1;Kubek bia\u{142}y;12,50\n2;\u{141}y\u{17c}ka;7,90\n";
    let polish = file("polish.csv", table.as_bytes());
    let options = beside(&polish);
    let Proposed::Written { path, lacking: None } = propose(&polish, None).unwrap() else {
        panic!("it lacks something")
    };
    assert_eq!(path, options);
    let written = fs::read_to_string(&options).unwrap();
    assert!(written.contains("title = \"Nazwa\"  # its name; such as \"Kubek bia\u{142}y\""), "{written}");
    assert!(
        matches!(propose(&polish, None), Ok(Proposed::Known("a table of products"))),
        "with the proposal"
    );
    // A proposal in another place, that has no price.
    let lacking = file("lacking.csv", b"Nr;Name;EK\n1;Tasse;5,00\n");
    let other = folder.path().join("other.toml");
    let Proposed::Written { path, lacking: Some(error) } = propose(&lacking, Some(&other)).unwrap() else {
        panic!("it lacks nothing")
    };
    assert!(path == other && error.to_string().ends_with("no column says which is the price"), "{error}");
    for (options, is_kept) in [("# mine", true), ("[columns", false)] {
        fs::write(beside(&lacking), options).unwrap();
        let error = propose(&lacking, None).unwrap_err();
        assert_eq!(matches!(error, FileError::HasOptions { .. }), is_kept, "{error}");
        assert_eq!(fs::read_to_string(beside(&lacking)).unwrap(), options);
    }
    for (name, text, expected) in [
        ("own.csv", "id,title,price\n", "Known(\"a table of products\")"),
        ("a.json", "[{\"id\":1}]", "NoTable(\"JSON\")"),
        ("a.xml", "<rss/>", "NoTable(\"XML\")"),
    ] {
        let path = file(name, text.as_bytes());
        assert_eq!(format!("{:?}", propose(&path, None).unwrap()), expected);
        assert!(!beside(&path).exists());
    }
    assert!(matches!(propose(&file("empty.csv", b"\n"), None), Err(FileError::Empty)));
}

#[test]
fn names_and_values_stay_in_their_lines() {
    let name = "a\"b\\c\nd\r\u{1}\u{7f}\u{85}e";
    assert_eq!(quoted(name), "\"a\\\"b\\\\c\\nd\\u000d\\u0001\\u007f\\u0085e\"");
    let parsed: toml::Table = toml::from_str(&format!("x = {}", quoted(name))).unwrap();
    assert_eq!(parsed["x"].as_str(), Some(name));
    assert_eq!(shown(&"\u{e4}".repeat(50)).chars().count(), SHOWN + 1);
}
