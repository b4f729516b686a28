import { Clock, Effect, FiberSet, Result, Schema, type Scope } from "effect"
import { randomBytes } from "node:crypto"
import type { ProviderDouble, Seen } from "../channel/ProviderDouble.ts"
import { listen } from "../channel/ProviderServer.ts"
import { compose, type CustomerFile, type CustomerLetter, type CustomerMessage } from "./WhatsAppCustomer.ts"
import { graphError } from "./WhatsAppError.ts"
import {
  fileNode,
  type GraphRequest,
  healthyNumber,
  manage,
  opened,
  unknownObject,
  type WhatsAppAccount,
  type WhatsAppNumber
} from "./WhatsAppGraph.ts"
import { type Content, readMessage, type WhatsAppTemplate } from "./WhatsAppMessage.ts"
import { errorOf, modeOf, takes, type WhatsAppMode } from "./WhatsAppMode.ts"
import { scripts, type WhatsAppScript } from "./WhatsAppScript.ts"
import { type Answer, answering } from "./WhatsAppExchange.ts"
import {
  entriesOf,
  envelope,
  envelopeOf,
  letterValues,
  makePoster,
  statusValues,
  subscribes,
  valueOf,
  type WhatsAppHook,
  type WhatsAppMessage,
  type WhatsAppStatus,
  type WhatsAppUpdate
} from "./WhatsAppWebhook.ts"

export type { CustomerLetter, CustomerMessage } from "./WhatsAppCustomer.ts"
export type { WhatsAppNumber } from "./WhatsAppGraph.ts"
export type { WhatsAppTemplate } from "./WhatsAppMessage.ts"
export type { WhatsAppMode } from "./WhatsAppMode.ts"
export { scripts, type WhatsAppScript, type WhatsAppStep } from "./WhatsAppScript.ts"
export type { WhatsAppHook, WhatsAppMessage, WhatsAppStatus, WhatsAppUpdate } from "./WhatsAppWebhook.ts"
export { encode, sign } from "./WhatsAppWebhook.ts"

/** All options have defaults. */
export interface Options {
  /** By default a free port. */
  readonly port?: number
  readonly phoneNumberIds?: ReadonlyArray<string>
  readonly wabaId?: string
  readonly accessToken?: string
  readonly appSecret?: string
  readonly verifyToken?: string
  /** Default `login_code` in `en`. */
  readonly templates?: ReadonlyArray<WhatsAppTemplate>
  /** The country code of the business, which Meta adds to a number without a plus. Default `91`. */
  readonly countryCode?: string
  /** Where webhooks are sent. */
  readonly callbackUrl?: string
  /** The reports of each message. Default `scripts.delivered`; with `scripts.silent` you report by hand. */
  readonly script?: WhatsAppScript | ((message: WhatsAppMessage) => WhatsAppScript)
  /** How often a webhook is resent until it is answered with 200. Default 5. */
  readonly retries?: number
  /**
   * Whether plain text is accepted for every recipient, and not only for those who wrote within the last 24 hours.
   * Default false.
   */
  readonly alwaysOpen?: boolean
}

/** Another business account with its own token: a merchant's. */
export interface AccountOptions {
  readonly wabaId: string
  readonly accessToken: string
  readonly phoneNumberIds: ReadonlyArray<string>
  /** Default none. */
  readonly templates?: ReadonlyArray<WhatsAppTemplate>
}

/** A customer's message that the simulator cannot parse. */
export class InvalidCustomerMessage extends Schema.TaggedError<InvalidCustomerMessage>()("InvalidCustomerMessage", {
  problem: Schema.String
}) {
  override get message(): string {
    return this.problem
  }
}

/** A person with WhatsApp. Each method delivers its webhook before it ends, and returns the message's id. */
export interface WhatsAppCustomer {
  readonly says: (text: string, more?: CustomerMessage) => Effect.Effect<string, InvalidCustomerMessage>
  /** Pictures, pressed buttons, reactions: `sends({ image: { caption: "Look" } })`. */
  readonly sends: (message: CustomerMessage) => Effect.Effect<string, InvalidCustomerMessage>
}

