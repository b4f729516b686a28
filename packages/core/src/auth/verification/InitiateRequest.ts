import { type Redacted, Result } from "effect"
import { carries, firstThatCarries } from "../../foundation/delivery/carries.ts"
import type { ChannelChoice } from "../../foundation/delivery/Channel.ts"
import { type ChannelName, isChannelName } from "../../foundation/delivery/ChannelName.ts"
import { knownVerifiers } from "../../foundation/delivery/NumberVerifier.ts"
import type { SendOptions } from "../../foundation/delivery/Delivery.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import * as Identity from "../../foundation/identity/Identity.ts"
import { InvalidField } from "../../foundation/identity/InvalidField.ts"
import { isRegistered } from "../../account/merchant/redirectUri.ts"
import type { Settings } from "../../account/merchant/Settings.ts"
import { type Millis, seconds } from "../../foundation/time/Instant.ts"
import { checkContext, type GivenContext, type RequestContext } from "./RequestContext.ts"
import { codeFlow, type Flow, type Handover, kindOf, Mode, type Trial } from "./Verification.ts"
import { ChannelRequired, InvalidChannel, InvalidMode, RedirectUriRequired } from "./VerificationError.ts"

/** An initiate request from a merchant's backend, before validation. Null means absent. */
export interface InitiateRequest extends GivenContext {
  readonly identity: string
  readonly identityType: string
  readonly mode: string
  readonly channel?: string | null | undefined
  readonly orderId?: string | null | undefined
  /** For links and Truecaller logins: the live verification to send again. Ignored for codes. */
  readonly requestId?: string | null | undefined
  readonly otpLength?: number | null | undefined
  readonly templateId?: string | null | undefined
  readonly header?: string | null | undefined
  readonly wabaId?: string | null | undefined
  readonly redirectUri?: string | null | undefined
  readonly state?: string | null | undefined
  /** PKCE, S256. */
  readonly codeChallenge?: string | null | undefined
  /** The launch that led to this request. */
  readonly launchId?: string | null | undefined
  readonly deviceToken?: string | null | undefined
  readonly deviceInfo?: { readonly [name: string]: unknown } | null | undefined
}

/** A code that another system made, before it is sealed. */
export interface RelayedCode {
  readonly code: Redacted.Redacted
  /** How long its messages may be sent. */
  readonly life: Millis
  /** Keyed hashes of the request's idempotency key, with the current master secret first. Empty without a key. */
  readonly marks: ReadonlyArray<string>
}

/** A request that passed validation and that this server can carry out. */
export interface CheckedRequest {
  readonly identity: Identity.Identity
  readonly flow: Flow
  readonly channel: ChannelName
  readonly orderId: string | null
  readonly codeLength: number
  readonly options: SendOptions
  readonly fallback: { readonly channel: ChannelName; readonly after: Millis } | null
  readonly deviceInfo: string | null
  readonly launchId: string | null
  readonly trial?: Trial
  readonly context?: RequestContext
  /** The code of another system, for the flow `Relayed`. */
  readonly relayed?: RelayedCode
}

export type RequestRejected = InvalidField | InvalidMode | InvalidChannel | ChannelRequired | RedirectUriRequired

const largestDeviceInfo = 4096
const encoder = new TextEncoder()

const refuse = (field: string, problem: string) => Result.fail(new InvalidField({ field, problem }))

/** Returns whether a database can store the text unchanged. */
const storable = (text: string) => !text.includes("\0") && text.isWellFormed()

/** Checks a merchant's own reference: any text of 1 to 255 characters. */
export const checkOrderId = (orderId: string): Result.Result<string, InvalidField> =>
  orderId.length >= 1 && orderId.length <= 255 && storable(orderId)
    ? Result.succeed(orderId)
    : refuse("orderId", "must be 1 to 255 characters")

/** Checks a device description and returns it as JSON text of at most 4 KB. */
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

/**
 * Returns the default channel: the merchant's `primaryChannel` if it carries such messages, or else the first channel
 * that does.
 */
