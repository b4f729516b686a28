import type { say } from "./say.ts"
import type { SettingName } from "./settingsIndex.ts"

/** Usual names for the screens. The palette finds a screen by them, in every language, and never shows them. */
export const screenAlsoCalled: { readonly [route in keyof typeof say.menu]?: string } = {
  overview: "analytics",
  verifications: "requests logs otp failed unlock gdpr erase export",
  channels: "providers carriers",
  webhooks: "webhook secret events",
  inbox: "chat leads",
  campaigns: "opt-out unsubscribe bulk",
  attribution: "utm",
  templates: "texts dlt",
  settings: "rate limit configuration",
  keys: "api key secret token",
  team: "invite team users roles",
  money: "top up refund billing ledger export",
  audit: "history log"
}

const limit = "rate limit"

/** The same for settings: both the palette and the search of the settings read it. */
export const settingAlsoCalled: { readonly [N in SettingName]?: string } = {
  codeLength: "otp length",
  codeExpirySeconds: "otp expiry timeout",
  maxAttempts: "attempts",
  brandColor: "theme color accent",
  brandLogo: "image picture",
  hourlyLimit: limit,
  canonicalHourlyLimit: limit,
  hourlyLimitPerAddress: limit,
  maxConsecutiveFailures: "lockout unlock",
  sdkInitiatesPerIpPerHour: limit,
  sdkMessagesPerHour: limit,
  attributionPerHour: limit,
  allowedOrigins: "cors",
  redirectUris: "redirect uri",
  serverAddresses: "ip allowlist",
  allowedCountries: "geo permissions",
  blockedPrefixes: "blocklist",
  blockedNumberTypes: "premium rate landline voip",
  dailyCap: "spend limit",
  requirePasskey: "2fa mfa"
}
