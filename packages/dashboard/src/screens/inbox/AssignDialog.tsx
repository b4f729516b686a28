import { useSignal } from "@preact/signals"
import { Field, FormDialog } from "../../parts/Form.tsx"
import { tell } from "../../parts/Toast.tsx"
import { useQuery } from "../../query/useQuery.ts"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { me } from "../../session/session.ts"
import { count } from "../../words/format.ts"
import type { Lead } from "./conversation.ts"
import { later } from "./dialogWords.ts"
import { who } from "./names.ts"
import { say } from "./words.ts"

const tallest = 8

interface Props {
  readonly lead: Lead
  readonly onClose: () => void
}

/** Assigns a lead to an agent and a team, with native selects. */
export function AssignDialog({ lead, onClose }: Props) {
  const agents = useQuery("GET /v1/dashboard/assignees", () => ({}), "lead")
  const teams = useQuery("GET /v1/whatsapp/leads/teams", () => ({}))
  const assign = useSend("POST /v1/whatsapp/leads/:leadId/assign", "lead")
  const move = useSend("POST /v1/whatsapp/leads/:leadId/team", "lead")
  const owner = useSignal(lead.assignedTo ?? "")
  const team = useSignal(lead.teamName ?? "")
  const mine = me.value?.agent.email
  const ordered = [...(agents.answer.value?.items ?? [])].sort(
    (a, b) => Number(b.email === mine) - Number(a.email === mine)
  )
  const before = { owner: lead.assignedTo ?? "", team: lead.teamName ?? "" }

  const give = async (agentEmail: string) => assign.send({ params: { leadId: lead.id }, body: { agentEmail } })
  const moveTo = async (teamName: string) => move.send({ params: { leadId: lead.id }, body: { teamName } })
  const submit = async () => {
    const [to, into] = [owner.peek(), team.peek()]
    if (into !== before.team && (await moveTo(into)) === null) return
    if (to !== before.owner && (await give(to)) === null) return
    onClose()
    const undo = () => void Promise.all([give(before.owner), moveTo(before.team)])
    if (to !== before.owner) tell(to === "" ? say.unassignedDone : say.given(who(to)), { undo })
    else if (into !== before.team) tell(into === "" ? say.movedOut : say.moved(into), { undo })
  }
  const failed = assign.failure.value === null ? move : assign
  return (
    <FormDialog
      title={say.assignTitle}
      onClose={onClose}
      onSubmit={() => void submit()}
      failure={failed.failure}
      busy={assign.busy.value ? assign.busy : move.busy}
      blocked={may.work}
      submit={say.give}
      fields={["agentEmail", "teamName"]}
    >
      <Field label={say.owner} name="agentEmail">
        {(inputProps) => (
          <select
            {...inputProps}
            class="listbox"
            size={Math.max(2, Math.min(tallest, ordered.length + 1))}
            value={owner.value}
            onChange={(event) => (owner.value = event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== "Enter") return
              event.preventDefault()
              void submit()
            }}
          >
            {ordered.map(({ email, id, name, openLeads }) => (
              <option key={id} value={email}>
                {email === mine ? `${say.you} (${name ?? email})` : name === null ? email : `${name} (${email})`}
                {` · ${later.openLeads(count(openLeads))}`}
              </option>
            ))}
            <option value="">{say.unassigned}</option>
          </select>
        )}
      </Field>
      {(teams.answer.value?.length ?? 0) === 0 ? null : (
        <Field label={say.team} name="teamName">
          {(inputProps) => (
            <select {...inputProps} value={team.value} onChange={(event) => (team.value = event.currentTarget.value)}>
              <option value="">{say.noTeam}</option>
              {teams.answer.value?.map(({ id, name }) => (
                <option key={id} value={name}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
    </FormDialog>
  )
}
