import {
  BilledBy,
  bulkRange,
  isCurrency,
  lookupsRange,
  nearestName,
  retentionRange,
  SettingsFields
} from "@countersign/core"
import {
  isChannelName as isName,
  knownChannels,
  knownVerifiers,
  lineFacts,
  nameForm,
  type OptionProblem
} from "@countersign/core/channel"
import { Effect, Layer, Result, Schema } from "effect"
import * as ClientAddress from "./ClientAddress.ts"
import * as Logging from "./Logging.ts"
import * as PlainClock from "./PlainClock.ts"
import { decoder } from "./Routes.ts"
import { isSource } from "./Source.ts"
import * as Tracing from "./Tracing.ts"

type Unknown = { readonly [name: string]: unknown }

const isObject = (value: unknown): value is Unknown => typeof value === "object" && value !== null
const isText = (value: unknown): value is string => typeof value === "string" && value !== ""

/** All options. */
const known: ReadonlyArray<string> = [
  "storage",
  "channels",
  "carriers",
  "verifiers",
  "lineInfo",
  "lineLookupsPerHour",
  "dashboard",
  "webhooks",
  "onEvent",
  "secret",
  "previousSecrets",
  "baseUrl",
  "name",
  "environment",
  "keys",
  "campaignsPerSecond",
  "billing",
  "checkCaptcha",
  "settings",
  "retention",
  "basePath",
  "trustedProxies",
  "clientAddress",
  "metrics",
  "logger",
  "tracer",
  "clock"
]

/** Names that people know from other libraries or earlier versions, and today's option. */
const otherNames: { readonly [name: string]: string } = {
  publicUrl: "baseUrl",
  provers: "verifiers",
  prefix: "basePath",
  passkeys: "dashboard.passkeys",
  identityProvider: "dashboard.oidc",
  oidc: "dashboard.oidc",
  currency: "billing.currency",
  billedBy: "billing.billedBy",
  appName: "name",
  "retention.verifications": "retention.verificationDays",
  "retention.events": "retention.eventDays"
}

const secretProblem =
  "must be 32 bytes as base64url (43 characters) or hex (64): generate one with `openssl rand -hex 32`, and store it"
const isSecret = (value: unknown) =>
  typeof value === "string" && /^([0-9a-fA-F]{64}|[A-Za-z0-9_-]{43}=?)$/.test(value.trim())

