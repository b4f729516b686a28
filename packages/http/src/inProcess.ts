import { byItself, type KeySet, Merchants, processName, type Settings, SettingsAdvice } from "@countersign/core"
import { Clock, Effect, Redacted } from "effect"

/** The keys of one environment, for requests that come over HTTP. */
export interface PlainKeys {
  readonly clientId: string
  readonly clientSecret: string
  readonly publicKey: string
}

/** Whom a process speaks for. */
export interface InProcessOptions {
  /** Whom codes speak of, at first; afterwards the setting `brand` decides. */
  readonly name?: string | undefined
  /** Which environment it speaks for. In `test` nothing is sent and every code is `123456`. */
  readonly environment?: "live" | "test" | undefined
  /** Keys for requests over HTTP. Without them there are none. */
  readonly keys?: { readonly live: PlainKeys; readonly test: PlainKeys } | undefined
  /** Settings of that environment, applied at every start. */
  readonly settings?: Partial<Settings> | undefined
}

const redact = (keys: PlainKeys): KeySet => ({ ...keys, clientSecret: Redacted.make(keys.clientSecret) })

/**
 * The one merchant of this process, made at the first start and found again at the next ones. It answers the effect that
 * gives its caller: ask it for each command, because a merchant can be suspended meanwhile.
 *
 * @example
 * ```ts
 * import { Verifications } from "@countersign/core"
 * import { inProcess } from "@countersign/http"
 * import { Effect } from "effect"
 *
 * const login = Effect.gen(function* () {
 *   const caller = yield* inProcess({ settings: { strictReverify: true } })
 *   const verifications = yield* Verifications
 *   return (identity: string) =>
 *     Effect.flatMap(caller, (me) => verifications.initiate(me, { identity, identityType: "MOBILE", mode: "OTP" }))
 * })
 * ```
 */
export const inProcess = Effect.fnUntraced(function* (options: InProcessOptions = {}) {
  const { environment: kind = "live", keys, name = "Countersign", settings } = options
  const merchants = yield* Merchants
  const startedAt = yield* Clock.currentTimeMillis
  const before = keys === undefined ? [] : yield* merchants.list({ after: null, limit: 1 })
  const { environments, merchant } = yield* keys === undefined
    ? merchants.ensureInProcess(name)
    : merchants.ensure(name, { live: redact(keys.live), test: redact(keys.test) })
  if (before.length > 0 && merchant.createdAt >= startedAt) {
    yield* Effect.logWarning(
      "The option keys opens a new, empty merchant: verifications, settings and devices that this storage already holds belong to another one. Remove keys to go on with those"
    )
  }
  const environment = environments.find((one) => one.kind === kind)!.id
  if (settings !== undefined) {
    const changed = yield* merchants.changeSettings({ ...byItself, merchantId: merchant.id, environment }, settings)
    const { warnings } = yield* SettingsAdvice
    for (const { field, problem } of warnings({ kind }, changed))
      yield* Effect.logWarning(`settings.${field}: ${problem}`)
  }
  // Where there are no keys nobody can hold one, and idTokens are for this process alone.
  return merchants.callerIn(environment, keys === undefined ? processName(kind) : keys[kind].clientId)
})
