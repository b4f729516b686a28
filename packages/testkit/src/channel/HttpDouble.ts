import { Effect, type Scope } from "effect"
import type { ServerResponse } from "node:http"
import { leaves, namesGiven } from "./leaves.ts"
import type { Behaviour, ProviderDouble, Seen } from "./ProviderDouble.ts"
import { type HttpAnswer, listen, write } from "./ProviderServer.ts"

/** The recorded answers of one HTTP provider. */
export interface HttpAnswers {
  readonly accepted: HttpAnswer
  readonly refused: HttpAnswer
  readonly overloaded: HttpAnswer
  readonly garbled: HttpAnswer
  /**
   * The answer for a recipient who told the provider to stop messages from this sender, if the provider has such an
   * answer.
   */
  readonly optedOut?: HttpAnswer
  /** The answer that asks only this recipient to wait, if the provider has such an answer. */
  readonly deferred?: HttpAnswer
}

/** A provider over HTTP, with a few faults that only HTTP has. */
export interface HttpDouble extends ProviderDouble {
  readonly answer: (answer: HttpAnswer) => Effect.Effect<void>
  /** Reads the request, then closes the connection without an answer. */
  readonly slam: Effect.Effect<void>
  /** Begins a success response, then closes the connection. */
  readonly breakOff: Effect.Effect<void>
}

export interface HttpDoubleOptions {
  readonly answers: HttpAnswers
  /** The possible recipients; other values in a request do not count as recipients. */
  readonly recipients: ReadonlyArray<string>
  /** Whether failures repeat the request, as real providers' do. */
  readonly echo?: boolean
}

type Play = Behaviour | "slam" | "breakOff" | HttpAnswer

const slowly = 300

const bare = (leaf: string) =>
  leaf
    .replace(/^(whatsapp|tel|sms|mailto):/i, "")
    .replace(/^.*<([^<>]+)>$/, "$1")
    .replace(/^\+|(?<=\d)[ -](?=\d)/g, "")

/** The recipients among the values of a request. A number may come without its country code. */
const recipientsIn = (raw: string, recipients: ReadonlyArray<string>): ReadonlyArray<string> => {
  const found = new Set<string>()
  for (const leaf of leaves(raw).map(bare)) {
    const known = recipients.find((to) => bare(to) === leaf || (/^\d{8,}$/.test(leaf) && bare(to).endsWith(leaf)))
    if (known !== undefined) found.add(known)
  }
  return [...found]
}

const echoing = (answer: HttpAnswer, raw: string): HttpAnswer => {
  if (answer.headers["content-type"] !== "application/json")
    return { ...answer, body: `${answer.body}\n<!-- ${raw} -->` }
  const value: unknown = JSON.parse(answer.body)
  if (typeof value !== "object" || value === null || Array.isArray(value)) return answer
  return { ...answer, body: JSON.stringify({ ...value, request: raw, values: leaves(raw) }) }
}

/** Starts a provider that answers as configured. */
export const make = ({
  answers,
  echo = false,
  recipients
}: HttpDoubleOptions): Effect.Effect<HttpDouble, never, Scope.Scope> =>
  Effect.gen(function* () {
    const seen: Array<Seen> = []
    const [name] = namesGiven(answers.accepted.body)
    let playing: Play = "accepted"

    const respond = (play: Play, raw: string, response: ServerResponse) => {
      if (play === "hanging") return
      if (play === "slam") return response.destroy()
      if (play === "slow") return setTimeout(() => write(response, answers.accepted), slowly)
      if (play === "breakOff") {
        const { body, headers, status } = answers.accepted
        response.writeHead(status, { ...headers, "content-length": String(Buffer.byteLength(body) + 1) })
        return response.write(body.slice(0, -1), () => response.destroy())
      }
      const answer = typeof play === "string" ? answers[play] : play
      return write(response, echo && play !== "accepted" ? echoing(answer, raw) : answer)
    }

    const url = yield* listen(({ raw, response }) => {
      const taken = playing === "accepted" || playing === "slow"
      seen.push({ to: recipientsIn(raw, recipients).join(", "), raw, providerId: taken ? (name ?? null) : null })
      respond(playing, raw, response)
    })
    const play = (next: Play) =>
      Effect.sync(() => {
        playing = next
      })
    const wish = Number(answers.overloaded.headers["retry-after"])
    return {
      url,
      play,
      answer: play,
      slam: play("slam"),
      breakOff: play("breakOff"),
      seen: Effect.sync(() => [...seen]),
      ...(Number.isFinite(wish) ? { retryAfterSeconds: wish } : {})
    }
  })
