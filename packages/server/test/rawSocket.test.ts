import { connect } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { Random } from "./fixture/Random.ts"
import { converse, type RawAnswer } from "./fixture/RawSocket.ts"
import { memory, type Service } from "./fixture/Service.ts"
import { checkEnvelope, statusOf } from "./fixture/Wire.ts"

const host = "Host: localhost\r\n"
const json = "Content-Type: application/json\r\n"
const post = `POST /v1/auth/verify HTTP/1.1\r\n${host}${json}`
const get = `GET /healthz HTTP/1.1\r\n${host}\r\n`
const smuggled = `GET /v1/admin/merchants HTTP/1.1\r\n${host}\r\n`

/** Invalid requests and the allowed statuses in order. */
const refusedOnes: ReadonlyArray<[what: string, ...pieces: ReadonlyArray<string | Uint8Array>]> = [
  ["both lengths", `${post}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`],
  [
    "both lengths the other way round",
    `${post}Transfer-Encoding: chunked\r\nContent-Length: 6\r\n\r\n0\r\n\r\n${smuggled}`
  ],
  ["two lengths", `${post}Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}${smuggled}`],
  ["two lengths in one", `${post}Content-Length: 2, 40\r\n\r\n{}${smuggled}`],
  ["a negative length", `${post}Content-Length: -1\r\n\r\n{}`],
  ["a length with a sign", `${post}Content-Length: +2\r\n\r\n{}`],
  ["a length in hex", `${post}Content-Length: 0x2\r\n\r\n{}`],
  ["a length that is no number", `${post}Content-Length: two\r\n\r\n{}`],
  ["a length beyond all numbers", `${post}Content-Length: 99999999999999999999999\r\n\r\n{}`],
  ["an empty length", `${post}Content-Length: \r\n\r\n{}`],
  ["chunked before another encoding", `${post}Transfer-Encoding: chunked, identity\r\n\r\n2\r\n{}\r\n0\r\n\r\n`],
  [
    "two encodings",
    `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n2\r\n{}\r\n0\r\n\r\n${smuggled}`
  ],
  ["a space before the colon", `${post}Content-Length : 2\r\n\r\n{}`],
  ["a field without a name", `GET /healthz HTTP/1.1\r\n${host}: x\r\n\r\n`],
  ["a field without a colon", `GET /healthz HTTP/1.1\r\n${host}nonsense\r\n\r\n`],
  ["a NUL in a field", `GET /healthz HTTP/1.1\r\n${host}X-A: a\0b\r\n\r\n`],
  ["a lone CR in a field", `GET /healthz HTTP/1.1\r\n${host}X-A: a\rb\r\n\r\n`],
  ["a field that begins with a space", `GET /healthz HTTP/1.1\r\n X-A: b\r\n${host}\r\n`],
  ["another version", `GET /healthz HTTP/9.9\r\n${host}\r\n`],
  ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ["no method", ` /healthz HTTP/1.1\r\n${host}\r\n`],
  ["an unknown method", `FROBNICATE /healthz HTTP/1.1\r\n${host}\r\n`],
  ["a method in lower case", `get /healthz HTTP/1.1\r\n${host}\r\n`],
  ["a path with a space", `GET /health z HTTP/1.1\r\n${host}\r\n`],
  ["a path with a NUL", `GET /healthz\0 HTTP/1.1\r\n${host}\r\n`],
  ["a field of 100 KB", `GET /healthz HTTP/1.1\r\n${host}X-A: ${"x".repeat(100_000)}\r\n\r\n`],
  ["10,000 fields", `GET /healthz HTTP/1.1\r\n${host}${"X-A: b\r\n".repeat(10_000)}\r\n`],
  ["a path of 100 KB", `GET /${"x".repeat(100_000)} HTTP/1.1\r\n${host}\r\n`],
  ["TLS", Buffer.from("16030100c8010000c40303", "hex")],
  ["a line of nothing", `${"\0".repeat(500)}\r\n\r\n`],
  ["no host", "GET /healthz HTTP/1.1\r\n\r\n"]
]

