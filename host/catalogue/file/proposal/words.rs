//! What the names of columns mean in ten languages: English, German, French, Spanish, Italian, Dutch, Polish,
//! Portuguese, Swedish and Czech; and the most frequent ones in Japanese.

use super::super::row::Field;
use crate::catalogue::search::fold;
use crate::profile::{Currency, CurrencySign};

/// What the name of a column means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Meaning {
    /// What the column says of a product; `None` if it is something that no field says, such as a cost.
    pub(super) field: Option<Field>,
    /// Whether the whole name is known, and not only a part of it. Words of taxes, currencies and retail may stand beside
    /// the name of a price.
    pub(super) is_whole: bool,
    /// Whether it only names the thing itself, such as `Article`, so that it may be a number as well as a title.
    pub(super) is_thing: bool,
    pub(super) tax: Tax,
}

/// Whether a price has taxes in it. The last one is what visitors pay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tax {
    Without,
    Unsaid,
    With,
}

/// Names with their fields, folded, with commas between them.
const NAMES: [(Field, &str); 25] = [
    (
        Field::Key,
        "id, product id, item id, article id, article number, article no, article nr, art no, item number, item no, item \
         code, product number, product no, product code, code, reference, ref, \
         artikelnummer, artikel nr, art nr, artikel id, produktnummer, produkt nr, produkt id, bestellnummer, bestell nr, \
         warennummer, materialnummer, nummer, nr, kennung, \
         reference produit, reference article, code article, code produit, numero article, numero d article, identifiant, \
         id produit, \
         referencia, codigo, codigo articulo, codigo de articulo, codigo producto, codigo de producto, cod articulo, numero \
         de articulo, id producto, identificador, \
         codice, codice articolo, codice prodotto, cod articolo, riferimento, numero articolo, id prodotto, \
         artikelcode, productnummer, productcode, bestelnummer, referentie, \
         numer, numer artykulu, nr artykulu, kod, kod produktu, kod towaru, indeks, symbol, numer katalogowy, nr \
         katalogowy, id produktu, \
         codigo do produto, codigo produto, codigo do artigo, numero do artigo, id do produto, \
         varunummer, \
         kod zbozi, cislo, cislo artiklu, cislo produktu, cislo zbozi, katalogove cislo, objednaci cislo",
    ),
    (
        Field::Title,
        "title, name, product name, product title, item name, article name, designation, \
         bezeichnung, artikelbezeichnung, produktbezeichnung, artikelname, produktname, titel, produkttitel, \
         kurzbezeichnung, benennung, artikelkurztext, kurztext, \
         nom, nom du produit, nom produit, nom de l article, titre, libelle, intitule, \
         nombre, nombre del producto, nombre producto, titulo, denominacion, \
         nome, nome prodotto, nome del prodotto, titolo, denominazione, \
         naam, productnaam, artikelnaam, benaming, \
         nazwa, nazwa produktu, nazwa towaru, tytul, \
         nome do produto, designacao, \
         namn, produktnamn, artikelnamn, benamning, artikelbenamning, \
         nazev, nazev produktu, nazev zbozi, jmeno",
    ),
    (
        Field::Price,
        "price, unit price, selling price, sales price, retail price, gross price, regular price, net price, \
         preis, verkaufspreis, vk, vk preis, bruttopreis, nettopreis, endpreis, stuckpreis, einzelpreis, ladenpreis, \
         endkundenpreis, \
         prix, prix de vente, prix ttc, prix unitaire, tarif, \
         precio, precio venta, precio de venta, pvp, importe, \
         prezzo, prezzo di vendita, prezzo vendita, prezzo unitario, \
         prijs, verkoopprijs, stukprijs, brutoprijs, nettoprijs, consumentenprijs, \
         cena, cena sprzedazy, cena detaliczna, \
         preco, preco de venda, preco venda, valor, \
         pris, forsaljningspris, utpris, bruttopris, nettopris, konsumentpris, \
         prodejni cena, koncova cena, maloobchodni cena",
    ),
    (
        Field::ListPrice,
        "list price, rrp, msrp, old price, compare at price, original price, recommended price, \
         uvp, listenpreis, streichpreis, alter preis, statt preis, originalpreis, katalogpreis, \
         prix barre, ancien prix, prix conseille, prix public, prix public conseille, prix catalogue, \
         precio anterior, precio antiguo, precio recomendado, precio original, precio tachado, precio de lista, \
         prezzo di listino, prezzo listino, prezzo consigliato, prezzo originale, prezzo barrato, vecchio prezzo, \
         adviesprijs, oude prijs, van prijs, catalogusprijs, originele prijs, \
         cena katalogowa, stara cena, cena sugerowana, cena przed obnizka, \
         preco de tabela, preco anterior, preco original, preco recomendado, preco antigo, \
         listpris, rekommenderat pris, rek pris, tidigare pris, \
         bezna cena, puvodni cena, doporucena cena, katalogova cena",
    ),
    (
        Field::SalePrice,
        "sale price, special price, offer price, discount price, promo price, \
         aktionspreis, angebotspreis, sonderpreis, prix promo, prix solde, prix promotionnel, \
         precio oferta, precio de oferta, precio rebajado, precio especial, \
         prezzo scontato, prezzo offerta, prezzo promozionale, aanbiedingsprijs, actieprijs, \
         cena promocyjna, preco promocional, preco de oferta, reapris, kampanjpris, erbjudandepris, akcni cena, rebajado, \
         rebajada, reduced price, reduzierter preis",
    ),
    (
        Field::SaleStarts,
        "sale from, sale start, sale starts, sale start date, sale begins, sale price from, sale price start date, \
         special price from, special from date, promo from, promo start, offer from, offer start, valid from, \
         aktion von, aktion ab, aktionspreis von, aktionspreis ab, aktionsbeginn, aktionsstart, angebot von, angebot ab, \
         gultig von, gultig ab, \
         debut promo, debut promotion, debut de promo, debut de promotion, debut soldes, debut des soldes, \
         inicio oferta, inicio de oferta, inicio promocion, oferta desde, valido desde, \
         inizio promo, inizio promozione, inizio offerta, valido dal, actie van, actie vanaf, startdatum actie, geldig vanaf, \
         promocja od, poczatek promocji, wazne od, inicio promocao, inicio da promocao, \
         kampanj fran, kampanjstart, rea fran, giltig fran, akce od, platnost od",
    ),
    (
        Field::SaleEnds,
        "sale to, sale until, sale end, sale ends, sale end date, sale price to, sale price end date, \
         special price to, special to date, promo to, promo until, promo end, offer to, offer until, offer end, offer ends, \
         valid to, valid until, \
         aktion bis, aktionspreis bis, aktionsende, angebot bis, gultig bis, \
         fin promo, fin promotion, fin de promo, fin de promotion, fin de la promotion, fin soldes, fin des soldes, \
         fin oferta, fin de oferta, fin promocion, fin de promocion, oferta hasta, valido hasta, \
         fine promo, fine promozione, fine offerta, valido fino al, actie tot, actie t m, einddatum actie, geldig tot, \
         promocja do, koniec promocji, wazne do, fim promocao, fim da promocao, valido ate, \
         kampanj till, kampanjslut, rea till, giltig till, akce do, platnost do",
    ),
    (
        Field::Currency,
        "currency, currency code, wahrung, waehrung, devise, monnaie, moneda, divisa, valuta, munteenheid, waluta, \
         moeda, mena",
    ),
    (
        Field::Category,
        "category, categories, product type, product category, product group, department, \
         kategorie, warengruppe, artikelgruppe, produktgruppe, sortiment, \
         categorie, rayon, famille, categoria, familia, seccion, famiglia, reparto, \
         groep, productgroep, artikelgroep, rubriek, kategoria, kategorii, grupa, grupa towarowa, seccao, \
         kategori, produktgrupp, varugrupp, rubrik, kategorie produktu, skupina",
    ),
    (
        Field::Brand,
        "brand, manufacturer, vendor, maker, marke, hersteller, fabrikat, marque, fabricant, marca, fabricante, \
         produttore, fabbricante, merk, fabrikant, marka, marki, producent, producenta, varumarke, tillverkare, \
         znacka, znacky, vyrobce",
    ),
    (
        Field::Description,
        "description, long description, product description, details, text, \
         beschreibung, artikelbeschreibung, produktbeschreibung, langbeschreibung, langtext, \
         descriptif, description longue, descripcion, descripcion larga, detalle, detalles, descrizione, descrizione estesa, \
         omschrijving, productomschrijving, artikelomschrijving, lange omschrijving, beschrijving, \
         opis, opis produktu, dlugi opis, descricao, descricao do produto, \
         beskrivning, produktbeskrivning, popis, popis produktu, dlouhy popis",
    ),
    (
        Field::OtherDescription,
        "short description, summary, kurzbeschreibung, description courte, resume, descripcion corta, resumen, \
         descrizione breve, korte omschrijving, korte beschrijving, krotki opis, opis krotki, descricao curta, resumo, \
         kort beskrivning, kortbeskrivning, kratky popis, strucny popis",
    ),
    (
        Field::Stock,
        "stock, quantity, qty, inventory, stock quantity, on hand, \
         bestand, lagerbestand, menge, anzahl, quantite, qte, existencias, cantidad, inventario, \
         giacenza, quantita, scorte, voorraad, aantal, stan, stan magazynowy, ilosc, \
         estoque, quantidade, lager, lagersaldo, antal, saldo, sklad, skladem, stav skladu, mnozstvi, pocet",
    ),
    (
        Field::Availability,
        "availability, in stock, verfugbarkeit, verfugbar, lieferbar, lieferbarkeit, disponibilite, disponible, \
         disponibilidad, disponibilita, disponibile, beschikbaarheid, beschikbaar, leverbaar, \
         dostepnosc, dostepny, disponibilidade, disponivel, tillganglighet, tillganglig, lagerstatus, \
         dostupnost, dostupny, stock status, inventory status, statut stock, estado stock",
    ),
    (
        Field::Images,
        "image, images, image url, image link, main image, picture, pictures, photo, photos, img, img url, thumbnail, \
         media, media url, cover url, cover image, cover media, \
         bild, bilder, bild url, bildlink, produktbild, abbildung, foto, fotos, \
         url image, visuel, imagen, imagenes, immagine, immagini, afbeelding, afbeeldingen, \
         zdjecie, zdjecia, obraz, imagem, imagens, fotografia, obrazek, obrazky, fotka, fotografie",
    ),
    (
        Field::Gtin,
        "ean, gtin, upc, isbn, barcode, bar code, ean code, ean nummer, strichcode, \
         code barre, code barres, code a barres, codigo de barras, codigo barras, codice a barre, codice ean, \
         streepjescode, kod kreskowy, kod ean, streckkod, carovy kod",
    ),
    (Field::Sku, "sku, sku code, variant sku, stock keeping unit, ugs"),
    (
        Field::Mpn,
        "mpn, part number, manufacturer part number, manufacturer number, herstellernummer, hersteller nr, \
         hersteller artikelnummer, herstellerartikelnummer, reference fabricant, referencia fabricante, \
         codice produttore, fabrikantnummer, kod producenta",
    ),
    (
        Field::Link,
        "link, url, product url, product link, website, deeplink, artikellink, produktlink, produkt url, webseite, \
         lien, url produit, enlace, url producto, collegamento, odnosnik, adres url, hiperligacao, lank, produktlank, \
         odkaz, url produktu",
    ),
    (Field::Weight, "weight, gewicht, artikelgewicht, poids, peso, waga, masa, vikt, hmotnost, vaha"),
    (
        Field::Tags,
        "tags, keywords, schlagworte, schlagworter, mots cles, palabras clave, etiquetas, parole chiave, trefwoorden, \
         slowa kluczowe, palavras chave, nyckelord, klicova slova",
    ),
    (Field::Status, "status, statut, etat, estado, stato, situacao, stav"),
    (
        Field::Active,
        "active, is active, enabled, aktiv, actif, activo, attivo, actief, aktywny, aktywne, ativo, aktivni",
    ),
    (Field::OptionValue1, "color, colour, farbe, couleur, coloris, colore, kleur, kolor, cor, farg, barva"),
    (
        Field::OptionValue2,
        "size, grosse, groesse, taille, pointure, talla, tamano, taglia, misura, maat, rozmiar, tamanho, storlek, \
         velikost",
    ),
];

