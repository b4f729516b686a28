import { Effect, type Scope } from "effect"
import { http, type HttpAnswer } from "../channel/ProviderServer.ts"
import * as HttpSimulator from "./HttpSimulator.ts"

/** A send request to an MSG91 flow. */
export interface Msg91Wanted {
  readonly to: string
  /** The values of the template's variables, as MSG91 would fill them into the registered text. */
  readonly text: string
  readonly templateId: string
  readonly sender: string | null
  readonly crqid: string | null
}

export type Msg91Message = HttpSimulator.SimulatedMessage<Msg91Wanted>

/** All options have defaults. */
export interface Options {
  readonly authKey?: string
  /** The templates that it knows, by MSG91's own id. */
  readonly templateIds?: ReadonlyArray<string>
  readonly port?: number
  /** Where reports are sent, such as `https://verify.example.com/v1/callbacks/msg91`. */
  readonly callbackUrl?: string
  /** The header that the panel adds to each report. */
  readonly secretHeader?: readonly [name: string, value: string]
}

/** A simulated MSG91. */
export interface Msg91Simulator extends HttpSimulator.HttpSimulator<Msg91Wanted> {
  readonly authKey: string
  readonly templateId: string
  /** The report on a message, as the panel's webhook makes it. */
  readonly report: (message: Msg91Message, status: string) => HttpSimulator.SimulatedReport
  /** Sends the report, and returns your service's response. */
  readonly deliver: (message: Msg91Message, status: string) => Effect.Effect<number | null>
}

const error = (status: number, code: string, message: string): HttpAnswer =>
  http(status, { type: "error", code, message })

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

const known = new Set(["mobiles", "CRQID"])

/**
 * Starts MSG91's Flow API on 127.0.0.1: it checks the key, the template and the number, stores accepted messages, and
 * reports as the panel's webhook does. Like MSG91 it returns most errors with status 200.
 */
export const make = (options: Options = {}): Effect.Effect<Msg91Simulator, never, Scope.Scope> => {
  const { authKey = "simulatedAuthKey0123456789P1", callbackUrl, secretHeader } = options
  const templateIds = options.templateIds ?? ["6501a2b3d6fc0512ab34cd56"]
  const read = ({ body, header, method, target }: HttpSimulator.SimulatorRequest): Msg91Wanted | HttpAnswer => {
    if (method !== "POST" || target.replace(/\/$/, "") !== "/api/v5/flow") return http(404, "<html>Not Found")
    if (header("authkey") !== authKey) return error(401, "201", "Authentication failure")
    const wanted = parsed(body)
    const templateId = field(wanted, "template_id")
    const recipients = field(wanted, "recipients")
    const recipient: unknown = Array.isArray(recipients) ? recipients[0] : undefined
    const mobiles = field(recipient, "mobiles")
    if (typeof templateId !== "string" || !templateIds.includes(templateId)) {
      return error(200, "400", "template id missing or invalid")
    }
    if (typeof mobiles !== "string" || !/^[1-9]\d{6,14}$/.test(mobiles)) {
      return error(200, "101", `invalid mobile number ${String(mobiles)}`)
    }
    const sender = field(wanted, "sender")
    const crqid = field(wanted, "CRQID")
    const values = Object.entries(recipient as object).filter(([name]) => !known.has(name))
    return {
      to: `+${mobiles}`,
      text: values.map(([, value]) => String(value)).join(" "),
      templateId,
      sender: typeof sender === "string" ? sender : null,
      crqid: typeof crqid === "string" ? crqid : null
    }
  }
  return Effect.map(
    HttpSimulator.make<Msg91Wanted>(
      {
        read,
        newId: (n) => n.toString(16).padStart(24, "3"),
        taken: ({ id }) => http(200, { message: id, type: "success" }),
        refused: ({ to }) => error(200, "101", `invalid mobile number ${to}`),
        overloaded: { ...http(429, { type: "error", message: "Too Many Requests" }), headers: { "retry-after": "3" } }
      },
      options
    ),
    (simulator): Msg91Simulator => {
      const report = ({ id, wanted }: Msg91Message, status: string) => ({
        url: callbackUrl ?? "",
        headers: {
          "content-type": "application/json",
          ...(secretHeader === undefined ? {} : { [secretHeader[0]]: secretHeader[1] })
        },
        body: JSON.stringify({
          CRQID: wanted.crqid ?? "0",
          requestId: id,
          telNum: wanted.to.slice(1),
          status,
          failureReason: ""
        })
      })
      return {
        ...simulator,
        authKey,
        templateId: templateIds[0] ?? "",
        report,
        deliver: (message, status) => HttpSimulator.deliver(report(message, status))
      }
    }
  )
}
