/**
 * What a provider carries along with a message and gives back with its receipts: enough to find the delivery again, and
 * nothing about the person. The owner is what the delivery belongs to; the part of its id before the underscore says
 * what kind of thing that is: `ver` for a verification.
 */
export interface Reference {
  readonly environment: string
  readonly ownerId: string
  readonly deliveryId: string
}

/** At most 111 characters of `A-Za-z0-9._-`, which every provider's opaque field takes. */
const shape = /^([a-z0-9_]{1,40})\.([a-z]{2,10}_[a-z0-9]{1,26})\.(dlv_[a-z0-9]{26})$/

export const format = ({ deliveryId, environment, ownerId }: Reference): string =>
  `${environment}.${ownerId}.${deliveryId}`

/** Null for whatever is not a reference of ours. */
export const parse = (text: string): Reference | null => {
  const [, environment, ownerId, deliveryId] = shape.exec(text) ?? []
  return environment === undefined || ownerId === undefined || deliveryId === undefined
    ? null
    : { environment, ownerId, deliveryId }
}

/** What kind of thing owns the delivery: the prefix of the owner's id. */
export const ownerKind = ({ ownerId }: Reference): string => ownerId.slice(0, ownerId.indexOf("_"))
