import { Result } from "effect"
import type { FactValue } from "../../foundation/outbox/Fact.ts"
import { longestUtm, longestClickId } from "./checkLaunch.ts"
import { checkWord } from "./attributionFields.ts"
import { AttributionStore } from "./AttributionStore.ts"
import type { CheckedConversion } from "./checkConversion.ts"
import { direct, type Launch } from "./Launch.ts"
import type { Touch } from "./Touch.ts"
import { clickKey, joined, left, type Trail } from "./Trail.ts"

/** A trail of a launch, with the trail's two earliest launches, or fewer. */
export interface TrailOfLaunch {
  readonly trail: Trail
  readonly earliest: ReadonlyArray<Launch>
}

/** Records a launch and adds it to its trails. */
export const begin = (launch: Launch, trails: ReadonlyArray<Trail>): AttributionStore.Change =>
  AttributionStore.change({
    launches: [{ launch, becomes: "kept" }],
    trails: trails.map((trail) => joined(trail, launch))
  })

/**
 * Removes a launch: `erased` with its touches on the visitor's wish, `forgotten` because of its age. The next launch
 * takes its place on its trails.
 */
export const leave = (
  launch: Launch,
  becomes: Exclude<AttributionStore.LaunchStep["becomes"], "kept">,
  followed: ReadonlyArray<TrailOfLaunch>
): AttributionStore.Change =>
  AttributionStore.change({
    launches: [{ launch, becomes }],
    trails: followed.map(({ earliest, trail }) => left(trail, launch, earliest))
  })

/** Records touches with their launches. The launches must still exist at the commit; otherwise it conflicts. */
export const follow = (touches: ReadonlyArray<Touch>, launches: ReadonlyArray<Launch>): AttributionStore.Change => {
  const named = new Set(touches.map(({ launchId }) => launchId))
  return AttributionStore.change({
    touches,
    launches: launches.filter(({ id }) => named.has(id)).map((launch) => ({ launch, becomes: "kept" as const }))
  })
}

/** The fields that a touch copies from its launch. */
const of = (launch: Launch | null) => ({
  launchId: launch?.id ?? null,
  visitor: launch?.visitor ?? null,
  origin: launch?.origin ?? direct
})

/** A verification that a launch led to. */
export const verificationTouch = (launch: Launch, requestId: string, at: number): Touch => ({
  environment: launch.environment,
  kind: "VERIFICATION",
  id: requestId,
  at,
  ...of(launch),
  click: null,
  money: null,
  details: null
})

/** A conversion. Without a launch its origin is unknown. */
export const conversionTouch = (
  environment: string,
  id: string,
  { at, event, money, properties, requestId }: CheckedConversion,
  launch: Launch | null
): Touch => ({
  environment,
  kind: "CONVERSION",
  id,
  at,
  ...of(launch),
  click: null,
  money,
  details: JSON.stringify({ event, requestId, properties })
})

/** Drops provider texts that cannot be stored. */
const wordOf = (text: FactValue[string], longest: number): string | null =>
  Result.getOrElse(checkWord("", typeof text === "string" ? text : null, longest), () => null)

/**
 * A lead from an advertisement on WhatsApp. A launch with the same click takes precedence, because it has more details.
 */
export const leadTouch = (
  environment: string,
  { clickId, leadId, sourceId, sourceType }: { readonly leadId: number } & FactValue,
  at: number
): Touch => {
  const click = wordOf(clickId ?? null, longestClickId)
  return {
    environment,
    kind: "LEAD",
    id: String(leadId),
    at,
    launchId: null,
    visitor: null,
    click: click === null ? null : clickKey(click),
    origin: {
      source: "whatsapp",
      medium: wordOf(sourceType ?? null, longestUtm) ?? "",
      campaign: wordOf(sourceId ?? null, longestUtm) ?? ""
    },
    money: null,
    details: null
  }
}
