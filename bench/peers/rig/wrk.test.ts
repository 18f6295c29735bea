// @vitest-environment node
import { describe, expect, it } from "vitest";
import { parseWrk } from "./wrk";

const report = (latencies: string, problems = "") => `Running 2s test @ http://127.0.0.1:46100/
  1 threads and 16 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency   208.11us  101.30us   3.19ms   93.05%
    Req/Sec    75.73k     2.96k   80.10k    80.00%
  Latency Distribution
${latencies}
  151454 requests in 2.00s, 1.58GB read
${problems}Requests/sec:  75727.21
Transfer/sec:    808.52MB
`;

describe("wrk's report", () => {
  it("has latencies in any unit", () => {
    const latencies = "     50%  194.00us\n     75%  225.00us\n     90%  280.00us\n     99%    1.42ms";
    expect(parseWrk(report(latencies))).toEqual({ requests: 151_454, perSecond: 75_727.21, p50: 194, p99: 1_420 });
    expect(parseWrk(report("     50%    1.50s\n     99%    2.00m"))).toMatchObject({ p50: 1_500_000, p99: 120_000_000 });
  });

  it.each(["  Socket errors: connect 0, read 3, write 0, timeout 0\n", "  Non-2xx or 3xx responses: 12\n"])("with %s is refused", (problem) => {
    expect(() => parseWrk(report("     50%  194.00us\n     99%    1.42ms", problem))).toThrow(problem.trim());
  });

  it("without latencies is refused", () => {
    expect(() => parseWrk(report(""))).toThrow("something else");
  });
});