/** A simulated Cloud API. */
export interface WhatsAppSimulator extends ProviderDouble {
  readonly wabaId: string
  readonly phoneNumberIds: ReadonlyArray<string>
  readonly accessToken: string
  readonly appSecret: string
  readonly verifyToken: string
  /** Sets how later messages are treated: from one number, or from all numbers without a mode of their own. */
  readonly mode: (mode: WhatsAppMode, phoneNumberId?: string) => Effect.Effect<void>
  /** Every accepted message, oldest first. */
  readonly messages: Effect.Effect<ReadonlyArray<WhatsAppMessage>>
  /** Every other call, such as `GET /106540352242922`, oldest first. */
  readonly calls: Effect.Effect<ReadonlyArray<string>>
  readonly callbackTo: (url: string | null) => Effect.Effect<void>
  /** Verifies the callback as Meta does before it subscribes. Returns whether the callback passed. */
  readonly subscribe: Effect.Effect<boolean>
  /** Reports the status of a message. Returns your service's HTTP status; 0 when it did not respond. */
  readonly report: (wamid: string, status: WhatsAppStatus, errorCode?: number) => Effect.Effect<number>
  /** Reports any number of updates in one webhook, in this order, repetitions included. */
  readonly reportAll: (updates: ReadonlyArray<WhatsAppUpdate>) => Effect.Effect<number>
  /** Sends any other webhook: the `value` of a change, to which the simulator adds the number's metadata. */
  readonly notify: (value: { readonly [name: string]: unknown }, field?: string) => Effect.Effect<number>
  /** Every webhook sent so far. */
  readonly hooks: Effect.Effect<ReadonlyArray<WhatsAppHook>>
  /**
   * A customer who writes from this number. `about` may set their name, their id, and which of our numbers they write
   * to.
   */
  readonly customer: (from: string, about?: Pick<CustomerMessage, "name" | "to" | "userId">) => WhatsAppCustomer
  /**
   * Creates a customer's action from the body of `POST /simulator/messages` without delivering it, for tests that lose,
   * repeat or reorder.
   */
  readonly letter: (message: unknown) => Effect.Effect<CustomerLetter, InvalidCustomerMessage>
  /** Delivers letters in one webhook, in this order. Returns your service's HTTP status; 0 when it did not respond. */
  readonly deliver: (letters: ReadonlyArray<CustomerLetter>) => Effect.Effect<number>
  /** Deletes the file. */
  readonly forgetFile: (mediaId: string) => Effect.Effect<void>
  readonly addAccount: (account: AccountOptions) => Effect.Effect<void>
  /** Revokes the token. */
  readonly revoke: (accessToken: string) => Effect.Effect<void>
  /** The business accounts that the app is subscribed to. The first is subscribed from the start. */
  readonly subscribed: Effect.Effect<ReadonlyArray<string>>
  readonly setNumber: (phoneNumberId: string, state: Partial<WhatsAppNumber>) => Effect.Effect<void>
  /** Adds a template, or replaces the one with this name and language. */
  readonly setTemplate: (template: WhatsAppTemplate, wabaId?: string) => Effect.Effect<void>
  /** The current template; undefined when there is none. */
  readonly template: (name: string, language: string) => Effect.Effect<WhatsAppTemplate | undefined>
}

const slowly = 300
/** How long plain text may follow a customer's message. */
const dayMillis = 24 * 60 * 60 * 1_000

const recipientIn = (body: unknown): string => {
  if (typeof body !== "object" || body === null) return ""
  if ("to" in body) return String(body.to)
  return "recipient" in body ? String(body.recipient) : ""
}

/**
 * Starts Meta's Cloud API on 127.0.0.1, for tests of anything that sends codes over WhatsApp. It checks tokens and
 * messages as strictly as Meta, stores accepted messages, and reports back with signed webhooks. It ends with its
 * scope, and its delays follow Effect's clock, so that a test can move them.
 *
 * Customers write through `customer`. Over HTTP, POST `{"from":"+919812345678","text":"Hi"}` to `/simulator/messages`,
 * which returns `{"messageId"}`.
 *
 * @example
 * ```ts
 * import { WhatsAppSimulator } from "@countersign/testkit/simulators"
 * import { Effect } from "effect"
 *
 * const test = Effect.gen(function* () {
 *   const meta = yield* WhatsAppSimulator.make({ callbackUrl: "http://127.0.0.1:8080/v1/callbacks/whatsapp" })
 *   // Start your service with WHATSAPP_API_URL=meta.url and log in; then:
 *   const [message] = yield* meta.messages
 *   yield* meta.report(message!.wamid, "failed", 131026)
 *   yield* meta.customer("+919812345678", { name: "Asha" }).says("It did not arrive")
 * }).pipe(Effect.scoped)
 * ```
 */
