import { BilledBy, bulkRange, isCurrency } from "@countersign/core"
import type { VariableReader } from "../VariableReader.ts"
import { either, urlOf, wholeNumber } from "./parse.ts"
import type { VariableGroup } from "./Variable.ts"

export const group: VariableGroup = {
  id: "rules",
  title: "Behaviour",
  prefix: "COUNTERSIGN_",
  variables: [
    {
      name: "COUNTERSIGN_ALLOW_PRIVATE_WEBHOOKS",
      about: "whether webhooks may use private addresses and plain HTTP",
      default: "`false`; in development `true`",
      example: "false",
      more: "See [security](security.md#requests-to-addresses-that-merchants-choose)"
    },
    {
      name: "COUNTERSIGN_BILLED_BY",
      about: "who tops up balances, sets prices and turns billing on: `merchant` or `operator`",
      default: "the value in the database, else `merchant`",
      example: "operator",
      more: "With `operator`, merchants cannot. See [who decides about money](billing.md#who-decides-about-money)"
    },
    {
      name: "COUNTERSIGN_CURRENCY",
      about: "the currency of prices and balances, as ISO 4217. For display only: amounts are not converted",
      default: "the value in the database, else `INR`",
      example: "NPR"
    },
    {
      name: "COUNTERSIGN_DASHBOARD",
      about: "whether the server serves the dashboard page: `on` or `off`",
      default: "`on`",
      example: "off",
      more: "`off` does not affect the API. See [dashboard](dashboard.md)"
    },
    {
      name: "COUNTERSIGN_CAMPAIGNS_PER_SECOND",
      about: "campaign messages a second for each process, 1 to 1000, over a channel without a stated rate",
      default: "`50`",
      example: "200",
      more: "Over a channel with a stated rate, campaigns use half of it"
    },
    {
      name: "OTEL_EXPORTER_OTLP_ENDPOINT",
      about: "the OpenTelemetry collector that receives a trace of each request",
      example: "http://collector:4318"
    }
  ]
}

const billedBy = (text: string) => BilledBy.find((one) => one === text)

const currency = (text: string) => (isCurrency(text) ? text : undefined)

/** What the service does and does not. */
export const read = (reader: VariableReader) => ({
  /** Undefined: only in development. */
  allowPrivateWebhooks: reader.read(
    "COUNTERSIGN_ALLOW_PRIVATE_WEBHOOKS",
    either("true", "false"),
    "must be true or false"
  ),
  // Another word must not leave merchants to pay themselves in.
  billedBy: reader.read("COUNTERSIGN_BILLED_BY", billedBy, `must be ${BilledBy.join(" or ")}`),
  currency: reader.read("COUNTERSIGN_CURRENCY", currency, "must be a currency of ISO 4217 in upper case, as INR"),
  dashboard: reader.read("COUNTERSIGN_DASHBOARD", either("on", "off"), "must be on or off") ?? true,
  campaignsPerSecond: reader.read(
    "COUNTERSIGN_CAMPAIGNS_PER_SECOND",
    wholeNumber(bulkRange.least, bulkRange.most),
    `must be a whole number from ${bulkRange.least} to ${bulkRange.most}`
  ),
  otlpUrl: reader.read("OTEL_EXPORTER_OTLP_ENDPOINT", urlOf("http:", "https:"), "must be an http or https URL")
})
