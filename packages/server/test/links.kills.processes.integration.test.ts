import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Client, refused } from "./fixture/Client.ts"
import * as DatabaseWire from "./fixture/DatabaseWire.ts"
import * as FreshDatabase from "./fixture/FreshDatabase.ts"
import { type Link, linkOf, press, returnTo } from "./fixture/Link.ts"
import { isBrokenConnection } from "./fixture/Load.ts"
import { overProcesses, variablesFor } from "./fixture/Processes.ts"
import { Random } from "./fixture/Random.ts"
import { Receiver } from "./fixture/Receiver.ts"
import * as ServerProcess from "./fixture/ServerProcess.ts"
import { until } from "./fixture/Until.ts"

/** The number of killed processes. `pnpm chaos` kills more. */
const rounds = Number(process.env["LINK_KILLS"] ?? "2")
const linksARound = 16

/** The point between an approval and its redirect. */
const points = ["once an approval is stored that it has not heard of", "with presses on their way"] as const

/** The result of a press: the redirect, or nothing after a kill. Other answers belong to other presses. */
type Pressed = { readonly location: string } | "refused" | "unanswered"

describe("a process that is killed while people approve links", () => {
  let database: FreshDatabase.FreshDatabase
  let receiver: Receiver
  let variables: ServerProcess.Variables
  let survivor: ServerProcess.ServerProcess
  let client: Client
  let url: string
  const random = new Random(5)

  beforeAll(async () => {
    database = await FreshDatabase.make()
    receiver = await Receiver.start()
    variables = {
      ...variablesFor(database.url),
      PUBLIC_URL: "http://localhost",
      COUNTERSIGN_ALLOW_PRIVATE_WEBHOOKS: "true"
    }
    survivor = await ServerProcess.serve(variables)
    client = await overProcesses([survivor]).client({ redirectUris: [returnTo] })
    url = receiver.endpoint()
    await client.webhook({ url, events: ["otp.verified"] })
  })
  afterAll(async () => {
    await survivor?.kill("SIGTERM")
    await receiver?.close()
    await database?.drop()
  })

  const tally = { approved: 0, unheard: 0, open: 0, unanswered: 0 }

  /** People press the buttons of their links several times each, until one of the two processes is killed. */
  const strike = async (point: (typeof points)[number]) => {
    const links = await Promise.all(Array.from({ length: linksARound }, () => linkOf(client)))
    const wire = await DatabaseWire.make(database.url)
    const victim = await ServerProcess.serve({ ...variables, DATABASE_URL: wire.url })
    const service = overProcesses([victim])
    let killed = false
    const kill = () => {
      if (!killed) process.kill(victim.pid, "SIGKILL")
      killed = true
    }
    let left = 1 + random.below(links.length)
    if (point === "once an approval is stored that it has not heard of") wire.loseAnswerTo("otp.verified", kill)
    const pressed = async ({ token }: Link, where: typeof service): Promise<Pressed> => {
      const answer = press(where, { token })
      if (point === "with presses on their way" && --left === 0) setImmediate(kill)
      return answer.then(
        ({ headers, status, text }): Pressed => {
          assert.include([303, 404], status, text)
          return status === 404 ? "refused" : { location: String(headers.location) }
        },
        (error: unknown): Pressed => {
          if (!isBrokenConnection(error)) throw error
          tally.unanswered++
          return "unanswered"
        }
      )
    }
    // Every fourth link is pressed at both processes.
    const presses = await Promise.all(
      links.map(async (link, i) => ({
        link,
        answers: await Promise.all([
          pressed(link, service),
          pressed(link, service),
          ...(i % 4 === 3 ? [pressed(link, client.service)] : [])
        ])
      }))
    )
    kill()
    assert.strictEqual((await victim.ended).signal, "SIGKILL")
    await wire.close()
    for (const one of presses) await settle(one.link, one.answers)
  }

  /**
   * A link is either open and can be approved, or approved, with a code that status shows and that is exchanged once.
   */
  const settle = async (link: Link, answers: ReadonlyArray<Pressed>) => {
    const heard = answers.flatMap((answer) => (typeof answer === "string" ? [] : [answer.location]))
    assert.isAtMost(heard.length, 1)
    const { authStatus, code } = await link.status()
    if (authStatus === "PENDING") {
      assert.deepStrictEqual([heard, code], [[], null])
      const { headers, status, text } = await link.press()
      assert.include([303, 404], status, text)
      // A statement that the killed process had sent may still have been executed first.
      if (status === 303) heard.push(String(headers.location))
      tally[status === 303 ? "open" : "unheard"]++
    } else {
      assert.strictEqual(authStatus, "VERIFIED")
      tally[heard.length === 0 ? "unheard" : "approved"]++
    }
    const shown = (await link.status()).code
    assert.isString(shown)
    for (const location of heard) assert.strictEqual(new URL(location).searchParams.get("code"), shown)
    assert.strictEqual((await link.press()).status, 404)
    const exchanges = await Promise.all([1, 2, 3].map(() => client.token({ code: shown })))
    const [one, ...others] = exchanges.filter(({ status }) => status === 200)
    assert.deepStrictEqual([one?.body.requestId, others], [link.requestId, []])
    for (const exchange of exchanges) if (exchange !== one) refused(exchange, "TRANSACTION_NOT_FOUND")
    assert.isNull((await link.status()).code)
  }

  it(
    "leaves each link open, or approved once with one usable code and one event",
    async () => {
      let round = 0
      // The moment of a kill is random: a few more rounds cover the relevant one.
      for (; round < rounds || (tally.unheard === 0 && round < rounds + 8); round++) {
        await strike(points[round % points.length]!)
      }
      const verified = await database.query(
        "select id, data::json->>'requestId' from event where type = 'otp.verified' order by id"
      )
      const events = new Map(verified.map(([id, requestId]) => [String(id), String(requestId)]))
      assert.strictEqual(events.size, round * linksARound)
      assert.strictEqual(new Set(events.values()).size, events.size)
      const told = () =>
        new Map(receiver.at(url).map(({ event }) => [event.id as string, event.data.requestId as string]))
      await until(
        async () => told().size,
        (size) => size >= events.size,
        { what: "the webhooks of all approvals" }
      )
      assert.sameDeepMembers([...told()], [...events])
      assert.isAbove(tally.unheard, 0)
      console.log(
        `${round} processes killed: ${tally.approved} approvals were heard of, ${tally.unheard} were not, ` +
          `${tally.open} were not made; ${tally.unanswered} presses had no answer`
      )
    },
    180_000 + 30_000 * rounds
  )
})
