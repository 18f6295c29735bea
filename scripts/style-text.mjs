import { readFile } from "node:fs/promises";
import { transform } from "esbuild";

/** A plugin for esbuild: style sheets that a script imports become texts in it, minified, and come with the script. */
export const styleText = {
  name: "style sheets as text",
  setup({ onLoad, initialOptions: { target } }) {
    onLoad({ filter: /\.css$/ }, async ({ path: file }) => {
      const { code } = await transform(await readFile(file, "utf8"), { loader: "css", minify: true, target, sourcefile: file });
      return { contents: code.trim(), loader: "text" };
    });
  },
};
