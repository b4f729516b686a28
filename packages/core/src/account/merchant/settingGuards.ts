import type { Settings } from "./Settings.ts"

/**
 * Who may change a setting. `FRESH`: an ADMIN, who as a person must have signed in within the last ten minutes, for
 * settings that protect codes and logins. `OWNER`: an OWNER with such a sign-in, for money and for settings that can
 * lock others out. A key acts as ADMIN and has no sign-in.
 */
export type SettingGuard = "ADMIN" | "FRESH" | "OWNER"

/**
 * The guard of each setting. Omitting one is a compile error. The dashboard uses this table too, so this file imports
 * only types.
 */
export const settingGuards: { readonly [S in keyof Settings]: SettingGuard } = {
  codeLength: "FRESH",
  codeExpirySeconds: "FRESH",
  maxAttempts: "FRESH",
  hourlyLimit: "FRESH",
  canonicalHourlyLimit: "FRESH",
  hourlyLimitPerAddress: "FRESH",
  hourlyLimitPerPrefix: "FRESH",
  hourlyLimitPerCountry: "FRESH",
  hourlyLimitPerMerchant: "FRESH",
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
  answerAssigns: "ADMIN",
  redirectUris: "FRESH",
  linkNumberMatch: "FRESH",
  allowedOrigins: "FRESH",
  serverAddresses: "OWNER",
  sdkInitiatesPerIpPerHour: "FRESH",
  sdkMessagesPerHour: "FRESH",
  attributionPerHour: "FRESH",
  allowedCountries: "FRESH",
  blockedPrefixes: "FRESH",
  blockedNumberTypes: "FRESH",
  guardEnforces: "FRESH",
  guardLineTypes: "FRESH",
  guardSimSwapHours: "FRESH",
  guardRecycledDays: "FRESH",
  safeList: "FRESH",
  brand: "ADMIN",
  brandColor: "ADMIN",
  brandLogo: "ADMIN",
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
