import { bytesToHex } from "@noble/hashes/utils.js"
import { Schema } from "effect"
import type { MasterKey } from "../../foundation/secret/Keyring.ts"
import { type Instant, minutes } from "../../foundation/time/Instant.ts"

/** No erasure of that id was begun in this environment. */
export class UnknownErasure extends Schema.TaggedError<UnknownErasure>()("UnknownErasure", {}) {}

/** How many of a person's things are gone. */
export interface Removed {
  readonly verifications: number
  readonly devices: number
  readonly leads: number
  readonly messages: number
}

export const nothingRemoved: Removed = { verifications: 0, devices: 0, leads: 0, messages: 0 }

/**
 * What is done in which order. What somebody could still be sent goes first. Events come after all that could add one,
 * and what limits count goes last, when nothing counts any more.
 */
export const ErasurePhase = ["VERIFICATIONS", "LEADS", "STRAYS", "ANSWERS", "EVENTS", "LIMITS", "OVER"] as const
export type ErasurePhase = (typeof ErasurePhase)[number]

/** One wish to have a person's data removed, and how far it has come. It never holds who the person is. */
export interface Erasure {
  readonly environment: string
  /** `ers_…` */
  readonly id: string
  /** The version this state was read at; 0 for a new one. */
  readonly version: number
  /** An HMAC of the environment and the canonical identity: of two wishes one can see whether they are about one person. */
  readonly person: string
  readonly startedAt: Instant
  /** When everything but what limits count was gone; null before. */
  readonly finishedAt: Instant | null
  readonly removed: Removed
  readonly phase: ErasurePhase
  /** Where the phase goes on: the id of what it came to. */
  readonly cursor: string | null
  /** Who it is and what else is needed to find their things, sealed; null as soon as nothing needs it. */
  readonly sealed: string | null
}

/** By so much the clock of another process may be ahead. */
const mostAhead = minutes(1)

/**
 * Whether what was made at an instant was there when an erasure began. What lies ahead of the clock was there, too: the
 * clock has been set back since.
 */
export const wasThere = (at: Instant, startedAt: Instant, now: Instant): boolean =>
  at <= startedAt || at - now > mostAhead

const wish = (environment: string, canonical: string) => `${environment}\n${canonical}`

/** What a person is called where nobody is to learn who it is. */
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

/** Who an erasure is about, and what is known of where their things are. It is kept sealed. */
export const ErasedPerson = Schema.Struct({
  type: Schema.Literals(["MOBILE", "EMAIL"]),
  canonical: Schema.String,
  /** Spellings that named them when they were verified, and would name somebody else, or nobody, by now. */
  spellings: Schema.Array(Schema.String),
  /** How their conversations were called, beside the number itself. */
  contacts: Schema.Array(Schema.String),
  leads: Schema.Array(Schema.Number),
  /** Verifications that were removed and may be in an answer that is kept for a day. */
  recent: Schema.Array(Schema.String)
})
export type ErasedPerson = typeof ErasedPerson.Type
