import type { FieldProblem } from "@countersign/http"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { memory, type Service } from "../../../server/test/fixture/Service.ts"
import { sentenceOf } from "../../src/words/problemWords.ts"

type Worded = Pick<FieldProblem, "code" | "params"> & { readonly problem: string }

/** Every problem has a Hindi sentence, with every value that the English one names. */
const inHindi = (problems: ReadonlyArray<Worded>): ReadonlyArray<string> =>
  problems.map(({ code, params, problem }) => {
    const sentence = sentenceOf({ code, params }) ?? ""
    assert.match(sentence, /[\u0900-\u097f]/, problem)
    assert.notMatch(sentence, /undefined|null/, problem)
    return sentence
  })

describe("problems inside the service's answers", () => {
  let service: Service
  beforeAll(async () => {
    service = await memory()
  })
  afterAll(() => service.close())

  it("have codes in a campaign's dry run, for the file, its header and its lines", async () => {
    const { test } = await service.merchant()
    const template = { name: "offer", channel: "SMS", purpose: "MESSAGE", body: "Hello {{first_name}}, 20% off" }
    assert.strictEqual((await test.post("/v1/dashboard/templates", template)).status, 201)
    const run = async (csv: string) => {
      const body = { name: "Diwali", channel: "SMS", template: "offer", csv }
      const answer = await test.post("/v1/dashboard/campaigns?dryRun=true", body)
      assert.strictEqual(answer.status, 200, answer.text)
      return answer.body.invalid as ReadonlyArray<Worded>
    }
    const lines = [
      "phone,first_name",
      ",Asha",
      "9.19877E+11,Asha",
      "0091987,Asha",
      "12,Asha",
      "+919876543210,",
      "+919876543211,a,b,c",
      '"+919876543212"x,Asha',
      `+919876543213,${"x".repeat(1_100)}`,
      "+919876543214,tab\u0007"
    ]
    const found = await run(lines.join("\n"))
    assert.deepStrictEqual(
      found.map(({ code }) => code),
      [
        "LISTED_EMPTY",
        "LISTED_SHORTENED",
        "LISTED_00",
        "PHONE",
        "VALUE_EMPTY",
        "CSV_CELLS",
        "CSV_QUOTE_TEXT",
        "OVER",
        "VALUE_CONTROL"
      ]
    )
    assert.include(inHindi(found)[5], "4")
    for (const [csv, code] of [
      ["", "CSV_EMPTY"],
      ["PK\u0003\u0004", "CSV_WORKBOOK"],
      ["name\nAsha", "CSV_NO_PHONE"],
      ["Asha,+919876543210", "CSV_NO_HEADER"],
      ["phone,phone,first_name", "CSV_COLUMN_REPEATED"],
      [`phone,${"a,".repeat(120)}`, "CSV_HEADER"],
      ["phone,first_name", "CSV_NO_RECIPIENTS"]
    ] as const) {
      const all = await run(csv)
      assert.strictEqual(all[0]?.code, code)
      inHindi(all)
    }
  })

  it("have codes in the findings of templates", async () => {
    const { test } = await service.merchant()
    const findings = async (template: object) =>
      (await test.post("/v1/dashboard/templates/preview", template)).body.findings as ReadonlyArray<Worded>
    const sms = await findings({ channel: "SMS", purpose: "CODE", body: `{{cod}} {{link}} ₹ ${"x".repeat(90)} }}` })
    assert.sameMembers(
      sms.map(({ code }) => code),
      ["PLACEHOLDER_BRACES", "PLACEHOLDER_UNKNOWN", "PLACEHOLDER_NEEDED", "PLACEHOLDER_FORBIDDEN", "SMS_SEGMENTS"]
    )
    assert.isTrue(inHindi(sms).some((sentence) => sentence.includes("₹")))
    const mail = await findings({
      channel: "EMAIL",
      purpose: "CODE",
      subject: "Your code",
      body: "{{code}}",
      html: '<script>1</script><img src="https://a.example/a.png" onclick="x">{{code}}<style>{{code}}</style><b '
    })
    assert.includeMembers(
      mail.map(({ code }) => code),
      ["HTML_TAG", "HTML_BRACKET", "HTML_HANDLER", "HTML_STYLE", "HTML_REMOTE"]
    )
    inHindi(mail)
  })

  it("have codes in the warnings of settings, and in the refusal of a number", async () => {
    const { live, test } = await service.withOwner()
    const changed = await test.settings({
      fallbackChannel: "SMS",
      primaryChannel: "SMS",
      hourlyLimit: 9,
      canonicalHourlyLimit: 3,
      dailyCap: { SMS: 5 }
    })
    assert.strictEqual(changed.status, 200, changed.text)
    const warnings = changed.body.warnings as ReadonlyArray<Worded>
    assert.sameMembers(
      warnings.map(({ code }) => code),
      ["NEVER_REACHED", "FALLBACK_IS_PRIMARY", "UNBILLED_EFFECT"]
    )
    inHindi(warnings)
    for (const [settings, code] of [
      [{ allowedCountries: ["IN"] }, "DESTINATION_COUNTRY"],
      [{ allowedCountries: null, blockedPrefixes: ["1202"] }, "DESTINATION_PREFIX"]
    ] as const) {
      assert.strictEqual((await live.settings(settings)).status, 200)
      const refused = await live.post("/v1/auth/initiate", {
        identity: "+12025550123",
        identityType: "MOBILE",
        mode: "OTP"
      })
      assert.strictEqual(refused.status, 403, refused.text)
      const problem = JSON.parse(decodeURIComponent(String(refused.headers["x-problem"]))) as FieldProblem
      assert.deepInclude(problem, { field: "identity", code })
      inHindi([{ ...problem, problem: refused.body.message }])
    }
  })
})
