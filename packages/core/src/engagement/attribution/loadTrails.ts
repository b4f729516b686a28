import { Effect } from "effect"
import type { AttributionStore } from "./AttributionStore.ts"
import type { TrailOfLaunch } from "./attribute.ts"
import type { Launch } from "./Launch.ts"

const kinds = ["visitor", "click"] as const

/**
 * The stored trails of a launch, with their earliest launches. Reads the trail before its launches: a launch that joins
 * in between changes the trail's version, so the commit conflicts.
 */
export const loadTrails = Effect.fnUntraced(function* (store: AttributionStore["Service"], launch: Launch) {
  const followed: Array<TrailOfLaunch> = []
  for (const kind of kinds) {
    const key = launch[kind]
    if (key === null) continue
    const [trail] = yield* store.trails(launch.environment, [key])
    if (trail === undefined) continue
    followed.push({ trail, earliest: yield* store.earliest(launch.environment, kind, key) })
  }
  return followed
})
