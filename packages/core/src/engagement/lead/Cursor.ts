import { Schema } from "effect"
import { bytesToHex } from "@noble/hashes/utils.js"
import type { Keyring } from "../../foundation/secret/Keyring.ts"
import * as SecretHash from "../../foundation/secret/SecretHash.ts"

/** A position may contain three campaign texts in any script. */
const longest = 4_096
const macLength = 24

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/**
 * Writes a list position as a cursor. The signature binds it to one list of one environment, so a forged cursor or one
 * from another list is invalid.
 */
export const write = (keyring: Keyring["Service"], list: string, place: unknown): string => {
  const bytes = encoder.encode(JSON.stringify(place))
  const body = btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "")
  return `${body}.${macOf(keyring.current, list, body)}`
}

/** Returns the position; undefined when `write` did not create the cursor for this list. */
export const read = <A>(
  keyring: Keyring["Service"],
  list: string,
  schema: Schema.Codec<A, unknown>,
  text: string
): A | undefined => {
  const [body = "", mac = "", more] = text.length > longest ? [] : text.split(".")
  if (more !== undefined || !/^[A-Za-z0-9_-]+$/.test(body)) return undefined
  if (!keyring.all.some((key) => SecretHash.equals(mac, macOf(key, list, body)))) return undefined
  const decoded = Schema.decodeUnknownOption(Schema.fromJsonString(schema))(
    decoder.decode(Uint8Array.from(atob(body.replaceAll("-", "+").replaceAll("_", "/")), (byte) => byte.charCodeAt(0)))
  )
  return decoded._tag === "Some" ? decoded.value : undefined
}

const macOf = (key: Keyring["Service"]["current"], list: string, body: string): string =>
  bytesToHex(key.mac("cursor", `${list.length}:${list}${body}`)).slice(0, macLength)
