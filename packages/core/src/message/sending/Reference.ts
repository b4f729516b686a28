import { textOf } from "../../foundation/identity/Identifier.ts"
import type { Keyring, MasterKey } from "../../foundation/secret/Keyring.ts"
import * as SecretHash from "../../foundation/secret/SecretHash.ts"

/**
 * Names a delivery to its provider, which gives the name back with its receipts: enough to find the delivery again, and
 * nothing about the person. The owner is what the delivery belongs to; the part of its id before the underscore says
 * what kind of thing that is: `ver` for a verification.
 *
 * On its way to a provider with a callback it is signed, so that a receipt can only be about a message that went out by
 * the reporting provider and, where the provider says so, by the reporting sender. The signature is a MAC of 50 bits
 * that is stored nowhere. Vonage takes 100 characters and the others more; a signed reference has 90.
 */
export interface Reference {
  readonly environment: string
  readonly ownerId: string
  readonly deliveryId: string
}

/** Who may report about a message. */
export interface Reporter {
  /** The name of the callback, with the carrier where several share it: see `reporterOf`. */
  readonly callback: string
  /** The number or account that it went out by, where receipts name it; empty otherwise. */
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

/** Reads a reference, signed or not, without a look at its signature. Null for any other text. */
export const parse = (text: string): Reference | null => split(text)?.reference ?? null

/** 50 bits, in lower case: some gateways change the case of what they give back. */
const macOf = (key: MasterKey, reference: string, { callback, sender }: Reporter): string =>
  textOf(key.mac("reference", `${callback}\n${reference}\n${sender}`)).slice(0, 10)

/** The reference as it goes to the provider whose reports come through that callback. */
export const sign = (key: MasterKey, reference: string, reporter: Reporter): string =>
  `${reference}.${macOf(key, reference, reporter)}`

/** The reference that a provider gave back, if its message went out by that provider and sender; null otherwise. */
export const verify = (keyring: Keyring["Service"], text: string, reporter: Reporter): Reference | null => {
  const { mac, reference } = split(text) ?? {}
  if (reference === undefined || mac === undefined) return null
  const unsigned = format(reference)
  return keyring.all.some((key) => SecretHash.equals(macOf(key, unsigned, reporter), mac)) ? reference : null
}

/** What kind of thing owns the delivery: the prefix of the owner's id. */
export const ownerKind = ({ ownerId }: Reference): string => ownerId.slice(0, ownerId.indexOf("_"))
