/** What a provider carries along and gives back: enough to find the delivery again, and nothing about the person. */
export interface DeliveryReference {
  readonly environment: string
  readonly verificationId: string
  readonly deliveryId: string
}

const separator = "."

export const format = ({ deliveryId, environment, verificationId }: DeliveryReference): string =>
  [environment, verificationId, deliveryId].join(separator)

/** Null for whatever is not a reference of ours. */
export const parse = (text: string): DeliveryReference | null => {
  if (!/^[a-z0-9_]{1,40}\.ver_[a-z0-9]{26}\.dlv_[a-z0-9]{26}$/.test(text)) return null
  const [environment, verificationId, deliveryId] = text.split(separator) as [string, string, string]
  return { environment, verificationId, deliveryId }
}