/// Names that say nothing as a part of a longer one, such as `Product weight` or `Online price`.
const WHOLE_NAMES: [(Field, &str); 4] = [
    (
        Field::Title,
        "product, item, article, artikel, produkt, produit, producto, articulo, prodotto, articolo, produto, artigo, \
         towar, vara, zbozi",
    ),
    (
        Field::Visibility,
        "visibility, visible, is visible, shown, sichtbarkeit, sichtbar, visibilite, visibilidad, visibilita, visibile, \
         zichtbaarheid, zichtbaar, widocznosc, widoczny, widoczna, widoczne, visibilidade, visivel, synlighet, synlig, \
         viditelnost, viditelny, viditelne, zobrazit",
    ),
    (
        Field::Published,
        "published, is published, publish, publication status, online, is online, for sale, veroffentlicht, \
         im shop, im verkauf, publie, publiee, en ligne, en vente, publicado, publicada, en venta, pubblicato, pubblicata, in \
         vendita, gepubliceerd, te koop, opublikowany, opublikowane, opublikowano, w sprzedazy, a venda, publicerad, till salu, \
         publikovano, zverejneno, v prodeji",
    ),
    (Field::Images, "cover"),
];

/// Names in Japanese.
const JAPANESE: [(Field, &str); 8] = [
    (Field::Key, "商品番号, 商品コード, 商品ID, 品番, 型番"),
    (Field::Title, "商品名, 品名, 商品名称"),
    (Field::Price, "価格, 販売価格, 通常価格, 税込価格, 税抜価格, 値段"),
    (Field::Stock, "在庫, 在庫数, 在庫数量"),
    (Field::Description, "商品説明, 説明, 商品説明文"),
    (Field::Images, "画像, 商品画像, 画像URL, 商品画像URL"),
    (Field::Category, "カテゴリ, カテゴリー, 商品カテゴリ"),
    (Field::Brand, "ブランド, ブランド名, メーカー"),
];

