// The manifests of deploy/kubernetes against Kubernetes' own types, and against each other. TypeScript checks each
// manifest as a literal of its type, which refuses keys that the type does not have.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { URL } from "node:url";
import ts from "typescript";
import { parse, parseAllDocuments } from "yaml";
import { ROOT } from "./support/programs.mjs";

const FOLDER = path.join(ROOT, "deploy/kubernetes");
const read = (name) => readFileSync(path.join(ROOT, name), "utf8");

/** Every manifest of the folder. */
function manifests() {
  return readdirSync(FOLDER).sort().flatMap((name) =>
    parseAllDocuments(readFileSync(path.join(FOLDER, name), "utf8")).map((document) => {
      assert.deepEqual(document.errors, [], name);
      return document.toJS();
    }),
  );
}

/** The manifest of this kind and name. */
const manifest = (kind, name = "vitrine") => {
  const found = manifests().filter((known) => known.kind === kind && known.metadata.name === name);
  assert.equal(found.length, 1, `${kind} ${name}`);
  return found[0];
};

/** The module of the types of an `apiVersion`, such as `networking/v1` for `networking.k8s.io/v1`. */
function typesOf(apiVersion) {
  const [group, version] = apiVersion.includes("/") ? apiVersion.split("/") : ["core", apiVersion];
  return `kubernetes-types/${group.split(".")[0]}/${version}`;
}

/** What is wrong with manifests. */
function findings(checked) {
  const source = checked.map(
    ({ apiVersion, kind, ...rest }, index) =>
      `export const manifest${index}: import(${JSON.stringify(typesOf(apiVersion))}).${kind} = ` +
      `${JSON.stringify({ apiVersion, kind, ...rest }, null, 1)};`,
  );
  const file = path.join(ROOT, "tests/deploy/manifests.virtual.ts");
  const options = {
    strict: true,
    noEmit: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (name) => name === file || fileExists.call(host, name);
  host.readFile = (name) => (name === file ? source.join("\n") : readFile.call(host, name));
  const getSourceFile = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, source.join("\n"), ts.ScriptTarget.ES2022) : getSourceFile(name, ...rest);
  const program = ts.createProgram([file], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

test("every manifest is of its type", () => {
  const all = manifests();
  assert.ok(all.length >= 7, `only ${all.length} manifests`);
  assert.deepEqual(findings(all), []);
});

test("what Kubernetes does not know is refused", () => {
  const container = (deployment) => deployment.spec.template.spec.containers[0];
  const cases = [
    ["Deployment", (deployment) => (deployment.spec.replica = 2), "replica"],
    ["Deployment", (deployment) => (container(deployment).readinesProbe = {}), "readinesProbe"],
    ["Deployment", (deployment) => (container(deployment).ports[0].containerPort = "3000"), "not assignable to type 'number'"],
    ["Deployment", (deployment) => delete container(deployment).name, "'name' is missing"],
    ["HorizontalPodAutoscaler", (scaler) => (scaler.spec.metrics[0].pods.target.averageVale = "1"), "averageVale"],
    ["NetworkPolicy", (policy) => (policy.spec.ingress[0].form = []), "form"],
    ["PodDisruptionBudget", (budget) => (budget.spec.maxunavailable = 1), "maxunavailable"],
    ["Service", (service) => (service.kind = "Servce"), "Servce"],
  ];
  const found = findings(
    cases.map(([kind, spoil]) => {
      const spoiled = manifest(kind);
      spoil(spoiled);
      return spoiled;
    }),
  );
  assert.equal(found.length, cases.length, found.join("\n"));
  for (const [, , text] of cases) assert.ok(found.some((finding) => finding.includes(text)), text);
});

test("the manifests name each other", () => {
  for (const name of ["vitrine", "vitrine-share"]) {
    const { spec } = manifest("Deployment", name);
    const labels = spec.template.metadata.labels;
    const ports = spec.template.spec.containers[0].ports.map((port) => port.name);
    assert.deepEqual(spec.selector.matchLabels, labels);
    assert.deepEqual(manifest("NetworkPolicy", name).spec.podSelector.matchLabels, labels);
    const services = manifests().filter(({ kind, spec: { selector } }) => kind === "Service" && isEqual(selector, labels));
    assert.ok(services.length > 0, name);
    for (const port of services.flatMap((service) => service.spec.ports)) assert.ok(ports.includes(port.targetPort), port.name);
    for (const { ports: allowed } of manifest("NetworkPolicy", name).spec.ingress) {
      for (const { port } of allowed) assert.ok(ports.includes(port), port);
    }
  }
  const shop = manifest("Deployment");
  assert.deepEqual(manifest("PodDisruptionBudget").spec.selector.matchLabels, shop.spec.selector.matchLabels);
  const { apiVersion, kind, name } = manifest("HorizontalPodAutoscaler").spec.scaleTargetRef;
  assert.deepEqual([apiVersion, kind, name], [shop.apiVersion, shop.kind, shop.metadata.name]);
  const { volumes, containers: [container] } = shop.spec.template.spec;
  assert.deepEqual(container.volumeMounts.map((mount) => mount.name).sort(), volumes.map((volume) => volume.name).sort());
  const share = new URL(container.env.find((variable) => variable.name === "VITRINE_SHARE").value);
  assert.equal(Number(share.port), manifest("Service", share.hostname).spec.ports[0].port);
});

const isEqual = (one, other) => JSON.stringify(one) === JSON.stringify(other);

test("the shop gets the settings, the probes and the time that it has", () => {
  const { spec } = manifest("Deployment").spec.template;
  const [container] = spec.containers;
  const settings = read("docs/settings.md");
  for (const { name } of container.env) {
    assert.ok(settings.includes(name), name);
  }
  const operations = read("docs/operations.md");
  for (const probe of ["startupProbe", "livenessProbe", "readinessProbe"]) {
    const { path: asked, port } = container[probe].httpGet;
    assert.equal(port, "admin");
    assert.ok(operations.includes(`\`GET ${asked}\``), asked);
  }
  const drain = /drain: Duration::from_secs\((\d+)\)/.exec(read("host/http/connections/limits.rs"));
  assert.ok(drain, "the time in which the shop finishes its requests was not found");
  assert.ok(spec.terminationGracePeriodSeconds >= container.lifecycle.preStop.sleep.seconds + Number(drain[1]) + 5);
  assert.equal(container.securityContext.readOnlyRootFilesystem, true);
  assert.equal(spec.securityContext.runAsNonRoot, true);
});

test("the autoscaler's metric is made of one that the shop has", () => {
  const { rules: { custom: [rule] } } = parse(read("deploy/prometheus/adapter.yml"));
  const series = /^[a-z_]+/.exec(rule.seriesQuery)[0];
  assert.match(series, new RegExp(rule.name.matches));
  assert.ok(read("docs/metrics.md").includes(`\`${series.replace(/_count$/, "")}\``), series);
  const metrics = manifest("HorizontalPodAutoscaler").spec.metrics.flatMap((metric) => metric.pods?.metric.name ?? []);
  assert.deepEqual(metrics, [rule.name.as]);
  for (const [name] of rule.metricsQuery.matchAll(/vitrine_\w+/g)) assert.match(name, /^vitrine_render_wait_seconds_(sum|count)$/);
});
