import { type FilterSpec, instant, oneOf, text } from "./filtersIn.ts"

export const verificationStatuses = ["PENDING", "VERIFIED", "EXPIRED", "FAILED"] as const
export const attemptStatuses = ["DELIVERED", "FAILED", "DEAD"] as const
export const templatePurposes = ["CODE", "LINK", "MESSAGE"] as const
/** Which steps of a verification's life are shown. */
export const abouts = ["message", "code", "webhook"] as const

/** Any name that a channel may have: which of them there are is for the service to say. */
export const channelFilter = (value: string) => (/^[A-Z][A-Z0-9_]{1,31}$/.test(value) ? value : undefined)

const search = {
  find: text,
  /** Settles what a text means that could be a person's number or an order. */
  as: oneOf(["identity", "order"]),
  status: oneOf(verificationStatuses),
  channel: channelFilter,
  country: (value: string) => (/^[A-Z]{2}$/.test(value) ? value : undefined),
  from: instant,
  to: instant
}

const inbox = {
  whose: oneOf(["mine", "nobody"]),
  status: oneOf(["waiting", "closed", "any"]),
  team: text,
  /** A search goes alone: the service looks through all leads for it. */
  search: text,
  /** The dialog of connected numbers. */
  show: oneOf(["numbers"])
}

/** What the address of each screen may say beside its path. The screens read it, and links to them set it. */
export const filtersOf = {
  audit: {
    actor: text,
    action: text,
    target: text,
    environment: oneOf(["live", "test", "none"]),
    from: instant,
    to: instant,
    /** The entry that is open. */
    entry: text
  },
  campaigns: { view: oneOf(["new", "optOuts"]) },
  inbox,
  lead: inbox,
  settings: { find: text },
  template: { from: text, channel: channelFilter, purpose: oneOf(templatePurposes) },
  /** The steps that are shown, and the search that leads back to the list. */
  verification: { about: oneOf(abouts), ...search },
  verifications: { view: oneOf(["refused"]), ...search },
  webhook: { status: oneOf(attemptStatuses), try: text }
} satisfies { readonly [screen: string]: FilterSpec }
