import { type CallbackAnswer, CallbackRefused, type CallbackRequest, type Receipt } from "@countersign/core/channel"
import { Effect, Redacted, Schema } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"

/** A report of the gateway about several messages, in any order, sometimes repeated. */
const Report = Schema.fromJsonString(
  Schema.Struct({
    reports: Schema.Array(
      Schema.Struct({
        id: Schema.String,
        reference: Schema.String,
        status: Schema.String,
        code: Schema.optionalKey(Schema.String)
      })
    )
  })
)
const decode = Schema.decodeUnknownEffect(Report)

const statuses: { readonly [status: string]: Receipt["status"] } = {
  submitted: "SENT",
  delivered: "DELIVERED",
  expired: "FAILED",
  rejected: "FAILED",
  undelivered: "FAILED"
}

const heard = (receipts: ReadonlyArray<Receipt>): CallbackAnswer => ({
  status: 200,
  contentType: "text/plain",
  body: "ok",
  receipts,
  inbound: []
})

export const sign = (secret: Redacted.Redacted, body: Uint8Array) =>
  createHmac("sha256", Redacted.value(secret)).update(body).digest()

const isGenuine = (secret: Redacted.Redacted, { body, header }: CallbackRequest) => {
  const given = Buffer.from(header("x-gateway-signature") ?? "", "hex")
  const right = sign(secret, body)
  return given.length === right.length && timingSafeEqual(given, right)
}

/** Reads a report with a valid signature, and refuses all others. */
export const receive =
  (secret: Redacted.Redacted) =>
  (request: CallbackRequest): Effect.Effect<CallbackAnswer, CallbackRefused> => {
    if (!isGenuine(secret, request)) return Effect.fail(new CallbackRefused({ provider: "gateway" }))
    return decode(new TextDecoder().decode(request.body)).pipe(
      Effect.map(({ reports }) =>
        reports.flatMap(({ code = null, id, reference, status }): ReadonlyArray<Receipt> => {
          const known = Object.hasOwn(statuses, status) ? statuses[status]! : null
          return known === null ? [] : [{ reference, status: known, providerId: id, providerCode: code }]
        })
      ),
      // Accept a report that cannot be read: the gateway would only repeat it.
      Effect.match({ onFailure: () => heard([]), onSuccess: heard })
    )
  }
