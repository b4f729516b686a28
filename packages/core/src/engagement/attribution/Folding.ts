import { Effect, Layer, Result } from "effect"
import { leadReferred } from "../lead/leadFacts.ts"
import type { Fact } from "../../foundation/outbox/Fact.ts"
import { FactStore } from "../../foundation/outbox/FactStore.ts"
import { folding } from "../../foundation/outbox/folding.ts"
import type { Jobs } from "../../foundation/outbox/Jobs.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import { seconds } from "../../foundation/time/Instant.ts"
import { launchVerified } from "../../auth/verification/launchFacts.ts"
import { follow, leadTouch, verificationTouch } from "./attribute.ts"
import { AttributionStore } from "./AttributionStore.ts"
import type { Launch } from "./Launch.ts"
import type { Touch } from "./Touch.ts"

const every = seconds(3)
const atOnce = 100

const idOf = ({ at, environment, key, kind }: Fact) => ({ at, environment, key, kind })

/** Reads a fact as a touch; null when its launch no longer exists. */
const touchOf = (fact: Fact, launches: ReadonlyMap<string, Launch>): Result.Result<Touch | null, string> =>
  fact.kind === leadReferred.name
    ? Result.map(leadReferred.read(fact), (lead) => leadTouch(fact.environment, lead, fact.at))
    : Result.map(launchVerified.read(fact), ({ launchId, requestId }) => {
        const launch = launches.get(launchId)
        return launch === undefined ? null : verificationTouch(launch, requestId, fact.at)
      })

/**
 * Turns the facts of verifications and leads into touches. The commit that writes the touches deletes the facts, and
 * writing a touch twice has no effect, so each fact counts once. If a launch is erased in between, its version no
 * longer matches and the pass repeats.
 */
export const layer: Layer.Layer<never, never, AttributionStore | FactStore | Jobs | Outbox> = Layer.effectDiscard(
  Effect.gen(function* () {
    const facts = yield* FactStore
    const store = yield* AttributionStore
    const commit = yield* Outbox.committer(AttributionStore)

    /** Folds the oldest facts of a kind. Returns whether there may be more. */
    const foldSome = Effect.fnUntraced(function* (kind: string, environment: string) {
      const found = yield* facts.list({ kind, environment, after: null, limit: atOnce })
      if (found.length === 0) return false
      const named = found.flatMap(({ value }) => (typeof value["launchId"] === "string" ? [value["launchId"]] : []))
      const launches = named.length === 0 ? [] : yield* store.launches(environment, named)
      const byId = new Map(launches.map((launch) => [launch.id, launch]))
      const touches: Array<Touch> = []
      for (const fact of found) {
        const touch = touchOf(fact, byId)
        if (Result.isFailure(touch)) {
          // A fact that another version wrote and this one cannot parse would block the others forever.
          yield* Effect.logError("A fact could not be read and was omitted from attribution", {
            environment,
            kind,
            key: fact.key
          })
        } else if (touch.success !== null) touches.push(touch.success)
      }
      yield* commit({ ...follow(touches, launches), folded: found.map(idOf) })
      return found.length === atOnce
    })

    yield* folding({
      name: "attribution.fold",
      key: "attribution",
      every,
      longestPause: every,
      kinds: [launchVerified.name, leadReferred.name],
      foldSome
    })
  })
)
