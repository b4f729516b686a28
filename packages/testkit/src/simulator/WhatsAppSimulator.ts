import { Effect, FiberSet, type Scope } from "effect"
import { randomBytes } from "node:crypto"
import type { ProviderDouble, Seen } from "../channel/ProviderDouble.ts"
import { graphError } from "./WhatsAppError.ts"
import {
  type GraphRequest,
  healthyNumber,
  manage,
  tokenProblem,
  unknownObject,
  type WhatsAppAccount,
  type WhatsAppNumber
} from "./WhatsAppGraph.ts"
import { readMessage, type WhatsAppTemplate } from "./WhatsAppMessage.ts"
import { errorOf, modeOf, takes, type WhatsAppMode } from "./WhatsAppMode.ts"
import { scripts, type WhatsAppScript } from "./WhatsAppScript.ts"
import { type Answer, listen } from "./WhatsAppServer.ts"
import {
  batchOf,
  envelope,
  makePoster,
  subscribes,
  valueOf,
  type WhatsAppHook,
  type WhatsAppMessage,
  type WhatsAppStatus,
  type WhatsAppUpdate
} from "./WhatsAppWebhook.ts"

export type { WhatsAppNumber } from "./WhatsAppGraph.ts"
export type { WhatsAppTemplate } from "./WhatsAppMessage.ts"
export type { WhatsAppMode } from "./WhatsAppMode.ts"
export { scripts, type WhatsAppScript, type WhatsAppStep } from "./WhatsAppScript.ts"
export type { WhatsAppHook, WhatsAppMessage, WhatsAppStatus, WhatsAppUpdate } from "./WhatsAppWebhook.ts"
export { encode, sign } from "./WhatsAppWebhook.ts"

/** All have defaults. */
export interface Options {
  /** Free unless told. */
  readonly port?: number
  readonly phoneNumberIds?: ReadonlyArray<string>
  readonly wabaId?: string
  readonly accessToken?: string
  readonly appSecret?: string
  readonly verifyToken?: string
  /** `login_code` in `en` unless told. */
  readonly templates?: ReadonlyArray<WhatsAppTemplate>
  /** Of the business: what Meta puts before a number that comes without a plus. `91` unless told. */
  readonly countryCode?: string
  /** Where webhooks go. */
  readonly callbackUrl?: string
  /** What becomes of each message by itself: `scripts.delivered` unless told, `scripts.silent` to report by hand. */
  readonly script?: WhatsAppScript | ((message: WhatsAppMessage) => WhatsAppScript)
  /** How often a webhook is sent again that was not answered with 200. 5 unless told. */
  readonly retries?: number
}

/** A Cloud API of one's own. */
export interface WhatsAppSimulator extends ProviderDouble {
  readonly wabaId: string
  readonly phoneNumberIds: ReadonlyArray<string>
  readonly accessToken: string
  readonly appSecret: string
  readonly verifyToken: string
  /** How messages are treated from the next on: from one number, or from all that have no mode of their own. */
  readonly mode: (mode: WhatsAppMode, phoneNumberId?: string) => Effect.Effect<void>
  /** Every message that was taken, oldest first. */
  readonly messages: Effect.Effect<ReadonlyArray<WhatsAppMessage>>
  /** Every other call, as `GET /106540352242922`, oldest first. */
  readonly calls: Effect.Effect<ReadonlyArray<string>>
  readonly callbackTo: (url: string | null) => Effect.Effect<void>
  /** Asks the callback as Meta does when it subscribes, and says whether it passed. */
  readonly subscribe: Effect.Effect<boolean>
  /** Reports what became of a message, and says how that was answered; 0 when it was not. */
  readonly report: (wamid: string, status: WhatsAppStatus, errorCode?: number) => Effect.Effect<number>
  /** The same for any number of updates in one webhook, in this order, repeated if they are repeated. */
  readonly reportAll: (updates: ReadonlyArray<WhatsAppUpdate>) => Effect.Effect<number>
  /** Any other webhook: the `value` of a change, beside what says which number it is about. */
  readonly notify: (value: { readonly [name: string]: unknown }, field?: string) => Effect.Effect<number>
  /** Every webhook that was sent. */
  readonly hooks: Effect.Effect<ReadonlyArray<WhatsAppHook>>
  readonly setNumber: (phoneNumberId: string, state: Partial<WhatsAppNumber>) => Effect.Effect<void>
  /** Adds a template, or replaces the one of that name and language. */
  readonly setTemplate: (template: WhatsAppTemplate) => Effect.Effect<void>
  /** A template as it is now; undefined when there is none. */
  readonly template: (name: string, language: string) => Effect.Effect<WhatsAppTemplate | undefined>
}

