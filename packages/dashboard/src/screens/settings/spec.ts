import type { Answer } from "../../api/Api.ts"

export type Settings = Omit<Answer<"GET /v1/dashboard/settings">, "warnings">

/** How a setting is edited. Ranges match the contract; `null` allows an empty value. */
export type Control =
  | {
      readonly kind: "number"
      readonly least: number
      readonly most: number
      readonly unit: Unit
      readonly null?: true
    }
  | { readonly kind: "switch" }
  | { readonly kind: "channel"; readonly null?: true }
  | { readonly kind: "billing" }
  | { readonly kind: "text"; readonly pattern: RegExp; readonly longest: number; readonly null?: true }
  | { readonly kind: "country"; readonly null?: true }
  | { readonly kind: "language" }
  /** A list. `of` has a picker with names, and shows its entries as chips; other lists have an entry per line. */
  | { readonly kind: "lines"; readonly most: number; readonly null?: true; readonly of?: ListOf }
  | { readonly kind: "colour"; readonly null: true }
  | { readonly kind: "logo"; readonly null: true }
  | { readonly kind: "quietHours" }
  | { readonly kind: "zone" }
  | { readonly kind: "prices"; readonly most: number }
  | { readonly kind: "caps"; readonly most: number }

/** The lists that are edited as chips. */
export type ListOf = "countries" | "guardReasons" | "numberTypes" | "prefixes"

export type Unit = "digits" | "seconds" | "times" | "days" | "money"

const number = (least: number, most: number, unit: Unit) => ({ kind: "number", least, most, unit }) as const

interface Spec<N extends keyof Settings> {
  readonly control: Control
  /** The service's default. Undefined when it depends on the merchant. */
  readonly initially: Settings[N] | undefined
}

/** All settings of the contract. A test compares names, ranges and defaults. */
export const spec: { readonly [N in keyof Settings]: Spec<N> } = {
  codeLength: { control: number(4, 8, "digits"), initially: 6 },
  codeExpirySeconds: { control: number(30, 900, "seconds"), initially: 300 },
  maxAttempts: { control: number(1, 10, "times"), initially: 3 },
  maxLifetimeSeconds: { control: number(60, 86_400, "seconds"), initially: 1_800 },
  strictReverify: { control: { kind: "switch" }, initially: false },
  hourlyLimit: { control: number(1, 1_000, "times"), initially: 10 },
  canonicalHourlyLimit: { control: { ...number(0, 3_000, "times"), null: true }, initially: null },
  hourlyLimitPerAddress: { control: number(0, 100_000, "times"), initially: 0 },
  hourlyLimitPerPrefix: { control: { ...number(1, 1_000_000, "times"), null: true }, initially: null },
  hourlyLimitPerCountry: { control: { ...number(1, 10_000_000, "times"), null: true }, initially: null },
  hourlyLimitPerMerchant: { control: { ...number(1, 10_000_000, "times"), null: true }, initially: null },
  maxConsecutiveFailures: { control: number(0, 1_000, "times"), initially: 100 },
  sdkInitiatesPerIpPerHour: { control: number(1, 100_000, "times"), initially: 30 },
  sdkMessagesPerHour: { control: number(1, 1_000, "times"), initially: 10 },
  attributionPerHour: { control: number(1, 10_000_000, "times"), initially: 100_000 },
  primaryChannel: { control: { kind: "channel" }, initially: "SMS" },
  fallbackChannel: { control: { kind: "channel", null: true }, initially: null },
  fallbackAfterSeconds: { control: number(30, 900, "seconds"), initially: 60 },
  resendCooldownSeconds: { control: number(0, 600, "seconds"), initially: 0 },
  maxResends: { control: number(0, 100, "times"), initially: 20 },
  oneTap: { control: { kind: "switch" }, initially: false },
  oneTapDays: { control: number(1, 365, "days"), initially: 30 },
  oneTapMaxDays: { control: number(1, 365, "days"), initially: 90 },
  allowedOrigins: { control: { kind: "lines", most: 100 }, initially: ["*"] },
  redirectUris: { control: { kind: "lines", most: 100 }, initially: [] },
  serverAddresses: { control: { kind: "lines", most: 100 }, initially: [] },
  linkNumberMatch: { control: { kind: "switch" }, initially: false },
  domain: {
    control: { kind: "text", pattern: /^[a-z0-9-]+(\.[a-z0-9-]+)+$/, longest: 253, null: true },
    initially: null
  },
  appHash: { control: { kind: "text", pattern: /^[A-Za-z0-9+/]{11}$/, longest: 11, null: true }, initially: null },
  defaultCountry: { control: { kind: "country", null: true }, initially: "IN" },
  allowedCountries: { control: { kind: "lines", most: 250, null: true, of: "countries" }, initially: null },
  blockedPrefixes: { control: { kind: "lines", most: 1_000, of: "prefixes" }, initially: [] },
  blockedNumberTypes: { control: { kind: "lines", most: 9, of: "numberTypes" }, initially: [] },
  guardEnforces: { control: { kind: "lines", most: 10, of: "guardReasons" }, initially: [] },
  guardLineTypes: { control: { kind: "lines", most: 10 }, initially: [] },
  guardSimSwapHours: { control: number(0, 2_400, "times"), initially: 0 },
  guardRecycledDays: { control: number(0, 3_650, "days"), initially: 0 },
  safeList: { control: { kind: "lines", most: 1_000, of: "prefixes" }, initially: [] },
  brand: { control: { kind: "text", pattern: /^\P{Cc}*$/u, longest: 60 }, initially: undefined },
  brandColor: { control: { kind: "colour", null: true }, initially: null },
  brandLogo: { control: { kind: "logo", null: true }, initially: null },
  locale: { control: { kind: "language" }, initially: "en" },
  billing: { control: { kind: "billing" }, initially: "OFF" },
  prices: { control: { kind: "prices", most: 1_000_000_000 }, initially: {} },
  dailyCap: { control: { kind: "caps", most: 1_000_000_000_000 }, initially: {} },
  balanceLowAt: { control: { ...number(0, 1_000_000_000_000, "money"), null: true }, initially: null },
  campaignFloor: { control: { ...number(0, 1_000_000_000_000, "money"), null: true }, initially: null },
  timeZone: { control: { kind: "zone" }, initially: "Asia/Kolkata" },
  quietHours: { control: { kind: "quietHours" }, initially: null },
  answerAssigns: { control: { kind: "switch" }, initially: true },
  requirePasskey: { control: { kind: "switch" }, initially: false }
}
