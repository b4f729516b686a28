import { Result } from "effect"
import { type ChannelName, isChannelName } from "../delivery/ChannelName.ts"
import type { SendOptions } from "../delivery/Delivery.ts"
import * as Identity from "../identity/Identity.ts"
import { InvalidField } from "../identity/InvalidField.ts"
import type { Settings } from "../merchant/Settings.ts"
import { type Millis, seconds } from "../time/Instant.ts"
import { Mode } from "./Verification.ts"
import { ChannelRequired, InvalidChannel, InvalidMode, RedirectUriRequired } from "./VerificationError.ts"

/** What a merchant's backend may ask for, as it asked. A null field is an absent one. */
export interface InitiateRequest {
  readonly identity: string
  readonly identityType: string
  readonly mode: string
  readonly channel?: string | null | undefined
  readonly orderId?: string | null | undefined
  readonly otpLength?: number | null | undefined
  readonly templateId?: string | null | undefined
  readonly header?: string | null | undefined
  readonly wabaId?: string | null | undefined
  readonly redirectUri?: string | null | undefined
  readonly state?: string | null | undefined
  readonly deviceToken?: string | null | undefined
  readonly deviceInfo?: { readonly [name: string]: unknown } | null | undefined
}

/** A request that is well formed and possible here. */
export interface CheckedRequest {
  readonly identity: Identity.Identity
  readonly mode: Mode
  readonly channel: ChannelName
  readonly orderId: string | null
  readonly codeLength: number
  readonly options: SendOptions
  readonly fallback: { readonly channel: ChannelName; readonly after: Millis } | null
  readonly deviceInfo: string | null
}

export type RequestRejected = InvalidField | InvalidMode | InvalidChannel | ChannelRequired | RedirectUriRequired

const largestDeviceInfo = 4096
const encoder = new TextEncoder()

const refuse = (field: string, problem: string) => Result.fail(new InvalidField({ field, problem }))

/** Whether a database can keep a text as it is. */
const storable = (text: string) => !text.includes("\0") && text.isWellFormed()

/** A merchant's own reference: any text of 1 to 255 characters. */
export const checkOrderId = (orderId: string): Result.Result<string, InvalidField> =>
  orderId.length >= 1 && orderId.length <= 255 && storable(orderId)
    ? Result.succeed(orderId)
    : refuse("orderId", "must be 1 to 255 characters")

/** The device's description as JSON text, at most 4 KB of it. */
export const checkDeviceInfo = (
  deviceInfo: { readonly [name: string]: unknown } | null | undefined
): Result.Result<string | null, InvalidField> => {
  if (deviceInfo === null || deviceInfo === undefined) return Result.succeed(null)
  return Result.flatMap(
    Result.try({
      try: () => JSON.stringify(deviceInfo),
      catch: () => new InvalidField({ field: "deviceInfo", problem: "must be plain JSON" })
    }),
    (json) =>
      encoder.encode(json).length <= largestDeviceInfo
        ? Result.succeed(json)
        : refuse("deviceInfo", `must be at most ${largestDeviceInfo} bytes of JSON`)
  )
}

/** Which channels can carry which identity. */
const carries = { MOBILE: ["SMS", "WHATSAPP", "RCS"], EMAIL: ["EMAIL"] } as const satisfies Record<
  Identity.IdentityType,
  ReadonlyArray<ChannelName>
>

const canCarry = (type: Identity.IdentityType, channel: ChannelName) =>
  (carries[type] as ReadonlyArray<ChannelName>).includes(channel)

/** The channel that is meant when none is named. */
const primary = (type: Identity.IdentityType, settings: Settings): ChannelName =>
  canCarry(type, settings.primaryChannel) ? settings.primaryChannel : carries[type][0]

const checkShape = (request: InitiateRequest) =>
  Result.gen(function* () {
    const type = Identity.IdentityType.find((known) => known === request.identityType)
    if (type === undefined) return yield* refuse("identityType", "must be MOBILE or EMAIL")
    const identity = yield* Identity.parse(type, request.identity)
    const orderId = request.orderId == null ? null : yield* checkOrderId(request.orderId)
    const { header, otpLength, state, templateId, wabaId } = request
    if (otpLength != null && !(Number.isInteger(otpLength) && otpLength >= 4 && otpLength <= 8)) {
      return yield* refuse("otpLength", "must be a whole number from 4 to 8")
    }
    if (templateId != null && !/^[0-9]{19}$/.test(templateId)) {
      return yield* refuse("templateId", "must be a DLT template id of 19 digits")
    }
    if (header != null && !/^[A-Za-z]{6}$/.test(header)) {
      return yield* refuse("header", "must be a DLT sender id of 6 letters")
    }
    if (wabaId != null && !/^[0-9]{1,32}$/.test(wabaId)) {
      return yield* refuse("wabaId", "must be a WhatsApp phone number id")
    }
    if (state != null && !(state.length <= 512 && storable(state))) {
      return yield* refuse("state", "must be at most 512 characters")
    }
    return { identity, orderId, deviceInfo: yield* checkDeviceInfo(request.deviceInfo) }
  })

