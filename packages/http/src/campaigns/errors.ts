import type { CampaignOver, CsvTooLarge, InvalidCsv, UnknownCampaign } from "@countersign/core"
import { defineErrors } from "../ErrorTable.ts"

/** How campaigns of `/v1/dashboard` fail, on the wire. */
export const errors = defineErrors({
  UnknownCampaign: (_: UnknownCampaign) => ({
    errorCode: "CAMPAIGN_NOT_FOUND",
    message: "No campaign with this id in this environment"
  }),
  CampaignOver: ({ status, wish }: CampaignOver) => ({
    errorCode: "INVALID_REQUEST",
    message: `id: this campaign is ${status}, and cannot be ${wish} any more`
  }),
  InvalidCsv: ({ more, problem }: InvalidCsv) => ({
    errorCode: "CSV_VALIDATION_FAILED",
    message: more === 0 ? `csv: ${problem}` : `csv: ${problem}; and ${more} more, which ?dryRun=true tells`
  }),
  CsvTooLarge: ({ limit }: CsvTooLarge) => ({
    errorCode: "PAYLOAD_TOO_LARGE",
    message: `csv: may have at most ${limit} bytes in UTF-8; make several campaigns of it`
  })
})
