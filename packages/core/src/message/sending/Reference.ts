import { textOf } from "../../foundation/identity/Identifier.ts"
import type { Keyring, MasterKey } from "../../foundation/secret/Keyring.ts"
import * as SecretHash from "../../foundation/secret/SecretHash.ts"

/**
 * Names a delivery to its provider, which returns the name in its receipts. It is enough to find the delivery, and
 * contains nothing about the person. `ownerId` is the id of the record that owns the delivery. Its prefix names the
 * kind, such as `ver` for a verification.
 *
 * For a provider with a callback, the reference is signed. So a receipt can only be about a message that went out
 * through the reporting provider and, if the provider names it, the reporting sender. The signature is a MAC of 50
 * bits, which is never stored. A signed reference has at most 90 characters: Vonage accepts 100, other providers more.
 */
export interface Reference {
  readonly environment: string
  readonly ownerId: string
  readonly deliveryId: string
}

/** The provider and sender that may report about a message. */
export interface Reporter {
  /** The name of the callback, including the carrier if several share it: see `reporterOf`. */
  readonly callback: string
  /** The number or account that sent it, if receipts name it; otherwise empty. */
  readonly sender: string
}

const shape = /^([a-z0-9_]{1,40})\.([a-z]{2,10}_[a-z0-9]{1,26})\.(dlv_[a-z0-9]{26})(?:\.([0-9a-hjkmnp-tv-z]{10}))?$/

export const format = ({ deliveryId, environment, ownerId }: Reference): string =>
  `${environment}.${ownerId}.${deliveryId}`

const split = (text: string): { readonly reference: Reference; readonly mac: string | undefined } | null => {
  const [, environment, ownerId, deliveryId, mac] = shape.exec(text) ?? []
  return environment === undefined || ownerId === undefined || deliveryId === undefined
    ? null
    : { reference: { environment, ownerId, deliveryId }, mac }
}

/** Parses a reference, signed or not, without checking the signature. Null for any other text. */
export const parse = (text: string): Reference | null => split(text)?.reference ?? null

/** 50 bits, in lower case: some gateways change the case of the returned text. */
const macOf = (key: MasterKey, reference: string, { callback, sender }: Reporter): string =>
  textOf(key.mac("reference", `${callback}\n${reference}\n${sender}`)).slice(0, 10)

/** Signs a reference for the provider that reports through this callback. */
export const sign = (key: MasterKey, reference: string, reporter: Reporter): string =>
  `${reference}.${macOf(key, reference, reporter)}`

/**
 * Returns the reference that a provider sent back, or null if its signature does not match that provider and sender.
 */
export const verify = (keyring: Keyring["Service"], text: string, reporter: Reporter): Reference | null => {
  const { mac, reference } = split(text) ?? {}
  if (reference === undefined || mac === undefined) return null
  const unsigned = format(reference)
  return keyring.all.some((key) => SecretHash.equals(macOf(key, unsigned, reporter), mac)) ? reference : null
}

/** Returns the kind of the delivery's owner: the prefix of its id. */
export const ownerKind = ({ ownerId }: Reference): string => ownerId.slice(0, ownerId.indexOf("_"))
