/** Identifies the client's bundle; `build.rs` fills it in, and the host names it in `vitrine-build`. */
declare const BUILD: string;

/** Paths of the bundle's files. */
declare const ASSETS: readonly string[];
