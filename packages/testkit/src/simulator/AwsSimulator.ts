import { Effect, type Scope } from "effect"
import { createHash, createHmac, generateKeyPairSync, sign } from "node:crypto"
import { http, type HttpAnswer } from "../channel/ProviderServer.ts"
import * as HttpSimulator from "./HttpSimulator.ts"

/** A send request to SNS or SES. */
export interface AwsWanted {
  readonly service: "sns" | "ses"
  readonly to: string
  readonly text: string
  /** For SMS the attributes by name; for mails the headers. */
  readonly attributes: { readonly [name: string]: string }
  /** The whole request. */
  readonly body: unknown
}

export type AwsMessage = HttpSimulator.SimulatedMessage<AwsWanted>

/** All options have defaults. */
export interface Options {
  readonly accessKeyId?: string
  readonly secretAccessKey?: string
  readonly region?: string
  /** The topic that receives mail events. */
  readonly topicArn?: string
  /** Where the topic sends reports, such as `https://verify.example.com/v1/callbacks/aws`. */
  readonly callbackUrl?: string
  readonly port?: number
}

/** A simulator of SNS and SES, at the same address. */
export interface AwsSimulator extends HttpSimulator.HttpSimulator<AwsWanted> {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
  readonly topicArn: string
  /** A message of the topic, signed as SNS does. The given fields replace the defaults. */
  readonly signed: (fields: { readonly [name: string]: string }) => HttpSimulator.SimulatedReport
  /** The report on a mail. */
  readonly report: (message: AwsMessage, eventType: string, more?: object) => HttpSimulator.SimulatedReport
  /** Sends the report, and returns your service's response. */
  readonly deliver: (message: AwsMessage, eventType: string, more?: object) => Effect.Effect<number | null>
  /** The tokens of confirmed subscriptions. */
  readonly confirmed: Effect.Effect<ReadonlyArray<string>>
}

const hash = (text: string) => createHash("sha256").update(text).digest("hex")
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest()

/** Whether a request was signed with this secret (SigV4), for this service and region. */
const isSigned = (
  { body, header, method, target }: HttpSimulator.SimulatorRequest,
  secret: string,
  scope: { readonly accessKeyId: string; readonly region: string; readonly service: string }
): boolean => {
  const [, credential = "", names = "", signature = ""] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      header("authorization") ?? ""
    ) ?? []
  const [id, date = "", ...rest] = credential.split("/")
  const place = [scope.region, scope.service, "aws4_request"]
  if (id !== scope.accessKeyId || rest.join("/") !== place.join("/")) return false
  const headers = names.split(";").map((name) => `${name}:${(header(name) ?? "").trim()}\n`)
  const canonical = [method, target, "", headers.join(""), names, hash(body)].join("\n")
  const text = ["AWS4-HMAC-SHA256", header("x-amz-date") ?? "", [date, ...place].join("/"), hash(canonical)].join("\n")
  const key = [date, ...place].reduce<string | Buffer>((last, part) => hmac(last, part), `AWS4${secret}`)
  return hmac(key, text).toString("hex") === signature
}

const xml = (status: number, body: string): HttpAnswer => ({
  status,
  headers: { "content-type": "text/xml" },
  body: `<?xml version="1.0"?>\n${body}`
})

const snsError = (status: number, code: string, message: string): HttpAnswer =>
  xml(
    status,
    `<ErrorResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error><RequestId>r1</RequestId></ErrorResponse>`
  )

const sesError = (status: number, type: string, message: string): HttpAnswer =>
  http(status, { message }, { "x-amzn-errortype": type })

const field = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((at, name) => (typeof at === "object" && at !== null ? Reflect.get(at, name) : undefined), value)

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const readSms = (body: string): AwsWanted | HttpSimulator.Declined => {
  const form = new URLSearchParams(body)
  const [to, text] = [form.get("PhoneNumber") ?? "", form.get("Message") ?? ""]
  if (form.get("Action") !== "Publish") return snsError(400, "InvalidAction", "no such action")
  if (!/^\+[1-9]\d{6,14}$/.test(to)) return snsError(400, "InvalidParameter", `Invalid parameter: PhoneNumber ${to}`)
  if (text.trim() === "") return { ...snsError(400, "InvalidParameter", "Invalid parameter: Empty message"), to }
  const attributes: Record<string, string> = {}
  for (let n = 1; form.has(`MessageAttributes.entry.${n}.Name`); n++) {
    const entry = `MessageAttributes.entry.${n}`
    attributes[form.get(`${entry}.Name`) ?? ""] = form.get(`${entry}.Value.StringValue`) ?? ""
  }
  return { service: "sns", to, text, attributes, body: Object.fromEntries(form) }
}

const readMail = (body: string): AwsWanted | HttpAnswer => {
  const wanted = parsed(body)
  const [to] = Object.values(Object(field(wanted, "Destination", "ToAddresses")) as object)
  const text = field(wanted, "Content", "Simple", "Body", "Text", "Data")
  const headers = field(wanted, "Content", "Simple", "Headers")
  if (typeof to !== "string" || !/^[^\s@,]+@[^\s@,]+$/.test(to) || typeof text !== "string") {
    return sesError(400, "BadRequestException", "Illegal address")
  }
  const pairs = (Array.isArray(headers) ? headers : []).map((each): [string, string] => [
    String(field(each, "Name")),
    String(field(each, "Value"))
  ])
  return { service: "ses", to, text, attributes: Object.fromEntries(pairs), body: wanted }
}

