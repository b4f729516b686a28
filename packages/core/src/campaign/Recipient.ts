import type { Price } from "../billing/charge.ts"
import type { DeliveryStatus } from "../delivery/Delivery.ts"
import type { Instant } from "../time/Instant.ts"

/** One person a campaign is for, and what became of their message: there is one message for each, whatever dies. */
export interface Recipient {
  readonly environment: string
  readonly campaignId: string
  /** 1 for the first of the list. */
  readonly number: number
  /** The version this state was read at; 0 for one that nobody saved yet. */
  readonly version: number
  /** E.164 with `+`. */
  readonly phone: string
  /** What fills the places of the template, in its order. */
  readonly values: ReadonlyArray<string>
  /** `SKIPPED` for those who want no campaigns, and those whom a cancelled one did not come to. */
  readonly status: DeliveryStatus
  /** When it was handed over, or was about to be: it is not handed over again before that is known to have failed. */
  readonly handedAt: Instant | null
  /** How often it was handed over. */
  readonly tries: number
  readonly price: Price | null
  /** The provider's name for the message. */
  readonly providerId: string | null
  /** Why it failed or was skipped, in the provider's word or ours. */
  readonly problem: string | null
}

const numberDigits = 10

/**
 * The name of a recipient's message at its provider: the campaign's own end and the recipient's number, so that a receipt
 * finds the recipient without a further index.
 */
export const deliveryIdOf = ({ campaignId, number }: Pick<Recipient, "campaignId" | "number">): string =>
  `dlv_${campaignId.slice(-16)}${String(number).padStart(numberDigits, "0")}`

/** The number of the recipient; NaN for what is no delivery of a campaign. */
export const numberIn = (deliveryId: string): number => Number(deliveryId.slice(-numberDigits))
