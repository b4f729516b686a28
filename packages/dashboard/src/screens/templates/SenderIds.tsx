import { useSignal } from "@preact/signals"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Form, TextField } from "../../parts/Form.tsx"
import { Loaded, Refusal } from "../../parts/Loaded.tsx"
import { tell } from "../../parts/Toast.tsx"
import { useQuery } from "../../query/useQuery.ts"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { say } from "./words.ts"

/** The sender IDs registered with DLT. */
export function SenderIds() {
  const list = useQuery("GET /v1/dashboard/sender-ids", () => ({}), "template")
  const add = useSend("POST /v1/dashboard/sender-ids", "template", "audit")
  const remove = useSend("DELETE /v1/dashboard/sender-ids/:header", "template", "audit")
  const typed = useSignal("")
  const submit = async () => {
    const header = typed.value.trim()
    if ((await add.send({ body: { header } })) === null) return
    typed.value = ""
    tell(say.senderAdded(header), { undo: () => void remove.send({ params: { header } }) })
  }
  const drop = async (header: string) => {
    if ((await remove.send({ params: { header } })) === null) return
    tell(say.senderRemoved(header), { undo: () => void add.send({ body: { header } }) })
  }
  return (
    <Card title={say.senders}>
      <p class="quiet">{say.sendersHint}</p>
      <Loaded query={list} empty={() => null}>
        {({ items }) =>
          items.length === 0 ? (
            <p>{say.sendersNone}</p>
          ) : (
            <ul role="list" class="senders">
              {items.map(({ header }) => (
                <li key={header}>
                  <code>{header}</code>
                  <Button
                    kind="quiet"
                    label={say.senderRemove(header)}
                    blocked={may.arrange}
                    onPress={() => void drop(header)}
                  >
                    ✕
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {remove.failure.value === null ? null : <Refusal failure={remove.failure.value} />}
      <Form
        class="sender-new"
        onSubmit={() => void submit()}
        failure={add.failure}
        busy={add.busy}
        blocked={may.arrange ?? (typed.value.trim() === "" ? say.senderForm : undefined)}
        submit={say.senderAdd}
        fields={["header"]}
      >
        <TextField
          label={say.senderNew}
          name="header"
          maxLength={11}
          spellcheck={false}
          autocomplete="off"
          text={typed}
        />
      </Form>
    </Card>
  )
}
