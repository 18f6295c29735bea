// The example configurations of deploy/proxies, with the real programs of Debian in front of a real shop. Only
// addresses and paths are replaced, and each replacement has to find what it replaces.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { brotliDecompressSync } from "node:zlib";
import { freePort, otherBuild, ROOT, run, start, startBuild, startShop, temporaryFolder, unlessInstalled, until } from "./support/programs.mjs";
import { ask, assetsOf, HOST, load } from "./support/requests.mjs";

const PAGES = ["/", "/products", "/categories", "/product/1"];
/** A long query string and cookies, above the default limit of nginx for one line, which is 8 KiB. */
const LARGE_HEADER_BYTES = 12_000;

function replaced(file, replacements) {
  let text = readFileSync(path.join(ROOT, "deploy/proxies", file), "utf8");
  for (const [from, to] of replacements) {
    assert.ok(text.includes(from), `${file} has no ${from}`);
    text = text.replaceAll(from, to);
  }
  return text;
}

/** A certificate of shop.example and its key. */
function certificate(folder) {
  const [key, pem, both] = ["key.pem", "certificate.pem", "both.pem"].map((name) => path.join(folder, name));
  const made = run("openssl", [
    ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"],
    ...["-subj", `/CN=${HOST}`, "-addext", `subjectAltName=DNS:${HOST}`, "-keyout", key, "-out", pem],
  ]);
  assert.equal(made.status, 0, made.stderr);
  writeFileSync(both, readFileSync(pem, "utf8") + readFileSync(key, "utf8"));
  return { key, pem, both };
}

const SHOP = "127.0.0.1:3000";

/** Each writes its configuration and says how the program is started. */
const PROXIES = {
  caddy({ folder, port, plain, shop, key, pem }) {
    const file = path.join(folder, "Caddyfile");
    const global = `{\n\tadmin off\n\tauto_https disable_redirects\n\thttp_port ${plain}\n\thttps_port ${port}\n`;
    const site = `${HOST} {\n\tbind 127.0.0.1\n\ttls ${pem} ${key}\n`;
    writeFileSync(file, replaced("Caddyfile", [["{\n\tservers", `${global}\tservers`], [`${HOST} {\n`, site], [SHOP, shop]]));
    const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    return { args: ["run", "--adapter", "caddyfile", "--config", file], env };
  },
  nginx({ folder, port, plain, shop, key, pem }) {
    const server = replaced("nginx.conf", [
      [SHOP, shop],
      ["listen 443", `listen 127.0.0.1:${port}`],
      ["listen 80", `listen 127.0.0.1:${plain}`],
      ["/etc/ssl/shop.example.pem", pem],
      ["/etc/ssl/shop.example.key", key],
    ]);
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/${name};`);
    const file = path.join(folder, "nginx.conf");
    writeFileSync(
      file,
      `pid ${folder}/pid; error_log stderr; worker_processes 1; events { worker_connections 512; }
      http { access_log off; ${temporary.join(" ")}\n${server}\n}`,
    );
    return { args: ["-p", folder, "-c", file, "-g", "daemon off;"] };
  },
  haproxy({ folder, port, plain, shop, both }) {
    const file = path.join(folder, "haproxy.cfg");
    const text = replaced("haproxy.cfg", [
      [SHOP, shop],
      ["bind :80\n", `bind 127.0.0.1:${plain}\n`],
      ["bind :443", `bind 127.0.0.1:${port}`],
      ["/etc/haproxy/shop.example.pem", both],
    ]);
    writeFileSync(file, text);
    return { args: ["-db", "-f", file] };
  },
};

/**
 * A proxy that answers what is asked with 200, and how it is reached. Another program may take a port that was free a
 * moment ago; the proxy ends then, and other ports are tried.
 */
async function startProxy(t, name, configure, place, asked) {
  for (let attempts = 5; ; attempts -= 1) {
    const [port, plain] = [await freePort(), await freePort()];
    const { args, env } = configure({ ...place, port, plain });
    const proxy = start(t, name, args, { env });
    const visitor = { port, tls: readFileSync(place.pem) };
    const hasEnded = () => proxy.child.exitCode !== null;
    const answers = () => asked(visitor).then(({ status }) => status === 200, () => false);
    await until(`${name} to answer, or to end`, async () => hasEnded() || answers());
    if (!hasEnded()) return { plain, visitor };
    assert.ok(attempts > 1 && /already in use|cannot bind/i.test(proxy.log), proxy.log);
  }
}

for (const [name, configure] of Object.entries(PROXIES)) {
  test(`${name} in front of the shop`, { skip: unlessInstalled(name) || unlessInstalled("openssl") }, async (t) => {
    const folder = temporaryFolder(t);
    const shop = await startShop(t, "--public-url", `https://${HOST}`, "--log", "info,vitrine::request_log=off");
    const files = certificate(folder);
    const place = { folder, shop: `127.0.0.1:${shop.port}`, ...files };
    const { plain, visitor } = await startProxy(t, name, configure, place, (visitor) => ask(visitor, "/healthz"));
    const direct = { port: shop.port };

    await t.test("a page arrives as the shop sent it, with its headers", async () => {
      const [expected, page] = [await ask(direct, "/products"), await ask(visitor, "/products")];
      assert.equal(page.status, 200);
      assert.deepEqual(page.body, expected.body);
      for (const header of ["etag", "cache-control", "vary", "content-security-policy", "strict-transport-security", "content-type"]) {
        assert.ok(expected.headers[header], `the shop sends no ${header}`);
        assert.equal(page.headers[header], expected.headers[header], header);
      }
    });

    await t.test("it is compressed by the shop alone", async () => {
      const headers = { "accept-encoding": "br" };
      const [plainPage, expected, page] = [await ask(visitor, "/products"), await ask(direct, "/products", { headers }), await ask(visitor, "/products", { headers })];
      assert.equal(plainPage.headers["content-encoding"], undefined);
      assert.equal(page.headers["content-encoding"], "br");
      assert.deepEqual(page.body, expected.body);
      assert.deepEqual(brotliDecompressSync(page.body), plainPage.body);
    });

    await t.test("what the browser has is a 304", async () => {
      const headers = { "accept-encoding": "br" };
      const { headers: { etag } } = await ask(visitor, "/products", { headers });
      const page = await ask(visitor, "/products", { headers: { ...headers, "if-none-match": etag } });
      assert.equal(page.status, 304);
      assert.equal(page.body.length, 0);
      assert.equal(page.headers.etag, etag);
    });

    await t.test("HEAD gives the headers alone, errors keep their status, plain requests are redirected", async () => {
      const head = await ask(visitor, "/products", { method: "HEAD" });
      assert.equal(head.status, 200);
      assert.equal(head.body.length, 0);
      assert.ok(head.headers.etag);
      assert.equal((await ask(visitor, "/nothing-here")).status, 404);
      assert.equal((await ask(visitor, "/products", { method: "DELETE" })).status, 405);
      if (name !== "caddy") {
        const redirect = await ask({ port: plain }, "/products?page=2");
        assert.equal(redirect.status, 308);
        assert.equal(redirect.headers.location, `https://${HOST}/products?page=2`);
      }
    });

    await t.test("a large header passes", async () => {
      const page = await ask(visitor, "/products", { headers: { cookie: `a=${"x".repeat(LARGE_HEADER_BYTES)}` } });
      assert.equal(page.status, 200);
    });

    await t.test("two replacements of the worker under load fail no request", async () => {
      const visitors = load(visitor, PAGES);
      for (const worker of [2, 3]) {
        await pause(300);
        shop.child.kill("SIGHUP");
        await until(`worker ${worker}`, () => shop.workers() >= worker);
      }
      await pause(300);
      const { answers, failures } = await visitors.stop();
      assert.deepEqual(failures, []);
      assert.ok(answers > 100, `only ${answers} answers`);
    });
  });
}

