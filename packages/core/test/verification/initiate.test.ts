import { assert, describe, it } from "@effect/vitest"
import { type Decision, initiate, type InitiateCommand, type Settings, type Verification } from "../../src/index.ts"
import { Subject } from "../../src/index.storage.ts"
import {
  changed,
  commandWith,
  countedAs,
  guessed,
  identityOf,
  linkFlow,
  plain,
  settingsWith,
  startedWith,
  written
} from "../fixtures/decisions.ts"
import { loginKeyOf } from "../../src/auth/verification/loginKey.ts"
import { start } from "../fixtures/World.ts"
import type { InitiateLimit, InitiateOutcome } from "../../src/auth/verification/initiate.ts"

const minute = 60_000
const hour = 60 * minute
const person = Subject.empty("env", "919876543210")

const again = (
  loaded: { readonly subject: Subject.Subject; readonly verification: Verification.Verification },
  command: Partial<InitiateCommand>,
  settings: Partial<Settings>,
  now: number
) => initiate(loaded.subject, loaded.verification, commandWith(command, 2), settingsWith(settings), now)

describe("the first initiate", () => {
  it("stores a verification, its event and its job in one change", () => {
    const command = commandWith({
      orderId: "o1",
      options: { header: "ACMEOT" },
      deviceInfo: "{}",
      idempotencyKey: "c1",
      channel: "WHATSAPP"
    })
    const verification: Verification.Verification = {
      id: "ver_1",
      environment: "env",
      identity: command.identity,
      kind: "Code",
      mode: "OTP",
      path: "SERVER",
      channel: "WHATSAPP",
      orderId: "o1",
      status: "PENDING",
      method: null,
      codeLength: 6,
      keyId: "key1",
      attempts: 0,
      maxAttempts: 4,
      resends: 0,
      createdAt: start,
      sentAt: start,
      expiresAt: start + 90_000,
      endsAt: start + 600_000,
      verifiedAt: null,
      undeliverable: false,
      expiryAnnounced: false,
      deliveries: [
        {
          id: "dlv_1",
          channel: "WHATSAPP",
          type: "OTP",
          status: "PENDING",
          attemptNumber: 1,
          createdAt: start,
          options: { header: "ACMEOT" },
          command: "c1",
          providerId: null,
          providerCode: null
        }
      ],
      fallback: null,
      deviceInfo: "{}",
      isNew: true
    }
    const settings = settingsWith({ maxAttempts: 4, codeExpirySeconds: 90, maxLifetimeSeconds: 600 })
    assert.deepStrictEqual(initiate(person, null, command, settings, start), {
      outcome: { _tag: "Started", verification, device: null },
      change: {
        subject: {
          ...person,
          codes: [{ spelling: "9876543210", path: "SERVER", at: [start] }],
          live: [
            {
              spelling: "9876543210",
              path: "SERVER",
              mode: "OTP",
              id: "ver_1",
              expiresAt: start + 90_000,
              command: null
            }
          ]
        },
        verification,
        orderId: "o1",
        deviceId: null,
        events: [
          {
            id: "evt_1",
            environment: "env",
            type: "otp.initiated",
            createdAt: start,
            data: {
              requestId: "ver_1",
              identity: "9876543210",
              identityType: "MOBILE",
              mode: "OTP",
              channel: "WHATSAPP",
              orderId: "o1"
            }
          }
        ],
        jobs: [
          {
            key: "send:dlv_1",
            environment: "env",
            kind: "send",
            gate: "WHATSAPP",
            payload: { verificationId: "ver_1", deliveryId: "dlv_1" },
            runAt: start
          }
        ],
        done: null,
        facts: [countedAs({ "asked WHATSAPP": 1 })],
        folded: [],
        audited: [],
        booked: []
      }
    })
  })

  it("of a link mode sends a LINK", () => {
    assert.strictEqual(startedWith({ flow: linkFlow() }).verification.deliveries[0]!.type, "LINK")
  })

  it("never expires after maxLifetimeSeconds", () => {
    const { verification } = startedWith({}, { codeExpirySeconds: 900, maxLifetimeSeconds: 60 })
    assert.deepStrictEqual([verification.expiresAt, verification.endsAt], [start + minute, start + minute])
  })
})

