import { Schema } from "effect"
import type { KeyScope } from "./Merchant.ts"

/** This environment has no key with that id, or the key was revoked. Keys of other environments count as unknown. */
export class UnknownKey extends Schema.TaggedError<UnknownKey>()("UnknownKey", { id: Schema.String }) {}

/** The last server key that opens the dashboard: without it, the merchant could not make another. */
export class LastDashboardKey extends Schema.TaggedError<LastDashboardKey>()("LastDashboardKey", {
  id: Schema.String
}) {}

/** The credentials are valid, but the key lacks the scope. */
export class ScopeMissing extends Schema.TaggedError<ScopeMissing>()("ScopeMissing", {
  scope: Schema.Literals(["auth", "leads", "dashboard"] satisfies ReadonlyArray<KeyScope>)
}) {}
