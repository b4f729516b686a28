import { useSignal } from "@preact/signals"
import { Button } from "../../parts/Button.tsx"
import { Confirm, Dialog } from "../../parts/Dialog.tsx"
import { Form, TextField } from "../../parts/Form.tsx"
import { Loaded } from "../../parts/Loaded.tsx"
import { Table } from "../../parts/Table.tsx"
import { Time } from "../../parts/Time.tsx"
import { tell } from "../../parts/Toast.tsx"
import { useQuery } from "../../query/useQuery.ts"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { later } from "./dialogWords.ts"

/** Connected WhatsApp numbers, and a form for a new one. The token never leaves this dialog's state. */
export function ConnectDialog({ onClose }: { readonly onClose: () => void }) {
  const numbers = useQuery("GET /v1/dashboard/whatsapp/numbers", () => ({}), "number")
  const connect = useSend("POST /v1/dashboard/whatsapp/connect", "number")
  const disconnect = useSend("DELETE /v1/dashboard/whatsapp/numbers/:id", "number")
  const fields = useSignal({ phoneNumberId: "", wabaId: "", accessToken: "" })
  const leaving = useSignal<{ readonly id: string; readonly name: string } | null>(null)
  const set = (changes: Partial<typeof fields.value>) => {
    fields.value = { ...fields.peek(), ...changes }
    connect.forget()
  }
  const { accessToken, phoneNumberId, wabaId } = fields.value
  const submit = async () => {
    const done = await connect.send({
      body: { phoneNumberId: phoneNumberId.trim(), wabaId: wabaId.trim(), accessToken: accessToken.trim() }
    })
    if (done === null) return
    fields.value = { phoneNumberId: "", wabaId: "", accessToken: "" }
    tell(later.connect.done(done.body.displayNumber ?? done.body.id))
  }
  const leave = async (id: string) => {
    if ((await disconnect.send({ params: { id } })) === null) return
    leaving.value = null
    tell(later.connect.gone)
  }
  return (
    <Dialog title={later.connect.title} onClose={onClose}>
      <Loaded
        query={numbers}
        empty={({ items }) => (items.length === 0 ? <p class="quiet">{later.connect.none}</p> : null)}
      >
        {({ items }) => (
          <Table
            caption={later.connect.title}
            rows={items}
            id={({ id }) => id}
            columns={[
              {
                title: later.connect.number,
                names: true,
                cell: ({ displayNumber, id }) => <bdi>{displayNumber ?? id}</bdi>
              },
              { title: later.connect.name, cell: ({ displayName }) => <span class="theirs">{displayName}</span> },
              { title: later.connect.since, cell: ({ connectedAt }) => <Time at={connectedAt} /> },
              {
                title: later.connect.disconnect,
                cell: ({ displayNumber, id }) => (
                  <Button
                    kind="quiet"
                    blocked={may.arrange}
                    onPress={() => (leaving.value = { id, name: displayNumber ?? id })}
                  >
                    {later.connect.disconnect}
                  </Button>
                )
              }
            ]}
          />
        )}
      </Loaded>
      <Form
        onSubmit={() => void submit()}
        failure={connect.failure}
        busy={connect.busy}
        blocked={may.arrange}
        submit={later.connect.submit}
        fields={["phoneNumberId", "wabaId", "accessToken"]}
      >
        <p class="hint">{later.connect.intro}</p>
        <TextField
          label={later.connect.phoneNumberId}
          name="phoneNumberId"
          inputMode="numeric"
          autocomplete="off"
          value={phoneNumberId}
          onType={(typed) => set({ phoneNumberId: typed })}
        />
        <TextField
          label={later.connect.wabaId}
          name="wabaId"
          inputMode="numeric"
          autocomplete="off"
          value={wabaId}
          onType={(typed) => set({ wabaId: typed })}
        />
        <TextField
          label={later.connect.accessToken}
          name="accessToken"
          hint={later.connect.tokenHint}
          type="password"
          autocomplete="off"
          value={accessToken}
          onType={(typed) => set({ accessToken: typed })}
        />
      </Form>
      {leaving.value === null ? null : (
        <Confirm
          title={later.connect.disconnect}
          confirm={later.connect.disconnect}
          busy={disconnect.busy.value}
          onConfirm={() => void leave(leaving.peek()!.id)}
          onClose={() => (leaving.value = null)}
        >
          <p>{later.connect.sure(leaving.value.name)}</p>
        </Confirm>
      )}
    </Dialog>
  )
}
