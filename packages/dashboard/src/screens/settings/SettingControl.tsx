import { Field } from "../../parts/Form.tsx"
import { channelName, channelNames, channelNamesIn } from "../../words/channels.ts"
import { countries } from "../../words/countries.ts"
import { settingWords } from "../../words/settingsIndex.ts"
import { type ControlProps, durationUnits } from "./draft.ts"
import { languageChoices } from "./entries.ts"
import type { Control } from "./spec.ts"
import { lazyPart } from "../../shell/lazyDialog.tsx"
import { say } from "./words.ts"

const ChannelAmounts = lazyPart(() => import("./ChannelAmounts.tsx").then((loaded) => loaded.ChannelAmounts), null)
const Chips = lazyPart(
  () => import("./Chips.tsx").then((loaded) => loaded.Chips),
  () => <span class="setting-unit" />
)
const LogoControl = lazyPart(() => import("./LogoControl.tsx").then((loaded) => loaded.LogoControl), null)

/** Durations and amounts can have decimals. */
const isExact = (control: Control) =>
  control.kind === "number" && control.unit !== "seconds" && control.unit !== "money"

/** The control for a setting's kind. */
export function SettingControl(props: ControlProps) {
  const { control, currency, locked, name, onType, problem, typed } = props
  const value = typed["value"] ?? ""
  const write = (event: { readonly currentTarget: { readonly value: string } }) =>
    onType("value", event.currentTarget.value)
  const title = settingWords.names[name]
  if (control.kind === "switch")
    return (
      <Field label={title} name={name}>
        {(given) => (
          <span class="setting-switch">
            <input
              {...given}
              type="checkbox"
              role="switch"
              aria-disabled={locked || undefined}
              checked={value === "true"}
              onClick={(event) => locked && event.preventDefault()}
              onChange={(event) => onType("value", String(event.currentTarget.checked))}
            />
            <span aria-hidden="true">{value === "true" ? say.on : say.off}</span>
          </span>
        )}
      </Field>
    )
  if (control.kind === "logo")
    return <LogoControl logo={value} locked={locked} onChoose={(logo) => onType("value", logo)} />
  if (control.kind === "channel" || control.kind === "billing")
    return (
      <Field label={title} name={name}>
        {(given) => (
          <select {...given} value={value} disabled={locked} onChange={write}>
            {control.kind === "billing" ? (
              (["OFF", "PREPAID"] as const).map((each) => (
                <option key={each} value={each}>
                  {say.billing[each]}
                </option>
              ))
            ) : (
              <>
                {control.null ? <option value="">{say.none[name] ?? say.noChannel}</option> : null}
                {(value === "" ? channelNames() : channelNamesIn({ [value]: value })).map((channel) => (
                  <option key={channel} value={channel}>
                    {channelName(channel)}
                  </option>
                ))}
              </>
            )}
          </select>
        )}
      </Field>
    )
  if (control.kind === "country" || control.kind === "language")
    return (
      <Field label={title} name={name}>
        {(given) => (
          <select {...given} value={value} disabled={locked} onChange={write}>
            {control.kind === "country" && control.null ? <option value="">{say.none[name]}</option> : null}
            {(control.kind === "country" ? countries() : languageChoices(value)).map(([code, each]) => (
              <option key={code} value={code}>
                {each}
              </option>
            ))}
          </select>
        )}
      </Field>
    )
  if (control.kind === "lines" && control.of !== undefined)
    return (
      <Chips
        title={title}
        name={name}
        of={control.of}
        value={value}
        onType={(text) => onType("value", text)}
        problem={problem}
        placeholder={say.none[name]}
        locked={locked}
      />
    )
  if (control.kind === "lines")
    return (
      <Field label={title} name={name} problem={problem} hint={say.onePerLine}>
        {(given) => (
          <textarea
            {...given}
            rows={Math.min(8, Math.max(2, value.split("\n").length))}
            spellcheck={false}
            placeholder={say.none[name]}
            readOnly={locked}
            value={value}
            onInput={write}
          />
        )}
      </Field>
    )
  if (control.kind === "quietHours")
    return (
      <Field label={say.from} name={name} problem={problem}>
        {(given) => (
          <span class="setting-hours">
            <input
              {...given}
              type="time"
              readOnly={locked}
              value={typed["from"]}
              onInput={(event) => onType("from", event.currentTarget.value)}
            />
            <span aria-hidden="true">–</span>
            <input
              type="time"
              aria-label={say.to}
              readOnly={locked}
              value={typed["to"]}
              onInput={(event) => onType("to", event.currentTarget.value)}
            />
          </span>
        )}
      </Field>
    )
  if (control.kind === "prices" || control.kind === "caps") return <ChannelAmounts {...props} />
  const zones = control.kind === "zone" ? `${name}-zones` : undefined
  return (
    <Field label={title} name={name} problem={problem}>
      {(given) => (
        <span class="setting-unit">
          {control.kind === "colour" ? (
            <input
              type="color"
              aria-label={say.colour}
              disabled={locked}
              value={/^#[0-9a-f]{6}$/i.test(value) ? value : "#0f766e"}
              onInput={write}
            />
          ) : null}
          <input
            {...given}
            inputMode={control.kind !== "number" ? "text" : isExact(control) ? "numeric" : "decimal"}
            data-short={control.kind === "number" || undefined}
            spellcheck={false}
            autocomplete="off"
            list={zones}
            placeholder={say.none[name]}
            readOnly={locked}
            value={value}
            onInput={write}
          />
          {control.kind === "number" && control.unit === "seconds" ? (
            <select
              aria-label={say.unitOf(title)}
              disabled={locked}
              value={typed["unit"] ?? "seconds"}
              onChange={(event) => onType("unit", event.currentTarget.value)}
            >
              {durationUnits.map((unit) => (
                <option key={unit} value={unit}>
                  {say.durations[unit]}
                </option>
              ))}
            </select>
          ) : control.kind === "number" && control.unit === "money" ? (
            <span class="quiet">{currency ?? ""}</span>
          ) : control.kind === "number" && say.units[control.unit] ? (
            <span class="quiet">{say.units[control.unit]}</span>
          ) : null}
          {zones === undefined ? null : (
            <datalist id={zones}>
              {Intl.supportedValuesOf("timeZone").map((zone) => (
                <option key={zone} value={zone} />
              ))}
            </datalist>
          )}
        </span>
      )}
    </Field>
  )
}
