import { Dialog } from "../../parts/Dialog.tsx"
import { Empty } from "../../parts/Loaded.tsx"
import { LongTable } from "../../parts/LongTable.tsx"
import { Time } from "../../parts/Time.tsx"
import { usePages } from "../../query/usePages.ts"
import { say as shared } from "../../words/say.ts"
import { type SettingName, settingWords } from "../../words/settingsIndex.ts"
import { type Change, whoOf } from "./Setting.tsx"
import { shownValue } from "./shown.ts"
import { spec } from "./spec.ts"
import { say } from "./words.ts"

const namesOf = ({ from, to }: Change) => [...new Set([...Object.keys(from ?? {}), ...Object.keys(to ?? {})])]

const valueOf = (side: Change["from"], name: string, currency: string | null) =>
  name in spec ? shownValue(name as SettingName, side?.[name] ?? null, currency) : JSON.stringify(side?.[name] ?? null)

/** All changes to settings, newest first. */
export function HistoryDialog({
  currency,
  onClose
}: {
  readonly currency: string | null
  readonly onClose: () => void
}) {
  const pages = usePages("GET /v1/dashboard/settings/history", () => ({}), {
    id: ({ id }) => id,
    topics: ["settings"]
  })
  const each = (side: "from" | "to") => (change: Change) =>
    namesOf(change)
      .map((name) => valueOf(change[side], name, currency))
      .join("; ")
  return (
    <Dialog title={say.allChanges} onClose={onClose} wide>
      <div class="settings-history">
        <LongTable
          caption={say.allChanges}
          pages={pages}
          id={({ id }) => id}
          empty={<Empty title={say.noChanges} />}
          columns={[
            { title: shared.when, cell: ({ at }) => <Time at={at} as="clock" /> },
            {
              title: say.setting,
              names: true,
              cell: (change) =>
                namesOf(change)
                  .map((name) => settingWords.names[name as SettingName] ?? name)
                  .join("; ")
            },
            { title: say.before, drop: 1, cell: each("from") },
            { title: say.after, cell: each("to") },
            { title: say.who, drop: 2, cell: (change) => <span class="theirs">{whoOf(change)}</span> }
          ]}
        />
      </div>
    </Dialog>
  )
}
