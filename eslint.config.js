import js from "@eslint/js";
import jsxA11y from "eslint-plugin-jsx-a11y";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";
import onlyChildText from "./scripts/lint/onlyChildText.mjs";

/** What would make the markup of server and browser differ. */
const notWhileRendering = [
  ...["Date", "Intl"].map((name) => ({
    selector: `Identifier[name="${name}"]`,
    message: "Dates and money arrive formatted in the contract.",
  })),
  {
    selector: "MemberExpression[property.name=/^toLocale/]",
    message: "The locale differs between server and browser.",
  },
  {
    selector: 'MemberExpression[object.name="Math"][property.name="random"]',
    message: "The host decides what is random.",
  },
  {
    selector: "JSXAttribute[name.name=/^(suppressHydrationWarning|dangerouslySetInnerHTML)$/]",
    message: "Server and browser render the same tree, from data only.",
  },
];

/** The import rules below do not see imports at run time. */
const notDynamic = { selector: "ImportExpression", message: "Import statically: the layers are checked there." };

const notHistory = { object: "window", property: "history", message: "Only navigation/history.ts uses the history." };
const notFetch = { name: "fetch", message: "Only navigation/data.ts, autocomplete/askHost.ts and early/clientLoader.ts use the network." };

/**
 * The folders of client/, from the top layer to the bottom. A folder imports from the layers below
 * its own, never from those above or beside it. Files directly in client/ (entry, App) are above
 * all folders; the generated ones belong to no layer. autocomplete/ is a bundle of its own, which
 * nothing imports.
 */
const LAYERS = [["autocomplete"], ["shell"], ["pages"], ["home", "overview", "listing", "product"], ["ui"], ["navigation"], ["texts"]];

const forbid = (group, message) => ({ group, message });
const outside = forbid(["**/ssr/**", "**/host/**"], "The client does not know ssr or host.");
const ofServer = forbid(["**/*.server"], "The server's bundle takes these modules by itself.");
const routerPackage = forbid(["react-router", "react-router-dom", "react-router/*"], "Import navigation/router.ts.");
const history = forbid(["**/history"], "Only the page router writes the history.");
const test = forbid(["**/test/**"], "Only tests import from test/.");
const top = forbid(["**/App", "**/entry"], "Nothing imports the entry or the root component.");

const restrictedImports = (...patterns) => ({ "no-restricted-imports": ["error", { patterns: [outside, ofServer, ...patterns] }] });

/** The import rule of a folder's modules, with further patterns. */
function layer(folder, ...patterns) {
  const level = LAYERS.findIndex((folders) => folders.includes(folder));
  const forbidden = LAYERS.slice(0, level + 1).flat().filter((other) => other !== folder);
  const layers = forbidden.map((other) => forbid([`**/${other}/**`], `${folder}/ does not import ${other}/.`));
  return restrictedImports(top, ...layers, ...patterns);
}

export default tseslint.config(
  { ignores: ["target", "fuzz/target", "fuzz/corpus", "bench/search/target", "**/*.gen.ts", "bench/peers/.cache", "bench/peers/*/dist", "bench/peers/next/.next"] },
  js.configs.recommended,
  { languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } } },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  {
    files: ["**/*.{ts,tsx}"],
    extends: [
      tseslint.configs.strictTypeChecked,
      jsxA11y.flatConfigs.recommended,
      reactHooks.configs.flat.recommended,
    ],
    rules: {
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", destructuredArrayIgnorePattern: "^_", ignoreRestSiblings: true }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
    },
  },
  {
    files: ["client/**/*.{ts,tsx}"],
    rules: {
      // The specification asks for some logs; nothing else is written to the console.
      "no-console": ["error", { allow: ["log"] }],
      "no-restricted-globals": ["error", notFetch, { name: "history", message: notHistory.message }],
      "no-restricted-properties": ["error", notHistory],
      "no-restricted-syntax": ["error", ...notWhileRendering, notDynamic],
    },
  },
  {
    files: ["client/**/*.tsx"],
    ignores: ["**/*.test.tsx"],
    plugins: { shop: { rules: { "only-child-text": onlyChildText } } },
    rules: { "shop/only-child-text": "error" },
  },
  { files: ["client/*.{ts,tsx}"], rules: restrictedImports(routerPackage, history, test) },
  // The inline script of every document, which must stay small.
  { files: ["client/early/**/*.ts"], rules: restrictedImports(top, forbid(["react*", "../*/**", "!../shell/theme"], "Only its own modules and the theme.")) },
  { files: ["client/App.tsx"], rules: restrictedImports(routerPackage, history, test, top) },
  { files: ["client/test/**/*.{ts,tsx}"], rules: restrictedImports(routerPackage, history, top) },
  ...LAYERS.flat().flatMap((folder) => [
    { files: [`client/${folder}/**/*.{ts,tsx}`], rules: layer(folder, routerPackage, history, test) },
    { files: [`client/${folder}/**/*.test.{ts,tsx}`], rules: layer(folder, routerPackage, history) },
  ]),
  // A small bundle beside the client: what it takes along of the lower layers has no React in it.
  {
    files: ["client/autocomplete/**/*.ts"],
    rules: restrictedImports(top, history, forbid(["react*", "../*/**", "!../navigation/*", "!../texts/*", "!../ui/initial", "!../ui/picture", "!../test/*"], "Plain functions of navigation/ and ui/ only.")),
  },

  {
    files: ["worker/**/*.ts"],
    rules: {
      "no-console": "error",
      "no-restricted-globals": ["error", { ...notFetch, message: "Only serviceWorker.ts and storedFiles.ts use the network." }],
      // Of the client the worker knows only types.
      "no-restricted-imports": "off",
      "@typescript-eslint/no-restricted-imports": ["error", { patterns: [{ ...forbid(["**/client/**"], "Only types."), allowTypeImports: true }] }],
    },
  },

  // The exceptions: one module for each thing that the rules above keep out of all others.
  // These run on the server alone, with the memo of ssr/.
  { files: ["client/**/*.server.{ts,tsx}", "client/**/*.server.test.tsx"], rules: { "no-restricted-imports": ["error", { patterns: [routerPackage, history, top] }] } },
  { files: ["client/navigation/data.ts"], rules: { "no-restricted-globals": "off" } },
  // No page waits for suggestions, and they come in another bundle.
  { files: ["client/autocomplete/askHost.ts"], rules: { "no-restricted-globals": "off" } },
  // Asks only whether the client's bundle is still there.
  { files: ["client/early/clientLoader.ts"], rules: { "no-restricted-globals": "off" } },
  { files: ["client/navigation/history.ts"], rules: { "no-restricted-properties": "off" } },
  { files: ["client/navigation/pageRouter.ts"], rules: layer("navigation", routerPackage, test) },
  { files: ["client/navigation/router.ts"], rules: restrictedImports(forbid(["./*", "../**"], "Only the package.")) },
  { files: ["worker/serviceWorker.ts", "worker/storedFiles.ts"], rules: { "no-restricted-globals": "off" } },
  // Tests replace the network, and look at the history that was written.
  {
    files: ["**/*.test.{ts,tsx}"],
    rules: { "no-restricted-globals": "off", "no-restricted-properties": "off" },
  },
);
