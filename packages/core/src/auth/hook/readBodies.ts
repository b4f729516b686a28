import { Result, Schema } from "effect"
import { isLocale } from "../../account/merchant/Settings.ts"
import { InvalidField } from "../../foundation/identity/InvalidField.ts"
import * as IpAddress from "../../foundation/identity/IpAddress.ts"
import { problemOfIssue } from "../../foundation/identity/problemOfIssue.ts"
import type { HookMessage, ReadBody } from "./HookRequest.ts"
import { webhookIdOf } from "./signatureSchemes.ts"

const longestPurpose = 32

const text = Schema.optionalKey(Schema.NullOr(Schema.String))
const part = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.optionalKey(Schema.NullOr(Schema.Struct(fields)))

const refuse = (field: string, problem: string) => Result.fail(new InvalidField({ field, problem }))

/**
 * Reads the fields that a kind needs. Sign-in systems send many others, which are ignored. The decoder is made once for
 * each kind: making it costs more than everything else that a request does.
 */
const reading = <Fields extends Schema.Struct.Fields>(
  fields: Fields,
  read: (body: Schema.Struct<Fields>["Type"], request: Parameters<ReadBody>[1]) => ReturnType<ReadBody>
): ReadBody => {
  const decode = Schema.decodeUnknownResult(
    Schema.Struct(fields) as unknown as Schema.Codec<Schema.Struct<Fields>["Type"], unknown>
  )
  return (body, request) => {
    const decoded = decode(body)
    if (Result.isSuccess(decoded)) return read(decoded.success, request)
    const { path, problem } = problemOfIssue(decoded.failure.issue)
    return refuse(path.length === 0 ? "body" : path.join("."), problem.problem)
  }
}

/** An address, or a number as E.164: sign-in systems write the country code always, and the `+` not always. */
const identityOf = (recipient: string): string => {
  const trimmed = recipient.trim()
  return trimmed.includes("@") || trimmed.startsWith("+") ? trimmed : `+${trimmed}`
}

/**
 * The address of the person. A private one is that of a proxy before the sign-in system: all people would share its
 * limits.
 */
const clientIpOf = (address: string | null | undefined): string | null =>
  address != null && IpAddress.isRoutable(address) ? address : null

const localeOf = (locale: string | null | undefined): string | null =>
  locale != null && isLocale(locale) ? locale : null

/** A word of another system, in the form that a purpose has. It is for reading only, so what does not fit is dropped. */
const purposeOf = (purpose: string | null | undefined): string | null => {
  const word = (purpose ?? "")
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, "-")
    .slice(0, longestPurpose)
  return /^[a-z]/.test(word) ? word : null
}

const nothingElse = { channel: null, clientIp: null, expiresInSeconds: null, locale: null, purpose: null } as const

const message = (own: Pick<HookMessage, "code" | "identity" | "repeats"> & Partial<HookMessage>): HookMessage => ({
  ...nothingElse,
  ...own,
  identity: identityOf(own.identity)
})

const metadata = part({ uuid: text, ip_address: text })

/**
 * Supabase makes a new `webhook-id` for each try, but keeps `metadata.uuid`. Older versions send no metadata; there the
 * recipient and the code tell a repeat.
 */
const repeatsOf = (uuid: string | null | undefined, ...derived: ReadonlyArray<string>): ReadonlyArray<string> =>
  uuid != null && uuid !== "" ? ["uuid", uuid, derived[0]!] : ["derived", ...derived]

/** Supabase Auth, send-sms hook. */
export const supabaseSms: ReadBody = reading(
  { metadata, user: part({ phone: text }), sms: Schema.Struct({ otp: Schema.String, phone: text, sms_type: text }) },
  ({ metadata, sms, user }) => {
    // With a change of number, `user` still has the old one.
    const phone = sms.phone || user?.phone
    if (!phone) return refuse("sms.phone", "is required")
    return Result.succeed([
      message({
        identity: phone,
        code: sms.otp,
        clientIp: clientIpOf(metadata?.ip_address),
        purpose: purposeOf(sms.sms_type),
        repeats: repeatsOf(metadata?.uuid, phone, sms.otp)
      })
    ])
  }
)

/**
 * Supabase Auth, send-email hook. A change of address may ask for two messages: `token` for the current address and
 * `token_new` for the new one. Without a confirmation of the current address, `token` is for the new one.
 */
export const supabaseEmail: ReadBody = reading(
  {
    metadata,
    user: Schema.Struct({ email: text, new_email: text }),
    email_data: Schema.Struct({ token: text, token_new: text, email_action_type: Schema.String })
  },
  ({ email_data, metadata, user }) => {
    const { email_action_type: action, token, token_new } = email_data
    const both = [
      { field: "user.email", address: !token_new && user.new_email ? user.new_email : user.email, code: token },
      { field: "user.new_email", address: user.new_email, code: token_new }
    ]
    const wanted = both.flatMap(({ address, code, field }) => (code ? [{ address, code, field }] : []))
    if (wanted.length === 0) {
      return refuse(
        "email_data.token",
        "is empty: this message has no code, and only codes are sent. Turn this notification off in Supabase"
      )
    }
    const messages: Array<HookMessage> = []
    for (const { address, code, field } of wanted) {
      if (!address?.includes("@")) return refuse(field, "must be an e-mail address")
      messages.push(
        message({
          identity: address,
          code,
          clientIp: clientIpOf(metadata?.ip_address),
          purpose: purposeOf(action),
          repeats: repeatsOf(metadata?.uuid, address, code)
        })
      )
    }
    return Result.succeed(messages)
  }
)

