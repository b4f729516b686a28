import { Identifier, type Verification } from "@countersign/core"
import { type Searched, type SearchFilter, VerificationStore } from "@countersign/core/storage"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { change, changed, fresh, noon, verification } from "./fixtures.ts"
import { promise } from "./StorageCheck.ts"

const everything = { before: "ver_~", since: "ver_", now: noon, limit: 100, most: 1_000 }

/** One verification a minute in a new environment, oldest first. By default each has a person of its own. */
const written = Effect.fnUntraced(function* (
  each: ReadonlyArray<Partial<Verification.Verification> & { readonly of?: string }>
) {
  const store = yield* VerificationStore
  const environment = fresh("env")
  const all: Array<Verification.Verification> = []
  for (const [n, { of, ...fields }] of each.entries()) {
    const canonical = of ?? `9198765${String(n).padStart(5, "0")}`
    const subject = yield* store.subject(environment, canonical)
    const one = verification(subject, {
      id: Identifier.make("ver", noon + n * 60_000),
      createdAt: noon + n * 60_000,
      ...fields
    })
    yield* store.commit(change(subject, { verification: one }))
    all.push(one)
  }
  return { environment, store, all }
})

/** The numbers of the found verifications, counted from the oldest. */
const numbers = (all: ReadonlyArray<Verification.Verification>, found: ReadonlyArray<Verification.Verification>) =>
  found.map(({ id }) => all.findIndex((one) => one.id === id))

const message: Verification.Verification["deliveries"][number] = {
  id: "dlv_1",
  channel: "SMS",
  type: "OTP",
  status: "SENT",
  attemptNumber: 1,
  createdAt: noon,
  options: {},
  command: null,
  providerId: "p1",
  providerCode: null
}

const filters: ReadonlyArray<readonly [SearchFilter, ReadonlyArray<number>]> = [
  [{}, [7, 6, 5, 4, 3, 2, 1, 0]],
  [{ canonical: "14155552671" }, [6, 5]],
  [{ canonical: "919876500000" }, [0]],
  [{ canonical: "nobody" }, []],
  [{ orderId: "order-1" }, [7, 1]],
  [{ country: "IN" }, [4, 3, 2, 1, 0]],
  [{ country: "US" }, [6, 5]],
  [{ channel: "WHATSAPP" }, [6, 2]],
  [{ status: "PENDING" }, [7, 6, 1, 0]],
  [{ status: "EXPIRED" }, [5, 4]],
  [{ status: "VERIFIED" }, [2]],
  [{ status: "FAILED" }, [3]],
  [{ channel: "WHATSAPP", status: "PENDING" }, [6]],
  [{ channel: "SMS", country: "IN", status: "VERIFIED" }, []],
  [{ canonical: "14155552671", status: "EXPIRED" }, [5]],
  [{ canonical: "14155552671", country: "IN" }, []],
  [{ country: "IN", orderId: "order-1" }, [1]]
]