export const primary = (
  type: Identity.IdentityType,
  mode: Mode,
  { primaryChannel }: Settings,
  enabled: ChannelChoice
): Result.Result<ChannelName, InvalidChannel> => {
  const chosen = enabled.find(primaryChannel)
  const channel =
    chosen !== undefined && carries(chosen, type, kindOf[mode]) ? chosen : firstThatCarries(enabled, type, kindOf[mode])
  return channel === undefined
    ? Result.fail(new InvalidChannel({ problem: `no channel for ${type} with mode ${mode} is enabled on this server` }))
    : Result.succeed(channel.name)
}

const notEnabled = (name: ChannelName, { names }: ChannelChoice): string =>
  `${name} is not enabled on this server${names.length === 0 ? ", which has no channel" : `: it has ${names.join(", ")}`}`

/** Returns the channel with this name, if it carries such messages. */
export const named = (
  name: ChannelName,
  type: Identity.IdentityType,
  mode: Mode,
  enabled: ChannelChoice
): Result.Result<ChannelName, InvalidChannel> => {
  const channel = enabled.find(name)
  if (channel === undefined) return Result.fail(new InvalidChannel({ problem: notEnabled(name, enabled) }))
  return carries(channel, type, kindOf[mode])
    ? Result.succeed(name)
    : Result.fail(new InvalidChannel({ problem: `${name} cannot be used for ${type} with mode ${mode}` }))
}

/** The capabilities of this server and the environment, without the channels. */
export interface Means {
  /** Whether the environment has connected the number that the request wants to send from. */
  readonly isConnected: boolean
  /** True if even the live environment could not send from the requested number. */
  readonly isUnknownSender?: boolean
  /** The number verifiers of the caller's environment. */
  readonly verifiers: ReadonlyArray<string>
  /** Whether the server has a public URL for its links. */
  readonly hasLinks: boolean
  /** The sender ids that the environment has registered. When it has registered no sender id, any is allowed. */
  readonly headers?: ReadonlySet<string>
}

const noMeans: Means = { isConnected: false, verifiers: [], hasLinks: true }

/** The part of a request that does not depend on mode or channel. */
interface Shape {
  readonly identity: Identity.Identity
  readonly orderId: string | null
  readonly deviceInfo: string | null
  readonly launchId: string | null
  readonly context: RequestContext | null
}

/** Checks a launch id sent by an app or a backend. */
export const checkLaunchId = (launchId: string | null | undefined): Result.Result<string | null, InvalidField> =>
  launchId == null || Identifier.is("lch", launchId)
    ? Result.succeed(launchId ?? null)
    : refuse("launchId", "must be a launchId that the launch request returned")

// Every initiate runs this code, so it unwraps the results by hand: a generator costs twenty times as much.

const checkShape = (request: InitiateRequest, { defaultCountry }: Settings): Result.Result<Shape, InvalidField> => {
  const type = Identity.IdentityType.find((known) => known === request.identityType)
  if (type === undefined) return refuse("identityType", "must be MOBILE or EMAIL")
  const identity = Identity.parse(type, request.identity, defaultCountry)
  if (Result.isFailure(identity)) return Result.fail(identity.failure)
  const orderId = request.orderId == null ? Result.succeed(null) : checkOrderId(request.orderId)
  if (Result.isFailure(orderId)) return Result.fail(orderId.failure)
  const { codeChallenge, header, otpLength, state, templateId, wabaId } = request
  if (otpLength != null && !(Number.isInteger(otpLength) && otpLength >= 4 && otpLength <= 8)) {
    return refuse("otpLength", "must be a whole number from 4 to 8")
  }
  if (templateId != null && !/^[0-9]{19}$/.test(templateId)) {
    return refuse("templateId", "must be a DLT template id of 19 digits")
  }
  if (header != null && !/^[A-Za-z]{6}$/.test(header)) return refuse("header", "must be a DLT sender id of 6 letters")
  if (wabaId != null && !/^[0-9]{1,32}$/.test(wabaId)) return refuse("wabaId", "must be a WhatsApp phone number id")
  if (state != null && !(state.length <= 512 && storable(state))) {
    return refuse("state", "must be at most 512 characters")
  }
  if (codeChallenge != null && !/^[A-Za-z0-9_-]{43}$/.test(codeChallenge)) {
    return refuse("codeChallenge", "must be the S256 challenge of PKCE: 43 characters of base64url")
  }
  const launchId = checkLaunchId(request.launchId)
  if (Result.isFailure(launchId)) return Result.fail(launchId.failure)
  const deviceInfo = checkDeviceInfo(request.deviceInfo)
  if (Result.isFailure(deviceInfo)) return Result.fail(deviceInfo.failure)
  const context = checkContext(request)
  if (Result.isFailure(context)) return Result.fail(context.failure)
  return Result.succeed({
    identity: identity.success,
    orderId: orderId.success,
    deviceInfo: deviceInfo.success,
    launchId: launchId.success,
    context: context.success
  })
}