describe("a resend", () => {
  it("keeps the id, the code's length and key, the attempts and the end, and records no new code", () => {
    const loaded = startedWith({ orderId: "o1", codeLength: 5, deviceInfo: '{"a":1}' })
    const tried = { ...loaded.verification, attempts: 2 }
    const now = start + 100_000
    const verification = {
      ...tried,
      channel: "WHATSAPP" as const,
      resends: 1,
      sentAt: now,
      expiresAt: now + 300_000,
      deliveries: [
        tried.deliveries[0]!,
        { ...tried.deliveries[0]!, id: "dlv_2", channel: "WHATSAPP" as const, attemptNumber: 2, createdAt: now }
      ]
    }
    const command = { channel: "WHATSAPP", codeLength: 8, keyId: "key2" } as const
    assert.deepStrictEqual(plain(again({ ...loaded, verification: tried }, command, { maxAttempts: 9 }, now)), {
      outcome: { _tag: "Resent", verification, device: null },
      change: {
        subject: { ...loaded.subject, live: [{ ...loaded.subject.live[0]!, expiresAt: now + 300_000 }] },
        verification,
        orderId: null,
        deviceId: null,
        events: [],
        jobs: [
          {
            key: "send:dlv_2",
            environment: "env",
            kind: "send",
            gate: "WHATSAPP",
            payload: { verificationId: "ver_1", deliveryId: "dlv_2" },
            runAt: now
          }
        ],
        done: null,
        facts: [countedAs({ "resent SMS": 1 })],
        folded: [],
        audited: [],
        booked: []
      }
    })
  })

  it("takes the new orderId and deviceInfo, and keeps the old ones without new ones", () => {
    const loaded = startedWith({ orderId: "o1", deviceInfo: "{}" })
    const changed = written(again(loaded, { orderId: "o2", deviceInfo: '{"b":2}' }, {}, start))
    assert.deepStrictEqual(
      [changed.orderId, changed.verification.orderId, changed.verification.deviceInfo],
      ["o2", "o2", '{"b":2}']
    )
    const kept = written(again(loaded, {}, {}, start))
    assert.deepStrictEqual([kept.orderId, kept.verification.orderId, kept.verification.deviceInfo], [null, "o1", "{}"])
  })

  it("never moves the expiry past the end, after which initiate starts a new verification", () => {
    const settings = { codeExpirySeconds: 300, maxLifetimeSeconds: 400 }
    const first = startedWith({}, settings)
    const second = written(again(first, {}, settings, start + 299_999))
    assert.strictEqual(second.verification.expiresAt, start + 400_000)
    assert.strictEqual(again(second, {}, settings, start + 399_999).outcome._tag, "Resent")
    assert.strictEqual(again(second, {}, settings, start + 400_000).outcome._tag, "Started")
  })

  it.each([
    ["at expiry", {}, start + 300_000],
    ["when attempts are used up", { attempts: 3 }, start],
    ["when VERIFIED", { status: "VERIFIED" }, start],
    ["when FAILED", { status: "FAILED" }, start],
    ["when EXPIRED", { status: "EXPIRED" }, start]
  ] as const)("is a new verification %s", (_when, more, now) => {
    const loaded = startedWith()
    const { outcome } = again({ ...loaded, verification: changed(loaded.verification, more) }, {}, {}, now)
    assert.deepStrictEqual([outcome._tag, outcome._tag === "Started" && outcome.verification.id], ["Started", "ver_2"])
  })

  it("of a completed request changes nothing, and of any other request sends", () => {
    const loaded = startedWith({ idempotencyKey: "c1" })
    const limits = { resendCooldownSeconds: 60, maxResends: 1, hourlyLimit: 1, maxConsecutiveFailures: 1 }
    const failing = { ...loaded, subject: { ...loaded.subject, guesses: guessed(1, start) } }
    assert.deepStrictEqual(again(failing, { idempotencyKey: "c1" }, limits, start), {
      outcome: { _tag: "Repeated", verification: loaded.verification, device: null },
      change: null
    })
    assert.strictEqual(again(loaded, { idempotencyKey: "c2" }, {}, start).outcome._tag, "Resent")
    assert.strictEqual(
      again(startedWith({ idempotencyKey: null }), { idempotencyKey: null }, {}, start).outcome._tag,
      "Resent"
    )
  })
})

