import { assert, describe } from "vitest"
import { type Client, phone, refused, uuid } from "../fixture/Client.ts"
import type { Service } from "../fixture/Service.ts"
import { callHook, kinds, standard } from "../fixture/hookCalls.ts"
import { until } from "../fixture/Until.ts"
import type { Once } from "./Once.ts"

interface Hook {
  readonly id: string
  readonly kind: string
  readonly url: string
  readonly secret: string
}

const create = async (client: Client, fields: object): Promise<Hook> => {
  const { body, status, text } = await client.post("/v1/dashboard/hooks", { name: "Sign-in", ...fields })
  assert.strictEqual(status, 201, text)
  return body
}

const now = () => Math.floor(Date.now() / 1000)

const supabase = (identity: string, { otp = "482913", requestId = uuid() } = {}) =>
  JSON.stringify({
    metadata: { uuid: requestId, name: "send-sms", ip_address: "203.0.113.7" },
    user: { id: uuid(), phone: identity.slice(1), user_metadata: {} },
    sms: { otp, phone: identity.slice(1) }
  })

/** Hooks of sign-in systems, over HTTP. */
export const suite = (service: () => Service, once: Once) =>
  describe("hooks", () => {
    /** Calls the address of a hook, at one process or another. */
    const call = async (
      { id, kind }: Pick<Hook, "id" | "kind">,
      headers: Record<string, string>,
      body: string,
      at = 0
    ) => {
      return callHook(service().urls[at % service().urls.length]!, { id, kind }, headers, body)
    }

    const requestsOf = async (client: Client, { id }: Hook) =>
      (await client.get(`/v1/dashboard/hooks/${id}/requests`)).body.items

    once("a code of Supabase is sent once, whatever its retries, and its list says so without the code", async () => {
      const { live } = await service().withOwner()
      const hook = await create(live, { kind: "supabase-sms" })
      assert.isTrue(hook.url.endsWith(`/v1/hooks/supabase-sms/${hook.id}`), hook.url)
      const identity = phone()
      const body = supabase(identity)
      // Supabase tries three times within five seconds, and another process may get each.
      const answers = await Promise.all([0, 1, 2].map((at) => call(hook, standard(hook.secret, body), body, at)))
      for (const { status, text } of answers) assert.deepStrictEqual([status, text], [200, "{}"])
      const items = await until(
        () => requestsOf(live, hook),
        ({ length }) => length === 3,
        { what: "the list of the hook" }
      )
      assert.sameMembers(
        items.map(({ outcome }: { outcome: string }) => outcome),
        ["SENT", "REPEATED", "REPEATED"]
      )
      const ids = new Set(items.map(({ deliveries }: { deliveries: Array<{ id: string }> }) => deliveries[0]!.id))
      assert.strictEqual(ids.size, 1)
      const text = JSON.stringify(items)
      for (const secret of ["482913", identity, identity.slice(3)]) assert.notInclude(text, secret)
    })

    once("a request that nobody of the hook signed is refused, and unknown addresses say nothing", async () => {
      const { live, test } = await service().withOwner()
      const [hook, other] = [await create(live, { kind: "generic" }), await create(test, { kind: "generic" })]
      const body = JSON.stringify({ identity: phone(), code: "482913" })
      const good = standard(hook.secret, body)
      for (const [headers, sent] of [
        [{}, body],
        [good, `${body} `],
        [standard(other.secret, body), body],
        [standard(hook.secret, body, { at: now() - 400 }), body],
        [standard(hook.secret, body, { at: now() + 400 }), body],
        [{ ...good, "webhook-id": uuid() }, body],
        [{ authorization: `Bearer ${hook.secret}` }, body]
      ] as const) {
        const { status, text } = await call(hook, headers, sent)
        assert.strictEqual(status, 401, text)
      }
      const nowhere = await fetch(`${service().urls[0]}/v1/nowhere`, { method: "POST", body: "{}" })
      const { message } = (await nowhere.json()) as { readonly message: string }
      for (const unknown of [
        { kind: "kratos", id: hook.id },
        { kind: "generic", id: "hok_00000000000000000000000000" },
        { kind: "generic", id: "x" },
        { kind: "generic", id: `${hook.id}/x` },
        { kind: "__proto__", id: hook.id }
      ]) {
        const { status, text } = await call(unknown, good, body)
        assert.deepStrictEqual([status, JSON.parse(text).message], [404, message])
      }
      assert.strictEqual((await call(hook, good, body)).status, 200)
    })

    once("a refusal reaches the person in Supabase's form, and others as the envelope", async () => {
      const { live } = await service().withOwner()
      const hook = await create(live, { kind: "supabase-sms" })
      const body = supabase("+000")
      const { status, text } = await call(hook, standard(hook.secret, body), body)
      assert.strictEqual(status, 200)
      assert.strictEqual(JSON.parse(text).error.http_code, 400)
      const kratos = await create(live, { kind: "kratos" })
      const key = { authorization: `Bearer ${kratos.secret}` }
      const answer = await call(kratos, key, JSON.stringify({ to: phone(), type: "recovery_code_invalid" }))
      assert.deepStrictEqual([answer.status, JSON.parse(answer.text).errorCode], [400, "INVALID_REQUEST"])
    })

    once("the old secret is accepted beside the next one, until it is ended", async () => {
      const { live } = await service().withOwner()
      const hook = await create(live, { kind: "generic" })
      const rotate = (fields: object) => live.post(`/v1/dashboard/hooks/${hook.id}/rotate-secret`, fields)
      const statusOf = async (secret: string) => {
        const body = JSON.stringify({ identity: phone(), code: "482913" })
        return (await call(hook, standard(secret, body), body)).status
      }
      const { body: rotated } = await rotate({})
      assert.isNotNull(rotated.retiringAt)
      const becomes = (secret: string, expected: number) =>
        until(
          () => statusOf(secret),
          (status) => status === expected,
          { what: `a secret answers ${expected}` }
        )
      await becomes(rotated.secret, 200)
      assert.strictEqual(await statusOf(hook.secret), 200)
      const ended = await rotate({ endOthers: true })
      assert.isNull(ended.body.retiringAt)
      await becomes(hook.secret, 401)
      await becomes(rotated.secret, 401)
      assert.strictEqual(await statusOf(ended.body.secret), 200)
    })

    once("every kind can be created, is listed without its secret, and can be deleted", async () => {
      const { live, test } = await service().withOwner()
      const made: Array<Hook> = []
      for (const kind of kinds) made.push(await create(live, { kind }))
      const listed = await live.get("/v1/dashboard/hooks")
      assert.deepStrictEqual(
        listed.body.items.map((hook: Hook) => hook.kind),
        kinds
      )
      for (const { id, secret } of made) {
        assert.notInclude(listed.text, secret)
        refused(await test.get(`/v1/dashboard/hooks/${id}/requests`), "HOOK_NOT_FOUND")
        refused(await test.send({ method: "DELETE", path: `/v1/dashboard/hooks/${id}` }), "HOOK_NOT_FOUND")
        const { status } = await live.send({ method: "DELETE", path: `/v1/dashboard/hooks/${id}` })
        assert.strictEqual(status, 204)
      }
      assert.deepStrictEqual((await live.get("/v1/dashboard/hooks")).body.items, [])
      for (const fields of [{ kind: "saml" }, { kind: "generic", name: "" }, { kind: "generic", secret: "short" }]) {
        refused(await live.post("/v1/dashboard/hooks", { name: "x", ...fields }), "INVALID_REQUEST")
      }
    })

    once("a large body is refused, and a compressed one too", async () => {
      const { live } = await service().withOwner()
      const hook = await create(live, { kind: "generic" })
      const large = JSON.stringify({ identity: phone(), code: "482913", x: "x".repeat(300_000) })
      assert.strictEqual((await call(hook, standard(hook.secret, large), large)).status, 413)
      const body = JSON.stringify({ identity: phone(), code: "482913" })
      const headers = { ...standard(hook.secret, body), "content-encoding": "gzip" }
      assert.strictEqual((await call(hook, headers, body)).status, 400)
    })
  })
