import { Result } from "effect"
import * as Problem from "./Problem.ts"

interface CanonicalEmail {
  readonly canonical: string
  readonly countryCode: null
  readonly nationalNumber: null
}

const longestEmail = 254

/**
 * All spaces, control and invisible formatting characters, lone surrogates, and characters with a meaning in mail
 * headers.
 */
const unsafeInEmail = /[\p{Z}\p{Cc}\p{Cf}\p{Cs}"(),:;<>[\\\]]/u

/**
 * Mail servers agree on lower case only for A to Z. Beyond ASCII, lower case would merge two mailboxes, such as those
 * with `K` and with U+212A, the Kelvin sign. The owner of one would then be trusted as the other.
 */
const lowerCase = (address: string) => address.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** An e-mail address as a merchant sent it, with A to Z in lower case, or why it is none. */
export const canonicalEmail = (spelling: string): Result.Result<CanonicalEmail, Problem.Problem> => {
  if (spelling.length > longestEmail) return Result.fail(Problem.of("TOO_LONG", { max: longestEmail }))
  const at = spelling.indexOf("@")
  const domain = spelling.slice(at + 1)
  if (at < 1 || domain === "" || domain.includes("@") || unsafeInEmail.test(spelling)) {
    return Result.fail(Problem.of("EMAIL"))
  }
  if (domain.startsWith(".") || domain.endsWith(".") || domain.includes(".."))
    return Result.fail(Problem.of("EMAIL_DOMAIN"))
  return Result.succeed({ canonical: lowerCase(spelling), countryCode: null, nationalNumber: null })
}
