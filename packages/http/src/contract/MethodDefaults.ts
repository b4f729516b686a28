import { Context } from "effect"

/** What a method fills in where its caller leaves it out, though over HTTP it must be said. */
export const MethodDefaults = Context.Reference<{ readonly [field: string]: unknown } | null>(
  "@countersign/http/MethodDefaults",
  { defaultValue: () => null }
)