/// Names of columns that say what is not sold.
const NOT_SOLD: &str = "archived, hidden, discontinued, deleted, disabled, inactive, not active, not visible, not for sale, \
    unpublished, not published, nicht veroffentlicht, ausgeblendet, non publie, no publicado, non pubblicato, end of life, ausgelaufen, auslaufartikel, archiviert, geloscht, versteckt, unsichtbar, nicht sichtbar, \
    inaktiv, deaktiviert, gesperrt, archive, supprime, masque, cache, desactive, inactif, arrete, archivado, eliminado, \
    oculto, inactivo, descatalogado, archiviato, eliminato, nascosto, inattivo, fuori produzione, uit assortiment, \
    gearchiveerd, verwijderd, verborgen, inactief, uitgelopen, zarchiwizowany, usuniety, ukryty, nieaktywny, wycofany, \
    arquivado, excluido, inativo, descontinuado, arkiverad, borttagen, dold, utgangen, archivovano, smazano, skryty, skryto, \
    neaktivni, vyrazeno";

/// Words of prices without taxes, and with them.
const WITHOUT_TAX: &str = "netto, nettopreis, nettoprijs, nettopris, net, netta, neto, ht, hors taxe, hors taxes, sin iva, \
    sem iva, senza iva, iva esclusa, iva no incluido, excl, excluding, exkl, ex, ohne, bez dph, bez vat, \
    without tax, without vat, excluded, exclusive, zonder btw, utan moms, iva escluso, imponibile";
