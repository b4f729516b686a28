import { Clock, Context, Effect, Layer } from "effect"
import { Channels } from "../../foundation/delivery/Channels.ts"
import type { TemplateAccount, TemplateFacts } from "../../foundation/delivery/ProviderTemplate.ts"
import { notYours } from "../../account/number/notYours.ts"
import { Numbers } from "../../account/number/Numbers.ts"
import { NumberStore } from "../../account/number/NumberStore.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import { noRecords } from "../../foundation/outbox/Change.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { type Millis, minutes } from "../../foundation/time/Instant.ts"
import type { ProviderState, TemplateHead, TemplateProblem, TemplatePurpose } from "./StoredTemplate.ts"
import { TemplateStore } from "./TemplateStore.ts"

/** The minimum interval between two requests to a provider about the same template. */
const everyAtMost = minutes(1)

/** The fields of our template that the provider's must match. */
export interface Expected {
  readonly name: string
  readonly language: string
  readonly purpose: TemplatePurpose
  /** How many values its text receives. */
  readonly values: number
}

const invalid = (problem: string): TemplateProblem => ({ fault: "INVALID", problem })
const incomplete = (problem: string): TemplateProblem => ({ fault: "INCOMPLETE", problem })

/** Returns why the provider's template does not match ours; null when it does. */
export const disagreement = (
  { category, hasButton, values }: TemplateFacts,
  expected: Expected
): TemplateProblem | null => {
  const isCode = expected.purpose === "CODE"
  if (isCode !== (category === "AUTHENTICATION")) {
    return invalid(
      `its category at WhatsApp is ${category}, but ${isCode ? "codes need category AUTHENTICATION" : "category AUTHENTICATION is only for codes"}`
    )
  }
  if (values !== null && values !== expected.values) {
    return incomplete(`its text at WhatsApp has ${values} placeholders, but ours has ${expected.values}`)
  }
  const needsButton = expected.purpose !== "MESSAGE"
  return hasButton !== null && hasButton !== needsButton
    ? incomplete(
        needsButton
          ? `it has no button at WhatsApp for ${isCode ? "the code" : "the end of the link"}`
          : "it has a button at WhatsApp with a placeholder that this template cannot fill"
      )
    : null
}

/** Asks providers for the state of merchants' templates, and stores the answers. */
export class TemplateStates extends Context.Service<
  TemplateStates,
  {
    /**
     * Returns the number whose account gets an environment's new templates: the first connected number, or null for the
     * service's own account.
     */
    readonly numberFor: (environment: string) => Effect.Effect<string | null, StoreError>
    /**
     * Returns whether the environment may use templates of the service's own account: see `Numbers.maySendTemplates`.
     */
    readonly ownsOwn: (environment: string) => Effect.Effect<boolean, StoreError>
    /** Returns the provider's account of a template's number; undefined when the number is no longer connected. */
    readonly accountOf: (
      environment: string,
      numberId: string | null
    ) => Effect.Effect<TemplateAccount | undefined, StoreError>
    /**
     * A template's current state; null where there is no provider to ask. It never fails: an unknown state is
     * `UNKNOWN`.
     */
    readonly ask: (
      environment: string,
      numberId: string | null,
      expected: Expected
    ) => Effect.Effect<{ readonly state: ProviderState; readonly unanswered: string | null } | null, StoreError>
    /** Asks the provider about a template unless it did within the last minute, and stores the answer. */
    readonly refreshed: (head: TemplateHead) => Effect.Effect<TemplateHead, StoreError>
    /** Like `refreshed`, but asks immediately, because the provider reported a change. */
    readonly told: (head: TemplateHead) => Effect.Effect<TemplateHead, StoreError>
  }
>()("@countersign/core/template/TemplateStates") {
  static readonly layer: Layer.Layer<TemplateStates, never, Channels | Numbers | NumberStore | Outbox | TemplateStore> =
    Layer.effect(
      TemplateStates,
      Effect.gen(function* () {
        const channels = yield* Channels
        const numbers = yield* Numbers
        const numberStore = yield* NumberStore
        const commit = yield* Outbox.committer(TemplateStore)
        const provider = channels.find("WHATSAPP")?.templates

        const accountOf = Effect.fnUntraced(function* (
          environment: string,
          numberId: string | null
        ): Effect.fn.Return<TemplateAccount | undefined, StoreError> {
          if (numberId === null) return null
          const number = yield* numberStore.get(numberId)
          const account = yield* numbers.accountOf(environment, numberId)
          return number === null || number.environment !== environment || account === null
            ? undefined
            : { ...account, groupId: number.accountId }
        })

        const ownsOwn = (environment: string) => numbers.maySendTemplates(environment, null)

        const ask = Effect.fnUntraced(function* (environment: string, numberId: string | null, expected: Expected) {
          if (provider === undefined || (numberId === null && !provider.hasOwn)) return null
          const account = yield* accountOf(environment, numberId)
          const checkedAt = yield* Clock.currentTimeMillis
          const unknown = (unanswered: string) => ({
            state: { status: "UNKNOWN", problem: null, checkedAt } satisfies ProviderState,
            unanswered
          })
          if (account === undefined) return unknown("its WhatsApp number is no longer connected; connect it again")
          if (numberId === null && !(yield* ownsOwn(environment))) return unknown(notYours)
          return yield* Effect.match(provider.look(expected, account), {
            onFailure: ({ problem }) => unknown(problem),
            onSuccess: (facts) => ({
              state: {
                status: facts?.status ?? "MISSING",
                problem: facts === null ? null : disagreement(facts, expected),
                checkedAt
              } satisfies ProviderState,
              unanswered: null
            })
          })
        })

        const refresh = Effect.fnUntraced(function* (head: TemplateHead, least: Millis) {
          const { environment, numberId, purpose, state, values, whatsappLanguage, whatsappName } = head
          const now = yield* Clock.currentTimeMillis
          if (state === null || whatsappName === null || whatsappLanguage === null) return head
          if (now - state.checkedAt < least) return head
          const expected = { name: whatsappName, language: whatsappLanguage, purpose, values }
          const answer = yield* ask(environment, numberId, expected)
          if (answer === null) return head
          // If the provider is unreachable, the earlier answer stays.
          const next: ProviderState =
            answer.state.status === "UNKNOWN" ? { ...state, checkedAt: answer.state.checkedAt } : answer.state
          return yield* commit({ ...noRecords, head: { ...head, state: next }, content: null }).pipe(
            // A concurrent change has just asked the provider too.
            Effect.catchTag("Conflict", () => Effect.succeed(head))
          )
        })

        return TemplateStates.of({
          numberFor: (environment) => Effect.map(numberStore.list(environment), ([first]) => first?.id ?? null),
          ownsOwn,
          accountOf,
          ask,
          refreshed: (head) => refresh(head, everyAtMost),
          told: (head) => refresh(head, 0)
        })
      })
    )
}
