import { Cache, Context, Duration, Effect, Exit, FiberSet, Layer } from "effect"
import { Receipts } from "../sending/Receipts.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { steadyTime } from "../../foundation/time/steadyTime.ts"
import { type Catalogue, catalogueOf, isOfOwnAccount } from "./choose.ts"
import { SenderIdStore } from "./SenderIdStore.ts"
import type { TemplateContent, TemplateHead, TextReference } from "./StoredTemplate.ts"
import { TemplateStates } from "./TemplateStates.ts"
import { TemplateStore } from "./TemplateStore.ts"

/** How long a process may use its cache: every process sees a change within this time. */
const freshness = "3 seconds"
const environments = 10_000
/** Words never change, so only the number of entries bounds this cache. */
const contents = 2_000
/** How many templates a provider's change may affect: those with the same name, in all environments. */
const mostToldAtOnce = 100

/** Retries immediately when storage did not answer. */
const timeToLive = (exit: Exit.Exit<unknown, unknown>) => (Exit.isSuccess(exit) ? freshness : Duration.zero)
/** Missing words may be committed by another process a moment later. */
const wordsToLive = (exit: Exit.Exit<TemplateContent | null, unknown>) =>
  Exit.isSuccess(exit) && exit.value !== null ? "1 hour" : Duration.zero

/** A cache of merchants' templates for sends, so that a send does not read storage each time. */
export class TemplateCatalogue extends Context.Service<
  TemplateCatalogue,
  {
    /** The templates to choose from, at most 3 seconds old. */
    readonly of: (environment: string) => Effect.Effect<Catalogue, StoreError>
    /** The words of a version; null when they do not exist or were deleted. */
    readonly content: (environment: string, text: TextReference) => Effect.Effect<TemplateContent | null, StoreError>
    /** Drops this process's cache after its own change. */
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

      /** Asks the provider about an unusable template in the background, so that it is used soon after approval. */
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

      // The report may be about another account's template with the same name, so this asks the provider.
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