const WITH_TAX: &str = "brutto, bruttopreis, bruttopris, gross, bruto, brutoprijs, ttc, incl, including, inc, inkl, inklusive, \
    con iva, com iva, iva inclusa, iva incluida, iva incluido, ivato, s dph, z vat, pvp, \
    with tax, with vat, all taxes, included, inclusive, mit mwst, mit ust, met btw, iva incluso, med moms, vcetne dph, toutes \
    taxes comprises";
/// Words of amounts that are no price of a product: costs, discounts, and prices of units.
const COSTS: &str = "cost, costs, purchase, buying, wholesale, dealer, trade, shipping, discount, margin, deposit, \
    ek, einkaufspreis, einkauf, einstandspreis, handlerpreis, grundpreis, staffelpreis, versandkosten, versand, porto, \
    rabatt, pfand, marge, prix d achat, achat, revendeur, frais, livraison, remise, \
    coste, costo, compra, envio, descuento, acquisto, spedizione, sconto, \
    inkoopprijs, inkoop, verzendkosten, verzending, korting, zakupu, zakup, koszt, wysylka, rabat, hurtowa, \
    custo, desconto, inkopspris, inkop, frakt, jamforpris, nakupni, doprava, sleva, velkoobchodni, \
    gesamtpreis, gesamtbetrag, mindestpreis, mengenpreis";
