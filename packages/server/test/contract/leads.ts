import { assert, describe, it } from "vitest"
import { email, phone, refused, uuid } from "../fixture/Client.ts"
import { Inbox, leadsPath } from "../fixture/Inbox.ts"
import type { Service } from "../fixture/Service.ts"
import type { Once } from "./Once.ts"

const fields = ["id", "contact", "name", "status", "assignedTo", "teamName", "origin", "lastMessageAt", "unreadCount"]
const indian = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/
const digitsOf = (text: string) => text.replace(/\D/g, "")
const ids = (leads: ReadonlyArray<any>): ReadonlyArray<number> => leads.map(({ id }) => id)
const hostile = ["%", "_", "\\", "'", '"', "' or 1=1 --", "<b>x</b>", "${x}", "$1", "%%", "a_b", "😀"]
/** Integers out of range, and values that are not integers. */
const noNumbers = ["-1", "1.5", "1e2", "0x10", " 1", "+1", "01", "", "one", "NaN", "2147483648", "1e20"]
const tooLarge = ["9223372036854775808", "100000000000000000000", "9".repeat(400)]

/** The seven endpoints through which a merchant's programs assign leads. */
export const suite = (service: () => Service, once: Once) =>
  describe("leads", () => {
    const inbox = async () => new Inbox(await service().client())

    once("have exactly nine fields, and are listed by most recent activity, in pages", async () => {
      const box = await inbox()
      assert.deepStrictEqual(await box.page(), [])
      const entered: Array<any> = []
      for (let i = 0; i < 5; i++) entered.push(await box.entered({ name: `Customer ${i}` }))
      const [a, b, c, d, e] = ids(entered) as [number, number, number, number, number]
      assert.deepStrictEqual(ids(entered), [1, 2, 3, 4, 5])
      for (const id of [b, d, a, d]) await box.active(id)
      // Leads without a message come last, newest first.
      assert.deepStrictEqual(ids(await box.page()), [d, a, b, e, c])
      assert.deepStrictEqual(ids(await box.page({ size: 2 })), [d, a])
      assert.deepStrictEqual(ids(await box.page({ size: 2, page: 1 })), [b, e])
      assert.deepStrictEqual(ids(await box.page({ size: 2, page: 2 })), [c])
      assert.deepStrictEqual(await box.page({ size: 2, page: 3 }), [])
      assert.deepStrictEqual(await box.page({ size: 200, page: 10_000_000 }), [])
      for (const lead of await box.page()) assert.sameMembers(Object.keys(lead), fields)
      const [first] = await box.page({ size: 1 })
      assert.match(first.lastMessageAt, indian)
      assert.deepInclude(first, { id: d, name: "Customer 3", status: "OPEN", origin: "LEAD", unreadCount: 0 })
      assert.deepInclude(first, { contact: entered[3].contact, assignedTo: null, teamName: null })
      assert.isNull((await box.page()).at(-1).lastMessageAt)
      // India's time zone is UTC+5:30.
      const written = (await box.messages(d))[0].at
      assert.strictEqual(Date.parse(`${first.lastMessageAt}+05:30`), Date.parse(written))
    })

    once("are found by number in any spelling, and all filters apply together", async () => {
      const box = await inbox()
      const number = phone()
      const [lead, other] = [await box.entered({ phone: number }), await box.entered()]
      const { email: owner } = await box.agent()
      const { email: idle } = await box.agent()
      await box.assign(lead.id, owner)
      const national = digitsOf(number).slice(2)
      const spellings = [
        number,
        digitsOf(number),
        national,
        ` ${number} `,
        `+91 ${national.slice(0, 5)} ${national.slice(5)}`,
        `(91) ${national.slice(0, 5)}-${national.slice(5)}`,
        `91.${national}`
      ]
      for (const spelling of spellings) assert.deepStrictEqual(ids(await box.page({ phone: spelling })), [lead.id])
      assert.deepStrictEqual(await box.page({ phone: phone() }), [])
      assert.deepStrictEqual(ids(await box.page({ assignedTo: owner })), [lead.id])
      assert.deepStrictEqual(ids(await box.page({ assignedTo: owner.toUpperCase() })), [lead.id])
      assert.deepStrictEqual(ids(await box.page({ unassignedOnly: true })), [other.id])
      assert.lengthOf(await box.page({ unassignedOnly: false }), 2)
      for (const none of [
        { assignedTo: idle },
        { assignedTo: email() },
        { phone: number, unassignedOnly: true },
        { phone: number, assignedTo: idle },
        { assignedTo: owner, unassignedOnly: true },
        { phone: number, page: 1 }
      ]) {
        assert.deepStrictEqual(await box.page(none), [], JSON.stringify(none))
      }
      assert.deepStrictEqual(ids(await box.page({ phone: number, assignedTo: owner, size: 1 })), [lead.id])
    })

    once("are assigned to an active agent by id or number, and unassigned if no agent is named", async () => {
      const box = await inbox()
      const number = phone()
      const { id } = await box.entered({ phone: number })
      const [asha, ravi] = [await box.agent(), await box.agent()]
      const given = await box.assign(id, asha.email)
      assert.sameMembers(Object.keys(given), fields)
      assert.deepInclude(given, { id, assignedTo: asha.email })
      assert.strictEqual(
        (await box.act("assign", null, { phone: number, agentEmail: ravi.email })).body.assignedTo,
        ravi.email
      )
      // Another spelling of the address is the same agent, and the answer has the agent's own spelling.
      assert.strictEqual((await box.assign(id, ` ${asha.email.toUpperCase()} `)).assignedTo, asha.email)
      for (const unnamed of [{}, { agentEmail: "" }, { agentEmail: null }]) {
        await box.assign(id, asha.email)
        const { body, status } = await box.act("assign", id, unnamed)
        assert.deepStrictEqual([status, body.assignedTo], [200, null])
      }
      await box.assign(id, ravi.email)
      const bare = await box.client.send({ method: "POST", path: `${leadsPath}/${id}/assign` })
      assert.deepStrictEqual([bare.status, bare.body.assignedTo], [200, null])
      assert.strictEqual((await box.act("assign", null, { phone: number })).body.assignedTo, null)
      assert.deepStrictEqual((await box.page({ phone: number }))[0].assignedTo, null)
    })

    once("move between teams by name in any case, and keep their agent", async () => {
      const box = await inbox()
      const number = phone()
      const { id } = await box.entered({ phone: number })
      const { email: owner } = await box.agent()
      await box.assign(id, owner)
      const [sales, after] = [await box.team({ name: "Sales Süd" }), await box.team({ name: "After-Sales" })]
      for (const spelling of ["Sales Süd", "SALES SÜD", "sales süd"]) {
        await box.move(id)
        assert.deepInclude(await box.move(id, spelling), { teamName: sales.name, assignedTo: owner })
      }
      const moved = await box.act("team", null, { phone: number, teamName: "AFTER-sales" })
      assert.deepInclude(moved.body, { id, teamName: after.name, assignedTo: owner })
      assert.sameMembers(Object.keys(moved.body), fields)
      assert.deepInclude((await box.act("team", null, { phone: number })).body, { teamName: null, assignedTo: owner })
      await box.move(id, sales.name)
      const bare = await box.client.send({ method: "POST", path: `${leadsPath}/${id}/team` })
      assert.deepInclude(bare.body, { teamName: null, assignedTo: owner })
      // A renamed team is found by its new name immediately; a deleted team is unknown.
      await box.move(id, sales.name)
      await box.change(`/teams/${sales.id}`, { name: "Nord" })
      assert.strictEqual((await box.page({ phone: number }))[0].teamName, "Nord")
      await box.removed(`/teams/${sales.id}`)
      assert.strictEqual((await box.page({ phone: number }))[0].teamName, null)
    })

    once("record every change of owner or team once, with old and new value", async () => {
      const box = await inbox()
      const { id } = await box.entered()
      const [asha, ravi] = [await box.agent(), await box.agent()]
      const sales = await box.team()
      await box.assign(id, asha.email)
      await box.assign(id, asha.email)
      await box.assign(id, ravi.email)
      await box.move(id, sales.name)
      await box.move(id, sales.name)
      await box.assign(id)
      await box.assign(id)
      await box.move(id)
      await box.command(id, "close")
      await box.command(id, "close")
      await box.command(id, "reopen")
      const history = await box.history(id)
      assert.deepStrictEqual(
        history.map(({ from, kind, to }) => [kind, from, to]),
        [
          ["CREATED", null, null],
          ["ASSIGNED", null, asha.email],
          ["ASSIGNED", asha.email, ravi.email],
          ["TEAM", null, sales.name],
          ["ASSIGNED", ravi.email, null],
          ["TEAM", sales.name, null],
          ["CLOSED", null, null],
          ["REOPENED", null, null]
        ]
      )
      for (const entry of history) {
        assert.sameMembers(Object.keys(entry), ["at", "by", "kind", "from", "to"])
        assert.match(entry.at, /^\d{4}-.*\.\d{3}Z$/)
        assert.include(entry.by, box.client.keys.clientId)
      }
    })

    it("assigned 100 times concurrently have one owner, and a history without gaps", async () => {
      const box = await inbox()
      const number = phone()
      const { id } = await box.entered({ phone: number })
      const agents = await Promise.all(Array.from({ length: 10 }, () => box.agent()))
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, i) =>
          box.act("assign", i % 2 === 0 ? id : null, { phone: number, agentEmail: agents[i % agents.length].email })
        )
      )
      for (const { status, text } of answers) assert.strictEqual(status, 200, text)
      const [, ...turns] = await box.history(id)
      assert.isAtLeast(turns.length, agents.length)
      assert.isAtMost(turns.length, answers.length)
      let owner: string | null = null
      for (const { from, kind, to } of turns) {
        assert.deepStrictEqual([kind, from], ["ASSIGNED", owner])
        assert.notStrictEqual(to, from)
        owner = to
      }
      const [lead] = await box.page({ phone: number })
      assert.strictEqual(lead.assignedTo, owner)
      // Each answer is the state after its own request: one of the history's steps, or a repeat of one.
      for (const { body } of answers)
        assert.include(
          turns.map(({ to }) => to),
          body.assignedTo
        )
    })

    once("are unknown by any id, number, address or name that is not their own", async () => {
      const box = await inbox()
      const { id } = await box.entered()
      const agents = {
        invited: await box.agent({ status: "INVITED" }),
        suspended: await box.agent(),
        removed: await box.agent()
      }
      await box.change(`/agents/${agents.suspended.id}`, { status: "SUSPENDED" })
      await box.removed(`/agents/${agents.removed.id}`)
      const removed = await box.team()
      await box.removed(`/teams/${removed.id}`)
      for (const other of [id + 1, 2_147_483_647]) {
        refused(await box.act("assign", other, {}), "LEAD_NOT_FOUND")
        refused(await box.act("team", other, {}), "LEAD_NOT_FOUND")
      }
      refused(await box.act("assign", null, { phone: phone() }), "LEAD_NOT_FOUND")
      refused(await box.act("team", null, { phone: phone() }), "LEAD_NOT_FOUND")
      for (const address of [...Object.values(agents).map((one) => one.email), email(), "a%@example.com"]) {
        refused(await box.act("assign", id, { agentEmail: address }), "AGENT_NOT_FOUND")
      }
      for (const name of [removed.name, "nobody", ...hostile, "x".repeat(100)]) {
        refused(await box.act("team", id, { teamName: name }), "TEAM_NOT_FOUND")
      }
      assert.lengthOf(await box.history(id), 1)
    })

    it("belong to one environment, while agents and teams belong to the merchant", async () => {
      const [mine, theirs] = [await service().merchant(), await service().merchant()]
      const [test, live, stranger] = [mine.test, mine.live, theirs.test].map((one) => new Inbox(one)) as [
        Inbox,
        Inbox,
        Inbox
      ]
      const number = phone()
      const { id } = await test.entered({ phone: number, name: "Mine" })
      const [agent, team] = [await test.agent(), await test.team({ name: "Mine" })]
      assert.deepStrictEqual(await live.agents(), [
        { id: agent.id, email: agent.email, role: "AGENT", status: "ACTIVE" }
      ])
      assert.deepStrictEqual(await live.teams(), [{ id: team.id, name: "Mine" }])
      assert.deepStrictEqual([await stranger.agents(), await stranger.teams()], [[], []])
      for (const other of [live, stranger]) {
        assert.deepStrictEqual(await other.page(), [])
        assert.deepStrictEqual(await other.page({ phone: number }), [])
        refused(await other.act("assign", id, {}), "LEAD_NOT_FOUND")
        refused(await other.act("team", id, {}), "LEAD_NOT_FOUND")
        refused(await other.act("assign", null, { phone: number }), "LEAD_NOT_FOUND")
        for (const path of ["", "/messages", "/history"])
          refused(await other.dashboard(`/leads/${id}${path}`), "LEAD_NOT_FOUND")
        for (const what of ["close", "reopen", "read"])
          refused(await other.dashboard(`/leads/${id}/${what}`, {}), "LEAD_NOT_FOUND")
        refused(await other.dashboard(`/leads/${id}/notes`, { text: "x" }), "LEAD_NOT_FOUND")
        assert.deepStrictEqual((await other.list({ search: "Mine" })).items, [])
      }
      // Every tenant counts from 1, so the id alone identifies nothing.
      const own = await stranger.entered()
      assert.strictEqual(own.id, id)
      refused(await stranger.act("assign", own.id, { agentEmail: agent.email }), "AGENT_NOT_FOUND")
      refused(await stranger.act("team", own.id, { teamName: "Mine" }), "TEAM_NOT_FOUND")
      for (const path of [`/agents/${agent.id}`]) {
        refused(await stranger.dashboard(path), "AGENT_NOT_FOUND")
        refused(await stranger.dashboard(path, {}, "PATCH"), "AGENT_NOT_FOUND")
        refused(await stranger.dashboard(path, undefined, "DELETE"), "AGENT_NOT_FOUND")
      }
      const inLive = await live.entered({ phone: number })
      assert.strictEqual((await live.assign(inLive.id, agent.email)).assignedTo, agent.email)
      assert.strictEqual((await test.lead(id)).assignedTo, null)
    })

    it("lose their owner when the agent leaves or is suspended, and can be assigned again", async () => {
      const mine = await service().merchant()
      const [test, live] = [new Inbox(mine.test), new Inbox(mine.live)]
      for (const leave of [
        (id: number) => test.removed(`/agents/${id}`),
        (id: number) => test.change(`/agents/${id}`, { status: "SUSPENDED" })
      ]) {
        const agent = await live.agent()
        const leads = [await test.entered(), await test.entered(), await live.entered()]
        const boxes = [test, test, live]
        for (const [i, { id }] of leads.entries()) await boxes[i]!.assign(id, agent.email)
        await leave(agent.id)
        for (const [i, { id }] of leads.entries()) {
          assert.isNull((await boxes[i]!.lead(id)).assignedTo)
          assert.deepInclude((await boxes[i]!.history(id)).at(-1), { kind: "ASSIGNED", from: agent.email, to: null })
        }
        assert.deepStrictEqual(await test.page({ assignedTo: agent.email }), [])
        const again =
          (await test.agents()).length === 0
            ? await test.agent({ email: agent.email })
            : await test.change(`/agents/${(await test.agents())[0].id}`, { status: "ACTIVE" })
        assert.strictEqual((await test.assign(leads[0].id, again.email)).assignedTo, agent.email)
        await test.removed(`/agents/${again.id}`)
      }
    })

    it("are assigned once per Idempotency-Key, even if the owner changed since", async () => {
      const box = await inbox()
      const { id } = await box.entered()
      const [asha, ravi] = [await box.agent(), await box.agent()]
      const key = { "idempotency-key": uuid() }
      const assign = (agentEmail: string) => box.client.post(`${leadsPath}/${id}/assign`, { agentEmail }, key)
      const first = await assign(asha.email)
      await box.assign(id, ravi.email)
      const again = await assign(asha.email)
      assert.deepStrictEqual([again.text, again.headers["idempotency-replayed"]], [first.text, "true"])
      assert.strictEqual((await box.lead(id)).assignedTo, ravi.email)
      refused(await assign(ravi.email), "IDEMPOTENCY_KEY_REUSED")
    })

    once("name each invalid query parameter", async () => {
      const box = await inbox()
      const bad: { readonly [name: string]: ReadonlyArray<string> } = {
        page: [...noNumbers, ...tooLarge],
        size: [...noNumbers, ...tooLarge, "0", "201", "null"],
        unassignedOnly: ["1", "0", "yes", "TRUE", "", "null", " true"],
        phone: ["", "abc", "12", "+", "%", "9".repeat(16), "9".repeat(100), "+91' or 1=1", "\0"],
        assignedTo: ["", "x", "a@b@c", "a b@example.com", "%", "\0@example.com", `${"x".repeat(300)}@example.com`]
      }
      for (const [name, values] of Object.entries(bad)) {
        for (const value of values) refused(await box.ask({ [name]: value }), "INVALID_REQUEST", name)
      }
      refused(await box.client.get(`${leadsPath}?size=1&size=2`), "INVALID_REQUEST", "size")
      assert.deepStrictEqual(await box.page({ unknown: "x", page: 0, size: 200 }), [])
    })

    once("name each invalid id, number, address or name", async () => {
      const box = await inbox()
      const { id, contact } = await box.entered()
      for (const no of [...noNumbers.filter((one) => one !== ""), ...tooLarge, "0", "x", " ", "1\0"]) {
        for (const what of ["assign", "team"] as const) {
          refused(await box.act(what, encodeURIComponent(no), {}), "INVALID_REQUEST", "leadId")
        }
      }
      for (const agentEmail of ["x", "a@b@c", 7, true, [], {}, "a\nb@example.com", `${"x".repeat(300)}@example.com`]) {
        refused(await box.act("assign", id, { agentEmail }), "INVALID_REQUEST", "agentEmail")
        refused(await box.act("assign", null, { phone: contact, agentEmail }), "INVALID_REQUEST", "agentEmail")
      }
      for (const teamName of ["x".repeat(101), 7, false, [], {}]) {
        refused(await box.act("team", id, { teamName }), "INVALID_REQUEST", "teamName")
        refused(await box.act("team", null, { phone: contact, teamName }), "INVALID_REQUEST", "teamName")
      }
      for (const number of [undefined, null, "", "abc", "12", 919876543210, [contact], "9".repeat(16)]) {
        for (const what of ["assign", "team"] as const) {
          refused(await box.act(what, null, { phone: number }), "INVALID_REQUEST", "phone")
        }
      }
      for (const body of ["[]", "null", '"x"', "{", " "]) {
        refused(await box.act("assign", id, body), "INVALID_REQUEST", "body")
      }
      assert.lengthOf(await box.history(id), 1)
    })

    once("accept any characters in names", async () => {
      const box = await inbox()
      for (const name of hostile) {
        const team = await box.team({ name })
        const { id } = await box.entered({ name })
        assert.strictEqual((await box.move(id, name)).teamName, name)
        assert.strictEqual((await box.lead(id)).name, name)
        assert.deepStrictEqual(ids((await box.list({ team: name })).items), [id])
        assert.strictEqual((await box.teams()).find((one) => one.id === team.id).name, name)
      }
    })

    once("accept only keys with the scope leads", async () => {
      const client = await service().client()
      const { body } = await client.post("/v1/dashboard/keys", { type: "SERVER", scopes: ["dashboard", "auth"] })
      const other = new Inbox(Object.assign(Object.create(client), { keys: { ...client.keys, ...body } }))
      refused(await other.ask(), "FORBIDDEN")
      for (const path of ["/agents", "/teams"]) refused(await other.client.get(`${leadsPath}${path}`), "FORBIDDEN")
      refused(await other.act("assign", 1, {}), "FORBIDDEN")
      refused(await other.act("team", null, {}), "FORBIDDEN")
    })
  })
