import { MemoryStorage } from "@countersign/core/memory"
import { assert, it } from "vitest"
import { makeService, CountersignError } from "../src/index.ts"

it("an embedded service stores templates and sender ids, and validates them as the HTTP API does", async () => {
  const countersign = await makeService({
    storage: MemoryStorage.layer,
    channels: [],
    secret: "00".repeat(32),
    environment: "test"
  })
  const { senderIds, templates } = countersign
  const fails = (promise: Promise<unknown>) =>
    promise.then(
      () => "nothing",
      (error: unknown) => (error instanceof CountersignError ? error.errorCode : String(error))
    )
  const made = await templates.create({ name: "default", channel: "SMS", body: "{{code}} here" })
  assert.deepStrictEqual((await templates.list()).items, [made])
  assert.deepStrictEqual(await templates.get(made.id), made)
  assert.strictEqual((await templates.update(made.id, { body: "{{code}} there" })).version, 2)
  assert.strictEqual((await templates.previewOf(made.id, { values: { code: "482913" } })).text, "482913 there")
  assert.strictEqual((await templates.preview({ channel: "SMS", body: "{{code}}" })).text, "XXXXXX")
  assert.strictEqual(
    await fails(templates.create({ name: "default", channel: "SMS", body: "{{code}}" })),
    "DUPLICATE_TEMPLATE"
  )
  assert.strictEqual(await fails(templates.create({} as never)), "INVALID_REQUEST")
  assert.strictEqual(await fails(templates.submit(made.id)), "INVALID_REQUEST")
  await templates.delete(made.id)
  assert.strictEqual(await fails(templates.get(made.id)), "TEMPLATE_NOT_FOUND")
  assert.strictEqual((await senderIds.create({ header: "ACMEIN" })).header, "ACMEIN")
  assert.strictEqual((await senderIds.list()).items.length, 1)
  assert.strictEqual(await fails(senderIds.create({ header: "ACMEIN" })), "DUPLICATE_SENDER_ID")
  await senderIds.delete("ACMEIN")
  assert.strictEqual(await fails(senderIds.delete("ACMEIN")), "SENDER_ID_NOT_FOUND")
  await countersign.close()
})
