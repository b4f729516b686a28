/**
 * How every session is set up. All statements find rows by key and are planned once: no plan for a whole table, no
 * planning again per call, no compiling.
 */
export const settings: Readonly<Record<string, string>> = {
  timezone: "UTC",
  jit: "off",
  plan_cache_mode: "force_generic_plan",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  enable_material: "off",
  enable_memoize: "off",
  enable_bitmapscan: "off",
  enable_seqscan: "off"
}
