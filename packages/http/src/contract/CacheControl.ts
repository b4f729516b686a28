import { Context } from "effect"

/** The `Cache-Control` of an endpoint's answers. Answers under `/v1` are never cached. */
export const CacheControl = Context.Reference<string | null>("@countersign/http/CacheControl", {
  defaultValue: () => null
})
