import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { App, appOf, sessionToken } from "./fixture/App.ts"
import { Client, code, phone, refused } from "./fixture/Client.ts"
import * as FreshDatabase from "./fixture/FreshDatabase.ts"
import { isBrokenConnection } from "./fixture/Load.ts"
import { overProcesses, variablesFor } from "./fixture/Processes.ts"
import { Random } from "./fixture/Random.ts"
import * as ServerProcess from "./fixture/ServerProcess.ts"
import { secret } from "./fixture/Service.ts"
import { until } from "./fixture/Until.ts"
import type { Answer } from "./fixture/Wire.ts"

const workers = 4
/** The number of logins with every set of secrets, and while two sets are in use. */
const enough = 15

/** The master secrets of a process: the signing one, and the others that it accepts. */
interface Ring {
  readonly current: string
  readonly others: ReadonlyArray<string>
}

/** Runs logins until stopped, with tokens of every age. Every refusal is recorded. */
class Logins {
  readonly sessions: Array<string> = []
  readonly idTokens: Array<string> = []
  readonly refusals: Array<string> = []
  done = 0
  readonly #client: () => Client
  readonly #random = new Random(1)
  readonly #begun: Array<string> = []
  readonly #person = phone()
  #deviceToken: string | null = null
  #running = true
  readonly #ended: Promise<unknown>

  constructor(client: () => Client) {
    this.#client = client
    this.#ended = Promise.all(Array.from({ length: workers }, (_, i) => this.#work(i)))
  }

  async stop(): Promise<void> {
    this.#running = false
    await this.#ended
  }

  async #work(number: number): Promise<void> {
    while (this.#running) {
      try {
        await this.#login()
        if (number === 0) await this.#oneTap()
        await sleep(20) // only the signing times matter, so a higher rate adds nothing
      } catch (error) {
        // A stopping process closes connections that a client was about to use.
        if (!isBrokenConnection(error)) throw error
      }
    }
  }

  #expect(what: string, { status, text }: Answer, good: boolean): void {
    if (!good) this.refusals.push(`${what}: ${status} ${text}`)
  }

  /** Codes are entered several logins after they were sent, often in a process with other secrets. */
  async #login(): Promise<void> {
    const client = this.#client()
    if (this.done % 5 === 0) this.sessions.push(await sessionToken(client))
    const app = new App(client.service, client.keys.publicKey, this.#random.pick(this.sessions))
    const { body } = await app.initiate()
    this.#begun.push(body.sessionId)
    if (this.#begun.length < 10) return
    const sessionId = this.#begun.shift()!
    const checked = await app.verify({ sessionId, code })
    this.#expect("a session token or a code", checked, checked.body?.verified === true)
    if (this.done % 5 === 0) {
      const again = await client.verify({ requestId: sessionId, otp: code })
      this.#expect("a verification", again, again.body?.verified === true)
      this.idTokens.push(again.body.idToken)
    }
    if (this.idTokens.length > 0) {
      const confirmed = await client.confirm({ idToken: this.#random.pick(this.idTokens) })
      this.#expect("an idToken", confirmed, confirmed.body?.success === true)
    }
    this.done++
  }

  /** One device in constant use: its token is rotated by each login, under each key. */
  async #oneTap(): Promise<void> {
    const client = this.#client()
    const begun = await client.initiate({ identity: this.#person, deviceToken: this.#deviceToken })
    const { deviceToken, oneTapApplied, requestId } = begun.body
    if (this.#deviceToken === null) {
      const checked = await client.verify({ requestId, otp: code, deviceToken })
      this.#expect("a device", checked, checked.body?.verified === true)
    } else this.#expect("a device token", begun, oneTapApplied === true)
    this.#deviceToken = deviceToken
  }
}

describe("a new master secret", () => {
  let database: FreshDatabase.FreshDatabase
  const running: Array<ServerProcess.ServerProcess> = []
  const serve = async ({ current, others }: Ring) => {
    const variables = { COUNTERSIGN_SECRET: current, COUNTERSIGN_SECRET_PREVIOUS: others.join(",") }
    const server = await ServerProcess.serve({ ...variablesFor(database.url), ...variables })
    running.push(server)
    return server
  }
  beforeAll(async () => {
    database = await FreshDatabase.make()
  })
  afterAll(async () => {
    await Promise.all(running.map((server) => server.kill("SIGTERM")))
    await database?.drop()
  })

  it("introduced twice under load as documented refuses no valid request", async () => {
    const [first, second, third] = [secret(), secret(), secret()]
    // Every process accepts a secret before one signs with it, and for as long as anything signed with it is valid.
    const rings: ReadonlyArray<Ring> = [
      { current: first, others: [second] },
      { current: second, others: [third, first] },
      { current: third, others: [second, first] }
    ]
    let server = await serve(rings[0]!)
    const settings = { sdkInitiatesPerIpPerHour: 100_000, oneTap: true }
    const { keys } = await overProcesses([server]).client(settings)
    let service = overProcesses([server])
    const logins = new Logins(() => new Client(service, keys))
    const more = async (what: string) => {
      const wanted = logins.done + enough
      await until(
        async () => logins.done,
        (count) => count >= wanted,
        { what: `${enough} logins ${what}` }
      )
    }
    await more("at first")
    for (const ring of rings.slice(1)) {
      const next = await serve(ring)
      service = overProcesses([server, next])
      await more("side by side")
      service = overProcesses([next])
      assert.strictEqual((await server.kill("SIGTERM")).code, 0)
      await more("alone")
      server = next
    }
    await logins.stop()
    assert.deepStrictEqual(logins.refusals.slice(0, 10), [], `${logins.refusals.length} refused`)
    const [oldest] = logins.sessions
    const kids = new Set(
      logins.sessions.map((token) => JSON.parse(Buffer.from(token.split(".")[0]!, "base64url").toString()).kid)
    )
    assert.strictEqual(kids.size, 3, "every secret has signed")
    console.log(`${logins.done} logins over 2 rotations, ${logins.sessions.length} session tokens, 0 refused`)

    // Signatures of a removed secret are invalid.
    const last = await serve({ current: third, others: [second] })
    const client = new Client(overProcesses([last]), keys)
    const app = await appOf(client)
    const sessionId = await app.started()
    const old = new App(client.service, keys.publicKey, oldest!)
    refused(await old.verify({ sessionId, code }), "INVALID_CLIENT_CREDENTIALS")
    refused(await client.confirm({ idToken: logins.idTokens[0] }), "INVALID_REQUEST", "idToken")
    assert.strictEqual((await app.verify({ sessionId, code })).body.verified, true)
  })
})
