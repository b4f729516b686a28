import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { type InitiateCommand, OutcomeCode, type Settings } from "../../src/index.ts"
import { settingsWith } from "../fixtures/decisions.ts"
import { type Command, ModelRun } from "../fixtures/ModelRun.ts"
import type { Handover } from "../fixtures/ReferenceModel.ts"

const spellings = ["9876543210", "+91 98765 43210", "919876543210", "a@example.com", "A@Example.com"]
const waits = [
  0, 1, 1, 29_999, 30_000, 59_999, 60_000, 60_000, 299_999, 300_000, 300_000, 3_599_999, 3_600_000, 86_400_000,
  172_800_000
]

/** Settings near their limits, so that a short sequence reaches every limit. */
const limits: ReadonlyArray<Partial<Settings>> = [
  {},
  { hourlyLimit: 2 },
  { hourlyLimit: 1, canonicalHourlyLimit: 2 },
  { canonicalHourlyLimit: 0, hourlyLimit: 3 },
  { maxAttempts: 1, maxConsecutiveFailures: 2 },
  { maxAttempts: 2, maxConsecutiveFailures: 0 },
  { resendCooldownSeconds: 30 },
  { maxResends: 1 },
  { maxResends: 0, maxLifetimeSeconds: 360, codeExpirySeconds: 300 },
  { strictReverify: true, maxConsecutiveFailures: 3 },
  { linkNumberMatch: true },
  { sdkMessagesPerHour: 2 }
]

const trust = { oneTapDays: 2, oneTapMaxDays: 3 }
const variants = limits.flatMap((one): ReadonlyArray<Partial<Settings>> => {
  const on = { ...one, ...trust, oneTap: true }
  return [on, on, { ...on, oneTap: false }]
})

/** Picks one of the items, each as often as it is listed. A failure shrinks towards the first. */
const oneOf = <A>(...items: ReadonlyArray<A>): Arbitrary.Arbitrary<A> =>
  Arbitrary.map(
    Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: items.length - 1 }))),
    (i) => items[i]!
  )

const reports = ["SENT", "DELIVERED", "READ", "FAILED", "SKIPPED"] as const
const sms = { path: "SERVER", mode: "OTP", channel: "SMS" } as const

const plain: Handover = { redirectUri: "https://a.example/cb", state: "s", codeChallenge: null }

const commandArbitrary: Arbitrary.Arbitrary<Command> = Arbitrary.all({
  kind: oneOf<Command["kind"]>(
    "initiate",
    "initiate",
    "initiate",
    "initiate",
    "initiate",
    "attempt",
    "attempt",
    "attempt",
    "approve",
    "exchange",
    "report",
    "due",
    "revoke",
    "wait",
    "wait",
    "settings"
  ),
  wait: oneOf(...waits),
  spelling: oneOf(...spellings, spellings[0]!, spellings[0]!),
  how: oneOf<Command["how"]>(
    sms,
    sms,
    sms,
    { ...sms, channel: "WHATSAPP" },
    { ...sms, channel: "WHATSAPP" },
    { ...sms, path: "SDK" },
    { ...sms, mode: "MAGIC_LINK" },
    { ...sms, mode: "MAGIC_LINK" },
    { ...sms, mode: "OAUTH", channel: "WHATSAPP" },
    { ...sms, mode: "OAUTH", channel: "TRUECALLER" }
  ),
  handover: oneOf<Handover>(
    plain,
    plain,
    plain,
    plain,
    { ...plain, state: "another" },
    { ...plain, codeChallenge: "c" },
    { ...plain, codeChallenge: "c" },
    { ...plain, state: null },
    { ...plain, state: null }
  ),
  launchId: oneOf(null, "lch_1"),
  chosen: oneOf(true, true, false),
  verifier: oneOf<Command["verifier"]>("none", "none", "right", "wrong"),
  orderId: oneOf(null, "o1", "o2"),
  command: oneOf(null, null, "c1", "c2"),
  fallback: oneOf<InitiateCommand["fallback"]>(null, { channel: "WHATSAPP", after: 60_000 }),
  session: oneOf(0, 0, 0, 1, 2),
  right: oneOf(false, false, true),
  token: oneOf(0, 0, 0, 0, 1, 1, 2, null),
  resend: oneOf(false, true),
  message: oneOf(0, 0, 1, 2),
  status: oneOf(...reports),
  variant: oneOf(...variants)
})

