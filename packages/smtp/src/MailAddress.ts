import { Result } from "effect"

export interface MailAddress {
  /** Empty when there is none. */
  readonly name: string
  readonly address: string
}

/** Whether the text is a single plain address without characters that are special in headers or SMTP commands. */
export const isPlain = (address: string): boolean =>
  address.length <= 254 && /^[^\p{C}\p{Z}"(),:;<>@[\\\]]+@[^\p{C}\p{Z}"(),:;<>@[\\\]]+$/u.test(address)

export const domainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1)

/** Parses `codes@example.com` or `Example <codes@example.com>`. */
export const parseFrom = (text: string): Result.Result<MailAddress, string> => {
  const [, name = "", bracketed] = /^\s*([^<>]*?)\s*<([^<>]*)>\s*$/.exec(text) ?? []
  const address = bracketed ?? text.trim()
  if (!isPlain(address) || /\p{Cc}/u.test(name)) {
    return Result.fail("must be an address, or a name with an address such as Example <codes@example.com>")
  }
  return Result.succeed({ name: name.replace(/^"(.*)"$/, "$1").replace(/\\(.)/g, "$1"), address })
}
