import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import {
  attempt,
  type ChannelName,
  deliver,
  initiate,
  type InitiateOutcome,
  type Settings,
  Subject,
  type Verification
} from "../../src/index.ts"
import { commandWith, identityOf, report, settingsWith } from "../fixtures/decisions.ts"
import { Ledger } from "../fixtures/Ledger.ts"
import { type Expected, ReferenceModel, type Session } from "../fixtures/ReferenceModel.ts"
import { start } from "../fixtures/World.ts"

const spellings = ["9876543210", "+91 98765 43210", "919876543210", "a@example.com", "A@Example.com"]
const waits = [0, 1, 29_999, 30_000, 60_000, 299_999, 300_000, 1_799_000, 3_599_999, 3_600_000, 82_800_000, 86_400_000]

/** Settings near their edges, so that every limit is met in a short sequence. */
const variants: ReadonlyArray<Partial<Settings>> = [
  {},
  { hourlyLimit: 2 },
  { hourlyLimit: 1, canonicalHourlyLimit: 2 },
  { canonicalHourlyLimit: 0, hourlyLimit: 3 },
  { maxAttempts: 1, maxConsecutiveFailures: 2 },
  { maxAttempts: 2, maxConsecutiveFailures: 0 },
  { maxResends: 1, resendCooldownSeconds: 30 },
  { maxResends: 0, maxLifetimeSeconds: 360, codeExpirySeconds: 300 },
  { strictReverify: true, maxConsecutiveFailures: 3 }
]

const below = (count: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: count - 1 }))
const Command = Schema.Union([
  Schema.TaggedStruct("wait", { wait: below(waits.length) }),
  Schema.TaggedStruct("initiate", {
    spelling: below(spellings.length),
    other: below(8),
    order: below(3),
    command: below(4)
  }),
  Schema.TaggedStruct("attempt", { session: below(3), right: below(3) }),
  Schema.TaggedStruct("report", { session: below(3), message: below(3), status: below(5) }),
  Schema.TaggedStruct("settings", { variant: below(variants.length) })
])
type Command = typeof Command.Type

const edges = new Set(["PENDING VERIFIED", "PENDING EXPIRED", "PENDING FAILED"])

/** Runs the decisions and the reference side by side, and compares them after every step. */
class Run {
  readonly ledger = new Ledger()
  readonly model = new ReferenceModel()
  settings: Settings = settingsWith()
  now = start
  made = 0

  step(command: Command): void {
    switch (command._tag) {
      case "wait":
        this.now += waits[command.wait]!
        return
      case "settings":
        this.settings = settingsWith(variants[command.variant]!)
        return
      case "initiate":
        return this.initiate(command)
      case "attempt": {
        const session = this.model.sessions.at(-1 - command.session)
        if (session !== undefined) this.attempt(session, command.right === 0)
        return
      }
      case "report": {
        const session = this.model.sessions.at(-1 - command.session)
        if (session !== undefined) this.report(session, command.message, command.status)
      }
    }
  }

  initiate({ command, order, other, spelling }: Extract<Command, { readonly _tag: "initiate" }>) {
    const n = ++this.made
    const identity = identityOf(spellings[spelling]!)
    const wish = commandWith(
      {
        identity,
        path: other === 7 ? "SDK" : "SERVER",
        mode: other === 6 ? "MAGIC_LINK" : "OTP",
        channel: (["SMS", "WHATSAPP"] as const satisfies ReadonlyArray<typeof ChannelName.Type>)[other % 2]!,
        codeLength: 4 + (n % 5),
        orderId: order === 0 ? null : `o${order}`,
        command: command === 0 ? null : `c${command}`
      },
      n
    )
    const subject = this.ledger.subject(identity.canonical)
    const named = Subject.liveOf(subject, wish.path, identity.spelling, wish.mode, this.now)
    const live = named === undefined ? null : this.ledger.verification(named.id)
    const decision = initiate(subject, live, wish, this.settings, this.now)
    const { channel, codeLength, mode, orderId, path } = wish
    const who = { id: wish.fresh.verificationId, who: identity.canonical, spelling: identity.spelling }
    const asked = { channel, codeLength, mode, orderId, path, command: wish.command }
    const expected = this.model.initiate({ ...who, ...asked }, this.settings, this.now)
    const answer = ({ _tag, ...rest }: InitiateOutcome) => ("limit" in rest ? `${_tag} ${rest.limit}` : _tag)
    this.compare(answer(decision.outcome), decision, expected)
    if (decision.outcome._tag === "Limited") {
      assert.isAbove(decision.outcome.retryAt, this.now)
      return
    }
    const jobs = expected.writes ? [`send:dlv_${n}`] : []
    assert.deepStrictEqual(decision.change?.jobs.map(({ key }) => key) ?? [], jobs)
    assert.strictEqual(decision.change?.orderId ?? null, expected.writes ? wish.orderId : null)
    if (expected.answer === "Started") this.checkHour(identity.canonical, identity.spelling, wish.path)
  }

  attempt(session: Session, right: boolean) {
    let compared = 0
    const matches = () => {
      compared++
      return right
    }
    const decision = attempt(this.ledger.load(session.id), { matches, eventId: "evt" }, this.settings, this.now)
    const expected = this.model.attempt(session, right, this.settings, this.now)
    const { outcome } = decision
    const answer =
      outcome._tag === "WrongCode"
        ? `Wrong, ${outcome.left} left`
        : outcome._tag === "Verified" && outcome.already
          ? "Already"
          : outcome._tag
    this.compare(answer, decision, expected)
    assert.isAtMost(compared, 1)
    if (outcome._tag === "Expired" || outcome._tag === "Exhausted") assert.strictEqual(compared, 0)
  }