/// Words of what is counted otherwise than the stock, or only says whether there is one.
const NO_STOCK: &str = "track, tracked, tracking, tracker, manage, managed, reorder, reserved, incoming, minimum stock, min stock, \
    mindestbestand, meldebestand, reserviert";
/// Words by which a price is not that of one product.
const NO_PRICE: &str = "unit, units, total, from, ab, per, pro, je, group, list, min, max, minimum, maximum, average, staffel, bulk, \
    tier, level, type, code, date, einheit, gruppe, liste, gesamt, unite, par, groupe, liste, unidad, desde, por, grupo, lista, \
    unita, gruppo, vanaf, eenheid, groep, lijst, od, za, jednostka, jednotka";
/// Words that may stand beside the name of a price: of retail, of currencies, and between those.
const BESIDE_PRICE: &str = "retail, selling, shop, store, web, webshop, online, regular, normal, consumer, verkauf, laden, endkunden, \
    vente, venta, vendita, verkoop, detal, detaliczna, maloobchodni, in, en, w, v, em, eur, euro, euros, usd, gbp, chf, pln, zl, \
    czk, kc, sek, nok, dkk, kr, huf, ft, ron, lei";
const TAXES: &str = "tax, taxes, vat, mwst, ust, steuer, steuersatz, mehrwertsteuer, tva, taxe, iva, impuesto, btw, podatek, imposto, \
    moms, dph, sazba";

/// What the name of a column means; `None` if it is not known.
pub(super) fn meaning(name: &str) -> Option<Meaning> {
    let folded = fold(name);
    let words = words(&folded);
    let has = |list: &'static str| phrases(list).any(|phrase| contains(&words, phrase));
    let tax = match (has(WITHOUT_TAX), has(WITH_TAX)) {
        (true, _) => Tax::Without,
        (false, true) => Tax::With,
        (false, false) => Tax::Unsaid,
    };
    let known = |field, is_whole| Meaning { field, is_whole, is_thing: false, tax };
    let whole = words.concat();
    if let Some(field) = whole_name(&NAMES, &whole) {
        return Some(known(Some(field), true));
    }
    if let Some(field) = whole_name(&WHOLE_NAMES, &whole) {
        return Some(Meaning { is_thing: field == Field::Title, ..known(Some(field), true) });
    }
    if let Some(japanese) = japanese(name) {
        return Some(japanese);
    }
    if let Some(field) = price(&words, name, tax) {
        return Some(known(Some(field), true));
    }
    if has(COSTS) || has(NO_STOCK) || has(NOT_SOLD) {
        return Some(known(None, false));
    }
    match part(&words) {
        Some(Field::Price) if has(NO_PRICE) => Some(known(None, false)),
        Some(field) => Some(known(Some(field), false)),
        None => has(TAXES).then(|| known(None, false)),
    }
}

/// Whether a column with this name says which products are not sold.
pub(super) fn says_what_is_not_sold(name: &str) -> bool {
    let folded = fold(name);
    let words = words(&folded);
    name.trim() == "非公開" || phrases(NOT_SOLD).any(|phrase| contains(&words, phrase))
}

/// The words of a folded name. `Image 1` is an image.
fn words(folded: &str) -> Vec<&str> {
    let words = folded.split(|sign: char| !sign.is_alphanumeric());
    let words = words.map(|word| word.trim_end_matches(|sign: char| sign.is_ascii_digit()));
    words.filter(|word| !word.is_empty()).collect()
}

