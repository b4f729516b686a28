import { Schema } from "effect"
import type { Instant } from "../../foundation/time/Instant.ts"
import { type Acting, actingRole, type SignedIn } from "./Caller.ts"
import { atLeast } from "./Role.ts"
import type { Settings } from "./Settings.ts"
import { settingGuards } from "./settingGuards.ts"

/** The request needs a sign-in within the last ten minutes. */
export class FreshSignInNeeded extends Schema.TaggedError<FreshSignInNeeded>()("FreshSignInNeeded", {}) {}

/** Only a signed-in OWNER changes this setting; a key or another role tried to. */
export class SettingOfOwner extends Schema.TaggedError<SettingOfOwner>()("SettingOfOwner", {
  setting: Schema.String,
  by: Schema.Literals(["KEY", "PERSON"])
}) {}

/** Whether a caller may do what a stolen or forgotten session must not do. Keys and the service's own process may. */
export const isFresh = (person: SignedIn | null, now: Instant): boolean => person === null || now < person.freshUntil

/** Why an actor may not change these settings; null when they may. */
export const guardRefusal = (
  by: Acting,
  changed: ReadonlyArray<string>,
  now: Instant
): FreshSignInNeeded | SettingOfOwner | null => {
  const guardOf = (name: string) => settingGuards[name as keyof Settings]
  const setting = atLeast(actingRole(by), "OWNER") ? undefined : changed.find((name) => guardOf(name) === "OWNER")
  if (setting !== undefined) return new SettingOfOwner({ setting, by: by.actor.kind === "KEY" ? "KEY" : "PERSON" })
  return changed.some((name) => guardOf(name) !== "ADMIN") && !isFresh(by.person, now) ? new FreshSignInNeeded() : null
}