  report(session: Session, message: number, status: number) {
    const name = (["SENT", "DELIVERED", "READ", "FAILED", "SKIPPED"] as const)[status]!
    const loaded = this.ledger.load(session.id)
    const deliveryId = loaded.verification.deliveries[message]?.id ?? "dlv_unknown"
    const decision = deliver(loaded, [report(deliveryId, name)], { eventId: "evt" }, null, this.now)
    this.compare(decision.outcome._tag, decision, this.model.report(session, message, name))
  }

  compare(answer: string, decision: Parameters<Ledger["apply"]>[0], expected: Expected) {
    const before = decision.change?.verification == null ? null : this.known(decision.change.verification.id)
    const change = this.ledger.apply(decision)
    assert.deepStrictEqual(
      { answer, writes: change !== null, events: change?.events.map(({ type }) => type) ?? [] },
      expected
    )
    if (change?.verification == null) return
    const { verification } = change
    this.checkVerification(verification, before)
    this.checkLive(change.subject)
    for (const event of change.events) {
      assert.strictEqual(event.data["requestId"], verification.id)
      assert.strictEqual(event.createdAt, this.now)
    }
  }

  known(id: string): Verification.Verification | null {
    return this.ledger.events.some((event) => event.data["requestId"] === id) ? this.ledger.verification(id) : null
  }

  checkVerification(now: Verification.Verification, before: Verification.Verification | null) {
    const session = this.model.sessions.find(({ id }) => id === now.id)!
    assert.deepStrictEqual(
      {
        id: now.id,
        who: now.identity.canonical,
        spelling: now.identity.spelling,
        path: now.path,
        mode: now.mode,
        codeLength: now.codeLength,
        allowed: now.maxAttempts,
        endsAt: now.endsAt,
        status: now.status,
        undeliverable: now.undeliverable,
        wrong: now.attempts,
        resends: now.resends,
        sentAt: now.sentAt,
        expiresAt: now.expiresAt,
        verifiedAt: now.verifiedAt,
        orderId: now.orderId,
        channel: now.channel,
        messages: now.deliveries.map(({ command, status }) => ({ status, command }))
      } satisfies { readonly [field in keyof Session]: unknown },
      { ...session }
    )
    assert.isAtMost(now.attempts, now.maxAttempts)
    assert.isAtMost(now.expiresAt, now.endsAt)
    assert.strictEqual(now.verifiedAt !== null, now.status === "VERIFIED")
    assert.strictEqual(now.method, now.status === "VERIFIED" ? "OTP" : null)
    assert.deepStrictEqual(
      now.deliveries.map(({ attemptNumber }) => attemptNumber),
      now.deliveries.map((_, i) => i + 1)
    )
    if (before === null) return
    if (before.status !== now.status) assert.isTrue(edges.has(`${before.status} ${now.status}`))
    assert.isAtLeast(now.attempts, before.attempts)
    assert.deepStrictEqual([now.keyId, now.createdAt], [before.keyId, before.createdAt])
    if (before.verifiedAt !== null) assert.strictEqual(now.verifiedAt, before.verifiedAt)
  }

  checkLive(subject: Subject.Subject) {
    const keys = subject.live.map(({ mode, path, spelling }) => `${path} ${mode} ${spelling}`)
    assert.strictEqual(new Set(keys).size, keys.length)
    for (const live of subject.live) {
      const { expiresAt, identity, mode, path, status } = this.ledger.verification(live.id)
      assert.deepStrictEqual(live, { id: live.id, spelling: identity.spelling, path, mode, expiresAt })
      assert.strictEqual(status, "PENDING")
    }
  }

  /** The hour that ends with a new code holds no more of them than the limits allow. */
  checkHour(who: string, spelling: string, path: string) {
    const { canonicalHourlyLimit, hourlyLimit } = this.settings
    assert.isAtMost(this.model.codesInHour(this.now, { who, path, spelling }), hourlyLimit)
    const canonical = canonicalHourlyLimit ?? 3 * hourlyLimit
    if (canonical > 0) assert.isAtMost(this.model.codesInHour(this.now, { who, path }), canonical)
  }

  /** At the end: every verification has each of its events at most once, and the first one always. */
  finish() {
    for (const { id, status, undeliverable } of this.model.sessions) {
      const mine = this.ledger.events.filter(({ data }) => data["requestId"] === id).map(({ type }) => type)
      const last =
        status === "VERIFIED"
          ? ["otp.verified"]
          : status === "EXPIRED"
            ? ["otp.expired"]
            : undeliverable
              ? ["delivery.failed"]
              : []
      assert.deepStrictEqual(mine, ["otp.initiated", ...last])
    }
  }
}

describe("all decisions together", () => {
  const commands = Arbitrary.array(Arbitrary.schema(Command), { minLength: 1, maxLength: 40 })

  it.prop(
    "do what a plain reading of the rules says, in any sequence",
    [commands],
    ([sequence]) => {
      const run = new Run()
      for (const command of sequence) run.step(command)
      run.finish()
    },
    { timeout: 60_000, arbitrary: { runs: 12_000, size: 40 } }
  )
})
