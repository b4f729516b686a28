import { assert, describe, it } from "@effect/vitest"
import { Identifier } from "../../src/index.ts"
import { MasterKey } from "../../src/foundation/secret/Keyring.ts"
import * as Reference from "../../src/message/sending/Reference.ts"

const deliveryId = Identifier.make("dlv", 1_800_000_000_000)

describe("a delivery reference", () => {
  it.each([
    ["ver", Identifier.make("ver", 1_800_000_000_000)],
    ["cmp", Identifier.make("cmp", 1_800_000_000_000)],
    ["lead", "lead_42"]
  ])("of an owner of the kind %s decodes to itself, and fits into every provider's field", (kind, ownerId) => {
    const reference = { environment: "live_000000000001", ownerId, deliveryId }
    const text = Reference.format(reference)
    const signed = Reference.sign(new MasterKey(new Uint8Array(32)), text, { callback: "vonage", sender: "" })
    // Vonage's `client_ref` is the shortest field.
    assert.match(signed, /^[a-z0-9._]{1,100}$/)
    assert.deepStrictEqual([Reference.parse(text), Reference.parse(signed)], [reference, reference])
    assert.strictEqual(Reference.ownerKind(reference), kind)
  })

  it("is decoded without a signature", () => {
    assert.deepStrictEqual(Reference.parse("env_1.ver_00000000000000000000000001.dlv_00000000000000000000000002"), {
      environment: "env_1",
      ownerId: "ver_00000000000000000000000001",
      deliveryId: "dlv_00000000000000000000000002"
    })
  })

  it.each([
    "",
    "env_1",
    `env_1.${deliveryId}`,
    `env_1.ver_1.${deliveryId}.x`,
    `env_1.ver_1.${deliveryId}\n`,
    `env_1.ver.${deliveryId}`,
    `env_1._1.${deliveryId}`,
    `env_1.VER_1.${deliveryId}`,
    `.ver_1.${deliveryId}`,
    "env_1.ver_1.dlv_1",
    `${"e".repeat(41)}.ver_1.${deliveryId}`
  ])("is not decoded from %j", (text) => {
    assert.isNull(Reference.parse(text))
  })
})
