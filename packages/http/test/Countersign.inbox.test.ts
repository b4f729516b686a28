import { MemoryStorage } from "@countersign/core/memory"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { makeService, CountersignError } from "../src/index.ts"

type Made = Awaited<ReturnType<typeof makeService>>

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "done",
    (error: unknown) => (error instanceof CountersignError ? error.errorCode : String(error))
  )

describe("the inbox of an embedded service", () => {
  let countersign: Made
  beforeAll(async () => {
    const secret = "0c".repeat(32)
    countersign = await makeService({ storage: MemoryStorage.layer, channels: [], secret, environment: "test" })
  })
  afterAll(() => countersign.close())

  it("assigns leads and sends replies", async () => {
    const { agents, inbox, leads, savedReplies, teams } = countersign
    const asha = await agents.create({ email: "asha@example.com" })
    const sales = await teams.create({ name: "Sales", members: [asha.id] })
    const lead = await inbox.create({ phone: "+919876543210", name: "Ravi" })
    const given = await leads.assign(lead.id, { agentEmail: asha.email })
    assert.sameMembers(Object.keys(given), [
      "id",
      "contact",
      "name",
      "status",
      "assignedTo",
      "teamName",
      "origin",
      "lastMessageAt",
      "unreadCount"
    ])
    assert.strictEqual((await leads.moveToTeamByPhone({ phone: "9876543210", teamName: "SALES" })).teamName, "Sales")
    assert.deepStrictEqual(await leads.agents(), [{ id: 1, email: asha.email, role: "AGENT", status: "ACTIVE" }])
    assert.deepStrictEqual(await leads.teams(), [{ id: sales.id, name: "Sales" }])
    assert.lengthOf(await leads.list({ assignedTo: asha.email, page: 0, size: 1 }), 1)
    assert.lengthOf(await leads.list(), 1)
    await inbox.reply(lead.id, { template: "hello" })
    const note = await inbox.note(lead.id, { text: "Call back" })
    const { items } = await inbox.messages(lead.id, { limit: 10 })
    assert.includeDeepMembers([...items], [note])
    assert.lengthOf(items, 2)
    for (const what of ["close", "reopen", "read", "unread", "get"] as const) {
      assert.strictEqual((await inbox[what](lead.id)).status, what === "close" ? "CLOSED" : "OPEN")
    }
    assert.strictEqual((await inbox.list({ search: "rav" })).items[0]?.id, lead.id)
    const history = await inbox.history(lead.id)
    assert.deepStrictEqual(
      history.items.map(({ kind }) => kind),
      ["REOPENED", "CLOSED", "TEAM", "ASSIGNED", "CREATED"]
    )
    assert.strictEqual((await leads.assign(lead.id)).assignedTo, null)
    assert.deepStrictEqual((await teams.update(sales.id, { members: [] })).members, [])
    assert.strictEqual((await agents.update(asha.id, { status: "SUSPENDED" })).status, "SUSPENDED")
    const saved = await savedReplies.create({ name: "Hours", text: "9 to 6" })
    assert.strictEqual((await savedReplies.update(saved.id, { text: "Always" })).text, "Always")
    await savedReplies.delete(saved.id)
    await teams.delete(sales.id)
    await agents.delete(asha.id)
    const left = [await savedReplies.list(), await teams.list(), await agents.list()]
    for (const list of left) assert.deepStrictEqual(list, { items: [], nextCursor: null })
    assert.strictEqual(await codeOf(inbox.media(lead.id, note.id)), "MESSAGE_NOT_FOUND")
  })

  it("stores opt-outs", async () => {
    const { optOuts } = countersign
    const added = await optOuts.add({ phone: "98765 43210" })
    assert.strictEqual(added.phone, "+919876543210")
    assert.deepStrictEqual(await optOuts.list({ limit: 1 }), { items: [added], nextCursor: null })
    await optOuts.remove("+919876543210")
    assert.strictEqual(await codeOf(optOuts.remove("+919876543210")), "OPT_OUT_NOT_FOUND")
    assert.strictEqual(await codeOf(optOuts.add({ phone: "x" })), "INVALID_REQUEST")
  })

  it("fails with the error codes of the HTTP API for any input", async () => {
    const { agents, inbox, leads, numbers, teams } = countersign
    assert.strictEqual(await codeOf(leads.assign(99)), "LEAD_NOT_FOUND")
    assert.strictEqual(await codeOf(agents.get(99)), "AGENT_NOT_FOUND")
    assert.strictEqual(await codeOf(teams.get(99)), "TEAM_NOT_FOUND")
    assert.strictEqual(await codeOf(numbers.disconnect("1")), "NUMBER_NOT_FOUND")
    const connect = { phoneNumberId: "1", wabaId: "2", accessToken: "EAAG" }
    assert.strictEqual(await codeOf(numbers.connect(connect)), "WHATSAPP_CONNECT_FAILED")
    assert.deepStrictEqual((await numbers.list()).items, [])
    for (const bad of [0, -1, 1.5, 2 ** 31, 1e20, Number.NaN, "", "x", null, {}] as unknown as ReadonlyArray<never>) {
      for (const call of [inbox.get, inbox.close, inbox.messages, inbox.history, agents.get, teams.delete]) {
        assert.strictEqual(await codeOf(call(bad)), "INVALID_REQUEST")
      }
      assert.strictEqual(await codeOf(leads.assign(bad)), "INVALID_REQUEST")
    }
    for (const bad of [null, 1, "x", [], {}] as unknown as ReadonlyArray<never>) {
      for (const call of [
        leads.assignByPhone,
        leads.moveToTeamByPhone,
        inbox.create,
        agents.create,
        teams.create,
        numbers.connect
      ]) {
        assert.strictEqual(await codeOf(call(bad)), "INVALID_REQUEST")
      }
      assert.strictEqual(await codeOf(inbox.note(1, bad)), "INVALID_REQUEST")
    }
    for (const query of [{ page: -1 }, { size: 0 }, { size: 201 }, { page: 1e20 }, { size: "x" as never }]) {
      assert.strictEqual(await codeOf(leads.list(query)), "INVALID_REQUEST")
    }
  })
})
