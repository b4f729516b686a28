/**
 * The settings of every session. All statements find rows by key and are planned once: no sequential scans, no
 * replanning per call, no JIT.
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
