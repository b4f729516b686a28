import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import type { OutgoingHttpHeaders } from "node:http"
import { connect as connectHttp2 } from "node:http2"
import { Agent, request } from "node:https"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { freePort } from "./embedded-postgres.ts"
import { isInstalled, type Place, proxies, type Proxy } from "./proxies/proxies.ts"
import { workspaceRoot } from "./workspace.ts"

/** As the configurations name it. */
const site = "verify.example.com"
const adminToken = "the-operator-of-this-check"
const folder = mkdtempSync(join(tmpdir(), "countersign-proxies-"))
chmodSync(folder, 0o755) // started as root, nginx works as another user
let failed = false
const step = (name: string, ok: boolean, found: unknown) => {
  failed ||= !ok
  console.log(`${ok ? "ok    " : "FAILED"} ${name}${ok ? "" : `: ${JSON.stringify(found)}`}`)
}

interface Call {
  readonly path: string
  readonly body?: unknown
  readonly method?: string
  readonly headers?: OutgoingHttpHeaders
  /** The address of this machine that it is called from. */
  readonly from?: string
  readonly agent?: Agent
  /** Ends a stream when what has come of it will do. */
  readonly until?: (text: string) => boolean
}

interface Answer {
  readonly status: number
  readonly text: string
  readonly reused: boolean
}

const send = (
  port: number,
  { agent, body, from = "127.0.0.2", headers, path, until, ...call }: Call
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const bytes = body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body)
    const asked = request(
      {
        host: "127.0.0.1",
        port,
        path,
        method: call.method ?? (bytes === undefined ? "GET" : "POST"),
        headers: { host: site, "content-type": "application/json", ...headers },
        servername: site,
        localAddress: from,
        rejectUnauthorized: false,
        agent: agent ?? false,
        timeout: 20_000
      },
      (response) => {
        let text = ""
        const done = () => resolve({ status: response.statusCode ?? 0, text, reused: asked.reusedSocket })
        response.setEncoding("utf8").on("data", (part: string) => {
          text += part
          if (until?.(text) === true) {
            done()
            asked.destroy()
          }
        })
        response.on("end", done)
      }
    )
    asked.on("timeout", () => asked.destroy(new Error("no answer in 20 s")))
    asked.on("error", (error) => resolve({ status: 0, text: error.message, reused: false }))
    asked.on("close", () => reject(new Error("closed without an answer")))
    asked.end(bytes)
  })

const started = async (child: ChildProcess, isUp: () => Promise<boolean>): Promise<void> => {
  let printed = ""
  child.stdout?.on("data", (text) => (printed += String(text)))
  child.stderr?.on("data", (text) => (printed += String(text)))
  for (let waited = 0; !(await isUp()); waited += 100) {
    if (child.exitCode !== null || waited > 60_000) throw new Error(`It did not start:\n${printed}`)
    await sleep(100)
  }
}

const stopped = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    child.once("close", () => resolve())
    child.kill("SIGTERM")
  })

/** Whether the server works. It listens before its database is there. */
const isReady = (server: string) =>
  fetch(`${server}/readyz`).then(
    ({ ok }) => ok,
    () => false
  )

/** A server that takes a request and closes the connection instead of answering. */
const dropper = async () => {
  let requests = 0
  const server = createServer((socket) => {
    socket.on("error", () => undefined)
    socket.on("data", (data) => {
      // Whoever asks for its health is told that it is well.
      if (data.toString().startsWith("GET")) return void socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
      requests++
      socket.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()))
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, requests: () => requests, server }
}

const http2Status = (port: number) =>
  new Promise<unknown>((resolve) => {
    const session = connectHttp2(`https://127.0.0.1:${port}`, { servername: site, rejectUnauthorized: false })
    session.on("error", (error) => resolve(error.message))
    const stream = session.request({ ":path": "/healthz", ":authority": site })
    stream.on("response", (headers) => {
      resolve(headers[":status"])
      session.close()
    })
    stream.resume()
  })

let people = 0
const number = () => `+9198765${String(++people).padStart(5, "0")}`

interface Keys {
  readonly clientId: string
  readonly clientSecret: string
  readonly publicKey: string
}

const newMerchant = async (url: string): Promise<{ readonly live: Keys; readonly test: Keys }> => {
  const response = await fetch(`${url}/v1/admin/merchants`, {
    method: "POST",
    headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "Proxied" })
  })
  return (await response.json()) as { readonly live: Keys; readonly test: Keys }
}

