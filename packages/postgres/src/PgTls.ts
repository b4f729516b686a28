import { readFileSync } from "node:fs"
import type { ConnectionOptions } from "node:tls"
import { Result } from "effect"

/** TLS options for a connection; false for a connection without TLS. */
export type Tls = false | ConnectionOptions

const unsupported = ["sslcert", "sslkey", "sslpassword", "sslcrl", "sslcrldir", "sslnegotiation", "ssl"]
const modes = "disable, allow, prefer, require, verify-ca or verify-full"

const noCheckOfTheName = { checkServerIdentity: () => undefined }

/**
 * What the address of a Postgres says about TLS, as libpq understands it: the ways to try, in order. Fails with what is
 * wrong, without a value.
 *
 * | `sslmode` | TLS | the certificate |
 * | --- | --- | --- |
 * | `disable` | never | |
 * | `allow` | if the server refuses without | not looked at |
 * | `prefer`, the default | if the server offers it | not looked at |
 * | `require` | always | not looked at; with `sslrootcert` as `verify-ca` |
 * | `verify-ca` | always | signed by an authority that is trusted |
 * | `verify-full` | always | and made out to the host's name |
 */
export const ways = (address: string): Result.Result<ReadonlyArray<Tls>, string> => {
  const { host, searchParams } = new URL(address)
  const foreign = unsupported.find((name) => searchParams.has(name))
  if (foreign !== undefined) return Result.fail(`${foreign} is not supported; use sslmode and sslrootcert`)
  const file = searchParams.get("sslrootcert")
  let authority: ConnectionOptions = {}
  if (file !== null && file !== "system") {
    try {
      authority = { ca: readFileSync(file, "utf8") }
    } catch {
      return Result.fail("sslrootcert is not a readable file")
    }
  }
  const unchecked = { rejectUnauthorized: false }
  const signed = { ...authority, ...noCheckOfTheName }
  const socket = (host === "" ? (searchParams.get("host") ?? "") : host).startsWith("/")
  switch (searchParams.get("sslmode") ?? "prefer") {
    case "disable":
      return Result.succeed([false])
    case "allow":
      return Result.succeed(socket ? [false] : [false, unchecked])
    case "prefer":
      return Result.succeed(socket ? [false] : [unchecked, false])
    case "require":
      return Result.succeed(socket ? [false] : [file === null ? unchecked : signed])
    case "verify-ca":
      return Result.succeed(socket ? [false] : [signed])
    case "verify-full":
      return Result.succeed(socket ? [false] : [authority])
    default:
      return Result.fail(`sslmode must be ${modes}`)
  }
}