/// The field with this name, which has no spaces.
fn whole_name(names: &[(Field, &'static str)], whole: &str) -> Option<Field> {
    let is_whole = |phrase: &str| phrase.bytes().filter(|byte| *byte != b' ').eq(whole.bytes());
    names.iter().find(|&&(_, names)| phrases(names).any(is_whole)).map(|(field, _)| *field)
}

/// What a name in Japanese means, which may have a remark in brackets.
pub(super) fn japanese(name: &str) -> Option<Meaning> {
    const SURE: [&str; 6] = ["", "税込", "税込み", "税抜", "税別", "円"];
    let (own, remark) = name.split_once(['(', '（', '[', '【']).unwrap_or((name, ""));
    let own = fold(own.trim());
    let own = own.trim_end_matches(|sign: char| sign.is_ascii_digit());
    let is_own = |phrase: &str| fold(phrase) == own;
    let (field, _) = JAPANESE.iter().find(|&&(_, names)| phrases(names).any(is_own))?;
    let tax = match name {
        name if ["税抜", "税別"].iter().any(|word| name.contains(word)) => Tax::Without,
        name if name.contains("税込") => Tax::With,
        _ => Tax::Unsaid,
    };
    let is_whole = SURE.contains(&remark.trim_matches([')', '）', ']', '】', ' ']));
    Some(Meaning { field: Some(*field), is_whole, is_thing: false, tax })
}

/// The field of a name of a price with nothing beside it but words of taxes, currencies and retail.
fn price(words: &[&str], name: &str, tax: Tax) -> Option<Field> {
    let code = currency(name).map(|(currency, _)| currency.code().to_ascii_lowercase());
    let has = |list: &'static str, word: &str| {
        phrases(list).flat_map(|phrase| phrase.split(' ')).any(|own| own == word)
    };
    // Without another word `Price VAT` may be the tax itself.
    let is_of_tax = |word: &str| {
        tax != Tax::Unsaid && [WITHOUT_TAX, WITH_TAX, TAXES].into_iter().any(|list| has(list, word))
    };
    let is_beside =
        |word: &&str| has(BESIDE_PRICE, word) || is_of_tax(word) || code.as_deref() == Some(*word);
    let fits = |phrase: &str| {
        let phrase: Vec<&str> = phrase.split(' ').collect();
        words.windows(phrase.len()).enumerate().any(|(at, part)| {
            let mut others = words.iter().take(at).chain(words.iter().skip(at + phrase.len()));
            part == phrase.as_slice() && others.all(is_beside)
        })
    };
    let names = NAMES.iter().filter(|(field, _)| matches!(field, Field::Price | Field::ListPrice));
    let found = names.flat_map(|&(field, names)| phrases(names).map(move |phrase| (field, phrase)));
    let longest = found.filter(|(_, phrase)| fits(phrase)).max_by_key(|(_, phrase)| phrase.len());
    longest.map(|(field, _)| field)
}

/// Whether a field is a price.
pub(super) fn is_price(field: Field) -> bool {
    matches!(field, Field::Price | Field::ListPrice | Field::SalePrice)
}

/// The currency in the name of a column: a sign, or a code in capitals that stands in brackets or is the last word. Also
/// returns whether that is certain: in a name in capitals a code may be another word.
pub(super) fn currency(name: &str) -> Option<(Currency, bool)> {
    let is_between = |sign: char| sign.is_whitespace() || "()[]/,;:_-.".contains(sign);
    let words = || name.split(is_between).filter(|word| !word.is_empty());
    let sign = words().find_map(|word| match CurrencySign::of(word) {
        // A pound may be a weight.
        CurrencySign::Sign(currency) if !word.is_ascii() || word.eq_ignore_ascii_case("euro") => {
            Some(currency)
        }
        _ => None,
    });
    if let Some(currency) = sign {
        return Some((currency, true));
    }
    let brackets = name.split(['(', '[']).skip(1).filter_map(|part| part.split([')', ']']).next());
    let in_brackets = brackets.flat_map(|part| part.split([',', '/', ';'])).map(str::trim);
    let code = |word: &str| match CurrencySign::of(word) {
        CurrencySign::Code(currency) if word == currency.code() => Some(currency),
        _ => None,
    };
    let is_mixed = name.contains(|sign: char| sign.is_alphabetic() && !sign.is_uppercase());
    in_brackets.chain(words().next_back()).find_map(code).map(|currency| (currency, is_mixed))
}

/// The field whose name is a part of a longer one. Words such as `name` and `number` say less than all others, as in
/// `Brand name`.
fn part(words: &[&str]) -> Option<Field> {
    let found = NAMES.iter().flat_map(|&(field, names)| {
        phrases(names).filter(move |phrase| contains(words, phrase)).map(move |phrase| (field, phrase))
    });
    let rank = |(field, phrase): &(Field, &str)| {
        let is_special = !matches!(field, Field::Key | Field::Title);
        (is_special, phrase.split(' ').count(), phrase.len())
    };
    found.max_by_key(rank).map(|(field, _)| field)
}

fn phrases(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.split(',').map(str::trim)
}

/// Whether the words of a phrase are among these, one after the other.
fn contains(words: &[&str], phrase: &str) -> bool {
    let phrase: Vec<&str> = phrase.split(' ').collect();
    words.windows(phrase.len()).any(|part| part == phrase.as_slice())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_in_ten_languages() {
        for (name, field) in [
            ("Artikel-Nr.", Field::Key),
            ("ITEM_NO", Field::Key),
            ("Référence produit", Field::Key),
            ("Kód zboží", Field::Key),
            ("Číslo", Field::Key),
            ("Bezeichnung 1", Field::Title),
            ("Désignation", Field::Title),
            ("Nazwa towaru", Field::Title),
            ("Artikel", Field::Title),
            ("Brand name", Field::Brand),
            ("Nazwa producenta", Field::Brand),
            ("Product weight", Field::Weight),
            ("Preço (EUR)", Field::Price),
            ("VK brutto", Field::Price),
            ("Cena s DPH", Field::Price),
            ("Prezzo di listino", Field::ListPrice),
            ("Reapris", Field::SalePrice),
            ("Größe", Field::OptionValue2),
            ("Färg", Field::OptionValue1),
            ("Zdjęcie 1", Field::Images),
            ("Image URL", Field::Images),
            ("EAN13", Field::Gtin),
            ("Código de barras", Field::Gtin),
            ("Kod kreskowy", Field::Gtin),
            ("Voorraad", Field::Stock),
            ("Množství", Field::Stock),
            ("Descrição", Field::Description),
            ("Krátký popis", Field::OtherDescription),
            ("Währung", Field::Currency),
        ] {
            assert_eq!(meaning(name).and_then(|meaning| meaning.field), Some(field), "{name}");
        }
    }

    #[test]
    fn names_of_sales_pictures_and_japanese_tables_are_known() {
        for (name, field) in [
            ("Groep", Field::Category),
            ("Detalle", Field::Description),
            ("PVP rebajado", Field::SalePrice),
            ("Aktionspreis gültig bis", Field::SaleEnds),
            ("Fin de promo", Field::SaleEnds),
            ("Sale from", Field::SaleStarts),
            ("Gültig ab", Field::SaleStarts),
            ("Promocja do", Field::SaleEnds),
            ("cover_media_url", Field::Images),
            ("Media URL", Field::Images),
            ("Pubblicato", Field::Published),
            ("Publié", Field::Published),
            ("veröffentlicht", Field::Published),
            ("widoczny", Field::Visibility),
            ("isVisible", Field::Visibility),
            ("Stav", Field::Status),
            ("商品番号", Field::Key),
            ("商品コード", Field::Key),
            ("商品名", Field::Title),
            ("販売価格（税込）", Field::Price),
            ("在庫数", Field::Stock),
            ("商品説明", Field::Description),
            ("画像1", Field::Images),
            ("商品画像ＵＲＬ", Field::Images),
            ("ブランド", Field::Brand),
        ] {
            assert_eq!(meaning(name).and_then(|meaning| meaning.field), Some(field), "{name}");
        }
    }

    #[test]
    fn names_of_something_else_are_told_from_unknown_ones() {
        for name in [
            "Einkaufspreis",
            "Cost",
            "Prix d'achat",
            "Cena zakupu",
            "MwSt",
            "Versandkosten",
            "Price unit",
            "Total price incl. VAT",
            "Preis ab 10 Stk. brutto",
            "Price list",
            "Staffel Preis",
            "track_inventory",
            "Reorder stock",
            "Archived",
            "Uit assortiment",
        ] {
            assert_eq!(meaning(name).map(|meaning| meaning.field), Some(None), "{name}");
        }
        for name in ["", "Column", "Länge", "X", "備考"] {
            assert_eq!(meaning(name), None, "{name}");
        }
    }

    #[test]
    fn prices_with_taxes_are_told_from_those_without() {
        for (name, tax) in [
            ("Preis brutto", Tax::With),
            ("Prix TTC", Tax::With),
            ("Precio con IVA", Tax::With),
            ("Prijs incl. btw", Tax::With),
            ("Cena s DPH", Tax::With),
            ("VK netto", Tax::Without),
            ("Prix HT", Tax::Without),
            ("Preço sem IVA", Tax::Without),
            ("Pris exkl. moms", Tax::Without),
            ("Cena bez DPH", Tax::Without),
            ("Price", Tax::Unsaid),
            ("PVP sin IVA", Tax::Without),
            ("Preis netto/brutto", Tax::Without),
            ("価格(税抜)", Tax::Without),
            ("価格【税込】", Tax::With),
        ] {
            let Meaning { field, tax: said, .. } = meaning(name).unwrap();
            assert_eq!((field, said), (Some(Field::Price), tax), "{name}");
        }
    }

    #[test]
    fn only_words_of_taxes_currencies_and_retail_stand_beside_a_price() {
        for (name, is_whole) in [
            ("Price", true),
            ("Unit price", true),
            ("Retail price", true),
            ("VK brutto", true),
            ("Preis brutto (EUR)", true),
            ("Precio con IVA", true),
            ("Prix TTC", true),
            ("Price (KWD)", true),
            ("Prijs incl. btw", true),
            ("Pris inkl. moms", true),
            ("Cena s DPH", true),
            ("Cena brutto", true),
            ("PRICE ALL TAXES", true),
            ("Price incl. VAT", true),
            ("Prix en euros", true),
            ("Online price", true),
            ("UVP brutto", true),
            ("価格(税込)", true),
            ("Price VAT", false),
            ("Price 2024 tested", false),
            ("Price note", false),
            ("Preis EUR je kg", false),
            ("Prix conseil TTC", false),
            ("価格(1個)", false),
        ] {
            assert_eq!(meaning(name).is_some_and(|meaning| meaning.is_whole), is_whole, "{name}");
        }
    }

    #[test]
    fn a_code_names_a_currency_in_brackets_or_as_the_last_word() {
        let named = |code, is_certain| Some((Currency::parse(code).unwrap(), is_certain));
        for (name, expected) in [
            ("Preis EUR", named("EUR", true)),
            ("Price (KWD)", named("KWD", true)),
            ("Preis [EUR, brutto]", named("EUR", true)),
            ("Preis_CHF", named("CHF", true)),
            ("Preis in \u{20ac} brutto", named("EUR", true)),
            ("価格(JPY)", named("JPY", true)),
            ("PRICE (EUR)", named("EUR", false)),
            ("PRICE ALL TAXES", None),
            ("Price ALL taxes", None),
            ("Price (ALL taxes)", None),
            ("CUP price", None),
            ("Price eur", None),
            ("Price", None),
        ] {
            assert_eq!(currency(name), expected, "{name}");
        }
    }

    #[test]
    fn some_columns_say_what_is_not_sold() {
        for name in [
            "Archived",
            "is_hidden",
            "Discontinued",
            "Ausgelaufen",
            "Uit assortiment",
            "deleted_at",
            "非公開",
        ] {
            assert!(says_what_is_not_sold(name), "{name}");
        }
        for name in ["Active", "Visible", "Assortiment", "Published"] {
            assert!(!says_what_is_not_sold(name), "{name}");
        }
    }

    #[test]
    fn names_are_written_as_names_are_folded() {
        let names = NAMES.iter().chain(&WHOLE_NAMES).map(|(_, names)| *names);
        let lists =
            names.chain([WITHOUT_TAX, WITH_TAX, COSTS, TAXES, NO_STOCK, NO_PRICE, BESIDE_PRICE, NOT_SOLD]);
        for phrase in lists.flat_map(phrases) {
            assert!(!phrase.is_empty() && fold(phrase) == phrase, "{phrase:?}");
            assert!(phrase.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b' '), "{phrase:?}");
        }
    }
}
