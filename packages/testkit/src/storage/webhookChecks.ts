import { type Instant, Webhook, type WebhookAttempt } from "@countersign/core"
import { Conflict, EventStore, JobStore, StoreError, WebhookStore } from "@countersign/core/storage"
import { assert } from "@effect/vitest"
import { Effect, Exit } from "effect"
import * as Race from "../Race.ts"
import {
  append,
  claimFree,
  claimLanes as lanesOf,
  event,
  fresh,
  freshKind,
  job,
  noon,
  webhook,
  webhookAttempt
} from "./fixtures.ts"
import { promise } from "./StorageCheck.ts"

const lease = 30_000
const isConflict = (error: unknown) => error instanceof Conflict
const byId = (a: { readonly id: string }, b: { readonly id: string }) => (a.id < b.id ? -1 : 1)

const save = Effect.fnUntraced(function* (one: Webhook.Webhook) {
  const stored = yield* (yield* WebhookStore).commit(WebhookStore.change(one))
  assert.deepStrictEqual(stored, { ...one, version: one.version + 1 })
  return stored
})

const remove = Effect.fnUntraced(function* (one: Webhook.Webhook) {
  yield* (yield* WebhookStore).remove(WebhookStore.change(one))
})

const saved = (environment = fresh("env"), fields: Partial<Webhook.Webhook> = {}) => save(webhook(environment, fields))

const record = Effect.fnUntraced(function* (
  attempt: WebhookAttempt,
  job: Parameters<typeof WebhookStore.attemptChange>[1] = null
) {
  yield* (yield* WebhookStore).record(WebhookStore.attemptChange(attempt, job))
})

const attempts = Effect.fnUntraced(function* (of: Webhook.Webhook, fields: Partial<WebhookStore.AttemptPage> = {}) {
  const page = { environment: of.environment, webhookId: of.id, status: null, after: null, limit: 1_000 }
  return yield* (yield* WebhookStore).attempts({ ...page, ...fields })
})

const newestFirst = (made: ReadonlyArray<WebhookAttempt>) => [...made].sort(byId).reverse()

const claimLanes = (kind: string, now: Instant.Instant = noon) => lanesOf(kind, { now, lease })

/** The claimed delivery jobs of an endpoint. */
const underWay = Effect.fnUntraced(function* (of: Webhook.Webhook, count: number) {
  const kind = freshKind()
  const made = Array.from({ length: count }, () => job(of.environment, { kind, lane: of.id }))
  yield* append([], made)
  const claimed = yield* claimLanes(kind)
  assert.strictEqual(claimed.length, count)
  return { claimed, kind }
})

/** Text that a receiver may respond with. */
const answers = [
  "",
  "'; drop table webhook; --",
  `\\x00 \\u0000 %s {"quoted": [null]}`,
  "\t\r\n\u000b\u0001\u007f",
  "\u{1f469}\u200d\u{1f680} \u{10ffff} \u202e rtl \ufeff bom \ufffe",
  "x".repeat(1_024),
  "\u{1f600}".repeat(256)
]

/** Text that some storages cannot keep. They replace the invalid characters and keep the rest. */
const impossible = ["\u0000", "a\u0000b", "\ud800", "\udc00 half", "\u0000".repeat(1_024)]
const readable = (text: string) => text.toWellFormed().replaceAll("\u0000", "\ufffd")

