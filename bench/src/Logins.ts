import { type LoadResult, quantile, type Source } from "./Load.ts"

/** How a service logs a person in: a request for a code, and one with the code. */
export interface Login {
  readonly newIdentity: () => string
  readonly send: (identity: string) => string
  /** The second request, from the answer to the first. */
  readonly verify: (identity: string, answer: string) => string | Promise<string>
  /** Throws unless the code was accepted. */
  readonly check: (answer: string) => void
}

interface Latency {
  readonly p50: number
  readonly p99: number
}

export interface LoginsResult {
  readonly perSecond: number
  /** Microseconds of the service's CPU time for each login. */
  readonly cpu: number
  /** Milliseconds. */
  readonly send: Latency
  readonly verify: Latency
  /** Of both requests together. */
  readonly login: Latency
}

interface Begun {
  readonly identity: string
  /** The answer to the first request, and how long it took. */
  sent?: { readonly answer: string; readonly milliseconds: number }
}

const latency = (milliseconds: ReadonlyArray<number>): Latency => {
  const sorted = Float64Array.from(milliseconds).sort()
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) }
}

/** Logs a new person in on every connection, again and again. */
export class Logins {
  readonly source: Source
  readonly #sends: Array<number> = []
  readonly #verifies: Array<number> = []
  readonly #logins: Array<number> = []

  constructor(login: Login) {
    const begun = new Map<number, Begun>()
    this.source = {
      next: (connection) => {
        const current = begun.get(connection)
        if (current?.sent !== undefined) return login.verify(current.identity, current.sent.answer)
        const identity = login.newIdentity()
        begun.set(connection, { identity })
        return login.send(identity)
      },
      answered: (answer, connection, milliseconds) => {
        const current = begun.get(connection)!
        if (current.sent === undefined) {
          current.sent = { answer, milliseconds }
          this.#sends.push(milliseconds)
          return
        }
        login.check(answer)
        begun.delete(connection)
        this.#verifies.push(milliseconds)
        this.#logins.push(current.sent.milliseconds + milliseconds)
      }
    }
  }

  /** A login is two requests, so one that the end of the run cut in half counts as half. */
  result({ cpu, perSecond }: LoadResult): LoginsResult {
    return {
      perSecond: perSecond / 2,
      cpu: 2 * cpu,
      send: latency(this.#sends),
      verify: latency(this.#verifies),
      login: latency(this.#logins)
    }
  }
}
