import type { Caller } from "./Caller.ts"
import { inProcess } from "./Caller.ts"
import type { Access, EnvironmentKind } from "./Merchant.ts"
import { defaultSettings, type Settings } from "./Settings.ts"

const merchantId = "countersign"

const settings: Settings = {
  ...defaultSettings,
  codeLength: 6,
  codeExpirySeconds: 600,
  // People who request codes at the same time share a verification, and `signInLimits` limits each of them. These
  // limits are above the sums of all of them.
  maxAttempts: 100,
  hourlyLimit: 100,
  canonicalHourlyLimit: 100,
  maxConsecutiveFailures: 50,
  maxResends: 100,
  maxLifetimeSeconds: 1800,
  primaryChannel: "EMAIL",
  fallbackChannel: null,
  oneTap: false,
  brand: "Countersign"
}

const environments = {
  live: { id: "system_live", merchantId, kind: "live", settings, settingsVersion: 1 },
  test: { id: "system_test", merchantId, kind: "test", settings, settingsVersion: 1 }
} as const

const merchant = { id: merchantId, name: "Countersign", status: "ACTIVE", createdAt: 0 } as const

/**
 * The service's own environments, in which it verifies people who sign in. They are not in storage: no list shows them,
 * no key opens them, and nothing suspends or changes them. Null for every other environment.
 */
export const systemEnvironment = (id: string): Omit<Access, "credential"> | null =>
  id === environments.live.id
    ? { environment: environments.live, merchant }
    : id === environments.test.id
      ? { environment: environments.test, merchant }
      : null

/** The service itself, as one of its own callers. */
export const systemCaller = (kind: EnvironmentKind): Caller =>
  inProcess({ environment: environments[kind], merchant }, merchantId)
