// Watches source folders.
import { readdirSync, statSync, watch } from "node:fs";
import path from "node:path";
import { clearTimeout, setTimeout } from "node:timers";

/** Editors write a file in several steps. */
const SETTLED_MS = 15;

/**
 * Calls `changed` with the paths that changed below the folders, or among the files, together once nothing has
 * changed for a moment. Node's own recursive watch misses files on Linux that replace others.
 */
export function watchSources(root, sources, changed) {
  const watched = new Set();
  let pending = new Set();
  let timer;

  function notice(file) {
    pending.add(path.relative(root, file));
    clearTimeout(timer);
    timer = setTimeout(() => {
      const files = [...pending];
      pending = new Set();
      changed(files);
    }, SETTLED_MS);
  }

  function watchFolder(folder) {
    if (watched.has(folder)) return;
    watched.add(folder);
    const watcher = watch(folder, (_event, name) => {
      if (name === null || /^\.|~$|\.sw\w$/.test(name)) return;
      const file = path.join(folder, name);
      const stats = statSync(file, { throwIfNoEntry: false });
      if (stats?.isDirectory()) watchFolder(file);
      else notice(file);
    });
    // The folder was deleted.
    watcher.on("error", () => watched.delete(folder));
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) watchFolder(path.join(folder, entry.name));
    }
  }

  const absolute = sources.map((source) => path.join(root, source));
  for (const source of absolute.filter((file) => statSync(file).isDirectory())) watchFolder(source);
  // A file is watched through its folder, because an editor may replace it.
  const files = new Set(absolute.filter((file) => statSync(file).isFile()));
  for (const folder of new Set([...files].map((file) => path.dirname(file)))) {
    watch(folder, (_event, name) => {
      if (name !== null && files.has(path.join(folder, name))) notice(path.join(folder, name));
    });
  }
}
