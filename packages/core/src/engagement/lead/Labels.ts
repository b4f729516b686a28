import { Clock, Context, Effect, Layer } from "effect"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import { type InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import { auditChange, auditEntry, type AuditFields } from "../../foundation/outbox/AuditEntry.ts"
import { noRecords } from "../../foundation/outbox/Change.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import * as RequestKey from "../../foundation/outbox/RequestKey.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { canonicalName, checkLabelName, checkWord } from "./inboxFields.ts"
import { type Label, LabelColour, LabelStore, mostLabels } from "./Label.ts"
import { UnknownLabel } from "./LeadError.ts"

/** The input for a label. In a change, omitted fields stay unchanged. */
export interface LabelFields {
  readonly name?: string | null | undefined
  /** One of `LabelColour`. */
  readonly colour?: string | null | undefined
}

const audited = ({ colour, name }: Label): AuditFields => ({ name, colour })

/**
 * The labels that a merchant's agents put on leads.
 *
 * @example
 * ```ts
 * import { type Caller, Labels, Leads } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const mark = Effect.fn(function* (caller: Caller, leadId: number) {
 *   const label = yield* (yield* Labels).create(caller, { name: "VIP", colour: "PURPLE" })
 *   return yield* (yield* Leads).label(caller, leadId, { add: [label.id] })
 * })
 * ```
 */
export class Labels extends Context.Service<
  Labels,
  {
    /** By id, which is by age. */
    readonly list: (caller: Caller) => Effect.Effect<ReadonlyArray<Label>, StoreError>
    readonly create: (caller: Caller, fields: LabelFields) => Effect.Effect<Label, InvalidField | StoreError>
    readonly change: (
      caller: Caller,
      id: string,
      fields: LabelFields
    ) => Effect.Effect<Label, InvalidField | UnknownLabel | StoreError>
    /** Removes a label, and so takes it off every lead. */
    readonly remove: (caller: Caller, id: string) => Effect.Effect<void, UnknownLabel | StoreError>
  }
>()("@countersign/core/lead/Labels") {
  static readonly layerNoDeps: Layer.Layer<Labels, never, LabelStore | Outbox> = Layer.effect(
    Labels,
    Effect.gen(function* () {
      const store = yield* LabelStore
      const commit = yield* Outbox.committer(LabelStore)

      const find = Effect.fnUntraced(function* (all: ReadonlyArray<Label>, id: string) {
        return all.find((label) => label.id === id) ?? (yield* new UnknownLabel())
      })

      const nameOf = Effect.fnUntraced(function* (all: ReadonlyArray<Label>, id: string, rawName: string | null) {
        const name = yield* checkLabelName("name", rawName)
        const isTaken = all.some((other) => other.id !== id && canonicalName(other.name) === canonicalName(name))
        return isTaken ? yield* taken() : name
      })
      const taken = () => Effect.fail(invalidField("name", Problem.of("NAME_TAKEN", { thing: "label" })))

      const save = Effect.fnUntraced(function* (
        caller: Caller,
        before: Label | null,
        label: Label
      ): Effect.fn.Return<Label, Conflict | StoreError> {
        const by = { ...caller, environment: null }
        const target = { kind: "label", id: label.id }
        const now = yield* Clock.currentTimeMillis
        const deeds =
          before === null
            ? [auditEntry(by, { action: "label.created", target, to: audited(label) }, now)]
            : auditChange(by, { action: "label.changed", target, from: audited(before), to: audited(label) }, now)
        if (deeds.length > 0)
          yield* commit({ ...noRecords, audited: deeds, label, becomes: before === null ? "added" : "changed" })
        return label
      })

      const create = Effect.fnUntraced(function* (caller: Caller, fields: LabelFields) {
        const { merchantId } = caller
        const createdAt = yield* Clock.currentTimeMillis
        const id = yield* RequestKey.idFor("lbl", createdAt)
        const madeBefore = Effect.map(store.list(merchantId), (all) => all.find((one) => one.id === id) ?? null)
        const add = Effect.gen(function* () {
          const all = yield* store.list(merchantId)
          const name = yield* nameOf(all, id, fields.name ?? null)
          const colour = yield* checkWord("colour", LabelColour, fields.colour, "GREY")
          if (all.length >= mostLabels) {
            return yield* invalidField(
              "name",
              Problem.of("FULL", { holder: "merchant", max: mostLabels, things: "labels" })
            )
          }
          return yield* Effect.catchTag(
            save(caller, null, { merchantId, id, name, colour, createdAt }),
            "Conflict",
            taken
          )
        })
        return yield* RequestKey.once(madeBefore, add)
      })

      const change = Effect.fnUntraced(function* (caller: Caller, id: string, fields: LabelFields) {
        const all = yield* store.list(caller.merchantId)
        const before = yield* find(all, id)
        const name = fields.name == null ? before.name : yield* nameOf(all, id, fields.name)
        const colour = yield* checkWord("colour", LabelColour, fields.colour, before.colour)
        return yield* Effect.catchTag(save(caller, before, { ...before, name, colour }), "Conflict", taken)
      })

      const remove = Effect.fnUntraced(function* (caller: Caller, id: string) {
        if (!Identifier.is("lbl", id)) return yield* new UnknownLabel()
        const label = yield* find(yield* store.list(caller.merchantId), id)
        const deed = { action: "label.removed", target: { kind: "label", id }, from: audited(label) }
        const entry = auditEntry({ ...caller, environment: null }, deed, yield* Clock.currentTimeMillis)
        yield* Effect.catchTag(commit({ ...noRecords, audited: [entry], label, becomes: "removed" }), "Conflict", () =>
          Effect.fail(new UnknownLabel())
        )
      })

      return Labels.of({ list: ({ merchantId }) => store.list(merchantId), create, change, remove })
    })
  )
}
