// Everything that one run has measured.
import type { HtmlBytes, ScriptBytes } from "./bytes";
import type { Bursts } from "./changed";
import type { Kind } from "./pages";
import type { Delay, Goodput, Hits } from "./rates";
import type { Start } from "./starts";
import type { Samples } from "./uncached";

export interface Results {
  readonly commit: string;
  readonly machine: string;
  readonly versions: string;
  readonly rounds: number;
  readonly kinds: readonly Kind[];
  readonly uncached: Samples;
  readonly cachedPath: string;
  readonly cachedBytes: number;
  readonly cached: Samples;
  /** What a quick run leaves out. */
  readonly more?: More;
}

export interface More {
  readonly changed: Bursts;
  readonly delay: Delay;
  readonly goodput: Goodput;
  readonly hits: Hits;
  readonly starts: Readonly<Record<string, Start>>;
  readonly memory: Readonly<Record<string, number>>;
  readonly html: HtmlBytes;
  readonly scripts: Readonly<Record<string, ScriptBytes>>;
}
