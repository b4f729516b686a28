import {
  Conflict,
  noRecords,
  SenderIdStore,
  StoreError,
  type TemplateContent,
  type TemplateHead,
  TemplateStore
} from "@countersign/core/storage"
import { assert } from "@effect/vitest"
import { Effect, Exit } from "effect"
import * as Race from "../Race.ts"
import { fresh, noon } from "./fixtures.ts"
import { promise } from "./StorageCheck.ts"
import { content, head } from "./templateFixtures.ts"

const save = Effect.fnUntraced(function* (head: TemplateHead, words: TemplateContent | null = content) {
  return yield* (yield* TemplateStore).commit({ ...noRecords, head, content: words })
})

const heads = (environment: string) => Effect.flatMap(TemplateStore, (store) => store.heads(environment))

const isConflict = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) => assert.instanceOf(error, Conflict))

const awkward = [
  "",
  "%_'\"\\",
  "<b>&amp;</b>",
  "\u0000",
  "\ud800",
  "\u{1f469}\u200d\u{1f680} {{code}}",
  "x".repeat(60_000)
]

const missing = ["", "\u0000", "\ud800", "%"]

const senderId = (environment: string, header: string, createdAt = noon) => ({ environment, header, createdAt })

const change = Effect.fnUntraced(function* (becomes: "added" | "removed", one: ReturnType<typeof senderId>) {
  yield* (yield* SenderIdStore).commit({ ...noRecords, senderId: one, becomes })
})

