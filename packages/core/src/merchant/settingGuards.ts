import { Schema } from "effect"
import { atLeast } from "./Role.ts"
import { type Acting, actingRole, type SignedIn } from "./Caller.ts"
import type { Instant } from "../time/Instant.ts"
import type { Settings } from "./Settings.ts"

/**
 * Who may change a setting. `FRESH`: an ADMIN, and of people one who signed in within the last ten minutes, for what
 * protects codes and logins. `OWNER`: an OWNER who did, for money and for what can lock others out. A key acts as ADMIN
 * and has no sign-in.
 */
export type SettingGuard = "ADMIN" | "FRESH" | "OWNER"

/** The guard of each setting. A new setting without a line here does not compile. */
export const settingGuards: { readonly [S in keyof Settings]: SettingGuard } = {
  codeLength: "FRESH",
  codeExpirySeconds: "FRESH",
  maxAttempts: "FRESH",
  hourlyLimit: "FRESH",
  canonicalHourlyLimit: "FRESH",
  maxConsecutiveFailures: "FRESH",
  resendCooldownSeconds: "FRESH",
  maxResends: "FRESH",
  maxLifetimeSeconds: "FRESH",
  defaultCountry: "ADMIN",
  primaryChannel: "ADMIN",
  fallbackChannel: "ADMIN",
  fallbackAfterSeconds: "ADMIN",
  oneTap: "FRESH",
  oneTapDays: "FRESH",
  oneTapMaxDays: "FRESH",
  strictReverify: "FRESH",
  requirePasskey: "OWNER",
  redirectUris: "FRESH",
  linkNumberMatch: "FRESH",
  allowedOrigins: "FRESH",
  serverAddresses: "OWNER",
  sdkInitiatesPerIpPerHour: "FRESH",
  sdkMessagesPerHour: "FRESH",
  attributionPerHour: "FRESH",
  allowedCountries: "FRESH",
  blockedPrefixes: "FRESH",
  brand: "ADMIN",
  locale: "ADMIN",
  appHash: "FRESH",
  domain: "FRESH",
  timeZone: "ADMIN",
  quietHours: "ADMIN",
  billing: "OWNER",
  prices: "OWNER",
  dailyCap: "OWNER",
  balanceLowAt: "ADMIN",
  campaignFloor: "ADMIN"
}

/** What was asked for needs a sign-in of the last ten minutes. */
export class FreshSignInNeeded extends Schema.TaggedError<FreshSignInNeeded>()("FreshSignInNeeded", {}) {}

/** Only an OWNER changes this setting, in person, and a key or somebody else tried to. */
export class SettingOfOwner extends Schema.TaggedError<SettingOfOwner>()("SettingOfOwner", {
  setting: Schema.String,
  by: Schema.Literals(["KEY", "PERSON"])
}) {}

/** Whether a caller may do what a stolen or forgotten session should not. A key, and the service's own process, may. */
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
