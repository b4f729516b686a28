import {
  type Event,
  type EventType,
  Identifier,
  type Merchant,
  type Verification,
  type Webhook,
  type WebhookAttempt
} from "@countersign/core"
import {
  type Fact,
  type Job,
  JobStore,
  noRecords,
  OutboxStore,
  type Subject,
  type VerificationChange,
  type MerchantStore
} from "@countersign/core/storage"
import { Effect } from "effect"

/** An arbitrary instant: storage takes the time from its caller. */
export const noon = Date.UTC(2025, 5, 1, 12)

let last = 0
/** A name never used before, in this process or another. */
export const fresh = (prefix: string): string => `${prefix}_${++last}_${Identifier.randomText(12)}`

/** Jobs are claimed by kind, so a separate kind isolates the jobs of one check. */
export const freshKind = (): string => fresh("kind")

/** Ids contain the current time, so that they fall into a store's current partitions. */
export const id = (prefix: Identifier.Prefix) =>
  Identifier.make(prefix, Math.floor(performance.timeOrigin + performance.now()))

/** This many consecutive wrong codes on the server path. */
export const guesses = (failures: number): Subject.Subject["guesses"] => ({
  SERVER: { failures, failedAt: noon },
  SDK: { failures: 0, failedAt: 0 }
})

export const verification = (
  subject: Subject.Subject,
  fields: Partial<Verification.Verification> = {}
): Verification.Verification => {
  const plain: Verification.Verification = {
    id: id("ver"),
    environment: subject.environment,
    identity: {
      type: "MOBILE",
      spelling: subject.canonical,
      canonical: subject.canonical,
      countryCode: "91",
      nationalNumber: null
    },
    kind: "Code",
    mode: "OTP",
    path: "SERVER",
    channel: "SMS",
    orderId: null,
    status: "PENDING",
    method: null,
    codeLength: 6,
    keyId: "key_1",
    attempts: 0,
    maxAttempts: 3,
    resends: 0,
    createdAt: noon,
    sentAt: noon,
    expiresAt: noon + 300_000,
    endsAt: noon + 1_800_000,
    verifiedAt: null,
    expiryAnnounced: false,
    undeliverable: false,
    deliveries: [],
    deviceInfo: null,
    fallback: null
  }
  return changed(plain, fields)
}

/** The same verification with other fields, even inconsistent ones. */
export const changed = (of: Verification.Verification, fields: object): Verification.Verification =>
  ({ ...of, ...fields }) as Verification.Verification

/** A store keeps any `data` unchanged, so these have arbitrary shapes. */
export const event = (
  environment: string,
  type: EventType = "otp.initiated",
  data: object = { requestId: fresh("ver") }
): Event => ({ id: id("evt"), environment, type, createdAt: noon, data }) as Event

/** An event's data, by field. */
export const dataOf = ({ data }: Event): { readonly [name: string]: unknown } => ({ ...data })

/** The id of a new device. */
export const device = (): string => id("dvc")

/** A job. A job in a lane uses the gate named like its kind, so that other checks' jobs are not in it. */
export const job = (environment: string, fields: Partial<Job.Job> = {}): Job.Job => {
  const { kind = freshKind(), lane } = fields
  return {
    key: fresh("send"),
    environment,
    kind,
    ...(lane === undefined ? {} : { gate: kind }),
    payload: { delivery: "dlv_1" },
    runAt: noon,
    ...fields
  }
}

/** A fact of a new kind. */
export const fact = (environment: string, fields: Partial<Fact> = {}): Fact => ({
  environment,
  kind: freshKind(),
  at: noon,
  key: fresh("fact"),
  value: { n: 1 },
  ...fields
})

/** A request to the gate named like a kind. */
export interface Asked extends Partial<JobStore.GateRoom> {
  readonly now?: number
  readonly lease?: number
  readonly kinds?: ReadonlyArray<string>
}

