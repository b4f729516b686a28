import { Effect } from "effect"
import type { Caller } from "../../account/merchant/Caller.ts"
import { hours, minutes, seconds } from "../../foundation/time/Instant.ts"
import type { RequestRejected } from "../../auth/verification/InitiateRequest.ts"
import type { Initiated, InitiateRefused } from "../../auth/verification/startVerification.ts"
import type { Visit } from "./scenes.ts"
import type { Stage } from "./stage.ts"

/** Addresses reserved for documentation. */
const addressOf = (visit: Visit): string =>
  visit.act === "floods" ? "203.0.113.66" : `198.51.100.${visit.thinks % 250}`

/** Every code of a test environment starts with these digits. */
const code = "12345678"
const wrong = "00000000"

type AskError = RequestRejected | InitiateRefused

/** Why a request started nothing, as the statistics name it; null for other errors. */
const refusalOf = (error: AskError): readonly [errorCode: string, reason: string] | null => {
  switch (error._tag) {
    case "RateLimited":
      return ["RATE_LIMIT_EXCEEDED", error.limit]
    case "InvalidField":
      return ["INVALID_REQUEST", error.field]
    case "PaymentRequired": {
      const { channel, why } = error
      const prefix = channel === "SMS" || channel === "WHATSAPP" ? `${channel}_` : ""
      const errorCode = why === "NO_PRICE" ? "BILLING_NOT_CONFIGURED" : `INSUFFICIENT_${prefix}BALANCE`
      return [errorCode, why === "CAP" ? "dailyCap" : errorCode]
    }
    case "DestinationForbidden":
      return ["FORBIDDEN", error._tag]
    default:
      return null
  }
}

/** Plans a person's actions. Actions that the merchant's settings refuse are refused and recorded as such. */
export const playVisit = (stage: Stage, merchant: Caller, visit: Visit): void => {
  const { agenda, channels, refused, sessions, verifications } = stage
  const { act, at, channel, from, path, thinks, who } = visit
  const caller: Caller = {
    ...merchant,
    settings: {
      ...merchant.settings,
      oneTap: true,
      fallbackChannel: merchant.settings.fallbackChannel ?? "SMS",
      ...(act === "hurries" ? { resendCooldownSeconds: 30 } : {})
    }
  }
  channels.decide(who.identity, visit.fate)
  const given = act === "stumbles" ? "+91 12345 67890" : who.identity
  let launchId: string | null = null
  let started: Initiated | null = null
  let order = 0

  const ask = (deviceToken: string | null = null): Effect.Effect<Initiated, AskError> => {
    const deviceInfo = { platform: thinks % 2 === 0 ? "android" : "ios" }
    const request: Effect.Effect<Initiated, AskError> =
      path === "SERVER"
        ? verifications.initiate(caller, {
            identity: given,
            identityType: act === "stumbles" ? "MOBILE" : who.type,
            mode: "OTP",
            channel,
            orderId: `example-${at}-${order++}`,
            deviceToken,
            deviceInfo
          })
        : Effect.flatMap(
            sessions.admit(
              caller,
              {
                phone: given,
                channel: channel.toLowerCase(),
                launchId,
                deviceToken,
                deviceInfo,
                ...(act === "asks again" && started !== null ? { sessionId: started.verification.id } : {})
              },
              addressOf(visit)
            ),
            (begin) => begin(null)
          )
    return Effect.tapError(
      Effect.tap(request, ({ verification: { environment, expiresAt, id, status } }) =>
        Effect.sync(() => {
          if (status !== "PENDING") return
          agenda.add(
            expiresAt + seconds(1),
            Effect.suspend(() => stage.announce({ environment, id, expiresAt }))
          )
        })
      ),
      (error) => {
        const why = refusalOf(error)
        if (why === null) return Effect.void
        const [errorCode, reason] = why
        return refused.note(caller, { path, errorCode, reason, request: () => ({ identity: given, channel }) })
      }
    )
  }

  const enter = (typed: string) =>
    Effect.suspend(() => {
      if (started === null) return Effect.void
      const { deviceToken, verification } = started
      const otp = typed.slice(0, verification.codeLength)
      return path === "SERVER"
        ? verifications.verify(caller, { requestId: verification.id, otp, deviceToken })
        : sessions.verify(caller, { sessionId: verification.id, code: otp, deviceToken })
    })

  /** The merchant's settings apply here too: a refused action stays refused. */
  const then = (after: number, does: Effect.Effect<unknown, unknown>) => agenda.add(at + after, Effect.ignore(does))

  const begin = Effect.suspend(() => Effect.tap(ask(), (initiated) => Effect.sync(() => (started = initiated))))
  const { attribution } = stage
  if (from !== null) {
    const launch = attribution.admitLaunch(
      caller,
      { consent: true, utm: from, platform: thinks % 2 === 0 ? "android" : "ios", fingerprint: `example-${at}` },
      addressOf(visit)
    )
    then(
      -seconds(20),
      Effect.flatMap(launch, (record) =>
        record === null
          ? Effect.void
          : Effect.tap(record(null), (recorded) => Effect.sync(() => (launchId = recorded.launchId)))
      )
    )
    if (thinks % 3 === 0) {
      const purchase = Effect.suspend(() =>
        Effect.flatMap(
          attribution.admitConversion(
            caller,
            { event: "purchase", value: 199 + (thinks % 9) * 100, currency: "INR", launchId },
            addressOf(visit)
          ),
          (record) => record(null)
        )
      )
      then(thinks + minutes(7), purchase)
    }
  }

  then(0, begin)
  const wait = visit.fate === "sends no receipt" || visit.fate === "finds the provider down" ? seconds(80) : 0
  switch (act) {
    case "types it":
      return then(wait + thinks, enter(code))
    case "mistypes once":
      then(wait + thinks, enter(wrong))
      return then(wait + thinks + seconds(9), enter(code))
    case "guesses":
      for (let i = 0; i <= caller.settings.maxAttempts; i++) then(thinks + i * seconds(6), enter(wrong))
      return
    case "leaves":
    case "stumbles":
      return
    case "asks again":
      then(seconds(45), begin)
      return then(seconds(45) + thinks, enter(code))
    case "hurries":
      then(seconds(8), begin)
      return then(seconds(8) + thinks, enter(code))
    case "floods":
      for (let i = 1; i < 14; i++) then(i * seconds(3), begin)
      return
    case "comes back":
      then(thinks, enter(code))
      return then(
        hours(2) + thinks,
        Effect.suspend(() => ask(started?.deviceToken ?? null))
      )
  }
}
