import { Context, Layer } from "effect"

/** The currency in which all of the service's prices and balances are. */
export class Currency extends Context.Service<
  Currency,
  {
    /** ISO 4217. */
    readonly code: string
  }
>()("@countersign/core/billing/Currency") {
  static readonly layer = (code: string = "INR"): Layer.Layer<Currency> => Layer.succeed(Currency, { code })
}
