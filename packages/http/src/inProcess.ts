import { byItself, type KeySet, Merchants, processName, type Settings, SettingsAdvice } from "@countersign/core"
import { Clock, Effect, Redacted } from "effect"

/** The keys of one environment, for requests that come over HTTP. */
export interface PlainKeys {
  readonly clientId: string
  readonly clientSecret: string
  readonly publicKey: string
}

/** The merchant and environment that a process acts for. */
export interface InProcessOptions {
  /** Initial brand name in messages. The `brand` setting overrides it. */
  readonly name?: string | undefined
  /** The environment. In `test` no message is sent and every code is `123456`. */
  readonly environment?: "live" | "test" | undefined
  /** Keys for requests over HTTP. Without them, HTTP requests that need a key get 401. */
  readonly keys?: { readonly live: PlainKeys; readonly test: PlainKeys } | undefined
  /** Settings of that environment, applied at every start. */
  readonly settings?: Partial<Settings> | undefined
}

const redact = (keys: PlainKeys): KeySet => ({ ...keys, clientSecret: Redacted.make(keys.clientSecret) })

/**
 * The merchant of this process, created at the first start and found again at later ones. Returns an effect that yields its
 * caller. Run that effect for each command, because the merchant can be suspended at any time.
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
      "The option keys creates a new, empty merchant: existing verifications, settings and devices in this storage belong to another one. Remove keys to keep using them"
    )
  }
  const environment = environments.find((one) => one.kind === kind)!.id
  if (settings !== undefined) {
    const changed = yield* merchants.changeSettings({ ...byItself, merchantId: merchant.id, environment }, settings)
    const { warnings } = yield* SettingsAdvice
    for (const { field, problem } of warnings({ kind }, changed))
      yield* Effect.logWarning(`settings.${field}: ${problem}`)
  }
  // Without keys there is no client id, so the audience of idTokens is this process.
  return merchants.callerIn(environment, keys === undefined ? processName(kind) : keys[kind].clientId)
})
