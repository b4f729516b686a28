import { useSignal } from "@preact/signals"
import { environment, paths } from "../../address/here.ts"
import { Dialog } from "../../parts/Dialog.tsx"
import { Table } from "../../parts/Table.tsx"
import { Time } from "../../parts/Time.tsx"
import { moment } from "../../words/format.ts"
import { actorOf, type Change, deedOf, type Entry, fieldsOf, kindOf } from "../audited.ts"
import { whereOf } from "./whereOf.ts"
import { say } from "./words.ts"

/** From this many fields on, the dialog has a search field. */
const many = 12

const value = (words: string | null) =>
  words === null ? <span class="quiet">{say.none}</span> : <span class="theirs">{words}</span>

function Changes({ changes }: { readonly changes: ReadonlyArray<Change> }) {
  const looked = useSignal("")
  const found = changes.filter(({ field, label }) =>
    `${field} ${label}`.toLowerCase().includes(looked.value.trim().toLowerCase())
  )
  return (
    <>
      {changes.length < many ? null : (
        <input
          type="search"
          aria-label={say.find}
          placeholder={say.find}
          value={looked.value}
          onInput={(event) => (looked.value = event.currentTarget.value)}
        />
      )}
      <Table
        caption={say.entry}
        rows={found}
        id={({ field }) => field}
        columns={[
          { title: say.field, names: true, cell: ({ field, label }) => <span title={field}>{label}</span> },
          { title: say.before, cell: ({ before }) => value(before) },
          { title: say.after, cell: ({ after }) => value(after) }
        ]}
      />
    </>
  )
}

interface Props {
  /** Undefined when the entry is not loaded or does not exist. */
  readonly entry: Entry | undefined
  readonly currency: string | null
  readonly onClose: () => void
}

/** One entry with all changed fields. */
export function EntryDialog({ currency, entry, onClose }: Props) {
  if (entry === undefined)
    return (
      <Dialog title={say.entry} onClose={onClose}>
        <p>{say.notRead}</p>
      </Dialog>
    )
  const changes = fieldsOf(entry, currency)
  const where = whereOf(entry, environment.value)
  return (
    <Dialog title={say.entry} wide onClose={onClose}>
      <p>
        <strong class="theirs">{actorOf(entry)}</strong> {deedOf(entry.action)}, <Time at={entry.at} />
      </p>
      <dl class="audit-facts">
        <dt>{say.exactly}</dt>
        <dd>{moment(new Date(entry.at))}</dd>
        <dt>{say.address}</dt>
        <dd class="mono">{entry.address ?? "–"}</dd>
        <dt>{say.environment}</dt>
        <dd>{say.environments[entry.environment ?? "none"]}</dd>
        <dt>{kindOf(entry)}</dt>
        <dd>
          <code>{entry.target.id}</code>
        </dd>
      </dl>
      {changes.length === 0 ? <p class="quiet">{say.noFields}</p> : <Changes changes={changes} />}
      <div class="form-foot">
        {where === null ? null : (
          <a class="button" href={where}>
            {say.openIt}
          </a>
        )}
        <a class="button" data-kind="quiet" href={paths.audit({ target: entry.target.id })}>
          {say.onlyThis}
        </a>
      </div>
    </Dialog>
  )
}