const checkChannel = (
  request: InitiateRequest,
  type: Identity.IdentityType,
  mode: Mode,
  settings: Settings,
  enabled: ChannelChoice,
  { verifiers }: Means
): Result.Result<ChannelName, InvalidChannel | ChannelRequired> => {
  const invalid = (problem: string) => Result.fail(new InvalidChannel({ problem }))
  if (request.channel == null) {
    return mode === "OAUTH" ? Result.fail(new ChannelRequired()) : primary(type, mode, settings, enabled)
  }
  if (!isChannelName(request.channel))
    return invalid(`channel must be one of ${[...enabled.names, ...verifiers].join(", ") || "none"}, in upper case`)
  if (mode === "OAUTH") {
    const isVerifier = verifiers.includes(request.channel)
    if (!isVerifier && knownVerifiers.includes(request.channel)) {
      return invalid(`${request.channel} is not enabled on this server`)
    }
    if (type !== "MOBILE" || (request.channel !== "WHATSAPP" && !isVerifier)) {
      return invalid(`OAUTH needs a MOBILE identity and channel ${["WHATSAPP", ...verifiers].join(" or ")}`)
    }
    if (isVerifier) return Result.succeed(request.channel)
  } else if (verifiers.includes(request.channel)) {
    return invalid(`${request.channel} sends no codes or links: it needs mode OAUTH`)
  }
  return named(request.channel, type, mode, enabled)
}

/** Returns the configured fallback, if it can carry this identity and differs from the channel itself. */
export const fallbackOf = (
  type: Identity.IdentityType,
  mode: Mode,
  channel: ChannelName,
  { fallbackAfterSeconds, fallbackChannel }: Settings,
  enabled: ChannelChoice
) => {
  if (fallbackChannel === null || fallbackChannel === channel) return null
  const other = enabled.find(fallbackChannel)
  return other !== undefined && carries(other, type, kindOf[mode])
    ? { channel: fallbackChannel, after: seconds(fallbackAfterSeconds) }
    : null
}

const checkOptions = (
  { header, templateId, wabaId }: InitiateRequest,
  channel: ChannelName,
  senders: ReadonlyArray<string> | undefined,
  { headers, isConnected, isUnknownSender = false }: Pick<Means, "headers" | "isConnected" | "isUnknownSender">
): Result.Result<SendOptions, InvalidField> => {
  if (channel !== "SMS" && templateId != null) return refuse("templateId", "is for channel SMS only")
  if (channel !== "SMS" && header != null) return refuse("header", "is for channel SMS only")
  if (header != null && headers !== undefined && headers.size > 0 && !headers.has(header)) {
    return refuse("header", "is not one of your sender ids")
  }
  if (wabaId != null && channel !== "WHATSAPP") return refuse("wabaId", "is for channel WHATSAPP only")
  const isForeign = senders !== undefined && wabaId != null && !senders.includes(wabaId) && !isConnected
  if (wabaId != null && (isForeign || isUnknownSender)) {
    return refuse("wabaId", "must be one of this server's WhatsApp numbers, or a number that you connected")
  }
  return Result.succeed({
    ...(templateId == null ? {} : { templateId }),
    ...(header == null ? {} : { header }),
    ...(wabaId == null ? {} : { wabaId })
  })
}

