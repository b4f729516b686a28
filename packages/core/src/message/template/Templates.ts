import { Clock, Context, Effect, Layer } from "effect"
import * as RequestKey from "../../foundation/outbox/RequestKey.ts"
import { Channels, nameable } from "../../foundation/delivery/Channels.ts"
import { LinkAddress } from "../../foundation/delivery/LinkAddress.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import { type InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import { notYours } from "../../account/number/notYours.ts"
import { auditEntry, type Deed } from "../../foundation/outbox/AuditEntry.ts"
import { noRecords } from "../../foundation/outbox/Change.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import {
  changed,
  created,
  deedOf,
  expectedOf,
  findingsOf,
  isTaken,
  mostPerEnvironment,
  removed,
  type TemplateStep
} from "./changeTemplate.ts"
import type { Finding } from "./lint.ts"
import { lintStored } from "./lintStored.ts"
import { type Preview, previewOf, type PreviewRequest } from "./previewOf.ts"
import { SenderIdStore } from "./SenderIdStore.ts"
import type { ProviderState, StoredTemplate } from "./StoredTemplate.ts"
import { submissionOf } from "./submissionOf.ts"
import { TemplateCatalogue } from "./TemplateCatalogue.ts"
import { draftOf, type TemplateDraft } from "./TemplateDraft.ts"
import {
  type IncompleteTemplate,
  InvalidTemplate,
  SubmissionRefused,
  TemplateTaken,
  UnknownTemplate
} from "./TemplateError.ts"
import { checkChange, checkComplete, checkNew, type TemplateFields } from "./templateFields.ts"
import { TemplateStates } from "./TemplateStates.ts"
import { TemplateStore } from "./TemplateStore.ts"

/** Why a template cannot be saved. */
export type TemplateRefused =
  | InvalidField
  | InvalidTemplate
  | IncompleteTemplate
  | TemplateTaken
  | Contended
  | StoreError

/**
 * Manages merchants' own templates. The template named `default` is used when a request names none. Without it, the
 * built-in text is used.
 *
 * @example
 * ```ts
 * import { type Caller, Templates } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const write = Effect.fn(function* (caller: Caller) {
 *   const templates = yield* Templates
 *   const body = "{{code}} is your {{brand}} code."
 *   const { head } = yield* templates.create(caller, { name: "default", channel: "SMS", locale: "en", body })
 *   return yield* templates.previewOf(caller, head.id, { identity: "+919876543210" })
 * })
 * ```
 */