const checkChannel = (
  request: InitiateRequest,
  type: Identity.IdentityType,
  mode: Mode,
  settings: Settings,
  enabled: (channel: ChannelName) => boolean
): Result.Result<ChannelName, InvalidChannel | ChannelRequired> => {
  const invalid = (problem: string) => Result.fail(new InvalidChannel({ problem }))
  if (request.channel == null) {
    if (mode === "OAUTH") return Result.fail(new ChannelRequired())
    const channel = primary(type, settings)
    return enabled(channel)
      ? Result.succeed(channel)
      : invalid(`${channel} is not enabled on this server; name another channel`)
  }
  if (!isChannelName(request.channel))
    return invalid("channel must be SMS, WHATSAPP, EMAIL, RCS or TRUECALLER, in upper case")
  if (mode === "OAUTH") {
    return type === "MOBILE" && (request.channel === "WHATSAPP" || request.channel === "TRUECALLER")
      ? Result.succeed(request.channel)
      : invalid("OAUTH needs a MOBILE identity and channel WHATSAPP or TRUECALLER")
  }
  if (!canCarry(type, request.channel))
    return invalid(`${request.channel} cannot be used for ${type} with mode ${mode}`)
  return enabled(request.channel)
    ? Result.succeed(request.channel)
    : invalid(`${request.channel} is not enabled on this server`)
}

/** The configured fallback, where it can carry this identity and is not the channel itself. */
const fallbackOf = (
  type: Identity.IdentityType,
  channel: ChannelName,
  { fallbackAfterSeconds, fallbackChannel }: Settings,
  enabled: (channel: ChannelName) => boolean
) =>
  fallbackChannel !== null && fallbackChannel !== channel && canCarry(type, fallbackChannel) && enabled(fallbackChannel)
    ? { channel: fallbackChannel, after: seconds(fallbackAfterSeconds) }
    : null

const checkOptions = (request: InitiateRequest, channel: ChannelName, senders: ReadonlyArray<string> | undefined) =>
  Result.gen(function* () {
    const { header, templateId, wabaId } = request
    if (channel !== "SMS" && templateId != null) return yield* refuse("templateId", "is for channel SMS only")
    if (channel !== "SMS" && header != null) return yield* refuse("header", "is for channel SMS only")
    if (wabaId != null && channel !== "WHATSAPP") return yield* refuse("wabaId", "is for channel WHATSAPP only")
    if (wabaId != null && senders !== undefined && !senders.includes(wabaId)) {
      return yield* refuse("wabaId", "is not one of this server's WhatsApp numbers")
    }
    const options: SendOptions = {
      ...(templateId == null ? {} : { templateId }),
      ...(header == null ? {} : { header }),
      ...(wabaId == null ? {} : { wabaId })
    }
    return options
  })

/** Checks a request in the documented order; the first thing wrong is what the caller hears of. */
export const check = (
  request: InitiateRequest,
  settings: Settings,
  channels: {
    readonly enabled: (channel: ChannelName) => boolean
    readonly senders: (channel: ChannelName) => ReadonlyArray<string> | undefined
  }
): Result.Result<CheckedRequest, RequestRejected> =>
  Result.gen(function* () {
    const { deviceInfo, identity, orderId } = yield* checkShape(request)
    const mode = Mode.find((known) => known === request.mode)
    if (mode === undefined)
      return yield* Result.fail(new InvalidMode({ problem: "mode must be OTP, OAUTH or MAGIC_LINK, in upper case" }))
    const channel = yield* checkChannel(request, identity.type, mode, settings, channels.enabled)
    if (mode === "OAUTH" && request.redirectUri == null) return yield* Result.fail(new RedirectUriRequired())
    if (mode !== "OTP" && request.redirectUri != null && !settings.redirectUris.includes(request.redirectUri)) {
      return yield* refuse("redirectUri", "must be one of the redirectUris in your settings")
    }
    const options = yield* checkOptions(request, channel, channels.senders(channel))
    if (mode !== "OTP")
      return yield* Result.fail(new InvalidMode({ problem: `${mode} is not offered by this server; use OTP` }))
    return {
      identity,
      mode,
      channel,
      orderId,
      codeLength: request.otpLength ?? settings.codeLength,
      options,
      fallback: fallbackOf(identity.type, channel, settings, channels.enabled),
      deviceInfo
    }
  })
