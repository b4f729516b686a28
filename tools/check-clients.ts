import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { between } from "./clients/Between.ts"
import { type Client, clients, lacking, pythonIdToken } from "./clients/clients.ts"
import { forgeries } from "./clients/forgeries.ts"
import { workspaceRoot } from "./workspace.ts"

const place = mkdtempSync(join(tmpdir(), "countersign-clients-"))
const proxy = await between()
let failed = false
const step = (name: string, ok: boolean, output: string) => {
  failed ||= !ok
  console.log(`${ok ? "ok    " : "FAILED"} ${name}`)
  if (!ok) console.log(output.trim())
}

interface Keys {
  readonly id: string
  readonly secret: string
}

/** Runs an example to its end, with what a person types. */
const run = (client: Client, keys: Keys, args: ReadonlyArray<string>, typed: string) =>
  new Promise<{ readonly ok: boolean; readonly output: string }>((resolve) => {
    const [program, ...first] = client.command
    const child = spawn(program, [...first, ...args], {
      cwd: client.folder,
      env: {
        ...process.env,
        CS_URL: proxy.url,
        CS_CLIENT_ID: keys.id,
        CS_CLIENT_SECRET: keys.secret,
        GOPROXY: "off",
        GOTOOLCHAIN: "local",
        PYTHONDONTWRITEBYTECODE: "1"
      }
    })
    let output = ""
    child.stdout.on("data", (text) => (output += String(text)))
    child.stderr.on("data", (text) => (output += String(text)))
    child.stdin.on("error", () => undefined) // it may end before it has read everything
    child.stdin.end(typed)
    child.once("error", (error) => resolve({ ok: false, output: error.message }))
    child.once("close", (code) => resolve({ ok: code === 0, output }))
  })

const serve = async () => {
  const child = spawn(process.execPath, [join(workspaceRoot, "packages/server/src/main.ts"), "serve"], {
    cwd: place,
    env: { PATH: process.env["PATH"], HOME: place, PORT: "0", HOST: "127.0.0.1", PUBLIC_URL: proxy.url },
    stdio: ["ignore", "pipe", "pipe"]
  })
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()))
  let printed = ""
  child.stderr.on("data", (text) => (printed += String(text)))
  for await (const line of createInterface({ input: child.stdout })) {
    printed += `${line}\n`
    const url = /Countersign is ready at (\S+)/.exec(printed)?.[1]
    const test = printed.slice(printed.indexOf("\ntest"))
    const value = (name: string) => new RegExp(`${name} +(\\S+)`).exec(test)?.[1]
    const [id, secret] = [value("X-Client-Id"), value("X-Client-Secret")]
    if (url === undefined || id === undefined || secret === undefined) continue
    child.stdout.resume()
    const stop = async () => {
      child.kill("SIGTERM")
      await ended
    }
    return { url, keys: { id, secret }, stop }
  }
  throw new Error(`The server ended before it was ready:\n${printed}`)
}

let last = 0
/** A number that nobody has asked a code for. */
const number = () => `+9198765${String(++last).padStart(4, "1")}1`

const login = async (client: Client, keys: Keys) => {
  const to = number()
  const right = await run(client, keys, [to], "000000\n123456\n")
  step(
    `${client.name} verifies a number at the second try`,
    right.ok && right.output.trimEnd().endsWith(`signed in ${to}`) && /attempt/i.test(right.output),
    right.output
  )
  const nobody = await run(client, { ...keys, secret: "sk_test_wrong" }, [number()], "123456\n")
  step(
    `${client.name} says why it is refused`,
    !nobody.ok && nobody.output.includes("INVALID_CLIENT_CREDENTIALS"),
    nobody.output
  )
  for (const [name, forge] of Object.entries(forgeries)) {
    proxy.change = (token) => forge(token, "+919876500000")
    const forged = await run(client, keys, [number()], "123456\n")
    step(`${client.name} does not believe ${name}`, !forged.ok && !forged.output.includes("signed in"), forged.output)
    proxy.change = null
  }
}

const tokenOf = async (keys: Keys, to: string) => {
  const post = async (path: string, body: object) => {
    const headers = { "x-client-id": keys.id, "x-client-secret": keys.secret, "content-type": "application/json" }
    const response = await fetch(proxy.url + path, { method: "POST", headers, body: JSON.stringify(body) })
    return (await response.json()) as { readonly requestId: string; readonly idToken: string }
  }
  const { requestId } = await post("/v1/auth/initiate", { identity: to, identityType: "MOBILE", mode: "OTP" })
  return (await post("/v1/auth/verify", { requestId, otp: "123456" })).idToken
}

const python = async (keys: Keys) => {
  const to = number()
  const token = await tokenOf(keys, to)
  const ask = (given: string, id = keys.id) => run(pythonIdToken, keys, [given, proxy.url, id], "")
  const good = await ask(token)
  step(`${pythonIdToken.name} is read`, good.ok && good.output.trim() === to, good.output)
  const other = await ask(token, "cs_test_somebody_else")
  step(`${pythonIdToken.name} is not believed for another client`, !other.ok, other.output)
  for (const [name, forge] of Object.entries(forgeries)) {
    const forged = await ask(forge(token, "+919876500000"))
    step(`${pythonIdToken.name} is not believed with ${name}`, !forged.ok, forged.output)
  }
}

const server = await serve()
proxy.to = server.url
try {
  for (const client of [...clients, pythonIdToken]) {
    const missing = lacking(client)
    if (missing !== null) console.log(`skipped: ${client.name}, because here fails: ${missing}`)
    else await (client === pythonIdToken ? python(server.keys) : login(client, server.keys))
  }
} finally {
  await server.stop()
  proxy.close()
  rmSync(place, { recursive: true, force: true })
}
process.exitCode = failed ? 1 : 0