describe("the limits of initiate", () => {
  const limited = (limit: InitiateLimit, retryAt: number, requestId: string | null): Decision<InitiateOutcome> => ({
    outcome: { _tag: "Limited", limit, retryAt, requestId },
    change: null
  })
  const withCodes = (...codes: ReadonlyArray<Subject.CodeLog>): Subject.Subject => ({ ...person, codes })
  const log = (spelling: string, at: ReadonlyArray<number>, path: "SERVER" | "SDK" = "SERVER") => ({
    spelling,
    path,
    at
  })
  const decide = (
    subject: Subject.Subject,
    settings: Partial<Settings>,
    now: number,
    more: Partial<InitiateCommand> = {}
  ) => initiate(subject, null, commandWith(more), settingsWith(settings), now)

  it("on one spelling are a sliding hour, exact to the millisecond", () => {
    const subject = withCodes(log("9876543210", [start, start + 59 * minute, start + 59 * minute + 1]))
    const settings = { hourlyLimit: 3 }
    assert.deepStrictEqual(decide(subject, settings, start + hour - 1), limited("spelling", start + hour, null))
    assert.strictEqual(decide(subject, settings, start + hour).outcome._tag, "Started")
    assert.deepStrictEqual(
      decide(subject, { hourlyLimit: 2 }, start + hour),
      limited("spelling", start + 59 * minute + hour, null)
    )
    assert.deepStrictEqual(
      decide(subject, { hourlyLimit: 1 }, start + hour),
      limited("spelling", start + 59 * minute + 1 + hour, null)
    )
  })

  it("on all spellings of one person are three times as high, or as configured, or off", () => {
    const at = [start, start + 1]
    const subject = withCodes(...["1", "2", "3"].map((spelling) => log(spelling, at)))
    assert.deepStrictEqual(decide(subject, { hourlyLimit: 2 }, start + 2), limited("canonical", start + hour, null))
    assert.strictEqual(decide(subject, { hourlyLimit: 3 }, start + 2).outcome._tag, "Started")
    assert.strictEqual(decide(subject, { hourlyLimit: 2, canonicalHourlyLimit: 7 }, start + 2).outcome._tag, "Started")
    assert.strictEqual(decide(subject, { hourlyLimit: 2, canonicalHourlyLimit: 0 }, start + 2).outcome._tag, "Started")
    assert.deepStrictEqual(
      decide(subject, { canonicalHourlyLimit: 1 }, start + 2),
      limited("canonical", start + 1 + hour, null)
    )
  })

  it("are separate for servers and apps", () => {
    const subject = withCodes(log("9876543210", [start, start, start], "SDK"))
    const settings = { hourlyLimit: 1, canonicalHourlyLimit: 1 }
    assert.strictEqual(decide(subject, settings, start).outcome._tag, "Started")
    assert.strictEqual(decide(subject, settings, start, { path: "SDK" }).outcome._tag, "Limited")
  })

  it("on consecutive wrong codes refuse every request until a day passes without one", () => {
    const loaded = startedWith()
    const subject = { ...loaded.subject, guesses: guessed(5, start) }
    const settings = { maxConsecutiveFailures: 5 }
    const refused = limited("failures", start + 24 * hour, null)
    assert.deepStrictEqual(again({ ...loaded, subject }, {}, settings, start + 1), refused)
    assert.deepStrictEqual(decide(subject, settings, start + 24 * hour - 1), refused)
    assert.strictEqual(decide(subject, settings, start + 24 * hour).outcome._tag, "Started")
    assert.strictEqual(decide(subject, { maxConsecutiveFailures: 6 }, start + 1).outcome._tag, "Started")
    assert.strictEqual(decide(subject, { maxConsecutiveFailures: 0 }, start + 1).outcome._tag, "Started")
  })

  it("on resends name the live verification", () => {
    const loaded = startedWith()
    const cooldown = { resendCooldownSeconds: 30 }
    assert.deepStrictEqual(again(loaded, {}, cooldown, start + 29_999), limited("cooldown", start + 30_000, "ver_1"))
    assert.strictEqual(again(loaded, {}, cooldown, start + 30_000).outcome._tag, "Resent")
    const resent = { ...loaded, verification: { ...loaded.verification, resends: 2 } }
    assert.deepStrictEqual(again(resent, {}, { maxResends: 2 }, start), limited("resends", start + 300_000, "ver_1"))
    assert.strictEqual(again(resent, {}, { maxResends: 3 }, start).outcome._tag, "Resent")
    assert.strictEqual(again(resent, {}, { maxResends: 0 }, start).outcome._tag, "Resent")
  })

  it("without a cooldown allow a resend when the clock is behind the previous send", () => {
    const loaded = startedWith()
    assert.strictEqual(again(loaded, {}, { resendCooldownSeconds: 0 }, start - 40).outcome._tag, "Resent")
  })
})

