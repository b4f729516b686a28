import { useSignal } from "@preact/signals"
import type { Item } from "../../api/Api.ts"
import { Button } from "../../parts/Button.tsx"
import { Confirm } from "../../parts/Dialog.tsx"
import { Form, TextField } from "../../parts/Form.tsx"
import { Empty } from "../../parts/Loaded.tsx"
import { LongTable } from "../../parts/LongTable.tsx"
import type { Column } from "../../parts/Table.tsx"
import { Time } from "../../parts/Time.tsx"
import { tell } from "../../parts/Toast.tsx"
import { usePages } from "../../query/usePages.ts"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { say } from "./words.ts"

type Row = Item<"GET /v1/dashboard/opt-outs">

export function OptOuts() {
  const pages = usePages("GET /v1/dashboard/opt-outs", () => ({ query: { limit: 200 } }), {
    id: ({ phone, at }) => `${phone} ${at}`,
    topics: ["optOut", "lead"]
  })
  const add = useSend("POST /v1/dashboard/opt-outs", "optOut")
  const remove = useSend("DELETE /v1/dashboard/opt-outs/:phone", "optOut")
  const phone = useSignal("")
  const leaving = useSignal<string | null>(null)
  const submit = async () => {
    if ((await add.send({ body: { phone: phone.peek() } })) === null) return
    phone.value = ""
    tell(say.optOutDone)
  }
  const take = async (given: string) => {
    const done = await remove.send({ params: { phone: given } })
    leaving.value = null
    pages.renew()
    if (done !== null) tell(say.removedOptOut)
    else if (remove.failure.peek() !== null) tell(remove.failure.peek()!.message, { tone: "bad" })
  }
  const columns: ReadonlyArray<Column<Row>> = [
    { title: say.phone, names: true, cell: (row) => <bdi>{row.phone}</bdi> },
    { title: say.by, drop: 1, cell: ({ by }) => say.bys[by] },
    { title: say.since, cell: ({ at }) => <Time at={at} as="clock" /> },
    {
      title: say.removeOptOut,
      cell: (row) => (
        <Button
          kind="quiet"
          blocked={may.arrange}
          label={`${say.removeOptOut}: ${row.phone}`}
          onPress={() => (leaving.value = row.phone)}
        >
          {say.removeOptOut}
        </Button>
      )
    }
  ]
  return (
    <>
      <p class="quiet">{say.optOutIntro}</p>
      <Form
        class="opt-out-form"
        onSubmit={() => void submit()}
        failure={add.failure}
        busy={add.busy}
        blocked={may.work}
        submit={say.optOutAdd}
        fields={["phone"]}
      >
        <TextField
          label={say.optOutPhone}
          name="phone"
          type="tel"
          autocomplete="off"
          value={phone.value}
          onType={(typed) => {
            phone.value = typed
            add.forget()
          }}
        />
      </Form>
      <div class="card campaigns-list opt-outs">
        <LongTable
          caption={say.optOuts}
          columns={columns}
          pages={pages}
          id={(row) => `${row.phone} ${row.at}`}
          empty={
            <Empty title={say.optOutNone}>
              <p>{say.optOutNoneHint}</p>
            </Empty>
          }
        />
      </div>
      {leaving.value === null ? null : (
        <Confirm
          title={say.removeOptOut}
          confirm={say.removeOptOut}
          busy={remove.busy.value}
          onConfirm={() => void take(leaving.peek()!)}
          onClose={() => (leaving.value = null)}
        >
          <p>{say.removeOptOutSure(leaving.value)}</p>
        </Confirm>
      )}
    </>
  )
}
