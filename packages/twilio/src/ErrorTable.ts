import type { TemplateFault } from "@countersign/core/channel"

export type Because = "recipient" | "channel" | "content" | "account" | "template"

/** What one of Twilio's error codes means to us. */
export interface ErrorRow {
  /** Whose matter it is, or that a later send may succeed. */
  readonly means: Because | "later"
  readonly template?: TemplateFault
}

const rows = (means: ErrorRow["means"], ...codes: ReadonlyArray<number>): ReadonlyArray<readonly [number, ErrorRow]> =>
  codes.map((code) => [code, { means }])

const template = (fault: TemplateFault, ...codes: ReadonlyArray<number>): ReadonlyArray<readonly [number, ErrorRow]> =>
  codes.map((code) => [code, { means: "template", template: fault }])

/** https://www.twilio.com/docs/api/errors, by code. */
export const errorTable: ReadonlyMap<number, ErrorRow> = new Map([
  // No number, a landline, a STOP, a blocked or unknown handset.
  ...rows("recipient", 21211, 21614, 21635, 21610, 21612, 21608, 30004, 30005, 30006),
  // Not within the life of a code: the handset is away, or nobody knows.
  ...rows("recipient", 30003, 30008, 30036, 30410),
  // Credentials, the account, a resource that does not exist.
  ...rows("account", 20003, 20005, 20404, 30002),
  // Senders, countries, and registrations with carriers.
  ...rows("account", 21212, 21606, 21659, 21661, 21408, 30018, 30024, 30032, 30033, 30034, 30035),
  // A request that we made wrongly.
  ...rows("account", 21602, 21603, 21604, 21617, 21609, 21654, 21655, 21656),
  // Messaging Services, and RCS through them.
  ...rows("account", 21701, 21702, 21703, 21704, 21705, 21664, 21665, 21666, 21667),
  // Filtered by the carrier, blocked, or taken for fraud.
  ...rows("content", 30007, 30450, 30453),
  ...rows("later", 20429, 20500, 20503, 21611, 30001, 30017, 30022, 30023, 30027),
  // RCS: this person has it not, or not for us.
  ...rows("channel", 63003, 63024, 63014, 63033, 63032, 63036, 63016),
  ...rows("later", 63009, 63010, 63012, 63017, 63018, 63038),
  ...rows("account", 63001, 63002, 63007, 63008, 63013, 63015, 63020, 63021, 63035, 63051),
  ...template("NOT_FOUND", 63027),
  ...template("INCOMPLETE", 63028),
  ...template("INVALID", 63040, 63041, 63042)
])

/** What an answer means that is no yes: by its code, and by its HTTP status where the code is none that we know. */
export const meaningOf = (status: number, code: number | null): ErrorRow => {
  const known = code === null ? undefined : errorTable.get(code)
  return known ?? { means: status === 429 || status >= 500 ? "later" : "account" }
}
