import { OutcomeUnknown, Refused, Unavailable } from "@countersign/core/channel"
import { ask, field, json, type Reply } from "@countersign/provider-http"
import { Deferred, Effect, Option } from "effect"
import { type CryptoKey, importJWK, type JWK } from "jose"

type Reason = Refused | Unavailable | OutcomeUnknown
type Keys = ReadonlyMap<string, CryptoKey>

/** Counted in nanoseconds of monotonic time, so that a clock that is set back extends nothing. */
const minute = 60_000_000_000n
/** After this time the keys are fetched again, so that a key that Google withdraws stops working. */
const freshFor = 60n * minute
/** While there are keys, they are fetched at most this often: anyone can send a token with an invented key id. */
const restsFor = 5n * minute
/** How long keys are used while their address does not answer. */
const usableFor = 24n * 60n * minute
/** How long a token with a known key waits for a refresh. */
const refreshPatience = "2 seconds"
const mostKeys = 50

const monotonicNanos = Effect.clockWith(({ monotonicTimeNanos }) => monotonicTimeNanos)

const text = (key: unknown, name: string): string | undefined => {
  const value = field(key, name)
  return typeof value === "string" ? value : undefined
}

/** A key on P-256 for signatures. Null for every other key: ES256 is the only algorithm. */
const signingKey = (key: unknown): { readonly kid: string; readonly jwk: JWK } | null => {
  const [kid, x, y] = ["kid", "x", "y"].map((name) => text(key, name))
  if (kid === undefined || kid === "" || x === undefined || y === undefined) return null
  if (text(key, "kty") !== "EC" || text(key, "crv") !== "P-256") return null
  if ((text(key, "alg") ?? "ES256") !== "ES256" || (text(key, "use") ?? "sig") !== "sig") return null
  // Only the public coordinates: a document with a private part still makes a public key.
  return { kid, jwk: { kty: "EC", crv: "P-256", x, y } }
}

const imported = (keys: ReadonlyArray<unknown>) =>
  Effect.gen(function* () {
    const byKid = new Map<string, CryptoKey>()
    for (const { jwk, kid } of keys
      .map(signingKey)
      .filter((key) => key !== null)
      .slice(0, mostKeys)) {
      // A key that is not a point on the curve is ignored, and does not hide the others.
      const key = yield* Effect.option(Effect.tryPromise(() => importJWK(jwk, "ES256")))
      if (Option.isSome(key) && !(key.value instanceof Uint8Array) && !byKid.has(kid)) byKid.set(kid, key.value)
    }
    return byKid
  })

const keysOf = (reply: Reply): Effect.Effect<Keys, Reason> => {
  if (reply._tag === "NotReached") return Effect.fail(new Unavailable({ providerCode: "not_reached" }))
  if (reply._tag === "Lost") return Effect.fail(new OutcomeUnknown({ providerCode: "no_answer" }))
  const { retryAfterSeconds, status } = reply
  const providerCode = `keys_http_${status}`
  if (status === 429 || status >= 500) {
    return Effect.fail(new Unavailable({ providerCode, ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }) }))
  }
  // The answer of a wrong address.
  if (status >= 400) return Effect.fail(new Refused({ providerCode, because: "account" }))
  const keys = field(json(reply), "keys")
  if (status !== 200 || !Array.isArray(keys)) {
    return Effect.fail(new OutcomeUnknown({ providerCode: "keys_unreadable" }))
  }
  return imported(keys)
}

/** Google's public keys, fetched when a token needs them. */
export interface KeySet {
  /** The key with this id; null when Google does not publish it. Fails while there are no usable keys. */
  readonly find: (kid: string) => Effect.Effect<CryptoKey | null, Reason>
  /** Fetches the keys now, and returns their number. */
  readonly refresh: Effect.Effect<number, Reason>
}

/**
 * Caches the keys of one address. Concurrent tokens share one request. An unknown key id fetches the keys again, at most
 * every five minutes. While the address does not answer, the cached keys work for a day.
 */
export const make = (url: string): KeySet => {
  let keys: Keys | null = null
  let loadedAt = 0n
  let askedAt = 0n
  let loading: Deferred.Deferred<Keys, Reason> | null = null

  const load = Effect.gen(function* () {
    askedAt = yield* monotonicNanos
    const reply = yield* ask({ url, method: "GET", headers: { accept: "application/json" } })
    const loaded = yield* keysOf(reply)
    loadedAt = yield* monotonicNanos
    keys = loaded
    return loaded
  })

  /** A caller who stops waiting does not stop the others' request. */
  const refresh = Effect.suspend(() => {
    if (loading !== null) return Deferred.await(loading)
    const answer = Deferred.makeUnsafe<Keys, Reason>()
    loading = answer
    const run = Effect.ensuring(
      load,
      Effect.sync(() => {
        loading = null
      })
    )
    return Effect.andThen(Effect.forkDetach(Deferred.into(run, answer)), Deferred.await(answer))
  })

  const find = Effect.fnUntraced(function* (kid: string): Effect.fn.Return<CryptoKey | null, Reason> {
    const now = yield* monotonicNanos
    const usable = keys !== null && now - loadedAt < usableFor ? keys : null
    if (usable === null) return (yield* refresh).get(kid) ?? null
    const known = usable.get(kid)
    const mayAsk = loading !== null || now - askedAt >= restsFor
    if (known === undefined) return mayAsk ? ((yield* refresh).get(kid) ?? null) : null
    if (now - loadedAt < freshFor || !mayAsk) return known
    const refreshed = yield* Effect.option(
      Effect.timeoutOrElse(refresh, { duration: refreshPatience, orElse: () => Effect.succeed(usable) })
    )
    return Option.isSome(refreshed) ? (refreshed.value.get(kid) ?? null) : known
  })

  return { find, refresh: Effect.map(refresh, ({ size }) => size) }
}
