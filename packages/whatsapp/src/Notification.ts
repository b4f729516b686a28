import type { Inbound, Receipt, TemplateName } from "@countersign/core/channel"
import { Option, Schema } from "effect"
import { contactsOf, inboundOf } from "./inbound.ts"
import { receiptOf } from "./receipts.ts"

/** The contents of a Meta webhook that this adapter uses. */
export interface Notification {
  readonly receipts: ReadonlyArray<Receipt>
  readonly inbound: ReadonlyArray<Inbound.Inbound>
  /** Templates whose status changed. */
  readonly templates: ReadonlyArray<TemplateName>
}

export const nothing: Notification = { receipts: [], inbound: [], templates: [] }

const Items = Schema.Array(Schema.Unknown)

const decodeEnvelope = Schema.decodeUnknownOption(
  Schema.Struct({ object: Schema.Literal("whatsapp_business_account"), entry: Items })
)
const decodeEntry = Schema.decodeUnknownOption(Schema.Struct({ changes: Items }))
const decodeChange = Schema.decodeUnknownOption(
  Schema.Struct({
    field: Schema.Literal("messages"),
    value: Schema.Struct({
      metadata: Schema.Struct({ phone_number_id: Schema.String.check(Schema.isPattern(/^\d{1,32}$/)) }),
      statuses: Schema.optionalKey(Schema.Unknown),
      messages: Schema.optionalKey(Schema.Unknown),
      contacts: Schema.optionalKey(Schema.Unknown)
    })
  })
)
const decodeTemplate = Schema.decodeUnknownOption(
  Schema.Struct({
    field: Schema.Literals(["message_template_status_update", "template_category_update"]),
    value: Schema.Struct({
      message_template_name: Schema.String.check(Schema.isPattern(/^[a-z0-9_]{1,512}$/)),
      message_template_language: Schema.String.check(Schema.isPattern(/^[A-Za-z_]{2,16}$/))
    })
  })
)
const decodeItems = Schema.decodeUnknownOption(Items)
const itemsOf = (value: unknown): ReadonlyArray<unknown> => Option.getOrElse(decodeItems(value), () => [])
/**
 * Reads a webhook item by item and skips unreadable items, because Meta resends a whole webhook that is not answered with
 * 200. Core checks that a status comes from the number that sent the message, because merchants connect and disconnect
 * numbers at any time.
 */
export const read = (body: unknown, now: number): Notification => {
  const entries = Option.match(decodeEnvelope(body), { onNone: () => [], onSome: ({ entry }) => entry })
  const changes = entries.flatMap((entry) =>
    Option.match(decodeEntry(entry), { onNone: () => [], onSome: ({ changes }) => changes })
  )
  const values = changes.flatMap((change) => Option.toArray(decodeChange(change))).map(({ value }) => value)
  return {
    templates: changes
      .flatMap((change) => Option.toArray(decodeTemplate(change)))
      .map(({ value }) => ({ name: value.message_template_name, language: value.message_template_language })),
    receipts: values.flatMap(({ metadata, statuses }) =>
      itemsOf(statuses).flatMap((item) => Option.toArray(receiptOf(item, metadata.phone_number_id)))
    ),
    inbound: values.flatMap(({ contacts, messages, metadata }) => {
      const known = contactsOf(itemsOf(contacts))
      return itemsOf(messages).flatMap((item) => Option.toArray(inboundOf(item, known, metadata.phone_number_id, now)))
    })
  }
}
