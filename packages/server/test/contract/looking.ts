import { assert, describe, it } from "vitest"
import { appOf } from "../fixture/App.ts"
import { type Client, code, email, phone, refused, wrong } from "../fixture/Client.ts"
import type { Service } from "../fixture/Service.ts"
import { until } from "../fixture/Until.ts"
import type { Once } from "./Once.ts"

type Query = { readonly [name: string]: string }

const at = "/v1/dashboard/verifications"
const search = (client: Client, query: Query = {}) => client.get(`${at}?${new URLSearchParams(query).toString()}`)
const ids = ({ body }: { readonly body: any }): ReadonlyArray<string> =>
  body.items.map(({ requestId }: any) => requestId)

const kindsOf = ({ body }: { readonly body: any }): ReadonlyArray<string> => body.items.map(({ kind }: any) => kind)

interface Message {
  readonly event: string
  readonly id: string
  readonly data: any
}

const messageOf = (text: string): ReadonlyArray<Message> => {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(text)?.[1]
  const event = field("event")
  return event === undefined ? [] : [{ event, id: field("id") ?? "", data: JSON.parse(field("data") ?? "null") }]
}

/** Reads server-sent events with `fetch`, as the dashboard does. */
const open = async (client: Client, headers: Query = {}) => {
  const answer = await fetch(`${client.service.url()}/v1/dashboard/live`, {
    headers: { ...client.credentials, ...headers }
  })
  assert.strictEqual(answer.status, 200)
  assert.strictEqual(answer.headers.get("content-type"), "text/event-stream")
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  const all: Array<Message> = []
  let rest = ""
  return {
    until: async (isEnough: (all: ReadonlyArray<Message>) => boolean): Promise<ReadonlyArray<Message>> => {
      while (!isEnough(all)) {
        const { done, value } = await reader.read()
        assert.isFalse(done, "the stream has ended")
        const parts = `${rest}${value}`.split("\n\n")
        rest = parts.pop() ?? ""
        all.push(...parts.flatMap(messageOf))
      }
      return all
    },
    close: () => reader.cancel()
  }
}

/** Sorted by id, which is by age; within one millisecond the order is random. */
const newestFirst = (all: ReadonlyArray<string>): ReadonlyArray<string> => all.toSorted().toReversed()