const headersOf = ({ clientId, clientSecret }: Keys) => ({ "x-client-id": clientId, "x-client-secret": clientSecret })

/** The headers of a signed-in agent. */
const newSession = async (server: string, keys: Record<string, string>): Promise<OutgoingHttpHeaders> => {
  const origin = { origin: `https://${site}` }
  const post = async (path: string, body: object | null, headers: Record<string, string>) => {
    const response = await fetch(`http://${server}/v1/dashboard${path}`, {
      method: "POST",
      headers: { ...headers, ...(body === null ? {} : { "content-type": "application/json" }) },
      body: body === null ? null : JSON.stringify(body)
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return { cookie: response.headers.get("set-cookie")?.split(";")[0], body: (await response.json()) as never }
  }
  const email = `agent-${++people}@example.com`
  const { id } = (await post("/agents", { email, role: "AGENT", status: "INVITED" }, keys)).body as { id: number }
  const { url } = (await post(`/agents/${id}/invite`, null, keys)).body as { url: string }
  const { cookie } = await post("/sessions/redeem", { token: url.split("#redeem=")[1] }, origin)
  return { ...origin, cookie }
}

const withProxy = async (proxy: Proxy, place: Place, use: (port: number) => Promise<void>) => {
  const file = join(place.folder, "configuration")
  writeFileSync(file, proxy.configuration(place))
  const child = spawn(proxy.program, proxy.args(file, place), {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], HOME: place.folder, XDG_DATA_HOME: place.folder }
  })
  try {
    await started(child, async () => (await send(place.port, { path: "/healthz" })).status === 200)
    await use(place.port)
  } finally {
    await stopped(child)
  }
}