/** Claims jobs of a gate. By default it has room for all of them. */
export const claimGate = Effect.fnUntraced(function* (
  gate: string,
  { kinds = [gate], lease = 15_000, now = noon, ...room }: Asked = {}
) {
  return yield* (yield* JobStore).claimGates({
    kinds: kinds.map((kind) => ({ kind, lease })),
    now,
    gates: [{ gate, limit: 1_000, free: 10_000, share: null, held: [], room: 1_000, rooms: [], ...room }]
  })
})

/** The claimed jobs of a gate. */
export const claimLanes = (gate: string, asked: Asked = {}) => Effect.map(claimGate(gate, asked), ({ jobs }) => jobs)

/** The claimed jobs of a kind without a gate. */
export const claimFree = Effect.fnUntraced(function* (
  kind: string,
  { lease = 15_000, limit = 1_000, now = noon }: Pick<Asked, "lease" | "limit" | "now"> = {}
) {
  return yield* (yield* JobStore).claim({ kinds: [{ kind, lease }], limit, now })
})

export const webhook = (environment: string, fields: Partial<Webhook.Webhook> = {}): Webhook.Webhook => ({
  id: id("whk"),
  environment,
  version: 0,
  url: `https://${fresh("shop")}.example/hooks`,
  events: ["otp.verified", "otp.expired"],
  description: "the shop",
  status: "ACTIVE",
  disabledReason: null,
  sealed: "v1.sealed",
  previous: [{ sealed: "v1.older", until: noon + 1 }],
  failingSince: null,
  failures: 0,
  createdAt: noon,
  ...fields
})

export const webhookAttempt = (
  { environment, id: webhookId, url }: Pick<Webhook.Webhook, "environment" | "id" | "url">,
  fields: Partial<WebhookAttempt> = {}
): WebhookAttempt => ({
  id: id("dlv"),
  environment,
  webhookId,
  eventId: id("evt"),
  eventType: "otp.verified",
  attempt: 1,
  status: "DELIVERED",
  url,
  createdAt: noon,
  durationMs: 12,
  responseStatus: 200,
  responseBody: "ok",
  error: null,
  nextAttemptAt: null,
  ...fields
})

export const change = (
  subject: Subject.Subject,
  fields: Partial<Omit<VerificationChange, "subject">> = {}
): VerificationChange => ({
  subject,
  verification: null,
  orderId: null,
  deviceId: null,
  ...noRecords,
  ...fields
})

export const key = (environment: string, fields: Partial<Merchant.Credential> = {}): Merchant.Credential => ({
  id: fresh("cs_live"),
  kind: "SERVER",
  environment,
  scopes: ["auth", "leads", "dashboard"],
  name: null,
  secretHash: "ab".repeat(32),
  replaced: [],
  createdAt: noon,
  lastUsedAt: null,
  revokedAt: null,
  ...fields
})

export const merchant = (): MerchantStore.Record => {
  const merchant: Merchant.Merchant = { id: id("mer"), name: "Corner shop", status: "ACTIVE", createdAt: noon }
  const environment = (kind: Merchant.EnvironmentKind): Merchant.Environment => ({
    id: fresh(`env_${kind}`),
    merchantId: merchant.id,
    kind,
    settings: {},
    settingsVersion: 1
  })
  const environments = [environment("live"), environment("test")]
  const credentials = environments.flatMap(
    ({ id, kind }): ReadonlyArray<Merchant.Credential> => [
      key(id, { id: fresh(`cs_${kind}`) }),
      key(id, { id: fresh(`pk_${kind}`), kind: "PUBLIC", scopes: [], secretHash: null })
    ]
  )
  return { merchant, environments, credentials }
}

/** Appends events and jobs without an aggregate. */
export const append = Effect.fnUntraced(function* (events: ReadonlyArray<Event>, jobs: ReadonlyArray<Job.NewJob>) {
  yield* (yield* OutboxStore).append({ ...noRecords, events, jobs })
})
