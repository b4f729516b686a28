import type { Launch, Touch, Trail, AttributionStore } from "@countersign/core/storage"
import { aside, bigint, group, instant, int, named, nullable, of, once, rest, rows, text } from "./table.ts"

const origin = group<Launch["origin"]>({ source: text, medium: text, campaign: text })
const originOnce = group<Launch["origin"]>({ source: once(text), medium: once(text), campaign: once(text) })

/** The next state of a trail, and the first launch that the change was decided on. */
interface TrailRow extends Trail {
  readonly was: string | null
}

export const trail = rows<TrailRow>()("trail", ["environment", "key"], {
  environment: text,
  key: text,
  version: int,
  was: aside(nullable(text), ({ was }: TrailRow) => was),
  first: group<Trail["first"]>({
    id: named("first_id", text),
    at: named("first_at", instant),
    origin,
    visitor: nullable(text)
  })
})

interface LaunchRow extends Launch {
  readonly becomes: AttributionStore.Change["launches"][number]["becomes"]
}

export const launch = rows<LaunchRow>()("launch", ["environment", "id"], {
  environment: text,
  id: text,
  version: int,
  becomes: aside(text, ({ becomes }: LaunchRow) => becomes),
  at: once(instant),
  origin: originOnce,
  visitor: once(nullable(text)),
  click: once(nullable(text)),
  state: once(
    rest(
      ({ details, tokenHash }: LaunchRow) => ({ details, tokenHash }),
      (state) => state
    )
  )
})

/** Written once, never changed. */
export const touch = rows<Omit<Touch, "money">>()("touch", ["environment", "kind", "id"], {
  environment: text,
  kind: text,
  id: text,
  at: instant,
  launchId: nullable(text),
  visitor: nullable(text),
  click: nullable(text),
  origin,
  micros: of(nullable(bigint), ({ money }: Touch) => money?.micros ?? null),
  currency: of(text, ({ money }: Touch) => money?.currency ?? ""),
  details: nullable(text)
})
