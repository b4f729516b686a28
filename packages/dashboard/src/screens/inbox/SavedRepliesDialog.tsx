import { useSignal } from "@preact/signals"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Field, Form, TextField } from "../../parts/Form.tsx"
import { Loaded } from "../../parts/Loaded.tsx"
import { tell } from "../../parts/Toast.tsx"
import { useDraft } from "../../parts/useDraft.ts"
import { useQuery } from "../../query/useQuery.ts"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { me } from "../../session/session.ts"
import { say as shared } from "../../words/say.ts"
import { filledReply, hasName, type SavedReply } from "./savedReplies.ts"
import { later } from "./dialogWords.ts"
import { say } from "./words.ts"

interface EditProps {
  readonly reply: SavedReply | null
  readonly onDone: () => void
}

/** The form for a new or existing saved reply. */
function Edit({ onDone, reply }: EditProps) {
  const draft = useDraft(`saved/${me.peek()?.merchant.id}/${reply?.id ?? "new"}`, {
    name: reply?.name ?? "",
    text: reply?.text ?? ""
  })
  const add = useSend("POST /v1/dashboard/saved-replies", "template")
  const change = useSend("PATCH /v1/dashboard/saved-replies/:id", "template")
  const write = reply === null ? add : change
  const { name, text } = draft.value.value
  const submit = async () => {
    const body = { name: name.trim(), text }
    const done = reply === null ? await add.send({ body }) : await change.send({ params: { id: reply.id }, body })
    if (done === null) return
    draft.clear()
    tell(later.savedDone)
    onDone()
  }
  return (
    <Form
      onSubmit={() => void submit()}
      failure={write.failure}
      busy={write.busy}
      blocked={may.work ?? (name.trim() === "" || text.trim() === "" ? later.savedMissing : undefined)}
      submit={later.savedAdd}
      fields={["name", "text"]}
      onCancel={onDone}
    >
      <TextField
        label={later.savedName}
        name="name"
        value={name}
        onType={(typed) => draft.set({ ...draft.value.peek(), name: typed })}
      />
      <Field
        label={later.savedText}
        name="text"
        hint={
          hasName(text) ? (
            <>
              {later.savedWithout}: <span class="theirs">{filledReply(text, null)}</span>
            </>
          ) : (
            later.savedHint
          )
        }
      >
        {(given) => (
          <textarea
            {...given}
            rows={4}
            dir="auto"
            value={text}
            onInput={(event) => draft.set({ ...draft.value.peek(), text: event.currentTarget.value })}
          />
        )}
      </Field>
    </Form>
  )
}

export function SavedRepliesDialog({ onClose }: { readonly onClose: () => void }) {
  const query = useQuery("GET /v1/dashboard/saved-replies", () => ({}), "template")
  const add = useSend("POST /v1/dashboard/saved-replies", "template")
  const remove = useSend("DELETE /v1/dashboard/saved-replies/:id", "template")
  const edited = useSignal<SavedReply | "new" | null>(null)
  const take = async ({ id, name, text }: SavedReply) => {
    if ((await remove.send({ params: { id } })) === null) return
    tell(later.savedRemoved, { undo: () => void add.send({ body: { name, text } }) })
  }
  return (
    <Dialog key={edited.value === null} title={say.saved} onClose={onClose}>
      {edited.value === null ? (
        <>
          <Loaded
            query={query}
            empty={({ items }) => (items.length === 0 ? <p class="quiet">{say.savedEmpty}</p> : null)}
          >
            {({ items }) => (
              <ul role="list" class="saved-list">
                {items.map((reply) => (
                  <li key={reply.id}>
                    <div>
                      <b class="theirs">{reply.name}</b>
                      <p class="quiet theirs" dir="auto">
                        {reply.text}
                      </p>
                    </div>
                    <Button
                      kind="quiet"
                      label={`${shared.do.change}: ${reply.name}`}
                      onPress={() => (edited.value = reply)}
                    >
                      {shared.do.change}
                    </Button>
                    <Button kind="quiet" label={`${shared.do.remove}: ${reply.name}`} onPress={() => void take(reply)}>
                      {shared.do.remove}
                    </Button>
                  </li>
                ))}
              </ul>
            )}
          </Loaded>
          <div class="form-foot">
            <Button blocked={may.work} onPress={() => (edited.value = "new")}>
              {later.savedNew}
            </Button>
          </div>
        </>
      ) : (
        <Edit reply={edited.value === "new" ? null : edited.value} onDone={() => (edited.value = null)} />
      )}
    </Dialog>
  )
}
