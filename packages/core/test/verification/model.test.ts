import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import {
  attempt,
  deliver,
  initiate,
  type InitiateCommand,
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
const waits = [0, 1, 1, 29_999, 30_000, 60_000, 299_999, 300_000, 300_000, 3_599_999, 3_600_000, 86_400_000]

/** Settings near their edges, so that every limit is met in a short sequence. */
const variants: ReadonlyArray<Partial<Settings>> = [
  {},
  { hourlyLimit: 2 },
  { hourlyLimit: 1, canonicalHourlyLimit: 2 },
  { canonicalHourlyLimit: 0, hourlyLimit: 3 },
  { maxAttempts: 1, maxConsecutiveFailures: 2 },
  { maxAttempts: 2, maxConsecutiveFailures: 0 },
  { resendCooldownSeconds: 30 },
  { maxResends: 1 },
  { maxResends: 0, maxLifetimeSeconds: 360, codeExpirySeconds: 300 },
  { strictReverify: true, maxConsecutiveFailures: 3 }
]

/** One of some items, each as often as it is listed; towards the first when a failure is made smaller. */
const oneOf = <A>(...items: ReadonlyArray<A>): Arbitrary.Arbitrary<A> =>
  Arbitrary.map(
    Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: items.length - 1 }))),
    (i) => items[i]!
  )

const reports = ["SENT", "DELIVERED", "READ", "FAILED", "SKIPPED"] as const
const sms = { path: "SERVER", mode: "OTP", channel: "SMS" } as const

/** Every field of every kind of command; a kind looks at those it needs. */
const commandArbitrary = Arbitrary.all({
  kind: oneOf("initiate", "initiate", "initiate", "attempt", "attempt", "attempt", "report", "wait", "wait", "settings"),
  wait: oneOf(...waits),
  spelling: oneOf(...spellings, spellings[0]!, spellings[0]!),
  how: oneOf<Pick<InitiateCommand, "path" | "mode" | "channel">>(
    sms,
    sms,
    { ...sms, channel: "WHATSAPP" },
    { ...sms, path: "SDK" },
    { ...sms, mode: "MAGIC_LINK" }
  ),
  orderId: oneOf(null, "o1", "o2"),
  command: oneOf(null, null, "c1", "c2"),
  session: oneOf(0, 0, 0, 1, 2),
  right: oneOf(false, false, false, true),
  message: oneOf(0, 0, 1, 2),
  status: oneOf(...reports),
  variant: oneOf(...variants)
})
type Command = Arbitrary.Arbitrary.Type<typeof commandArbitrary>

const edges = new Set(["PENDING VERIFIED", "PENDING EXPIRED", "PENDING FAILED"])

/** deepStrictEqual at the speed of a million comparisons. */
const same = (actual: unknown, expected: unknown) => {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) assert.deepStrictEqual(actual, expected)
}

/** How often each answer was given, over all sequences. */
const met = new Map<string, number>()

/** Runs the decisions and the reference side by side, and compares them after every step. */
class Run {
  readonly ledger = new Ledger()
  readonly model = new ReferenceModel()
  settings: Settings
  now = start
  made = 0

  constructor(settings: Settings) {
    this.settings = settings
  }

  step(command: Command): void {
    const session = this.model.sessions.at(-1 - command.session)
    switch (command.kind) {
      case "wait":
        this.now += command.wait
        return
      case "settings":
        this.settings = settingsWith(command.variant)
        return
      case "initiate":
        return this.initiate(command)
      case "attempt":
        return session === undefined ? undefined : this.attempt(session, command.right)
      case "report":
        return session === undefined ? undefined : this.report(session, command.message, command.status)
    }
  }

