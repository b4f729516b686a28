import { Effect } from "effect"
import * as SecretHash from "../secret/SecretHash.ts"

/** A longer text is hashed in pieces of so many characters: together they would hold up everybody else for as long. */
const piece = 64 * 1024

const isHighSurrogate = (code: number) => code >= 0xd800 && code <= 0xdbff

/** A text that is equal for equal bodies, and short: the body itself, or of a long one the hashes of its pieces. */
export const brief = Effect.fnUntraced(function* (body: string): Effect.fn.Return<string> {
  if (body.length <= piece) return body
  const hashes: Array<string> = []
  for (let at = 0; at < body.length; ) {
    // What stands for one character is never cut in two: each half alone would be hashed as any other.
    const end = at + piece + (isHighSurrogate(body.charCodeAt(at + piece - 1)) ? 1 : 0)
    hashes.push(SecretHash.hash(body.slice(at, end)))
    at = end
    yield* Effect.yieldNow
  }
  return hashes.join("\n")
})
