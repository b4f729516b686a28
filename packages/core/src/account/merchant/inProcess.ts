import type { EnvironmentKind } from "./Merchant.ts"

/**
 * The well-known name of a merchant's own process without chosen keys. It is the `aud` of its idTokens, and finds its
 * merchant at the next start. The name is public, so it opens nothing.
 */
export const processName = (kind: EnvironmentKind): string => `cs_${kind}_in_process`

const publicName = (kind: EnvironmentKind): string => `pk_${kind}_in_process`

const names: ReadonlySet<string> = new Set(
  (["live", "test"] as const).flatMap((kind) => [processName(kind), publicName(kind)])
)

/** Whether a client id or public key is a well-known key of embedded services, from before keys had to be chosen. */
export const isWellKnown = (id: string): boolean => names.has(id)
