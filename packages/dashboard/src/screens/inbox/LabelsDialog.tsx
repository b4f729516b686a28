import { useSignal } from "@preact/signals"
import type { Item } from "../../api/Api.ts"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Field, Form, TextField } from "../../parts/Form.tsx"
import { Loaded } from "../../parts/Loaded.tsx"
import { tell } from "../../parts/Toast.tsx"
import { useQuery } from "../../query/useQuery.ts"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { count } from "../../words/format.ts"
import { say as shared } from "../../words/say.ts"
import { later } from "./dialogWords.ts"
import { Label } from "./LeadLabels.tsx"
import { type LeadLabel, shareOf } from "./labels.ts"

type Known = Item<"GET /v1/dashboard/labels">
const colours = ["GREY", "RED", "ORANGE", "YELLOW", "GREEN", "TEAL", "BLUE", "PURPLE"] as const

interface EditProps {
  readonly label: Known | null
  readonly onDone: (made: LeadLabel | null) => void
}

/** The form of a new or existing label. */
function Edit({ label, onDone }: EditProps) {
  const add = useSend("POST /v1/dashboard/labels", "settings")
  const change = useSend("PATCH /v1/dashboard/labels/:id", "settings", "lead")
  const remove = useSend("DELETE /v1/dashboard/labels/:id", "settings", "lead")
  const [name, colour] = [useSignal(label?.name ?? ""), useSignal<Known["colour"]>(label?.colour ?? "GREY")]
  const isRemoving = useSignal(false)
  const write = label === null ? add : change
  const submit = async () => {
    const body = { name: name.peek().trim(), colour: colour.peek() }
    const done = label === null ? await add.send({ body }) : await change.send({ params: { id: label.id }, body })
    if (done !== null) onDone(label === null ? done.body : null)
  }
  const takeAway = async () => {
    if (label === null || (await remove.send({ params: { id: label.id } })) === null) return
    tell(later.labels.removed(label.name))
    onDone(null)
  }
  if (label !== null && isRemoving.value)
    return (
      <Form
        onSubmit={() => void takeAway()}
        failure={remove.failure}
        busy={remove.busy}
        blocked={may.arrange}
        kind="danger"
        submit={shared.do.remove}
        fields={[]}
        onCancel={() => (isRemoving.value = false)}
      >
        <p>
          <Label label={label} /> {later.labels.removing}
        </p>
      </Form>
    )
  return (
    <Form
      onSubmit={() => void submit()}
      failure={write.failure}
      busy={write.busy}
      blocked={may.arrange ?? (name.value.trim() === "" ? later.labels.unnamed : undefined)}
      submit={label === null ? later.labels.add : shared.do.save}
      fields={["name", "colour"]}
      onCancel={() => onDone(null)}
    >
      <TextField label={later.labels.name} name="name" text={name} maxLength={40} dir="auto" />
      <Field label={later.labels.colour} name="colour">
        {({ id, ...given }) => (
          <div {...given} id={id} class="label-colours" role="radiogroup" aria-label={later.labels.colour}>
            {colours.map((each) => (
              <label key={each}>
                <input
                  type="radio"
                  name="colour"
                  checked={colour.value === each}
                  onChange={() => (colour.value = each)}
                />
                <Label label={{ name: later.labels.colours[each], colour: each }} />
              </label>
            ))}
          </div>
        )}
      </Field>
      {label === null ? null : (
        <div>
          <Button kind="quiet" blocked={may.arrange} onPress={() => (isRemoving.value = true)}>
            {later.labels.remove}
          </Button>
        </div>
      )}
    </Form>
  )
}

interface Props {
  /** The leads to label. */
  readonly leads: ReadonlyArray<{ readonly id: number; readonly labels: ReadonlyArray<LeadLabel> }>
  readonly onChanged?: () => void
  readonly onClose: () => void
}

/** Puts labels on leads and takes them off. Who may manage labels makes and changes them here, too. */
export function LabelsDialog({ leads, onChanged, onClose }: Props) {
  const query = useQuery("GET /v1/dashboard/labels", () => ({}), "settings")
  const bulk = useSend("POST /v1/dashboard/leads/bulk", "lead")
  const edited = useSignal<Known | "new" | null>(null)
  const put = async (label: Pick<LeadLabel, "id">, isOn: boolean) => {
    const ids = leads.map(({ id }) => id)
    const body = { ids, action: isOn ? ("LABEL" as const) : ("UNLABEL" as const), label: label.id }
    const answer = await bulk.send({ body }, crypto.randomUUID())
    if (answer === null) {
      const failure = bulk.failure.peek()
      return failure === null ? undefined : tell(failure.message, { tone: "bad" })
    }
    onChanged?.()
    const missed = (["FULL", "NOT_FOUND", "BUSY"] as const).flatMap((outcome) => {
      const { length } = answer.body.items.filter((item) => item.outcome === outcome)
      return length === 0 ? [] : [later.bulk.missed[outcome](count(length))]
    })
    if (missed.length > 0) tell(missed.join(" · "), { tone: "bad" })
  }
  const title = leads.length === 1 ? later.labels.title : later.labels.titleOf(count(leads.length))
  return (
    <Dialog key={edited.value === null} title={title} onClose={onClose}>
      {edited.value === null ? (
        <>
          <Loaded
            query={query}
            empty={({ items }) => (items.length === 0 ? <p class="quiet">{may.arrange ?? later.labels.none}</p> : null)}
          >
            {({ items }) => (
              <ul role="list" class="label-list">
                {items.map((label) => {
                  const share = shareOf(label.id, leads)
                  return (
                    <li key={label.id}>
                      <label>
                        <input
                          type="checkbox"
                          checked={share === "all"}
                          indeterminate={share === "some"}
                          aria-disabled={may.work !== undefined || undefined}
                          onClick={(event) => {
                            // The box shows what the leads have, not what was pressed.
                            event.preventDefault()
                            if (may.work === undefined) void put(label, share !== "all")
                            else tell(may.work, { tone: "bad" })
                          }}
                        />
                        <Label label={label} />
                      </label>
                      {may.arrange === undefined ? (
                        <Button
                          kind="quiet"
                          label={`${shared.do.change}: ${label.name}`}
                          onPress={() => (edited.value = label)}
                        >
                          {shared.do.change}
                        </Button>
                      ) : null}
                    </li>
                  )
                })}
              </ul>
            )}
          </Loaded>
          {may.arrange === undefined ? (
            <div class="form-foot">
              <Button onPress={() => (edited.value = "new")}>{later.labels.create}</Button>
            </div>
          ) : null}
        </>
      ) : (
        <Edit
          label={edited.value === "new" ? null : edited.value}
          onDone={(made) => {
            edited.value = null
            if (made !== null) void put(made, true)
          }}
        />
      )}
    </Dialog>
  )
}
