// Prints the slowest tests that the output of a run of scripts/test.sh names: scripts/slowest-tests.mjs FILE
import { readFileSync } from "node:fs";
import process from "node:process";
import { stripVTControlCharacters } from "node:util";

const SHOWN = 30;
const UNITS = { ms: 0.001, s: 1, m: 60 };

/** How each program prints a test that has ended, as the name of the test, a number and its unit. */
const LINES = [
  /^test (?<name>\S+) \.\.\. ok <(?<time>[\d.]+)(?<unit>s)>$/,
  /^\s*✓\s+\d+ (?<name>\[.*) \((?<time>[\d.]+)(?<unit>ms|s|m)\)$/,
  /^ ✓ (?<name>\S+ \(\d+ tests?\))\s+(?<time>\d+)(?<unit>ms)$/,
  /^✔ (?<name>.*) \((?<time>[\d.]+)(?<unit>ms)\)$/,
];

const tests = stripVTControlCharacters(readFileSync(process.argv[2], "utf8"))
  .split("\n")
  .flatMap((line) => LINES.flatMap((pattern) => pattern.exec(line)?.groups ?? []))
  .map(({ name, time, unit }) => ({ name, seconds: Number(time) * UNITS[unit] }))
  .sort((a, b) => b.seconds - a.seconds);

for (const { name, seconds } of tests.slice(0, SHOWN)) {
  process.stdout.write(`${seconds.toFixed(1).padStart(7)} s  ${name}\n`);
}
