import { failureReasons } from "../words/failureReasons.ts"
import { guardReasons } from "../words/guardReasonNames.ts"
import { type FilterSpec, instant, oneOf, text } from "./filtersIn.ts"

export const verificationStatuses = ["PENDING", "VERIFIED", "EXPIRED", "FAILED"] as const
/** States of an event at an endpoint. */
export const eventStates = ["WAITING", "DELIVERED", "FAILED"] as const
export const templatePurposes = ["CODE", "LINK", "MESSAGE"] as const
/** Groups of timeline steps that can be shown. */
export const abouts = ["message", "code", "webhook"] as const

/** How a verification ended without success. `unused` joins the outcomes of a code that was not entered. */
export const failures = ["notSent", "notDelivered", "unused", "noAttempts", "wrongNumber", "notConfirmed"] as const
/** Any channel name. The service decides which ones exist. */
export const channelFilter = (value: string) => (/^[A-Z][A-Z0-9_]{1,31}$/.test(value) ? value : undefined)

const search = {
  find: text,
  /** Decides whether an ambiguous text is an identity or an order. */
  as: oneOf(["identity", "order"]),
  status: oneOf(verificationStatuses),
  channel: channelFilter,
  country: (value: string) => (/^[A-Z]{2}$/.test(value) ? value : undefined),
  failure: oneOf(failures),
  reason: oneOf(failureReasons),
  guard: oneOf(guardReasons),
  relayed: oneOf(["true", "false"]),
  from: instant,
  to: instant
}

const inbox = {
  /** Which leads. Without it, those that wait for a reply. */
  view: oneOf(["mine", "unassigned", "all", "snoozed"]),
  status: oneOf(["closed", "any"]),
  team: text,
  /** A label's id. */
  label: text,
  /** A search ignores the other filters, because the service searches all leads. */
  search: text,
  /** The dialog of connected numbers. */
  show: oneOf(["numbers"])
}

/** Query parameters of each screen. Screens read them, and links to a screen set them. */
export const filtersOf = {
  audit: {
    /** A text in the action, the actor or the target. */
    text,
    actor: text,
    action: text,
    target: text,
    environment: oneOf(["live", "test", "none"]),
    from: instant,
    to: instant,
    /** The open entry. */
    entry: text
  },
  campaigns: { view: oneOf(["new", "optOuts"]) },
  inbox,
  lead: inbox,
  settings: { find: text },
  template: { from: text, channel: channelFilter, purpose: oneOf(templatePurposes) },
  /** The visible steps, and the search that leads back to the list. */
  verification: { about: oneOf(abouts), ...search },
  verifications: { view: oneOf(["refused"]), ...search },
  webhook: {
    state: oneOf(eventStates),
    type: text,
    /** An event's id, or the request id of a verification. */
    find: text,
    /** The open event. */
    event: text
  }
} satisfies { readonly [screen: string]: FilterSpec }
