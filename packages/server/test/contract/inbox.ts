import { assert, describe, it } from "vitest"
import { email, phone, refused } from "../fixture/Client.ts"
import { Inbox } from "../fixture/Inbox.ts"
import type { Service } from "../fixture/Service.ts"
import type { Once } from "./Once.ts"

const ids = (items: ReadonlyArray<any>): ReadonlyArray<any> => items.map(({ id }) => id)
const utc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const noText = [undefined, null, "", " ", "x".repeat(4_097), 7, [], {}, "a\0b", "\ud800"]

/** The dashboard's inbox: conversations, agents, teams, saved replies. */
export const suite = (service: () => Service, once: Once) => {
  const inbox = async () => new Inbox(await service().client())

  describe("the inbox", () => {
    once("creates each customer once, with the number that sends the messages", async () => {
      const box = await inbox()
      const number = phone()
      const entered = await box.entered({ phone: `${number.slice(0, 3)} ${number.slice(3)}`, name: " Ravi Kumar " })
      const { createdAt, person, ...lead } = entered
      assert.match(createdAt, utc)
      assert.match(person, /^per_/)
      assert.deepStrictEqual(lead, {
        id: 1,
        contact: number.slice(1),
        name: "Ravi Kumar",
        status: "OPEN",
        assignedTo: null,
        teamName: null,
        labels: [],
        origin: "LEAD",
        lastMessageAt: null,
        unreadCount: 0,
        campaignId: null,
        referral: null,
        lastInboundAt: null,
        waitingSince: null,
        snoozedUntil: null
      })
      assert.deepStrictEqual(await box.lead(1), entered)
      refused(await box.dashboard("/leads", { phone: number.slice(3) }), "INVALID_REQUEST", "phone")
      const same = phone()
      const answers = await Promise.all(Array.from({ length: 10 }, () => box.dashboard("/leads", { phone: same })))
      assert.lengthOf(
        answers.filter(({ status }) => status === 201),
        1
      )
      assert.lengthOf((await box.list()).items, 2)
    })

    it("lists every lead once across pages, by status, owner and team", async () => {
      const box = await inbox()
      const [agent, team] = [await box.agent(), await box.team()]
      const leads = await Promise.all(Array.from({ length: 12 }, () => box.entered()))
      for (const id of [3, 5, 7, 9]) await box.active(id)
      for (const id of [1, 5, 9]) await box.assign(id, agent.email)
      for (const id of [5, 7]) await box.move(id, team.name)
      for (const id of [2, 9]) await box.command(id, "close")
      for (const limit of [1, 5, 12, 200]) {
        const all = ids(await box.all("/leads", { limit }))
        assert.deepStrictEqual(
          [...new Set(all)].toSorted((a, b) => a - b),
          ids(leads).toSorted((a, b) => a - b)
        )
        assert.deepStrictEqual(all.slice(0, 5), [9, 7, 5, 3, 12])
      }
      const of = async (query: Parameters<Inbox["all"]>[1]) => new Set(ids(await box.all("/leads", query)))
      assert.deepStrictEqual(await of({ status: "CLOSED" }), new Set([9, 2]))
      assert.deepStrictEqual(await of({ assignedTo: agent.email }), new Set([9, 5, 1]))
      assert.deepStrictEqual(await of({ assignedTo: agent.email, status: "OPEN" }), new Set([5, 1]))
      assert.deepStrictEqual(await of({ team: team.name.toUpperCase() }), new Set([7, 5]))
      assert.deepStrictEqual(await of({ team: team.name, unassignedOnly: true }), new Set([7]))
      assert.deepStrictEqual(await of({ assignedTo: agent.email, unassignedOnly: true }), new Set())
      const first = await box.list({ limit: 5 })
      assert.sameMembers(Object.keys(first), ["items", "nextCursor", "more"])
      assert.isTrue(first.more)
      // A cursor of another list is invalid here.
      const { nextCursor: cursor } = first
      refused(await (await inbox()).dashboard(`/leads?cursor=${cursor}`), "INVALID_REQUEST", "cursor")
    })

    it("snoozes a lead until a time, lists it as snoozed, and ends the snooze", async () => {
      const box = await inbox()
      for (let n = 0; n < 3; n++) await box.entered()
      const hence = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
      const [later, soon] = [hence(9), hence(1)]
      for (const [id, until] of [
        [1, later],
        [3, soon]
      ] as const) {
        const { body } = await box.dashboard(`/leads/${id}/snooze`, { until })
        assert.deepInclude(body, { id, snoozedUntil: until, waitingSince: null })
      }
      assert.deepStrictEqual(ids((await box.list({ snoozedOnly: true })).items), [3, 1])
      assert.deepStrictEqual((await box.list({ waitingOnly: true })).items, [])
      assert.isNull((await box.command(3, "unsnooze")).snoozedUntil)
      assert.deepStrictEqual(ids((await box.list({ snoozedOnly: true })).items), [1])
      assert.deepStrictEqual(
        (await box.history(3)).map(({ kind, to }: any) => [kind, to]),
        [
          ["CREATED", null],
          ["SNOOZED", soon],
          ["UNSNOOZED", null]
        ]
      )
      refused(await (await inbox()).dashboard("/leads/1/snooze", { until: soon }), "LEAD_NOT_FOUND")
    })

    it("changes several leads in one request, only in its own environment", async () => {
      const box = await inbox()
      const agent = await box.agent()
      for (let n = 0; n < 3; n++) await box.entered()
      const { body, status } = await box.dashboard("/leads/bulk", {
        ids: [3, 1, 9],
        action: "ASSIGN",
        agentEmail: agent.email
      })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body, {
        items: [
          { id: 3, outcome: "DONE" },
          { id: 1, outcome: "DONE" },
          { id: 9, outcome: "NOT_FOUND" }
        ]
      })
      assert.deepStrictEqual(new Set(ids(await box.all("/leads", { assignedTo: agent.email }))), new Set([1, 3]))
      const stranger = await (await inbox()).dashboard("/leads/bulk", { ids: [1], action: "CLOSE" })
      assert.deepStrictEqual(stranger.body, { items: [{ id: 1, outcome: "NOT_FOUND" }] })
      assert.strictEqual((await box.lead(1)).status, "OPEN")
      refused(await box.dashboard("/leads/bulk", { ids: [1], action: "ERASE" }), "INVALID_REQUEST", "action")
      refused(await box.dashboard("/leads/bulk", { ids: [], action: "CLOSE" }), "INVALID_REQUEST", "ids")
      refused(
        await box.dashboard("/leads/bulk", { ids: [1], action: "ASSIGN", agentEmail: email() }),
        "AGENT_NOT_FOUND"
      )
    })

    it("lists a lead that becomes active during paging, at its old position or its new one", async () => {
      const box = await inbox()
      for (let i = 0; i < 6; i++) await box.entered()
      for (let id = 1; id <= 6; id++) await box.active(id)
      const first = await box.list({ limit: 2 })
      assert.deepStrictEqual(ids(first.items), [6, 5])
      await box.active(2)
      const seen = [...ids(first.items), ...ids(await box.all("/leads", { limit: 2, cursor: first.nextCursor }))]
      assert.deepStrictEqual(new Set(seen), new Set([1, 2, 3, 4, 5, 6]))
    })

    once("finds customers by the start of their name and the end of their number", async () => {
      const box = await inbox()
      const number = phone()
      await box.entered({ phone: number, name: "Asha Rani-Devi" })
      await box.entered({ name: "राम कुमार" })
      await box.entered({ name: "Ashok 100%_Sure" })
      const found = async (search: string) => [...ids((await box.list({ search })).items)].sort((a, b) => a - b)
      const expected: ReadonlyArray<[string, ReadonlyArray<number>]> = [
        ["ash", [1, 3]],
        ["ASHA", [1]],
        ["dev ash", [1]],
        ["sha", []],
        ["कुम", [2]],
        ["sure 100%_", [3]],
        ["%%", []],
        ["__", []],
        [number.slice(-4), [1]],
        [number, [1]],
        ["ra%", [1]]
      ]
      for (const [search, leads] of expected) {
        const answer = await box.dashboard(`/leads?search=${encodeURIComponent(search)}`)
        if (leads.length === 0 && answer.status === 400) refused(answer, "INVALID_REQUEST", "search")
        else assert.deepStrictEqual(await found(search), [...leads], search)
      }
      const { items, more, nextCursor } = await box.list({ search: "ash" })
      assert.deepStrictEqual([items.length, more, nextCursor], [2, false, null])
    })

    once("closes, reopens and marks leads as read", async () => {
      const box = await inbox()
      const { id } = await box.entered()
      assert.strictEqual((await box.command(id, "close")).status, "CLOSED")
      assert.strictEqual((await box.command(id, "close")).status, "CLOSED")
      assert.strictEqual((await box.command(id, "reopen")).status, "OPEN")
      assert.strictEqual((await box.command(id, "read")).unreadCount, 0)
      assert.strictEqual((await box.command(id, "unread")).unreadCount, 1)
      assert.strictEqual((await box.command(id, "unread")).unreadCount, 1)
      assert.strictEqual((await box.command(id, "read")).unreadCount, 0)
      for (const what of ["close", "reopen", "read", "unread"])
        refused(await box.dashboard(`/leads/99/${what}`, {}), "LEAD_NOT_FOUND")
    })

    once("shows messages and notes, newest first, with their delivery", async () => {
      const box = await inbox()
      const { id } = await box.entered()
      const reply = await box.reply(id, { template: "order_ready/en_US", values: ["Ravi", "%s"] })
      assert.match(reply.id, /^msg_[0-9a-z]{26}$/)
      assert.match(reply.at, utc)
      const template = { name: "order_ready", language: "en_US", values: ["Ravi", "%s"] }
      assert.deepInclude(reply, {
        direction: "OUT",
        type: "template",
        text: null,
        media: null,
        status: "PENDING",
        error: null
      })
      assert.deepStrictEqual(reply.template, template)
      assert.include(reply.sentBy, box.client.keys.clientId)
      const note = await box.note(id, "Wants a <b>refund</b>\nsoon")
      assert.deepInclude(note, { direction: "NOTE", type: "text", text: "Wants a <b>refund</b>\nsoon", status: null })
      const sent = await box.message(id, reply.id, ({ status }) => status === "DELIVERED")
      assert.deepStrictEqual(sent, { ...reply, status: "DELIVERED" })
      for (let i = 0; i < 5; i++) await box.note(id, `Note ${i}`)
      for (const limit of [1, 3, 7, 200]) {
        const messages = await box.messages(id, { limit })
        const at = messages.map((one) => one.at)
        assert.deepStrictEqual(
          at,
          at.toSorted((a, b) => Date.parse(b) - Date.parse(a))
        )
        assert.lengthOf(new Set(ids(messages)), 7)
        assert.sameMembers(
          messages.map(({ text }) => text),
          [...[0, 1, 2, 3, 4].map((i) => `Note ${i}`), note.text, null]
        )
      }
      // A note is not a message, so the lead keeps its position.
      assert.isNotNull((await box.lead(id)).lastMessageAt)
      refused(await box.dashboard(`/leads/${id}/reply`, { text: "Hello" }), "INVALID_REQUEST", "text")
    })

    once("answers MESSAGE_NOT_FOUND for a file that does not exist", async () => {
      const box = await inbox()
      const { id } = await box.entered()
      const note = await box.note(id, "x")
      for (const mid of [note.id, "msg_00000000000000000000000000", "x", "%00", "x".repeat(8_000)]) {
        refused(await box.dashboard(`/leads/${id}/messages/${mid}/media`), "MESSAGE_NOT_FOUND")
      }
      refused(await box.dashboard(`/leads/99/messages/${note.id}/media`), "LEAD_NOT_FOUND")
    })

    once("stores saved replies under unique names", async () => {
      const box = await inbox()
      const made = await box.dashboard("/saved-replies", { name: " Hours ", text: "9 to 6,\n%d <days>" })
      assert.strictEqual(made.status, 201, made.text)
      const { createdAt, id, ...rest } = made.body
      assert.match(id, /^srp_[0-9a-z]{26}$/)
      assert.match(createdAt, utc)
      assert.deepStrictEqual(rest, { name: "Hours", text: "9 to 6,\n%d <days>" })
      const { body: other } = await box.dashboard("/saved-replies", { name: "Thanks", text: "Thank you" })
      const list = async () => (await box.dashboard("/saved-replies")).body
      assert.deepStrictEqual(await list(), { items: [made.body, other], nextCursor: null })
      refused(await box.dashboard("/saved-replies", { name: "HOURS", text: "x" }), "INVALID_REQUEST", "name")
      refused(await box.dashboard(`/saved-replies/${other.id}`, { name: "hours" }, "PATCH"), "INVALID_REQUEST", "name")
      const changed = await box.change(`/saved-replies/${id}`, { text: "Always" })
      assert.deepStrictEqual(changed, { ...made.body, text: "Always" })
      const stranger = await inbox()
      for (const unknown of [
        await stranger.dashboard(`/saved-replies/${id}`, {}, "PATCH"),
        await stranger.dashboard(`/saved-replies/${id}`, undefined, "DELETE"),
        await box.dashboard("/saved-replies/x", {}, "PATCH")
      ]) {
        refused(unknown, "SAVED_REPLY_NOT_FOUND")
      }
      await box.removed(`/saved-replies/${id}`)
      refused(await box.dashboard(`/saved-replies/${id}`, undefined, "DELETE"), "SAVED_REPLY_NOT_FOUND")
      assert.deepStrictEqual(ids((await list()).items), [other.id])
    })

    it("labels leads, finds them by a label, and renames it in one place", async () => {
      const box = await inbox()
      const made = await box.dashboard("/labels", { name: " VIP ", colour: "PURPLE" })
      assert.strictEqual(made.status, 201, made.text)
      const { createdAt, ...vip } = made.body
      assert.match(vip.id, /^lbl_[0-9a-z]{26}$/)
      assert.match(createdAt, utc)
      assert.deepInclude(vip, { name: "VIP", colour: "PURPLE" })
      const { body: refund } = await box.dashboard("/labels", { name: "Refund" })
      assert.strictEqual(refund.colour, "GREY")
      for (let n = 0; n < 3; n++) await box.entered()
      const put = async (id: number, body: object) => box.dashboard(`/leads/${id}/labels`, body)
      const { body: lead } = await put(1, { add: [refund.id, vip.id] })
      assert.deepStrictEqual(lead.labels, [{ id: refund.id, name: "Refund", colour: "GREY" }, vip])
      assert.deepStrictEqual((await put(1, { add: [vip.id] })).body, lead)
      assert.deepStrictEqual(
        (await box.dashboard("/leads/bulk", { ids: [3, 1, 9], action: "LABEL", label: vip.id })).body.items,
        [
          { id: 3, outcome: "DONE" },
          { id: 1, outcome: "DONE" },
          { id: 9, outcome: "NOT_FOUND" }
        ]
      )
      const labelled = async (label: string, more: object = {}) =>
        new Set(ids(await box.all("/leads", { label, ...more })))
      assert.deepStrictEqual(await labelled("vip"), new Set([1, 3]))
      assert.deepStrictEqual(await labelled(refund.id), new Set([1]))
      await box.command(3, "close")
      assert.deepStrictEqual(await labelled("VIP", { status: "OPEN" }), new Set([1]))
      assert.deepStrictEqual(await labelled("VIP", { waitingOnly: true }), new Set())

      await box.change(`/labels/${vip.id}`, { name: "Very important", colour: "RED" })
      assert.deepInclude((await box.lead(3)).labels[0], { name: "Very important", colour: "RED" })
      const history = async (id: number) =>
        (await box.dashboard(`/leads/${id}/history`)).body.items.map(({ from, kind, to }: any) => [kind, from, to])
      await put(1, { remove: [refund.id] })
      assert.deepStrictEqual((await history(1)).slice(0, 3), [
        ["UNLABELLED", "Refund", null],
        ["LABELLED", null, "VIP"],
        ["LABELLED", null, "Refund"]
      ])
      await box.removed(`/labels/${vip.id}`)
      assert.deepStrictEqual((await box.lead(3)).labels, [])
      refused(await box.dashboard("/leads?label=vip"), "LABEL_NOT_FOUND")
      refused(await put(1, { add: [vip.id] }), "LABEL_NOT_FOUND")
    })

    once("limits labels, and keeps those of other merchants apart", async () => {
      const [box, stranger] = [await inbox(), await inbox()]
      await box.entered()
      await stranger.entered()
      const made: Array<string> = []
      for (let n = 0; n < 50; n++) made.push((await box.dashboard("/labels", { name: `Label ${n}` })).body.id)
      refused(await box.dashboard("/labels", { name: "One more" }), "INVALID_REQUEST", "name")
      for (const name of ["", " ", "x".repeat(41), "a\nb", "a\u200Bb"])
        refused(await box.dashboard("/labels", { name }), "INVALID_REQUEST", "name")
      refused(await stranger.dashboard("/labels", { name: "x", colour: "PINK" }), "INVALID_REQUEST", "colour")
      refused(await box.dashboard(`/labels/${made[0]}`, { name: "LABEL 1" }, "PATCH"), "INVALID_REQUEST", "name")
      const put = (body: object) => box.dashboard("/leads/1/labels", body)
      assert.lengthOf((await put({ add: made.slice(0, 10) })).body.labels, 10)
      refused(await put({ add: [made[10]] }), "INVALID_REQUEST", "add")
      refused(await put({ add: made.slice(0, 11) }), "INVALID_REQUEST", "add")
      assert.lengthOf((await put({ add: [made[10]], remove: [made[0]] })).body.labels, 10)
      const { body } = await box.dashboard("/leads/bulk", { ids: [1], action: "LABEL", label: made[20] })
      assert.deepStrictEqual(body, { items: [{ id: 1, outcome: "FULL" }] })
      refused(
        await box.dashboard("/leads/bulk", { ids: [1], action: "CLOSE", label: made[1] }),
        "INVALID_REQUEST",
        "label"
      )
      refused(await box.dashboard("/leads/bulk", { ids: [1], action: "LABEL" }), "LABEL_NOT_FOUND")

      assert.deepStrictEqual((await stranger.dashboard("/labels")).body.items, [])
      for (const unknown of [
        await stranger.dashboard("/leads/1/labels", { add: [made[0]] }),
        await stranger.dashboard(`/labels/${made[0]}`, { name: "Mine" }, "PATCH"),
        await stranger.dashboard(`/labels/${made[0]}`, undefined, "DELETE"),
        await stranger.dashboard(`/leads?label=${made[1]}`)
      ])
        refused(unknown, "LABEL_NOT_FOUND")
    })

    once("names each invalid field", async () => {
      const box = await inbox()
      const { id, contact } = await box.entered()
      const queries: { readonly [name: string]: ReadonlyArray<string> } = {
        status: ["open", "", "X"],
        assignedTo: ["x", ""],
        unassignedOnly: ["1", ""],
        waitingOnly: ["1", ""],
        snoozedOnly: ["1", ""],
        limit: ["0", "201", "x", "1.5", "-1", "9".repeat(30)],
        cursor: ["x", "", "\0", "9".repeat(5_000)],
        search: ["a", "", "%", "\0"]
      }
      for (const [name, values] of Object.entries(queries)) {
        for (const value of values) {
          refused(await box.dashboard(`/leads?${name}=${encodeURIComponent(value)}`), "INVALID_REQUEST", name)
        }
      }
      refused(await box.dashboard("/leads?search=ravi&status=OPEN"), "INVALID_REQUEST", "status")
      refused(await box.dashboard("/leads?team=nobody"), "TEAM_NOT_FOUND")
      for (const path of ["messages", "history"]) {
        for (const [name, value] of [
          ["limit", "201"],
          ["cursor", "x"],
          ["limit", "1e1"]
        ]) {
          refused(await box.dashboard(`/leads/${id}/${path}?${name}=${value}`), "INVALID_REQUEST", name)
        }
      }
      for (const no of ["0", "-1", "1.5", "x", "2147483648", "9".repeat(30), "01"]) {
        for (const path of ["", "/messages", "/history", "/messages/x/media"]) {
          refused(await box.dashboard(`/leads/${no}${path}`), "INVALID_REQUEST", "id")
        }
        for (const path of ["close", "reopen", "read", "unread", "reply", "notes"]) {
          refused(await box.dashboard(`/leads/${no}/${path}`, { text: "x" }), "INVALID_REQUEST", "id")
        }
        for (const what of ["agents", "teams"]) {
          refused(await box.dashboard(`/${what}/${no}`), "INVALID_REQUEST", "id")
          refused(await box.dashboard(`/${what}/${no}`, {}, "PATCH"), "INVALID_REQUEST", "id")
          refused(await box.dashboard(`/${what}/${no}`, undefined, "DELETE"), "INVALID_REQUEST", "id")
        }
      }
      for (const number of [undefined, null, "", "12", "x", 91, "+999999999999", "1".repeat(20)]) {
        refused(await box.dashboard("/leads", { phone: number }), "INVALID_REQUEST", "phone")
      }
      for (const name of ["", " ", "x".repeat(257), 7, "a\0b"]) {
        refused(await box.dashboard("/leads", { phone: phone(), name }), "INVALID_REQUEST", "name")
      }
      for (const text of noText) refused(await box.dashboard(`/leads/${id}/notes`, { text }), "INVALID_REQUEST", "text")
      const replies: ReadonlyArray<[field: string, body: object]> = [
        ...noText.map((text): [string, object] => ["text", { text }]),
        ["template", { template: "" }],
        ["template", { template: "No Such" }],
        ["template", { template: "a/b/c" }],
        ["template", { template: 7 }],
        ["text", { template: "hello", text: "x" }],
        ["values", { values: ["x"], text: "x" }],
        ["values", { template: "hello", values: "x" }],
        ["values", { template: "hello", values: [""] }],
        ["values", { template: "hello", values: [7] }],
        ["values", { template: "hello", values: ["x".repeat(1_025)] }],
        ["values", { template: "hello", values: Array.from({ length: 51 }, () => "x") }]
      ]
      for (const [field, body] of replies) {
        refused(await box.dashboard(`/leads/${id}/reply`, body), "INVALID_REQUEST", field)
      }
      for (const text of noText) {
        refused(await box.dashboard("/saved-replies", { name: "x", text }), "INVALID_REQUEST", "text")
      }
      for (const name of [undefined, "", " ", "x".repeat(101), "a\nb", 7]) {
        refused(await box.dashboard("/saved-replies", { name, text: "x" }), "INVALID_REQUEST", "name")
      }
      for (const until of [undefined, null, "", "tomorrow", 7, "2020-01-01T00:00:00Z", "2399-01-01T00:00:00Z"]) {
        refused(await box.dashboard(`/leads/${id}/snooze`, { until }), "INVALID_REQUEST", "until")
      }
      assert.deepStrictEqual(await box.messages(id), [])
      assert.strictEqual((await box.page({ phone: contact })).length, 1)
    })
  })

  describe("agents and teams", () => {
    once("are created, changed and deleted; an address can be used again, an id cannot", async () => {
      const box = await inbox()
      const address = email()
      const made = await box.agent({ email: address.toUpperCase() })
      const { createdAt, ...rest } = made
      assert.match(createdAt, utc)
      assert.deepStrictEqual(rest, { id: 1, email: address.toUpperCase(), role: "AGENT", status: "ACTIVE" })
      refused(await box.dashboard("/agents", { email: address }), "INVALID_REQUEST", "email")
      const invited = await box.agent({ role: "ADMIN", status: "INVITED" })
      assert.deepInclude(invited, { id: 2, role: "ADMIN", status: "INVITED" })
      refused(await box.dashboard("/agents/2", { email: address }, "PATCH"), "INVALID_REQUEST", "email")
      assert.deepStrictEqual(await box.change("/agents/2", { status: "ACTIVE" }), { ...invited, status: "ACTIVE" })
      assert.deepStrictEqual((await box.dashboard("/agents/2")).body, { ...invited, status: "ACTIVE" })
      const { items, nextCursor } = (await box.dashboard("/agents")).body
      assert.deepStrictEqual([ids(items), nextCursor], [[1, 2], null])
      await box.removed("/agents/1")
      refused(await box.dashboard("/agents/1"), "AGENT_NOT_FOUND")
      refused(await box.dashboard("/agents/1", {}, "PATCH"), "AGENT_NOT_FOUND")
      refused(await box.dashboard("/agents/1", undefined, "DELETE"), "AGENT_NOT_FOUND")
      assert.strictEqual((await box.agent({ email: address })).id, 3)
      assert.deepStrictEqual(ids(await box.agents()), [2, 3])
    })

    it("receive leads in turn, active members only", async () => {
      const box = await inbox()
      const agents = await Promise.all([box.agent(), box.agent(), box.agent()])
      const members = ids(agents)
      const team = await box.team({ name: "Sales", assignment: "ROUND_ROBIN", members, takesNew: true })
      assert.match(team.createdAt, utc)
      assert.deepInclude(team, { id: 1, name: "Sales", assignment: "ROUND_ROBIN", takesNew: true })
      assert.deepStrictEqual(team.members, members)
      assert.deepStrictEqual((await box.dashboard("/teams/1")).body, team)
      refused(await box.dashboard("/teams", { name: "SALES" }), "INVALID_REQUEST", "name")
      await box.change(`/agents/${members[1]}`, { status: "SUSPENDED" })
      const owners = new Map<string, number>()
      for (let i = 0; i < 6; i++) {
        const { id } = await box.entered()
        await box.move(id, team.name)
        await box.command(id, "close")
        const { assignedTo } = await box.command(id, "reopen")
        owners.set(assignedTo, (owners.get(assignedTo) ?? 0) + 1)
      }
      assert.deepStrictEqual(owners, new Map([agents[0], agents[2]].map((one) => [one.email, 3])))
      // Only one team receives new leads.
      const other = await box.team({ takesNew: true })
      assert.deepStrictEqual(
        (await box.dashboard("/teams")).body.items.map((one: any) => one.takesNew),
        [false, true]
      )
      await box.change(`/teams/${team.id}`, { takesNew: true, members: [] })
      assert.isFalse((await box.dashboard(`/teams/${other.id}`)).body.takesNew)
      await box.removed(`/agents/${members[0]}`)
      await box.removed(`/teams/${other.id}`)
      refused(await box.dashboard(`/teams/${other.id}`), "TEAM_NOT_FOUND")
      refused(await box.dashboard(`/teams/${other.id}`, {}, "PATCH"), "TEAM_NOT_FOUND")
      refused(await box.dashboard(`/teams/${other.id}`, undefined, "DELETE"), "TEAM_NOT_FOUND")
      assert.strictEqual((await box.team()).id, 3)
    })

    once("name each invalid field", async () => {
      const box = await inbox()
      const { id } = await box.agent()
      const team = await box.team()
      const agentFields: ReadonlyArray<[string, unknown]> = [
        ...[null, "", "x", "a b@example.com", 7, "\0@example.com"].map((bad): [string, unknown] => ["email", bad]),
        ...["agent", "", "ROOT", 7].map((bad): [string, unknown] => ["role", bad]),
        ...["active", "", "REMOVED", true].map((bad): [string, unknown] => ["status", bad])
      ]
      for (const [field, bad] of agentFields) {
        refused(await box.dashboard("/agents", { email: email(), [field]: bad }), "INVALID_REQUEST", field)
        if (bad === null) continue
        refused(await box.dashboard(`/agents/${id}`, { [field]: bad }, "PATCH"), "INVALID_REQUEST", field)
      }
      const teamFields: ReadonlyArray<[string, unknown]> = [
        ...["", " ", "x".repeat(101), 7, "a\0b", "a\nb"].map((bad): [string, unknown] => ["name", bad]),
        ...["off", "", 7].map((bad): [string, unknown] => ["assignment", bad]),
        ...["1", 1, [0], [1.5], [-1], [2 ** 31], [1e20], ["1"], [99], [null], [id, id]].map(
          (bad): [string, unknown] => ["members", bad]
        ),
        ...["true", 1].map((bad): [string, unknown] => ["takesNew", bad])
      ]
      for (const [field, bad] of teamFields) {
        refused(await box.dashboard("/teams", { name: "x", [field]: bad }), "INVALID_REQUEST", field)
        refused(await box.dashboard(`/teams/${team.id}`, { [field]: bad }, "PATCH"), "INVALID_REQUEST", field)
      }
      refused(await box.dashboard("/agents", {}), "INVALID_REQUEST", "email")
      refused(await box.dashboard("/teams", {}), "INVALID_REQUEST", "name")
      assert.lengthOf(await box.agents(), 1)
      assert.deepStrictEqual(await box.teams(), [{ id: team.id, name: team.name }])
    })
  })
}
