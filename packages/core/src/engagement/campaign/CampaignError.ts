import { Schema } from "effect"

/** The environment has no campaign with this id. */
export class UnknownCampaign extends Schema.TaggedError<UnknownCampaign>()("UnknownCampaign", {}) {}

/** The campaign is `DONE` or `CANCELLED`, so it cannot be changed. */
export class CampaignOver extends Schema.TaggedError<CampaignOver>()("CampaignOver", {
  status: Schema.Literals(["DONE", "CANCELLED"]),
  /** The requested change. */
  wish: Schema.Literals(["paused", "resumed", "cancelled"])
}) {}

/** The recipient list has errors, so it cannot be sent. `problem` names the line and the column of the first error. */
export class InvalidCsv extends Schema.TaggedError<InvalidCsv>()("InvalidCsv", {
  problem: Schema.String,
  /** The number of further errors. */
  more: Schema.Int
}) {}

/** The recipient list is larger than the server accepts. */
export class CsvTooLarge extends Schema.TaggedError<CsvTooLarge>()("CsvTooLarge", { limit: Schema.Int }) {}
