import { createHash } from "node:crypto"
import { type AuthContext, pluginOf } from "./AuthContext.ts"
import { requestFacts } from "./Codes.ts"
import { requirePlugin } from "./emailOTP.ts"
import { before, fieldsOf, type Hook } from "./hooks.ts"
import { present } from "./phoneNumber.ts"
import { isFailure, Refusal, refusalOf } from "./refusal.ts"
import { codeVerifierOf, open, seal } from "./secrets.ts"
import type { VerificationClient } from "./VerificationClient.ts"

interface Link {
  readonly email: string
  readonly url: string
  readonly token: string
}

/** The options of better-auth's `magicLink` plugin that make Countersign send the link and ask for approval. */
export interface MagicLinkOptions {
  readonly sendMagicLink: (data: Link, ctx?: AuthContext) => Promise<void>
  readonly storeToken: "hashed"
  readonly expiresIn: number
}

/** What comes back with the approval: better-auth's token, whom the link was for, and where to go afterwards. */
interface State {
  readonly email: string
  readonly query: Readonly<Record<string, string>>
}

const callbacks = ["callbackURL", "newUserCallbackURL", "errorCallbackURL"] as const

/** The token of an approval that is not accepted. better-auth answers it with the redirect for invalid tokens. */
const noToken = ""

const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url")

/**
 * The link leads to Countersign's page. After the user has approved it there, the browser comes back to better-auth's own
 * endpoint with a code. A hook exchanges the code and hands better-auth its token, which no message and no address contains
 * in clear.
 */
export const magicLinkParts = (
  client: () => Promise<VerificationClient>
): { readonly options: MagicLinkOptions; readonly before: ReadonlyArray<Hook> } => {
  const options: MagicLinkOptions = {
    sendMagicLink: async ({ email, token, url }, ctx) => {
      const context = present(ctx)
      const { secret } = context.context
      requirePlugin(context)
      const { origin, pathname, searchParams } = new URL(url)
      const state: State = { email: email.toLowerCase(), query: Object.fromEntries(searchParams) }
      const sealed = seal(secret, state)
      if (sealed.length > 512)
        throw new Refusal({
          status: "BAD_REQUEST",
          code: "INVALID_CALLBACK_URL",
          message: "The callback URLs are too long"
        })
      const { userAgent, ...facts } = requestFacts(context)
      try {
        await (await client()).initiate({
          identity: email,
          identityType: "EMAIL",
          mode: "MAGIC_LINK",
          redirectUri: origin + pathname,
          state: sealed,
          codeChallenge: challengeOf(codeVerifierOf(secret, token)),
          ...facts,
          ...(userAgent === undefined ? {} : { userAgent, deviceInfo: { model: userAgent.slice(0, 80) } })
        })
      } catch (error) {
        throw refusalOf(error, "EMAIL", context)
      }
    },
    storeToken: "hashed",
    expiresIn: 86_400 // Countersign decides when a link expires.
  }

  /** The query that better-auth's endpoint expects, with its token if the approval is good. */
  const queryAfter = async (query: Readonly<Record<string, unknown>>, ctx: AuthContext) => {
    const { secret } = ctx.context
    const { code, state } = query
    const opened = typeof state === "string" ? (open(secret, state) as State | undefined) : undefined
    if (opened === undefined || typeof code !== "string") return { token: noToken }
    const kept = Object.fromEntries(
      callbacks.flatMap((name) => (opened.query[name] === undefined ? [] : [[name, opened.query[name]]]))
    )
    const { token = noToken } = opened.query
    try {
      const { identity } = await (await client()).token({ code, codeVerifier: codeVerifierOf(secret, token) })
      return { ...kept, token: identity.toLowerCase() === opened.email ? token : noToken }
    } catch (error) {
      if (isFailure(error) && (error.errorCode === "TRANSACTION_NOT_FOUND" || error.errorCode === "INVALID_REQUEST"))
        return { ...kept, token: noToken }
      throw refusalOf(error, "EMAIL", ctx)
    }
  }

  return {
    options,
    before: [
      before(
        ({ context, path }) =>
          path === "/magic-link/verify" &&
          pluginOf(context.options, "magic-link")?.options?.["sendMagicLink"] === options.sendMagicLink,
        async (ctx) => ({ query: await queryAfter(fieldsOf(ctx.query), ctx) })
      )
    ]
  }
}