/** The events of Zitadel with a code that a person types in, and what it is for. Others carry a link, or no code. */
const zitadelEvents: { readonly [Kind in "sms" | "email"]: ReadonlyMap<string, string> } = {
  sms: new Map([
    ["session.otp.sms.challenged", "sign-in"],
    ["user.human.mfa.otp.sms.code.added", "mfa-enrolment"],
    ["user.human.phone.code.added", "phone-verification"],
    ["user.human.initialization.code.added", "initialization"],
    ["user.human.password.code.added", "password-reset"],
    ["user.human.invite.code.added", "invite"]
  ]),
  email: new Map([
    ["session.otp.email.challenged", "sign-in"],
    ["user.human.mfa.otp.email.code.added", "mfa-enrolment"],
    ["user.human.email.code.added", "email-verification"],
    ["user.human.initialization.code.added", "initialization"],
    ["user.human.password.code.added", "password-reset"],
    ["user.human.invite.code.added", "invite"]
  ])
}

/**
 * Zitadel, HTTP provider. Its requests have no id, and a repeat has a new time. The code is new for each message, so
 * event, recipient and code tell a repeat.
 */
const zitadel = (kind: "sms" | "email"): ReadBody =>
  reading(
    {
      contextInfo: Schema.Struct({ eventType: Schema.String, recipientPhoneNumber: text, recipientEmailAddress: text }),
      args: part({ oTP: text, code: text })
    },
    ({ args, contextInfo }) => {
      const { eventType, recipientEmailAddress, recipientPhoneNumber } = contextInfo
      const purpose = zitadelEvents[kind].get(eventType)
      if (purpose === undefined) {
        return refuse("contextInfo.eventType", "is not an event whose code can be sent")
      }
      const [field, recipient] =
        kind === "sms"
          ? ["contextInfo.recipientPhoneNumber", recipientPhoneNumber]
          : ["contextInfo.recipientEmailAddress", recipientEmailAddress]
      if (!recipient) return refuse(field, "is required")
      const code = args?.oTP || args?.code
      if (!code) return refuse("args", "has neither oTP nor code")
      return Result.succeed([message({ identity: recipient, code, purpose, repeats: [eventType, recipient, code] })])
    }
  )

export const zitadelSms: ReadBody = zitadel("sms")
export const zitadelEmail: ReadBody = zitadel("email")

/** Ory Kratos, in the form of the Jsonnet that we hand out. `id` is for your own Jsonnet. */
export const kratos: ReadBody = reading(
  { to: Schema.String, type: Schema.String, code: text, id: text, locale: text, clientIp: text },
  ({ clientIp, code, id, locale, to, type }) => {
    if (!code) return refuse("code", "is empty: a message of this type has no code, and only codes are sent")
    return Result.succeed([
      message({
        identity: to,
        code,
        locale: localeOf(locale),
        clientIp: clientIpOf(clientIp),
        purpose: purposeOf(type),
        repeats: id ? ["id", id] : [type, to, code]
      })
    ])
  }
)

/** Auth0, in the form of the Action that we hand out, which names a repeat by its `webhook-id`. */
export const auth0: ReadBody = reading(
  { to: Schema.String, type: text, method: text, code: text, locale: text, clientIp: text },
  ({ clientIp, code, locale, method, to, type }, request) => {
    if (method != null && method !== "text") {
      return refuse("method", "must be text: codes are not spoken. Turn voice off in Auth0")
    }
    if (!code) return refuse("code", "is empty: a message of this type has no code, and only codes are sent")
    return Result.succeed([
      message({
        identity: to,
        code,
        locale: localeOf(locale),
        clientIp: clientIpOf(clientIp),
        purpose: purposeOf(type),
        repeats: [webhookIdOf(request)]
      })
    ])
  }
)

/** Any program that signs as Standard Webhooks do. The fields are those of `POST /v1/deliveries`. */
export const generic: ReadBody = reading(
  {
    identity: Schema.String,
    code: Schema.String,
    channel: text,
    locale: text,
    expiresInSeconds: Schema.optionalKey(Schema.NullOr(Schema.Int)),
    clientIp: text,
    purpose: text
  },
  (
    { channel = null, clientIp = null, code, expiresInSeconds = null, identity, locale = null, purpose = null },
    request
  ) =>
    Result.succeed([
      message({
        identity,
        code,
        channel,
        locale,
        expiresInSeconds,
        clientIp,
        purpose,
        // The signature covers the id, and no other header: a captured request cannot be sent again under another key.
        repeats: [webhookIdOf(request)]
      })
    ])
)