const slowly = 300

/**
 * Starts Meta's Cloud API on 127.0.0.1, for tests of whatever sends codes over WhatsApp. It checks the token and the
 * message as strictly as Meta, keeps what it took, and reports back with signed webhooks. It ends with its scope, and
 * its delays keep to Effect's clock, so that a test can move them.
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
 * }).pipe(Effect.scoped)
 * ```
 */
export const make = Effect.fnUntraced(function* (
  options: Options = {}
): Effect.fn.Return<WhatsAppSimulator, never, Scope.Scope> {
  const { countryCode = "91", script = scripts.delivered } = options
  const account: WhatsAppAccount = {
    wabaId: options.wabaId ?? "102290129340398",
    accessToken: options.accessToken ?? "EAAGsimulatedAccessToken",
    numbers: new Map((options.phoneNumberIds ?? ["106540352242922"]).map((id) => [id, healthyNumber])),
    templates: [...(options.templates ?? [{ name: "login_code", language: "en" }])]
  }
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
  const reportAll = (updates: ReadonlyArray<WhatsAppUpdate>) =>
    Effect.flatMap(
      batchOf(account.wabaId, updates, (wamid) => messages.get(wamid)),
      poster.post
    )

  const enact = (message: WhatsAppMessage) => {
    for (const { after, ...step } of typeof script === "function" ? script(message) : script) {
      fork(Effect.asVoid(Effect.delay(reportAll([{ wamid: message.wamid, ...step }]), after)))
    }
  }

  const take = (phoneNumberId: string, { authorization, body, method }: GraphRequest, raw: string): Answer => {
    const content = readMessage(body, { templates: account.templates, countryCode })
    const mode = modes.get(phoneNumberId) ?? usual
    const problem =
      tokenProblem(account, authorization) ??
      (account.numbers.has(phoneNumberId) ? errorOf(mode) : unknownObject(method, phoneNumberId)) ??
      ("status" in content ? content : null)
    const taken = problem === null && "to" in content && takes(mode)
    const wamid = `wamid.HBgM${randomBytes(24).toString("base64")}`
    const to = typeof body === "object" && body !== null && "to" in body ? String(body.to) : ""
    seen.push({ to, raw, providerId: taken ? wamid : null })
    if (!taken) {
      if (mode === "hanging" && problem === null) return { _tag: "Nothing" }
      return problem === null ? { _tag: "Reset" } : { _tag: "Json", ...problem }
    }
    const message: WhatsAppMessage = { ...content, wamid, phoneNumberId }
    messages.set(wamid, message)
    enact(message)
    if (mode === "acceptThenDrop") return { _tag: "Reset" }
    if (mode === "garbled") return { _tag: "Page" }
    const answer = {
      messaging_product: "whatsapp",
      contacts: [{ input: content.to, wa_id: content.waId }],
      messages: [{ id: wamid, message_status: "accepted" }]
    }
    return { _tag: "Json", status: 200, body: answer, ...(mode === "slow" ? { afterMillis: slowly } : {}) }
  }

  const answer = (request: GraphRequest, raw: string): Answer => {
    const { authorization, body, method, path } = request
    const [id = "", edge] = path
    if (edge === "messages" && method === "POST") {
      return body === undefined
        ? { _tag: "Json", ...graphError(100, { details: "Invalid JSON" }) }
        : take(id, request, raw)
    }
    calls.push(`${method} /${path.join("/")}`)
    return { _tag: "Json", ...(tokenProblem(account, authorization) ?? manage(account, request)) }
  }

  const templateAt = (name: string, language: string) =>
    account.templates.findIndex((each) => each.name === name && each.language === language)

  const url = yield* listen(options.port ?? 0, answer)
  const [firstNumber = ""] = account.numbers.keys()

  return {
    url,
    wabaId: account.wabaId,
    phoneNumberIds: [...account.numbers.keys()],
    accessToken: account.accessToken,
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
      poster.post(envelope(account.wabaId, [{ field, value: valueOf(firstNumber, value) }])),
    hooks: poster.hooks,
    setNumber: (id, state) =>
      Effect.sync(() => void account.numbers.set(id, { ...(account.numbers.get(id) ?? healthyNumber), ...state })),
    setTemplate: (template) =>
      Effect.sync(() => {
        const at = templateAt(template.name, template.language)
        account.templates.splice(at < 0 ? account.templates.length : at, 1, template)
      }),
    template: (name, language) => Effect.sync(() => account.templates[templateAt(name, language)])
  }
})
