import { BilledBy, bulkRange, isCurrency } from "@countersign/core"
import type { VariableReader } from "../VariableReader.ts"
import { either, urlOf, wholeNumber } from "./parse.ts"
import type { VariableGroup } from "./Variable.ts"

export const group: VariableGroup = {
  id: "rules",
  title: "What it does",
  prefix: "COUNTERSIGN_",
  variables: [
    {
      name: "COUNTERSIGN_ALLOW_PRIVATE_WEBHOOKS",
      about: "whether webhooks may go to this machine and its networks, and over plain HTTP",
      default: "`false`; in development `true`",
      example: "false",
      more: "See [security](security.md#requests-to-addresses-that-merchants-choose)"
    },
    {
      name: "COUNTERSIGN_BILLED_BY",
      about: "who pays in, sets prices and says whether sends are paid: `merchant` or `operator`",
      default: "what the database records, else `merchant`",
      example: "operator",
      more: "`operator`: no merchant does, see [who decides about money](billing.md#who-decides-about-money)"
    },
    {
      name: "COUNTERSIGN_CURRENCY",
      about: "the currency of prices and balances, as ISO 4217. It is shown, and changes no amount",
      default: "what the database records, else `INR`",
      example: "NPR"
    },
    {
      name: "COUNTERSIGN_DASHBOARD",
      about: "whether the dashboard's page is served: `on` or `off`",
      default: "`on`",
      example: "off",
      more: "`off` leaves the interface alone. See [dashboard](dashboard.md)"
    },
    {
      name: "COUNTERSIGN_CAMPAIGNS_PER_SECOND",
      about: "how many messages of campaigns each process sends a second over a channel that states no pace, 1 to 1000",
      default: "`50`",
      example: "200",
      more: "Over one that states a pace, half of it"
    },
    {
      name: "OTEL_EXPORTER_OTLP_ENDPOINT",
      about: "sends a trace of each request to this collector",
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
