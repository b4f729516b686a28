import { Context, Duration, Effect, Exit, FiberSet, Layer } from "effect"
import { Receipts } from "../sending/Receipts.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import * as SteadyCache from "../../foundation/time/SteadyCache.ts"
import { type Catalogue, catalogueOf, isOfOwnAccount } from "./choose.ts"
import { SenderIdStore } from "./SenderIdStore.ts"
import type { TemplateContent, TemplateHead, TextReference } from "./StoredTemplate.ts"
import { TemplateStates } from "./TemplateStates.ts"
import { TemplateStore } from "./TemplateStore.ts"

/** How long a process may use its cache: every process sees a change within this time. */
const freshness = "3 seconds"
const environments = 10_000
/** The content of a version never changes, so only the number of entries limits this cache. */
const contents = 2_000
/**
 * Limits the templates to refresh after a provider's report: the report's names, and the templates with one name in all
 * environments.
 */
const mostToldAtOnce = 100

/** Caches no failure: if storage did not answer, the next call reads it again. */
const timeToLive = (exit: Exit.Exit<unknown, unknown>) => (Exit.isSuccess(exit) ? freshness : Duration.zero)
/** Does not cache missing content, because another process may commit it a moment later. */
const wordsToLive = (exit: Exit.Exit<TemplateContent | null, unknown>) =>
  Exit.isSuccess(exit) && exit.value !== null ? "1 hour" : Duration.zero

/** Caches merchants' templates, so that a send does not read storage each time. */
export class TemplateCatalogue extends Context.Service<
  TemplateCatalogue,
  {
    /** Returns the templates to choose from, at most 3 seconds old. */
    readonly of: (environment: string) => Effect.Effect<Catalogue, StoreError>
    /** Returns the content of a version; null when it does not exist or was deleted. */
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
      const run = yield* FiberSet.makeRuntime<never, void, never>()

      /**
       * Asks the provider about unusable templates in the background, so that a template is used soon after its
       * approval.
       */
      const askAbout = (heads: ReadonlyArray<TemplateHead>) => {
        for (const head of heads) {
          if (head.state === null || head.state.status === "APPROVED") continue
          const asking = Effect.flatMap(states.refreshed(head), (fresh) =>
            fresh.revision === head.revision ? Effect.void : forget(head.environment)
          )
          run(Effect.ignore(asking))
        }
      }

      const known = yield* SteadyCache.make(
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
      const forget = (environment: string): Effect.Effect<void> => known.forget(environment)
      const words = yield* SteadyCache.make(
        (key: string): Effect.Effect<TemplateContent | null, StoreError> => {
          const [environment = "", id = "", version = ""] = key.split("\n")
          return store.content(environment, id, Number(version))
        },
        { capacity: contents, timeToLive: wordsToLive }
      )

      // The report may be about another account's template with the same name, so the server asks the provider.
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
        of: known.get,
        content: (environment, { id, version }) => words.get(`${environment}\n${id}\n${version}`),
        forget
      })
    })
  )
}
