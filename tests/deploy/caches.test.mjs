// Caches in front of a shop whose pages come in a coding that only browsers with its dictionary can read: the real programs
// of Debian, as they come, give everybody bytes that they can read.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { chmodSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { freePort, start, startShop, temporaryFolder, unlessInstalled, until } from "./support/programs.mjs";
import { ask } from "./support/requests.mjs";

const PAGES = ["/product/9", "/_data/product/9", "/categories"];

/** Each writes its configuration and says how the program is started. */
const CACHES = {
  nginx(folder, port, shop) {
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/${name};`);
    const file = path.join(folder, "nginx.conf");
    writeFileSync(
      file,
      `pid ${folder}/pid; error_log stderr; worker_processes 1; events { worker_connections 512; }
      http {
        access_log off; ${temporary.join(" ")}
        proxy_cache_path ${folder}/cache keys_zone=pages:1m;
        server {
          listen 127.0.0.1:${port};
          location / {
            proxy_pass http://127.0.0.1:${shop};
            proxy_set_header Host $host;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_buffers 8 32k;
            proxy_buffer_size 16k;
            proxy_cache pages;
            add_header X-Cached $upstream_cache_status always;
          }
        }
      }`,
    );
    return ["-p", folder, "-c", file, "-g", "daemon off;"];
  },
  varnishd(folder, port, shop) {
    const file = path.join(folder, "shop.vcl");
    writeFileSync(
      file,
      `vcl 4.1;
      backend shop { .host = "127.0.0.1"; .port = "${shop}"; }
      sub vcl_deliver { if (obj.hits > 0) { set resp.http.X-Cached = "HIT"; } }`,
    );
    return ["-F", "-j", "none", "-n", path.join(folder, "work"), "-a", `127.0.0.1:${port}`, "-f", file, "-s", "malloc,16m"];
  },
};

/** The clients that ask in turn. */
function clients(dictionary) {
  const available = (bytes) => `:${createHash("sha256").update(bytes).digest("base64")}:`;
  const everything = "gzip, deflate, br, zstd, dcb, dcz";
  return {
    "with the dictionary": { "accept-encoding": everything, "available-dictionary": available(dictionary) },
    "without one": { "accept-encoding": everything },
    "with another one": { "accept-encoding": everything, "available-dictionary": available("another") },
    "with a dictionary, of an older browser": { "accept-encoding": "gzip, br", "available-dictionary": available(dictionary) },
    "without compression": {},
  };
}

for (const [name, configure] of Object.entries(CACHES)) {
  test(`${name} as a cache in front of the shop`, { skip: unlessInstalled(name) }, async (t) => {
    const folder = temporaryFolder(t);
    // Started by root, nginx works as another user.
    chmodSync(folder, 0o711);
    const { port: shop } = await startShop(t, "--log", "info,vitrine::request_log=off");
    const direct = { port: shop };
    let lead;
    await until("the dictionary", async () => (lead = await ask(direct, "/dictionary")).status === 307);
    const everybody = Object.entries(clients((await ask(direct, lead.headers.location)).body));
    const [, knowing] = everybody[0];
    for (const page of PAGES) {
      await until(`${page} in every variant`, async () => {
        const codings = await Promise.all([knowing, everybody[1][1]].map(async (headers) => (await ask(direct, page, { headers })).headers["content-encoding"]));
        return codings.join() === "dcz,br";
      });
    }

    const port = await freePort();
    const cache = start(t, name, configure(folder, port, shop));
    await until(`${name} to answer`, async () => {
      assert.equal(cache.child.exitCode, null, cache.log);
      return ask({ port }, "/healthz").then(({ status }) => status === 200, () => false);
    });
    let hits = 0;
    for (const page of [...PAGES, ...PAGES, ...PAGES]) {
      for (const [client, headers] of everybody) {
        const answer = await ask({ port }, page, { headers });
        const coding = answer.headers["content-encoding"];
        assert.equal(answer.status, 200, `${client}: ${page}`);
        if (coding === "dcz") assert.equal(headers, knowing, `${client}: ${page}`);
        // What the shop itself answers to a client that accepts just this coding.
        const same = coding === "dcz" ? knowing : coding === undefined ? {} : { "accept-encoding": coding };
        const expected = await ask(direct, page, { headers: same });
        assert.ok(coding === undefined || (headers["accept-encoding"] ?? "").includes(coding), `${client}: ${coding}`);
        assert.deepEqual(answer.body, expected.body, `${client}: ${page}`);
        hits += answer.headers["x-cached"] === "HIT" ? 1 : 0;
      }
    }
    assert.ok(hits > 0, `${name} kept nothing`);
  });
}
