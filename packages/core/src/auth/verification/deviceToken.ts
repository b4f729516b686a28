import type { Keyring, MasterKey } from "../../foundation/secret/Keyring.ts"
import * as SecretHash from "../../foundation/secret/SecretHash.ts"
import type { DeviceToken } from "./Device.ts"

/** Whom a token is for. The same token is nothing for anybody else. */
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
 * The text of a device token: its id, its serial, and 256 bits that only the master key can make for this person. Like
 * a code it is derived, never stored: every process answers a race with the same successor, and a copy of the database
 * holds no token.
 */
export const write = (key: MasterKey, { canonical, environment }: DeviceOwner, { id, serial }: DeviceToken): string =>
  `${id}.${serial}.${base64url(key.mac("device", `${environment}\n${canonical}\n${id}\n${serial}`))}`

/** What a text says if it is a token of this person; null for everything else. */
export const read = (keyring: Keyring["Service"], owner: DeviceOwner, text: string): DeviceToken | null => {
  const [, id, serial] = shape.exec(text) ?? []
  if (id === undefined || serial === undefined) return null
  const token = { id, serial: Number(serial) }
  return keyring.all.some((key) => SecretHash.equals(text, write(key, owner, token))) ? token : null
}
