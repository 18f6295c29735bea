import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

export default {
  poweredByHeader: false,
  // Not the repository, which has a lock file of its own.
  turbopack: { root: dirname(fileURLToPath(import.meta.url)) },
};
