import { type AuthContext, type HookContext, pluginOf } from "./AuthContext.ts"
import { checkCode, sendCode } from "./Codes.ts"
import { after, before, fieldsOf, type Hook } from "./hooks.ts"
import { present } from "./phoneNumber.ts"
import { Refusal } from "./refusal.ts"
import { standInOf } from "./secrets.ts"
import type { VerificationClient } from "./VerificationClient.ts"

type Type = "sign-in" | "email-verification" | "forget-password" | "change-email"

interface Addressed {
  readonly email: string
  readonly type: Type
}

/** The options of better-auth's `emailOTP` plugin that make Countersign create, send and check its codes. */
export interface EmailOTPOptions {
  readonly sendVerificationOTP: (data: Addressed & { readonly otp: string }, ctx?: AuthContext) => Promise<void>
  readonly generateOTP: (data: Addressed, ctx?: AuthContext) => string
  readonly storeOTP: "hashed"
  readonly expiresIn: number
}

/** The endpoints that take a code: what it is for, and the field with the address that it was sent to. */
const checks: { readonly [path: string]: readonly [type: Type, field: string] } = {
  "/sign-in/email-otp": ["sign-in", "email"],
  "/email-otp/verify-email": ["email-verification", "email"],
  "/email-otp/reset-password": ["forget-password", "email"],
  "/email-otp/change-email": ["change-email", "newEmail"]
}

/**
 * better-auth's `emailOTP` has no function that checks a code. So it stores a value that nobody receives, and a hook
 * puts that value into the request once Countersign has accepted the code. Without the hook no code is accepted.
 */
export const emailOTPParts = (
  client: () => Promise<VerificationClient>
): { readonly options: EmailOTPOptions; readonly before: ReadonlyArray<Hook>; readonly after: ReadonlyArray<Hook> } => {
  /** Refusals of a request. better-auth only logs what sending throws, so a hook shows them afterwards. */
  const refusals = new WeakMap<object, unknown>()
  const recipient = (email: string, type: Type) =>
    ({ identity: email.toLowerCase(), identityType: "EMAIL", purpose: `email ${type}` }) as const

  const options: EmailOTPOptions = {
    sendVerificationOTP: async ({ email, type }, ctx) => {
      const context = present(ctx)
      requirePlugin(context)
      try {
        await sendCode(client, recipient(email, type), undefined, context)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        refusals.set(context.context, error)
      }
    },
    generateOTP: ({ email, type }, ctx) => standInOf(present(ctx).context.secret, type, email.toLowerCase()),
    storeOTP: "hashed",
    expiresIn: 86_400 // Countersign decides when a code expires.
  }

  const installed = ({ context }: HookContext) => pluginOf(context.options, "email-otp")?.options
  const isOurs = (ctx: HookContext) => installed(ctx)?.["generateOTP"] === options.generateOTP

  return {
    options,
    before: [
      before(
        (ctx) => ctx.path !== undefined && Object.hasOwn(checks, ctx.path) && isOurs(ctx),
        async (ctx) => {
          const [type, field] = checks[ctx.path!]!
          const body = fieldsOf(ctx.body)
          const { [field]: email, otp } = body
          if (typeof email !== "string" || typeof otp !== "string") return undefined // better-auth refuses it.
          // better-auth must not see a wrong code: it would count it and forget the stored value after three.
          if (!(await checkCode(client, recipient(email, type), otp, ctx)))
            throw new Refusal({ status: "BAD_REQUEST", code: "INVALID_OTP", message: "Invalid OTP" })
          return { body: { ...body, otp: standInOf(ctx.context.secret, type, email.toLowerCase()) } }
        }
      ),
      before(
        (ctx) =>
          isOurs(ctx) &&
          (ctx.path === "/email-otp/check-verification-otp" ||
            (ctx.path === "/email-otp/request-email-change" && fieldsOf(ctx.body)["otp"] !== undefined)),
        () => {
          throw new Refusal({
            status: "NOT_IMPLEMENTED",
            code: "CODE_WORKS_ONCE",
            message: "Countersign accepts each code once: send it to the endpoint that signs in or changes something"
          })
        }
      )
    ],
    after: [
      after(
        (ctx) => isOurs(ctx) && ctx.path === "/email-otp/send-verification-otp",
        (ctx) => {
          const refusal = refusals.get(ctx.context)
          // Only where better-auth sends to every address: elsewhere a refusal would tell which addresses have users.
          if (
            refusal !== undefined &&
            fieldsOf(ctx.body)["type"] === "sign-in" &&
            installed(ctx)?.["disableSignUp"] !== true
          )
            throw refusal
        }
      )
    ]
  }
}

/** Without the plugin's hooks no code of an e-mail and no link would be accepted. */
export const requirePlugin = ({ context }: AuthContext) => {
  if (pluginOf(context.options, "countersign") === undefined)
    throw new Error("Add the value of countersign(…) itself to the plugins of betterAuth, too")
}
