import { Effect, Layer } from "effect"
import { CampaignAnswers } from "../lead/CampaignAnswers.ts"
import { CampaignStore } from "./CampaignStore.ts"

/** Whoever answers a campaign's message, quoting it, came by that campaign. */
export const layer: Layer.Layer<CampaignAnswers, never, CampaignStore> = Layer.effect(
  CampaignAnswers,
  Effect.map(CampaignStore, ({ campaignsOf }) => CampaignAnswers.of({ campaignsOf }))
)
