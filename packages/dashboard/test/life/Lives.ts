import type { Verification } from "../../src/life/result.ts"
import type { TimelineItem } from "../../src/life/stepsOf.ts"

const start = Date.parse("2026-01-31T10:32:07.000Z")
export const at = (ms: number): string => new Date(start + ms).toISOString()

type Delivery = Verification["deliveries"][number]

export const message = (
  n: number,
  channel: Delivery["channel"],
  ms: number,
  more: Partial<Delivery> = {}
): Delivery => ({
  id: `dlv_${n}`,
  channel,
  type: "OTP",
  deliveryStatus: "SENT",
  attemptNumber: n,
  carrier: null,
  providerId: null,
  providerCode: null,
  createdAt: at(ms),
  ...more
})

/** A verification by fallback, with overrides. */
export const verification = (more: Partial<Verification> = {}): Verification => ({
  requestId: "ver_01kaj3v9c0q5w8xn2rz7t4m6hd",
  person: "per_1",
  identity: "+91******3210",
  identityType: "MOBILE",
  mode: "OTP",
  channel: "WHATSAPP",
  context: null,
  guard: { verdict: "allow", reasons: [] },
  path: "SERVER",
  trial: false,
  relayed: null,
  orderId: "order-1042",
  authStatus: "VERIFIED",
  attemptsLeft: 3,
  method: "OTP",
  country: "IN",
  createdAt: at(0),
  verifiedAt: at(41_007),
  outcome: null,
  deliveries: [message(1, "WHATSAPP", 0), message(2, "SMS", 30_002, { deliveryStatus: "DELIVERED" })],
  ...more
})

/** An outcome without a reason, with overrides. */
export const outcome = (more: Partial<NonNullable<Verification["outcome"]>>): NonNullable<Verification["outcome"]> => ({
  code: "DELIVERED_UNUSED",
  channel: "SMS",
  reason: null,
  cause: null,
  fallback: null,
  lockedUntil: null,
  advice: "REQUEST_AGAIN",
  ...more
})

export const item = (
  ms: number,
  kind: TimelineItem["kind"],
  data: TimelineItem["data"] = {},
  reason = ""
): TimelineItem => ({ at: at(ms), sinceStartMs: ms, kind, reason, data })

const tried = { webhookId: "whk_1", attempt: 1, status: "PENDING", responseStatus: 503, durationMs: 12 }

export const fellBack: ReadonlyArray<TimelineItem> = [
  item(0, "INITIATED", { path: "SERVER", channel: "WHATSAPP", fallbackChannel: "SMS" }),
  item(148, "SENT", { deliveryId: "dlv_1", channel: "WHATSAPP", providerId: "wamid.HBgM" }),
  item(30_002, "FALLBACK_STARTED", { deliveryId: "dlv_2", channel: "SMS" }, "no receipt within 30 s"),
  item(30_310, "SENT", { deliveryId: "dlv_2", channel: "SMS" }),
  item(34_871, "RECEIPT", { deliveryId: "dlv_2", channel: "SMS", deliveryStatus: "DELIVERED" }),
  item(38_200, "CODE_TRIED", { attemptsLeft: 2 }, "wrong code, attempts left: 2"),
  item(41_007, "VERIFIED", { method: "OTP" }),
  item(41_066, "WEBHOOK_TRIED", { ...tried, nextAttemptAt: at(46_000) }, "otp.verified, try 1: answered 503"),
  item(95_100, "RECEIPT", { deliveryId: "dlv_1", channel: "WHATSAPP", deliveryStatus: "DELIVERED" })
]