describe("the stored state of a person", () => {
  it("drops codes that no limit needs any more, and keeps those that count", () => {
    const subject = {
      ...person,
      codes: [
        { spelling: "old", path: "SERVER" as const, at: [start - hour] },
        { spelling: "9876543210", path: "SERVER" as const, at: [start - hour, start - hour + 1] }
      ],
      live: [
        {
          spelling: "old",
          path: "SERVER" as const,
          mode: "OTP" as const,
          id: "ver_0",
          expiresAt: start,
          command: null
        }
      ]
    }
    const next = written(initiate(subject, null, commandWith(), settingsWith(), start)).subject
    assert.deepStrictEqual(next.codes, [{ spelling: "9876543210", path: "SERVER", at: [start - hour + 1, start] }])
    assert.deepStrictEqual(
      next.live.map(({ id }) => id),
      ["ver_1"]
    )
  })

  it("has one live verification of the server for each spelling and mode", () => {
    let subject = person
    const flow = linkFlow({ state: "s" })
    const variants = [{}, { flow }, { path: "SDK" }, { identity: identityOf("+919876543210") }] as const
    for (const [i, more] of variants.entries()) {
      subject = written(initiate(subject, null, commandWith(more, i), settingsWith(), start)).subject
    }
    const idOf = (spelling: string, mode: Verification.Mode, now = start) => {
      const login = mode === "OTP" ? null : loginKeyOf(flow, commandWith())
      return Subject.liveOf(subject, { spelling, mode, login, idempotencyKey: null }, now)?.id
    }
    assert.deepStrictEqual(
      [
        idOf("9876543210", "OTP"),
        idOf("9876543210", "MAGIC_LINK"),
        idOf("+919876543210", "OTP"),
        idOf("+919876543210", "MAGIC_LINK"),
        idOf("9876543210", "OTP", start + 300_000 - 1),
        idOf("9876543210", "OTP", start + 300_000)
      ],
      ["ver_0", "ver_1", "ver_3", undefined, "ver_0", undefined]
    )
  })

  it("has every session of an app, by the idempotency key that started it", () => {
    let subject = person
    const commands = ["c1", null, null, "c2"]
    for (const [i, command] of commands.entries()) {
      subject = written(
        initiate(subject, null, commandWith({ path: "SDK", idempotencyKey: command }, i), settingsWith(), start)
      ).subject
    }
    assert.deepStrictEqual(
      subject.live.map(({ command, id }) => [id, command]),
      commands.map((command, i) => [`ver_${i}`, command])
    )
    const startedBy = (command: string, now = start) => Subject.startedBy(subject, command, now)?.id
    assert.deepStrictEqual(
      [startedBy("c1"), startedBy("c2", start + 299_999), startedBy("c2", start + 300_000), startedBy("c3")],
      ["ver_0", "ver_3", undefined, undefined]
    )
  })
})