export const templateChecks = [
  promise(
    "a template is stored with the content of its version, only in its environment",
    Effect.gen(function* () {
      const store = yield* TemplateStore
      const environment = fresh("env")
      const made = head(environment, {
        locale: "hi",
        state: { status: "PENDING", problem: null, checkedAt: noon },
        whatsappName: "login_code",
        whatsappLanguage: "hi"
      })
      assert.isNull(yield* store.get(environment, made.id))
      const stored = yield* save(made)
      assert.deepStrictEqual(stored, { ...made, revision: 1 })
      assert.deepStrictEqual(yield* store.get(environment, made.id), { head: stored, content })
      assert.deepStrictEqual(yield* store.heads(environment), [stored])
      assert.deepStrictEqual(yield* store.list({ environment, after: null, limit: 9 }), [{ head: stored, content }])
      assert.deepStrictEqual(yield* store.content(environment, made.id, 1), content)
      const other = fresh("env")
      assert.isNull(yield* store.get(other, made.id))
      assert.isNull(yield* store.content(other, made.id, 1))
      assert.deepStrictEqual(yield* store.heads(other), [])
      for (const id of missing) {
        assert.isNull(yield* store.get(environment, id))
        assert.isNull(yield* store.content(environment, id, 1))
        assert.isNull(yield* store.get(id, made.id))
        assert.deepStrictEqual(yield* store.heads(id), [])
        assert.deepStrictEqual(yield* store.list({ environment: id, after: id, limit: 9 }), [])
        assert.deepStrictEqual(yield* store.atProvider(id, id), [])
      }
    })
  ),
  promise(
    "the content of earlier versions and of removed templates can be read by their version",
    Effect.gen(function* () {
      const store = yield* TemplateStore
      const first = yield* save(head(fresh("env")))
      const { environment, id } = first
      const words = { ...content, body: "{{code}}: your code" }
      const second = yield* save({ ...first, version: 2 }, words)
      assert.deepStrictEqual(yield* store.get(environment, id), { head: second, content: words })
      assert.deepStrictEqual(yield* store.content(environment, id, 1), content)
      const third = yield* save({ ...second, state: { status: "APPROVED", problem: null, checkedAt: noon } }, null)
      assert.deepStrictEqual(yield* store.get(environment, id), { head: third, content: words })
      yield* save({ ...third, removedAt: noon }, null)
      assert.isNull(yield* store.get(environment, id))
      assert.deepStrictEqual(yield* store.heads(environment), [])
      assert.deepStrictEqual(yield* store.list({ environment, after: null, limit: 9 }), [])
      assert.deepStrictEqual(yield* store.content(environment, id, 1), content)
      assert.deepStrictEqual(yield* store.content(environment, id, 2), words)
      assert.isNull(yield* store.content(environment, id, 3))
    })
  ),
  promise(
    "when 50 writers change a template concurrently, one succeeds; the others conflict and write no content",
    Effect.gen(function* () {
      const store = yield* TemplateStore
      const first = yield* save(head(fresh("env")))
      const race = yield* Race.together(50, (index) =>
        save({ ...first, version: 2 }, { ...content, body: `{{code}} ${index}` })
      )
      assert.strictEqual(race.successes.length, 1)
      for (const error of race.failures) assert.instanceOf(error, Conflict)
      const stored = yield* store.get(first.environment, first.id)
      assert.deepStrictEqual(stored?.head, race.successes[0])
      assert.deepStrictEqual(yield* store.content(first.environment, first.id, 2), stored?.content)
      yield* isConflict(save({ ...first, version: 3 }))
      assert.isNull(yield* store.content(first.environment, first.id, 3))
      yield* isConflict(save({ ...head(first.environment), revision: 1 }))
    })
  ),
  promise(
    "templates of an environment never share name, channel, purpose and locale",
    Effect.gen(function* () {
      const environment = fresh("env")
      const made = head(environment, { name: "Login ÉÜ" })
      const first = yield* save(made)
      const again = (fields: Partial<TemplateHead>) => save(head(environment, { name: "login éü", ...fields }))
      yield* isConflict(again({}))
      yield* again({ locale: "en" })
      yield* again({ channel: "RCS" })
      yield* again({ purpose: "LINK" })
      const other = yield* again({ name: "other" })
      yield* isConflict(save({ ...other, name: "LOGIN ÉÜ" }, null))
      yield* save(head(fresh("env"), { name: first.name }))
      yield* save({ ...first, removedAt: noon }, null)
      const taken = yield* save({ ...other, name: "LOGIN ÉÜ" }, null)
      assert.strictEqual(taken.name, "LOGIN ÉÜ")
      const race = yield* Race.together(50, (index) =>
        save(head(environment, { name: index % 2 === 0 ? "Bye" : "BYE" }))
      )
      assert.strictEqual(race.successes.length, 1)
      for (const error of race.failures) assert.instanceOf(error, Conflict)
    })
  ),
  promise(
    "templates come by age, a page at a time",
    Effect.gen(function* () {
      const store = yield* TemplateStore
      const environment = fresh("env")
      const made = yield* Effect.forEach(Array.from({ length: 5 }), () => save(head(environment)))
      const expected = made.toSorted((a, b) => (a.id < b.id ? -1 : 1))
      assert.deepStrictEqual(yield* heads(environment), expected)
      const page = (after: string | null) =>
        Effect.map(store.list({ environment, after, limit: 2 }), (found) => found.map(({ head }) => head))
      assert.deepStrictEqual(yield* page(null), expected.slice(0, 2))
      assert.deepStrictEqual(yield* page(expected[1]!.id), expected.slice(2, 4))
      assert.deepStrictEqual(yield* page(expected[3]!.id), expected.slice(4))
      assert.deepStrictEqual(yield* page(expected[4]!.id), [])
    })
  ),
  promise(
    "templates with the same name and language on WhatsApp are found in all environments",
    Effect.gen(function* () {
      const store = yield* TemplateStore
      const whatsapp = { whatsappName: fresh("name").toLowerCase(), whatsappLanguage: "en" }
      const made = yield* Effect.forEach([fresh("env"), fresh("env")], (environment) =>
        save(head(environment, { channel: "WHATSAPP", ...whatsapp }))
      )
      const [first] = made
      yield* save(head(first!.environment, { ...whatsapp, channel: "WHATSAPP", whatsappLanguage: "hi" }))
      const found = () =>
        Effect.map(store.atProvider(whatsapp.whatsappName, "en"), (all) => new Set(all.map(({ id }) => id)))
      assert.deepStrictEqual(yield* found(), new Set(made.map(({ id }) => id)))
      yield* save({ ...first!, removedAt: noon }, null)
      assert.deepStrictEqual(yield* found(), new Set(made.slice(1).map(({ id }) => id)))
    })
  ),
  promise(
    "the content and the name of a template are stored exactly, or refused",
    Effect.forEach(awkward, (text) =>
      Effect.gen(function* () {
        const store = yield* TemplateStore
        const made = head(fresh("env"), { name: text })
        const words = { ...content, subject: text, body: text, html: text }
        const exit = yield* Effect.exit(save(made, words))
        if (Exit.isFailure(exit)) assert.instanceOf(yield* Effect.flip(exit), StoreError)
        const stored = Exit.isSuccess(exit) ? { head: { ...made, revision: 1 }, content: words } : null
        assert.deepStrictEqual(yield* store.get(made.environment, made.id), stored)
      })
    )
  ),
  promise(
    "a sender id is added once in its environment, and removed once",
    Effect.gen(function* () {
      const store = yield* SenderIdStore
      const environment = fresh("env")
      const race = yield* Race.together(20, () => change("added", senderId(environment, "ACMEIN", noon + 1)))
      assert.strictEqual(race.successes.length, 1)
      for (const error of race.failures) assert.instanceOf(error, Conflict)
      yield* change("added", senderId(environment, "acmein"))
      assert.deepStrictEqual(yield* store.list(environment), [
        senderId(environment, "acmein"),
        senderId(environment, "ACMEIN", noon + 1)
      ])
      yield* isConflict(change("removed", senderId(fresh("env"), "ACMEIN")))
      const gone = yield* Race.together(20, () => change("removed", senderId(environment, "ACMEIN")))
      assert.strictEqual(gone.successes.length, 1)
      assert.deepStrictEqual(yield* store.list(environment), [senderId(environment, "acmein")])
      for (const id of missing) assert.deepStrictEqual(yield* store.list(id), [])
    })
  )
]
