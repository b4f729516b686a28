import { Code, MasterKey } from "@countersign/core"
import { createHmac, randomUUID } from "node:crypto"
import { run, type Source } from "./Load.ts"
import { type HookStarted, secret, type ServiceStarted } from "./Service.ts"

type Keys = Pick<ServiceStarted, "clientId" | "clientSecret">

export const request = (method: string, path: string, { clientId, clientSecret }: Keys, body: string): string =>
  `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nx-client-id: ${clientId}\r\nx-client-secret: ${clientSecret}\r\n` +
  (body === "" ? "\r\n" : `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`)

/** Numbers of new people: 7, 8 or 9 and nine digits, each once, in no order. Those of filled tables begin with 6. */
const people = 3_000_000_000
const stride = 1_618_033_987
let person = Math.floor(Math.random() * 1_000_000)
export const newNumber = () => 7_000_000_000 + ((++person * stride) % people)

/** Sends codes to new people, and remembers the verifications if asked to. */
export const initiates = (service: ServiceStarted, remember?: (id: string) => void): Source => {
  const head = request("POST", "/v1/auth/initiate", service, "x").split("content-length")[0]!
  const body = (number: number) => `{"identity":"+91${number}","identityType":"MOBILE","mode":"OTP","channel":"SMS"}`
  const prefix = `${head}content-length: ${body(newNumber()).length}\r\n\r\n`
  return {
    next: () => prefix + body(newNumber()),
    ...(remember === undefined ? {} : { answered: (answer: string) => remember(idIn(answer)) })
  }
}

/** Supabase asks for the code of a new person each time, with a user as it sends them. */
export const hooks = ({ path, secret }: HookStarted): Source => {
  const key = Buffer.from(secret.replace(/^.*whsec_/, ""), "base64")
  return {
    next: () => {
      const phone = `91${newNumber()}`
      const user = { id: randomUUID(), aud: "authenticated", role: "authenticated", email: "", phone }
      const app_metadata = { provider: "phone", providers: ["phone"] }
      const body = JSON.stringify({
        metadata: { uuid: randomUUID(), time: new Date().toISOString(), name: "send-sms", ip_address: "203.0.113.7" },
        user: { ...user, app_metadata, user_metadata: { sub: user.id, phone_verified: false }, identities: [] },
        sms: { otp: "482913", sms_type: "sms" }
      })
      const [id, at] = [randomUUID(), Math.floor(Date.now() / 1000)]
      const signature = createHmac("sha256", key).update(`${id}.${at}.${body}`).digest("base64")
      return (
        `POST ${path} HTTP/1.1\r\nhost: localhost\r\nwebhook-id: ${id}\r\nwebhook-timestamp: ${at}\r\n` +
        `webhook-signature: v1,${signature}\r\ncontent-type: application/json\r\n` +
        `content-length: ${body.length}\r\n\r\n${body}`
      )
    },
    answered: (answer) => {
      if (answer !== "{}") throw new Error(`The service answered ${answer}`)
    }
  }
}

export const idIn = (answer: string) => {
  const at = answer.indexOf('"ver_')
  return answer.slice(at + 1, at + 31)
}

const key = new MasterKey(new Uint8Array(Buffer.from(secret, "hex")))

/** The right code of a verification. */
export const codeOf = (id: string): string => Code.derive(key, id, 6)

/** Enters a code for each verification once: the right one, or one that is wrong. */
export const verifies = (service: ServiceStarted, ids: ReadonlyArray<string>, right: boolean): Source => {
  let at = 0
  return {
    next: () => {
      const id = ids[at++]
      if (id === undefined) return null
      const otp = right ? codeOf(id) : "wrong"
      return request("POST", "/v1/auth/verify", service, `{"requestId":"${id}","otp":"${otp}"}`)
    },
    answered: (answer) => {
      if (answer.includes('"verified":true') !== right) throw new Error(`The service answered ${answer}`)
    }
  }
}

/** Reads verifications, each time any of them. */
export const statuses = (service: ServiceStarted, anyId: () => string): Source => {
  const [before, after] = request("GET", "/v1/auth/status?requestId=*", service, "").split("*") as [string, string]
  return { next: () => before + anyId() + after }
}

/** What the echo server is sent: the same headers and a body of the same length as an initiate's. */
export const echoes = (): Source =>
  initiates({ port: 0, clientId: `cs_live_${"0".repeat(24)}`, clientSecret: `sk_live_${"0".repeat(40)}` })

/** One answer to one request. */
export const once = async (port: number, source: Source): Promise<string> => {
  let answer = ""
  let sent = false
  const next = () => {
    if (sent) return null
    sent = true
    return source.next(0)
  }
  await run({
    port,
    connections: 1,
    millis: 10_000,
    cpu: () => Promise.resolve(0),
    source: { next, answered: (body) => (answer = body) }
  })
  return answer
}

/** Sends one code, and says which verification that made. */
export const initiateOne = async (service: ServiceStarted): Promise<string> =>
  idIn(await once(service.port, initiates(service)))
