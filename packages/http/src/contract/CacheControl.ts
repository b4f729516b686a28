import { Context } from "effect"

/** How long others may keep an endpoint's answers. What is under `/v1` is kept by nobody. */
export const CacheControl = Context.Reference<string | null>("@countersign/http/CacheControl", {
  defaultValue: () => null
})
