import type { EnvironmentKind } from "./Merchant.ts"

/**
 * What a merchant's own process is called where nobody has chosen keys: the `aud` of its idTokens, and the name its
 * merchant is found by at the next start. Everybody knows these names, so they open nothing.
 */
export const processName = (kind: EnvironmentKind): string => `cs_${kind}_in_process`

const publicName = (kind: EnvironmentKind): string => `pk_${kind}_in_process`

const names: ReadonlySet<string> = new Set(
  (["live", "test"] as const).flatMap((kind) => [processName(kind), publicName(kind)])
)

/** Whether a client id or public key is one that was given to every embedded service, before keys had to be chosen. */
export const isWellKnown = (id: string): boolean => names.has(id)
