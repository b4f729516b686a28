import { Clock, Effect, Schema } from "effect"
import { type ChannelName, knownChannels } from "../../foundation/delivery/ChannelName.ts"
import { InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import { problemOfIssue } from "../../foundation/identity/problemOfIssue.ts"
import { auditChange, type AuditTarget, differing, type Doer } from "../../foundation/outbox/AuditEntry.ts"
import { noRecords } from "../../foundation/outbox/Change.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import { BilledByOperator, type BillingRules } from "./BillingRules.ts"
import type { SignedIn } from "./Caller.ts"
import type { PasskeyRule } from "./PasskeyRule.ts"
import { logoBytes } from "./brandLogo.ts"
import { guardRefusal } from "./guardRefusal.ts"
import type { EnvironmentKind } from "./Merchant.ts"
import type { MerchantStore } from "./MerchantStore.ts"
import { logoHash } from "./logoAddress.ts"
import { contradiction } from "./settingsTogether.ts"
import { nearestName } from "./nearestName.ts"
import { defaultSettings, type Settings, SettingsFields } from "./Settings.ts"

const decodeSetting = Object.fromEntries(
  Object.entries(SettingsFields).map(([name, field]) => [
    name,
    // Otherwise a misspelt channel or prefix would be dropped together with its price.
    Schema.decodeUnknownEffect(field as Schema.Codec<unknown>, { onExcessProperty: "error" })
  ])
) as { readonly [name: string]: (value: unknown) => Effect.Effect<unknown, Schema.SchemaError> }

/** The error for an unknown name. */
const longestShown = 64

const unknownSetting = (name: string) => {
  const meant = nearestName(name, Object.keys(decodeSetting))
  return invalidField(
    name.slice(0, longestShown),
    meant === null ? Problem.of("SETTING_UNKNOWN") : Problem.of("SETTING_MEANT", { meant })
  )
}

const strangeName = (setting: string, path: ReadonlyArray<string>): Problem.Problem => {
  if (path.includes("prefixes")) return Problem.of("PREFIX")
  const isOfChannel = path.length === 1 && (setting === "prices" || setting === "dailyCap")
  return isOfChannel ? Problem.of("CHANNEL_UNKNOWN", { values: knownChannels.join(", ") }) : Problem.of("NAME_UNKNOWN")
}

/** Validation errors, by the path of the invalid part: `prices.SMS.prefixes.977`. */
const invalidSetting = (name: string, { issue }: Schema.SchemaError): InvalidField => {
  const { isStrange, path, problem } = problemOfIssue(issue)
  const inside = path.map((segment) => segment.slice(0, longestShown))
  const field = [name, ...inside].join(".")
  return new InvalidField({ field, ...(isStrange ? strangeName(name, inside) : problem) })
}

type Naming = Pick<Settings, "dailyCap" | "fallbackChannel" | "prices" | "primaryChannel">

/** Every channel that settings name, by path. */
const namedIn = ({ dailyCap, fallbackChannel, prices, primaryChannel }: Naming) => [
  { field: "primaryChannel", name: primaryChannel },
  ...(fallbackChannel === null ? [] : [{ field: "fallbackChannel", name: fallbackChannel }]),
  ...Object.keys(prices).map((name) => ({ field: `prices.${name}`, name })),
  ...Object.keys(dailyCap).map((name) => ({ field: `dailyCap.${name}`, name }))
]

/** A channel that the server does not have. An existing value stays valid, even when its channel was removed. */
const strangeChannel = (before: Naming, after: Naming, names: ReadonlyArray<ChannelName>): InvalidField | null => {
  const known = new Set([...names, ...namedIn(before).map(({ name }) => name)])
  const strange = namedIn(after).find(({ name }) => !known.has(name))
  return strange === undefined
    ? null
    : invalidField(strange.field, Problem.of("CHANNEL_ABSENT", { values: names.join(", ") }))
}

/** The settings that only the operator changes where the operator bills. */
const ofBilling = ["billing", "prices"] as const

/** The settings for the audit log, which keeps every version: with the size and the hash of the logo, not its bytes. */
const audited = (settings: Settings) =>
  settings.brandLogo === null
    ? settings
    : { ...settings, brandLogo: `PNG, ${logoBytes(settings.brandLogo).length} bytes, ${logoHash(settings.brandLogo)}` }

export const settingsChanged = "settings.changed"

/** A merchant has one environment of each kind, and each has its own settings. */
export const settingsOf = (kind: EnvironmentKind): AuditTarget => ({ kind: "settings", id: kind })

/** The stored values that differ from the defaults, with their current version. */
export const currentSettings = (store: MerchantStore["Service"], environment: string) =>
  Effect.map(store.environment(environment), (found) => ({
    kind: found?.environment.kind ?? "live",
    version: found?.environment.settingsVersion ?? 0,
    changed: found?.environment.settings ?? {}
  }))

/**
 * The actor: `settingGuards` restrict people and keys. The operator and the process itself may change every setting.
 */
export type Changer = Doer & { readonly environment: string; readonly person?: SignedIn | null }

/** New values by name, or how to derive them from the current ones, which another change may have moved. */
export type SettingsPatch =
  | { readonly [name: string]: unknown }
  | ((current: Settings) => { readonly [name: string]: unknown })

/**
 * Changes settings. Checks every value against its range, and refuses an unknown name with the nearest known name. An
 * unchanged value is accepted from a caller who may not change it.
 */
export const changeSettings = Effect.fnUntraced(function* (
  { mayBill }: BillingRules["Service"],
  store: MerchantStore["Service"],
  passkeyRule: PasskeyRule["Service"],
  /** The channels that settings may name; null for any. */
  names: ReadonlyArray<ChannelName> | null,
  by: Changer,
  patch: SettingsPatch
) {
  const { changed, kind, version } = yield* currentSettings(store, by.environment)
  const fields = typeof patch === "function" ? patch({ ...defaultSettings, ...changed }) : patch
  const changes: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    const decode = Object.hasOwn(decodeSetting, name) ? decodeSetting[name] : undefined
    if (decode === undefined) return yield* unknownSetting(name)
    changes[name] = yield* decode(value).pipe(Effect.mapError((error) => invalidSetting(name, error)))
  }
  const settings: Partial<Settings> = { ...changed, ...changes }
  const before: Settings = { ...defaultSettings, ...changed }
  const next: Settings = { ...defaultSettings, ...settings }
  const strange = names === null ? null : strangeChannel(before, next, names)
  if (strange !== null) return yield* strange
  const changedNames = Object.keys(differing(before, next).to)
  if (ofBilling.some((name) => changedNames.includes(name)) && !(yield* mayBill(by.actor))) {
    return yield* new BilledByOperator({ what: "SETTINGS" })
  }
  const now = yield* Clock.currentTimeMillis
  const refusal = guardRefusal({ actor: by.actor, person: by.person ?? null }, changedNames, now)
  if (refusal !== null) return yield* refusal
  if (next.requirePasskey && !before.requirePasskey) yield* passkeyRule.check(by.merchantId, by.actor)
  const clash = contradiction(Object.keys(changes), before, next)
  if (clash !== null) return yield* clash
  const deed = {
    action: settingsChanged,
    target: settingsOf(kind),
    from: audited(before),
    to: audited(next)
  }
  const entry = auditChange(by, deed, now)
  yield* store.saveSettings({ ...noRecords, audited: entry, environment: by.environment, version, settings })
  return next
}, untilCommitted)
