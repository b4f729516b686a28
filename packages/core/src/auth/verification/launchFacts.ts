import { Schema } from "effect"
import type { Fact } from "../../foundation/outbox/Fact.ts"
import * as FactKind from "../../foundation/outbox/FactKind.ts"
import type { VerifiedVerification } from "./Verification.ts"

/** Records that a person who came through a launch was verified. The attribution of logins to launches reads it. */
export const launchVerified = FactKind.make(
  "launch.verified",
  Schema.Struct({ launchId: Schema.String, requestId: Schema.String })
)

/** Returns the launch fact of a new success, or nothing, at no cost, when the request named no launch. */
export const launchFacts = ({ environment, id, launchId, verifiedAt }: VerifiedVerification): ReadonlyArray<Fact> =>
  launchId === undefined
    ? []
    : [launchVerified.fact({ environment, at: verifiedAt, key: id, value: { launchId, requestId: id } })]
