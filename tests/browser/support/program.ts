// The program under test.

/** True for a build with optimizations. Goals for times hold for such a build on a quiet machine. */
export const isRelease = /\/release\//.test(process.env.QUIRE_BIN ?? "");
