import { Effect, Layer } from "effect"
import { CampaignAnswers } from "../lead/CampaignAnswers.ts"
import { CampaignStore } from "./CampaignStore.ts"

/** A person whose reply quotes a campaign message came through that campaign. */
export const layer: Layer.Layer<CampaignAnswers, never, CampaignStore> = Layer.effect(
  CampaignAnswers,
  Effect.map(CampaignStore, ({ campaignsOf }) => CampaignAnswers.of({ campaignsOf }))
)
