import { assert, describe, it } from "vitest"
import { appOf } from "../fixture/App.ts"
import { type Client, code, phone, refused } from "../fixture/Client.ts"
import type { Service } from "../fixture/Service.ts"
import { until } from "../fixture/Until.ts"
import * as Wire from "../fixture/Wire.ts"
import type { Once } from "./Once.ts"

type Fields = { readonly [name: string]: unknown }

const path = "/v1/dashboard/templates"
const senderIds = "/v1/dashboard/sender-ids"
const dltTemplateId = "1107160000000000001"
const sms = { name: "default", channel: "SMS", body: "{{code}} for {{brand}}" }

const created = async (client: Client, fields: Fields): Promise<any> => {
  const { body, status, text } = await client.post(path, fields)
  assert.strictEqual(status, 201, text)
  return body
}

const change = (client: Client, id: string, body: Fields) =>
  client.send({ method: "PATCH", path: `${path}/${id}`, body })
const remove = (client: Client, path: string) => client.send({ method: "DELETE", path })

/** Merchants' own templates, over HTTP. */
export const suite = (service: () => Service, once: Once) =>
  describe("templates", () => {
    once("are created, listed, changed and deleted", async () => {
      const client = await service().client()
      const made = await created(client, { ...sms, locale: "en", dltTemplateId, dltText: "{#var#} for {#var#}" })
      assert.match(made.id, /^tpl_/)
      assert.deepInclude(made, {
        ...sms,
        version: 1,
        purpose: "CODE",
        locale: "en",
        status: null,
        dltTemplateId,
        subject: null,
        findings: []
      })
      assert.match(made.createdAt, /^\d{4}-.*Z$/)
      const hindi = await created(client, { ...sms, locale: "hi", body: "{{code}} आपका {{brand}} कोड है।" })
      const first = await client.get(`${path}?limit=1`)
      assert.deepStrictEqual(first.body, { items: [made], nextCursor: made.id })
      const second = await client.get(`${path}?limit=1&cursor=${first.body.nextCursor}`)
      assert.deepStrictEqual(second.body, { items: [hindi], nextCursor: null })
      const changed = await change(client, made.id, { body: "{{code}} is for {{brand}}", dltText: null })
      assert.strictEqual(changed.status, 200, changed.text)
      assert.deepInclude(changed.body, { version: 2, body: "{{code}} is for {{brand}}", dltText: null, dltTemplateId })
      assert.deepStrictEqual((await client.get(`${path}/${made.id}`)).body, changed.body)
      assert.strictEqual((await remove(client, `${path}/${made.id}`)).status, 204)
      refused(await remove(client, `${path}/${made.id}`), "TEMPLATE_NOT_FOUND")
      assert.strictEqual((await client.get(path)).body.items.length, 1)
    })

    it("with one name, channel, purpose and locale are created once by concurrent requests", async () => {
      const client = await service().client()
      const answers = await Promise.all(Array.from({ length: 20 }, () => client.post(path, sms)))
      assert.deepStrictEqual(
        answers.map(({ status }) => status).toSorted((a, b) => a - b),
        [201, ...Array.from({ length: 19 }, () => 409)]
      )
      for (const answer of answers) if (answer.status === 409) refused(answer, "DUPLICATE_TEMPLATE")
      await created(client, { ...sms, locale: "hi" })
    })

    once("belong to one environment of one merchant", async () => {
      const { live, test } = await service().merchant()
      const { id } = await created(test, sms)
      for (const client of [live, await service().client()]) {
        assert.deepStrictEqual((await client.get(path)).body.items, [])
        refused(await client.get(`${path}/${id}`), "TEMPLATE_NOT_FOUND")
        refused(await change(client, id, { body: "{{code}}" }), "TEMPLATE_NOT_FOUND")
        refused(await remove(client, `${path}/${id}`), "TEMPLATE_NOT_FOUND")
        refused(await client.post(`${path}/${id}/preview`, {}), "TEMPLATE_NOT_FOUND")
        refused(await client.send({ method: "POST", path: `${path}/${id}/submit` }), "TEMPLATE_NOT_FOUND")
      }
    })

    once("with a wrong form, a missing part or a broken rule name it", async () => {
      const client = await service().client()
      const faults: ReadonlyArray<[fields: Fields, errorCode: string, field: string]> = [
        [{}, "INVALID_REQUEST", "name"],
        [{ ...sms, name: 1 }, "INVALID_REQUEST", "name"],
        [{ ...sms, name: "" }, "INVALID_REQUEST", "name"],
        [{ ...sms, channel: "sms" }, "INVALID_REQUEST", "channel"],
        [{ ...sms, channel: "TRUECALLER" }, "INVALID_REQUEST", "channel"],
        [{ ...sms, purpose: "OTHER" }, "INVALID_REQUEST", "purpose"],
        [{ ...sms, locale: "English" }, "INVALID_REQUEST", "locale"],
        [{ ...sms, subject: "x" }, "INVALID_REQUEST", "subject"],
        [{ ...sms, body: "{{code}}\u0000" }, "INVALID_REQUEST", "body"],
        [{ name: "a", channel: "SMS" }, "INCOMPLETE_TEMPLATE_CONFIG", "body"],
        [{ name: "a", channel: "EMAIL", body: "{{code}}" }, "INCOMPLETE_TEMPLATE_CONFIG", "subject"],
        [{ name: "a", channel: "WHATSAPP" }, "INCOMPLETE_TEMPLATE_CONFIG", "whatsappName"],
        [{ ...sms, body: "Hello" }, "INVALID_TEMPLATE_CONFIG", "body: must contain {{code}}"],
        [{ ...sms, body: "{{code}} {{nmae}}" }, "INVALID_TEMPLATE_CONFIG", "body: {{nmae}} is not"],
        [{ ...sms, purpose: "LINK" }, "INVALID_TEMPLATE_CONFIG", "body: must contain {{link}}"],
        [{ ...sms, dltTemplateId: "12" }, "INVALID_TEMPLATE_CONFIG", "dltTemplateId"],
        [{ ...sms, header: "ACME" }, "INVALID_TEMPLATE_CONFIG", "header"],
        [{ ...sms, dltTemplateId, dltText: "other" }, "INVALID_TEMPLATE_CONFIG", "dltText"],
        [{ name: "a", channel: "WHATSAPP", whatsappName: "Login" }, "INVALID_TEMPLATE_CONFIG", "whatsappName"],
        [
          { name: "a", channel: "EMAIL", subject: "x", body: "{{code}}", html: "<script>{{code}}" },
          "INVALID_TEMPLATE_CONFIG",
          "html"
        ]
      ]
      for (const [fields, errorCode, begins] of faults) {
        const answer = await client.post(path, fields)
        assert.strictEqual(answer.status, 400)
        refused(answer, errorCode)
        assert.isTrue(answer.body.message.startsWith(begins), answer.text)
      }
      assert.deepStrictEqual((await client.get(path)).body.items, [])
      const { findings } = await created(client, { ...sms, body: `{{code}} ${"क".repeat(80)}` })
      assert.deepInclude(findings[0], { severity: "warning", field: "body" })
    })

    once("are chosen by an initiate, which refuses them in the documented order", async () => {
      const client = await service().client({ hourlyLimit: 1 })
      // Every sender id is accepted while none is registered.
      await client.started({ channel: "SMS", templateId: dltTemplateId, header: "OTHERS" })
      await created(client, { ...sms, name: "dlt", dltTemplateId })
      assert.strictEqual((await client.post(senderIds, { header: "ACMEIN" })).status, 201)
      const identity = phone()
      const wrong = { identity, channel: "SMS", templateId: "9".repeat(19), header: "OTHERS" }
      refused(await client.initiate({ ...wrong, mode: "SMS" }), "INVALID_MODE")
      refused(await client.initiate(wrong), "INVALID_REQUEST", "header")
      const unknown = await client.initiate({ ...wrong, header: "ACMEIN" })
      refused(unknown, "TEMPLATE_NOT_FOUND")
      assert.strictEqual(unknown.status, 404)
      await created(client, { ...sms, body: "{{code}}\n\n@{{domain}} #{{code}}" })
      const incomplete = await client.initiate({ identity })
      refused(incomplete, "INCOMPLETE_TEMPLATE_CONFIG")
      assert.strictEqual(incomplete.status, 400)
      const { id } = await created(client, { ...sms, name: "sender", header: "ACMEIN", dltTemplateId: "2".repeat(19) })
      assert.strictEqual((await client.post(senderIds, { header: "SECOND" })).status, 201)
      assert.strictEqual((await remove(client, `${senderIds}/ACMEIN`)).status, 204)
      const invalid = await client.initiate({ identity, channel: "SMS", templateId: "2".repeat(19) })
      refused(invalid, "INVALID_TEMPLATE_CONFIG")
      assert.strictEqual(invalid.status, 400)
      assert.strictEqual((await change(client, id, { header: "SECOND" })).status, 200)
      // Refused requests counted toward no limit.
      const requestId = await client.started({ identity, channel: "SMS", templateId: "2".repeat(19), header: "SECOND" })
      assert.strictEqual((await client.verify({ requestId, otp: code })).body.verified, true)
      // The limit is checked before the template.
      refused(await client.initiate({ identity, templateId: "9".repeat(19), channel: "SMS" }), "RATE_LIMIT_EXCEEDED")
    })

    once("are named by an app, and the name default has no special meaning", async () => {
      const client = await service().client()
      const app = await appOf(client)
      refused(await app.initiate({ template: "default" }), "TEMPLATE_NOT_FOUND")
      await created(client, sms)
      await created(client, { ...sms, name: "Welcome" })
      for (const template of ["default", "welcome", "Welcome"]) {
        const answer = await app.initiate({ template })
        assert.strictEqual(answer.status, 200, answer.text)
      }
      refused(await app.initiate({ template: "welcome", channel: "whatsapp" }), "TEMPLATE_NOT_FOUND")
      refused(await app.initiate({ template: "otp" }), "TEMPLATE_NOT_FOUND")
    })

    it("can change during a verification, which continues, and every process sees the change", async () => {
      const client = await service().client()
      const { id } = await created(client, sms)
      const living = await client.started()
      const incomplete = "{{code}}\n\n@{{domain}} #{{code}}"
      assert.strictEqual((await change(client, id, { body: incomplete })).status, 200)
      const begin = () =>
        Promise.all(
          service().urls.map(async (url) => {
            const body = { identity: phone(), identityType: "MOBILE", mode: "OTP" }
            return (await Wire.send(url, client.call({ path: "/v1/auth/initiate", body }))).body.errorCode
          })
        )
      await until(begin, (codes) => codes.every((each) => each === "INCOMPLETE_TEMPLATE_CONFIG"), {
        what: "the change"
      })
      await remove(client, `${path}/${id}`)
      await until(begin, (codes) => codes.every((each) => each === undefined), { what: "the removal" })
      assert.strictEqual((await client.verify({ requestId: living, otp: code })).body.verified, true)
    })

    once("are previewed before they are saved, and as they are saved", async () => {
      const client = await service().client({ brand: "Acme" })
      const values = { code: "482913" }
      const before = await client.post(`${path}/preview`, { ...sms, values, identity: "98765 43210" })
      assert.strictEqual(before.status, 200, before.text)
      assert.deepStrictEqual(before.body, {
        to: "+919876543210",
        text: "482913 for Acme",
        subject: null,
        html: null,
        encoding: "GSM-7",
        units: 15,
        segments: 1,
        header: null,
        dltTemplateId: null,
        whatsapp: null,
        findings: []
      })
      const { id } = await created(client, sms)
      const saved = await client.post(`${path}/${id}/preview`, { values, identity: "98765 43210" })
      assert.deepStrictEqual(saved.body, before.body)
      assert.strictEqual((await client.post(`${path}/${id}/preview`, {})).body.text, "XXXXXX for Acme")
      refused(await client.post(`${path}/${id}/preview`, { identity: "abc" }), "INVALID_REQUEST", "identity")
      refused(await client.post(`${path}/${id}/preview`, { values: { code: 1 } }), "INVALID_REQUEST", "values")
    })

    it("use sender ids, which are registered once, listed and deleted", async () => {
      const client = await service().client()
      const answers = await Promise.all(Array.from({ length: 5 }, () => client.post(senderIds, { header: "ACMEIN" })))
      assert.strictEqual(answers.filter(({ status }) => status === 201).length, 1)
      for (const answer of answers) if (answer.status === 409) refused(answer, "DUPLICATE_SENDER_ID")
      assert.deepStrictEqual(
        (await client.get(senderIds)).body.items.map(({ header }: { readonly header: string }) => header),
        ["ACMEIN"]
      )
      for (const header of ["ACME", "ACME12", "", 7, null]) {
        refused(await client.post(senderIds, { header }), "INVALID_REQUEST", "header")
      }
      const { live } = await service().merchant()
      refused(await remove(live, `${senderIds}/ACMEIN`), "SENDER_ID_NOT_FOUND")
      assert.strictEqual((await remove(client, `${senderIds}/ACMEIN`)).status, 204)
      refused(await remove(client, `${senderIds}/ACMEIN`), "SENDER_ID_NOT_FOUND")
    })
  })
