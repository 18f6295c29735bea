// Requests to a shop, directly or through a proxy with TLS.
import { Buffer } from "node:buffer";
import { Agent as HttpAgent, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";

export const HOST = "shop.example";

/** Sends a request to a port of the loopback address: `{ status, headers, body }`. */
export function ask({ port, tls, agent }, target, { method = "GET", headers = {} } = {}) {
  const send = tls === undefined ? httpRequest : httpsRequest;
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, path: target, method, agent, ca: tls, servername: HOST };
    const request = send({ ...options, headers: { host: HOST, ...headers } }, (answer) => {
      const chunks = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.once("error", reject);
      answer.once("end", () => {
        resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) });
      });
    });
    request.once("error", reject);
    request.setTimeout(30_000, () => request.destroy(new Error("no answer within 30 seconds")));
    request.end();
  });
}

/** Asks for the targets again and again over kept connections, until it is stopped. */
export function load(server, targets, { connections = 8, headers = {} } = {}) {
  const agent = new (server.tls === undefined ? HttpAgent : HttpsAgent)({ keepAlive: true, maxSockets: connections });
  const outcome = { answers: 0, failures: [] };
  let isStopped = false;
  const visitors = Array.from({ length: connections }, async (_, visitor) => {
    for (let turn = visitor; !isStopped; turn += 1) {
      const target = targets[turn % targets.length];
      try {
        const { status, body } = await ask({ ...server, agent }, target, { headers });
        outcome.answers += 1;
        if (status !== 200 || body.length === 0) outcome.failures.push(`${target}: ${status}`);
      } catch (error) {
        outcome.failures.push(`${target}: ${error.message}`);
      }
    }
  });
  return {
    outcome,
    async stop() {
      isStopped = true;
      await Promise.all(visitors);
      agent.destroy();
      return outcome;
    },
  };
}

/** The client's files that a page names. */
export const assetsOf = (page) => page.toString("utf8").match(/\/assets\/[\w-]+\.\w+/g) ?? [];