/** Search, timelines and the live view of verifications. */
export const suite = (service: () => Service, once: Once) => {
  describe("the verification search", () => {
    it("finds by a tag that the backend sent, and shows what it said about the user's request", async () => {
      const client = await service().client()
      const context = {
        clientIp: "2001:db8::7",
        userAgent: "Firefox",
        deviceId: "d-1",
        tags: { plan: "trial", "a.b": "x:y" }
      }
      const requestId = await client.started(context)
      await client.started({ identity: phone(), tags: { plan: "paid" } })
      await client.started({ identity: phone() })
      for (const tag of ["plan:trial", "a.b:x:y"])
        assert.deepStrictEqual(ids(await search(client, { tag })), [requestId])
      assert.deepStrictEqual(ids(await search(client, { tag: "plan:trial", status: "VERIFIED" })), [])
      assert.deepStrictEqual((await client.get(`${at}/${requestId}`)).body.context, {
        ...context,
        clientIp: "2001:db8::/64"
      })
      for (const tag of ["plan", ":trial", "plan:", `${"x".repeat(65)}:y`]) {
        refused(await search(client, { tag }), "INVALID_REQUEST", "tag")
      }
      for (const more of [{ tags: { plan: 1 } }, { tags: { "a:b": "c" } }, { userAgent: "" }, { clientIp: "here" }]) {
        refused(await client.initiate(more), "INVALID_REQUEST")
      }
    })

    it("filters by person, order, status, channel and country, and lists masked identities, newest first", async () => {
      const client = await service().client()
      const number = phone()
      const [first, second] = [await client.started({ identity: number }), await client.started({ orderId: "o-1" })]
      const mail = email()
      const third = await client.started({ identity: mail, identityType: "EMAIL", channel: "EMAIL" })
      await client.verify({ requestId: second, otp: code })
      const app = await appOf(client)
      const ofApp = (await app.initiate({ orderId: "o-1" })).body.sessionId
      const all = newestFirst([ofApp, third, second, first])
      assert.deepStrictEqual(ids(await search(client)), all)
      const found: ReadonlyArray<readonly [Query, ReadonlyArray<string>]> = [
        [{ identity: `${number.slice(0, 3)} ${number.slice(3, 8)}-${number.slice(8)}` }, [first]],
        [{ identity: number.slice(3) }, [first]],
        [{ identity: mail.toUpperCase() }, [third]],
        [{ orderId: "o-1" }, [ofApp, second]],
        [{ status: "VERIFIED" }, [second]],
        [{ status: "PENDING" }, [ofApp, third, first]],
        [{ status: "FAILED" }, []],
        [{ channel: "EMAIL" }, [third]],
        [{ country: "IN" }, [ofApp, second, first]],
        [{ country: "IN", status: "VERIFIED", orderId: "o-1", channel: "SMS" }, [second]],
        [{ from: "2020-01-01T00:00:00Z", to: "2020-01-02T00:00:00Z" }, []],
        [{ from: "2020-01-01T00:00:00Z" }, all]
      ]
      for (const [query, expected] of found)
        assert.deepStrictEqual(ids(await search(client, query)), newestFirst(expected), JSON.stringify(query))

      const page = await search(client, { limit: "3" })
      assert.deepStrictEqual(ids(page), all.slice(0, 3))
      assert.deepStrictEqual(ids(await search(client, { limit: "3", cursor: page.body.nextCursor })), all.slice(3))
      const masked = (await search(client, { identity: number })).body.items[0]
      assert.strictEqual(masked.identity, `+91******${number.slice(-4)}`)
      assert.notInclude(JSON.stringify(masked), number.slice(3))
      const { deliveries, ...one } = (await client.get(`${at}/${second}`)).body
      assert.strictEqual(deliveries.length, 1)
      assert.deepInclude(one, {
        requestId: second,
        path: "SERVER",
        authStatus: "VERIFIED",
        method: "OTP",
        country: "IN"
      })
      assert.deepStrictEqual(ids(await search(await service().client())), [])
    })

    it("shows the timeline of a verification, with its event and each webhook attempt", async () => {
      const client = await service().client()
      const requestId = await client.started()
      const life = () => client.get(`${at}/${requestId}/timeline`)
      await until(life, (answer) => kindsOf(answer).includes("RECEIPT"), { what: "the receipt" })
      await client.verify({ requestId, otp: wrong })
      await client.verify({ requestId, otp: code })
      const { body } = await life()
      const told = body.items.filter(({ kind }: any) => kind !== "WEBHOOK_TRIED")
      assert.deepStrictEqual(told.map(({ kind, reason }: any) => (kind === "CODE_TRIED" ? reason : kind)).toSorted(), [
        "EVENT",
        "EVENT",
        "INITIATED",
        "RECEIPT",
        "SENT",
        "VERIFIED",
        "wrong code, attempts left: 2"
      ])
      const times = body.items.map(({ sinceStartMs }: any) => sinceStartMs)
      assert.deepStrictEqual(
        times,
        times.toSorted((a: number, b: number) => a - b)
      )
      assert.deepStrictEqual(
        body.items.filter(({ kind }: any) => kind === "EVENT").map(({ data }: any) => data.type),
        ["otp.initiated", "otp.verified"]
      )
    })

    once(
      "shows messages as the person saw them, in the merchant's and the built-in texts, without the code",
      async () => {
        const client = await service().client()
        const builtIn = await client.started()
        const body = "{{brand}}: {{code}} opens your account, for {{minutes}} minutes."
        const template = await client.post("/v1/dashboard/templates", { name: "default", channel: "SMS", body })
        await client.settings({ brand: "Acme" })
        const own = await client.started()
        const seen = async (requestId: string) => (await client.get(`${at}/${requestId}/messages`)).body.items
        const [first] = await seen(builtIn)
        assert.deepInclude(first, { channel: "SMS", templateId: null, subject: null })
        assert.match(first.text, /••••••/)
        assert.notInclude(first.text, code)
        assert.deepInclude((await seen(own))[0], {
          templateId: template.body.id,
          templateVersion: 1,
          text: "Acme: •••••• opens your account, for 5 minutes."
        })
        refused(await (await service().client()).get(`${at}/${own}/messages`), "TRANSACTION_NOT_FOUND")
      }
    )

    once("says why a verification failed and what to do next, in one verification and in lists", async () => {
      const client = await service().client()
      const requestId = await client.started({ identity: "+919876500000" })
      await client.settled(requestId)
      const expected = {
        code: "NOT_SENT",
        channel: "SMS",
        reason: "UNKNOWN",
        cause: "unreachable",
        fallback: { state: "NOT_SET", channel: null, reason: null, cause: null },
        lockedUntil: null,
        advice: "ADD_FALLBACK"
      }
      assert.deepStrictEqual((await client.get(`${at}/${requestId}`)).body.outcome, expected)
      await client.verified()
      const outcomes = (await search(client)).body.items.map(({ outcome }: any) => outcome)
      assert.deepStrictEqual(outcomes, [null, expected])
      // With a fallback channel set by now, adding one is no advice any more.
      await client.settings({ fallbackChannel: "WHATSAPP" })
      assert.strictEqual((await client.get(`${at}/${requestId}`)).body.outcome.advice, "FIX_PROVIDER")
    })

    it("streams changes live, and resumes where a reader stopped", async () => {
      const client = await service().client()
      const before = await client.started()
      await until(
        () => client.events(),
        ({ body }) => body.items.length > 0,
        { what: "the first event" }
      )
      const first = await open(client)
      const identity = phone()
      const requestId = await client.started({ identity })
      const [message] = await first.until((all) => all.some(({ data }) => data.requestId === requestId))
      assert.strictEqual(message?.event, "verification")
      assert.deepInclude(message?.data, {
        requestId,
        authStatus: "PENDING",
        identity: `+91******${identity.slice(-4)}`
      })
      await client.verify({ requestId, otp: code })
      const told = await first.until((all) => all.some(({ data }) => data.authStatus === "VERIFIED"))
      assert.isFalse(told.some(({ data }) => data.requestId === before))
      await first.close()

      const again = await open(client, { "last-event-id": message!.id })
      const missed = await again.until((all) => all.length > 0)
      assert.deepStrictEqual(
        missed.map(({ data, event }) => [event, data.requestId, data.authStatus]),
        [["verification", requestId, "VERIFIED"]]
      )
      await again.close()
      const lost = await open(client, { "last-event-id": "evt_unknown" })
      assert.strictEqual((await lost.until((all) => all.length > 0))[0]?.event, "reset")
      await lost.close()
    })

    it("streams which leads changed, in any process and by anyone", async () => {
      const client = await service().client()
      const stream = await open(client)
      const sees = async (id: number, change: () => Promise<unknown>) => {
        let from = 0
        await stream.until((all) => ((from = all.length), true))
        await change()
        await stream.until((all) =>
          all.slice(from).some(({ data, event }) => event === "changed" && data.leads.includes(id))
        )
      }
      const { body: lead } = await client.post("/v1/dashboard/leads", { phone: phone() })
      const at = `/v1/dashboard/leads/${lead.id}`
      const until = new Date(Date.now() + 3_600_000).toISOString()
      await sees(lead.id, async () => client.post(`${at}/snooze`, { until }))
      await sees(lead.id, async () => client.post("/v1/dashboard/leads/bulk", { ids: [lead.id], action: "CLOSE" }))
      await sees(lead.id, async () => client.post(`${at}/notes`, { text: "Called." }))
      await stream.close()
    })

    once("unmasks an identity for an admin, and audits it", async () => {
      const client = await service().client()
      const identity = phone()
      const requestId = await client.started({ identity })
      const answer = await client.send({ method: "POST", path: `${at}/${requestId}/unmask` })
      assert.deepStrictEqual([answer.status, answer.body], [200, { identity }])
    })

    it("finds a person by number, digits, request and order, and unlocks them by their reference", async () => {
      const client = await service().client({ maxConsecutiveFailures: 2 })
      const identity = phone()
      const requestId = await client.started({ identity, orderId: "order-9" })
      await client.started({ identity: phone() })
      for (const otp of [wrong, wrong]) await client.verify({ requestId, otp })
      const find = async (text: string) =>
        (await client.get(`/v1/dashboard/people?${new URLSearchParams({ search: text }).toString()}`)).body.items
      const masked = `+91******${identity.slice(-4)}`
      const { person } = (await client.get(`${at}/${requestId}`)).body
      for (const text of [identity, identity.slice(-4), requestId, "order-9"]) {
        const [found] = await find(text)
        assert.deepInclude(found, { person, identity: masked, requestId }, text)
      }
      assert.deepStrictEqual(await find(phone()), [])
      const path = `/v1/dashboard/people/${person}`
      const read = async () => (await client.get(path)).body.locks[0]
      assert.strictEqual((await read()).wrongCodes, 2)
      assert.isNotNull((await read()).lockedUntil)
      refused(await client.initiate({ identity }), "RATE_LIMIT_EXCEEDED")
      assert.deepStrictEqual((await client.send({ method: "POST", path: `${path}/unlock` })).body, { unlocked: true })
      assert.deepStrictEqual(await read(), { path: "SERVER", wrongCodes: 0, lockedUntil: null })
      assert.strictEqual((await client.initiate({ identity })).status, 200)
      assert.deepStrictEqual(ids(await search(client, { person })), [requestId])
      refused(await client.live.get(path), "PERSON_NOT_FOUND")
    })

    it("lists refused initiates, and counts them by reason", async () => {
      const client = await service().client({ hourlyLimit: 1 })
      const identity = phone()
      const requestId = await client.started({ identity })
      await client.verify({ requestId, otp: code })
      await client.initiate({ identity })
      await client.initiate({ identity, channel: "PIGEON" })
      const app = await appOf(client)
      for (let i = 0; i < 5; i++) await app.initiate({ phone: "12" })
      const refusals = (query: Query = {}) =>
        client.get(`/v1/dashboard/refusals?${new URLSearchParams(query).toString()}`)
      const { body } = await until(
        () => refusals(),
        ({ body }) => new Set(body.items.map(({ path, reason }: any) => `${path} ${reason}`)).size === 3,
        { what: "the refusals of both paths" }
      )
      const masked = `+91******${identity.slice(-4)}`
      // Two of the same millisecond can be in any order.
      const ofBackend = body.items
        .filter(({ path }: any) => path === "SERVER")
        .toSorted((a: any, b: any) => (a.errorCode < b.errorCode ? -1 : 1))
      const { person } = (await client.get(`${at}/${requestId}`)).body
      const ofPerson = (await refusals({ person })).body.items
      assert.deepStrictEqual(ofPerson.map(({ reason }: any) => reason).toSorted(), ["INVALID_CHANNEL", "spelling"])
      assert.deepStrictEqual(
        ofBackend.map(({ at: _at, person: _person, ...one }: any) => one),
        [
          {
            path: "SERVER",
            errorCode: "INVALID_CHANNEL",
            reason: "INVALID_CHANNEL",
            identity: masked,
            channel: null,
            country: "IN"
          },
          {
            path: "SERVER",
            errorCode: "RATE_LIMIT_EXCEEDED",
            reason: "spelling",
            identity: masked,
            channel: null,
            country: "IN"
          }
        ]
      )
      assert.deepInclude(
        body.items.find(({ path }: any) => path === "SDK"),
        { errorCode: "INVALID_REQUEST", identity: null }
      )
      const spelling = await refusals({ reason: "spelling" })
      assert.strictEqual(spelling.body.items.length, 1)
      assert.deepStrictEqual((await refusals({ to: "2020-01-01T00:00:00Z" })).body.items, [])
      refused(await refusals({ cursor: "x" }), "INVALID_REQUEST", "cursor")
    })

    once("refuses invalid queries, and shows nothing of other environments", async () => {
      const client = await service().client()
      const wrongs: ReadonlyArray<readonly [string, string]> = [
        ["identity", "12"],
        ["status", "DONE"],
        ["channel", "auto"],
        ["country", "in"],
        ["from", "yesterday"],
        ["to", "2020-02-31T00:00:00Z"],
        ["cursor", "evt_1"],
        ["limit", "0"],
        ["orderId", ""]
      ]
      for (const [name, value] of wrongs) {
        refused(await search(client, { [name]: value }), "INVALID_REQUEST", name)
      }
      const requestId = await client.started()
      const other = await service().client()
      for (const id of [requestId, "ver_unknown", "x"]) {
        refused(await other.get(`${at}/${id}`), "TRANSACTION_NOT_FOUND")
        refused(await other.get(`${at}/${id}/timeline`), "TRANSACTION_NOT_FOUND")
        refused(await other.send({ method: "POST", path: `${at}/${id}/unmask` }), "TRANSACTION_NOT_FOUND")
      }
    })
  })
}
