import type { Because, TemplateFault } from "@countersign/core/channel"
import { isBroken } from "@countersign/provider-http"

/** The meaning of a Twilio error code. */
export interface ErrorRow {
  /** The subject of the error; `later` if a retry may succeed; `unknown` if the message may be on its way. */
  readonly means: Because | "later" | "unknown"
  readonly template?: TemplateFault
}

const rows = (means: ErrorRow["means"], ...codes: ReadonlyArray<number>): ReadonlyArray<readonly [number, ErrorRow]> =>
  codes.map((code) => [code, { means }])

const template = (fault: TemplateFault, ...codes: ReadonlyArray<number>): ReadonlyArray<readonly [number, ErrorRow]> =>
  codes.map((code) => [code, { means: "template", template: fault }])

/** https://www.twilio.com/docs/api/errors, by code. */
export const errorTable: ReadonlyMap<number, ErrorRow> = new Map([
  ...rows("opted_out", 21610),
  // Not a mobile number, or a blocked or unknown handset.
  ...rows("recipient", 21211, 21614, 21635, 21612, 21608, 30004, 30005, 30006),
  // Not deliverable within the life of a code: the handset is unreachable, or the reason is unknown.
  ...rows("recipient", 30003, 30008, 30036, 30410),
  // Credentials, the account, a resource that does not exist.
  ...rows("account", 20003, 20005, 20404, 30002),
  // Senders and their registrations with carriers.
  ...rows("sender", 21212, 21606, 21659, 21661, 30018, 30024, 30032, 30033, 30034, 30035),
  // Countries that the account may not send to.
  ...rows("account", 21408),
  // Invalid requests.
  ...rows("account", 21602, 21603, 21604, 21617, 21609, 21654, 21655, 21656),
  // Messaging Services, and RCS through them.
  ...rows("account", 21701, 21702, 21703, 21704, 21705, 21664, 21665, 21666, 21667),
  // Filtered by the carrier, blocked, or suspected of fraud.
  ...rows("content", 30007, 30450, 30453),
  // Too many messages at the same time or per day.
  ...rows("limit", 20429, 21611, 30001, 30022, 30023, 30027),
  ...rows("unknown", 20500),
  ...rows("later", 20503, 30017),
  // RCS: the recipient does not have it, or not for this sender.
  ...rows("channel", 63003, 63024, 63014, 63033, 63032, 63036, 63016),
  ...rows("limit", 63017, 63018, 63038),
  ...rows("later", 63009, 63010, 63012),
  ...rows("account", 63001, 63002, 63007, 63008, 63013, 63015, 63020, 63021, 63035, 63051),
  ...template("NOT_FOUND", 63027),
  ...template("INCOMPLETE", 63028),
  ...template("INVALID", 63040, 63041, 63042)
])

/** The meaning of a refusal: by its code, or by its HTTP status if the code is unknown. */
export const meaningOf = (status: number, code: number | null): ErrorRow => {
  const known = code === null ? undefined : errorTable.get(code)
  if (known !== undefined) return known
  if (isBroken(status)) return { means: "unknown" }
  if (status === 429) return { means: "limit" }
  return { means: status === 503 ? "later" : "account" }
}

/** The subject of a failed delivery, by the code of its report. */
export const aboutCode = (code: string | null): Because | undefined => {
  const means = code === null ? undefined : errorTable.get(Number(code))?.means
  return means === "later" || means === "unknown" ? undefined : means
}
