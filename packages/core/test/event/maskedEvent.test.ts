import { assert, describe, it } from "@effect/vitest"
import { EventData } from "../../src/foundation/event/EventData.ts"
import type { Event, EventType } from "../../src/foundation/event/Event.ts"
import { maskedEvent } from "../../src/foundation/event/maskedEvent.ts"

const identity = "+919876543210"
const digits = "9876543210"
const address = "asha@example.com"

/** Every field with one of these names contains a person's number, in one of its stored forms. */
const personal: { readonly [field: string]: string } = {
  identity,
  contact: `91${digits}`,
  name: `Asha ${digits}`,
  text: `call ${digits}, or write to ${address}`,
  messageId: `wamid.HBgM${btoa(`91${digits}`)}`
}

/** A campaign has a name too. */
const isPersonal = (type: EventType, field: string) => personal[field] !== undefined && type !== "campaign.delivered"

const dataOf = (type: EventType): Event["data"] => {
  const fields = Object.keys((EventData[type] as { readonly fields: object }).fields)
  return Object.fromEntries(
    fields.map((field) => [
      field,
      field === "identityType" ? "MOBILE" : (isPersonal(type, field) && personal[field]) || "x"
    ])
  ) as unknown as Event["data"]
}

describe("a masked event", () => {
  it("of any type masks every number and address, and keeps all other fields", () => {
    for (const type of Object.keys(EventData) as Array<EventType>) {
      const data = dataOf(type)
      const event = { id: "evt_1", environment: "env", type, createdAt: 0, data } as Event
      const masked = maskedEvent(event, "IN")
      const text = JSON.stringify(masked)
      for (const secret of [identity, digits, address, btoa(`91${digits}`)]) assert.notInclude(text, secret, type)
      assert.sameMembers(Object.keys(masked.data), Object.keys(data))
      const same = Object.entries(data).filter(([field]) => !isPersonal(type, field))
      for (const [field, value] of same) assert.strictEqual((masked.data as never)[field], value)
    }
  })
})
