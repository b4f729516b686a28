import { Effect } from "effect"
import type { AttributionStore } from "../engagement/attribution/AttributionStore.ts"
import { isBefore, type Launch, type Origin } from "../engagement/attribution/Launch.ts"
import type { Touch } from "../engagement/attribution/Touch.ts"
import type { Trail, TrailStep } from "../engagement/attribution/Trail.ts"
import { Conflict } from "../foundation/storage/Conflict.ts"
import { memoryKey } from "./MemoryKey.ts"
import type { MemoryOutbox } from "./MemoryOutbox.ts"

/** Compares text by code points, which differs from UTF-16 order beyond U+FFFF. */
const compareText = (a: string, b: string): number => {
  const [left, right] = [Array.from(a), Array.from(b)]
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const difference = left[i]!.codePointAt(0)! - right[i]!.codePointAt(0)!
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

const comparePlaces = (a: AttributionStore.SumKey, b: AttributionStore.SumKey): number =>
  a.day - b.day ||
  compareText(a.source, b.source) ||
  compareText(a.medium, b.medium) ||
  compareText(a.campaign, b.campaign)

export const touchKey = ({ environment, id, kind }: Pick<Touch, "environment" | "id" | "kind">) =>
  memoryKey(environment, kind, id)

interface Counted extends AttributionStore.SumKey {
  LAUNCH: number
  VERIFICATION: number
  CONVERSION: number
  LEAD: number
  readonly values: Map<string, bigint>
}

/** The launches, touches and trails of one memory storage. */
export const makeAttributionStore = (
  outbox: MemoryOutbox,
  touches: Map<string, Touch>
): AttributionStore["Service"] => {
  const launches = new Map<string, Launch>()
  const trails = new Map<string, Trail>()
  /** Which launches are on a trail. */
  const onTrail = new Map<string, Set<string>>()

  const launchKey = ({ environment, id }: Pick<Launch, "environment" | "id">) => memoryKey(environment, id)
  const trailKey = ({ environment, key }: Pick<Trail, "environment" | "key">) => memoryKey(environment, key)
  const trailsOf = ({ click, environment, visitor }: Launch) =>
    [visitor, click].flatMap((key) => (key === null ? [] : [memoryKey(environment, key)]))

  const conflict = ({ launches: steps, trails: moved }: AttributionStore.Change): string | undefined =>
    steps.find(({ launch }) => (launches.get(launchKey(launch))?.version ?? 0) !== launch.version)?.launch.id ??
    moved.find(({ trail }) => {
      const stored = trails.get(trailKey(trail))
      return (stored?.version ?? 0) !== trail.version || (stored?.first?.id ?? null) !== (trail.first?.id ?? null)
    })?.trail.key

  const saveLaunch = ({ becomes, launch }: AttributionStore.LaunchStep): void => {
    const key = launchKey(launch)
    if (becomes === "kept") {
      launches.set(key, structuredClone({ ...launch, version: launch.version + 1 }))
      for (const trail of trailsOf(launch)) onTrail.set(trail, (onTrail.get(trail) ?? new Set()).add(key))
      return
    }
    launches.delete(key)
    for (const trail of trailsOf(launch)) {
      const touchesOnTrail = onTrail.get(trail)
      touchesOnTrail?.delete(key)
      if (touchesOnTrail?.size === 0) onTrail.delete(trail)
    }
    if (becomes === "forgotten") return
    for (const [at, touch] of touches) {
      if (touch.environment === launch.environment && touch.launchId === launch.id) touches.delete(at)
    }
  }

  const saveTrail = ({ first, trail }: TrailStep): void => {
    if (first === null) trails.delete(trailKey(trail))
    else trails.set(trailKey(trail), structuredClone({ ...trail, first, version: trail.version + 1 }))
  }

  const save = (change: AttributionStore.Change): void => {
    change.launches.forEach(saveLaunch)
    change.trails.forEach(saveTrail)
    for (const touch of change.touches) {
      if (!touches.has(touchKey(touch))) touches.set(touchKey(touch), structuredClone(touch))
    }
  }

  const firstOn = (environment: string, key: string | null) =>
    key === null ? null : (trails.get(memoryKey(environment, key))?.first ?? null)

  const originOf = (touch: Touch, model: AttributionStore.SumPage["model"]): Origin => {
    const clicked = firstOn(touch.environment, touch.click)
    const led = clicked?.origin ?? touch.origin
    return model === "last" ? led : (firstOn(touch.environment, clicked?.visitor ?? touch.visitor)?.origin ?? led)
  }

  const sums = ({
    after,
    days,
    environment,
    limit,
    model,
    until
  }: AttributionStore.SumPage): ReadonlyArray<AttributionStore.Sum> => {
    const counted = new Map<string, Counted>()
    const count = (at: number, { campaign, medium, source }: Origin) => {
      const day = days.findLastIndex((begins) => begins <= at)
      const key = JSON.stringify([day, source, medium, campaign])
      const none = { LAUNCH: 0, VERIFICATION: 0, CONVERSION: 0, LEAD: 0, values: new Map<string, bigint>() }
      const sum = counted.get(key) ?? { day, source, medium, campaign, ...none }
      counted.set(key, sum)
      return sum
    }
    const isIn = (one: Pick<Launch, "environment" | "at">) =>
      one.environment === environment && one.at >= (days[0] ?? until) && one.at < until
    for (const launch of launches.values()) if (isIn(launch)) count(launch.at, launch.origin).LAUNCH++
    for (const touch of touches.values()) {
      if (!isIn(touch)) continue
      const sum = count(touch.at, originOf(touch, model))
      sum[touch.kind]++
      if (touch.money !== null) {
        const { currency, micros } = touch.money
        sum.values.set(currency, (sum.values.get(currency) ?? 0n) + micros)
      }
    }
    return [...counted.values()]
      .filter((sum) => after === null || comparePlaces(sum, after) > 0)
      .toSorted(comparePlaces)
      .slice(0, limit)
      .map(({ CONVERSION, LAUNCH, LEAD, VERIFICATION, values, ...place }) => ({
        ...place,
        launches: LAUNCH,
        verifications: VERIFICATION,
        conversions: CONVERSION,
        leads: LEAD,
        values: Array.from(values, ([currency, micros]) => ({ currency, micros })).sort((a, b) =>
          compareText(a.currency, b.currency)
        )
      }))
  }

  return {
    commit: (change) =>
      Effect.suspend(() => {
        const key = conflict(change)
        return key === undefined ? outbox.write(change, () => save(change)) : Effect.fail(new Conflict({ key }))
      }),
    launches: (environment, ids) =>
      Effect.sync(() =>
        structuredClone([...new Set(ids)].flatMap((id) => launches.get(memoryKey(environment, id)) ?? []))
      ),
    trails: (environment, keys) =>
      Effect.sync(() =>
        structuredClone([...new Set(keys)].flatMap((key) => trails.get(memoryKey(environment, key)) ?? []))
      ),
    earliest: (environment, of, key) =>
      Effect.sync(() =>
        structuredClone(
          [...(onTrail.get(memoryKey(environment, key)) ?? [])]
            .flatMap((launch) => launches.get(launch) ?? [])
            .filter((launch) => launch[of] === key)
            .sort((a, b) => (isBefore(a, b) ? -1 : 1))
            .slice(0, 2)
        )
      ),
    conversions: (environment, ids) =>
      Effect.sync(() => [...new Set(ids)].filter((id) => touches.has(memoryKey(environment, "CONVERSION", id)))),
    old: (before, limit) =>
      Effect.sync(() =>
        structuredClone(
          [...launches.values()]
            .filter(({ at }) => at < before)
            .sort((a, b) => (isBefore(a, b) ? -1 : 1))
            .slice(0, limit)
        )
      ),
    purge: (before, limit) =>
      Effect.sync(() => {
        const purged = [...touches].filter(([, { at }]) => at < before).slice(0, limit)
        for (const [key] of purged) touches.delete(key)
        return purged.length
      }),
    sums: (page) => Effect.sync(() => sums(page))
  }
}
