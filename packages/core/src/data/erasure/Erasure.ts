import { bytesToHex } from "@noble/hashes/utils.js"
import { Schema } from "effect"
import type { MasterKey } from "../../foundation/secret/Keyring.ts"
import { type Instant, minutes } from "../../foundation/time/Instant.ts"

/** This environment has no erasure with that id. */
export class UnknownErasure extends Schema.TaggedError<UnknownErasure>()("UnknownErasure", {}) {}

/** How many records of a person were removed. */
export interface Removed {
  readonly verifications: number
  readonly devices: number
  readonly leads: number
  readonly messages: number
}

export const nothingRemoved: Removed = { verifications: 0, devices: 0, leads: 0, messages: 0 }

/**
 * The phases in order. Pending messages go first. Events go after everything that could add one. Rate limits go last,
 * when none counts any more.
 */
export const ErasurePhase = ["VERIFICATIONS", "LEADS", "STRAYS", "ANSWERS", "EVENTS", "LIMITS", "OVER"] as const
export type ErasurePhase = (typeof ErasurePhase)[number]

/** A request to erase a person's data, and its progress. It never holds the person's identity. */
export interface Erasure {
  readonly environment: string
  /** `ers_…` */
  readonly id: string
  /** The version this state was read at; 0 for a new erasure. */
  readonly version: number
  /** An HMAC of the environment and the canonical identity. It shows whether two requests are about the same person. */
  readonly person: string
  readonly startedAt: Instant
  /** When everything except the rate limits was removed; null before that. */
  readonly finishedAt: Instant | null
  readonly removed: Removed
  readonly phase: ErasurePhase
  /** Where the phase continues: the last id it reached. */
  readonly cursor: string | null
  /** The identity and other details needed to find the person's data, sealed; null as soon as nothing needs it. */
  readonly sealed: string | null
}

/** How far ahead another process's clock may be. */
const maxClockLead = minutes(1)

/**
 * Whether a record from an instant existed when an erasure began. An instant in the future counts as existing: the
 * clock was set back since.
 */
export const wasThere = (at: Instant, startedAt: Instant, now: Instant): boolean =>
  at <= startedAt || at - now > maxClockLead

const wish = (environment: string, canonical: string) => `${environment}\n${canonical}`

/** The placeholder name of an erased person. */
export const personOf = (key: MasterKey, environment: string, canonical: string): string =>
  bytesToHex(key.mac("erased-person", wish(environment, canonical)))

/** The form a store keeps: JSON of everything but the key, the version and the person. */
export const encode = ({ environment: _environment, id: _id, person: _person, version: _version, ...state }: Erasure) =>
  JSON.stringify(state)

/** Reads back what `encode` wrote. */
export const decode = (environment: string, id: string, version: number, person: string, state: string): Erasure => ({
  ...(JSON.parse(state) as Omit<Erasure, "environment" | "id" | "version" | "person">),
  environment,
  id,
  version,
  person
})

/** The person of an erasure, and the known locations of their data. Stored sealed. */
export const ErasedPerson = Schema.Struct({
  type: Schema.Literals(["MOBILE", "EMAIL"]),
  canonical: Schema.String,
  /** Spellings that named them at verification, and today name another person or no one. */
  spellings: Schema.Array(Schema.String),
  /** The keys of their conversations, apart from the number itself. */
  contacts: Schema.Array(Schema.String),
  leads: Schema.Array(Schema.Number),
  /** Removed verifications that may still appear in a stored answer, which is kept for a day. */
  recent: Schema.Array(Schema.String)
})
export type ErasedPerson = typeof ErasedPerson.Type
