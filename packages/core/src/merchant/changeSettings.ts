import { Clock, Effect, Schema } from "effect"
import { InvalidField } from "../identity/InvalidField.ts"
import { auditChange, type AuditTarget, type Doer } from "../outbox/AuditEntry.ts"
import { leavesNothing } from "../outbox/Change.ts"
import { untilCommitted } from "../storage/untilCommitted.ts"
import type { EnvironmentKind } from "./Merchant.ts"
import type { MerchantStore } from "./MerchantStore.ts"
import { contradiction } from "./settingsTogether.ts"
import { nearestName } from "./nearestName.ts"
import { defaultSettings, type Settings, SettingsFields } from "./Settings.ts"

const decodeSetting = Object.fromEntries(
  Object.entries(SettingsFields).map(([name, field]) => [
    name,
    Schema.decodeUnknownEffect(field as Schema.Codec<unknown>)
  ])
) as { readonly [name: string]: (value: unknown) => Effect.Effect<unknown, Schema.SchemaError> }

/** Of a name that is none. */
const longestShown = 64

const unknownSetting = (name: string) => {
  const meant = nearestName(name, Object.keys(decodeSetting))
  return new InvalidField({
    field: name.slice(0, longestShown),
    problem: meant === null ? "is not a setting" : `is not a setting; did you mean ${meant}?`
  })
}

export const settingsChanged = "settings.changed"

/** Each environment has its own, known by its kind: a merchant has one of each. */
export const settingsOf = (kind: EnvironmentKind): AuditTarget => ({ kind: "settings", id: kind })

/** What was changed from the defaults, at the version that it has in storage at this moment. */
export const currentSettings = (store: MerchantStore["Service"], environment: string) =>
  Effect.map(store.environment(environment), (found) => ({
    kind: found?.environment.kind ?? "live",
    version: found?.environment.settingsVersion ?? 0,
    changed: found?.environment.settings ?? {}
  }))

/** Changes some settings; every value is checked against its range, an unknown name is refused with the nearest known one. */
export const changeSettings = Effect.fnUntraced(function* (
  store: MerchantStore["Service"],
  by: Doer & { readonly environment: string },
  patch: { readonly [name: string]: unknown }
) {
  const changes: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(patch)) {
    const decode = Object.hasOwn(decodeSetting, name) ? decodeSetting[name] : undefined
    if (decode === undefined) return yield* unknownSetting(name)
    changes[name] = yield* decode(value).pipe(
      Effect.mapError((error) => new InvalidField({ field: name, problem: error.message.split("\n")[0]! }))
    )
  }
  const { changed, kind, version } = yield* currentSettings(store, by.environment)
  const settings: Partial<Settings> = { ...changed, ...changes }
  const before: Settings = { ...defaultSettings, ...changed }
  const next: Settings = { ...defaultSettings, ...settings }
  const clash = contradiction(Object.keys(changes), before, next)
  if (clash !== null) return yield* clash
  const deed = {
    action: settingsChanged,
    target: settingsOf(kind),
    from: before,
    to: next
  }
  const audited = auditChange(by, deed, yield* Clock.currentTimeMillis)
  yield* store.saveSettings({ ...leavesNothing, audited, environment: by.environment, version, settings })
  return next
}, untilCommitted)
