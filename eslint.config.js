import js from "@eslint/js";
import jsxA11y from "eslint-plugin-jsx-a11y";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

/** What would make the server's markup and the browser's differ. */
const notWhileRendering = [
  ...["Date", "Intl"].map((name) => ({
    selector: `Identifier[name="${name}"]`,
    message: "Dates and money arrive formatted in the contract.",
  })),
  {
    selector: 'MemberExpression[property.name=/^toLocale/]',
    message: "Locale differs between server and browser.",
  },
  {
    selector: 'MemberExpression[object.name="Math"][property.name="random"]',
    message: "What is random is decided by the host.",
  },
  {
    selector: "JSXAttribute[name.name=/^(suppressHydrationWarning|dangerouslySetInnerHTML)$/]",
    message: "Server and browser render the same tree, from data only.",
  },
];

const notImported = {
  router: { group: ["react-router", "react-router-dom", "react-router/*"], message: "Import from client/router.ts." },
  outwards: { group: ["**/ssr/**", "**/host/**"], message: "The client knows nothing of ssr or host." },
};

export default tseslint.config(
  { ignores: ["target", "dist", "**/*.gen.ts", "playwright-report", "test-results"] },
  js.configs.recommended,
  { languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } } },
  {
    files: ["**/*.{ts,tsx}"],
    extends: [
      tseslint.configs.strictTypeChecked,
      jsxA11y.flatConfigs.recommended,
      reactHooks.configs.flat.recommended,
    ],
    rules: {
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", destructuredArrayIgnorePattern: "^_" }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
    },
  },
  {
    files: ["client/**/*.{ts,tsx}"],
    rules: {
      // The specification asks for some logs; nothing else is written to the console.
      "no-console": ["error", { allow: ["log"] }],
      "no-restricted-globals": ["error", { name: "fetch", message: "Only client/data.ts asks the network." }],
      "no-restricted-imports": ["error", { patterns: [notImported.router, notImported.outwards] }],
      "no-restricted-syntax": ["error", ...notWhileRendering],
    },
  },
  { files: ["client/data.ts"], rules: { "no-restricted-globals": "off" } },
  {
    files: ["client/router.ts"],
    rules: { "no-restricted-imports": ["error", { patterns: [notImported.outwards] }] },
  },
  // Tests stand in for the network and the console.
  { files: ["**/*.test.{ts,tsx}"], rules: { "no-restricted-globals": "off" } },
);
