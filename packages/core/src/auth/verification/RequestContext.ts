import { Result } from "effect"
import type { Caller } from "../../account/merchant/Caller.ts"
import { seesIdentities } from "../../account/merchant/seesIdentities.ts"
import * as IpAddress from "../../foundation/identity/IpAddress.ts"
import { InvalidField } from "../../foundation/identity/InvalidField.ts"

/** What a backend says about the end user's request. Stored with the verification, and deleted with it. */
export interface RequestContext {
  /** An IPv4 address, or the /64 of an IPv6 address. */
  readonly clientIp?: string
  readonly userAgent?: string
  /** The backend's own id of the device. It proves nothing: OneTap uses a `deviceToken`. */
  readonly deviceId?: string
  /** The merchant's own labels. Verifications can be searched by one of them. */
  readonly tags?: { readonly [name: string]: string }
}

/** The context as a backend sends it. Null means absent. */
export interface GivenContext {
  readonly clientIp?: string | null | undefined
  readonly userAgent?: string | null | undefined
  readonly deviceId?: string | null | undefined
  readonly tags?: { readonly [name: string]: unknown } | null | undefined
}

export const mostTags = 10
/** The most characters of a tag's name, and of its value. */
export const longestTag = 64
const longestUserAgent = 512
const longestDeviceId = 128

const refuse = (field: string, problem: string) => Result.fail(new InvalidField({ field, problem }))

const isText = (text: string, longest: number) =>
  text.length >= 1 && text.length <= longest && text.isWellFormed() && !/\p{Cc}/u.test(text)

/** Whether a text can be the name of a tag. A colon separates name and value in a search. */
export const isTagName = (name: string): boolean => isText(name, longestTag) && !name.includes(":")
export const isTagValue = (value: unknown): value is string => typeof value === "string" && isText(value, longestTag)

const checkTags = (tags: { readonly [name: string]: unknown }): Result.Result<RequestContext["tags"], InvalidField> => {
  const entries = Object.entries(tags)
  if (entries.length > mostTags) return refuse("tags", `must have at most ${mostTags} tags`)
  for (const [name, value] of entries) {
    if (!isTagName(name)) return refuse("tags", `must have names of 1 to ${longestTag} characters, without a colon`)
    if (!isTagValue(value)) return refuse("tags", `must have texts of 1 to ${longestTag} characters as values`)
  }
  return Result.succeed(entries.length === 0 ? undefined : (tags as { readonly [name: string]: string }))
}

/** The context of a request whose address the service itself sees. Null for an unknown address. */
export const contextOfAddress = (address: string | null): RequestContext | null => {
  const network = address === null ? undefined : IpAddress.networksOf(address)?.own
  return network === undefined ? null : { clientIp: network }
}

/** Checks a request's context. Null when it has none, as most requests. */
export const checkContext = ({
  clientIp,
  deviceId,
  tags,
  userAgent
}: GivenContext): Result.Result<RequestContext | null, InvalidField> => {
  if (clientIp == null && userAgent == null && deviceId == null && tags == null) return Result.succeed(null)
  const network = clientIp == null ? undefined : IpAddress.networksOf(clientIp)?.own
  if (clientIp != null && network === undefined) return refuse("clientIp", "must be an IPv4 or IPv6 address")
  if (userAgent != null && !isText(userAgent, longestUserAgent)) {
    return refuse("userAgent", `must be 1 to ${longestUserAgent} characters`)
  }
  if (deviceId != null && !isText(deviceId, longestDeviceId)) {
    return refuse("deviceId", `must be 1 to ${longestDeviceId} characters`)
  }
  return Result.map(tags == null ? Result.succeed(undefined) : checkTags(tags), (checked) => ({
    ...(network === undefined ? {} : { clientIp: network }),
    ...(userAgent == null ? {} : { userAgent }),
    ...(deviceId == null ? {} : { deviceId }),
    ...(checked === undefined ? {} : { tags: checked })
  }))
}

/** A context as the caller may see it: an address or a device can lead to a person. Null without a context. */
export const seenContext = (caller: Caller, context: RequestContext | undefined) => {
  if (context === undefined) return null
  const { clientIp = null, deviceId = null, tags = {}, userAgent = null } = context
  const isMasked = !seesIdentities(caller, "RECORDS")
  return { clientIp: isMasked ? null : clientIp, userAgent, deviceId: isMasked ? null : deviceId, tags }
}
