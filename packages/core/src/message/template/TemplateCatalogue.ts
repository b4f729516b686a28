import { Cache, Context, Duration, Effect, Exit, FiberSet, Layer } from "effect"
import { Receipts } from "../sending/Receipts.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { steadyTime } from "../../foundation/time/steadyTime.ts"
import { type Catalogue, catalogueOf, isOfOwnAccount } from "./choose.ts"
import { SenderIdStore } from "./SenderIdStore.ts"
import type { TemplateContent, TemplateHead, TextReference } from "./StoredTemplate.ts"
import { TemplateStates } from "./TemplateStates.ts"
import { TemplateStore } from "./TemplateStore.ts"

/** How long a process may go on with what it knows: a change is everywhere known within this time. */
const freshness = "3 seconds"
const environments = 10_000
/** Words never change, so what is kept of them is bounded by their number alone. */
const contents = 2_000
/** One change at a provider is heard by so many templates: those of one name, in all environments. */
const mostToldAtOnce = 100

/** A storage that did not answer is asked again at once. */
const timeToLive = (exit: Exit.Exit<unknown, unknown>) => (Exit.isSuccess(exit) ? freshness : Duration.zero)
/** Words that are not there may be another process's, a moment from now. */
const wordsToLive = (exit: Exit.Exit<TemplateContent | null, unknown>) =>
  Exit.isSuccess(exit) && exit.value !== null ? "1 hour" : Duration.zero

/** What a send asks about merchants' templates, answered without asking storage each time. */
export class TemplateCatalogue extends Context.Service<
  TemplateCatalogue,
  {
    /** What there is to choose from, as it was at most 3 seconds ago. */
    readonly of: (environment: string) => Effect.Effect<Catalogue, StoreError>
    /** The words of one version; null when there are none, or no more. */
    readonly content: (environment: string, text: TextReference) => Effect.Effect<TemplateContent | null, StoreError>
    /** Has this process ask storage again: after a change of its own. */
    readonly forget: (environment: string) => Effect.Effect<void>
  }
>()("@countersign/core/template/TemplateCatalogue") {
  static readonly layer: Layer.Layer<
    TemplateCatalogue,
    never,
    Receipts | SenderIdStore | TemplateStates | TemplateStore
  > = Layer.effect(
    TemplateCatalogue,
    Effect.gen(function* () {
      const store = yield* TemplateStore
      const senderIds = yield* SenderIdStore
      const states = yield* TemplateStates
      const inSteadyTime = yield* steadyTime
      const run = yield* FiberSet.makeRuntime<never, void, never>()

      /** A template that cannot be sent is asked about, so that it is sent soon after it can. Nobody waits for it. */
      const askAbout = (heads: ReadonlyArray<TemplateHead>) => {
        for (const head of heads) {
          if (head.state === null || head.state.status === "APPROVED") continue
          const asking = Effect.flatMap(states.refreshed(head), (fresh) =>
            fresh.revision === head.revision ? Effect.void : forget(head.environment)
          )
          run(Effect.ignore(asking))
        }
      }

      const known = yield* Cache.makeWith(
        Effect.fnUntraced(function* (environment: string): Effect.fn.Return<Catalogue, StoreError> {
          const heads = yield* store.heads(environment)
          const headers = yield* senderIds.list(environment)
          const ownsOwn = !heads.some(isOfOwnAccount) || (yield* states.ownsOwn(environment))
          askAbout(heads)
          return catalogueOf(
            heads,
            headers.map(({ header }) => header),
            ownsOwn
          )
        }),
        { capacity: environments, timeToLive }
      )
      const words = yield* Cache.makeWith(
        (key: string): Effect.Effect<TemplateContent | null, StoreError> => {
          const [environment = "", id = "", version = ""] = key.split("\n")
          return store.content(environment, id, Number(version))
        },
        { capacity: contents, timeToLive: wordsToLive }
      )

      const forget = (environment: string) => Cache.invalidate(known, environment)

      // What is told may be about another account's template of the same name: so the provider is asked.
      yield* (yield* Receipts).onTemplates((names) =>
        Effect.sync(() => {
          const asking = Effect.forEach(
            names.slice(0, mostToldAtOnce),
            ({ language, name }) =>
              Effect.flatMap(store.atProvider(name, language), (heads) =>
                Effect.forEach(
                  heads.slice(0, mostToldAtOnce),
                  (head) => Effect.andThen(states.told(head), forget(head.environment)),
                  { discard: true }
                )
              ),
            { discard: true }
          )
          run(Effect.ignore(asking))
        })
      )

      return TemplateCatalogue.of({
        of: (environment) => inSteadyTime(Cache.get(known, environment)),
        content: (environment, { id, version }) => inSteadyTime(Cache.get(words, `${environment}\n${id}\n${version}`)),
        forget
      })
    })
  )
}
