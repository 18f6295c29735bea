// Writes compressed variants beside text files of folders: scripts/compress.mjs FOLDER…
//
// FILE.br and FILE.gz are made at the highest level. Of twenty pairs of Brotli's distance parameters, this one made the
// client's script smallest.
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const BROTLI = {
  [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
  [constants.BROTLI_PARAM_NPOSTFIX]: 3,
  [constants.BROTLI_PARAM_NDIRECT]: 32,
};

/** The files to compress: images and typefaces are compressed already. */
async function texts(folder) {
  const names = await readdir(folder);
  return names.filter((name) => /\.(js|css|txt)$/.test(name)).map((name) => path.join(folder, name));
}

async function compress(file) {
  const content = await readFile(file);
  await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params: BROTLI }));
  await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }));
}

const files = await Promise.all(process.argv.slice(2).map(texts));
await Promise.all(files.flat().map(compress));