  initiate({ command, how, orderId, spelling }: Command) {
    const n = ++this.made
    const identity = identityOf(spelling)
    const wish = commandWith({ ...how, identity, codeLength: 4 + (n % 5), orderId, command }, n)
    const subject = this.ledger.subject(identity.canonical)
    const named = Subject.liveOf(subject, wish.path, identity.spelling, wish.mode, this.now)
    const live = named === undefined ? null : this.ledger.verification(named.id)
    const decision = initiate(subject, live, wish, this.settings, this.now)
    const expected = this.model.initiate(
      {
        id: wish.fresh.verificationId,
        who: identity.canonical,
        spelling,
        ...how,
        codeLength: wish.codeLength,
        orderId,
        command
      },
      this.settings,
      this.now
    )
    const answer = ({ _tag, ...rest }: InitiateOutcome) => ("limit" in rest ? `${_tag} ${rest.limit}` : _tag)
    this.compare(answer(decision.outcome), decision, expected)
    if (decision.outcome._tag === "Limited") {
      assert.isAbove(decision.outcome.retryAt, this.now)
      return
    }
    const jobs = expected.writes ? [`send:dlv_${n}`] : []
    same(decision.change?.jobs.map(({ key }) => key) ?? [], jobs)
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

  report(session: Session, message: number, status: (typeof reports)[number]) {
    const loaded = this.ledger.load(session.id)
    const deliveryId = loaded.verification.deliveries[message]?.id ?? "dlv_unknown"
    const decision = deliver(loaded, [report(deliveryId, status)], { eventId: "evt" }, null, this.now)
    this.compare(decision.outcome._tag, decision, this.model.report(session, message, status))
  }

  compare(answer: string, decision: Parameters<Ledger["apply"]>[0], expected: Expected) {
    const before = decision.change?.verification == null ? null : this.known(decision.change.verification.id)
    const change = this.ledger.apply(decision)
    met.set(answer, (met.get(answer) ?? 0) + 1)
    same(
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
    const shown: { readonly [field in keyof Session]: unknown } = {
      id: now.id,
      who: now.identity.canonical,
      spelling: now.identity.spelling,
      path: now.path,
      mode: now.mode,
      channel: now.channel,
      codeLength: now.codeLength,
      orderId: now.orderId,
      allowed: now.maxAttempts,
      endsAt: now.endsAt,
      status: now.status,
      undeliverable: now.undeliverable,
      wrong: now.attempts,
      resends: now.resends,
      sentAt: now.sentAt,
      expiresAt: now.expiresAt,
      verifiedAt: now.verifiedAt,
      messages: now.deliveries.map(({ command, status }) => ({ status, command }))
    }
    same(shown, session)
    assert.isAtMost(now.attempts, now.maxAttempts)
    assert.isAtMost(now.expiresAt, now.endsAt)
    assert.strictEqual(now.verifiedAt !== null, now.status === "VERIFIED")
    assert.strictEqual(now.method, now.status === "VERIFIED" ? "OTP" : null)
    same(
      now.deliveries.map(({ attemptNumber }) => attemptNumber),
      now.deliveries.map((_, i) => i + 1)
    )
    if (before === null) return
    if (before.status !== now.status) assert.isTrue(edges.has(`${before.status} ${now.status}`))
    assert.isAtLeast(now.attempts, before.attempts)
    same([now.keyId, now.createdAt], [before.keyId, before.createdAt])
    if (before.verifiedAt !== null) assert.strictEqual(now.verifiedAt, before.verifiedAt)
  }

  checkLive(subject: Subject.Subject) {
    const keys = subject.live.map(({ mode, path, spelling }) => `${path} ${mode} ${spelling}`)
    assert.strictEqual(new Set(keys).size, keys.length)
    for (const live of subject.live) {
      const { expiresAt, identity, mode, path, status } = this.ledger.verification(live.id)
      same(live, { spelling: identity.spelling, path, mode, id: live.id, expiresAt })
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
      same(mine, ["otp.initiated", ...last])
    }
  }
}

describe("all decisions together", () => {
  const commands = Arbitrary.array(commandArbitrary, { minLength: 8, maxLength: 32 })

  it.prop(
    "do what a plain reading of the rules says, in any sequence",
    [oneOf(...variants), commands],
    ([variant, sequence]) => {
      const run = new Run(settingsWith(variant))
      for (const command of sequence) run.step(command)
      run.finish()
    },
    { timeout: 60_000, arbitrary: { runs: 10_000, size: 32 } }
  )

  it("met every answer there is, many times", () => {
    const answers = [
      ...["Started", "Resent", "Repeated", "Verified", "Already", "Expired", "Exhausted", "Advanced", "Unchanged"],
      ...["spelling", "canonical", "failures", "cooldown", "resends"].map((limit) => `Limited ${limit}`),
      ...[0, 1, 2].map((left) => `Wrong, ${left} left`)
    ]
    assert.sameMembers([...met.keys()], answers)
    for (const [answer, times] of met) assert.isAbove(times, 50, answer)
  })
})
