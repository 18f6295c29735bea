// `make bench`: our program beside what a user would pick instead. See docs/performance.md for the method.
//   main.js v8|quickjs [quick]
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Arms } from "./arms";
import { build, ROOT } from "./build";
import { measureCached } from "./cached";
import { LOAD_CORE } from "./cores";
import { chooseKinds, collect } from "./pages";
import { sameBytes } from "./parity";
import { counted, logged, measureUncached } from "./uncached";
import { ratio } from "./statistics";

const [engine = "v8", scope = ""] = process.argv.slice(2);
const quick = scope === "quick";
const built = build(engine, false);
// From here on this process is the load.
execFileSync("taskset", ["--all-tasks", "--cpu-list", "--pid", LOAD_CORE, String(process.pid)], { stdio: "ignore" });
const folder = join(ROOT, "target/bench");
mkdirSync(folder, { recursive: true });
const arms = new Arms(built, folder, Number(process.env.BENCH_PORT ?? "46100"));
const file = resolve(ROOT, "../shared/catalogue/products.json");

try {
  const catalogue = await arms.catalogue(existsSync(file) ? file : undefined);
  const kinds = await chooseKinds(catalogue.origin);
  const unkept = ["--page-memory", "0"];
  const ours = await arms.shop("ours", catalogue.origin, unkept);
  const base = await arms.shop("base", catalogue.origin, unkept, undefined, built.base);
  const documents = await collect(ours.origin, kinds);
  const baseDocuments = await collect(base.origin, kinds);
  const [express, node] = [await arms.express(documents), await arms.node(documents)];
  await sameBytes("express", express.origin, documents);
  await sameBytes("node", node.origin, documents);
  console.log(kinds.map(({ name, paths }) => `${name}: ${paths.length} addresses, ${paths[0] ?? ""}`).join("\n"));
  const compared = [logged("ours", ours), counted("express", express), counted("node", node), { ...logged("base", base), isOther: true }];
  void baseDocuments;
  const uncached = await measureUncached(compared, kinds, documents, quick ? 5 : 10, quick ? 0.4 : 1.2);
  for (const [kind, byArm] of Object.entries(uncached)) {
    const mine = byArm.ours?.map(({ cpu }) => cpu) ?? [];
    for (const [name, samples] of Object.entries(byArm)) {
      const theirs = samples.map(({ cpu }) => cpu);
      const { mean, low, high } = ratio(theirs, mine);
      console.log(`${kind.padEnd(18)} ${name.padEnd(8)} ${(theirs.reduce((a, b) => a + b, 0) / theirs.length).toFixed(0).padStart(6)} us/request  ${mean.toFixed(2)}x ours (${low.toFixed(2)} to ${high.toFixed(2)})`);
    }
  }
  const keeping = await arms.shop("ours", catalogue.origin, ["--log", "warn"]);
  const path = kinds[0]?.paths[0]?.split("?")[0] ?? "/";
  const nginx = await arms.nginx(keeping.origin, [path]);
  const axum = await arms.axum(keeping.origin, [path]);
  const cached = await measureCached([keeping, nginx, axum], path, quick ? 5 : 10, quick ? 1 : 2);
  for (const [kind, byArm] of Object.entries(cached)) {
    const mine = byArm.ours?.map(({ cpu }) => cpu) ?? [];
    for (const [name, samples] of Object.entries(byArm)) {
      const theirs = samples.map(({ cpu }) => cpu);
      const { mean, low, high } = ratio(theirs, mine);
      console.log(`${kind.padEnd(18)} ${name.padEnd(8)} ${(theirs.reduce((a, b) => a + b, 0) / theirs.length).toFixed(1).padStart(6)} us/request  ${mean.toFixed(2)}x ours (${low.toFixed(2)} to ${high.toFixed(2)})`);
    }
  }
  writeFileSync(join(folder, "results.json"), JSON.stringify({ uncached, cached }, null, 1));
} finally {
  await arms.stopAll();
}
