import { Result } from "effect"
import type { FactValue } from "../../foundation/outbox/Fact.ts"
import { longestUtm, longestClickId } from "./checkLaunch.ts"
import { checkWord } from "./attributionFields.ts"
import { AttributionStore } from "./AttributionStore.ts"
import type { CheckedConversion } from "./checkConversion.ts"
import { direct, type Launch } from "./Launch.ts"
import type { Touch } from "./Touch.ts"
import { clickKey, joined, left, type Trail } from "./Trail.ts"

/** A trail that a launch is on, with the two earliest launches on it, or fewer if there are no more. */
export interface TrailOfLaunch {
  readonly trail: Trail
  readonly earliest: ReadonlyArray<Launch>
}

/** A launch is recorded, and comes to its trails. */
export const begin = (launch: Launch, trails: ReadonlyArray<Trail>): AttributionStore.Change =>
  AttributionStore.change({
    launches: [{ launch, becomes: "kept" }],
    trails: trails.map((trail) => joined(trail, launch))
  })

/** A launch goes, by its visitor's wish with all that names it, or for its age alone; others take its place. */
export const leave = (
  launch: Launch,
  becomes: Exclude<AttributionStore.LaunchStep["becomes"], "kept">,
  followed: ReadonlyArray<TrailOfLaunch>
): AttributionStore.Change =>
  AttributionStore.change({
    launches: [{ launch, becomes }],
    trails: followed.map(({ earliest, trail }) => left(trail, launch, earliest))
  })

/** Something new is recorded, with the launches that led to it: they are kept, or else it is not recorded like this. */
export const follow = (touches: ReadonlyArray<Touch>, launches: ReadonlyArray<Launch>): AttributionStore.Change => {
  const named = new Set(touches.map(({ launchId }) => launchId))
  return AttributionStore.change({
    touches,
    launches: launches.filter(({ id }) => named.has(id)).map((launch) => ({ launch, becomes: "kept" as const }))
  })
}

/** What a touch has of its launch. */
const of = (launch: Launch | null) => ({
  launchId: launch?.id ?? null,
  visitor: launch?.visitor ?? null,
  origin: launch?.origin ?? direct
})

/** Somebody whom a launch had brought was verified. */
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

/** Somebody did what the merchant hoped for; without a launch, nobody knows where they came from. */
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

/** What a provider says is taken as far as it can be kept. */
const wordOf = (text: FactValue[string], longest: number): string | null =>
  Result.getOrElse(checkWord("", typeof text === "string" ? text : null, longest), () => null)

/** An advertisement brought a customer to WhatsApp. If a launch came by the same click, that one says more. */
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
