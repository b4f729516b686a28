import { Schema } from "effect"
import type { Fact } from "../../foundation/outbox/Fact.ts"
import * as FactKind from "../../foundation/outbox/FactKind.ts"
import type { VerifiedVerification } from "./Verification.ts"

/** Somebody was verified whom a launch had brought. Whoever attributes logins to launches folds them. */
export const launchVerified = FactKind.make(
  "launch.verified",
  Schema.Struct({ launchId: Schema.String, requestId: Schema.String })
)

/** What is to be known of a verification that has just succeeded. Nothing, and at no cost, where no launch is named. */
export const launchFacts = ({ environment, id, launchId, verifiedAt }: VerifiedVerification): ReadonlyArray<Fact> =>
  launchId === undefined
    ? []
    : [launchVerified.fact({ environment, at: verifiedAt, key: id, value: { launchId, requestId: id } })]
