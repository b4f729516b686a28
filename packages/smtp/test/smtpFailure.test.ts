import type { ChannelError } from "@countersign/core/channel"
import { assert, describe, it } from "@effect/vitest"
import { faultOf, smtpFailure } from "../src/smtpFailure.ts"

const told = ({ reason }: ChannelError) =>
  [
    reason._tag,
    ...(reason._tag !== "OutcomeUnknown" && reason.because !== undefined ? [reason.because] : []),
    reason.providerCode
  ].join(" ")

type Row = readonly [error: object, before: string, after: string]

const rows: ReadonlyArray<Row> = [
  [
    { code: "EENVELOPE", command: "RCPT TO", responseCode: 550 },
    "Refused recipient smtp_550",
    "Refused recipient smtp_550"
  ],
  [
    { code: "EENVELOPE", command: "RCPT TO", responseCode: 530 },
    "Refused account smtp_530",
    "Refused account smtp_530"
  ],
  [
    { code: "EENVELOPE", command: "RCPT TO", responseCode: 450 },
    "Unavailable recipient smtp_450",
    "Unavailable recipient smtp_450"
  ],
  [{ code: "EENVELOPE", command: "RCPT TO", responseCode: 421 }, "Unavailable smtp_421", "Unavailable smtp_421"],
  [{ code: "EENVELOPE", command: "MAIL FROM", responseCode: 452 }, "Unavailable smtp_452", "Unavailable smtp_452"],
  [
    { code: "EMESSAGE", command: "DATA", responseCode: 451 },
    "Unavailable content smtp_451",
    "Unavailable content smtp_451"
  ],
  [{ code: "EENVELOPE", command: "MAIL FROM", responseCode: 503 }, "Unavailable smtp_503", "Unavailable smtp_503"],
  [{ code: "EENVELOPE", command: "API" }, "Refused recipient invalid_address", "Refused recipient invalid_address"],
  [{ code: "EMESSAGE", command: "DATA", responseCode: 554 }, "Refused content smtp_554", "Refused content smtp_554"],
  [{ code: "EMESSAGE", command: "DATA" }, "OutcomeUnknown emessage", "OutcomeUnknown emessage"],
  [{ code: "EPROTOCOL", command: "CONN", responseCode: 554 }, "Refused account smtp_554", "Refused account smtp_554"],
  [{ code: "EAUTH", command: "API" }, "Refused account eauth", "Refused account eauth"],
  [{ code: "ESOCKET", command: "CONN", originalCode: "ECONNREFUSED" }, "Unavailable esocket", "OutcomeUnknown esocket"],
  [
    { code: "ESOCKET", command: "CONN", originalCode: "CERT_HAS_EXPIRED" },
    "Refused account certificate",
    "Refused account certificate"
  ],
  [{ code: "EDNS", command: "CONN" }, "Unavailable edns", "OutcomeUnknown edns"],
  [{ code: "ETIMEDOUT", command: "CONN" }, "Unavailable etimedout", "OutcomeUnknown etimedout"],
  [{ code: "ECONNECTION" }, "Unavailable econnection", "OutcomeUnknown econnection"],
  [{ code: "EPROTOCOL", responseCode: 250 }, "Unavailable eprotocol", "OutcomeUnknown eprotocol"],
  [{ code: "the code is 482913" }, "OutcomeUnknown unknown", "OutcomeUnknown unknown"],
  [{}, "OutcomeUnknown unknown", "OutcomeUnknown unknown"]
]

describe("the meaning of a failure before and after the mail was transmitted", () => {
  for (const [error, before, after] of rows) {
    it(`${JSON.stringify(error)}: ${before}${before === after ? "" : `, ${after}`}`, () => {
      assert.deepStrictEqual(
        [told(smtpFailure(faultOf(error), "connecting")), told(smtpFailure(faultOf(error), "data"))],
        [before, after]
      )
    })
  }

  it("concerns only the recipient if no reply comes after RCPT TO, and never otherwise", () => {
    const at = (code: string) => told(smtpFailure(faultOf({ code, command: "CONN" }), "envelope"))
    assert.deepStrictEqual(
      [at("ETIMEDOUT"), at("ECONNECTION"), at("ESOCKET"), at("EPROTOCOL")],
      ["Unavailable recipient etimedout", "Unavailable econnection", "Unavailable esocket", "Unavailable eprotocol"]
    )
  })

  it("exists for any thrown value", () => {
    for (const thrown of [null, undefined, "482913", 7]) {
      assert.strictEqual(told(smtpFailure(faultOf(thrown), "connecting")), "OutcomeUnknown unknown")
    }
  })
})