test("two builds behind nginx find each other's files", { skip: unlessInstalled("nginx") || unlessInstalled("openssl") }, async (t) => {
  const folder = temporaryFolder(t);
  const shops = [await startShop(t), await startBuild(t, otherBuild(folder))];
  // An operator adds a server like this.
  const servers = shops.map((shop) => `127.0.0.1:${shop.port}`).join(" max_fails=0; server ");
  const place = { folder, shop: servers, ...certificate(folder) };
  const { visitor } = await startProxy(t, "nginx", PROXIES.nginx, place, (visitor) => ask(visitor, "/healthz"));
  const files = new Set();
  for (let page = 0; page < 8; page += 1) assetsOf((await ask(visitor, "/products")).body).forEach((file) => files.add(file));
  assert.equal([...files].filter((file) => file.includes("/entry-") && file.endsWith(".js")).length, 2, [...files].join(" "));
  for (let round = 0; round < 4; round += 1) {
    for (const file of files) assert.equal((await ask(visitor, file)).status, 200, file);
  }
  assert.equal((await ask(visitor, "/assets/entry-AAAAAAAA.js")).status, 404);
});

test("X-Forwarded headers come from the proxy alone", async (t) => {
  for (const [name, configure] of Object.entries(PROXIES)) {
    await t.test(name, { skip: unlessInstalled(name) || unlessInstalled("openssl") }, async (t) => {
      const folder = temporaryFolder(t);
      const seen = await startEcho(t);
      const files = certificate(folder);
      const place = { folder, shop: `127.0.0.1:${seen.port}`, ...files };
      const forged = { "x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "gopher", "x-forwarded-host": "evil.example" };
      await startProxy(t, name, configure, place, (visitor) => ask(visitor, "/", { headers: forged }));
      const headers = seen.last();
      assert.equal(headers["x-forwarded-for"], "127.0.0.1");
      assert.equal(headers["x-forwarded-proto"], "https");
      assert.equal(headers["x-forwarded-host"], HOST);
      assert.equal(headers.host, HOST);
    });
  }
});

/** A server in place of the shop that keeps the headers of the last request for a page. */
async function startEcho(t) {
  const { createServer } = await import("node:http");
  let last;
  const server = createServer((request, response) => {
    if (request.url !== "/healthz") last = request.headers;
    response.end("ok");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: server.address().port, last: () => last };
}
