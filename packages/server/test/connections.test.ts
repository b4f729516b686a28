import { connect, type Socket } from "node:net"
import { afterEach, assert, describe, it } from "vitest"
import { ClientAddress } from "@countersign/http"
import { Result } from "effect"
import { ConnectionPlaces, isSharedBy } from "../src/ConnectionPlaces.ts"
import { appOf } from "./fixture/App.ts"
import { phone } from "./fixture/Client.ts"
import { converse } from "./fixture/RawSocket.ts"
import { memory, type Service } from "./fixture/Service.ts"
import { until } from "./fixture/Until.ts"

let service: Service
afterEach(() => service.close())

const opened = (connected: (socket: Socket) => void = () => {}): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.urls[0]!)
    const socket = connect({ host: hostname, port: Number(port) }, () => {
      connected(socket)
      resolve(socket)
    })
    socket.on("error", reject)
  })

const gone = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.removeAllListeners("error").on("error", () => {})
    if (socket.closed) resolve()
    else socket.once("close", () => resolve())
  })

const raw = (path: string, fields: { readonly [name: string]: string }, body: string) =>
  [
    `POST ${path} HTTP/1.1`,
    "host: localhost",
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`),
    "",
    body
  ].join("\r\n")

const healthz = "GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n"

describe("a client that resets its connection", () => {
  it("immediately after the request still counts against its address limit", async () => {
    service = await memory()
    const client = await service.client({ sdkInitiatesPerIpPerHour: 5 })
    const app = await appOf(client)
    await Promise.all(
      Array.from({ length: 200 }, async () => {
        const request = raw(
          "/v1/sdk/auth/initiate",
          { "x-public-key": app.publicKey },
          JSON.stringify({ phone: phone() })
        )
        const socket = await opened()
        socket.write(request, () => socket.resetAndDestroy())
        await gone(socket)
      })
    )
    // Connections that were reset before the count are counted by now: the address limit is reached after at most five.
    for (let i = 0; i < 6; i++) await app.initiate()
    assert.strictEqual((await app.initiate()).status, 429)
    const { body } = await client.get("/v1/dashboard/events?type=otp.initiated&limit=200")
    assert.lengthOf(body.items, 5)
  })
})

describe("connections", () => {
  it("without traffic are all closed while other clients are served", async () => {
    service = await memory({ bounds: { inactivity: 4_000, head: 3_000, request: 5_000 } })
    const head = raw("/v1/auth/verify", (await service.client()).credentials as never, " ".repeat(60_000))
    const trickle = (socket: Socket) => {
      const timer = setInterval(() => socket.write(" "), 250)
      socket.on("close", () => clearInterval(timer))
    }
    const slow: ReadonlyArray<(socket: Socket) => void> = [
      () => {},
      (socket) => socket.write("GET /healthz HT"),
      (socket) => socket.write(healthz),
      (socket) => {
        socket.write("GET /healthz HTTP/1.1\r\nx-a: ")
        trickle(socket)
      },
      (socket) => {
        socket.write(head.slice(0, 400))
        trickle(socket)
      }
    ]
    const sockets = await Promise.all(
      Array.from({ length: 490 }, (_, i) => opened((socket) => slow[i % slow.length]!(socket.resume())))
    )
    const client = await service.client()
    await Promise.all(Array.from({ length: 50 }, () => client.verified()))
    // A client that follows Keep-Alive stops using an idle connection before the server closes it.
    assert.strictEqual((await service.send({ path: "/healthz" })).headers["keep-alive"], "timeout=4")
    await Promise.all(sockets.map(gone))
  })

  it("whose clients do not read are closed: others get these places, and the answers are cut off", async () => {
    const places = 4
    service = await memory({ bounds: { connections: places, inactivity: 2_000, unanswered: 16 } })
    // The first answer is built for all later requests. On a busy machine that takes longer than a connection may be
    // silent.
    const first = () => service!.send({ path: "/docs", headers: { connection: "close" } }).catch(() => null)
    const page = (await until(first, (answer) => answer !== null, { what: "the page" }))!.text.length
    // More than both systems' socket buffers hold, so the server keeps the rest.
    const asked = 16
    const readers: Array<Socket> = []
    while (readers.length < places) {
      const socket = await opened((socket) => socket.pause())
      socket.write("GET /docs HTTP/1.1\r\nhost: x\r\n\r\n".repeat(asked))
      readers.push(socket)
    }
    // A client that does not read gets no events. A free place shows that its connection is closed.
    const allServed = async () => {
      const others = await Promise.all(Array.from({ length: places }, () => opened()))
      const answers = await Promise.all(
        others.map(async (socket) => {
          socket.write(healthz)
          return new Promise<string>((resolve) => {
            socket.once("data", (chunk) => resolve(String(chunk))).once("close", () => resolve(""))
          })
        })
      )
      for (const socket of others) socket.destroy()
      return answers.map((answer) => answer.slice(0, 12))
    }
    await until(allServed, (answers) => answers.every((answer) => answer === "HTTP/1.1 200"), { what: "every place" })
    for (const socket of readers) {
      let bytes = 0
      socket.on("data", (chunk) => (bytes += chunk.length)).resume()
      await gone(socket)
      assert.isBelow(bytes, asked * page)
    }
  })

  it("with pipelined requests are closed, and most of the requests are never processed", async () => {
    let asked = 0
    const mounts = [{ prefix: "/slow", handler: () => void asked++ }]
    service = await memory({ bounds: { unanswered: 3 }, mounts })
    const socket = await opened((socket) => socket.write("GET /slow HTTP/1.1\r\nhost: x\r\n\r\n".repeat(1_000)))
    await gone(socket)
    assert.strictEqual(asked, 3)
    const { answers } = await converse(service.urls[0]!, [healthz.repeat(3)], 3)
    assert.deepStrictEqual(
      answers.map(({ status }) => status),
      [200, 200, 200]
    )
  })

  it("beyond the limit get a retry answer, and a closed connection frees a place", async () => {
    service = await memory({ bounds: { connections: 20 } })
    const sockets = await Promise.all(Array.from({ length: 20 }, () => opened()))
    const refused = await converse(service.urls[0]!, [healthz])
    assert.isTrue(refused.closed)
    assert.deepStrictEqual(
      refused.answers.map(({ headers, status, text }) => [status, headers["retry-after"], JSON.parse(text).errorCode]),
      [[503, "1", "INTERNAL_ERROR"]]
    )
    sockets[0]!.destroy()
    await until(
      () => converse(service.urls[0]!, [healthz], 1),
      ({ answers }) => answers[0]?.status === 200,
      { what: "room" }
    )
    for (const socket of sockets) socket.destroy()
  })

  it("from one public address take at most a quarter of the places", async () => {
    let isPublic = true
    service = await memory({ bounds: { connections: 20 }, isShared: () => !isPublic })
    const sockets = await Promise.all(Array.from({ length: 5 }, () => opened()))
    const refused = await converse(service.urls[0]!, [healthz])
    assert.isTrue(refused.closed)
    assert.deepStrictEqual(
      refused.answers.map(({ headers, status }) => [status, headers["retry-after"]]),
      [[503, "1"]]
    )
    assert.include(JSON.parse(refused.answers[0]!.text).message, "TRUSTED_PROXIES")
    // Connections of a proxy or another client have their own places.
    isPublic = false
    const others = await Promise.all(Array.from({ length: 14 }, () => opened()))
    assert.strictEqual((await converse(service.urls[0]!, [healthz], 1)).answers[0]?.status, 200)
    isPublic = true
    sockets[0]!.destroy()
    await until(
      () => converse(service.urls[0]!, [healthz], 1),
      ({ answers }) => answers[0]?.status === 200,
      { what: "room" }
    )
    for (const socket of [...sockets, ...others]) socket.destroy()
  })

  it("that are refused are closed soon and take no place, even if their clients keep writing", async () => {
    let isPublic = true
    const never = 600_000
    service = await memory({
      bounds: { connections: 20, head: never, request: never },
      isShared: () => !isPublic
    })
    const { hostname, port } = new URL(service.urls[0]!)
    // More than all places and all refused connections together.
    const stranger = Array.from({ length: 300 }, () => {
      const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
      socket.on("error", () => {}).resume()
      socket.write("GET /healthz HTTP/1.1\r\nx-a: ")
      const timer = setInterval(() => socket.write("a"), 250)
      socket.on("close", () => clearInterval(timer))
      return socket
    })
    const open = () => Promise.resolve(stranger.filter(({ closed }) => !closed))
    await until(open, (sockets) => sockets.filter(({ bytesRead }) => bytesRead === 0).length <= 5, { what: "refusals" })
    isPublic = false
    assert.strictEqual((await converse(service.urls[0]!, [healthz], 1)).answers[0]?.status, 200)
    await until(
      async () => (await open()).length,
      (left) => left === 5,
      { what: "their end" }
    )
    for (const socket of stranger) socket.destroy()
  })
})

describe("a client that keeps writing after its connection was refused", () => {
  const slow = { connections: 20, head: 1_000, request: 1_500 }
  it.each([
    ["a head that takes too long", "GET /healthz HTTP/1.1\r\nx-a: "],
    ["a second head that takes too long", `${healthz}GET /healthz HTTP/1.1\r\nx-a: `],
    ["what follows a request to upgrade", healthz.replace("\r\n\r\n", "\r\nconnection: upgrade\r\nupgrade: a\r\n\r\n")],
    [
      "a body that takes too long",
      raw("/v1/auth/initiate", { "x-client-id": "a", "x-client-secret": "b" }, "").replace("length: 0", "length: 9999")
    ],
    ["what is no HTTP", "a\r\n\r\n"]
  ])("is disconnected: %s", async (_, written) => {
    service = await memory({ bounds: slow })
    const { hostname, port } = new URL(service.urls[0]!)
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    socket.on("error", () => {}).resume()
    socket.write(written)
    const timer = setInterval(() => socket.write("a"), 200)
    await gone(socket)
    clearInterval(timer)
  })
})

describe("the connection limit per address", () => {
  it("counts an IPv6 /48 as one client, and exempts proxies, this machine and private networks", () => {
    const proxies = Result.getOrThrow(ClientAddress.parseProxies(["203.0.113.9"]))
    const places = new ConnectionPlaces(8, isSharedBy(proxies))
    const leave = places.take("2001:db8:1:1::1")
    assert.isFunction(leave)
    assert.isFunction(places.take("2001:db8:1:2::1"))
    assert.strictEqual(places.take("2001:db8:1:3::1"), "ADDRESS")
    assert.isFunction(places.take("198.51.100.7"))
    for (const address of ["203.0.113.9", "::ffff:10.0.0.1", "127.0.0.1"]) assert.isFunction(places.take(address))
    assert.isFunction(places.take("203.0.113.9"))
    if (typeof leave === "function") leave()
    assert.isFunction(places.take("2001:db8:1:3::1"))
    assert.isFunction(places.take("192.168.0.1"))
    assert.strictEqual(places.take("203.0.113.9"), "ALL")
  })
})
