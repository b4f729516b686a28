import { Schema } from "effect"
import type { Job } from "../outbox/Job.ts"
import * as JobKind from "../outbox/JobKind.ts"
import * as Identifier from "../identity/Identifier.ts"
import type { Instant } from "../time/Instant.ts"

const SignInCode = Schema.Struct({
  /** The e-mail address, sealed. */
  sealed: Schema.String,
  /** When a code is of no use any more: whoever waited that long has asked again. */
  until: Schema.Number
})
export type SignInCode = typeof SignInCode.Type

/** Finds out whether somebody may sign in, and sends them a code. */
export const signInCodeKind = JobKind.make("sign-in-code", SignInCode, { mostFailures: 50 })

export const signInCodeJob = (environment: string, payload: SignInCode, runAt: Instant): Job =>
  signInCodeKind.job({ key: `sign-in-code:${Identifier.randomText(26)}`, environment, payload, runAt })
