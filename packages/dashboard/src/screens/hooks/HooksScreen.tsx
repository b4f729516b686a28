import { useSignal } from "@preact/signals"
import { environment } from "../../address/here.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Empty, Loaded } from "../../parts/Loaded.tsx"
import { Pill } from "../../parts/Pill.tsx"
import { Table } from "../../parts/Table.tsx"
import { Time } from "../../parts/Time.tsx"
import { useQuery } from "../../query/useQuery.ts"
import { may } from "../../session/may.ts"
import { Screen } from "../../shell/Screen.tsx"
import { moment } from "../../words/format.ts"
import { say as shared } from "../../words/say.ts"
import { labelOf, NewHookDialog, RemoveDialog, RotateDialog } from "./HookDialogs.tsx"
import type { Hook } from "./kinds.ts"
import { Requests } from "./Requests.tsx"
import { say } from "./words.ts"

interface Deed {
  readonly what: "requests" | "rotate" | "remove"
  readonly hook: Hook
}

/** The hooks of other sign-in systems. A secret appears only in the dialog that created it. */
export default function HooksScreen() {
  const list = useQuery("GET /v1/dashboard/hooks", () => ({}), "hook")
  const isMaking = useSignal(false)
  const deed = useSignal<Deed | null>(null)
  const close = () => (deed.value = null)
  const current = deed.value
  const make = (
    <Button kind="main" opens="dialog" blocked={may.arrange} onPress={() => (isMaking.value = true)}>
      {say.make}
    </Button>
  )
  return (
    <Screen
      title={shared.menu.hooks}
      busy={list.busy}
      note={environment.value === "test" ? <Pill tone="warn">{shared.environment.test}</Pill> : null}
      actions={make}
    >
      <p class="quiet">{say.intro}</p>
      <Loaded
        query={list}
        empty={({ items }) =>
          items.length === 0 && (
            <Card>
              <Empty title={say.empty}>
                <p>{say.emptyHint}</p>
                {make}
              </Empty>
            </Card>
          )
        }
      >
        {({ items }) => (
          <Card>
            <Table
              caption={shared.menu.hooks}
              rows={items}
              id={({ id }) => id}
              columns={[
                {
                  title: say.hook,
                  names: true,
                  cell: (row) => (
                    <>
                      <span class="theirs">{row.name}</span>
                      {row.retiringAt === null ? null : (
                        <span class="warn"> {say.retiring(moment(new Date(row.retiringAt)))}</span>
                      )}
                    </>
                  )
                },
                // On a phone, an address of 60 characters would fill five lines. The requests of a hook show it too.
                { title: say.url, drop: 1, cell: ({ url }) => <code>{url}</code> },
                { title: say.kind, cell: ({ kind }) => labelOf(kind) },
                { title: say.created, drop: 1, cell: ({ createdAt }) => <Time at={createdAt} as="date" /> },
                {
                  title: shared.actions,
                  cell: (hook) => (
                    <div class="deeds">
                      <Button opens="dialog" onPress={() => (deed.value = { what: "requests", hook })}>
                        {say.requests}
                      </Button>
                      <Button
                        opens="dialog"
                        blocked={may.arrange}
                        onPress={() => (deed.value = { what: "rotate", hook })}
                      >
                        {say.rotate}
                      </Button>
                      <Button
                        kind="quiet"
                        opens="dialog"
                        blocked={may.arrange}
                        onPress={() => (deed.value = { what: "remove", hook })}
                      >
                        {say.remove}
                      </Button>
                    </div>
                  )
                }
              ]}
            />
          </Card>
        )}
      </Loaded>
      {isMaking.value ? <NewHookDialog onClose={() => (isMaking.value = false)} /> : null}
      {current?.what === "requests" ? <Requests of={current.hook} onClose={close} /> : null}
      {current?.what === "rotate" ? <RotateDialog of={current.hook} onClose={close} /> : null}
      {current?.what === "remove" ? <RemoveDialog of={current.hook} onClose={close} /> : null}
    </Screen>
  )
}