export const make = Effect.fnUntraced(function* (
  options: Options = {}
): Effect.fn.Return<WhatsAppSimulator, never, Scope.Scope> {
  const { countryCode = "91", script = scripts.delivered } = options
  const first: WhatsAppAccount = {
    wabaId: options.wabaId ?? "102290129340398",
    accessToken: options.accessToken ?? "EAAGsimulatedAccessToken",
    numbers: new Map((options.phoneNumberIds ?? ["106540352242922"]).map((id) => [id, healthyNumber])),
    templates: [...(options.templates ?? [{ name: "login_code", language: "en" }])],
    isSubscribed: true,
    isRevoked: false
  }
  const accounts = [first]
  const accountOf = (phoneNumberId: string) => accounts.find(({ numbers }) => numbers.has(phoneNumberId))
  const clock = yield* Clock.Clock
  const appSecret = options.appSecret ?? "simulated_app_secret_0123456789"
  const verifyToken = options.verifyToken ?? "simulated_verify_token"
  const seen: Array<Seen> = []
  const calls: Array<string> = []
  const messages = new Map<string, WhatsAppMessage>()
  const modes = new Map<string, WhatsAppMode>()
  let usual: WhatsAppMode = "accepted"
  let callbackUrl = options.callbackUrl ?? null

  const run = yield* FiberSet.makeRuntime<never, void, never>()
  const fork = (effect: Effect.Effect<void>) => void run(effect)
  const poster = makePoster({ appSecret, callbackUrl: () => callbackUrl, retries: options.retries ?? 5, fork })
  /** Sends the values of numbers whose account is subscribed. Returns 0 when there is none. */
  const send = (values: ReadonlyMap<string, unknown>) => {
    const heard = [...values].filter(([id]) => accountOf(id)?.isSubscribed === true)
    const entries = entriesOf(heard, (id) => accountOf(id)!.wabaId)
    return entries.length === 0 ? Effect.succeed(0) : poster.post(envelopeOf(entries))
  }
  const reportAll = (updates: ReadonlyArray<WhatsAppUpdate>) =>
    Effect.flatMap(
      statusValues(updates, (wamid) => messages.get(wamid)),
      send
    )

  const files = new Map<string, CustomerFile>()
  /** When each customer last wrote to each number. */
  const wrote = new Map<string, number>()
  const displayOf = (phoneNumberId: string) =>
    accountOf(phoneNumberId)?.numbers.get(phoneNumberId)?.display_phone_number

  const letterNow = (given: unknown): Result.Result<CustomerLetter, string> => {
    const [usualNumber = ""] = first.numbers.keys()
    const made = compose(given, { displayOf, now: clock.currentTimeMillisUnsafe(), usual: usualNumber })
    if (Result.isSuccess(made) && made.success.file !== null) files.set(made.success.file.id, made.success.file)
    return made
  }
  const letter = (given: unknown) =>
    Effect.suspend(() =>
      Result.match(letterNow(given), {
        onSuccess: (made) => Effect.succeed(made),
        onFailure: (problem) => Effect.fail(new InvalidCustomerMessage({ problem }))
      })
    )
  const deliver = (letters: ReadonlyArray<CustomerLetter>) =>
    Effect.suspend(() => {
      for (const { at, phoneNumberId, writer } of letters) {
        const key = `${phoneNumberId} ${writer}`
        wrote.set(key, Math.max(at, wrote.get(key) ?? at))
      }
      return send(letterValues(letters, (id) => displayOf(id) ?? ""))
    })
  const sends = (message: CustomerMessage) =>
    Effect.gen(function* () {
      const made = yield* letter(message)
      yield* deliver([made])
      return made.id
    })

  const isOpen = (phoneNumberId: string, { userId, waId }: Pick<Content, "userId" | "waId">) =>
    options.alwaysOpen === true ||
    clock.currentTimeMillisUnsafe() - (wrote.get(`${phoneNumberId} ${userId ?? waId}`) ?? -dayMillis) < dayMillis

  const enact = (message: WhatsAppMessage) => {
    for (const { after, ...step } of typeof script === "function" ? script(message) : script) {
      fork(Effect.asVoid(Effect.delay(reportAll([{ wamid: message.wamid, ...step }]), after)))
    }
  }

  /** The content of a send request, or its error. */
  const judged = (phoneNumberId: string, { authorization, body, method }: GraphRequest, mode: WhatsAppMode) => {
    const open = opened(accounts, authorization)
    if ("status" in open) return open
    const account = open.find(({ numbers }) => numbers.has(phoneNumberId))
    if (account === undefined) return unknownObject(method, phoneNumberId)
    const { templates } = account
    return (
      errorOf(mode) ??
      readMessage(body, { templates, countryCode, isOpen: (recipient) => isOpen(phoneNumberId, recipient) })
    )
  }

  const take = (phoneNumberId: string, request: GraphRequest, raw: string): Answer => {
    const mode = modes.get(phoneNumberId) ?? usual
    const content = judged(phoneNumberId, request, mode)
    const taken = !("status" in content) && takes(mode)
    const wamid = `wamid.HBgM${randomBytes(24).toString("base64")}`
    seen.push({ to: recipientIn(request.body), raw, providerId: taken ? wamid : null })
    if ("status" in content) return { _tag: "Json", ...content }
    if (!taken) return mode === "hanging" ? { _tag: "Nothing" } : { _tag: "Reset" }
    const message: WhatsAppMessage = { ...content, wamid, phoneNumberId }
    messages.set(wamid, message)
    enact(message)
    if (mode === "acceptThenDrop") return { _tag: "Reset" }
    if (mode === "garbled") return { _tag: "Page" }
    const { to: input, userId, waId } = content
    const answer = {
      messaging_product: "whatsapp",
      contacts: [userId === null ? { input, wa_id: waId } : { input, user_id: userId }],
      messages: [{ id: wamid, message_status: "accepted" }]
    }
    return { _tag: "Json", status: 200, body: answer, ...(mode === "slow" ? { afterMillis: slowly } : {}) }
  }

  /** `POST /simulator/messages`: delivers a customer's action. */
  const played = ({ body, method, path }: GraphRequest): Answer => {
    if (path.join("/") !== "messages" || method !== "POST") {
      return { _tag: "Json", status: 404, body: { message: "POST to /simulator/messages what a customer does" } }
    }
    const made = letterNow(body)
    if (Result.isFailure(made)) return { _tag: "Json", status: 400, body: { message: made.failure } }
    fork(Effect.asVoid(deliver([made.success])))
    return { _tag: "Json", status: 200, body: { messageId: made.success.id } }
  }

  /** `POST /{phone number id}/media`: keeps an uploaded file for the number. */
  const keep = async (phoneNumberId: string, { authorization, form, method }: GraphRequest): Promise<Answer> => {
    const fields = await form()
    const open = opened(accounts, authorization)
    if ("status" in open) return { _tag: "Json", ...open }
    if (!open.some(({ numbers }) => numbers.has(phoneNumberId)))
      return { _tag: "Json", ...unknownObject(method, phoneNumberId) }
    const [file, mimeType] = [fields?.get("file"), fields?.get("type")]
    if (fields?.get("messaging_product") !== "whatsapp")
      return { _tag: "Json", ...graphError(100, { details: "The parameter messaging_product is required." }) }
    if (!(file instanceof File) || typeof mimeType !== "string" || file.type !== mimeType)
      return {
        _tag: "Json",
        ...graphError(100, { details: "Param file must be a file with one of the supported types" })
      }
    const id = String(randomBytes(6).readUIntBE(0, 6))
    files.set(id, { id, phoneNumberId, mimeType, bytes: new Uint8Array(await file.arrayBuffer()) })
    return { _tag: "Json", status: 200, body: { id } }
  }

  const answer = (request: GraphRequest, raw: string): Answer | Promise<Answer> => {
    const { authorization, body, method, path, query } = request
    if (request.isOwn) return played(request)
    const [id = "", edge] = path
    if (edge === "messages" && method === "POST") {
      return body === undefined
        ? { _tag: "Json", ...graphError(100, { details: "Invalid JSON" }) }
        : take(id, request, raw)
    }
    calls.push(`${method} /${path.join("/")}`)
    if (edge === "media" && method === "POST") return keep(id, request)
    const open = opened(accounts, authorization)
    if ("status" in open) return { _tag: "Json", ...open }
    const isBytes = path.join("/") === "whatsapp_business/attachments"
    const file = files.get((isBytes ? query.get("mid") : id) ?? "")
    const visible = open.some(({ numbers }) => numbers.has(file?.phoneNumberId ?? "")) ? file : undefined
    if (isBytes && visible !== undefined) return { _tag: "Bytes", ...visible }
    return { _tag: "Json", ...(visible !== undefined ? fileNode(visible, request, url) : manage(open, request)) }
  }

  const templateAt = ({ templates }: WhatsAppAccount, name: string, language: string) =>
    templates.findIndex((each) => each.name === name && each.language === language)

  const url = yield* listen(answering(answer), options.port)
  const [firstNumber = ""] = first.numbers.keys()

  return {
    url,
    wabaId: first.wabaId,
    phoneNumberIds: [...first.numbers.keys()],
    accessToken: first.accessToken,
    appSecret,
    verifyToken,
    play: (behaviour) =>
      Effect.sync(() => {
        usual = modeOf(behaviour)
      }),
    mode: (mode, phoneNumberId) =>
      Effect.sync(() => {
        if (phoneNumberId === undefined) usual = mode
        else modes.set(phoneNumberId, mode)
      }),
    seen: Effect.sync(() => [...seen]),
    messages: Effect.sync(() => [...messages.values()]),
    calls: Effect.sync(() => [...calls]),
    callbackTo: (next) =>
      Effect.sync(() => {
        callbackUrl = next
      }),
    subscribe: Effect.suspend(() =>
      callbackUrl === null ? Effect.succeed(false) : subscribes(callbackUrl, verifyToken)
    ),
    report: (wamid, status, errorCode) => reportAll([{ wamid, status, errorCode }]),
    reportAll,
    notify: (value, field = "messages") =>
      poster.post(envelope(first.wabaId, [{ field, value: valueOf(firstNumber, value) }])),
    hooks: poster.hooks,
    customer: (from, about = {}) => ({
      says: (text, more = {}) => sends({ from, ...about, ...more, text }),
      sends: (message) => sends({ from, ...about, ...message })
    }),
    letter,
    deliver,
    forgetFile: (mediaId) => Effect.sync(() => void files.delete(mediaId)),
    addAccount: ({ accessToken, phoneNumberIds, templates = [], wabaId }) =>
      Effect.sync(() => {
        const numbers = new Map(phoneNumberIds.map((id) => [id, healthyNumber]))
        accounts.push({
          wabaId,
          accessToken,
          numbers,
          templates: [...templates],
          isSubscribed: false,
          isRevoked: false
        })
      }),
    revoke: (accessToken) =>
      Effect.sync(() => {
        for (const account of accounts) if (account.accessToken === accessToken) account.isRevoked = true
      }),
    subscribed: Effect.sync(() => accounts.filter(({ isSubscribed }) => isSubscribed).map(({ wabaId }) => wabaId)),
    setNumber: (id, state) =>
      Effect.sync(() => {
        const { numbers } = accountOf(id) ?? first
        numbers.set(id, { ...(numbers.get(id) ?? healthyNumber), ...state })
      }),
    setTemplate: (template, wabaId) =>
      Effect.sync(() => {
        const account = accounts.find((each) => each.wabaId === wabaId) ?? first
        const at = templateAt(account, template.name, template.language)
        account.templates.splice(at < 0 ? account.templates.length : at, 1, template)
      }),
    template: (name, language) => Effect.sync(() => first.templates[templateAt(first, name, language)])
  }
})
