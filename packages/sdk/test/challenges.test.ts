import { hash } from "node:crypto"
import { Worker as Thread } from "node:worker_threads"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import type { ChallengeNews } from "../src/index.ts"
import { work } from "../src/client/work.ts"
import { failure, json, type Reply } from "./fixtures/service.ts"
import { timers } from "./fixtures/timers.ts"
import { failureOf, phone, started, world } from "./fixtures/world.ts"

vi.mock("../src/request/after.ts", () => import("./fixtures/timers.ts"))

beforeEach(() => timers.reset())
afterEach(() => {
  vi.unstubAllGlobals()
  timers.checkNoneRuns()
})

const token = "w0mwzmq8fg1jgd62tzeqjxbqqb71e251er46fxdp"
const difficulty = 3_000

const asks = (more: object = {}): Reply =>
  json(
    429,
    {
      errorCode: "RATE_LIMIT_EXCEEDED",
      message: "Solve the challenge",
      requestId: null,
      challenge: { kind: "PROOF_OF_WORK", token, difficulty, expiresAt: "2026-01-31T09:35:00.000Z", ...more }
    },
    { "retry-after": "60" }
  )

const firstBits = (text: string) => Number.parseInt(hash("sha256", text).slice(0, 8), 16)
const isSolved = ({ answer, token }: { answer: string; token: string }) =>
  firstBits(token + answer) * difficulty < 2 ** 32

/** A browser's `Worker`, as a thread of Node. It runs the text behind the URL. */
const browserWorkers = () => {
  const programs = new Map<string, Blob>()
  const threads: Array<Thread> = []
  vi.stubGlobal(
    "URL",
    Object.assign(class extends URL {}, {
      createObjectURL: (blob: Blob) => {
        const url = `blob:${programs.size}`
        programs.set(url, blob)
        return url
      },
      revokeObjectURL: (url: string) => programs.delete(url)
    })
  )
  vi.stubGlobal(
    "Worker",
    class {
      onmessage: ((event: { data: unknown }) => void) | undefined
      onerror: unknown
      readonly thread: Promise<Thread>
      constructor(url: string) {
        this.thread = programs
          .get(url)!
          .text()
          .then((text) => {
            const program = `const { parentPort } = require("node:worker_threads")
              const postMessage = (data) => parentPort.postMessage(data)
              parentPort.on("message", (data) => onmessage({ data }))
              ${text}`
            const thread = new Thread(program, { eval: true })
            threads.push(thread)
            thread.on("message", (data) => this.onmessage?.({ data }))
            return thread
          })
      }
      postMessage(data: unknown) {
        void this.thread.then((thread) => thread.postMessage(data))
      }
      terminate() {
        void this.thread.then((thread) => thread.terminate())
      }
    }
  )
  return { programs, threads }
}