export class Templates extends Context.Service<
  Templates,
  {
    /** Returns a page of templates, by age. */
    readonly list: (
      caller: Caller,
      page: { readonly after: string | null; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<Templates.View>, StoreError>
    /** Returns a template. Refreshes its state from the provider, at most once a minute. */
    readonly get: (caller: Caller, id: string) => Effect.Effect<Templates.View, UnknownTemplate | StoreError>
    readonly create: (caller: Caller, fields: TemplateFields) => Effect.Effect<Templates.View, TemplateRefused>
    /** Changes the given fields. Verifications in progress keep the text that they started with. */
    readonly change: (
      caller: Caller,
      id: string,
      fields: TemplateFields
    ) => Effect.Effect<Templates.View, TemplateRefused | UnknownTemplate>
    readonly remove: (caller: Caller, id: string) => Effect.Effect<void, UnknownTemplate | Contended | StoreError>
    /** Renders an unsaved template. */
    readonly preview: (
      caller: Caller,
      fields: TemplateFields,
      request: PreviewRequest
    ) => Effect.Effect<Templates.PreviewWithFindings, InvalidField | IncompleteTemplate | StoreError>
    /** Renders a saved template. */
    readonly previewOf: (
      caller: Caller,
      id: string,
      request: PreviewRequest
    ) => Effect.Effect<Templates.PreviewWithFindings, InvalidField | UnknownTemplate | StoreError>
    /** Submits a template to WhatsApp for approval. */
    readonly submit: (
      caller: Caller,
      id: string
    ) => Effect.Effect<
      Templates.View,
      InvalidField | IncompleteTemplate | SubmissionRefused | UnknownTemplate | Contended | StoreError
    >
  }
>()("@countersign/core/template/Templates") {
  static readonly layerNoDeps: Layer.Layer<
    Templates,
    never,
    Channels | LinkAddress | Outbox | SenderIdStore | TemplateCatalogue | TemplateStates | TemplateStore
  > = Layer.effect(
    Templates,
    Effect.gen(function* () {
      const { base } = yield* LinkAddress
      const channels = yield* Channels
      const provider = channels.find("WHATSAPP")?.templates
      const names = nameable(channels)
      const senderIds = yield* SenderIdStore
      const catalogue = yield* TemplateCatalogue
      const states = yield* TemplateStates
      const store = yield* TemplateStore
      const commit = yield* Outbox.committer(TemplateStore)

      const headersOf = (environment: string) =>
        Effect.map(senderIds.list(environment), (senderIdList) => new Set(senderIdList.map(({ header }) => header)))

      const findingsFor = ({ settings }: Caller, draft: TemplateDraft, headers: ReadonlySet<string>) =>
        lintStored(draft, { settings, headers })

      const viewOf = (caller: Caller, stored: StoredTemplate, headers: ReadonlySet<string>): Templates.View => ({
        ...stored,
        findings: [...findingsFor(caller, draftOf(stored), headers), ...findingsOf(stored.head.state)]
      })

      const find = Effect.fnUntraced(function* ({ environment }: Caller, id: string) {
        const template = Identifier.is("tpl", id) ? yield* store.get(environment, id) : null
        return template ?? (yield* new UnknownTemplate())
      })

      /** Checks the service's rules and the provider's state. Returns the template with its account and that state. */
      const checkDraft = Effect.fnUntraced(function* (
        caller: Caller,
        requested: TemplateDraft,
        existing: StoredTemplate | null
      ) {
        yield* Effect.fromResult(checkComplete(requested))
        const headers = yield* headersOf(caller.environment)
        const findings = findingsFor(caller, requested, headers)
        const rules = findings.flatMap(({ field, problem, severity }) =>
          severity === "error" ? [{ field, problem }] : []
        )
        if (rules.length > 0) return yield* new InvalidTemplate({ rules })
        const expected = expectedOf(requested)
        // The test environment sends nothing, so it needs no approval.
        if (expected === null || caller.kind === "test")
          return { draft: requested, state: null, unanswered: null, headers }
        const numberId = yield* states.numberFor(caller.environment)
        if (numberId === null && !(yield* states.ownsOwn(caller.environment))) {
          return yield* new InvalidTemplate({ rules: [{ field: "whatsappName", problem: notYours }] })
        }
        const isUnchanged =
          existing !== null && JSON.stringify(expectedOf(draftOf(existing))) === JSON.stringify(expected)
        if (isUnchanged && existing.head.state?.status === "APPROVED") {
          return { draft: requested, state: existing.head.state, unanswered: null, headers }
        }
        const draft = { ...requested, content: { ...requested.content, numberId } }
        const answer = yield* states.ask(caller.environment, numberId, expected)
        const problem = answer?.state.problem?.problem
        if (problem !== undefined) {
          return yield* new InvalidTemplate({ rules: [{ field: "whatsappName", problem }] })
        }
        return { draft, state: answer?.state ?? null, unanswered: answer?.unanswered ?? null, headers }
      })

      const save = Effect.fnUntraced(function* (caller: Caller, step: TemplateStep, auditAction: Deed, now: number) {
        return yield* commit({ ...noRecords, ...step, audited: [auditEntry(caller, auditAction, now)] })
      })

      const withUnanswered = (view: Templates.View, unanswered: string | null): Templates.View =>
        unanswered === null
          ? view
          : {
              ...view,
              findings: [
                ...view.findings,
                { severity: "warning", field: "whatsappName", ...Problem.uncoded(unanswered) }
              ]
            }

      /** This process sees a change immediately, other processes within 3 seconds. */
      const commitChange = <A, E>(caller: Caller, step: Effect.Effect<A, E | Conflict>) =>
        Effect.ensuring(untilCommitted(step), catalogue.forget(caller.environment))

      const create = Effect.fnUntraced(function* (caller: Caller, fields: TemplateFields) {
        const id = yield* RequestKey.idFor("tpl", yield* Clock.currentTimeMillis)
        return yield* RequestKey.once(createdBefore(caller, id), add(caller, id, fields))
      })

      /** Returns the template that an earlier try of this request created, in its current state. */
      const createdBefore = Effect.fnUntraced(function* (caller: Caller, id: string) {
        const template = yield* store.get(caller.environment, id)
        return template && viewOf(caller, template, yield* headersOf(caller.environment))
      })

      const add = Effect.fnUntraced(function* (caller: Caller, id: string, fields: TemplateFields) {
        const requested = yield* Effect.fromResult(checkNew(fields, names))
        const { draft, headers, state, unanswered } = yield* checkDraft(caller, requested, null)
        const step = Effect.gen(function* () {
          const heads = yield* store.heads(caller.environment)
          if (isTaken(heads, draft, null)) return yield* new TemplateTaken()
          if (heads.length >= mostPerEnvironment) {
            return yield* invalidField(
              "name",
              Problem.of("FULL", { holder: "environment", max: mostPerEnvironment, things: "templates" })
            )
          }
          const now = yield* Clock.currentTimeMillis
          const firstVersion = created(caller.environment, id, draft, state, now)
          const head = yield* save(caller, firstVersion, deedOf(firstVersion.head.id, null, { draft, version: 1 }), now)
          return viewOf(caller, { head, content: draft.content }, headers)
        })
        return withUnanswered(yield* commitChange(caller, step), unanswered)
      })

      const change = Effect.fnUntraced(function* (caller: Caller, id: string, fields: TemplateFields) {
        let unanswered: string | null = null
        const step = Effect.gen(function* () {
          const existing = yield* find(caller, id)
          const requested = yield* Effect.fromResult(checkChange(existing, fields))
          const checked = yield* checkDraft(caller, requested, existing)
          const { draft, headers, state } = checked
          unanswered = checked.unanswered
          if (isTaken(yield* store.heads(caller.environment), draft, id)) return yield* new TemplateTaken()
          const now = yield* Clock.currentTimeMillis
          const next = changed(existing, draft, state, now)
          const auditAction = deedOf(
            id,
            { draft: draftOf(existing), version: existing.head.version },
            { draft, version: next.head.version }
          )
          const head = yield* save(caller, next, auditAction, now)
          return viewOf(caller, { head, content: draft.content }, headers)
        })
        return withUnanswered(yield* commitChange(caller, step), unanswered)
      })

      const remove = (caller: Caller, id: string) =>
        commitChange(
          caller,
          Effect.gen(function* () {
            const existing = yield* find(caller, id)
            const now = yield* Clock.currentTimeMillis
            const auditAction = deedOf(id, { draft: draftOf(existing), version: existing.head.version }, null)
            yield* save(caller, removed(existing.head, now), auditAction, now)
          })
        )

      const submit = Effect.fnUntraced(function* (caller: Caller, id: string) {
        const { environment, settings } = caller
        const first = yield* find(caller, id)
        if (first.head.channel !== "WHATSAPP") {
          return yield* invalidField("channel", Problem.of("NOT_SUBMITTED"))
        }
        if (caller.kind === "test") {
          const problem = "the test environment does not call WhatsApp; submit it in the live environment"
          return yield* new SubmissionRefused({ problem })
        }
        const { numberId } = first.content
        if (provider === undefined || (numberId === null && !provider.hasOwn)) {
          const problem = "this server has no WhatsApp business account configured; ask its operator"
          return yield* new SubmissionRefused({ problem })
        }
        if (numberId === null && !(yield* states.ownsOwn(environment))) {
          return yield* new SubmissionRefused({ problem: notYours })
        }
        const submission = yield* Effect.fromResult(submissionOf(draftOf(first), settings, base))
        const account = yield* states.accountOf(environment, numberId)
        if (account === undefined) {
          const problem = "its WhatsApp number is no longer connected; save the template again"
          return yield* new SubmissionRefused({ problem })
        }
        const { status } = yield* Effect.mapError(
          provider.submit(submission, account),
          ({ problem }) => new SubmissionRefused({ problem })
        )
        const step = Effect.gen(function* () {
          const { content, head } = yield* find(caller, id)
          const now = yield* Clock.currentTimeMillis
          const state: ProviderState = { status, problem: null, checkedAt: now }
          const auditAction = {
            action: "template.submitted",
            target: { kind: "template", id },
            from: { status: head.state?.status ?? null },
            to: { status }
          }
          const stored = yield* save(caller, { head: { ...head, state }, content: null }, auditAction, now)
          return viewOf(caller, { head: stored, content }, yield* headersOf(environment))
        })
        return yield* commitChange(caller, step)
      })

      const preview = Effect.fnUntraced(function* (caller: Caller, draft: TemplateDraft, request: PreviewRequest) {
        const rendered = yield* Effect.fromResult(previewOf(draft, request, caller.settings, { base, provider }))
        return { ...rendered, findings: findingsFor(caller, draft, yield* headersOf(caller.environment)) }
      })

      return Templates.of({
        list: Effect.fnUntraced(function* (caller, page) {
          const headers = yield* headersOf(caller.environment)
          const templates = yield* store.list({ environment: caller.environment, ...page })
          return templates.map((stored) => viewOf(caller, stored, headers))
        }),
        get: Effect.fnUntraced(function* (caller, id) {
          const { content, head } = yield* find(caller, id)
          const fresh = yield* states.refreshed(head)
          return viewOf(caller, { head: fresh, content }, yield* headersOf(caller.environment))
        }),
        create,
        change,
        remove,
        preview: Effect.fnUntraced(function* (caller, fields, request) {
          // An unsaved template may have no name yet.
          const draft = yield* Effect.fromResult(checkNew({ ...fields, name: fields.name ?? "preview" }, names))
          yield* Effect.fromResult(checkComplete(draft))
          return yield* preview(caller, draft, request)
        }),
        previewOf: Effect.fnUntraced(function* (caller, id, request) {
          return yield* preview(caller, draftOf(yield* find(caller, id)), request)
        }),
        submit
      })
    })
  )
}

export declare namespace Templates {
  /** A template with its lint findings. */
  export interface View extends StoredTemplate {
    readonly findings: ReadonlyArray<Finding>
  }

  export interface PreviewWithFindings extends Preview {
    readonly findings: ReadonlyArray<Finding>
  }
}
