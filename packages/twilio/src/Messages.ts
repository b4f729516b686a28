import { Effect, Redacted, type Scope } from "effect"
import type twilio from "twilio"
import type { MessageListInstanceCreateOptions } from "twilio/lib/rest/api/v2010/account/message.js"
import type { Account } from "./Options.ts"

/** The vendor's package, which takes a fifth of a second to load. */
export type Package = typeof twilio

/** What became of one request. */
export type Reply =
  | { readonly _tag: "Taken"; readonly sid: string }
  | {
      readonly _tag: "Declined"
      readonly status: number
      readonly code: number | null
      readonly retryAfterSeconds: number | null
    }
  /** No connection was made, so nothing was asked. */
  | { readonly _tag: "NotReached"; readonly why: string }
  /** It was asked, and no usable answer came. */
  | { readonly _tag: "Lost"; readonly why: string }

/** Twilio's word on the account itself. */
export type AccountReply =
  | { readonly _tag: "Account"; readonly status: "active" | "suspended" | "closed"; readonly isTrial: boolean }
  | Exclude<Reply, { readonly _tag: "Taken" }>

/** Twilio's Messages resource and that of the account, one request a call. */
export interface Messages {
  readonly create: (parameters: MessageListInstanceCreateOptions) => Effect.Effect<Reply>
  readonly account: Effect.Effect<AccountReply>
}

/** Longer than core waits, which gives up first and interrupts; this is for who sends without it. */
const timeout = 15_000
/** As many as core sends at once. */
const maxSockets = 100
const maxFreeSockets = 20
const longestWish = 24 * 60 * 60

/** What an answer says before it is read. */
interface Head {
  readonly status: number
  readonly headers: unknown
}

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

/** Twilio's own codes are numbers of five digits or six. Whatever else stands there is none. */
const codeOf = (error: unknown): number | null => {
  const code = field(error, "code")
  const text = typeof code === "number" || typeof code === "string" ? String(code) : ""
  return /^[1-9]\d{4,5}$/.test(text) ? Number(text) : null
}

const retryAfterOf = (headers: unknown): number | null => {
  const wish = field(headers, "retry-after")
  return typeof wish === "string" && /^\s*\d{1,9}\s*$/.test(wish) ? Math.min(Number(wish), longestWish) : null
}

/** Failures of the operating system and of TLS that come before the first byte of a request. */
const beforeTheRequest = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EADDRNOTAVAIL",
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "ERR_TLS_CERT_ALTNAME_INVALID"
])

/** The client wraps the system's error once or twice; several addresses tried make one with `errors`. */
const neverSent = (error: unknown, depth = 0): boolean => {
  if (depth > 5 || typeof error !== "object" || error === null) return false
  if (beforeTheRequest.has(String(field(error, "code"))) || field(error, "syscall") === "connect") return true
  const errors = field(error, "errors")
  if (Array.isArray(errors) && errors.length > 0) return errors.every((each) => neverSent(each, depth + 1))
  return neverSent(field(error, "cause"), depth + 1)
}

/** The system's name for a failure. Never its message, and never the error itself: both hold the whole request. */
const nameOf = (error: unknown): string => {
  const code = field(error, "code")
  if (code === "ECONNABORTED" || code === "ETIMEDOUT") return "timeout"
  return typeof code === "string" && /^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? code : "unknown"
}

const failed = (error: unknown, head: Head | null): Exclude<Reply, { readonly _tag: "Taken" }> => {
  if (head === null) return { _tag: neverSent(error) ? "NotReached" : "Lost", why: nameOf(error) }
  if (head.status >= 200 && head.status < 300) return { _tag: "Lost", why: "unreadable" }
  return { _tag: "Declined", status: head.status, code: codeOf(error), retryAfterSeconds: retryAfterOf(head.headers) }
}

const taken = (sid: unknown): Reply =>
  typeof sid === "string" && /^[A-Za-z0-9_-]{1,64}$/.test(sid)
    ? { _tag: "Taken", sid }
    : { _tag: "Lost", why: "unreadable" }

const unreadable: AccountReply = { _tag: "Lost", why: "unreadable" }

const accountOf = ({ status, type }: { readonly status: unknown; readonly type: unknown }): AccountReply =>
  status === "active" || status === "suspended" || status === "closed"
    ? { _tag: "Account", status, isTrial: type === "Trial" }
    : unreadable

export const make = (vendor: Package, account: Account): Effect.Effect<Messages, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { accountSid, apiUrl, authToken } = account
    const transport = yield* Effect.acquireRelease(
      Effect.sync(
        () =>
          new vendor.RequestClient({
            timeout,
            autoRetry: false,
            maxSockets,
            maxTotalSockets: maxSockets,
            maxFreeSockets
          })
      ),
      ({ axios }) => Effect.sync(() => axios.defaults.httpsAgent?.destroy?.())
    )

    /**
     * The transport for one request. It shares connections with the others and nothing else: it can be interrupted, and
     * what the package remembers of its last request, credentials and text included, goes away with it.
     */
    const once = (signal: AbortSignal, heard: (head: Head) => void): twilio.RequestClient =>
      Object.create(transport, {
        axios: {
          value: async (config: object) => {
            const response = await transport.axios({ ...config, signal })
            heard({ status: response.status, headers: response.headers })
            return response
          }
        }
      })

    const ask = <A>(request: (client: twilio.Twilio) => Promise<A>) =>
      Effect.suspend(() => {
        let head: Head | null = null
        return Effect.tryPromise({
          try: (signal) => {
            const httpClient = once(signal, (heard) => {
              head = heard
            })
            const client = vendor(accountSid, Redacted.value(authToken), { httpClient, autoRetry: false })
            client.api.baseUrl = apiUrl
            // The package would rewrite the host for the environment's TWILIO_EDGE and TWILIO_REGION.
            client.getHostname = (hostname) => hostname
            return request(client)
          },
          catch: (error) => failed(error, head)
        })
      })

    return {
      create: (parameters) =>
        Effect.match(
          ask((client) => client.messages.create(parameters)),
          { onSuccess: ({ sid }): Reply => taken(sid), onFailure: (reply) => reply }
        ),
      account: Effect.match(
        ask((client) => client.api.v2010.accounts(accountSid).fetch()),
        { onSuccess: accountOf, onFailure: (reply): AccountReply => reply }
      )
    }
  })
