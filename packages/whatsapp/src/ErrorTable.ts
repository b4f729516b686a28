import type { Because, TemplateFault } from "@countersign/core/channel"

/** The problem of a sending number, by its error. */
export type SenderTrouble =
  /** Recipients reported it as spam: it pauses for minutes, longer each time. */
  | "spam"
  /** Too many messages at the same time. */
  | "rate"
  /** It cannot send until its set-up is fixed. */
  | "down"
  /** The token is invalid, so no number can send with it. Counts against the number, but another number does not help. */
  | "token"

/** The meaning of a Meta error code. */
export interface ErrorRow {
  /** The subject of the error, or `later` if a retry may succeed. */
  readonly means: Because | "later"
  readonly template?: TemplateFault
  readonly sender?: SenderTrouble
  /** For `later`: the subject, if it is not Meta itself. */
  readonly because?: Because
  /** How long to wait, if known. */
  readonly retryAfterSeconds?: number
}

const account: ErrorRow = { means: "account" }
const down: ErrorRow = { means: "account", sender: "down" }
const token: ErrorRow = { means: "account", sender: "token" }
const recipient: ErrorRow = { means: "recipient" }
const channel: ErrorRow = { means: "channel" }
const content: ErrorRow = { means: "content" }
const later: ErrorRow = { means: "later" }
const rate: ErrorRow = { means: "later", because: "limit", sender: "rate" }
const notFound: ErrorRow = { means: "template", template: "NOT_FOUND" }
const invalid: ErrorRow = { means: "template", template: "INVALID" }
const incomplete: ErrorRow = { means: "template", template: "INCOMPLETE" }

/** https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes, by code. 200 to 299 are below. */
export const errorTable: ReadonlyMap<number, ErrorRow> = new Map([
  // Our token, permissions, numbers and requests.
  [0, token],
  [3, down],
  [10, down],
  [33, down],
  [100, account],
  [190, token],
  [368, down],
  [130497, account],
  [131005, down],
  [131009, account],
  [131021, recipient],
  [131030, account],
  [131031, down],
  [131037, down],
  [131042, down],
  [131045, down],
  [131051, content],
  [131052, content],
  [131053, content],
  [133006, down],
  [133010, down],
  [134011, account],
  [135000, account],
  // The recipient cannot be reached on WhatsApp, or Meta decided not to deliver.
  [130472, channel],
  [131026, channel],
  [131047, channel],
  [131049, channel],
  [131050, { means: "opted_out" }],
  [131062, channel],
  // Later.
  [1, later],
  [2, later],
  [4, rate],
  [80007, rate],
  [130429, rate],
  [131000, later],
  [131016, later],
  [131048, { means: "later", because: "limit", sender: "spam" }],
  // One message per six seconds and recipient: only this recipient waits.
  [131056, { means: "later", because: "recipient", retryAfterSeconds: 6 }],
  [131057, later],
  [131064, later],
  [133004, later],
  [133016, later],
  [2494100, later],
  // The template.
  [131008, incomplete],
  [132000, incomplete],
  [132001, notFound],
  [132005, invalid],
  [132007, invalid],
  [132012, invalid],
  [132015, invalid],
  [132016, invalid],
  [132018, invalid],
  [132068, invalid],
  [132069, invalid]
])

/** Whether Meta reports a missing part that the template requires. */
const saysMissing = (details: string) =>
  /\b(missing|required|not (?:be )?(?:provided|found|empty)|expected number)\b/i.test(details)

/** An error from Meta, in an answer or in a receipt. */
export interface GraphError {
  readonly code: number
  readonly subcode: number | null
  readonly details: string
}

/** Undefined for a code that is not in Meta's table. */
export const find = ({ code, details, subcode }: GraphError): ErrorRow | undefined => {
  // The object does not exist or is not visible to the token. For a send, that is the phone number id.
  if (code === 100 && subcode === 33) return down
  if (code === 132018 && saysMissing(details)) return incomplete
  return code >= 200 && code <= 299 ? down : errorTable.get(code)
}

/** The subject of a failed delivery, by the code of its receipt. */
export const aboutCode = (code: number): Because | undefined => {
  const row = find({ code, subcode: null, details: "" })
  return row === undefined || row.means === "later" ? row?.because : row.means
}
