import { Redacted, Result } from "effect"
import type { Caller } from "../../account/merchant/Caller.ts"
import { isLocale } from "../../account/merchant/Settings.ts"
import type { ChannelChoice } from "../../foundation/delivery/Channel.ts"
import { knownChannels } from "../../foundation/delivery/ChannelName.ts"
import * as Identity from "../../foundation/identity/Identity.ts"
import { InvalidField } from "../../foundation/identity/InvalidField.ts"
import { type Millis, seconds } from "../../foundation/time/Instant.ts"
import { check, type CheckedRequest, type RequestRejected } from "./InitiateRequest.ts"
import type { Flow } from "./Verification.ts"
import { InvalidChannel } from "./VerificationError.ts"

/** A request to deliver a code that another system made and checks. Null means absent. */
export interface RelayRequest {
  /** A phone number or an e-mail address. A text with an @ is an e-mail address. */
  readonly identity: string
  /** 4 to 10 letters and digits. */
  readonly code: string | Redacted.Redacted
  readonly channel?: string | null | undefined
  /** The language of its messages, instead of the one in the settings. */
  readonly locale?: string | null | undefined
  /** How long the code is valid: 1 to 900 seconds, 300 when absent. No message is sent later. */
  readonly expiresInSeconds?: number | null | undefined
  /** The end user's address, for `hourlyLimitPerAddress` and the guard. */
  readonly clientIp?: string | null | undefined
  /** What the code is for, such as `sign-in`. A note: it changes no text. */
  readonly purpose?: string | null | undefined
  /** The id of the hook that brought it. */
  readonly origin?: string | null | undefined
  /** Requests of one environment with the same key and identity send once. Null sends each time. */
  readonly idempotencyKey: string | null
}

/**
 * Ten letters and digits are enough for every sign-in system, and too few for a message of one's own: no blank, no dot,
 * no slash, so no sentence and no address. WhatsApp's copy button takes at most 15.
 */
const codePattern = /^[A-Za-z0-9]{4,10}$/
const purposePattern = /^[a-z][a-z0-9_-]{0,31}$/

/** Whether a text can be stored and shown as the purpose of a code. */
export const isPurpose = (text: string): boolean => purposePattern.test(text)

const usualLife = 300
const longestLife = 900

const refuse = (field: string, problem: string) => Result.fail(new InvalidField({ field, problem }))

/** A caller that mixed up its fields may have put the code here, so an unknown name is not repeated. */
const checkChannel = (
  channel: string | null | undefined,
  channels: ChannelChoice
): Result.Result<void, InvalidChannel> =>
  channel == null || channels.find(channel) !== undefined || knownChannels.some((known) => known === channel)
    ? Result.succeed(undefined)
    : Result.fail(
        new InvalidChannel({ problem: `channel must be one of ${channels.names.join(", ") || "none"}, in upper case` })
      )

const isLife = (life: number): boolean => Number.isInteger(life) && life >= 1 && life <= longestLife

/** The flow of a relayed code whose seal is still to be made. */
const flowOf = ({ locale, origin, purpose }: RelayRequest, marks: ReadonlyArray<string>): Flow => ({
  kind: "Relayed",
  mode: "OTP",
  sealedCode: null,
  mark: marks[0] ?? null,
  locale: locale ?? null,
  purpose: purpose ?? null,
  origin: origin ?? null
})

/** Validates a request and reports the first problem only. */
export const checkRelay = (
  request: RelayRequest,
  { settings }: Pick<Caller, "settings">,
  channels: ChannelChoice,
  verifiers: ReadonlyArray<string>,
  marks: ReadonlyArray<string>
): Result.Result<CheckedRequest, RequestRejected> => {
  const { channel, clientIp, expiresInSeconds, identity, locale, purpose } = request
  const code = Redacted.isRedacted(request.code) ? Redacted.value(request.code) : request.code
  if (!codePattern.test(code)) return refuse("code", "must be 4 to 10 letters and digits (A-Z, a-z, 0-9)")
  if (locale != null && !isLocale(locale)) return refuse("locale", "must be a language, such as en or pt_BR")
  if (expiresInSeconds != null && !isLife(expiresInSeconds)) {
    return refuse("expiresInSeconds", `must be a whole number from 1 to ${longestLife}`)
  }
  if (purpose != null && !isPurpose(purpose)) {
    return refuse("purpose", "must be 1 to 32 lower-case letters, digits, - and _, and begin with a letter")
  }
  const named = checkChannel(channel, channels)
  if (Result.isFailure(named)) return Result.fail(named.failure)
  const life: Millis = seconds(expiresInSeconds ?? usualLife)
  const means = { isConnected: false, hasLinks: true, verifiers }
  return Result.map(
    check(
      { identity, identityType: Identity.typeOf(identity), mode: "OTP", channel, clientIp },
      settings,
      channels,
      means
    ),
    (checked): CheckedRequest => ({
      ...checked,
      flow: flowOf(request, marks),
      codeLength: code.length,
      relayed: { code: Redacted.make(code), life, marks }
    })
  )
}
