import { type Connection, request, root } from "../request/request.ts"

type Found = Readonly<Record<string, unknown>>

const minute = 60_000
/** How long keys are used before they are fetched again. */
const fresh = 10 * minute
/** How long keys are used when fetching fails. */
const lastResort = 60 * minute

const isKeySet = (answer: Found): answer is Found & { readonly keys: ReadonlyArray<unknown> } =>
  Array.isArray(answer["keys"])

const isSigningKey = (key: unknown): key is { readonly kid: string; readonly x: string; readonly y: string } =>
  typeof key === "object" &&
  key !== null &&
  "kid" in key &&
  typeof key.kid === "string" &&
  "kty" in key &&
  key.kty === "EC" &&
  "crv" in key &&
  key.crv === "P-256" &&
  "x" in key &&
  typeof key.x === "string" &&
  "y" in key &&
  typeof key.y === "string" &&
  (!("alg" in key) || key.alg === "ES256") &&
  (!("use" in key) || key.use === "sig")

const importKeys = async (found: ReadonlyArray<unknown>) => {
  const keys = new Map<string, CryptoKey>()
  for (const { kid, x, y } of found.filter(isSigningKey).slice(0, 50)) {
    const algorithm = { name: "ECDSA", namedCurve: "P-256" }
    const jwk = { kty: "EC", crv: "P-256", x, y }
    // Ignore a key that is not a point on the curve.
    const key = await crypto.subtle.importKey("jwk", jwk, algorithm, false, ["verify"]).catch(() => undefined)
    if (key !== undefined) keys.set(kid, key)
  }
  return keys
}

/** Fetches the service's public keys on demand and caches them. */
const makeKeySet = (connection: Connection) => {
  let keys: ReadonlyMap<string, CryptoKey> | undefined
  let loadedAt = 0
  let askedAt = 0
  let loading: Promise<void> | undefined

  /** The absolute value makes a clock that was set back count as elapsed time. */
  const since = (instant: number) => Math.abs(Date.now() - instant)

  const load = async () => {
    askedAt = Date.now()
    const answer = await request(connection, { path: "/.well-known/jwks.json", headers: {}, accepts: isKeySet })
    keys = await importKeys(answer.keys)
    loadedAt = Date.now()
  }

  /** Concurrent callers share one request. */
  const refresh = () => {
    loading ??= load().finally(() => {
      loading = undefined
    })
    return loading
  }

  const usable = () => keys !== undefined && since(loadedAt) < lastResort

  return async (kid: string): Promise<CryptoKey | undefined> => {
    const known = keys?.get(kid)
    if (known !== undefined && since(loadedAt) < fresh) return known
    // Tokens with invented key ids must not cause requests: while there are keys, fetch at most once a minute.
    if (!usable() || loading !== undefined || since(askedAt) >= minute)
      try {
        await refresh()
      } catch (error) {
        if (known === undefined || !usable()) throw error
      }
    return keys?.get(kid)
  }
}

type KeySet = ReturnType<typeof makeKeySet>

const keySets = new WeakMap<object, Map<string, KeySet>>()

/** One key set per connection. */
export const keySetOf = (connection: Connection): KeySet => {
  const way = connection.fetch ?? fetch
  const known = keySets.get(way) ?? new Map<string, KeySet>()
  keySets.set(way, known)
  const url = root(connection.baseUrl)
  const keySet = known.get(url) ?? makeKeySet(connection)
  known.set(url, keySet)
  return keySet
}
