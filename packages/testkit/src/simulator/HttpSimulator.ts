import { Clock, Effect, type Scope } from "effect"
import type { IncomingMessage } from "node:http"
import type { Behaviour, ProviderDouble, Seen } from "../channel/ProviderDouble.ts"
import { type Exchange, type HttpAnswer, listen, write } from "../channel/ProviderServer.ts"

/** A request as a provider reads it. */
export interface SimulatorRequest {
  readonly method: string
  /** The path with its query. */
  readonly target: string
  /** By lower-case name. */
  readonly header: (name: string) => string | undefined
  readonly body: string
}

/** A send request that became a message. */
export interface SimulatedMessage<Wanted> {
  readonly id: string
  /** When it was accepted, in milliseconds. */
  readonly at: number
  readonly wanted: Wanted
}

/** The text that the recipient reads, when only the provider can decode it. */
interface Readable {
  readonly to: string
  readonly text?: string
}

/** A provider's answer that refuses a message, with the recipient if known. */
export interface Declined extends HttpAnswer {
  readonly to?: string
}

/** The protocol of a provider. Everything else is the same for all HTTP providers. */
export interface Dialect<Wanted extends Readable> {
  /**
   * The message that a request wants to send, or the provider's error answer, such as for a wrong key or a missing
   * field.
   */
  readonly read: (request: SimulatorRequest) => Wanted | Declined
  readonly newId: (n: number) => string
  readonly taken: (message: SimulatedMessage<Wanted>) => HttpAnswer
  /** Refuses this message although the request is valid. */
  readonly refused: (wanted: Wanted) => HttpAnswer
  readonly overloaded: HttpAnswer
}

/** Faults in addition to those of every double. */
export type SimulatedFault =
  | Behaviour
  /** 500 and 503 in HTML, from a proxy in front of the provider. */
  | "broken"
  /** Accepts the message, and the connection breaks before the answer. */
  | "acceptThenDrop"
  /** The provider's own answer with this status and body. */
  | HttpAnswer

/** A callback request from the provider to your service. */
export interface SimulatedReport {
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/** A simulated provider. */
export interface HttpSimulator<Wanted> extends ProviderDouble {
  readonly play: (behaviour: SimulatedFault) => Effect.Effect<void>
  /** Every accepted message, oldest first. */
  readonly ledger: Effect.Effect<ReadonlyArray<SimulatedMessage<Wanted>>>
  /** Waits until this many messages were accepted. */
  readonly received: (count: number) => Effect.Effect<ReadonlyArray<SimulatedMessage<Wanted>>>
}

const slowly = 300
/** Real time: your service answers over a real network, which no test clock moves. */
const patience = 15_000

const page: HttpAnswer = { status: 500, headers: { "content-type": "text/html" }, body: "<html><h1>Sorry</h1>" }

const requestOf = ({ headers, method, url }: IncomingMessage, body: string): SimulatorRequest => ({
  method: method ?? "",
  target: url ?? "",
  header: (name) => {
    const value = headers[name]
    return typeof value === "string" ? value : undefined
  },
  body
})

const wishOf = ({ headers }: HttpAnswer) => Number(headers["retry-after"])

/** Starts a provider with this protocol on 127.0.0.1. It ends with its scope. */
export const make = <Wanted extends Readable>(
  dialect: Dialect<Wanted>,
  options: { readonly port?: number | undefined } = {}
): Effect.Effect<HttpSimulator<Wanted>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const seen: Array<Seen> = []
    const ledger: Array<SimulatedMessage<Wanted>> = []
    const waiting = new Set<() => void>()
    let playing: SimulatedFault = "accepted"

    const take = (wanted: Wanted): SimulatedMessage<Wanted> => {
      const message = { id: dialect.newId(ledger.length + 1), at: clock.currentTimeMillisUnsafe(), wanted }
      ledger.push(message)
      return message
    }

    const treat = ({ body, raw, request, response }: Exchange) => {
      const play = playing
      const wanted = dialect.read(requestOf(request, body))
      const remember = (message: SimulatedMessage<Wanted> | null) => {
        const { text, to = "" } = "status" in wanted ? { to: wanted.to, text: undefined } : wanted
        seen.push({ to, raw, providerId: message?.id ?? null, ...(text === undefined ? {} : { text }) })
        for (const look of waiting) look()
      }
      const decline = (answer: HttpAnswer) => {
        remember(null)
        write(response, answer)
      }
      if ("status" in wanted) return decline(wanted as HttpAnswer)
      if (typeof play === "object") return decline(play)
      if (play === "refused") return decline(dialect.refused(wanted))
      if (play === "overloaded") return decline(dialect.overloaded)
      if (play === "broken") return decline(page)
      if (play === "hanging") return remember(null)
      const message = take(wanted)
      remember(message)
      if (play === "acceptThenDrop") return response.destroy()
      const answer = play === "garbled" ? { ...page, status: dialect.taken(message).status } : dialect.taken(message)
      if (play === "slow") return setTimeout(() => write(response, answer), slowly)
      return write(response, answer)
    }

    const url = yield* listen(treat, options.port)
    const wish = wishOf(dialect.overloaded)
    return {
      url,
      ...(Number.isFinite(wish) ? { retryAfterSeconds: wish } : {}),
      play: (next) =>
        Effect.sync(() => {
          playing = next
        }),
      seen: Effect.sync(() => [...seen]),
      ledger: Effect.sync(() => [...ledger]),
      received: (count) =>
        Effect.callback((resume) => {
          const look = () => {
            if (ledger.length < count) return
            waiting.delete(look)
            resume(Effect.succeed([...ledger]))
          }
          waiting.add(look)
          look()
          return Effect.sync(() => void waiting.delete(look))
        })
    }
  })

/** Sends a report. Returns your service's HTTP status; null when it did not respond. */
export const deliver = ({ body, headers, url }: SimulatedReport): Effect.Effect<number | null> =>
  Effect.promise(async () => {
    try {
      const signal = AbortSignal.timeout(patience)
      const answer = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal })
      await answer.arrayBuffer()
      return answer.status
    } catch {
      return null
    }
  })
