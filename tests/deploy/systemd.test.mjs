// The unit of deploy/systemd, as far as it can be tried without a running systemd.
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { ROOT, run, start, temporaryFolder, unlessInstalled, until, VITRINE } from "./support/programs.mjs";
import { ask } from "./support/requests.mjs";

const FOLDER = path.join(ROOT, "deploy/systemd");
const UNIT = path.join(FOLDER, "vitrine.service");
/** The greatest exposure level of `systemd-analyze security`, in tenths: 2.0. */
const MOST_EXPOSURE = 20;

/** Debian's Python, for which Debian has the package python3-seccomp. */
const PYTHON = "/usr/bin/python3";
const withoutAnalyze = unlessInstalled("systemd-analyze");
const hasSeccomp = run(PYTHON, ["-c", "import seccomp"]).status === 0;
const withoutFilter = withoutAnalyze || (hasSeccomp ? false : "python3-seccomp is not installed");
const engine = /engine (\w+)/.exec(run(VITRINE, ["--version"]).stdout)?.[1];

/** The values of a setting in a unit, in their order. */
function values(text, name) {
  return text.split("\n").filter((line) => line.startsWith(`${name}=`)).map((line) => line.slice(name.length + 1));
}

/** The system calls that a unit allows: `SystemCallFilter=` adds calls and groups, or removes them after `~`. */
function allowedCalls(unit) {
  const groups = new Map();
  let group;
  for (const line of run("systemd-analyze", ["syscall-filter", "--no-pager"]).stdout.split("\n")) {
    const member = line.trim();
    if (member === "" || member.startsWith("#")) continue;
    if (line.startsWith("@")) groups.set((group = member), []);
    else groups.get(group).push(member);
  }
  const members = (name) => {
    if (!name.startsWith("@")) return [name];
    assert.ok(groups.has(name), `systemd knows no ${name}`);
    return groups.get(name).flatMap(members);
  };
  // What systemd allows every unit, whatever its filter says.
  const allowed = new Set(members("@default"));
  for (const value of values(unit, "SystemCallFilter")) {
    const removes = value.startsWith("~");
    for (const call of value.replace("~", "").split(" ").flatMap(members)) {
      if (removes) allowed.delete(call);
      else allowed.add(call);
    }
  }
  return [...allowed];
}

/** A shop under the unit's filters, which may also deny writable and executable memory. */
function startConfined(t, denyWriteExecute) {
  const settings = { allowed: allowedCalls(readFileSync(UNIT, "utf8")), denyWriteExecute };
  const args = [path.join(import.meta.dirname, "support/sandbox.py"), JSON.stringify(settings), VITRINE];
  const state = temporaryFolder(t);
  return start(t, PYTHON, [...args, "serve", "--supervise", "--isolates", "1", "--render-timeout", "10000", "--listen", "127.0.0.1:0", "--state-dir", state]);
}

async function serves(shop) {
  await until("the shop", () => shop.log.includes("worker ready") || shop.child.exitCode !== null);
  assert.equal(shop.child.exitCode, null, shop.log);
  const port = Number(/listening.*?127\.0\.0\.1:(\d+)/.exec(shop.log)?.[1]);
  const page = await ask({ port }, "/products");
  assert.equal(page.status, 200);
  assert.ok(page.body.includes('<div id="root"><'), "the page has no markup");
}

test("the unit's exposure is at most 2.0", { skip: withoutAnalyze }, () => {
  const rated = run("systemd-analyze", ["security", "--offline=true", `--threshold=${MOST_EXPOSURE}`, "--no-pager", UNIT]);
  const level = Number(/exposure level for vitrine.service: ([\d.]+)/.exec(rated.stdout)?.[1]);
  assert.equal(rated.status, 0, rated.stdout + rated.stderr);
  assert.ok(level > 0 && level <= MOST_EXPOSURE / 10, `${level}`);
});

test("systemd finds no mistake in the units", { skip: withoutAnalyze }, (t) => {
  const folder = temporaryFolder(t);
  const unit = readFileSync(UNIT, "utf8");
  assert.match(unit, /^ExecStart=\/usr\/bin\/vitrine serve --supervise$/m);
  writeFileSync(path.join(folder, "vitrine.service"), unit.replace("/usr/bin/vitrine", VITRINE));
  copyFileSync(path.join(FOLDER, "vitrine.socket"), path.join(folder, "vitrine.socket"));
  mkdirSync(path.join(folder, "vitrine.service.d"));
  copyFileSync(path.join(FOLDER, "vitrine.service.d/quickjs.conf"), path.join(folder, "vitrine.service.d/quickjs.conf"));
  const units = ["vitrine.service", "vitrine.socket"].map((name) => path.join(folder, name));
  const verified = run("systemd-analyze", ["verify", "--man=no", ...units]);
  const about = verified.stderr.split("\n").filter((line) => line.includes("vitrine"));
  assert.deepEqual(about, []);
});

test("the shop serves with the system calls that the unit allows, and may refuse more of them to itself", { skip: withoutFilter }, async (t) => {
  const shop = startConfined(t, false);
  await serves(shop);
  assert.match(shop.log, /the process is restricted.*system_calls"?[=:]"fully enforced"/);
});

test("without writable and executable memory V8 does not start", { skip: withoutFilter || (engine !== "v8" && "this is not V8") }, async (t) => {
  assert.deepEqual(values(readFileSync(UNIT, "utf8"), "MemoryDenyWriteExecute"), ["no"]);
  const shop = startConfined(t, true);
  assert.notEqual(await shop.ended, 0);
  assert.ok(!shop.log.includes("worker ready"), shop.log);
});

test("without writable and executable memory QuickJS serves", { skip: withoutFilter || (engine !== "quickjs" && "this is not QuickJS") }, async (t) => {
  const dropIn = readFileSync(path.join(FOLDER, "vitrine.service.d/quickjs.conf"), "utf8");
  assert.deepEqual(values(dropIn, "MemoryDenyWriteExecute"), ["yes"]);
  await serves(startConfined(t, true));
});
