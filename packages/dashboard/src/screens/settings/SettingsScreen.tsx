import { useSignal } from "@preact/signals"
import { environment } from "../../address/here.ts"
import { filtersOf } from "../../address/filters.ts"
import { setFilters, useFilters } from "../../address/useFilters.ts"
import type { Answer } from "../../api/Api.ts"
import { useKeys } from "../../keys/useKeys.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Empty, Loaded } from "../../parts/Loaded.tsx"
import { useChannels } from "../../query/useChannels.ts"
import { useQuery } from "../../query/useQuery.ts"
import { may } from "../../session/may.ts"
import { lazyDialog, lazyPart } from "../../shell/lazyDialog.tsx"
import { Screen } from "../../shell/Screen.tsx"
import { say as shared } from "../../words/say.ts"
import { type SettingName, settingWords } from "../../words/settingsIndex.ts"
import { isSame } from "./draft.ts"
import { Setting } from "./Setting.tsx"
import { problemText } from "../../words/problemText.ts"
import { matchingGroups } from "./matchingGroups.ts"
import type { Settings } from "./spec.ts"
import { say } from "./words.ts"

const HistoryDialog = lazyDialog(() => import("./HistoryDialog.tsx").then((loaded) => loaded.HistoryDialog))
const BrandPreview = lazyPart(() => import("./BrandPreview.tsx").then((loaded) => loaded.BrandPreview), null)

const filters = filtersOf.settings

/** Warnings of the service about settings that work differently than expected. */
function Advice({ warnings }: Pick<Answer<"GET /v1/dashboard/settings">, "warnings">) {
  if (warnings.length === 0) return null
  return (
    <div class="notice" data-tone="warn" role="status">
      <p>
        <strong>{say.advice(warnings.length)}</strong>
      </p>
      <ul>
        {warnings.map((warning) => (
          <li key={warning.field}>
            <a href={`#${warning.field}`}>{settingWords.names[warning.field as SettingName] ?? warning.field}</a>{" "}
            {problemText(warning)}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** All settings of this environment. Each is saved on its own. */
export default function SettingsScreen() {
  const wanted = useFilters(filters)
  useChannels()
  const settings = useQuery("GET /v1/dashboard/settings", () => ({}), "settings")
  const history = useQuery("GET /v1/dashboard/settings/history", () => ({ query: { limit: 200 } }), "settings")
  const balance = useQuery("GET /v1/dashboard/balance", () => ({}), "money")
  const isHistoryOpen = useSignal(false)
  /** Values in the form, for the preview. */
  const inForm = useSignal<{ readonly [name: string]: unknown }>({})
  /** A list is read anew at each rendering: if an equal value counted as a change, rendering would never end. */
  const show = (name: SettingName, value: unknown) => {
    if (!isSame(inForm.peek()[name], value)) inForm.value = { ...inForm.peek(), [name]: value }
  }
  useKeys({ "/": [say.find, () => document.getElementById("find-setting")?.focus()] })
  const isLive = environment.value === "live"
  const shown = matchingGroups(wanted.value.find ?? "", say.effects)
  return (
    <Screen
      title={shared.menu.settings}
      busy={settings.busy}
      actions={
        <Button opens="dialog" onPress={() => (isHistoryOpen.value = true)}>
          {say.allChanges}
        </Button>
      }
    >
      <p class="notice" data-tone={isLive ? "bad" : "warn"}>
        <strong>{isLive ? shared.environment.live : shared.environment.test}</strong> {isLive ? say.live : say.test}
      </p>
      {may.arrange === undefined ? null : <p class="notice">{say.readOnly}</p>}
      <Loaded
        query={settings}
        empty={() =>
          // Amounts are shown in the currency of the balance.
          balance.answer.value === null && balance.failure.value === null ? (
            <p class="waiting">{shared.loading}…</p>
          ) : null
        }
      >
        {(answer) => (
          <div class="settings">
            <div class="settings-side">
              <input
                id="find-setting"
                type="search"
                aria-label={say.find}
                placeholder={say.find}
                // A link names the setting; the reader sees its title.
                value={settingWords.names[wanted.value.find as SettingName] ?? wanted.value.find ?? ""}
                onInput={(event) => setFilters(filters, { find: event.currentTarget.value })}
              />
              <nav aria-label={say.group}>
                {shown.map(({ group }) => (
                  <a key={group} href={`#group-${group}`}>
                    {settingWords.groups[group]}
                  </a>
                ))}
              </nav>
            </div>
            <div class="settings-groups">
              <Advice warnings={answer.warnings} />
              {shown.length === 0 ? (
                <Empty title={shared.nothingMatches}>
                  <p>{say.nothing(wanted.value.find ?? "")}</p>
                  <Button onPress={() => setFilters(filters, { find: undefined })}>{shared.clearFilters}</Button>
                </Empty>
              ) : (
                shown.map(({ group, names }) => (
                  <div key={group} id={`group-${group}`} class="settings-group">
                    <Card title={settingWords.groups[group]}>
                      {names.map((name) => (
                        <Setting
                          key={name}
                          name={name}
                          settings={answer}
                          changes={history.answer.value?.items ?? []}
                          currency={balance.answer.value?.currency ?? null}
                          {...(group === "brand" ? { onShow: show } : {})}
                        />
                      ))}
                      {group === "brand" ? <BrandPreview {...answer} {...(inForm.value as Partial<Settings>)} /> : null}
                    </Card>
                  </div>
                ))
              )}
            </div>
          </div>
        )}
      </Loaded>
      {isHistoryOpen.value ? (
        <HistoryDialog
          currency={balance.answer.value?.currency ?? null}
          onClose={() => (isHistoryOpen.value = false)}
        />
      ) : null}
    </Screen>
  )
}
