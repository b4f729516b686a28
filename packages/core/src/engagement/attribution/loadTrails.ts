import { Effect } from "effect"
import type { AttributionStore } from "./AttributionStore.ts"
import type { TrailOfLaunch } from "./attribute.ts"
import type { Launch } from "./Launch.ts"

const kinds = ["visitor", "click"] as const

/**
 * The trails that a launch is on, as far as they know it. The trail is read before its launches: whoever joins it in
 * between moves its version, and what is decided here comes too late.
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
