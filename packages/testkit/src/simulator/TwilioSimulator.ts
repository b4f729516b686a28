import { Clock, type Duration, Effect, FiberSet, type Scope } from "effect"
import type { Behaviour, ProviderDouble, Seen } from "../channel/ProviderDouble.ts"
import { listen } from "../channel/ProviderServer.ts"
import { page, type TwilioAnswer, twilioError } from "./TwilioError.ts"
import { accountAsked, created, read, type TwilioAccount, type TwilioMessage, type Wanted } from "./TwilioMessage.ts"
import { make as makeReporter, type TwilioReport } from "./TwilioReporter.ts"
import { scripts, type TwilioScript, type TwilioStatus } from "./TwilioScript.ts"
import { type Exchange, exchangeOf } from "./TwilioExchange.ts"

export type { TwilioMessage } from "./TwilioMessage.ts"
export { sign, type TwilioReport } from "./TwilioReporter.ts"
export { scripts, type TwilioScript, type TwilioStatus, type TwilioStep } from "./TwilioScript.ts"

/** Faults of Twilio, in addition to those of every provider's double. */
export type TwilioFault =
  /** One of Twilio's error codes. */
  | { readonly refused: number }
  /** 500 and 503 in HTML, from a proxy in front of Twilio. */
  | "broken"
  | "unavailable"
  /** Reads and refuses it, and resets the connection. */
  | "reset"
  /** Accepts it, and the connection breaks before the answer. */
  | "acceptThenDrop"

/** How a message is treated. */
export type TwilioBehaviour = Behaviour | TwilioFault

/** All options have defaults. */
export interface Options {
  readonly accountSid?: string
  readonly authToken?: string
  /** The account status that Twilio reports. Default `active`. Messages are accepted in every status. */
  readonly accountStatus?: TwilioAccount["status"]
  /** Default `Full`. */
  readonly accountType?: TwilioAccount["type"]
  /** By default a free port. */
  readonly port?: number
  /** Whether numbers behave as with Twilio's test credentials. Then no receipts are sent by themselves. */
  readonly magicNumbers?: boolean
  /** The receipts of each message. Default `scripts.delivered`; with `scripts.silent` you report by hand. */
  readonly receipts?: TwilioScript | ((message: TwilioMessage) => TwilioScript)
  /** The delay before receipts without a delay of their own. Default: none. */
  readonly receiptDelay?: Duration.Input
  /** The local address, such as `http://127.0.0.1:8080`, that gets the receipts for your public address. */
  readonly forwardTo?: string
  /** Called for every accepted message, before Twilio answers. */
  readonly onMessage?: (message: TwilioMessage) => Effect.Effect<void>
}

/** A simulated Twilio. */
export interface TwilioSimulator extends ProviderDouble {
  readonly accountSid: string
  readonly authToken: string
  /** Treats later messages this way, or each as the function decides for its recipient. */
  readonly play: (behaviour: TwilioBehaviour | ((to: string) => TwilioBehaviour)) => Effect.Effect<void>
  /** Waits until it received this many requests. */
  readonly asked: (times: number) => Effect.Effect<ReadonlyArray<Seen>>
  /** Every accepted message, oldest first. */
  readonly ledger: Effect.Effect<ReadonlyArray<TwilioMessage>>
  /** Waits until this many messages were accepted. */
  readonly received: (count: number) => Effect.Effect<ReadonlyArray<TwilioMessage>>
  /** Uses another script for later messages. */
  readonly script: (receipts: NonNullable<Options["receipts"]>) => Effect.Effect<void>
  /** Reports the result of a message, and returns your service's response. */
  readonly deliver: (sid: string, status: TwilioStatus, errorCode?: number) => Effect.Effect<TwilioReport>
  /** Every receipt that was due so far. */
  readonly reports: Effect.Effect<ReadonlyArray<TwilioReport>>
  /** Waits until every request was handled and every script's receipts were sent. */
  readonly settled: Effect.Effect<void>
  /** The most requests within any one second. */
  readonly busiestSecond: Effect.Effect<number>
}

const slowly = 300
const retryAfterSeconds = 3
const unreachable = 30005

/** The error response of a behaviour that does not accept the message; null when it accepts. */
const declineOf = (playing: TwilioBehaviour, to: string): TwilioAnswer | null => {
  if (typeof playing === "object") return twilioError(playing.refused, to)
  if (playing === "refused") return twilioError(21211, to)
  if (playing === "broken") return page(500)
  if (playing === "unavailable") return page(503)
  if (playing !== "overloaded") return null
  const answer = twilioError(20429)
  return { ...answer, headers: { ...answer.headers, "retry-after": String(retryAfterSeconds) } }
}

const busiest = (times: ReadonlyArray<number>): number => {
  let first = 0
  return times.reduce((most, time, n) => {
    while (time - times[first]! >= 1_000) first++
    return Math.max(most, n - first + 1)
  }, 0)
}

/** Real time, like a slow provider's: no test clock moves it. */
const aWhile = Effect.callback<void>((resume) => {
  const timer = setTimeout(() => resume(Effect.void), slowly)
  return Effect.sync(() => clearTimeout(timer))
})

/**
 * Starts Twilio's Messages API on 127.0.0.1, for tests of anything that sends codes through Twilio. It checks
 * credentials and parameters as Twilio does, stores accepted messages, and reports back with signed callbacks, one
 * after the other. It ends with its scope, and its receipts follow Effect's clock, so that a test can move them.
 *
 * @example
 * ```ts
 * import { TwilioSimulator } from "@countersign/testkit/simulators"
 * import { Effect } from "effect"
 *
 * const test = Effect.gen(function* () {
 *   const twilio = yield* TwilioSimulator.make({ receipts: TwilioSimulator.scripts.silent })
 *   // Start your service with TWILIO_API_URL=twilio.url and its two credentials, and log in; then:
 *   const [message] = yield* twilio.received(1)
 *   console.log(message!.body)
 *   yield* twilio.deliver(message!.sid, "undelivered", 30006)
 * }).pipe(Effect.scoped)
 * ```
 */
