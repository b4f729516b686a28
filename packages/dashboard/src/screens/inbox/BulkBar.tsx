import { useSignal } from "@preact/signals"
import type { Answer, Item } from "../../api/Api.ts"
import { Button } from "../../parts/Button.tsx"
import { Field, FormDialog } from "../../parts/Form.tsx"
import { tell } from "../../parts/Toast.tsx"
import { useQuery } from "../../query/useQuery.ts"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { me } from "../../session/session.ts"
import { lazyDialog } from "../../shell/lazyDialog.tsx"
import { count, moment } from "../../words/format.ts"
import { later } from "./dialogWords.ts"
import { who } from "./names.ts"
import { SnoozeDialog } from "./SnoozeDialog.tsx"
import { say } from "./words.ts"

type Row = Item<"GET /v1/dashboard/leads">
const LabelsDialog = lazyDialog(() => import("./LabelsDialog.tsx").then((loaded) => loaded.LabelsDialog))

type Action =
  | { readonly action: "ASSIGN"; readonly agentEmail: string }
  | { readonly action: "CLOSE" | "REOPEN" | "UNSNOOZE" }
  | { readonly action: "SNOOZE"; readonly until: string }
type Outcome = Answer<"POST /v1/dashboard/leads/bulk">["items"][number]["outcome"]

/** A request that changes leads back. */
interface Undo {
  readonly ids: ReadonlyArray<number>
  readonly action: Action
}

interface Props {
  readonly chosen: ReadonlyArray<Row>
  /** Whether the list shows leads that are not selected. */
  readonly hasOthers: boolean
  readonly onAll: () => void
  /** Keeps only these leads selected. */
  readonly onKeep: (ids: ReadonlyArray<number>) => void
  /** Shows the changes in the list, also under the pointer. */
  readonly onChanged: () => void
}

const idsOf = (leads: ReadonlyArray<Row>) => leads.map(({ id }) => id)

/** Actions on the selected leads, below the list. */
export function BulkBar({ chosen, hasOthers, onAll, onChanged, onKeep }: Props) {
  const bulk = useSend("POST /v1/dashboard/leads/bulk", "lead")
  const agents = useQuery("GET /v1/dashboard/assignees", () => ({}), "lead")
  const dialog = useSignal<"assign" | "labels" | "snooze" | null>(null)
  const owner = useSignal("")
  const close = () => {
    bulk.forget()
    dialog.value = null
  }
  const send = async (ids: ReadonlyArray<number>, action: Action) => {
    const answer = await bulk.send({ body: { ids, ...action } }, crypto.randomUUID())
    if (answer !== null) onChanged()
    return answer
  }
  const refused = () => {
    const failure = bulk.failure.peek()
    if (failure !== null) tell(failure.message, { tone: "bad" })
  }
  const changeBack = async (steps: ReadonlyArray<Undo>) => {
    for (const { action, ids } of steps) if ((await send(ids, action)) === null) return refused()
  }
  /** `undo` changes back only leads that this request changed. */
  const act = async (
    action: Action,
    done: (count: string) => string,
    undo: (changed: ReadonlyArray<Row>) => ReadonlyArray<Undo>
  ) => {
    const before = chosen
    const answer = await send(idsOf(before), action)
    if (answer === null) return dialog.peek() === null ? refused() : undefined
    const leadsWith = (outcome: Outcome) => {
      const ids = new Set(answer.body.items.flatMap((item) => (item.outcome === outcome ? [item.id] : [])))
      return before.filter(({ id }) => ids.has(id))
    }
    const changed = leadsWith("DONE")
    close()
    // Leads that others changed at the same time stay selected, for another try.
    onKeep(idsOf(leadsWith("BUSY")))
    const missed = (["CLOSED", "FULL", "NOT_FOUND", "BUSY"] as const).flatMap((outcome) => {
      const { length } = leadsWith(outcome)
      return length === 0 ? [] : [later.bulk.missed[outcome](count(length))]
    })
    const back = undo(changed).filter(({ ids }) => ids.length > 0)
    tell([done(count(changed.length)), ...missed].join(" · "), {
      ...(missed.length === 0 ? {} : { tone: "bad" }),
      ...(back.length === 0 ? {} : { undo: () => void changeBack(back) })
    })
  }
  const assign = () => {
    const agentEmail = owner.peek()
    return act(
      { action: "ASSIGN", agentEmail },
      (many) => (agentEmail === "" ? later.bulk.unassigned(many) : later.bulk.assigned(many, who(agentEmail))),
      (changed) =>
        [...Map.groupBy(changed, ({ assignedTo }) => assignedTo ?? "")]
          .filter(([email]) => email !== agentEmail)
          .map(([email, leads]) => ({ ids: idsOf(leads), action: { action: "ASSIGN", agentEmail: email } }))
    )
  }
  const mine = me.value?.agent.email
  return (
    <div class="bulk" role="group" aria-label={later.bulk.title}>
      <span role="status">{later.bulk.selected(count(chosen.length))}</span>
      <Button kind="quiet" onPress={() => onKeep([])}>
        {later.bulk.clear}
      </Button>
      {hasOthers ? (
        <Button kind="quiet" onPress={onAll}>
          {later.bulk.all}
        </Button>
      ) : null}
      <div class="bulk-do">
        <Button
          blocked={may.work}
          opens="dialog"
          onPress={() => ((owner.value = mine ?? ""), (dialog.value = "assign"))}
        >
          {say.assign}
        </Button>
        <Button
          blocked={may.work}
          busy={bulk.busy.value}
          onPress={() =>
            void act({ action: "CLOSE" }, later.bulk.closed, (changed) => [
              { ids: idsOf(changed.filter(({ status }) => status === "OPEN")), action: { action: "REOPEN" } }
            ])
          }
        >
          {say.close}
        </Button>
        <Button blocked={may.work} opens="dialog" onPress={() => (dialog.value = "snooze")}>
          {say.snooze}
        </Button>
        <Button blocked={may.work} opens="dialog" onPress={() => (dialog.value = "labels")}>
          {say.labels.open}
        </Button>
      </div>
      {dialog.value === "labels" ? <LabelsDialog leads={chosen} onChanged={onChanged} onClose={close} /> : null}
      {dialog.value === "snooze" ? (
        <SnoozeDialog
          failure={bulk.failure}
          busy={bulk.busy}
          onClose={close}
          onSnooze={(until) =>
            void act(
              { action: "SNOOZE", until },
              (many) => later.bulk.snoozed(many, moment(new Date(until))),
              (changed) => [
                { ids: idsOf(changed.filter((lead) => lead.snoozedUntil === null)), action: { action: "UNSNOOZE" } }
              ]
            )
          }
        />
      ) : null}
      {dialog.value === "assign" ? (
        <FormDialog
          title={later.bulk.assignTitle(count(chosen.length))}
          onClose={close}
          onSubmit={() => void assign()}
          failure={bulk.failure}
          busy={bulk.busy}
          blocked={may.work}
          submit={say.give}
          fields={["agentEmail"]}
        >
          <Field label={say.owner} name="agentEmail">
            {(input) => (
              <select {...input} value={owner.value} onChange={(event) => (owner.value = event.currentTarget.value)}>
                {(agents.answer.value?.items ?? []).map(({ email, id, name }) => (
                  <option key={id} value={email}>
                    {email === mine ? say.you : (name ?? email)}
                  </option>
                ))}
                <option value="">{say.unassigned}</option>
              </select>
            )}
          </Field>
        </FormDialog>
      ) : null}
    </div>
  )
}
