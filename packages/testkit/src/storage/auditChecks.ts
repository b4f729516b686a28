import { Identifier } from "@countersign/core"
import { type AuditEntry, AuditStore, noRecords, OutboxStore } from "@countersign/core/storage"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { auditEntry, merchantOf, noon } from "./auditFixtures.ts"
import { fresh } from "./fixtures.ts"
import { promise } from "./StorageCheck.ts"

const minute = 60_000

const write = Effect.fnUntraced(function* (entries: ReadonlyArray<AuditEntry>) {
  yield* (yield* OutboxStore).append({ ...noRecords, audited: entries })
})

const entryAt = (environment: string, at: number, more: Partial<AuditEntry> = {}) =>
  auditEntry(environment, { id: Identifier.make("aud", at), at, ...more })

const list = Effect.fnUntraced(function* (filter: AuditStore.Filter, limit = 100, after: string | null = null) {
  return yield* (yield* AuditStore).list(filter, { after, limit })
})

const newestFirst = (entries: ReadonlyArray<AuditEntry>) => entries.toSorted((a, b) => (a.id < b.id ? 1 : -1))

export const auditChecks = [
  promise(
    "audit entries are read as written, newest first and page by page, and only for their own merchant",
    Effect.gen(function* () {
      const environment = fresh("env")
      const merchantId = merchantOf(environment)
      const made = Array.from({ length: 25 }, (_, index) => entryAt(environment, noon + (index % 5) * minute))
      const odd = [
        entryAt(environment, noon, { actor: { kind: "SYSTEM", id: null, label: null }, address: null, from: null }),
        entryAt(environment, noon, { environment: null, to: null, target: { kind: "agent", id: "7" } }),
        entryAt(environment, noon, { from: { brand: "कुंजी 🔑", prices: { SMS: 20 } }, to: { brand: "\u0000\ud800" } })
      ]
      yield* write([...made, ...odd, auditEntry(fresh("env"))])
      // A repeated write, as after a lost answer, stores the entry once, unchanged.
      yield* write([{ ...made[0]!, action: "key.rolled" }])
      const expected = newestFirst([...made, ...odd])
      assert.deepStrictEqual(yield* list({ merchantId }), expected)
      const paged: Array<AuditEntry> = []
      for (let after: string | null = null; ; after = paged.at(-1)!.id) {
        const page: ReadonlyArray<AuditEntry> = yield* list({ merchantId }, 10, after)
        paged.push(...page)
        if (page.length < 10) break
      }
      assert.deepStrictEqual(paged, expected)
      for (const missing of [fresh("mer"), "", "\u0000"])
        assert.deepStrictEqual(yield* list({ merchantId: missing }), [])
    })
  ),
  promise(
    "audit entries are found by environment, action, actor, target and time, alone and combined",
    Effect.gen(function* () {
      const environment = fresh("env")
      const merchantId = merchantOf(environment)
      const other = fresh("env")
      const agent = { kind: "AGENT", id: "7", label: "asha@example.com" } as const
      const operator = { kind: "OPERATOR", id: null, label: "current" } as const
      const made = [
        entryAt(environment, noon),
        entryAt(environment, noon + minute, { actor: agent }),
        entryAt(environment, noon + 2 * minute, { environment: other, merchantId, action: "key.rolled" }),
        entryAt(environment, noon + 3 * minute, { environment: null, actor: operator }),
        entryAt(environment, noon + 4 * minute, { actor: agent, target: { kind: "key", id: "cs_live_7" } })
      ] as const
      yield* write(made)
      const [first, byAgent, theirs, byOperator, last] = made
      const filters: ReadonlyArray<[filter: Omit<AuditStore.Filter, "merchantId">, found: ReadonlyArray<AuditEntry>]> =
        [
          [{ environments: [environment] }, [last, byAgent, first]],
          [{ environments: [environment, null] }, [last, byOperator, byAgent, first]],
          [{ environments: [null] }, [byOperator]],
          [{ environments: [] }, []],
          [{ action: "key.rolled" }, [theirs]],
          [{ actor: "7" }, [last, byAgent]],
          [{ actor: "OPERATOR" }, [byOperator]],
          [{ targetId: "cs_live_7" }, [last]],
          [{ from: noon + minute, to: noon + 3 * minute }, [theirs, byAgent]],
          [{ from: noon + 5 * minute }, []],
          [{ to: 0 }, []],
          [{ environments: [environment], action: "settings.changed", actor: "7", from: noon + 2 * minute }, [last]],
          [{ action: "\u0000" }, []],
          [{ actor: "\ud800" }, []]
        ]
      for (const [filter, found] of filters) {
        assert.deepStrictEqual(yield* list({ merchantId, ...filter }), found, JSON.stringify(filter))
        const next = yield* list({ merchantId, ...filter }, 100, found[0]?.id ?? null)
        assert.deepStrictEqual(next, found.slice(1), JSON.stringify(filter))
      }
    })
  )
]
