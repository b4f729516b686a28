import { Schema } from "effect"
import type { Job } from "../../foundation/outbox/Job.ts"
import * as JobKind from "../../foundation/outbox/JobKind.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import type { Instant } from "../../foundation/time/Instant.ts"

const SignInCode = Schema.Struct({
  /** The e-mail address, sealed. */
  sealed: Schema.String,
  /** When the code expires: a person who waited that long has requested another. */
  until: Schema.Number
})
export type SignInCode = typeof SignInCode.Type

/** Looks up whether a person may sign in, and sends them a code. */
export const signInCodeKind = JobKind.make("sign-in-code", SignInCode, { mostFailures: 50 })

export const signInCodeJob = (environment: string, payload: SignInCode, runAt: Instant): Job =>
  signInCodeKind.job({ key: `sign-in-code:${Identifier.randomText(26)}`, environment, payload, runAt })

const SignInRefused = Schema.Struct({
  /** The e-mail address, sealed. */
  sealed: Schema.String,
  /** The origin of the request. */
  address: Schema.NullOr(Schema.String),
  reason: Schema.Literals(["WRONG_CODE", "TOO_MANY_CODES"]),
  at: Schema.Number
})
export type SignInRefused = typeof SignInRefused.Type

/** Looks up the agents of an address, and records for their merchants that a sign-in was refused. */
export const signInRefusedKind = JobKind.make("sign-in-refused", SignInRefused, { mostFailures: 50 })

export const signInRefusedJob = (environment: string, payload: SignInRefused): Job =>
  signInRefusedKind.job({
    key: `sign-in-refused:${Identifier.randomText(26)}`,
    environment,
    payload,
    runAt: payload.at
  })
