import { type AddressInfo, createServer, type Server } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Client, refused, uuid } from "./fixture/Client.ts"
import * as FreshDatabase from "./fixture/FreshDatabase.ts"
import { overProcesses, variablesFor } from "./fixture/Processes.ts"
import * as ServerProcess from "./fixture/ServerProcess.ts"

/** Counts every connection. */
class Trap {
  visits = 0
  readonly #servers: ReadonlyArray<Server>
  readonly port: number
  private constructor(servers: ReadonlyArray<Server>, port: number) {
    this.#servers = servers
    this.port = port
    for (const server of servers) {
      server.on("connection", (socket) => {
        this.visits++
        socket.destroy()
      })
    }
  }

  /** Listens on every address of this machine, IPv4 and IPv6 if available. */
  static async set(): Promise<Trap> {
    const listen = (host: string, port: number) =>
      new Promise<Server | undefined>((resolve) => {
        const server = createServer()
        server.once("error", () => resolve(undefined))
        server.listen({ host, port, ipv6Only: true }, () => resolve(server))
      })
    const four = await listen("0.0.0.0", 0)
    if (four === undefined) throw new Error("The trap cannot be set")
    const { port } = four.address() as AddressInfo
    const six = await listen("::", port)
    return new Trap(six === undefined ? [four] : [four, six], port)
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map((server) => new Promise((resolve) => server.close(resolve))))
  }
}

/** URLs that an attacker would register to reach the service's own network. */
const hosts = [
  "127.0.0.1",
  "127.0.0.2",
  "127.1",
  "2130706433",
  "0x7f000001",
  "0x7f.1",
  "0177.0.0.1",
  "%31%32%37.0.0.1",
  "127。0。0。1",
  "①②⑦.⓪.⓪.①",
  "0.0.0.0",
  "0",
  "10.0.0.1",
  "172.16.0.1",
  "192.168.0.1",
  "100.64.0.1",
  "169.254.169.254",
  "2852039166",
  "192.0.2.1",
  "198.18.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "[::]",
  "[::1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::127.0.0.1]",
  "[64:ff9b::7f00:1]",
  "[2002:7f00:1::1]",
  "[2001:0:7f00:1::80ff:fffe]",
  "[fc00::1]",
  "[fd00:ec2::254]",
  "[fe80::1]",
  "[ff02::1]",
  "[2001:db8::1]",
  "localhost",
  "LOCALHOST.",
  "app.localhost",
  "ｌｏｃａｌｈｏｓｔ",
  "local\u00adhost",
  "metadata.google.internal",
  "kubernetes.default.svc.cluster.local",
  "printer.local",
  "intranet"
]

/** URLs that two parsers understand differently. */
const urls = [
  "http://192.31.196.1:{port}/",
  "http://127.0.0.1:{port}/",
  "ftp://127.0.0.1:{port}/",
  "file:///etc/passwd",
  "gopher://127.0.0.1:{port}/_GET",
  "//127.0.0.1:{port}/",
  "https:127.0.0.1:{port}/",
  "https:///127.0.0.1:{port}/",
  "https:\\\\127.0.0.1:{port}\\",
  "https://192.31.196.1@127.0.0.1:{port}/",
  "https://192.31.196.1:443@127.0.0.1:{port}/",
  "https://127.0.0.1:{port}@192.31.196.1/",
  "https://192.31.196.1\\@127.0.0.1:{port}/",
  "https://127.0.0.1\t:{port}/",
  "ht\ntps://127.0.0.1:{port}/",
  "https://192.31.196.1:{port}/\r\nX-Injected: 1",
  "https://[fe80::1%25lo]:{port}/",
  "https://[::ffff:127.1]:{port}/",
  "https://127.0.0.1..:{port}/"
]

describe("a service that sends webhooks only to the public internet", () => {
  let database: FreshDatabase.FreshDatabase
  let server: ServerProcess.ServerProcess
  let client: Client
  let trap: Trap
  beforeAll(async () => {
    trap = await Trap.set()
    database = await FreshDatabase.make()
    server = await ServerProcess.serve(variablesFor(database.url))
    client = await overProcesses([server]).client()
  })
  afterAll(async () => {
    await server?.kill("SIGTERM")
    await trap?.close()
    await database?.drop()
  })

  /** The URLs themselves, and each host with the scheme and port of the trap. */
  const all = () => [
    ...hosts.flatMap((host) => [`https://${host}:${trap.port}/`, `https://${host}/`]),
    ...urls.map((url) => url.replace("{port}", String(trap.port)))
  ]

  it("rejects URLs of private addresses without connecting to them", async () => {
    const { id } = await client.webhook({ url: `https://192.31.196.1/${uuid()}` })
    for (const url of all()) {
      refused(await client.webhooks("", { url }), "INVALID_REQUEST", "url")
      refused(await client.webhooks(`/${id}`, { url }, "PATCH"), "INVALID_REQUEST", "url")
    }
    assert.lengthOf((await client.webhooks()).body.items, 1)
    assert.strictEqual(trap.visits, 0)
  })

  it("never sends to a private address that was saved while that was allowed", async () => {
    const { id } = await client.webhook({ url: `https://192.31.196.1/${uuid()}`, events: ["otp.expired"] })
    const { port } = trap
    const inside = [
      `https://127.0.0.1:${port}/`,
      `http://127.0.0.1:${port}/`,
      `https://[::1]:${port}/`,
      `https://[::ffff:7f00:1]:${port}/`,
      `https://0.0.0.0:${port}/`,
      `https://localhost:${port}/`,
      `https://app.localhost:${port}/`,
      "https://169.254.169.254/latest/meta-data/"
    ]
    for (const url of inside) {
      await database.query(`update webhook set url = '${url}' where id = '${id}'`)
      const { body } = await client.send({ method: "POST", path: `/v1/dashboard/webhooks/${id}/test` })
      assert.deepInclude(body, { status: "FAILED", responseStatus: null, responseBody: null })
      assert.isNotEmpty(body.error)
      assert.deepInclude(body.request, { url })
    }
    assert.strictEqual(trap.visits, 0)
  })

  it("would trigger the trap of this test if it connected", async () => {
    const before = trap.visits
    await fetch(`http://127.0.0.1:${trap.port}/`).catch(() => {})
    assert.isAbove(trap.visits, before)
  })
})
