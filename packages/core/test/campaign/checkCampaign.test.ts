import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import {
  type CampaignRequest,
  checkCampaign,
  longestCsv,
  templateOf
} from "../../src/engagement/campaign/checkCampaign.ts"
import { columnsFor, placesOf, valuesFor, wordsWith } from "../../src/engagement/campaign/campaignText.ts"
import { catalogueOf } from "../../src/message/template/choose.ts"
import type { TemplateHead } from "../../src/message/template/StoredTemplate.ts"

const now = Date.parse("2026-01-31T09:30:00Z")
const request: CampaignRequest = { name: "Diwali", channel: "SMS", template: "diwali", csv: "phone\n" }

const checked = (more: CampaignRequest) => Effect.runSync(Effect.result(checkCampaign({ ...request, ...more }, now)))

const refusal = (more: CampaignRequest) => {
  const result = checked(more)
  if (Result.isSuccess(result)) return null
  const { _tag } = result.failure
  return _tag === "InvalidField" ? result.failure.field : _tag
}

describe("the check of a campaign request", () => {
  it("names the invalid field", () => {
    const wrong: ReadonlyArray<readonly [CampaignRequest, string]> = [
      [{ name: null }, "name"],
      [{ name: " " }, "name"],
      [{ name: "x".repeat(101) }, "name"],
      [{ name: "a\nb" }, "name"],
      [{ channel: null }, "channel"],
      [{ channel: "EMAIL" }, "InvalidChannel"],
      [{ channel: "sms" }, "InvalidChannel"],
      [{ template: "" }, "template"],
      [{ template: "x".repeat(101) }, "template"],
      [{ csv: null }, "csv"],
      [{ startAt: "tomorrow" }, "startAt"],
      [{ startAt: "2026-02-30T00:00:00Z" }, "startAt"],
      [{ startAt: "2026-02-01T00:00:00" }, "startAt"],
      [{ startAt: "2025-01-31T09:30:00Z" }, "startAt"],
      [{ startAt: "2027-02-01T09:30:00Z" }, "startAt"]
    ]
    for (const [more, field] of wrong) assert.strictEqual(refusal(more), field, JSON.stringify(more))
    assert.strictEqual(refusal({ name: "x".repeat(100) }), null)
  })

  it("starts it immediately without a startAt, or with one from the last five minutes", () => {
    const startOf = (startAt: string | null) => Result.getOrThrow(checked({ startAt })).startAt
    assert.strictEqual(startOf(null), now)
    assert.strictEqual(startOf("2026-01-31T09:26:00Z"), now)
    assert.strictEqual(startOf("2026-01-31T16:00:00+05:30"), now + 3_600_000)
  })

  it("accepts a CSV of 5 MB in UTF-8 and not a byte more, in any script", () => {
    for (const character of ["a", "ü", "क", "😀"]) {
      const size = new TextEncoder().encode(character).length
      const rest = "x".repeat(longestCsv % size)
      const csv = character.repeat(Math.floor(longestCsv / size)) + rest
      assert.strictEqual(refusal({ csv }), null, character)
      assert.strictEqual(refusal({ csv: `${csv}x` }), "CsvTooLarge", character)
    }
  })
})

const head = (more: Partial<TemplateHead>): TemplateHead => ({
  environment: "env",
  id: "tpl_1",
  revision: 1,
  version: 1,
  name: "Diwali",
  channel: "SMS",
  purpose: "MESSAGE",
  locale: null,
  places: [],
  values: 0,
  state: null,
  dltTemplateId: null,
  header: null,
  whatsappName: null,
  whatsappLanguage: null,
  numberId: null,
  createdAt: 0,
  updatedAt: 0,
  removedAt: null,
  ...more
})

describe("the template of a campaign", () => {
  const heads = [
    head({ id: "tpl_code", name: "login", purpose: "CODE" }),
    head({ id: "tpl_whatsapp", name: "offer", channel: "WHATSAPP" }),
    head({ id: "tpl_en", locale: "en" }),
    head({ id: "tpl_hi", locale: "hi" })
  ]
  const find = (template: string, locale = "en") =>
    Result.match(templateOf({ channel: "SMS", template }, catalogueOf(heads, [], true), { locale }), {
      onSuccess: ({ id }) => id,
      onFailure: ({ fault, problem }) => `${fault} ${problem}`
    })

  it("is found by its id or its name; several of one name give the one in the merchant's language", () => {
    assert.strictEqual(find("tpl_hi"), "tpl_hi")
    assert.strictEqual(find("diwali"), "tpl_en")
    assert.strictEqual(find("DIWALI", "hi"), "tpl_hi")
    assert.strictEqual(find("Diwali", "ta"), "tpl_en")
  })

  it("is refused with the reason when it has another channel or purpose, or does not exist", () => {
    assert.match(find("login"), /^INVALID template: login has purpose CODE/)
    assert.match(find("tpl_code"), /^INVALID .* CODE/)
    assert.match(find("offer"), /^INVALID template: offer is for WHATSAPP/)
    assert.match(find("none"), /^NOT_FOUND template: /)
  })

  it("has placeholders for columns and settings, and a recipient's values fill them in order", () => {
    const settings = { brand: "Acme", domain: null, appHash: null }
    const body = "{{name}}, {{brand}} has {{offer}} for {{name}}"
    const places = placesOf("SMS", body)
    assert.deepStrictEqual(columnsFor(places), ["name", "offer", "name"])
    assert.deepStrictEqual(valuesFor(places, ["Asha", "tea", "Asha"], settings), ["Asha", "Acme", "tea", "Asha"])
    assert.strictEqual(wordsWith(body, settings), "{{name}}, Acme has {{offer}} for {{name}}")
    assert.deepStrictEqual(placesOf("WHATSAPP", null), [])
  })
})
