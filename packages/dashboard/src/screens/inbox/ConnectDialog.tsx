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
import { say } from "./words.ts"

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
    tell(say.connect.done(done.body.displayNumber ?? done.body.id))
  }
  const leave = async (id: string) => {
    if ((await disconnect.send({ params: { id } })) === null) return
    leaving.value = null
    tell(say.connect.gone)
  }
  return (
    <Dialog title={say.connect.title} onClose={onClose}>
      <Loaded
        query={numbers}
        empty={({ items }) => (items.length === 0 ? <p class="quiet">{say.connect.none}</p> : null)}
      >
        {({ items }) => (
          <Table
            caption={say.connect.title}
            rows={items}
            id={({ id }) => id}
            columns={[
              {
                title: say.connect.number,
                names: true,
                cell: ({ displayNumber, id }) => <bdi>{displayNumber ?? id}</bdi>
              },
              { title: say.connect.name, cell: ({ displayName }) => <span class="theirs">{displayName}</span> },
              { title: say.connect.since, cell: ({ connectedAt }) => <Time at={connectedAt} /> },
              {
                title: say.connect.disconnect,
                cell: ({ displayNumber, id }) => (
                  <Button
                    kind="quiet"
                    blocked={may.arrange}
                    onPress={() => (leaving.value = { id, name: displayNumber ?? id })}
                  >
                    {say.connect.disconnect}
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
        submit={say.connect.submit}
        fields={["phoneNumberId", "wabaId", "accessToken"]}
      >
        <p class="hint">{say.connect.intro}</p>
        <TextField
          label={say.connect.phoneNumberId}
          name="phoneNumberId"
          inputMode="numeric"
          autocomplete="off"
          value={phoneNumberId}
          onType={(typed) => set({ phoneNumberId: typed })}
        />
        <TextField
          label={say.connect.wabaId}
          name="wabaId"
          inputMode="numeric"
          autocomplete="off"
          value={wabaId}
          onType={(typed) => set({ wabaId: typed })}
        />
        <TextField
          label={say.connect.accessToken}
          name="accessToken"
          hint={say.connect.tokenHint}
          type="password"
          autocomplete="off"
          value={accessToken}
          onType={(typed) => set({ accessToken: typed })}
        />
      </Form>
      {leaving.value === null ? null : (
        <Confirm
          title={say.connect.disconnect}
          confirm={say.connect.disconnect}
          busy={disconnect.busy.value}
          onConfirm={() => void leave(leaving.peek()!.id)}
          onClose={() => (leaving.value = null)}
        >
          <p>{say.connect.sure(leaving.value.name)}</p>
        </Confirm>
      )}
    </Dialog>
  )
}
