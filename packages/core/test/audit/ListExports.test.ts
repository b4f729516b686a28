import { assert, describe, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { mentions } from "../../src/account/audit/Audit.ts"
import { Audit, type Caller, ListExports, mayUnmask, type Role } from "../../src/index.ts"
import { type AuditEntry, noRecords, OutboxStore } from "../../src/index.storage.ts"
import { auditEntry } from "../../src/foundation/outbox/AuditEntry.ts"
import { makeWorld, start } from "../fixtures/World.ts"

const as = (caller: Caller, role: Role, freshUntil: number): Caller => ({
  ...caller,
  person: {
    agentId: 1,
    email: "asha@example.com",
    role,
    sessionId: "ses_1",
    era: 1,
    emailProven: true,
    needsPasskey: false,
    freshUntil
  }
})

describe("an export with whole identities", () => {
  it.effect("needs a recent sign-in, and is recorded before the first row is read", () =>
    Effect.gen(function* () {
      const { live, services } = yield* makeWorld()
      const exports = Context.get(services, ListExports)
      const of = { list: "verifications", filters: ["identity"] } as const
      const stale = as(live, "ADMIN", start)
      assert.strictEqual(
        (yield* Effect.flip(exports.begin(stale, { ...of, unmasked: true })))._tag,
        "FreshSignInNeeded"
      )
      yield* exports.begin(stale, { ...of, unmasked: false })
      yield* exports.begin(as(live, "ADMIN", start + 1), { ...of, unmasked: true })
      yield* exports.begin(live, { ...of, unmasked: true })
      const entries = yield* Context.get(services, Audit).list(
        live,
        { action: "list.exported" },
        { after: null, limit: 9 }
      )
      assert.sameDeepMembers(
        entries.map(({ to }) => to),
        [
          { filters: ["identity"], unmasked: false },
          { filters: ["identity"], unmasked: true },
          { filters: ["identity"], unmasked: true }
        ]
      )
    })
  )

  it("is for an ADMIN, an OWNER and a key", () => {
    const may = (role: Role) => mayUnmask({ person: { role } as Caller["person"] })
    assert.deepStrictEqual((["OWNER", "ADMIN", "AGENT", "VIEWER"] as const).map(may), [true, true, false, false])
    assert.isTrue(mayUnmask({ person: null }))
  })
})

describe("a search of the audit log for a text", () => {
  const entry = {
    action: "webhook.changed",
    actor: { kind: "AGENT", id: "7", label: "Asha@example.com" },
    target: { kind: "webhook", id: "whk_1" }
  } as const
  it("looks at the action, the actor and the target, in any case", () => {
    for (const text of ["hook.ch", "asha@", "agent", "whk_1"]) assert.isTrue(mentions(entry, text), text)
    assert.isFalse(mentions(entry, "ravi"))
  })

  it.effect("reads 10,000 entries a page, and continues from there", () =>
    Effect.gen(function* () {
      const { live, services, storage } = yield* makeWorld()
      const made = Array.from(
        { length: 10_500 },
        (_, n): AuditEntry =>
          auditEntry(
            live,
            { action: n === 0 ? "key.rolled" : "team.changed", target: { kind: "team", id: "1" } },
            start + n
          )
      )
      yield* Context.get(storage, OutboxStore).append({ ...noRecords, audited: made })
      const audit = Context.get(services, Audit)
      const first = yield* audit.page(live, { text: "KEY.r" }, { after: null, limit: 50 })
      assert.deepStrictEqual(first.items, [])
      const second = yield* audit.page(live, { text: "KEY.r" }, { after: first.nextCursor, limit: 50 })
      assert.deepStrictEqual(
        second.items.map(({ id }) => id),
        [made[0]?.id]
      )
      assert.isNull(second.nextCursor)
      assert.strictEqual(
        (yield* Effect.flip(audit.page(live, { text: "x".repeat(101) }, { after: null, limit: 1 })))._tag,
        "InvalidField"
      )
    })
  )
})
