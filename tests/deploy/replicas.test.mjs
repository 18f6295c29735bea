// The proxies of deploy/compose with the real programs in front of two real shops. Only addresses are replaced, and each
// replacement has to find what it replaces. `compose.test.mjs` checks the file itself.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { freePort, otherBuild, ROOT, run, start, startBuild, startShop, temporaryFolder, unlessInstalled, until } from "./support/programs.mjs";
import { ask, assetsOf, HOST, load } from "./support/requests.mjs";

const FOLDER = path.join(ROOT, "deploy/compose");
const read = (name) => readFileSync(path.join(FOLDER, name), "utf8");

function replaced(file, replacements) {
  let text = read(file);
  for (const [from, to] of replacements) {
    assert.ok(text.includes(from), `${file} has no ${from}`);
    text = text.replaceAll(from, to);
  }
  return text;
}

/** Each writes its configuration, lets the program check it, and says how the program is started. */
const PROXIES = {
  haproxy({ folder, port, shops }) {
    const file = path.join(folder, "haproxy.cfg");
    const servers = shops.map((shop, index) => [` shop${index + 1}:3000`, ` 127.0.0.1:${shop.port}`]);
    writeFileSync(file, replaced("haproxy.cfg", [["bind :8080", `bind 127.0.0.1:${port}`], ...servers]));
    return { check: ["-c", "-f", file], args: ["-db", "-f", file] };
  },
  caddy({ folder, port, shops }) {
    const file = path.join(folder, "Caddyfile");
    const servers = shops.map((shop, index) => [`shop${index + 1}:3000`, `127.0.0.1:${shop.port}`]);
    const site = `{\n\tadmin off\n\tauto_https off\n}\n\nhttp://${HOST}:${port} {\n\tbind 127.0.0.1\n`;
    writeFileSync(file, replaced("Caddyfile", [["shop.example {\n", site], ...servers]));
    const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    const config = ["--adapter", "caddyfile", "--config", file];
    return { check: ["validate", ...config], args: ["run", ...config], env };
  },
};

/** So many addresses that each replica has some: the chance that one has none is 2 in 2^16. */
const ADDRESSES = ["/", "/products", "/categories", "/brands", ...Array.from({ length: 12 }, (_, n) => `/product/${n + 1}`)];

/**
 * Compressed pages have at most 30 kB, which the kernel takes at once and sends even when the process is killed. A
 * part of a page of 200 kB can still be in the process, and no proxy repeats what its visitor has begun to receive.
 */
const AS_BROWSERS = { "accept-encoding": "gzip" };

/** The addresses that a shop was asked for, from its log, in their order. */
const asked = (shop) =>
  [...shop.log.matchAll(/"path":"([^"]*)"/g)].map(([, address]) => address).filter((address) => ADDRESSES.includes(address));

/** The proxy in front of these shops, and how it is reached. */
async function startProxy(t, name, configure, folder, shops) {
  const port = await freePort();
  const { check, args, env } = configure({ folder, port, shops });
  const checked = run(name, check, { env });
  assert.equal(checked.status, 0, checked.stderr + checked.stdout);
  const proxy = start(t, name, args, { env });
  const visitor = { port };
  await until(`${name} to answer`, async () => {
    assert.equal(proxy.child.exitCode, null, proxy.log);
    return ask(visitor, "/healthz").then(({ status }) => status === 200, () => false);
  });
  return visitor;
}

for (const [name, configure] of Object.entries(PROXIES)) {
  test(`two builds behind ${name} find each other's files`, { skip: unlessInstalled(name) }, async (t) => {
    const folder = temporaryFolder(t);
    const shops = [await startShop(t), await startBuild(t, otherBuild(folder))];
    const visitor = await startProxy(t, name, configure, folder, shops);
    const files = new Set();
    for (const address of ADDRESSES) assetsOf((await ask(visitor, address)).body).forEach((file) => files.add(file));
    const scripts = [...files].filter((file) => file.includes("/entry-") && file.endsWith(".js"));
    assert.equal(scripts.length, 2, `pages of one build only name ${[...files].join(" ")}`);
    for (let round = 0; round < 4; round += 1) {
      for (const file of files) assert.equal((await ask(visitor, file)).status, 200, file);
    }
    assert.equal((await ask(visitor, "/assets/entry-AAAAAAAA.js")).status, 404);
  });

  test(`two replicas behind ${name}`, { skip: unlessInstalled(name) }, async (t) => {
    const folder = temporaryFolder(t);
    const shops = [await startShop(t, "--log-queries", "on"), await startShop(t, "--log-queries", "on")];
    const visitor = await startProxy(t, name, configure, folder, shops);

    await t.test("an address is always answered by the same replica, and both have some", async () => {
      for (let round = 0; round < 3; round += 1) {
        for (const address of ADDRESSES) assert.equal((await ask(visitor, address)).status, 200, address);
      }
      const sum = () => asked(shops[0]).length + asked(shops[1]).length;
      await until("every line of the log", () => sum() >= 3 * ADDRESSES.length);
      const [first, second] = shops.map((shop) => new Set(asked(shop)));
      assert.ok(first.size > 0 && second.size > 0, `${first.size} and ${second.size}`);
      assert.deepEqual([...first].filter((address) => second.has(address)), []);
    });

    await t.test("when a replica is killed no GET of a browser fails", async () => {
      const visitors = load(visitor, ADDRESSES, { headers: AS_BROWSERS });
      await until("answers", () => visitors.outcome.answers > 50);
      const worker = /"worker ready","pid":(\d+)/.exec(shops[0].log)?.[1];
      assert.ok(worker, shops[0].log);
      // The supervisor first, because it would start another worker.
      shops[0].child.kill("SIGKILL");
      process.kill(Number(worker), "SIGKILL");
      await shops[0].ended;
      const answers = visitors.outcome.answers;
      await until("answers of the other replica", () => visitors.outcome.answers > answers + 200);
      // Meanwhile the proxy's checks find that it is gone.
      await pause(3_000);
      const { failures } = await visitors.stop();
      assert.deepEqual(failures, []);
    });
  });
}
