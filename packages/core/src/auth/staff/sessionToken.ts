import type { Effect } from "effect"
import * as RequestKey from "../../foundation/outbox/RequestKey.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import * as SecretHash from "../../foundation/secret/SecretHash.ts"

/** 260 random bits. */
const length = 52
const shape = new RegExp(`^[0-9a-hjkmnp-tv-z]{${length}}$`)

/** The token of a session, or of a link that starts a session. */
export const newToken = (): string => Identifier.randomText(length)

/** The token of a link: a repeat of the request that made it gets the same token. */
export const freshToken: Effect.Effect<string> = RequestKey.textFor("link token", length)

/** The stored hash of a token; null for a malformed token. */
export const hashOf = (token: string): string | null => (shape.test(token) ? SecretHash.hash(token) : null)
