import { fileURLToPath } from "node:url"
import { freePort } from "../../tools/embedded-postgres.ts"
import { Child } from "./Child.ts"
import { run } from "./Load.ts"
import { type Login, Logins, type LoginsResult } from "./Logins.ts"
import type { Postgres } from "./Postgres.ts"
import { codeOf, idIn, newNumber, request } from "./Requests.ts"
import { secret } from "./Service.ts"

export type Way = "phone" | "email"

/** A service that logs people in, in a process and a database of its own. */
export class Peer {
  readonly #child: Child
  readonly #postgres: Postgres
  readonly #database: string
  readonly #port: number

  constructor(child: Child, postgres: Postgres, database: string, port: number) {
    this.#child = child
    this.#postgres = postgres
    this.#database = database
    this.#port = port
  }

  /** Fails if a request fails, or if the service logs anything. */
  async logins(login: Login, connections: number, seconds: number): Promise<LoginsResult> {
    const explain = (what: string) =>
      new Error([what, this.#child.complaint ?? "", ...this.#postgres.errors(this.#database)].join("\n"))
    const logins = new Logins(login)
    const result = await run({
      port: this.#port,
      connections,
      millis: 1000 * seconds,
      source: logins.source,
      cpu: () => this.#child.cpu()
    }).catch((error) => {
      throw explain(String(error))
    })
    if (this.#child.complaint !== undefined) throw explain("The service complains")
    return logins.result(result)
  }

  /** Bytes of memory that the process holds. */
  memory(): Promise<number> {
    return this.#child.ask("memory")
  }

  async stop(): Promise<void> {
    await this.#child.stop()
    await this.#postgres.dropDatabase(this.#database)
  }
}

const common = { PATH: process.env["PATH"], NODE_ENV: "production" }
const preload = "../peers/answers.mjs"

const start = async (child: Child, postgres: Postgres, database: string, port: number): Promise<Peer> => {
  try {
    await child.printed("ready at")
  } catch (error) {
    await child.stop()
    throw error
  }
  return new Peer(child, postgres, database, port)
}

const identities: Readonly<Record<Way, () => string>> = {
  phone: () => `+91${newNumber()}`,
  email: () => `guest${newNumber()}@example.com`
}

const expecting = (text: string) => (answer: string) => {
  if (!answer.includes(text)) throw new Error(`The service answered ${answer}`)
}

/** Countersign's server from its bundle, with channels that accept every message immediately. */
export const startCountersign = async (postgres: Postgres) => {
  const database = "countersign_peer"
  await postgres.createDatabase(database)
  const port = await freePort()
  const keys = { clientId: "cs_live_of_the_benchmark", clientSecret: "sk_live_of_the_benchmark_and_nobody_else" }
  const env = {
    ...common,
    PORT: String(port),
    DATABASE_URL: postgres.url(database),
    COUNTERSIGN_SECRET: secret,
    COUNTERSIGN_CLIENT_ID: keys.clientId,
    COUNTERSIGN_CLIENT_SECRET: keys.clientSecret,
    COUNTERSIGN_PUBLIC_KEY: "pk_live_of_the_benchmark",
    COUNTERSIGN_CHANNELS: fileURLToPath(new URL("../peers/countersign/channels.mjs", import.meta.url))
  }
  const child = new Child("../../bundle/main.js", { args: ["serve"], env, preload })
  const peer = await start(child, postgres, database, port)
  const names = { phone: { type: "MOBILE", channel: "SMS" }, email: { type: "EMAIL", channel: "EMAIL" } }
  const login = (way: Way): Login => {
    const { channel, type } = names[way]
    return {
      newIdentity: identities[way],
      send: (identity) =>
        request(
          "POST",
          "/v1/auth/initiate",
          keys,
          `{"identity":"${identity}","identityType":"${type}","mode":"OTP","channel":"${channel}"}`
        ),
      verify: (_, answer) => {
        const id = idIn(answer)
        return request("POST", "/v1/auth/verify", keys, `{"requestId":"${id}","otp":"${codeOf(id)}"}`)
      },
      check: expecting('"verified":true')
    }
  }
  return { peer, login }
}

/** Codes that better-auth's process reports when it sends them. The answer to the request may arrive earlier. */
class Codes {
  readonly #codes = new Map<string, string>()
  readonly #waiting = new Map<string, (code: string) => void>()

  readonly hear = ({ code, identity }: { readonly code: string; readonly identity: string }) => {
    const waiting = this.#waiting.get(identity)
    if (waiting === undefined) this.#codes.set(identity, code)
    else waiting(code)
  }

  take(identity: string): string | Promise<string> {
    const code = this.#codes.get(identity)
    this.#codes.delete(identity)
    if (code !== undefined) return code
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error("better-auth sent no code within 10 seconds")), 10_000)
      this.#waiting.set(identity, (sent) => {
        clearTimeout(late)
        this.#waiting.delete(identity)
        resolve(sent)
      })
    })
  }
}

interface Flow {
  readonly way: Way
  readonly send: (identity: string) => readonly [path: string, body: string]
  readonly verify: (identity: string, code: string) => readonly [path: string, body: string]
  /** What the last answer contains if the code was accepted. */
  readonly accepted: string
}

const sendPhone: Flow["send"] = (identity) => ["/api/auth/phone-number/send-otp", `{"phoneNumber":"${identity}"}`]
const phoneBody = (identity: string, code: string) => `{"phoneNumber":"${identity}","code":"${code}"}`

/** better-auth's logins. `code` stops when the code is checked: it makes no user and no session. */
export const flows = {
  phone: {
    way: "phone",
    send: sendPhone,
    verify: (identity, code) => ["/api/auth/phone-number/verify", phoneBody(identity, code)],
    accepted: '"token":"'
  },
  code: {
    way: "phone",
    send: sendPhone,
    verify: (identity, code) => ["/consume", phoneBody(identity, code)],
    accepted: '"status":true'
  },
  email: {
    way: "email",
    send: (identity) => ["/api/auth/email-otp/send-verification-otp", `{"email":"${identity}","type":"sign-in"}`],
    verify: (identity, code) => ["/api/auth/sign-in/email-otp", `{"email":"${identity}","otp":"${code}"}`],
    accepted: '"token":"'
  }
} as const satisfies Record<string, Flow>

/** better-auth with one of its plugins. The database's `search_path` is Postgres's default, without our schema. */
export const startBetterAuth = async (postgres: Postgres, way: Way) => {
  const database = `better_auth_${way}`
  await postgres.createDatabase(database, { search_path: "public" })
  const port = await freePort()
  const codes = new Codes()
  const child = new Child("../peers/better-auth/server.mjs", {
    env: { ...common, PORT: String(port), DATABASE_URL: postgres.url(database), PLUGIN: way },
    preload,
    hear: codes.hear
  })
  const peer = await start(child, postgres, database, port)
  const post = ([path, body]: readonly [path: string, body: string]) =>
    `POST ${path} HTTP/1.1\r\nhost: localhost:${port}\r\ncontent-type: application/json\r\n` +
    `content-length: ${body.length}\r\n\r\n${body}`
  const login = ({ accepted, send, verify }: Flow): Login => ({
    newIdentity: identities[way],
    send: (identity) => post(send(identity)),
    verify: (identity) => {
      const code = codes.take(identity)
      if (typeof code === "string") return post(verify(identity, code))
      return code.then((late) => post(verify(identity, late)))
    },
    check: expecting(accepted)
  })
  return { peer, login }
}
