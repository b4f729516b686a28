import { Schema } from "effect"

/** No campaign has that id in this environment. */
export class UnknownCampaign extends Schema.TaggedError<UnknownCampaign>()("UnknownCampaign", {}) {}

/** A campaign that is over does nothing more. */
export class CampaignOver extends Schema.TaggedError<CampaignOver>()("CampaignOver", {
  status: Schema.Literals(["DONE", "CANCELLED"]),
  /** What was asked of it. */
  wish: Schema.Literals(["paused", "resumed", "cancelled"])
}) {}

/** A list of recipients cannot be sent to as it is. `problem` names line and column of what is to be mended first. */
export class InvalidCsv extends Schema.TaggedError<InvalidCsv>()("InvalidCsv", {
  problem: Schema.String,
  /** How many more there are. */
  more: Schema.Int
}) {}

/** A list of recipients is longer than any that is read. */
export class CsvTooLarge extends Schema.TaggedError<CsvTooLarge>()("CsvTooLarge", { limit: Schema.Int }) {}