export const searchChecks = [
  promise(
    "the last four digits find the newest verification of each person whose number ends with them, newest first",
    Effect.gen(function* () {
      const { all, environment, store } = yield* written([
        { of: "919876543210" },
        { of: "14155553210" },
        { of: "919876543210" },
        { of: "919876532100" },
        { of: "3210@3210" },
        { of: "6591233210" }
      ])
      const found = (page: { readonly since?: string; readonly limit?: number }, digits = "3210") =>
        Effect.map(store.endingWith(environment, digits, { since: "ver_", limit: 10, ...page }), (each) =>
          numbers(all, each)
        )
      assert.deepStrictEqual(yield* found({}), [5, 2, 1])
      assert.deepStrictEqual(yield* found({ limit: 2 }), [5, 2])
      assert.deepStrictEqual(yield* found({ since: all[2]!.id }), [5, 2])
      assert.deepStrictEqual(yield* found({}, "2100"), [3])
      assert.deepStrictEqual(yield* found({}, "0000"), [])
      assert.deepStrictEqual(yield* store.endingWith(fresh("env"), "3210", { since: "ver_", limit: 10 }), [])
    })
  ),
  promise(
    "a search returns what its filter selects, newest first, a tag too, and expired verifications as EXPIRED",
    Effect.gen(function* () {
      const { all, environment, store } = yield* written([
        {},
        { orderId: "order-1" },
        { channel: "WHATSAPP", status: "VERIFIED" },
        { status: "FAILED" },
        { status: "EXPIRED", expiresAt: noon },
        { of: "14155552671", expiresAt: noon },
        { of: "14155552671", channel: "WHATSAPP" },
        {
          of: "asha@example.com",
          orderId: "order-1",
          path: "SDK",
          channel: "EMAIL",
          identity: {
            type: "EMAIL",
            spelling: "Asha@example.com",
            canonical: "asha@example.com",
            countryCode: null,
            nationalNumber: null
          }
        }
      ])
      const tagged = yield* written([
        { context: { tags: { plan: "trial", "a.b": "c" } } },
        { context: { tags: { plan: "trial:2" } }, deviceInfo: "\u0000" },
        { context: { userAgent: "trial" } },
        {}
      ])
      const withTag = (name: string, value: string) =>
        Effect.map(
          store.search({ environment: tagged.environment, filter: { tag: { name, value } }, ...everything }),
          ({ found }) => numbers(tagged.all, found)
        )
      assert.deepStrictEqual(
        [
          yield* withTag("plan", "trial"),
          yield* withTag("plan", "trial:2"),
          yield* withTag("a.b", "c"),
          yield* withTag("a", "c"),
          yield* withTag("__proto__", "trial")
        ],
        [[0], [1], [0], [], []]
      )
      const relayed = { kind: "Relayed", mark: null, locale: null, purpose: "sign-in", origin: null } as const
      const mixed = yield* written([
        { ...relayed, sealedCode: "sealed" },
        { context: { tags: { kind: "Relayed" } } },
        { ...relayed, sealedCode: null, status: "EXPIRED", expiresAt: noon },
        {}
      ])
      const ofKind = (filter: SearchFilter) =>
        Effect.map(store.search({ environment: mixed.environment, filter, ...everything }), ({ found }) =>
          numbers(mixed.all, found)
        )
      assert.deepStrictEqual(yield* ofKind({ relayed: true }), [2, 0])
      assert.deepStrictEqual(yield* ofKind({ relayed: false }), [3, 1])
      assert.deepStrictEqual(yield* ofKind({ relayed: true, status: "EXPIRED" }), [2])
      for (const [filter, expected] of filters) {
        const { after, found } = yield* store.search({ environment, filter, ...everything })
        assert.deepStrictEqual([numbers(all, found), after], [expected, null], JSON.stringify(filter))
      }
      const other = yield* store.search({ environment: fresh("env"), filter: {}, ...everything })
      assert.deepStrictEqual(other, { found: [], after: null })
    })
  ),
  promise(
    "a search by outcome finds verifications by the write that ended them, and follows a late receipt",
    Effect.gen(function* () {
      const { all, environment, store } = yield* written([
        {},
        { status: "VERIFIED", method: "OTP", verifiedAt: noon },
        { attempts: 5, maxAttempts: 5 },
        { status: "FAILED" },
        { expiresAt: noon, expiryAnnounced: true, deliveries: [message] },
        { expiresAt: noon, deliveries: [message] }
      ])
      const search = (outcomes: ReadonlyArray<string>, filter: SearchFilter = {}) =>
        Effect.map(store.search({ environment, ...everything, filter: { ...filter, outcomes } }), ({ found }) =>
          numbers(all, found)
        )
      assert.deepStrictEqual(yield* search(["NO_ATTEMPTS_LEFT"]), [2])
      assert.deepStrictEqual(yield* search(["WRONG_NUMBER", "NO_ATTEMPTS_LEFT"]), [3, 2])
      assert.deepStrictEqual(yield* search(["WRONG_NUMBER", "NO_ATTEMPTS_LEFT"], { status: "FAILED" }), [3])
      assert.deepStrictEqual(yield* search(["NO_ATTEMPTS_LEFT"], { country: "US" }), [])
      assert.deepStrictEqual(yield* search([]), [])
      const expired = all[4]!
      const kept = "NO_RECEIPT SILENCE"
      assert.deepStrictEqual(yield* search([kept]), [4])
      const subject = yield* store.subject(environment, expired.identity.canonical)
      const delivered = changed(expired, {
        deliveries: [{ ...message, status: "DELIVERED" as const }]
      })
      yield* store.commit(change(subject, { verification: delivered }))
      assert.deepStrictEqual(yield* search([kept]), [])
      assert.deepStrictEqual(yield* search(["DELIVERED_UNUSED"]), [4])
    })
  ),
  promise(
    "a search continues where the previous page stopped, however few rows a page may read",
    Effect.gen(function* () {
      const { all, environment, store } = yield* written(
        Array.from({ length: 12 }, (_, n) => ({
          of: "919876543210",
          status: n % 4 === 0 ? ("VERIFIED" as const) : ("FAILED" as const)
        }))
      )
      const pages = Effect.fnUntraced(function* (filter: SearchFilter, limit: number, most: number) {
        const seen: Array<ReadonlyArray<number>> = []
        let before: string | null = everything.before
        while (before !== null) {
          const { after, found }: Searched = yield* store.search({
            ...everything,
            environment,
            filter,
            limit,
            most,
            before
          })
          seen.push(numbers(all, found))
          assert.isTrue(found.length <= limit && seen.length < 30)
          before = after
        }
        return seen
      })
      assert.deepStrictEqual(yield* pages({}, 5, 100), [
        [11, 10, 9, 8, 7],
        [6, 5, 4, 3, 2],
        [1, 0]
      ])
      for (const filter of [{ status: "VERIFIED" }, { status: "VERIFIED", canonical: "919876543210" }] as const) {
        assert.deepStrictEqual(yield* pages(filter, 2, 100), [[8, 4], [0]])
        assert.deepStrictEqual((yield* pages(filter, 2, 3)).flat(), [8, 4, 0])
      }
    })
  ),
  promise(
    "a search stays within its time range",
    Effect.gen(function* () {
      const { all, environment, store } = yield* written([{}, {}, {}, {}])
      const range = {
        before: Identifier.first("ver", noon + 180_000),
        since: Identifier.first("ver", noon + 60_000)
      }
      for (const filter of [{}, { country: "IN" }]) {
        const { found } = yield* store.search({ environment, filter, ...everything, ...range })
        assert.deepStrictEqual(numbers(all, found), [2, 1])
      }
    })
  ),
  promise(
    "a search sees updates, and an orderId that came with a resend",
    Effect.gen(function* () {
      const { all, environment, store } = yield* written([{ orderId: "order-1" }])
      const subject = yield* store.subject(environment, "919876500000")
      const resent = changed(all[0]!, { status: "VERIFIED", channel: "RCS", orderId: "order-2" })
      yield* store.commit(change(subject, { verification: resent, orderId: "order-2" }))
      for (const filter of [{ status: "VERIFIED" }, { channel: "RCS" }, { orderId: "order-2" }] as const) {
        assert.deepStrictEqual((yield* store.search({ environment, filter, ...everything })).found, [resent])
      }
      for (const filter of [{ status: "PENDING" }, { channel: "SMS" }, { orderId: "order-1" }] as const) {
        assert.deepStrictEqual((yield* store.search({ environment, filter, ...everything })).found, [])
      }
    })
  ),
  promise(
    "all verifications of a person come in pages, oldest first, and no other person's",
    Effect.gen(function* () {
      const { all, environment, store } = yield* written([
        { of: "14155552671" },
        {},
        { of: "14155552671" },
        { of: "14155552671" }
      ])
      const first = yield* store.ofPerson(environment, "14155552671", { after: null, limit: 2 })
      assert.deepStrictEqual(numbers(all, first), [0, 2])
      const next = yield* store.ofPerson(environment, "14155552671", { after: all[2]?.id ?? null, limit: 2 })
      assert.deepStrictEqual(numbers(all, next), [3])
      assert.deepStrictEqual(yield* store.ofPerson(fresh("env"), "14155552671", { after: null, limit: 2 }), [])
      assert.deepStrictEqual(yield* store.ofPerson(environment, "1415555267", { after: null, limit: 2 }), [])
    })
  ),
  promise(
    "the verifications between two ids come in pages, oldest first, and none of another environment",
    Effect.gen(function* () {
      const { all, environment, store } = yield* written([{}, {}, {}, {}, {}])
      const [first, second, , , last] = all.map(({ id }) => id) as [string, string, string, string, string]
      const page = yield* store.between(environment, { after: first, before: last, limit: 2 })
      assert.deepStrictEqual(page, all.slice(1, 3))
      const rest = yield* store.between(environment, { after: all[2]!.id, before: last, limit: 2 })
      assert.deepStrictEqual(rest, all.slice(3, 4))
      assert.deepStrictEqual(yield* store.between(environment, { after: first, before: second, limit: 2 }), [])
      assert.deepStrictEqual(yield* store.between(fresh("env"), { after: "ver_", before: "ver_~", limit: 2 }), [])
    })
  )
]
