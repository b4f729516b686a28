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
      about: "whether webhooks may use plain HTTP, and go to this machine and its private networks",
      default: "`false`, or `true` in development",
      example: "false",
      more: "See [security](security.md#requests-to-addresses-that-merchants-choose)"
    },
    {
      name: "COUNTERSIGN_BILLED_BY",
      about: "who tops up balances, sets prices and turns billing on: `merchant` or `operator`",
      default: "the value in the database, or `merchant`",
      example: "operator",
      more: "See [who decides about money](billing.md#who-decides-about-money)"
    },
    {
      name: "COUNTERSIGN_CURRENCY",
      about: "the ISO 4217 currency of prices and balances. Changing it converts no amounts",
      default: "the value in the database, or `INR`",
      example: "NPR"
    },
    {
      name: "COUNTERSIGN_DASHBOARD",
      about: "whether the server serves the dashboard: `on` or `off`",
      default: "`on`",
      example: "off",
      more: "The API works either way. See [dashboard](dashboard.md)"
    },
    {
      name: "COUNTERSIGN_CAMPAIGNS_PER_SECOND",
      about:
        "how many campaign messages each process sends per second through a channel without its own pace, 1 to 1000",
      default: "`50`",
      example: "200",
      more: "Through a channel with its own pace, campaigns use half of it"
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

/** Reads the variables that change the service's behaviour. */
export const read = (reader: VariableReader) => ({
  /** Undefined: allowed only in development. */
  allowPrivateWebhooks: reader.read(
    "COUNTERSIGN_ALLOW_PRIVATE_WEBHOOKS",
    either("true", "false"),
    "must be true or false"
  ),
  // A typo must stop the start: falling back to `merchant` would let merchants top up their own balances.
  billedBy: reader.read("COUNTERSIGN_BILLED_BY", billedBy, `must be ${BilledBy.join(" or ")}`),
  currency: reader.read(
    "COUNTERSIGN_CURRENCY",
    currency,
    "must be an ISO 4217 currency code in upper case, such as INR"
  ),
  dashboard: reader.read("COUNTERSIGN_DASHBOARD", either("on", "off"), "must be on or off") ?? true,
  campaignsPerSecond: reader.read(
    "COUNTERSIGN_CAMPAIGNS_PER_SECOND",
    wholeNumber(bulkRange.least, bulkRange.most),
    `must be a whole number from ${bulkRange.least} to ${bulkRange.most}`
  ),
  otlpUrl: reader.read("OTEL_EXPORTER_OTLP_ENDPOINT", urlOf("http:", "https:"), "must be an http or https URL")
})
