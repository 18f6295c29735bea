// @vitest-environment node
import { describe, expect, it } from "vitest";
import { cpuTime, memory, parsePss, parseSchedstat, parseStat } from "./proc";

/** A line of `/proc/PID/stat` with this name, these four times and a number in every other field. */
const stat = (name: string, times: string) => `1234 (${name}) S 77 1234 1234 0 -1 4194560 901 902 903 904 ${times} 20 0 11 0 8888 1000 2000 18446744073709551615 1 1`;

describe("/proc", () => {
  it("counts user and kernel mode, of the process and of the children it has waited for", () => {
    expect(parseStat(stat("vitrine", "120 30 7 3"))).toEqual({ pid: 1234, parent: 77, cpu: 1_600_000 });
  });

  it("is read behind a name with spaces and parentheses", () => {
    expect(parseStat(stat("a) R 1 (b", "1 1 0 0"))).toEqual({ pid: 1234, parent: 77, cpu: 20_000 });
  });

  it("is refused when a field is missing", () => {
    expect(() => parseStat("1234 (vitrine) S 77")).toThrow("no stat");
    expect(() => parseStat("")).toThrow("no stat");
  });

  it("names the proportional set size in kilobytes", () => {
    expect(parsePss("Rss:  5000 kB\nPss:            1500 kB\nPss_Dirty:  1200 kB\n")).toBe(1_536_000);
    expect(() => parsePss("Rss: 5000 kB\n")).toThrow("without Pss");
  });

  it("names a thread's time in nanoseconds", () => {
    expect(parseSchedstat("2500000 17 4\n")).toBe(2_500);
    expect(() => parseSchedstat("0.5 1")).toThrow("no schedstat");
  });

  it.runIf(process.platform === "linux")("knows this process", () => {
    expect(cpuTime(process.pid)).toBeGreaterThan(0);
    expect(memory(process.pid)).toBeGreaterThan(1 << 20);
  });
});
