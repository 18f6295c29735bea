/** Servers run on the first core; the programs that ask them, and those that they ask, on the second. */
export const SERVER_CORE = "0";
export const LOAD_CORE = "1";
export const BOTH_CORES = "0,1";