export const make = Effect.fnUntraced(function* (
  options: Options = {}
): Effect.fn.Return<TwilioSimulator, never, Scope.Scope> {
  const { magicNumbers = false, onMessage = () => Effect.void, receiptDelay } = options
  const account: TwilioAccount = {
    accountSid: options.accountSid ?? "AC00000000000000000000000000000001",
    authToken: options.authToken ?? "simulated_auth_token_0123456789ab",
    magicNumbers,
    status: options.accountStatus ?? "active",
    type: options.accountType ?? "Full"
  }
  const reporter = makeReporter(account, options.forwardTo ?? null)
  const seen: Array<Seen> = []
  const times: Array<number> = []
  const ledger: Array<TwilioMessage> = []
  const waiting = new Set<() => void>()
  let receipts = options.receipts ?? (magicNumbers ? scripts.silent : scripts.delivered)
  let playing: Parameters<TwilioSimulator["play"]>[0] = "accepted"

  const until = (ready: () => boolean) =>
    Effect.callback<void>((resume) => {
      const look = () => {
        if (!ready()) return
        waiting.delete(look)
        resume(Effect.void)
      }
      waiting.add(look)
      look()
      return Effect.sync(() => waiting.delete(look))
    })

  const remember = (to: string, raw: string, message: TwilioMessage | null) => {
    seen.push({ to: to.replace(/^\w+:/, ""), raw, providerId: message?.sid ?? null })
    if (message !== null) ledger.push(message)
    for (const look of waiting) look()
  }

  const enact = (message: TwilioMessage, script: TwilioScript) =>
    Effect.forEach(
      script,
      ({ after = receiptDelay, errorCode = null, status }) => {
        const report = reporter.report(message, status, errorCode)
        return after === undefined ? report : Effect.delay(report, after)
      },
      { discard: true }
    )

  const take = Effect.fnUntraced(function* (wanted: Wanted, play: TwilioBehaviour, { answer, drop, raw }: Exchange) {
    const at = yield* Clock.currentTimeMillis
    const message: TwilioMessage = { ...wanted, sid: `SM${String(ledger.length + 1).padStart(32, "0")}`, at }
    const script = typeof receipts === "function" ? receipts(message) : receipts
    remember(message.to, raw, message)
    yield* onMessage(message)
    yield* enact(
      message,
      script.filter(({ early }) => early === true)
    )
    if (play === "slow") yield* aWhile
    yield* play === "acceptThenDrop" ? drop : answer(play === "garbled" ? page(201) : created(message, account))
    yield* enact(
      message,
      script.filter(({ early }) => early !== true)
    )
  })

  /** An error with messages says nothing about the account, except for a failing proxy in front of both. */
  const tell = Effect.fnUntraced(function* ({ answer }: Exchange, account: TwilioAnswer) {
    const play = typeof playing === "function" ? "accepted" : playing
    if (play === "hanging") return
    if (play === "garbled") return yield* answer(page(200))
    const isDown = play === "overloaded" || play === "broken" || play === "unavailable"
    yield* answer((isDown ? declineOf(play, "") : null) ?? account)
  })

  const treat = Effect.fnUntraced(function* (exchange: Exchange) {
    const aboutAccount = accountAsked(exchange.request, account)
    if (aboutAccount !== null) return yield* tell(exchange, aboutAccount)
    times.push(yield* Clock.currentTimeMillis)
    const wanted = read(exchange.request, account)
    const isRight = "to" in wanted
    const to = isRight ? wanted.to : (new URLSearchParams(exchange.request.body).get("To") ?? "")
    const play = typeof playing === "function" ? playing(to) : playing
    const decline = isRight ? declineOf(play, to) : wanted
    if (isRight && decline === null && play !== "hanging" && play !== "reset")
      return yield* take(wanted, play, exchange)
    remember(to, exchange.raw, null)
    if (decline !== null) return yield* exchange.answer(decline)
    if (play === "reset") yield* exchange.drop
  })

  const fibers = yield* FiberSet.make<void, never>()
  const run = yield* FiberSet.runtime(fibers)<never>()
  const url = yield* listen((exchange) => void run(treat(exchangeOf(exchange))), options.port)

  return {
    url,
    retryAfterSeconds,
    accountSid: account.accountSid,
    authToken: account.authToken,
    play: (next) =>
      Effect.sync(() => {
        playing = next
      }),
    seen: Effect.sync(() => [...seen]),
    asked: (count) =>
      Effect.map(
        until(() => seen.length >= count),
        () => [...seen]
      ),
    ledger: Effect.sync(() => [...ledger]),
    received: (count) =>
      Effect.map(
        until(() => ledger.length >= count),
        () => [...ledger]
      ),
    script: (next) =>
      Effect.sync(() => {
        receipts = next
      }),
    deliver: (sid, status, errorCode) =>
      Effect.suspend(() => {
        const message = ledger.find((each) => each.sid === sid)
        if (message === undefined) return Effect.die(new Error("no message of that sid was taken"))
        const code = errorCode ?? (status === "failed" || status === "undelivered" ? unreachable : null)
        return reporter.report(message, status, code)
      }),
    reports: reporter.reports,
    settled: FiberSet.awaitEmpty(fibers),
    busiestSecond: Effect.sync(() => busiest(times))
  }
})
