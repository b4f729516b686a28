import { Clock, Effect, type Scope } from "effect"
import { createHash, createHmac, createPublicKey, verify } from "node:crypto"
import { http, type HttpAnswer } from "../channel/ProviderServer.ts"
import * as HttpSimulator from "./HttpSimulator.ts"

/** A send request to Vonage. */
export interface VonageWanted {
  readonly to: string
  readonly text: string
  readonly from: string
  readonly clientRef: string | null
  readonly webhookUrl: string | null
  /** The whole request. */
  readonly body: { readonly [name: string]: unknown }
}

export type VonageMessage = HttpSimulator.SimulatedMessage<VonageWanted>

export type VonageStatus = "submitted" | "delivered" | "read" | "rejected" | "undeliverable"

/** All options have defaults. */
export interface Options {
  readonly apiKey?: string
  readonly apiSecret?: string
  readonly signatureSecret?: string
  /**
   * An application, by its id and its public key in PEM. Its tokens are accepted in addition to the account's key and
   * secret.
   */
  readonly application?: { readonly id: string; readonly publicKey: string }
  readonly port?: number
}

/** A simulated Vonage. */
export interface VonageSimulator extends HttpSimulator.HttpSimulator<VonageWanted> {
  readonly apiKey: string
  readonly apiSecret: string
  readonly signatureSecret: string
  /** The report on a message, signed as Vonage does. */
  readonly report: (message: VonageMessage, status: VonageStatus, code?: number) => HttpSimulator.SimulatedReport
  /** Sends the report, and returns your service's response. */
  readonly deliver: (message: VonageMessage, status: VonageStatus, code?: number) => Effect.Effect<number | null>
}

const encoded = (value: string | Buffer) => Buffer.from(value).toString("base64url")

/** The token of a report: signed with the account's secret, over the hash of the body. */
export const sign = (
  secret: string,
  body: string,
  claims: { readonly [name: string]: unknown } = {},
  header: { readonly [name: string]: unknown } = { alg: "HS256", typ: "JWT" }
): string => {
  const hash = createHash("sha256").update(body).digest("hex")
  const head = encoded(JSON.stringify(header))
  const signed = `${head}.${encoded(JSON.stringify({ iss: "Vonage", jti: "1", payload_hash: hash, ...claims }))}`
  return `${signed}.${encoded(createHmac("sha256", secret).update(signed).digest())}`
}

const problem = (status: number, name: string, title: string, more: object = {}): HttpAnswer =>
  http(
    status,
    {
      type: `https://developer.vonage.com/api-errors#${name}`,
      title,
      detail: title,
      instance: "bf0ca0bf927b3b52",
      ...more
    },
    { "content-type": "application/problem+json" }
  )

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const isRecord = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const text = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null)

/**
 * Starts Vonage's Messages API on 127.0.0.1. It checks credentials and requests as Vonage does, stores accepted
 * messages, and reports back with signed webhooks.
 */
export const make = (options: Options = {}): Effect.Effect<VonageSimulator, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { apiKey = "abcd1234", apiSecret = "simulatedSecret1", application } = options
    const signatureSecret = options.signatureSecret ?? "simulated_signature_secret_0123456789abcdef"
    const clock = yield* Clock.Clock
    const seconds = () => Math.floor(clock.currentTimeMillisUnsafe() / 1000)

    const isApplication = (token: string): boolean => {
      const [head = "", claims = "", signature = ""] = token.split(".")
      if (application === undefined) return false
      const said = parsed(Buffer.from(claims, "base64url").toString("utf8"))
      const key = createPublicKey(application.publicKey)
      const isSigned = verify("sha256", Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, "base64url"))
      if (!isSigned || !isRecord(said) || said["application_id"] !== application.id) return false
      return typeof said["exp"] === "number" && said["exp"] > seconds()
    }

    const mayAsk = (authorization: string): boolean => {
      const basic = `Basic ${Buffer.from(`${apiKey}:${apiSecret}`, "utf8").toString("base64")}`
      return authorization === basic || (authorization.startsWith("Bearer ") && isApplication(authorization.slice(7)))
    }

    const read = ({ body, header, method, target }: HttpSimulator.SimulatorRequest): VonageWanted | HttpAnswer => {
      if (method !== "POST" || target !== "/v1/messages") return http(404, "<html>Not Found")
      if (!mayAsk(header("authorization") ?? "")) return problem(401, "unauthorized", "Unauthorized")
      const wanted = parsed(body)
      const invalid = (name: string) =>
        problem(422, "1020", "Invalid params", { invalid_parameters: [{ name, reason: "Invalid value" }] })
      if (!isRecord(wanted)) return problem(400, "bad-request", "Bad Request")
      const [to, from, words] = [text(wanted["to"]), text(wanted["from"]), text(wanted["text"])]
      if (wanted["channel"] !== "sms" || wanted["message_type"] !== "text") return invalid("channel")
      if (to === null || !/^[1-9]\d{6,14}$/.test(to)) return invalid("to")
      if (from === null) return invalid("from")
      if (words === null) return invalid("text")
      const clientRef = text(wanted["client_ref"])
      if ((clientRef?.length ?? 0) > 100) return invalid("client_ref")
      return { to: `+${to}`, text: words, from, clientRef, webhookUrl: text(wanted["webhook_url"]), body: wanted }
    }

    const simulator = yield* HttpSimulator.make<VonageWanted>(
      {
        read,
        newId: (n) => `aaaaaaaa-bbbb-4ccc-8ddd-${String(n).padStart(12, "0")}`,
        taken: ({ id }) => http(202, { message_uuid: id }),
        refused: () => problem(422, "1430", "Invalid recipient"),
        overloaded: {
          ...problem(429, "throttled", "Rate Limit Hit"),
          headers: { "content-type": "application/problem+json", "retry-after": "3" }
        }
      },
      options
    )

    const report = ({ id, wanted }: VonageMessage, status: VonageStatus, code?: number) => {
      const body = JSON.stringify({
        message_uuid: id,
        to: wanted.to.slice(1),
        from: wanted.from,
        timestamp: new Date(seconds() * 1000).toISOString(),
        status,
        channel: "sms",
        client_ref: wanted.clientRef,
        ...(code === undefined
          ? {}
          : { error: { type: `https://developer.vonage.com/api-errors/messages#${code}`, title: code, detail: "" } })
      })
      const token = sign(signatureSecret, body, { iat: seconds(), api_key: apiKey })
      return {
        url: wanted.webhookUrl ?? "",
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        body
      }
    }
    return {
      ...simulator,
      apiKey,
      apiSecret,
      signatureSecret,
      report,
      deliver: (message, status, code) => HttpSimulator.deliver(report(message, status, code))
    }
  })
