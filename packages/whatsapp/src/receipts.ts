import type { Receipt } from "@countersign/core/channel"
import { Option, Schema } from "effect"
import { aboutCode } from "./ErrorTable.ts"

const statuses: { readonly [status: string]: Receipt["status"] } = {
  sent: "SENT",
  delivered: "DELIVERED",
  read: "READ",
  // The recipient played a voice message.
  played: "READ",
  failed: "FAILED"
}

/** The format of Meta's ids and our references. Other characters are invalid, and some databases cannot store them. */
const Name = Schema.String.check(Schema.isPattern(/^[\x21-\x7e]{1,512}$/))
const decodeStatus = Schema.decodeUnknownOption(
  Schema.Struct({
    id: Name,
    status: Schema.String,
    biz_opaque_callback_data: Name,
    errors: Schema.optionalKey(Schema.Unknown)
  })
)
const decodeErrors = Schema.decodeUnknownOption(Schema.NonEmptyArray(Schema.Struct({ code: Schema.Int })))

/** Meta's code for a failed delivery, and its subject. */
const failureOf = (errors: unknown): Pick<Receipt, "because" | "providerCode"> =>
  Option.match(decodeErrors(errors), {
    onNone: () => ({ providerCode: null }),
    onSome: ([{ code }]) => {
      const because = aboutCode(code)
      return { providerCode: String(code), ...(because === undefined ? {} : { because }) }
    }
  })

/** None for a status without our reference or of an unused kind. `sender` is the number that the message was sent from. */
export const receiptOf = (item: unknown, sender: string): Option.Option<Receipt> =>
  Option.flatMap(decodeStatus(item), ({ biz_opaque_callback_data: reference, errors, id, status: said }) => {
    const status = Object.hasOwn(statuses, said) ? statuses[said] : undefined
    if (status === undefined) return Option.none()
    return Option.some({
      reference,
      sender,
      status,
      providerId: id,
      ...(status === "FAILED" ? failureOf(errors) : { providerCode: null })
    })
  })