/** Requests whose body is invalid. */
const broken: ReadonlyArray<[what: string, fields: string]> = [
  ["an unknown encoding", "Transfer-Encoding: xchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"],
  ["a chunk without a size", "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n"],
  ["a chunk with a negative size", "Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n"],
  ["a chunk beyond all sizes", "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}\r\n0\r\n\r\n"],
  ["a chunk that is longer than it says", "Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n"]
]

/** Unusual but valid requests. */
const answered: ReadonlyArray<[what: string, statuses: ReadonlyArray<number>, ...pieces: ReadonlyArray<string>]> = [
  ["two pipelined requests", [200, 200], get + get],
  ["a request in many pieces", [200], ..."GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n".split("")],
  ["a body in many pieces", [401], `${post}Content-Length: 10\r\n\r\n`, '{"otp"', ":1", "2}"],
  ["chunks", [401], `${post}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1;x=y\r\n}\r\n0\r\nX-Trailer: z\r\n\r\n`],
  ["a body on a GET", [200, 200], `GET /healthz HTTP/1.1\r\n${host}Content-Length: 5\r\n\r\nhello${get}`],
  ["HTTP/0.9", [200], "GET /healthz\r\n\r\n"],
  ["HTTP/1.0", [200], "GET /healthz HTTP/1.0\r\n\r\n"],
  ["an absolute address", [404], `GET http://evil.example.com/healthz HTTP/1.1\r\n${host}\r\n`],
  [
    "a wish for another protocol",
    [200],
    `GET /healthz HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`
  ],
  ["an expectation", [401], `${post}Content-Length: 2\r\nExpect: 100-continue\r\n\r\n{}`],
  ["an unknown expectation", [401], `${post}Content-Length: 2\r\nExpect: the-unexpected\r\n\r\n{}`],
  ["OPTIONS *", [404], `OPTIONS * HTTP/1.1\r\n${host}\r\n`],
  ["empty lines before a request", [200], `\r\n\r\n${get}`]
]

/** The checks of `check` on a raw answer. */
const checkRaw = ({ headers, status, text }: RawAnswer, what: string) => {
  assert.match(headers["x-request-id"] ?? "", /^[\w.-]{1,64}$/, what)
  assert.match(headers["content-type"] ?? "", /^application\/json/, what)
  assert.isBelow(status, 500, what)
  if (status < 400) return
  const body = JSON.parse(text)
  checkEnvelope({ body }, what)
  assert.include(statusOf[body.errorCode] ?? [], status, what)
}

