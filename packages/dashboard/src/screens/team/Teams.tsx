import { useSignal } from "@preact/signals"
import type { Item } from "../../api/Api.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Confirm } from "../../parts/Dialog.tsx"
import { Field, FormDialog, TextField } from "../../parts/Form.tsx"
import { Empty, Loaded, Refusal } from "../../parts/Loaded.tsx"
import { Pill } from "../../parts/Pill.tsx"
import { Table } from "../../parts/Table.tsx"
import { useQuery } from "../../query/useQuery.ts"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { say as shared } from "../../words/say.ts"
import { say } from "./words.ts"

type Team = Item<"GET /v1/dashboard/teams">
type Assignment = Team["assignment"]
const assignments: ReadonlyArray<Assignment> = ["OFF", "ROUND_ROBIN", "LEAST_OPEN"]

/** Creates or edits a team. Members take turns in the order they are selected. */
function TeamDialog({ onClose, team }: { readonly team: Team | null; readonly onClose: () => void }) {
  const name = useSignal(team?.name ?? "")
  const assignment = useSignal<Assignment>(team?.assignment ?? "ROUND_ROBIN")
  const members = useSignal<ReadonlyArray<number>>(team?.members ?? [])
  const takesNew = useSignal(team?.takesNew ?? false)
  const agents = useQuery("GET /v1/dashboard/agents", () => ({}), "person")
  const create = useSend("POST /v1/dashboard/teams", "person", "lead", "audit")
  const change = useSend("PATCH /v1/dashboard/teams/:id", "person", "lead", "audit")
  const write = team === null ? create : change
  const submit = async () => {
    const body = {
      name: name.value.trim(),
      assignment: assignment.value,
      members: [...members.value],
      takesNew: takesNew.value
    }
    const done = team === null ? await create.send({ body }) : await change.send({ params: { id: team.id }, body })
    if (done !== null) onClose()
  }
  const toggle = (id: number) =>
    (members.value = members.value.includes(id) ? members.value.filter((each) => each !== id) : [...members.value, id])
  return (
    <FormDialog
      title={team === null ? say.newTeam : say.editTeam}
      onClose={onClose}
      onSubmit={() => void submit()}
      failure={write.failure}
      busy={write.busy}
      blocked={may.arrange}
      submit={shared.do.save}
      fields={["name", "assignment", "members", "takesNew"]}
    >
      <TextField label={say.team} name="name" maxLength={100} text={name} />
      <Field label={say.sharing} name="assignment">
        {(given) => (
          <select
            {...given}
            value={assignment.value}
            onChange={(event) => (assignment.value = event.currentTarget.value as Assignment)}
          >
            {assignments.map((each) => (
              <option key={each} value={each}>
                {say.assignments[each]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <fieldset>
        <legend>{say.members}</legend>
        <Loaded query={agents} empty={() => null}>
          {({ items }) => (
            <div class="members">
              {items.map(({ email, id }) => (
                <label key={id}>
                  <input type="checkbox" checked={members.value.includes(id)} onChange={() => toggle(id)} />{" "}
                  <span class="theirs">{email}</span>
                </label>
              ))}
            </div>
          )}
        </Loaded>
      </fieldset>
      <label>
        <input
          type="checkbox"
          checked={takesNew.value}
          onChange={(event) => (takesNew.value = event.currentTarget.checked)}
        />{" "}
        {say.takesNew}
      </label>
    </FormDialog>
  )
}

export function Teams() {
  const teams = useQuery("GET /v1/dashboard/teams", () => ({}), "person")
  const agents = useQuery("GET /v1/dashboard/agents", () => ({}), "person")
  const edited = useSignal<Team | "new" | null>(null)
  const removing = useSignal<Team | null>(null)
  const remove = useSend("DELETE /v1/dashboard/teams/:id", "person", "lead", "audit")
  const emails = new Map(agents.answer.value?.items.map(({ email, id }) => [id, email]))
  const end = async ({ id }: Team) => {
    if ((await remove.send({ params: { id } })) !== null) removing.value = null
  }
  return (
    <Card
      title={say.teams}
      actions={
        <Button blocked={may.arrange} onPress={() => (edited.value = "new")} opens="dialog">
          {say.newTeam}
        </Button>
      }
    >
      <Loaded
        query={teams}
        empty={({ items }) =>
          items.length === 0 && (
            <Empty title={say.teamsEmpty}>
              <p>{say.teamsEmptyHint}</p>
            </Empty>
          )
        }
      >
        {({ items }) => (
          <Table
            caption={say.teams}
            rows={items}
            id={({ id }) => id}
            columns={[
              {
                title: say.team,
                names: true,
                cell: ({ name, takesNew }) => (
                  <span class="theirs">
                    {name} {takesNew ? <Pill tone="accent">{say.takesNewShort}</Pill> : null}
                  </span>
                )
              },
              { title: say.sharing, drop: 1, cell: ({ assignment }) => say.assignments[assignment] },
              {
                title: say.members,
                cell: ({ members }) => (
                  <span class="theirs">{members.map((id) => emails.get(id) ?? id).join(", ") || say.noMembers}</span>
                )
              },
              {
                title: shared.actions,
                cell: (team) => (
                  <span class="deeds">
                    <Button kind="quiet" blocked={may.arrange} onPress={() => (edited.value = team)} opens="dialog">
                      {shared.do.change}
                    </Button>
                    <Button kind="quiet" blocked={may.arrange} onPress={() => (removing.value = team)} opens="dialog">
                      {say.remove}
                    </Button>
                  </span>
                )
              }
            ]}
          />
        )}
      </Loaded>
      {edited.value === null ? null : (
        <TeamDialog team={edited.value === "new" ? null : edited.value} onClose={() => (edited.value = null)} />
      )}
      {removing.value === null ? null : (
        <Confirm
          title={say.removeTeam(removing.value.name)}
          confirm={say.remove}
          busy={remove.busy.value}
          onConfirm={() => void end(removing.value!)}
          onClose={() => (removing.value = null)}
        >
          <p>{say.removeTeamWhat}</p>
          {remove.failure.value === null ? null : <Refusal failure={remove.failure.value} />}
        </Confirm>
      )}
    </Card>
  )
}