/**
 * Returns the requested WhatsApp number if the channel does not offer it by itself. Such a number works only if the
 * merchant has connected it.
 */
export const foreignSender = ({ wabaId }: InitiateRequest, channels: ChannelChoice): string | null => {
  if (wabaId == null) return null
  const channel = channels.find("WHATSAPP")
  if (channel === undefined) return wabaId
  const { senders } = channel.supports
  return senders === undefined || senders.includes(wabaId) ? null : wabaId
}

const checkHandover = (
  { codeChallenge, redirectUri, state }: InitiateRequest,
  mode: Mode,
  { redirectUris }: Settings
): Result.Result<Handover, InvalidField | RedirectUriRequired> => {
  if (redirectUri == null) {
    return mode === "OAUTH"
      ? Result.fail(new RedirectUriRequired())
      : Result.succeed({ redirectUri: null, state: state ?? null, codeChallenge: codeChallenge ?? null })
  }
  return isRegistered(redirectUris, redirectUri)
    ? Result.succeed({ redirectUri, state: state ?? null, codeChallenge: codeChallenge ?? null })
    : refuse("redirectUri", "must exactly match one of the redirectUris in your settings")
}

/** Chooses how to verify the person. Only a link has a page that can ask for a number. */
const checkFlow = (
  request: InitiateRequest,
  mode: Mode,
  channel: ChannelName,
  settings: Settings,
  { verifiers }: Means
): Result.Result<Flow, InvalidField | RedirectUriRequired> => {
  if (mode === "OTP") return Result.succeed(codeFlow)
  return Result.map(checkHandover(request, mode, settings), (handover): Flow => {
    if (mode === "OAUTH" && verifiers.includes(channel)) return { kind: "Number", mode, handover }
    return { kind: "Link", mode, handover, ...(settings.linkNumberMatch ? { matchesNumbers: true } : {}) }
  })
}

/** Validates a request in the documented order and reports the first problem only. */
export const check = (
  request: InitiateRequest,
  settings: Settings,
  channels: ChannelChoice,
  means: Means = noMeans
): Result.Result<CheckedRequest, RequestRejected> => {
  const shape = checkShape(request, settings)
  if (Result.isFailure(shape)) return Result.fail(shape.failure)
  const { context, deviceInfo, identity, launchId, orderId } = shape.success
  const mode = Mode.find((known) => known === request.mode)
  if (mode === undefined) {
    return Result.fail(new InvalidMode({ problem: "mode must be OTP, OAUTH or MAGIC_LINK, in upper case" }))
  }
  const channel = checkChannel(request, identity.type, mode, settings, channels, means)
  if (Result.isFailure(channel)) return Result.fail(channel.failure)
  const flow = checkFlow(request, mode, channel.success, settings, means)
  if (Result.isFailure(flow)) return Result.fail(flow.failure)
  const options = checkOptions(request, channel.success, channels.find(channel.success)?.supports.senders, means)
  if (Result.isFailure(options)) return Result.fail(options.failure)
  if (flow.success.kind === "Link" && !means.hasLinks) {
    return Result.fail(
      new InvalidMode({ problem: `${mode} needs a public URL for its links: set baseUrl (PUBLIC_URL)` })
    )
  }
  return Result.succeed({
    identity,
    flow: flow.success,
    channel: channel.success,
    orderId,
    codeLength: request.otpLength ?? settings.codeLength,
    options: options.success,
    // A number verifier sends no message, so there is nothing to fall back from.
    fallback:
      flow.success.kind === "Number" ? null : fallbackOf(identity.type, mode, channel.success, settings, channels),
    deviceInfo,
    launchId,
    ...(context === null ? {} : { context })
  })
}