describe("raw connections", () => {
  let service: Service
  beforeAll(async () => {
    service = await memory()
  })
  afterAll(() => service.close())

  it.each(refusedOnes)("with %s get one error envelope and are closed", async (what, ...pieces) => {
    const { answers, closed, rest } = await converse(service.urls[0]!, pieces)
    assert.isTrue(closed, what)
    assert.strictEqual(rest, "", what)
    assert.deepStrictEqual(
      answers.map(({ status }) => status),
      [400],
      what
    )
    for (const answer of answers) checkRaw(answer, what)
  })

  it.each(broken)("with %s get an error and are closed", async (what, fields) => {
    const client = await service.client()
    const credentials = Object.entries(client.credentials)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join("")
    for (const keys of [credentials, ""]) {
      const { answers, closed, rest } = await converse(service.urls[0]!, [post + keys + fields])
      assert.isTrue(closed, what)
      assert.strictEqual(rest, "", what)
      // A caller without credentials is refused before the body is checked.
      assert.include(["400", "401", "401,400"], answers.map(({ status }) => status).join(), what)
      for (const answer of answers) checkRaw(answer, what)
    }
  })

  it.each(answered)("with %s get their answers", async (what, statuses, ...pieces) => {
    const { answers, rest } = await converse(service.urls[0]!, pieces, statuses.length)
    assert.strictEqual(rest, "", what)
    assert.deepStrictEqual(
      answers.map(({ status }) => status),
      [...statuses],
      what
    )
    for (const answer of answers) checkRaw(answer, what)
  })

  it("get the answer to a valid request that precedes garbage", async () => {
    const { answers } = await converse(service.urls[0]!, [get, "\0\0\0\r\n\r\n"], 2)
    assert.deepStrictEqual(
      answers.map(({ status }) => status),
      [200, 400]
    )
  })

  it("get 413 as soon as a body is declared too large", async () => {
    const client = await service.client()
    const credentials = Object.entries(client.credentials)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join("")
    const head = `POST /v1/auth/verify HTTP/1.1\r\n${host}${json}${credentials}`
    const { answers } = await converse(service.urls[0]!, [`${head}Content-Length: 70000\r\n\r\n{"otp`], 1)
    assert.deepStrictEqual(
      answers.map(({ status }) => status),
      [413]
    )
    for (const answer of answers) checkRaw(answer, "a large body")
    const chunk = `ffff\r\n${"x".repeat(0xffff)}\r\n`
    const chunked = await converse(service.urls[0]!, [`${head}Transfer-Encoding: chunked\r\n\r\n${chunk}${chunk}`], 1)
    assert.deepStrictEqual(
      chunked.answers.map(({ status }) => status),
      [413]
    )
  })

  it("may end at any byte or send random bytes, and the service keeps working", async () => {
    const { hostname, port } = new URL(service.urls[0]!)
    const whole = Buffer.from(`${post}Content-Length: 10\r\n\r\n{"otp":12}`)
    const random = new Random(7)
    const noise = Array.from({ length: 100 }, () =>
      Buffer.from(Array.from({ length: random.below(500) }, () => random.below(256)))
    )
    const pieces = [...Array.from(whole, (_, length) => whole.subarray(0, length)), ...noise]
    await Promise.all(
      pieces.map(
        (piece, i) =>
          new Promise<void>((resolve) => {
            const socket = connect({ host: hostname, port: Number(port) }, () => {
              if (piece.length > 0) socket.write(piece)
              if (i % 2 === 0) socket.destroy()
              else socket.end()
            })
            socket.on("error", () => {}).on("close", () => resolve())
            socket.resume()
          })
      )
    )
    const { answers } = await converse(service.urls[0]!, [get], 1)
    assert.deepStrictEqual(
      answers.map(({ status }) => status),
      [200]
    )
    await (await service.client()).verified()
  })

  it("may close during a login, and wrong codes still count", async () => {
    const client = await service.client({ maxAttempts: 10 })
    const requestId = await client.started()
    const { hostname, port } = new URL(service.urls[0]!)
    const credentials = Object.entries(client.credentials)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join("")
    const body = JSON.stringify({ requestId, otp: "000000" })
    const request = `${post}${credentials}Content-Length: ${body.length}\r\n\r\n${body}`
    await Promise.all(
      Array.from(
        { length: 100 },
        () =>
          new Promise<void>((resolve) => {
            const socket = connect({ host: hostname, port: Number(port) }, () => {
              socket.write(request, () => socket.destroy())
            })
            socket.on("error", () => {}).on("close", () => resolve())
          })
      )
    )
    // Every wrong code that was read is counted: never more than ten are allowed.
    let wrong = 0
    for (; ; wrong++) {
      const { body } = await client.verify({ requestId, otp: "000000" })
      if (body.errorCode === "MAX_ATTEMPTS_EXCEEDED") break
      assert.strictEqual(body.verified, false)
    }
    assert.isAtMost(wrong, 10)
    assert.strictEqual((await client.status({ requestId })).body.authStatus, "FAILED")
  })
})
