import { Result } from "effect"

export interface MailAddress {
  /** Empty when there is none. */
  readonly name: string
  readonly address: string
}

/** One plain address: nothing in it can end it, begin another or mean anything else in a header or an SMTP command. */
export const isPlain = (address: string): boolean =>
  address.length <= 254 && /^[^\p{C}\p{Z}"(),:;<>@[\\\]]+@[^\p{C}\p{Z}"(),:;<>@[\\\]]+$/u.test(address)

export const domainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1)

/** Reads `codes@example.com` or `Example <codes@example.com>`. */
export const parseFrom = (text: string): Result.Result<MailAddress, string> => {
  const [, name = "", bracketed] = /^\s*([^<>]*?)\s*<([^<>]*)>\s*$/.exec(text) ?? []
  const address = bracketed ?? text.trim()
  if (!isPlain(address) || /\p{Cc}/u.test(name)) {
    return Result.fail("must be an address, or a name and an address: Example <codes@example.com>")
  }
  return Result.succeed({ name: name.replace(/^"(.*)"$/, "$1").replace(/\\(.)/g, "$1"), address })
}
