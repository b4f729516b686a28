import type { Keyring, MasterKey } from "../../foundation/secret/Keyring.ts"
import * as SecretHash from "../../foundation/secret/SecretHash.ts"
import type { DeviceToken } from "./Device.ts"

/** The owner of a token. For any other person the token is invalid. */
export interface DeviceOwner {
  readonly environment: string
  readonly canonical: string
}

const shape = /^(dvc_[0-9a-hjkmnp-tv-z]{26})\.(0|[1-9][0-9]{0,8})\.[\w-]{43}$/

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "")

/**
 * Writes a device token: its id, its serial, and 256 bits that only the master key can derive for this person. Tokens
 * are derived like codes, never stored. So concurrent processes return the same successor, and a copy of the database
 * contains no token.
 */
export const write = (key: MasterKey, { canonical, environment }: DeviceOwner, { id, serial }: DeviceToken): string =>
  `${id}.${serial}.${base64url(key.mac("device", `${environment}\n${canonical}\n${id}\n${serial}`))}`

/** Reads a token of this person. Null for any other text. */
export const read = (keyring: Keyring["Service"], owner: DeviceOwner, text: string): DeviceToken | null => {
  const [, id, serial] = shape.exec(text) ?? []
  if (id === undefined || serial === undefined) return null
  const token = { id, serial: Number(serial) }
  return keyring.all.some((key) => SecretHash.equals(text, write(key, owner, token))) ? token : null
}
