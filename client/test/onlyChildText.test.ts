// @vitest-environment node
import { ESLint } from "eslint";
import tseslint from "typescript-eslint";
import { expect, it } from "vitest";
import onlyChildText from "../../scripts/lint/onlyChildText.mjs";

/** A file outside every project, because a single file is checked quickly. */
const FILE = "only-child-text.tsx";

const linter = new ESLint({
  overrideConfigFile: true,
  overrideConfig: {
    files: ["**/*.tsx"],
    languageOptions: { parser: tseslint.parser, parserOptions: { projectService: { allowDefaultProject: [FILE] } } },
    plugins: { shop: { rules: { "only-child-text": onlyChildText } } },
    rules: { "shop/only-child-text": "error" },
  },
});

/** Lines of JSX, and what the rule says of the texts in each. */
const LINES: readonly [line: string, ...said: string[]][] = [
  ["<p>{count}</p>"],
  ["<p>{`${count} left`}</p>"],
  ['<p>{count > 0 && "some"}</p>'],
  ["<p>Total <b>{count}</b> in all</p>"],
  ["<p>{count > 0 && <b>some</b>} {/* none */}</p>", "beside"],
  ["<p>{count} left</p>", "changing", "beside"],
  ["<p>{name}<b>!</b></p>", "changing"],
  ['<p><b>!</b>{count > 0 && " left"}</p>', "changing"],
  ["<p>{children}<b>!</b></p>", "changing"],
  ["<p>Filters{count > 0 && <b>{count}</b>}</p>", "beside"],
  ["<p>{[name]}</p>", "list"],
  ["<p>{[<b key={name}>{name}</b>]}</p>"],
  ["<p>{count > 0 ? <>all</> : <></>}</p>", "fragment"],
  ["<p>{text(Key.all)} <b>{count}</b></p>"],
  ["<p>{text(Key.all, count)} <b>{count}</b></p>", "changing", "beside"],
  ["<p>{text(Key.all)}{count > 0 && <b>{count}</b>}</p>", "beside"],
];

it("allows text that can change only as the only child of an element", async () => {
  const code = [
    'import type { ReactNode } from "react";',
    "declare const Key: { all: number }; declare function text(key: number, ...values: number[]): string;",
    "export function all(count: number, name: string, children: ReactNode) { return [",
    ...LINES.map(([line]) => `${line},`),
    "];}",
  ].join("\n");
  const [result] = await linter.lintText(code, { filePath: FILE });
  const said = result?.messages ?? [];
  const byLine = LINES.map((_, index) => said.filter(({ line }) => line === index + 4).map(({ messageId }) => messageId));
  expect(byLine).toEqual(LINES.map(([, ...expected]) => expected));
}, 60_000);