const first: Command = {
  kind: "initiate",
  wait: 0,
  spelling: spellings[0]!,
  how: sms,
  orderId: null,
  command: null,
  fallback: null,
  handover: plain,
  launchId: null,
  chosen: true,
  verifier: "none",
  session: 0,
  right: true,
  token: null,
  resend: false,
  message: 0,
  status: "SENT",
  variant: {}
}
/** A login by code, and a login without one: random sequences seldom get this far. */
const known: ReadonlyArray<Command> = [first, { ...first, kind: "attempt", token: 0 }, { ...first, token: 0 }]
/** A login by link that makes its device trusted, and a second link that needs no message. */
const linked: ReadonlyArray<Command> = (["initiate", "approve", "exchange", "initiate", "exchange"] as const).map(
  (kind, i) => ({ ...first, kind, how: { ...sms, mode: "MAGIC_LINK" }, launchId: "lch_1", token: i < 2 ? null : 0 })
)
/** A link with number matching and PKCE: its exchange makes the device trusted, except for Truecaller. */
const bound: ReadonlyArray<Command> = [
  { ...first, kind: "settings", variant: { ...trust, oneTap: true, linkNumberMatch: true } },
  ...(["initiate", "approve", "exchange", "exchange", "initiate", "initiate"] as const).map(
    (kind, i): Command => ({
      ...first,
      kind,
      how: i === 5 ? { ...sms, mode: "OAUTH", channel: "TRUECALLER" } : { ...sms, mode: "MAGIC_LINK" },
      handover: { ...plain, codeChallenge: "c" },
      verifier: "right",
      token: i < 2 ? null : 0
    })
  )
]
/** Three wrong numbers on three links, and a fourth link that is refused. */
const guessing: ReadonlyArray<Command> = [
  { ...first, kind: "settings", variant: { linkNumberMatch: true } },
  ...["1", "2", "3"].flatMap((state): ReadonlyArray<Command> => {
    const asked: Command = { ...first, how: { ...sms, mode: "MAGIC_LINK" }, handover: { ...plain, state } }
    return [asked, { ...asked, kind: "approve", chosen: false }]
  }),
  { ...first, how: { ...sms, mode: "MAGIC_LINK" } }
]
/** A link that does not arrive, and is sent on the fallback channel. */
const silent: ReadonlyArray<Command> = (["initiate", "wait", "due"] as const).map((kind) => ({
  ...first,
  kind,
  wait: 60_000,
  how: { ...sms, mode: "MAGIC_LINK" },
  fallback: { channel: "WHATSAPP", after: 60_000 }
}))

/** `pnpm chaos` runs 20,000. */
const runs = Number(process.env["MODEL_RUNS"] ?? "1200")

describe("all decisions of a verification", () => {
  const met = new Map<string, number>()
  let timelines = 0
  const commands = Arbitrary.array(commandArbitrary, { minLength: 8, maxLength: 32 })

  it.prop(
    "agree with the reference model, in any sequence",
    [oneOf(...variants), oneOf<ReadonlyArray<Command>>([], known, linked, bound, guessing, silent), commands],
    ([variant, before, sequence]) => {
      const run = new ModelRun(settingsWith(variant), met)
      for (const command of [...before, ...sequence]) run.step(command)
      run.finish()
      timelines += run.timelines
    },
    { timeout: 180_000 + 30 * runs, arbitrary: { runs, size: 32, seed: Number(process.env["MODEL_SEED"] ?? "1") } }
  )

  it("reach every possible answer more than twice", () => {
    const answers = [
      "Started",
      "Resent",
      "Repeated",
      "Approved",
      "Stolen",
      "Trusted",
      "Revoked",
      "Verified",
      "Already",
      "Expired",
      "Exhausted",
      "Codeless",
      "Approved by link",
      "Already approved",
      "Mistaken",
      "Over",
      "Exchanged",
      "Unknown",
      "Unproved",
      "Advanced",
      "Unchanged",
      "FellBack",
      "NotNeeded",
      "NotYet",
      ...["spelling", "canonical", "failures", "wrongNumbers", "cooldown", "resends", "messages"].map(
        (limit) => `Limited ${limit}`
      ),
      ...[0, 1, 2].map((left) => `Wrong, ${left} left`),
      ...OutcomeCode.map((code) => `Outcome ${code}`)
    ]
    assert.sameMembers([...met.keys()], answers)
    for (const [answer, times] of met) assert.isAbove(times, 2, answer)
  })

  it("write the timelines of more than 500 verifications as the reference model does", () => {
    assert.isAbove(timelines, 500)
  })
})
