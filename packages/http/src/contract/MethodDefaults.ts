import { Context } from "effect"

/** Values that a method sends for absent fields which HTTP requires. */
export const MethodDefaults = Context.Reference<{ readonly [field: string]: unknown } | null>(
  "@countersign/http/MethodDefaults",
  { defaultValue: () => null }
)
