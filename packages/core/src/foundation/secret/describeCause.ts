import { Cause } from "effect"

const frame = /^\s+at /

const place = (error: unknown): ReadonlyArray<string> =>
  error instanceof Error && error.stack !== undefined
    ? error.stack
        .split("\n")
        .filter((line) => frame.test(line))
        .map((line) => line.trim())
        .slice(0, 8)
    : []

const name = (error: unknown): string => {
  if (typeof error !== "object" || error === null) return typeof error
  if ("_tag" in error && typeof error._tag === "string") return error._tag
  return error instanceof Error ? error.name : "object"
}

/**
 * The loggable part of a failure: its type and its origin. It omits messages, because libraries and drivers quote their
 * input in them: numbers, codes, rows, credentials.
 */
export const describeCause = (
  cause: Cause.Cause<unknown>
): { readonly error: string; readonly operation?: string; readonly at: ReadonlyArray<string> } => {
  const error = Cause.squash(cause)
  const operation =
    typeof error === "object" && error !== null && "operation" in error && typeof error.operation === "string"
      ? { operation: error.operation }
      : {}
  return { error: name(error), ...operation, at: place(error) }
}