/** Shared by all simulators, because creating it takes a while. */
let pair: ReturnType<typeof makePair> | undefined
const makePair = () => generateKeyPairSync("rsa", { modulusLength: 2048 })

const certificate = "/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem"

/**
 * Starts SNS's Publish and SES's SendEmail on 127.0.0.1. It checks signatures (SigV4) and requests, stores accepted
 * messages, and reports on mails as an SNS topic does: signed, with its key at a separate address.
 */
export const make = (options: Options = {}): Effect.Effect<AwsSimulator, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { accessKeyId = "AKIAIOSFODNN7EXAMPLE", region = "ap-south-1" } = options
    const secretAccessKey = options.secretAccessKey ?? "simulated/secret+access+key/0123456789abcd"
    const topicArn = options.topicArn ?? `arn:aws:sns:${region}:123456789012:mails`
    const confirmed: Array<string> = []
    pair ??= makePair()
    const { privateKey, publicKey } = pair

    const read = (request: HttpSimulator.SimulatorRequest): AwsWanted | HttpSimulator.Declined => {
      const { body, method, target } = request
      if (method === "GET" && target === certificate) {
        return http(200, publicKey.export({ type: "spki", format: "pem" }).toString())
      }
      if (method === "GET" && target.startsWith("/?Action=ConfirmSubscription")) {
        confirmed.push(new URLSearchParams(target.slice(2)).get("Token") ?? "")
        return xml(200, "<ConfirmSubscriptionResponse/>")
      }
      const service = target === "/" ? "sns" : target === "/v2/email/outbound-emails" ? "ses" : null
      if (method !== "POST" || service === null) return http(404, "<UnknownOperationException/>")
      if (!isSigned(request, secretAccessKey, { accessKeyId, region, service })) {
        const words = "The request signature we calculated does not match the signature you provided."
        return service === "sns"
          ? snsError(403, "SignatureDoesNotMatch", words)
          : sesError(403, "InvalidSignatureException", words)
      }
      return service === "sns" ? readSms(body) : readMail(body)
    }

    const simulator = yield* HttpSimulator.make<AwsWanted>(
      {
        read,
        newId: (n) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`,
        taken: ({ id, wanted }) =>
          wanted.service === "ses"
            ? http(200, { MessageId: id })
            : xml(
                200,
                `<PublishResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><PublishResult><MessageId>${id}</MessageId></PublishResult><ResponseMetadata><RequestId>r1</RequestId></ResponseMetadata></PublishResponse>`
              ),
        refused: ({ service, to }) =>
          service === "ses"
            ? sesError(400, "MessageRejected", `Email address is not verified: ${to}`)
            : snsError(400, "InvalidParameter", `Invalid parameter: PhoneNumber ${to}`),
        overloaded: {
          ...sesError(429, "TooManyRequestsException", "Rate exceeded"),
          headers: { "x-amzn-errortype": "TooManyRequestsException", "retry-after": "3" }
        }
      },
      options
    )

    const signed = (given: { readonly [name: string]: string }) => {
      const fields: Record<string, string> = {
        Type: "Notification",
        MessageId: "m1",
        TopicArn: topicArn,
        Message: "{}",
        Timestamp: "2026-11-23T00:00:00.000Z",
        SignatureVersion: "2",
        SigningCertURL: `${simulator.url}${certificate}`,
        ...given
      }
      const names =
        fields["Type"] === "Notification"
          ? ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"]
          : ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"]
      const text = names.flatMap((name) => (fields[name] === undefined ? [] : [`${name}\n${fields[name]}\n`])).join("")
      const signature = sign("sha256", Buffer.from(text, "utf8"), privateKey).toString("base64")
      return {
        url: options.callbackUrl ?? "",
        headers: {
          "content-type": "text/plain; charset=UTF-8",
          "x-amz-sns-message-type": fields["Type"] ?? "",
          "x-amz-sns-topic-arn": fields["TopicArn"] ?? ""
        },
        body: JSON.stringify({ Signature: signature, ...fields })
      }
    }
    const report = ({ id, wanted }: AwsMessage, eventType: string, more: object = {}) => {
      const headers = Object.entries(wanted.attributes).map(([name, value]) => ({ name, value }))
      const mail = { messageId: id, destination: [wanted.to], headersTruncated: false, headers }
      return signed({
        Subject: "Amazon SES Email Event Notification",
        Message: JSON.stringify({ eventType, mail, ...more })
      })
    }
    return {
      ...simulator,
      accessKeyId,
      secretAccessKey,
      region,
      topicArn,
      signed,
      report,
      deliver: (message, eventType, more) => HttpSimulator.deliver(report(message, eventType, more)),
      confirmed: Effect.sync(() => [...confirmed])
    }
  })
