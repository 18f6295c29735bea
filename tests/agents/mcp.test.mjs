// The assistants' client of the Model Context Protocol, against the catalogue that `host/agents/mcp/` answers from.
import assert from "node:assert/strict";
import { test } from "node:test";
import { URL } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { startShop } from "../deploy/support/programs.mjs";

const CATALOGUE = { query: "lipstick", pagination: { limit: 3 } };

for (const [name, options] of [
  ["by its handshake", {}],
  ["without one", { versionNegotiation: { mode: { pin: "2026-07-28" } } }],
]) {
  test(`the protocol's own client lists and calls every tool, ${name}`, async (t) => {
    const shop = await startShop(t);
    const client = new Client({ name: "test", version: "1" }, options);
    await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${shop.port}/ucp/mcp`)));
    t.after(() => client.close());
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map((tool) => tool.name),
      ["search_catalog", "lookup_catalog", "get_product"],
    );
    const call = async (tool, catalog) => {
      const result = await client.callTool({ name: tool, arguments: { catalog } });
      assert.ok(!result.isError, JSON.stringify(result));
      assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
      return result.structuredContent;
    };
    const { products } = await call("search_catalog", CATALOGUE);
    assert.match(products[0].title, /lipstick/i);
    const { id } = products[0];
    const looked = await call("lookup_catalog", { ids: [id] });
    assert.equal(looked.products[0].id, id);
    const { product } = await call("get_product", { id });
    assert.equal(product.title, products[0].title);
    const wrong = await client.callTool({ name: "search_catalog", arguments: { catalog: { query: 7 } } });
    assert.equal(wrong.isError, true);
  });
}