/** Collects problems by option. No problem contains a value that could be a secret. */
class Problems {
  readonly list: Array<OptionProblem>
  readonly #told: ReadonlySet<string>
  /** Further problems of an option in `known` are dropped. */
  constructor(known: ReadonlyArray<OptionProblem>) {
    this.list = [...known]
    this.#told = new Set(known.map(({ option }) => option))
  }
  add(option: string, problem: string): void {
    if (!this.#told.has(option)) this.list.push({ option, problem })
  }
  /** Whether an option that starts with this name has a problem. */
  has(start: string): boolean {
    return this.list.some(({ option }) => option.startsWith(start))
  }
  require(holds: boolean, option: string, problem: string): void {
    if (!holds) this.add(option, problem)
  }
}

const isWeb = (value: unknown) => typeof value === "string" && /^https?:$/.test(URL.parse(value)?.protocol ?? "")

const keyForms = {
  clientId: [/^[\w.-]{8,128}$/, "must be 8 to 128 letters, digits, dots, dashes or underscores"],
  clientSecret: [/^[^]{16,}$/, "must be at least 16 characters"],
  publicKey: [/^[\w.-]{8,128}$/, "must be 8 to 128 letters, digits, dots, dashes or underscores"]
} as const

const checkKeys = (problems: Problems, keys: unknown): void => {
  if (!isObject(keys))
    return problems.add("keys", "must have live and test, each with clientId, clientSecret, publicKey")
  for (const kind of ["live", "test"]) {
    const set = keys[kind]
    if (!isObject(set)) {
      problems.add(`keys.${kind}`, "is missing: set clientId, clientSecret and publicKey")
      continue
    }
    for (const [name, [form, problem]] of Object.entries(keyForms)) {
      const value = set[name]
      problems.require(typeof value === "string" && form.test(value), `keys.${kind}.${name}`, problem)
    }
  }
}

const checkName = (problems: Problems, option: string, name: unknown): void => {
  if (knownVerifiers.some((verifier) => verifier === name)) {
    return problems.add(option, `is a number verifier, not a channel: move it to verifiers`)
  }
  if (isName(name)) return
  const meant = typeof name === "string" && isName(name.toUpperCase()) ? `: did you mean ${name.toUpperCase()}?` : ""
  problems.add(option, `must be one of ${knownChannels.join(", ")}, or your own name of ${nameForm}${meant}`)
}

const checkChannels = (problems: Problems, channels: unknown): void => {
  if (!Array.isArray(channels)) return problems.add("channels", "must be an array, which may be empty")
  channels.forEach((channel: unknown, i) => {
    if (!isObject(channel))
      return problems.add(`channels[${i}]`, "must be { name, send }, or the result of twilio({ … })")
    if (isSource(channel)) return
    checkName(problems, `channels[${i}].name`, channel["name"])
    problems.require(typeof channel["send"] === "function", `channels[${i}].send`, "must be a function")
  })
}

const checkVerifiers = (problems: Problems, verifiers: unknown): void => {
  if (verifiers === undefined) return
  if (!Array.isArray(verifiers)) return problems.add("verifiers", "must be an array")
  verifiers.forEach((verifier: unknown, i) => {
    if (!isObject(verifier)) return problems.add(`verifiers[${i}]`, "must be the result of truecaller({ … })")
    if (isSource(verifier)) return
    problems.require(isName(verifier["name"]), `verifiers[${i}].name`, `must be ${nameForm}`)
    problems.require(Schema.isSchema(verifier["payload"]), `verifiers[${i}].payload`, "must be an Effect schema")
    problems.require(typeof verifier["verify"] === "function", `verifiers[${i}].verify`, "must be a function")
  })
}

const checkLineInfo = (problems: Problems, providers: unknown): void => {
  if (providers === undefined) return
  if (!Array.isArray(providers)) return problems.add("lineInfo", "must be an array")
  providers.forEach((provider: unknown, i) => {
    if (!isObject(provider)) return problems.add(`lineInfo[${i}]`, "must be the result of camara({ … })")
    if (isSource(provider)) return
    problems.require(isText(provider["provider"]), `lineInfo[${i}].provider`, "must be the provider's name")
    const { facts } = provider
    const isKnown = Array.isArray(facts) && facts.every((fact: unknown) => lineFacts.some((known) => known === fact))
    problems.require(isKnown, `lineInfo[${i}].facts`, `must be an array of ${lineFacts.join(", ")}`)
    problems.require(typeof provider["lookUp"] === "function", `lineInfo[${i}].lookUp`, "must be a function")
  })
}

/** Recognises an adapter by one of its methods, because only its own `make` creates it. */
const checkAdapter = (problems: Problems, option: string, given: unknown, method: string, maker: string): void =>
  problems.require(
    given === undefined || (isObject(given) && typeof given[method] === "function"),
    option,
    `must be the result of ${maker}`
  )

const checkSettings = (problems: Problems, settings: unknown): void => {
  if (!isObject(settings)) return problems.add("settings", "must be an object of settings")
  for (const [name, value] of Object.entries(settings)) {
    if (!Object.hasOwn(SettingsFields, name)) {
      const meant = nearestName(name, Object.keys(SettingsFields))
      problems.add(`settings.${name}`, `is not a setting${meant === null ? "" : `: did you mean ${meant}?`}`)
      continue
    }
    const field: Schema.Top = SettingsFields[name as keyof typeof SettingsFields]
    const decoded = decoder(Schema.Struct({ [name]: field }), name)({ [name]: value })
    if (Result.isFailure(decoded)) {
      const { field, problem } = decoded.failure
      problems.add(`settings.${field}`, typeof value === "number" ? `is ${value}: ${problem}` : problem)
    }
  }
}

const checkSecrets = (problems: Problems, secret: unknown, previous: unknown): void => {
  // An Effect is a secret that Countersign itself stores, so it needs no check.
  problems.require(isSecret(secret) || Effect.isEffect(secret), "secret", secretProblem)
  if (previous === undefined) return
  if (!Array.isArray(previous)) return problems.add("previousSecrets", "must be an array of secrets")
  previous.forEach((one: unknown, i) => problems.require(isSecret(one), `previousSecrets[${i}]`, secretProblem))
}

/** Checks the names in a group of options and returns the group. */
const checkGroup = (problems: Problems, group: string, given: unknown, fields: ReadonlyArray<string>): Unknown => {
  if (given === undefined) return {}
  if (!isObject(given)) {
    problems.add(group, `must be an object of ${fields.join(" and ")}`)
    return {}
  }
  for (const name of Object.keys(given)) checkOptionName(problems, name, fields, `${group}.`)
  return given
}

/** Reports an unknown option, with the one that was probably meant. */
const checkOptionName = (problems: Problems, name: string, names: ReadonlyArray<string>, group = ""): void => {
  if (names.includes(name)) return
  const option = `${group}${name}`
  const now = otherNames[option]
  const meant = nearestName(name, names)
  if (now !== undefined) problems.add(option, `is now called ${now}`)
  else problems.add(option, `is not an option${meant === null ? "" : `: did you mean ${group}${meant}?`}`)
}

const checkRetention = (problems: Problems, retention: unknown): void => {
  const names = ["verificationDays", "eventDays"]
  const given = checkGroup(problems, "retention", retention, names)
  if (!isObject(retention) || problems.has("retention.")) return
  const { least, most } = retentionRange
  for (const name of names) {
    const value = given[name]
    const fits = Number.isInteger(value) && Number(value) >= least && Number(value) <= most
    problems.require(fits, `retention.${name}`, `must be a whole number of days from ${least} to ${most}`)
  }
}

const checkProxies = (problems: Problems, proxies: unknown): void => {
  if (!Array.isArray(proxies)) return problems.add("trustedProxies", "must be an array")
  proxies.forEach((proxy: unknown, i) => {
    const read = typeof proxy === "string" && Result.isSuccess(ClientAddress.parseProxies([proxy]))
    problems.require(read, `trustedProxies[${i}]`, `must be ${ClientAddress.proxyForms}`)
  })
}

const storageProblem =
  "must be a storage: MemoryStorage.layer, PgStorage.layer({ url }) or PgStorage.layerEmbedded({ directory })"

/**
 * Validates the options of `Countersign.make` at run time, because JavaScript callers have no types. Returns all problems
 * by option, after those in `before`.
 */
export const checkMakeOptions = (
  given: unknown,
  before: ReadonlyArray<OptionProblem> = []
): ReadonlyArray<OptionProblem> => {
  const problems = new Problems(before)
  const options: Unknown = isObject(given) ? given : {}
  for (const name of Object.keys(options)) checkOptionName(problems, name, known)
  const {
    basePath,
    baseUrl,
    campaignsPerSecond,
    checkCaptcha,
    clientAddress,
    environment,
    keys,
    metrics,
    name,
    onEvent,
    settings,
    trustedProxies,
    webhooks
  } = options
  problems.require(Layer.isLayer(options["storage"]), "storage", storageProblem)
  checkChannels(problems, options["channels"])
  checkVerifiers(problems, options["verifiers"])
  checkLineInfo(problems, options["lineInfo"])
  const { lineLookupsPerHour } = options
  problems.require(
    lineLookupsPerHour === undefined ||
      (Number.isInteger(lineLookupsPerHour) &&
        Number(lineLookupsPerHour) >= lookupsRange.least &&
        Number(lineLookupsPerHour) <= lookupsRange.most),
    "lineLookupsPerHour",
    `must be a whole number from ${lookupsRange.least} to ${lookupsRange.most}`
  )
  const { oidc, passkeys } = checkGroup(problems, "dashboard", options["dashboard"], ["passkeys", "oidc"])
  checkAdapter(problems, "dashboard.passkeys", passkeys, "creation", "Passkeys.make")
  checkAdapter(problems, "dashboard.oidc", oidc, "start", "Oidc.make")
  problems.require(onEvent === undefined || typeof onEvent === "function", "onEvent", "must be a function")
  problems.require(webhooks === undefined || Layer.isLayer(webhooks), "webhooks", "must be HttpWebhookSender.layer()")
  checkSecrets(problems, options["secret"], options["previousSecrets"])
  problems.require(baseUrl === undefined || isWeb(baseUrl), "baseUrl", "must be an http or https URL")
  problems.require(name === undefined || isText(name), "name", "must be a text and not empty")
  problems.require([undefined, "live", "test"].includes(environment as string), "environment", "must be live or test")
  if (keys !== undefined) checkKeys(problems, keys)
  const { billedBy, currency } = checkGroup(problems, "billing", options["billing"], ["currency", "billedBy"])
  problems.require(
    currency === undefined || (isText(currency) && isCurrency(currency)),
    "billing.currency",
    "must be an ISO 4217 currency code in upper case, such as INR"
  )
  problems.require(
    [undefined, ...BilledBy].includes(billedBy as BilledBy),
    "billing.billedBy",
    `must be ${BilledBy.join(" or ")}`
  )
  const { least, most } = bulkRange
  const isRate = typeof campaignsPerSecond === "number" && campaignsPerSecond >= least && campaignsPerSecond <= most
  problems.require(
    campaignsPerSecond === undefined || isRate,
    "campaignsPerSecond",
    `must be a number from ${least} to ${most}`
  )
  problems.require(
    checkCaptcha === undefined || typeof checkCaptcha === "function",
    "checkCaptcha",
    "must be a function"
  )
  if (settings !== undefined) checkSettings(problems, settings)
  problems.require(
    basePath === undefined || typeof basePath === "string",
    "basePath",
    "must be a path, such as /verify"
  )
  if (options["retention"] !== undefined) checkRetention(problems, options["retention"])
  if (trustedProxies !== undefined) checkProxies(problems, trustedProxies)
  problems.require(
    clientAddress === undefined || typeof clientAddress === "function",
    "clientAddress",
    "must be a function"
  )
  problems.require(metrics === undefined || typeof metrics === "boolean", "metrics", "must be true or false")
  const surroundings = { logger: Logging.problemOf, tracer: Tracing.problemOf, clock: PlainClock.problemOf }
  for (const [name, problemOf] of Object.entries(surroundings)) {
    const problem = options[name] === undefined ? null : problemOf(options[name])
    if (problem !== null) problems.add(name, problem)
  }
  return problems.list
}
