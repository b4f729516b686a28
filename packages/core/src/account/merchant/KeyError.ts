import { Schema } from "effect"
import type { KeyScope } from "./Merchant.ts"

/** No key of this environment has this id, or it was revoked. Another environment's keys are as unknown. */
export class UnknownKey extends Schema.TaggedError<UnknownKey>()("UnknownKey", { id: Schema.String }) {}

/** The only server key left that opens the dashboard: without it nobody of the merchant could make another. */
export class LastDashboardKey extends Schema.TaggedError<LastDashboardKey>()("LastDashboardKey", {
  id: Schema.String
}) {}

/** The credentials are right, and the key was not made for this. */
export class ScopeMissing extends Schema.TaggedError<ScopeMissing>()("ScopeMissing", {
  scope: Schema.Literals(["auth", "leads", "dashboard"] satisfies ReadonlyArray<KeyScope>)
}) {}
