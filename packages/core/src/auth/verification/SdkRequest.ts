import { Result } from "effect"
import type { ChannelChoice } from "../../foundation/delivery/Channel.ts"
import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import * as Identity from "../../foundation/identity/Identity.ts"
import { inField, type InvalidField } from "../../foundation/identity/InvalidField.ts"
import type { ChallengeAnswer } from "./Challenge.ts"
import type { Settings } from "../../account/merchant/Settings.ts"
import {
  type CheckedRequest,
  checkDeviceInfo,
  checkLaunchId,
  checkOrderId,
  fallbackOf,
  named,
  primary
} from "./InitiateRequest.ts"
import { codeFlow } from "./Verification.ts"
import { InvalidChannel } from "./VerificationError.ts"

/** An app's request, before validation. Null means absent. */
export interface SdkInitiateRequest {
  readonly phone: string
  readonly channel?: string | null | undefined
  readonly template?: string | null | undefined
  readonly orderId?: string | null | undefined
  /** The launch that led to this request. */
  readonly launchId?: string | null | undefined
  /** A live session of this caller to send again. */
  readonly sessionId?: string | null | undefined
  readonly deviceToken?: string | null | undefined
  /** The answer to the challenge that an earlier try of this request got. */
  readonly challenge?: ChallengeAnswer | null | undefined
  readonly deviceInfo?: { readonly [name: string]: unknown } | null | undefined
}

/**
 * Returns the channels an app may name: SMS, WHATSAPP and those in the merchant's settings. The key is public, so apps
 * cannot use a channel that the operator adds, which may be expensive, until the merchant selects it.
 */
const nameable = ({ fallbackChannel, primaryChannel }: Settings, { find }: ChannelChoice): ReadonlyArray<ChannelName> =>
  [...new Set(["SMS", "WHATSAPP", primaryChannel, fallbackChannel])].filter(
    (name): name is ChannelName => name !== null && find(name) !== undefined
  )

const channelOf = (
  given: string | null,
  settings: Settings,
  enabled: ChannelChoice
): Result.Result<ChannelName, InvalidChannel> => {
  if (given === null || given === "auto") return primary("MOBILE", "OTP", settings, enabled)
  const names = nameable(settings, enabled)
  const name = names.find((each) => each.toLowerCase() === given)
  if (name !== undefined) return named(name, "MOBILE", "OTP", enabled)
  const words = ["auto", ...names.map((each) => each.toLowerCase())].join(", ")
  return Result.fail(new InvalidChannel({ problem: `channel must be one of ${words}, in lower case` }))
}

/** Validates an app's request and reports the first problem only. */
export const checkSdk = (
  request: SdkInitiateRequest,
  settings: Settings,
  channels: ChannelChoice
): Result.Result<CheckedRequest, InvalidField | InvalidChannel> => {
  const identity = Result.mapError(Identity.parse("MOBILE", request.phone, settings.defaultCountry), inField("phone"))
  if (Result.isFailure(identity)) return Result.fail(identity.failure)
  const orderId = request.orderId == null ? Result.succeed(null) : checkOrderId(request.orderId)
  if (Result.isFailure(orderId)) return Result.fail(orderId.failure)
  const launchId = checkLaunchId(request.launchId)
  if (Result.isFailure(launchId)) return Result.fail(launchId.failure)
  const deviceInfo = checkDeviceInfo(request.deviceInfo)
  if (Result.isFailure(deviceInfo)) return Result.fail(deviceInfo.failure)
  const channel = channelOf(request.channel ?? null, settings, channels)
  if (Result.isFailure(channel)) return Result.fail(channel.failure)
  return Result.succeed({
    identity: identity.success,
    flow: codeFlow,
    channel: channel.success,
    orderId: orderId.success,
    codeLength: settings.codeLength,
    options: {},
    fallback: fallbackOf("MOBILE", "OTP", channel.success, settings, channels),
    deviceInfo: deviceInfo.success,
    launchId: launchId.success
  })
}