export const webhookChecks = [
  promise(
    "an endpoint is loaded as saved, one version later",
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const environment = fresh("env")
      assert.deepStrictEqual(yield* store.list(environment), [])
      const made = webhook(environment)
      assert.isNull(yield* store.get(environment, made.id))
      const first = yield* save(made)
      assert.deepStrictEqual(first, { ...made, version: 1 })
      assert.deepStrictEqual(yield* store.get(environment, made.id), first)
      const disabled = { ...Webhook.disabled(first, "GONE"), failingSince: noon, events: null, previous: [] }
      const second = yield* save({ ...disabled, url: "https://elsewhere.example/", description: null })
      assert.deepStrictEqual(yield* store.get(environment, made.id), second)
      assert.deepStrictEqual(yield* store.list(environment), [second])
    })
  ),
  promise(
    "mutating a loaded endpoint does not change the stored endpoint",
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const first = yield* saved()
      const [loaded] = yield* store.list(first.environment)
      Object.assign(loaded!, { status: "DISABLED" })
      Object.assign(loaded!.previous!, { until: 0 })
      assert.deepStrictEqual(yield* store.get(first.environment, first.id), first)
      const tried = webhookAttempt(first)
      yield* record(tried)
      Object.assign((yield* store.attempt(first.environment, tried.id))!, { status: "DEAD" })
      assert.deepStrictEqual(yield* store.attempt(first.environment, tried.id), tried)
    })
  ),
  promise(
    "an environment's endpoints come by id, without other environments'",
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const [mine, other] = [fresh("env"), fresh("env")]
      const all = yield* Effect.forEach(
        Array.from({ length: 20 }, () => mine),
        (environment) => saved(environment),
        { concurrency: 5 }
      )
      const theirs = yield* saved(other)
      assert.deepStrictEqual(yield* store.list(mine), all.sort(byId))
      const lists = yield* Race.together(60, (index) => store.list(index % 2 === 0 ? mine : other))
      for (const [index, list] of lists.successes.entries())
        assert.deepStrictEqual(list, index % 2 === 0 ? all : [theirs])
      const [one] = all
      assert.isNull(yield* store.get(other, one!.id))
      assert.isTrue(isConflict(yield* Effect.flip(remove({ ...one!, environment: other }))))
      assert.deepStrictEqual(yield* store.get(mine, one!.id), one)
      // The same id exists in both environments, independently.
      const namesake = yield* save({ ...one!, environment: other, version: 0, description: "theirs" })
      assert.deepStrictEqual(yield* store.get(other, one!.id), namesake)
      yield* remove(namesake)
      assert.deepStrictEqual(yield* store.get(mine, one!.id), one)
    })
  ),
  promise(
    "a version other than the stored version is a Conflict, and changes nothing",
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const first = yield* saved()
      const other = event(first.environment)
      for (const version of [0, 2, 7]) {
        const stale = { ...first, version, description: "stale" }
        assert.isTrue(isConflict(yield* Effect.flip(store.commit(WebhookStore.change(stale, { events: [other] })))))
      }
      const unknown = { ...webhook(first.environment), version: 1 }
      assert.isTrue(isConflict(yield* Effect.flip(store.commit(WebhookStore.change(unknown, { events: [other] })))))
      assert.deepStrictEqual(yield* store.list(first.environment), [first])
      assert.isNull(yield* (yield* EventStore).get(first.environment, other.id))
    })
  ),
  promise(
    "when 100 saves start from one version, one succeeds, and only its events and jobs are written",
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const made = webhook(fresh("env"))
      const { environment, id } = made
      for (const version of [0, 1]) {
        const kind = freshKind()
        const events = Array.from({ length: 100 }, () => event(environment, "webhook.disabled"))
        const race = yield* Race.together(100, (index) =>
          store.commit(
            WebhookStore.change(
              { ...made, version, description: `${index}` },
              {
                events: [events[index]!],
                jobs: [
                  job(environment, { kind, payload: { index } }),
                  job(environment, { kind, lane: id, payload: { index } })
                ]
              }
            )
          )
        )
        assert.deepStrictEqual(race.defects, [])
        assert.strictEqual(race.successes.length, 1)
        assert.strictEqual(race.failures.filter(isConflict).length, 99)
        const winner = race.exits.findIndex(Exit.isSuccess)
        const stored = { ...made, version: version + 1, description: `${winner}` }
        assert.deepStrictEqual(yield* store.list(environment), [stored])
        const recorded = yield* (yield* EventStore).list({ environment, type: null, after: null, limit: version + 2 })
        assert.strictEqual(recorded.length, version + 1)
        assert.deepInclude(recorded, events[winner]!)
        for (const claimed of [yield* claimFree(kind), yield* claimLanes(kind)]) {
          assert.deepStrictEqual(
            claimed.map(({ payload }) => payload),
            [{ index: winner }]
          )
        }
      }
    })
  ),
  promise(
    "a URL belongs to one endpoint of an environment, and is free after that endpoint is removed",
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const first = yield* saved()
      const { environment, url } = first
      const twin = webhook(environment, { url })
      const recorded = event(environment)
      assert.isTrue(isConflict(yield* Effect.flip(store.commit(WebhookStore.change(twin, { events: [recorded] })))))
      assert.isNull(yield* (yield* EventStore).get(environment, recorded.id))
      const second = yield* saved(environment)
      assert.isTrue(isConflict(yield* Effect.flip(save({ ...second, url }))))
      assert.deepStrictEqual(yield* store.list(environment), [first, second].sort(byId))
      // Neither its own URL nor another environment's is in the way.
      const again = yield* save({ ...first, description: "again" })
      yield* saved(fresh("env"), { url })
      yield* remove(again)
      const third = yield* save(twin)
      assert.deepStrictEqual(yield* store.list(environment), [second, third].sort(byId))
      // An endpoint that moved to another URL frees its old URL.
      yield* save({ ...third, url: `${url}/moved` })
      yield* saved(environment, { url })
    })
  ),
  promise(
    "when many callers register one URL concurrently, one succeeds",
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const environment = fresh("env")
      const url = "https://shop.example/hooks"
      const race = yield* Race.together(50, () => saved(environment, { url }))
      assert.deepStrictEqual(race.defects, [])
      assert.strictEqual(race.failures.filter(isConflict).length, 49)
      assert.deepStrictEqual(yield* store.list(environment), race.successes)
    })
  ),
  promise(
    "an endpoint is removed once, keeps its log, and cannot be saved at its old version",
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const first = yield* saved()
      const tried = webhookAttempt(first)
      yield* record(tried)
      for (const other of [{ id: fresh("whk") }, { version: first.version + 1 }]) {
        assert.isTrue(isConflict(yield* Effect.flip(remove({ ...first, ...other }))))
      }
      const race = yield* Race.together(20, () => remove(first))
      assert.strictEqual(race.successes.length, 1)
      assert.isTrue(race.failures.every(isConflict))
      assert.isNull(yield* store.get(first.environment, first.id))
      assert.deepStrictEqual(yield* store.list(first.environment), [])
      assert.isTrue(isConflict(yield* Effect.flip(save(first))))
      assert.deepStrictEqual(yield* attempts(first), [tried])
    })
  ),
  promise(
    "a delivery attempt is logged exactly, with or without a response",
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const first = yield* saved()
      const answered = webhookAttempt(first)
      const unanswered = webhookAttempt(first, {
        status: "FAILED",
        attempt: 9,
        durationMs: 15_000,
        responseStatus: null,
        responseBody: null,
        error: "no answer within 15 seconds",
        nextAttemptAt: noon + 5_000
      })
      yield* record(answered)
      yield* record(unanswered)
      for (const made of [answered, unanswered]) {
        assert.deepStrictEqual(yield* store.attempt(first.environment, made.id), made)
        assert.isNull(yield* store.attempt(fresh("env"), made.id))
      }
      assert.deepStrictEqual(yield* attempts(first), newestFirst([answered, unanswered]))
      for (const nothing of [fresh("dlv"), "", "\u0000", "\ud800"]) {
        assert.isNull(yield* store.attempt(first.environment, nothing))
      }
    })
  ),
  promise(
    "tried events are listed newest event first, each with its tries, and missed events alone",
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const [first, other] = [yield* saved(), yield* saved()]
      const eventIds = [fresh("evt"), fresh("evt"), fresh("evt")].sort()
      const tried = (eventId: string, status: WebhookAttempt["status"] = "DELIVERED") =>
        Effect.tap(
          Effect.sync(() => webhookAttempt(first, { eventId, status })),
          (made) => record(made)
        )
      const late = yield* tried(eventIds[2]!)
      const failed = yield* tried(eventIds[0]!, "FAILED")
      const delivered = yield* tried(eventIds[0]!)
      const dead = yield* tried(eventIds[1]!, "DEAD")
      yield* record(webhookAttempt(other, { eventId: eventIds[0]! }))
      const page = { environment: first.environment, webhookId: first.id, missed: false, after: null, limit: 10 }
      const oldestFirst = [failed, delivered].sort(byId)
      assert.deepStrictEqual(yield* store.triedEvents(page), [[late], [dead], oldestFirst])
      assert.deepStrictEqual(yield* store.triedEvents({ ...page, missed: true }), [[dead], oldestFirst])
      assert.deepStrictEqual(yield* store.triedEvents({ ...page, limit: 1 }), [[late]])
      assert.deepStrictEqual(yield* store.triedEvents({ ...page, after: eventIds[1]! }), [oldestFirst])
      assert.deepStrictEqual(yield* store.triedEvents({ ...page, environment: other.environment }), [])
      assert.deepStrictEqual(yield* store.triedEvents({ ...page, webhookId: "\u0000" }), [])
      const repeats = yield* Effect.replicateEffect(tried(eventIds[0]!, "FAILED"), WebhookStore.mostTries)
      const [, , many = []] = yield* store.triedEvents(page)
      assert.lengthOf(many, WebhookStore.mostTries)
      assert.deepInclude(many, delivered)
      assert.deepInclude(many, repeats.toSorted(byId).at(-1))
    })
  ),
  promise(
    "a delivery attempt ends its job, or delays it with the attempt's number as its failure count",
    Effect.gen(function* () {
      const first = yield* saved()
      const { claimed, kind } = yield* underWay(first, 3)
      const [over, again, untouched] = claimed
      yield* record(webhookAttempt(first), { lease: over!, runAt: null })
      yield* record(webhookAttempt(first, { status: "FAILED", attempt: 7 }), { lease: again!, runAt: noon + 5_000 })
      yield* record(webhookAttempt(first))
      assert.deepStrictEqual(yield* claimLanes(kind, noon + 4_999), [])
      const [back, ...others] = yield* claimLanes(kind, noon + 5_000)
      assert.deepStrictEqual(others, [])
      assert.deepStrictEqual(back, {
        ...again!,
        runAt: noon + 5_000,
        leasedUntil: back?.leasedUntil,
        fence: 2,
        failures: 7
      })
      const late = yield* claimLanes(kind, noon + lease)
      assert.deepStrictEqual(
        late.map(({ key }) => key),
        [untouched!.key]
      )
      assert.strictEqual((yield* attempts(first)).length, 3)
    })
  ),
  promise(
    "a worker that lost the lease logs the attempt and changes no job",
    Effect.gen(function* () {
      const jobs = yield* JobStore
      const first = yield* saved()
      const { claimed, kind } = yield* underWay(first, 2)
      const current = yield* claimLanes(kind, noon + lease)
      assert.strictEqual(current.length, 2)
      const late = claimed.map(() => webhookAttempt(first))
      yield* record(late[0]!, { lease: claimed[0]!, runAt: null })
      yield* record(late[1]!, { lease: claimed[1]!, runAt: noon })
      assert.deepStrictEqual(yield* attempts(first), newestFirst(late))
      assert.deepStrictEqual(yield* claimLanes(kind, noon + 2 * lease - 1), [])
      for (const one of current) assert.isTrue(yield* jobs.bury(one, noon, "given up"))
      // A buried job stays buried, even for the holder of its lease.
      for (const [index, one] of current.entries()) {
        yield* record(webhookAttempt(first), { lease: one, runAt: index === 0 ? null : noon })
      }
      const gone = { key: fresh("webhook"), fence: 1 }
      yield* record(webhookAttempt(first), { lease: gone, runAt: noon })
      assert.deepStrictEqual(yield* claimLanes(kind, noon + 1e9), [])
      assert.isFalse(yield* jobs.complete(current[0]!))
      assert.strictEqual((yield* attempts(first)).length, 5)
    })
  ),
  promise(
    "recording a delivery attempt twice stores it once",
    Effect.gen(function* () {
      const first = yield* saved()
      const { claimed, kind } = yield* underWay(first, 2)
      const [over, again] = claimed
      const made = [webhookAttempt(first), webhookAttempt(first, { status: "FAILED" })]
      const race = yield* Race.together(20, (index) =>
        index % 2 === 0
          ? record(made[0]!, { lease: over!, runAt: null })
          : record(made[1]!, { lease: again!, runAt: noon + 5_000 })
      )
      assert.deepStrictEqual(race.failures, [])
      assert.deepStrictEqual(yield* attempts(first), newestFirst(made))
      const back = yield* claimLanes(kind, noon + 5_000)
      assert.deepStrictEqual(
        back.map(({ key }) => key),
        [again!.key]
      )
      // Another worker holds the job by now.
      yield* record(made[1]!, { lease: again!, runAt: noon })
      yield* record(made[1]!, { lease: again!, runAt: null })
      assert.deepStrictEqual(yield* claimLanes(kind, noon + 5_000), [])
      assert.strictEqual((yield* claimLanes(kind, noon + 5_000 + lease)).length, 1)
      assert.strictEqual((yield* attempts(first)).length, 2)
    })
  ),
  promise(
    "300 concurrent delivery attempts are all logged, and each updates only its own job",
    Effect.gen(function* () {
      const endpoints = yield* Effect.forEach([1, 2, 3], () => saved())
      const work = yield* Effect.forEach(endpoints, (of) => underWay(of, 100))
      const made = Array.from({ length: 300 }, (_, index) => webhookAttempt(endpoints[index % 3]!))
      const race = yield* Race.together(300, (index) => {
        const lease = work[index % 3]!.claimed[Math.floor(index / 3)]!
        const outcome = Math.floor(index / 3) % 3
        return record(made[index]!, outcome === 2 ? null : { lease, runAt: outcome === 0 ? null : noon + index })
      })
      assert.deepStrictEqual(race.failures, [])
      for (const [at, endpoint] of endpoints.entries()) {
        const mine = made.filter((_, index) => index % 3 === at)
        assert.deepStrictEqual(yield* attempts(endpoint), newestFirst(mine))
        const { claimed, kind } = work[at]!
        const back = yield* claimLanes(kind, noon + 300)
        assert.deepStrictEqual(
          new Map(back.map(({ key, runAt }) => [key, runAt])),
          new Map(claimed.flatMap(({ key }, n) => (n % 3 === 1 ? [[key, noon + 3 * n + at] as const] : [])))
        )
      }
    })
  ),
  promise(
    "a log comes newest first, page by page, also filtered by status",
    Effect.gen(function* () {
      const first = yield* saved()
      const other = yield* saved(first.environment)
      const statuses = ["DELIVERED", "FAILED", "DELIVERED", "DEAD", "FAILED", "DELIVERED"] as const
      const made = Array.from({ length: 50 }, (_, index) => webhookAttempt(first, { status: statuses[index % 6]! }))
      yield* Effect.forEach(
        [...made, webhookAttempt(other), webhookAttempt({ ...first, environment: fresh("env") })],
        (one) => record(one),
        { concurrency: 10, discard: true }
      )
      for (const status of [null, "DELIVERED", "FAILED", "DEAD"] as const) {
        const expected = newestFirst(made.filter((one) => status === null || one.status === status))
        assert.deepStrictEqual(yield* attempts(first, { status }), expected)
        const seen: Array<WebhookAttempt> = []
        for (let after: string | null = null; ; ) {
          const page: ReadonlyArray<WebhookAttempt> = yield* attempts(first, { status, after, limit: 7 })
          seen.push(...page)
          if (page.length < 7) break
          after = page.at(-1)!.id
        }
        assert.deepStrictEqual(seen, expected)
      }
      // The cursor works whether or not its attempt exists.
      const middle = newestFirst(made)[20]!
      assert.deepStrictEqual(yield* attempts(first, { after: `${middle.id}0` }), newestFirst(made).slice(20))
      assert.deepStrictEqual(yield* attempts(webhook(first.environment)), [])
    })
  ),
  promise(
    "the events delivered to an endpoint are returned, for that endpoint only",
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const first = yield* saved()
      const other = yield* saved(first.environment)
      const made = Array.from({ length: 40 }, (_, index) =>
        webhookAttempt(index % 4 === 3 ? other : first, {
          status: index % 2 === 0 || index % 8 === 3 ? "DELIVERED" : index % 8 === 1 ? "FAILED" : "DEAD"
        })
      )
      yield* Effect.forEach([...made, webhookAttempt(first, { eventId: made[0]!.eventId })], (one) => record(one), {
        concurrency: 10,
        discard: true
      })
      const ids = made.map(({ eventId }) => eventId)
      const asked = [...ids, ids[0]!, fresh("evt"), "", "\u0000", "\ud800"]
      const delivered = (environment: string, id: string) => store.attempted(environment, id, asked, "DELIVERED")
      assert.deepStrictEqual(
        yield* delivered(first.environment, first.id),
        new Set(ids.filter((_, index) => index % 2 === 0))
      )
      assert.deepStrictEqual(
        yield* delivered(first.environment, other.id),
        new Set(ids.filter((_, index) => index % 8 === 3))
      )
      assert.deepStrictEqual(
        yield* store.attempted(first.environment, first.id, asked, null),
        new Set(ids.filter((_, index) => index % 4 !== 3))
      )
      assert.deepStrictEqual(yield* delivered(fresh("env"), first.id), new Set())
      assert.deepStrictEqual(yield* store.attempted(first.environment, first.id, [], null), new Set())
    })
  ),
  promise(
    "any response of a receiver is logged, and harms no job and no other attempt in its batch",
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const first = yield* saved()
      const texts = [...answers, ...impossible]
      const { claimed, kind } = yield* underWay(first, texts.length)
      const made = texts.map((text) => webhookAttempt(first, { responseBody: text, error: text }))
      const race = yield* Race.together(texts.length, (index) =>
        record(made[index]!, { lease: claimed[index]!, runAt: null })
      )
      assert.deepStrictEqual(race.failures, [])
      assert.deepStrictEqual(yield* claimLanes(kind, noon + 1e9), [])
      for (const [index, one] of made.entries()) {
        const kept = yield* store.attempt(first.environment, one.id)
        const text = texts[index]!
        if (answers.includes(text)) assert.deepStrictEqual(kept, one)
        else for (const written of [kept?.responseBody, kept?.error]) assert.include([text, readable(text)], written)
      }
    })
  ),
  promise(
    "an endpoint with awkward text is stored exactly or refused, never changed",
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const environment = fresh("env")
      for (const [index, text] of [...answers, ...impossible].entries()) {
        const state = webhook(environment, { description: text, sealed: text, previous: [{ sealed: text, until: 5 }] })
        assert.deepStrictEqual(yield* store.get(environment, (yield* save(state)).id), { ...state, version: 1 })
        const spelled = webhook(environment, { url: `https://shop.example/${index}/${text}` })
        const exit = yield* Effect.exit(save(spelled))
        const stored = yield* store.get(environment, spelled.id)
        if (Exit.isSuccess(exit)) assert.deepStrictEqual(stored, { ...spelled, version: 1 })
        else {
          assert.instanceOf(yield* Effect.flip(exit), StoreError)
          assert.isNull(stored)
        }
      }
      for (const missing of ["", "\u0000", "\ud800"]) {
        assert.isNull(yield* store.get(environment, missing))
        assert.isTrue(isConflict(yield* Effect.flip(remove(webhook(environment, { id: missing })))))
        assert.deepStrictEqual(yield* store.list(`${environment}${missing}x`), [])
        assert.deepStrictEqual(yield* attempts({ ...webhook(environment), id: missing }), [])
        assert.deepStrictEqual(yield* store.attempted(environment, missing, ["evt_1"], null), new Set())
      }
    })
  ),
  promise(
    "a delivery attempt that cannot be stored is refused, and harms no other attempt in its batch",
    Effect.gen(function* () {
      const first = yield* saved()
      const { claimed, kind } = yield* underWay(first, 20)
      const made = claimed.map((_, index) =>
        webhookAttempt(first, index % 5 === 2 ? { eventId: `evt_\u0000${index}` } : {})
      )
      const race = yield* Race.together(20, (index) => record(made[index]!, { lease: claimed[index]!, runAt: null }))
      for (const error of race.failures) assert.instanceOf(error, StoreError)
      const kept = made.filter((_, index) => Exit.isSuccess(race.exits[index]!))
      assert.isAtLeast(kept.length, 16)
      assert.deepStrictEqual(yield* attempts(first), newestFirst(kept))
      const left = yield* claimLanes(kind, noon + lease)
      assert.strictEqual(left.length, 20 - kept.length)
    })
  )
]
