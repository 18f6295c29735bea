// The Debian package in a clean root: installed, upgraded under load, removed and purged. systemd does not run there;
// support/systemctl.sh stands for it. Needs root, debootstrap and the package that `make deb` makes.
import assert from "node:assert/strict";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { freePort, ROOT, run, temporaryFolder, unlessInstalled, until } from "./support/programs.mjs";
import { ask, load } from "./support/requests.mjs";

const KIT = path.join(ROOT, "target/dist-kit");
const PACKAGE = existsSync(KIT) ? readdirSync(KIT).find((name) => name.endsWith(".deb")) : undefined;
/** A root that was made before, for a quicker trial. */
const { DEBIAN_ROOT } = process.env;

const skip =
  (PACKAGE === undefined && "there is no package; `make deb` makes it") ||
  (process.getuid() !== 0 && "only root can make a clean root") ||
  unlessInstalled("dpkg-deb") ||
  (DEBIAN_ROOT === undefined && unlessInstalled("debootstrap"));

function done(name, args, options) {
  const { status, stdout, stderr } = run(name, args, options);
  assert.equal(status, 0, `${name} ${args.join(" ")}:\n${stdout}${stderr}`);
  return stdout;
}

test("the package is installed, upgraded under load, removed and purged", { skip }, async (t) => {
  const folder = temporaryFolder(t);
  const root = path.join(folder, "root");
  if (DEBIAN_ROOT === undefined) done("debootstrap", ["--variant=minbase", "--include=adduser", "bookworm", root]);
  else done("cp", ["-a", DEBIAN_ROOT, root]);
  const inside = (file) => path.join(root, file);
  // With a /proc that is gone with the last process of the command.
  const enter = ["-m", "sh", "-c", 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"', root];
  const environment = { env: { DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C" } };
  const chroot = (...command) => done("unshare", [...enter, ...command], environment);

  // What deb-systemd-invoke looks for.
  mkdirSync(inside("run/systemd/system"), { recursive: true });
  copyFileSync(path.join(import.meta.dirname, "support/systemctl.sh"), inside("usr/bin/systemctl"));
  chmodSync(inside("usr/bin/systemctl"), 0o755);
  const port = await freePort();
  writeFileSync(inside("run/address"), `127.0.0.1:${port}`);
  t.after(() => run("unshare", [...enter, "systemctl", "stop", "vitrine.service"]));

  copyFileSync(path.join(KIT, PACKAGE), inside("first.deb"));
  // The next version is the same with another number.
  done("dpkg-deb", ["-R", path.join(KIT, PACKAGE), path.join(folder, "next")]);
  const control = path.join(folder, "next/DEBIAN/control");
  writeFileSync(control, readFileSync(control, "utf8").replace(/^Version: .*$/m, "Version: 9.9.9-1"));
  done("dpkg-deb", ["-b", "-Znone", path.join(folder, "next"), inside("next.deb")]);

  const server = { port };
  const serves = () => ask(server, "/products").then(({ status }) => status === 200, () => false);

  chroot("dpkg", "-i", "/first.deb");
  await until("the installed shop", serves);
  assert.match(chroot("getent", "passwd", "vitrine"), /:\/var\/lib\/vitrine:\/usr\/sbin\/nologin$/m);
  assert.equal(statSync(inside("var/lib/vitrine")).mode & 0o777, 0o700);
  assert.equal(statSync(inside("etc/vitrine/vitrine.env")).mode & 0o777, 0o600);
  for (const link of ["multi-user.target.wants/vitrine.service", "sockets.target.wants/vitrine.socket"]) {
    assert.ok(chroot("readlink", `/etc/systemd/system/${link}`).includes("/lib/systemd/system/"), link);
  }
  const supervisor = readFileSync(inside("run/vitrine.pid"), "utf8").trim();
  const workers = () => readFileSync(`/proc/${supervisor}/task/${supervisor}/children`, "utf8").trim().split(" ");
  const [before] = workers();

  // The operator's settings stay.
  writeFileSync(inside("etc/vitrine/vitrine.env"), "VITRINE_FRESH=61\n");
  const visitors = load(server, ["/", "/products", "/categories", "/product/1"]);
  await pause(300);
  chroot("dpkg", "-i", "--force-confold", "/next.deb");
  await until("the new worker", () => !workers().includes(before) && workers().length === 1);
  await pause(300);
  const { answers, failures } = await visitors.stop();
  assert.deepEqual(failures, []);
  assert.ok(answers > 100, `only ${answers} answers`);
  assert.equal(readFileSync(inside("etc/vitrine/vitrine.env"), "utf8"), "VITRINE_FRESH=61\n");
  assert.match(readFileSync(inside("run/systemctl.log"), "utf8"), /^reload vitrine\.service$/m);
  assert.ok(!/^(stop|restart)/m.test(readFileSync(inside("run/systemctl.log"), "utf8")), "the upgrade stops the shop");

  // Back to the version before, which also goes without a gap.
  const [upgraded] = workers();
  chroot("dpkg", "-i", "--force-confold", "--force-downgrade", "/first.deb");
  await until("the old version's worker", () => !workers().includes(upgraded));
  assert.ok(await serves());

  chroot("dpkg", "-r", "vitrine");
  await until("the end of the shop", async () => !(await serves()));
  assert.ok(existsSync(inside("etc/vitrine/vitrine.env")), "a removal keeps the settings");
  assert.ok(existsSync(inside("var/lib/vitrine")), "a removal keeps the state");
  chroot("dpkg", "-P", "vitrine");
  for (const gone of ["etc/vitrine", "var/lib/vitrine", "usr/bin/vitrine", "etc/systemd/system/sockets.target.wants/vitrine.socket"]) {
    assert.ok(!existsSync(inside(gone)), `${gone} is left`);
  }
});