const checkProxy = async (proxy: Proxy, server: string, place: Omit<Place, "port" | "servers">) => {
  const { live: liveKeys, test } = await newMerchant(`http://${server}`)
  const [keys, publicKey] = [headersOf(test), test.publicKey]
  const says = (name: string, ok: boolean, found: unknown) => step(`${proxy.name}: ${name}`, ok, found)
  const login = (body: object = {}) => ({
    path: "/v1/auth/initiate",
    headers: keys,
    body: { identity: number(), identityType: "MOBILE", mode: "OTP", ...body }
  })

  await withProxy(proxy, { ...place, port: await freePort(), servers: [server] }, async (port) => {
    const begun = await send(port, login())
    const { requestId } = JSON.parse(begun.text) as { readonly requestId: string }
    const over = await send(port, { path: "/v1/auth/verify", headers: keys, body: { requestId, otp: "123456" } })
    says("a login", over.text.includes('"verified":true'), over)

    const inside = await Promise.all(
      ["/metrics", "/readyz", "/v1/admin/merchants"].map(async (path) => {
        const { status, text } = await send(port, { path, headers: { authorization: `Bearer ${adminToken}` } })
        return { path, status, ours: text.includes("requestId") || text.includes("countersign") }
      })
    )
    says(
      "keeps what is for the operator from outside",
      inside.every(({ ours, status }) => status === 404 && !ours),
      inside
    )

    await send(port, {
      path: "/v1/dashboard/settings",
      method: "PATCH",
      headers: keys,
      body: { sdkInitiatesPerIpPerHour: 5 }
    })
    const app = (from: string, headers: OutgoingHttpHeaders = {}) =>
      send(port, {
        path: "/v1/sdk/auth/initiate",
        headers: { "x-public-key": publicKey, ...headers },
        body: { phone: number() },
        from
      })
    const own: Array<number> = []
    for (let i = 0; i < 5; i++) own.push((await app("127.0.0.2")).status)
    const beyond = await app("127.0.0.2")
    const forged = await app("127.0.0.2", { "x-forwarded-for": "203.0.113.9", forwarded: "for=203.0.113.9" })
    const other = await app("127.0.0.3")
    const statuses = [...own, beyond.status, forged.status, other.status]
    says(
      "limits count the caller's address, and no forged one",
      statuses.join() === "200,200,200,200,200,429,429,200",
      [statuses, beyond.text]
    )

    const live = send(port, {
      path: "/v1/dashboard/live",
      headers: keys,
      until: (text) => text.includes("event: verification")
    })
    const asking = setInterval(() => void send(port, login()), 300)
    const { text } = await live
    clearInterval(asking)
    says("an event of the live stream at once", text.includes("event: verification"), text)

    const long = (bytes: number, path = "/v1/dashboard/campaigns") =>
      send(port, { path, headers: keys, body: "x".repeat(bytes) })
    const small = await long(4_000_000)
    const large = await long(7_000_000)
    says(
      "a body of 4 MB is ours to judge, and one of 7 MB is not taken",
      small.text.includes("requestId") && !large.text.includes("requestId"),
      [small.text.slice(0, 200), large.status]
    )

    const session = await newSession(server, headersOf(liveKeys))
    const file = async (bytes: number) => {
      // Caddy counts a body that it cuts as a failure of the server, and leaves the server alone for two seconds.
      await sleep(2_500)
      return send(port, {
        path: "/v1/dashboard/leads/1/media",
        headers: { ...session, "x-environment": "test", "content-type": "application/octet-stream" },
        body: "x".repeat(bytes)
      })
    }
    const largest = await file(16_000_000)
    const larger = await file(18_500_000)
    says(
      "a file of 16 MB to a customer is ours to judge, and one of 18.5 MB is not taken",
      // Caddy passes a body on while it comes, so our own refusal may be first.
      largest.text.includes("LEAD_NOT_FOUND") && (larger.status === 413 || larger.status === 502),
      [largest.status, largest.text.slice(0, 200), larger.status, larger.text.slice(0, 200)]
    )

    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const kept: Array<Answer> = []
    for (let i = 0; i < 100; i++) kept.push(await send(port, { path: "/healthz", agent }))
    agent.destroy()
    const good = kept.filter(({ reused, status }, index) => status === 200 && (reused || index === 0)).length
    says("100 requests over one connection", good === 100, good)

    const status = await http2Status(port)
    says("HTTP/2", status === 200, status)
  })

  const bad = await dropper()
  await withProxy(proxy, { ...place, port: await freePort(), servers: [bad.address, server] }, async (port) => {
    const answered: Array<number> = []
    let repeated = 0
    for (let i = 0; i < 6; i++) {
      const orderId = `proxied-${proxy.program}-${i}`
      const before = bad.requests()
      const { status } = await send(port, login({ orderId }))
      answered.push(status)
      if (bad.requests() === before) continue
      const found = await send(port, { path: `/v1/auth/status?orderId=${orderId}`, headers: keys })
      if (found.status === 200) repeated++
    }
    says("a POST whose answer was lost is not sent to another server", bad.requests() > 0 && repeated === 0, [
      answered,
      bad.requests(),
      repeated
    ])
  })
  bad.server.close()

  const nobody = `127.0.0.1:${await freePort()}`
  await withProxy(proxy, { ...place, port: await freePort(), servers: [nobody, server] }, async (port) => {
    const answered: Array<number> = []
    for (let i = 0; i < 10; i++) answered.push((await send(port, login())).status)
    says(
      "a server that is down costs nobody an answer",
      answered.every((status) => status === 200),
      answered
    )
  })
}

const here = proxies.filter(({ name, program }) => {
  const found = isInstalled(program)
  if (!found) console.log(`skipped: no ${name} here`)
  return found
})

if (here.length > 0) {
  const [certificate, key] = [join(folder, "certificate.pem"), join(folder, "key.pem")]
  spawnSync(
    "openssl",
    [
      "req",
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:prime256v1",
      "-nodes",
      "-days",
      "1",
      "-subj",
      "/CN=verify.example.com",
      "-addext",
      "subjectAltName=DNS:verify.example.com,IP:127.0.0.1",
      "-keyout",
      key,
      "-out",
      certificate
    ],
    { stdio: "ignore" }
  )
  const port = await freePort()
  const server = spawn(process.execPath, [join(workspaceRoot, "packages/server/src/main.ts"), "serve"], {
    cwd: folder,
    env: {
      PATH: process.env["PATH"],
      HOME: folder,
      PORT: String(port),
      TRUSTED_PROXIES: "127.0.0.1",
      PUBLIC_URL: `https://${site}`,
      COUNTERSIGN_ADMIN_TOKEN: adminToken
    }
  })
  try {
    await started(server, () => isReady(`http://127.0.0.1:${port}`))
    for (const proxy of here) await checkProxy(proxy, `127.0.0.1:${port}`, { folder, certificate, key })
  } finally {
    await stopped(server)
    rmSync(folder, { recursive: true, force: true })
  }
}
process.exitCode = failed ? 1 : 0
