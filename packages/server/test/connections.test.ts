import { connect, type Socket } from "node:net"
import { afterEach, assert, describe, it } from "vitest"
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

describe("a connection that is reset", () => {
  it("as soon as its request is written does not escape the limit on its address", async () => {
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
    // Those that were read too late to count are counted by now: the address has no place left after five at most.
    for (let i = 0; i < 6; i++) await app.initiate()
    assert.strictEqual((await app.initiate()).status, 429)
    const { body } = await client.get("/v1/dashboard/events?type=otp.initiated&limit=200")
    assert.lengthOf(body.items, 5)
  })
})

describe("connections", () => {
  it("without traffic, and of readers that do not read, are all closed while others are served", async () => {
    service = await memory({ bounds: { inactivity: 4_000, head: 3_000, request: 5_000 } })
    const head = raw("/v1/auth/verify", (await service.client()).credentials as never, " ".repeat(60_000))
    const trickle = (socket: Socket) => {
      const timer = setInterval(() => socket.write(" "), 40)
      socket.on("close", () => clearInterval(timer))
    }
    const slow: ReadonlyArray<(socket: Socket) => void> = [
      () => {},
      (socket) => socket.write("GET /healthz HT"),
      (socket) => socket.write("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n"),
      (socket) => {
        socket.write("GET /healthz HTTP/1.1\r\nx-a: ")
        trickle(socket)
      },
      (socket) => {
        socket.write(head.slice(0, 400))
        trickle(socket)
      }
    ]
    const lazy = (socket: Socket) => {
      socket.pause()
      socket.write("GET /docs HTTP/1.1\r\nhost: x\r\n\r\n".repeat(8))
    }
    const sockets = await Promise.all(
      Array.from({ length: 500 }, (_, i) =>
        opened((socket) => {
          if (i < 10) return lazy(socket)
          socket.resume()
          slow[i % slow.length]!(socket)
        })
      )
    )
    const client = await service.client()
    await Promise.all(Array.from({ length: 50 }, () => client.verified()))
    await Promise.all(sockets.slice(10).map(gone))
    // This one falls idle after the readers did, so that theirs is over when it is closed. They hear of it once they read.
    await gone(await opened((socket) => slow[2]!(socket.resume())))
    const page = (await service.send({ path: "/docs" })).text.length
    const read = await Promise.all(
      sockets.slice(0, 10).map(async (socket) => {
        let bytes = 0
        socket.on("data", (chunk) => (bytes += chunk.length)).resume()
        await gone(socket)
        return bytes
      })
    )
    for (const bytes of read) assert.isBelow(bytes, 8 * page)
  })

  it("beyond the bound are told to come back, and one that ends makes room", async () => {
    service = await memory({ bounds: { connections: 20 } })
    const sockets = await Promise.all(Array.from({ length: 20 }, () => opened()))
    const request = "GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n"
    const refused = await converse(service.urls[0]!, [request])
    assert.isTrue(refused.closed)
    assert.deepStrictEqual(
      refused.answers.map(({ headers, status, text }) => [status, headers["retry-after"], JSON.parse(text).errorCode]),
      [[503, "1", "INTERNAL_ERROR"]]
    )
    sockets[0]!.destroy()
    await until(
      () => converse(service.urls[0]!, [request], 1),
      ({ answers }) => answers[0]?.status === 200,
      { what: "room" }
    )
    for (const socket of sockets) socket.destroy()
  })
})
