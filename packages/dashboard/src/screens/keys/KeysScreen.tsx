import { useSignal } from "@preact/signals"
import { environment } from "../../address/here.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Empty, Loaded } from "../../parts/Loaded.tsx"
import { Pill } from "../../parts/Pill.tsx"
import { Snippet } from "../../parts/Snippet.tsx"
import { Table } from "../../parts/Table.tsx"
import { now, Time, useNow } from "../../parts/Time.tsx"
import { useQuery } from "../../query/useQuery.ts"
import { may } from "../../session/may.ts"
import { Screen } from "../../shell/Screen.tsx"
import { moment } from "../../words/format.ts"
import { say as shared } from "../../words/say.ts"
import { appSnippet, isLastOfDashboard, type Key, lastUseOf } from "./keys.ts"
import { NewKeyDialog } from "./NewKeyDialog.tsx"
import { RevokeDialog } from "./RevokeDialog.tsx"
import { RollDialog } from "./RollDialog.tsx"
import { say } from "./words.ts"

type Deed = { readonly what: "roll" | "revoke" | "snippet"; readonly key: Key }

function LastUse({ at }: { readonly at: string | null }) {
  useNow()
  return lastUseOf(at, now.value) === "now" ? <span>{say.usedNow}</span> : <Time at={at} />
}

function KeyName({ row }: { readonly row: Key }) {
  return (
    <span class="keys-name">
      <span class={row.name === null ? "quiet" : "theirs"}>{row.name ?? say.unnamed}</span>
      <code>{row.id}</code>
      {row.retiringAt === null ? null : <span class="warn">{say.retiring(moment(new Date(row.retiringAt)))}</span>}
    </span>
  )
}

/** Keys of one type, or the empty state. */
function KeyTable({
  all,
  onDeed,
  onMake,
  type
}: {
  readonly all: ReadonlyArray<Key>
  readonly type: Key["type"]
  readonly onDeed: (deed: Deed) => void
  readonly onMake: () => void
}) {
  const isServer = type === "SERVER"
  const rows = all.filter((key) => key.type === type)
  const title = isServer ? say.server : say.public
  return (
    <Card title={title}>
      {rows.length === 0 ? (
        <Empty title={say.empty}>
          <p>{isServer ? say.emptyServer : say.emptyPublic}</p>
          <Button kind="main" blocked={may.own} onPress={onMake}>
            {isServer ? say.makeServer : say.makePublic}
          </Button>
        </Empty>
      ) : (
        <Table
          caption={title}
          rows={rows}
          id={({ id }) => id}
          columns={[
            { title: say.key, names: true, cell: (row) => <KeyName row={row} /> },
            ...(isServer ? [{ title: say.opens, drop: 1 as const, cell: (row: Key) => row.scopes.join(", ") }] : []),
            { title: say.created, drop: 2, cell: (row) => <Time at={row.createdAt} as="date" /> },
            { title: say.used, cell: (row) => <LastUse at={row.lastUsedAt} /> },
            {
              title: say.actions,
              cell: (key) => (
                <span class="deeds">
                  {isServer ? (
                    <Button blocked={may.own} opens="dialog" onPress={() => onDeed({ what: "roll", key })}>
                      {say.roll}
                    </Button>
                  ) : (
                    <Button opens="dialog" onPress={() => onDeed({ what: "snippet", key })}>
                      {say.snippet}
                    </Button>
                  )}
                  <Button
                    kind="quiet"
                    opens="dialog"
                    blocked={may.own ?? (isServer && isLastOfDashboard(key, all) ? say.last : undefined)}
                    onPress={() => onDeed({ what: "revoke", key })}
                  >
                    {say.revoke}
                  </Button>
                </span>
              )
            }
          ]}
        />
      )}
    </Card>
  )
}

/** API keys of this environment. Secrets appear only in the dialog that created them. */
export default function KeysScreen() {
  const list = useQuery("GET /v1/dashboard/keys", () => ({}), "key")
  const deed = useSignal<Deed | null>(null)
  const making = useSignal<Key["type"] | null>(null)
  const close = () => (deed.value = null)
  const current = deed.value
  return (
    <Screen
      title={shared.menu.keys}
      busy={list.busy}
      note={environment.value === "test" ? <Pill tone="warn">{shared.environment.test}</Pill> : null}
      actions={
        <Button kind="main" deed="newKey" blocked={may.own} opens="dialog" onPress={() => (making.value = "SERVER")}>
          {say.make}
        </Button>
      }
    >
      <p class="quiet">{say.intro}</p>
      <Loaded query={list} empty={() => null}>
        {({ items }) =>
          (["SERVER", "PUBLIC"] as const).map((type) => (
            <KeyTable
              key={type}
              type={type}
              all={items}
              onDeed={(next) => (deed.value = next)}
              onMake={() => (making.value = type)}
            />
          ))
        }
      </Loaded>
      {making.value === null ? null : <NewKeyDialog type={making.value} onClose={() => (making.value = null)} />}
      {current?.what === "roll" ? <RollDialog of={current.key} onClose={close} /> : null}
      {current?.what === "revoke" ? <RevokeDialog of={current.key} onClose={close} /> : null}
      {current?.what === "snippet" ? (
        <Dialog title={say.inApp} onClose={close} wide>
          <Snippet label={say.inApp} text={appSnippet(location.origin, current.key.id)} />
        </Dialog>
      ) : null}
    </Screen>
  )
}