describe("a proof of work", () => {
  it("hashes like SHA-256, for tokens of every length that fits", () => {
    for (let length = 1; length <= 44; length++) {
      const token = "abcdefghijkmnpqrstvwxyz0123456789".repeat(2).slice(0, length)
      for (const from of [0, 9_990, 99_999_000]) {
        const answer = work(token, 2 ** 32 / 64, from, 900)
        expect(answer).toMatch(/^\d{8,11}$/)
        expect(firstBits(token + answer)).toBeLessThan(2 ** 32 / 64)
        // It is the first answer of its range.
        for (let n = from; n < Number(answer); n++) {
          const earlier = token + "0".repeat(answer!.length - 8) + String(n).padStart(8, "0")
          expect(firstBits(earlier)).toBeGreaterThanOrEqual(2 ** 32 / 64)
        }
      }
    }
    expect(work("x".repeat(45), 2 ** 32, 0, 1)).toBeNull()
    expect(work(token, 0, 0, 1_000)).toBeNull()
  })

  it("is solved in a worker, and the request is repeated with the answer and the same key", async () => {
    const { programs, threads } = browserWorkers()
    const news: Array<ChallengeNews> = []
    const { countersign, service } = await world({ onChallenge: (one) => void news.push(one) })
    service.will(asks(), started("ver_1"))
    expect(await countersign.initiate({ phone, orderId: "7" })).toMatchObject({ sessionId: "ver_1" })
    expect(threads).toHaveLength(1)
    expect(programs.size).toBe(0)
    const [first, second] = service.requests
    const { challenge, ...rest } = second!.body
    expect(rest).toEqual(first?.body)
    expect(isSolved(challenge)).toBe(true)
    expect(second?.headers["idempotency-key"]).toBe(first?.headers["idempotency-key"])
    expect(news.map(({ kind, state }) => [kind, state])).toEqual([
      ["PROOF_OF_WORK", "SOLVING"],
      ["PROOF_OF_WORK", "SOLVED"]
    ])
    expect(news[0]).toMatchObject({ difficulty, token })
  })

  const without: ReadonlyArray<readonly [string, () => void]> = [
    ["where there is no worker", () => vi.stubGlobal("Worker", undefined)],
    [
      "where a blob has no address, as in React Native",
      () => {
        vi.stubGlobal("Worker", class {})
        vi.stubGlobal(
          "URL",
          class extends URL {
            static override readonly createObjectURL = undefined as never
          }
        )
      }
    ],
    [
      "where the page's policy forbids it at once",
      () =>
        vi.stubGlobal(
          "Worker",
          class {
            constructor() {
              throw new Error("SecurityError")
            }
          }
        )
    ],
    [
      "where the page's policy forbids it later",
      () =>
        vi.stubGlobal(
          "Worker",
          class {
            onerror?: (event: { preventDefault: () => void }) => void
            postMessage() {
              setImmediate(() => this.onerror?.({ preventDefault: () => {} }))
            }
            terminate() {}
          }
        )
    ]
  ]
  it.each(without)("is solved in turns %s", async (_, forbid) => {
    forbid()
    const { countersign, service } = await world()
    service.will(asks(), started("ver_1"))
    await countersign.initiate({ phone })
    expect(isSolved(service.requests[1]?.body.challenge)).toBe(true)
  })

  it("is also solved for a resend", async () => {
    const { countersign, service } = await world()
    service.will(asks(), started("ver_1"))
    await countersign.resend({ sessionId: "ver_1", phone })
    expect(service.requests[1]?.body).toMatchObject({ sessionId: "ver_1", challenge: { token } })
  })

  it("starts again with the request alone when its answer is refused", async () => {
    const { countersign, service } = await world()
    service.will(asks(), failure(400, "INVALID_REQUEST"), asks(), started("ver_1"))
    await countersign.initiate({ phone })
    expect(service.requests.map(({ body }) => body.challenge !== undefined)).toEqual([false, true, false, true])
  })

  it("ends after five requests, and an invalid request is not repeated", async () => {
    const { countersign, service } = await world()
    service.will(asks(), asks(), asks(), asks(), asks(), started("ver_1"))
    expect(await failureOf(countersign.initiate({ phone }))).toMatchObject({
      errorCode: "RATE_LIMIT_EXCEEDED",
      retryAfterSeconds: 60,
      challenge: { token }
    })
    expect(service.requests).toHaveLength(5)
    service.requests.length = 0
    const other = await world()
    other.service.will(failure(400, "INVALID_REQUEST"), started("ver_1"))
    expect(await failureOf(other.countersign.initiate({ phone }))).toMatchObject({ challenge: null })
    expect(other.service.requests).toHaveLength(1)
  })

  it.each(["in a worker", "in turns"])("stops when the call is aborted, %s", async (where) => {
    const workers = where === "in a worker" ? browserWorkers() : undefined
    const controller = new AbortController()
    const { countersign, service } = await world({
      onChallenge: () => setTimeout(() => controller.abort("left"), 30) && void 0
    })
    service.will(asks({ difficulty: 2 ** 31 }), started("ver_1"))
    const outcome = await countersign
      .initiate({ phone }, { signal: controller.signal })
      .catch((reason: unknown) => reason)
    expect(outcome).toBe("left")
    expect(service.requests).toHaveLength(1)
    await vi.waitFor(() => expect(timers.running).toBe(0))
    const threads = workers?.threads ?? []
    await vi.waitFor(() => expect(threads.every(({ threadId }) => threadId === -1)).toBe(true))
  })
})

describe("another challenge", () => {
  it("of a captcha is answered by the token that onChallenge returns", async () => {
    const { countersign, service } = await world({
      onChallenge: async ({ kind, state }) => (kind === "CAPTCHA" && state === "SOLVING" ? "captcha-token" : undefined)
    })
    service.will(asks({ kind: "CAPTCHA" }), started("ver_1"))
    await countersign.initiate({ phone })
    expect(service.requests[1]?.body.challenge).toEqual({ token, answer: "captcha-token" })
  })

  it.each([
    ["without onChallenge", {}],
    ["when onChallenge returns nothing", { onChallenge: () => {} }]
  ])("rejects with the refusal %s", async (_, options) => {
    const { countersign, service } = await world(options)
    for (const kind of ["CAPTCHA", "SOMETHING_NEW"]) {
      service.will(asks({ kind }))
      expect(await failureOf(countersign.initiate({ phone }))).toMatchObject({ status: 429, challenge: { kind } })
    }
    expect(service.requests).toHaveLength(2)
  })

  it("rejects with the error of onChallenge", async () => {
    const error = new Error("the person closed it")
    const { countersign, service } = await world({ onChallenge: () => Promise.reject(error) })
    service.will(asks({ kind: "CAPTCHA" }))
    await expect(countersign.initiate({ phone })).rejects.toBe(error)
  })

  it.each([null, "w", {}, { token: 5, difficulty: 1 }, { token: "w", difficulty: "x" }])(
    "of the wrong shape is none: %j",
    async (challenge) => {
      const { countersign, service } = await world()
      service.will(
        json(
          429,
          { errorCode: "RATE_LIMIT_EXCEEDED", message: "m", requestId: null, challenge },
          { "retry-after": "60" }
        )
      )
      expect(await failureOf(countersign.initiate({ phone }))).toMatchObject({ challenge: null })
    }
  )
})
