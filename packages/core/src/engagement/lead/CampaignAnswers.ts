import { Context, Effect, Layer } from "effect"
import type { StoreError } from "../../foundation/storage/StoreError.ts"

/** Which messages of ours belonged to campaigns: whoever answers one came by that campaign. */
export class CampaignAnswers extends Context.Service<
  CampaignAnswers,
  {
    /** The campaigns of those of our messages that belonged to one, by the provider's names of the messages. */
    readonly campaignsOf: (
      environment: string,
      providerIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, string>, StoreError>
  }
>()("@countersign/core/lead/CampaignAnswers") {
  /** Nobody sends campaigns. */
  static readonly layerNone: Layer.Layer<CampaignAnswers> = Layer.succeed(
    CampaignAnswers,
    CampaignAnswers.of({ campaignsOf: () => Effect.succeed(new Map()) })
  )
}
