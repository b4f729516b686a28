import type { Effect } from "effect"
import * as RequestKey from "../../foundation/outbox/RequestKey.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import * as SecretHash from "../../foundation/secret/SecretHash.ts"

/** 260 random bits. */
const length = 52
const shape = new RegExp(`^[0-9a-hjkmnp-tv-z]{${length}}$`)

/** The token of a session, or of a link that begins one. */
export const newToken = (): string => Identifier.randomText(length)

/** The token of a link: a repeat of the request that made it gets the same one. */
export const freshToken: Effect.Effect<string> = RequestKey.textFor("link token", length)

/** What a token is kept as; null for a text that cannot be one. */
export const hashOf = (token: string): string | null => (shape.test(token) ? SecretHash.hash(token) : null)
