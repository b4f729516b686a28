import { Option, Redacted, Schema } from "effect"
import type { Reply } from "./Graph.ts"

const decode = Schema.decodeUnknownOption(
  Schema.Struct({
    error: Schema.Struct({
      code: Schema.Int,
      message: Schema.optionalKey(Schema.String),
      error_data: Schema.optionalKey(Schema.Unknown)
    })
  })
)
const decodeDetails = Schema.decodeUnknownOption(Schema.Struct({ details: Schema.String }))

const longest = 300

/** Removes tokens, which Meta repeats fully or partly in errors. All of its tokens start with EAA. */
export const withoutToken = (text: string, token: Redacted.Redacted): string => {
  const secret = Redacted.value(token)
  const isPart = (word: string) => word.startsWith("EAA") || secret.includes(word)
  return text.replaceAll(secret, "…").replace(/[A-Za-z0-9_|.-]{8,}/g, (word) => (isPart(word) ? "…" : word))
}

/** A Meta text that is safe to show: one line, limited length, without the token. */
export const shown = (text: string, token: Redacted.Redacted): string =>
  withoutToken(text.slice(0, 10 * longest), token)
    .replace(/[\p{Cc}\s]+/gu, " ")
    .slice(0, longest)
    .toWellFormed()
    .trim()

/** Meta's refusal, for people to read. */
export const wordsOf = (reply: Reply, token: Redacted.Redacted): string => {
  if (reply._tag === "NotReached") return "Meta is unreachable; try again"
  if (reply._tag === "Lost") return "Meta did not answer; try again"
  return Option.match(decode(reply.body), {
    onNone: () => `Meta answered ${reply.status} without a readable body; try again`,
    onSome: ({ error: { code, error_data, message = "" } }) => {
      const details = Option.match(decodeDetails(error_data), { onNone: () => "", onSome: (found) => found.details })
      const said = message.replace(/^\(#\d+\)\s*/, "")
      const words = [said, details].filter((each, n, all) => each !== "" && all.indexOf(each) === n).join(": ")
      return shown(`Meta says ${code}: ${words === "" ? "an error without a text" : words}`, token)
    }
  })
}
