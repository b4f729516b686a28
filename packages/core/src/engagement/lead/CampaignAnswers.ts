import { Context, Effect, Layer } from "effect"
import type { StoreError } from "../../foundation/storage/StoreError.ts"

/**
 * Finds the campaigns of quoted messages: a person whose reply quotes a campaign message came through that campaign.
 */
export class CampaignAnswers extends Context.Service<
  CampaignAnswers,
  {
    /** Maps provider message ids to campaign ids, for messages that belong to campaigns. */
    readonly campaignsOf: (
      environment: string,
      providerIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, string>, StoreError>
  }
>()("@countersign/core/lead/CampaignAnswers") {
  /** For servers without campaigns. */
  static readonly layerNone: Layer.Layer<CampaignAnswers> = Layer.succeed(
    CampaignAnswers,
    CampaignAnswers.of({ campaignsOf: () => Effect.succeed(new Map()) })
  )
}
