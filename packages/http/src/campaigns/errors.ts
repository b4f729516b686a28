import type { CampaignOver, CsvTooLarge, InvalidCsv, UnknownCampaign } from "@countersign/core"
import { defineErrors } from "../ErrorTable.ts"

/** The failures of campaigns. */
export const errors = defineErrors({
  UnknownCampaign: (_: UnknownCampaign) => ({
    errorCode: "CAMPAIGN_NOT_FOUND",
    message: "No campaign has this id in this environment"
  }),
  CampaignOver: ({ status, wish }: CampaignOver) => ({
    errorCode: "INVALID_REQUEST",
    message: `id: this campaign is ${status} and can no longer be ${wish}`
  }),
  InvalidCsv: ({ more, problem }: InvalidCsv) => ({
    errorCode: "CSV_VALIDATION_FAILED",
    message:
      more === 0
        ? `csv: ${problem}`
        : `csv: ${problem}; ${more} more ${more === 1 ? "problem" : "problems"}, listed with ?dryRun=true`
  }),
  CsvTooLarge: ({ limit }: CsvTooLarge) => ({
    errorCode: "PAYLOAD_TOO_LARGE",
    message: `csv: must have at most ${limit} bytes in UTF-8; split it into several campaigns`
  })
})
