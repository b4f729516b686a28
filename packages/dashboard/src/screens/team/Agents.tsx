import { useSignal } from "@preact/signals"
import type { Answer } from "../../api/Api.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Confirm, Dialog } from "../../parts/Dialog.tsx"
import { Field, FormDialog, TextField } from "../../parts/Form.tsx"
import { Empty, Loaded, Refusal } from "../../parts/Loaded.tsx"
import { Pill } from "../../parts/Pill.tsx"
import { Secret } from "../../parts/Secret.tsx"
import { Table } from "../../parts/Table.tsx"
import { Time } from "../../parts/Time.tsx"
import { tell } from "../../parts/Toast.tsx"
import { useQuery } from "../../query/useQuery.ts"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { me } from "../../session/session.ts"
import { useRecentSignIn } from "../../session/useRecentSignIn.ts"
import { say as shared } from "../../words/say.ts"
import { CredentialsDialog } from "./CredentialsDialog.tsx"
import { type Agent, changeRefused, isOfThisMachine, type Role, rolesToGive } from "./deeds.ts"
import { say } from "./words.ts"

type Invitation = Answer<"POST /v1/dashboard/agents/:id/invite">
const tones = { INVITED: "accent", SUSPENDED: "warn" } as const

function InvitationDialog({
  email,
  invitation,
  onClose
}: {
  readonly email: string
  readonly invitation: Invitation
  readonly onClose: () => void
}) {
  return (
    <Dialog title={say.link} onClose={onClose}>
      <div class="dialog-body">
        <p class="theirs">{say.invited(email)}</p>
        <Secret label={say.link} value={invitation.url} />
        {isOfThisMachine(invitation.url) ? <p class="warn">{say.onlyHere}</p> : null}
        <p class="quiet">
          {say.expires} <Time at={invitation.expiresAt} />
        </p>
      </div>
    </Dialog>
  )
}

/** Creates an agent and the invitation link in one step. */
function InviteDialog({
  onClose,
  onMade
}: {
  readonly onClose: () => void
  readonly onMade: (email: string, invitation: Invitation) => void
}) {
  const email = useSignal("")
  const role = useSignal<Role>("AGENT")
  const invited = useSignal<Agent | null>(null)
  const create = useSend("POST /v1/dashboard/agents", "person", "audit")
  const invite = useSend("POST /v1/dashboard/agents/:id/invite", "audit")
  useRecentSignIn()
  const submit = async () => {
    // If the agent exists but the link failed, only the link is retried.
    const existing =
      invited.peek() ??
      (await create.send({ body: { email: email.value.trim(), role: role.value, status: "INVITED" } }))?.body
    if (existing === undefined) return
    invited.value = existing
    const link = await invite.send({ params: { id: existing.id } })
    if (link !== null) onMade(existing.email, link.body)
  }
  return (
    <FormDialog
      title={say.invite}
      onClose={onClose}
      onSubmit={() => void submit()}
      failure={invited.value === null ? create.failure : invite.failure}
      busy={invited.value === null ? create.busy : invite.busy}
      blocked={may.arrange}
      submit={say.inviteDo}
      fields={["email", "role"]}
    >
      <TextField
        label={say.email}
        name="email"
        type="email"
        autocomplete="off"
        readOnly={invited.value !== null}
        text={email}
      />
      <Field label={say.role} name="role" hint={say.roles[role.value]}>
        {(inputProps) => (
          <select
            {...inputProps}
            value={role.value}
            onChange={(event) => (role.value = event.currentTarget.value as Role)}
          >
            {rolesToGive(me.value?.agent.role ?? "VIEWER").map((role) => (
              <option key={role} value={role}>
                {shared.shell.role[role]}
              </option>
            ))}
          </select>
        )}
      </Field>
    </FormDialog>
  )
}

export function Agents() {
  const agents = useQuery("GET /v1/dashboard/agents", () => ({}), "person")
  const isInviting = useSignal(false)
  const invited = useSignal<{ readonly email: string; readonly invitation: Invitation } | null>(null)
  const removing = useSignal<Agent | null>(null)
  const openAgent = useSignal<Agent | null>(null)
  const change = useSend("PATCH /v1/dashboard/agents/:id", "person", "audit", "lead")
  const remove = useSend("DELETE /v1/dashboard/agents/:id", "person", "audit", "lead")
  const invite = useSend("POST /v1/dashboard/agents/:id/invite", "audit")
  const mine = me.value?.agent ?? { id: 0, role: "VIEWER" as const }

  const patch = async ({ email, id }: Agent, body: { readonly role?: Role; readonly status?: Agent["status"] }) => {
    if ((await change.send({ params: { id }, body })) !== null) tell(say.changed(email))
  }
  const link = async ({ email, id }: Agent) => {
    const reinvited = await invite.send({ params: { id } })
    if (reinvited !== null) invited.value = { email, invitation: reinvited.body }
  }
  const end = async ({ email, id }: Agent) => {
    if ((await remove.send({ params: { id } })) === null) return
    removing.value = null
    tell(say.removedOne(email))
  }
  const failure = change.failure.value ?? invite.failure.value

  return (
    <Card
      title={say.agents}
      actions={
        <Button
          kind="main"
          deed="invite"
          blocked={may.arrange}
          onPress={() => (isInviting.value = true)}
          opens="dialog"
        >
          {say.invite}
        </Button>
      }
    >
      {failure === null ? null : <Refusal failure={failure} />}
      <Loaded query={agents} empty={({ items }) => items.length === 0 && <Empty title={say.alone} />}>
        {({ items }) => (
          <>
            <Table
              caption={say.agents}
              rows={items}
              id={({ id }) => id}
              columns={[
                {
                  title: say.email,
                  names: true,
                  cell: ({ email, id, status }) => (
                    <span class="theirs person">
                      {email} {id === mine.id ? <Pill>{shared.you}</Pill> : null}
                      {status === "ACTIVE" ? null : <Pill tone={tones[status]}>{say.states[status]}</Pill>}
                    </span>
                  )
                },
                {
                  title: say.role,
                  cell: (agent) => {
                    const refused = changeRefused(mine, agent, may.arrange)
                    return refused === undefined ? (
                      <select
                        class="person-role"
                        aria-label={`${say.role}: ${agent.email}`}
                        value={agent.role}
                        title={say.roles[agent.role]}
                        onChange={(event) => void patch(agent, { role: event.currentTarget.value as Role })}
                      >
                        {rolesToGive(mine.role).map((role) => (
                          <option key={role} value={role}>
                            {shared.shell.role[role]}
                          </option>
                        ))}
                      </select>
                    ) : (
                      <span title={say.roles[agent.role]}>{shared.shell.role[agent.role]}</span>
                    )
                  }
                },
                { title: say.since, drop: 1, cell: ({ createdAt }) => <Time at={createdAt} /> },
                {
                  title: shared.actions,
                  cell: (agent) => {
                    const refused = changeRefused(mine, agent, may.arrange)
                    return (
                      <span class="deeds">
                        {agent.status === "INVITED" ? (
                          <Button
                            kind="quiet"
                            blocked={refused}
                            busy={invite.busy.value}
                            onPress={() => void link(agent)}
                          >
                            {say.newLink}
                          </Button>
                        ) : (
                          // One button for both actions, so that it keeps the focus.
                          <Button
                            kind="quiet"
                            blocked={refused}
                            onPress={() =>
                              void patch(agent, { status: agent.status === "ACTIVE" ? "SUSPENDED" : "ACTIVE" })
                            }
                          >
                            {agent.status === "ACTIVE" ? say.suspend : say.resume}
                          </Button>
                        )}
                        {agent.status === "ACTIVE" && may.own === undefined ? (
                          <>
                            <Button kind="quiet" busy={invite.busy.value} onPress={() => void link(agent)}>
                              {say.signInLink}
                            </Button>
                            <Button kind="quiet" onPress={() => (openAgent.value = agent)} opens="dialog">
                              {say.credentials}
                            </Button>
                          </>
                        ) : null}
                        <Button kind="quiet" blocked={refused} onPress={() => (removing.value = agent)} opens="dialog">
                          {say.remove}
                        </Button>
                      </span>
                    )
                  }
                }
              ]}
            />
            {items.length === 1 ? <p class="quiet">{say.aloneHint}</p> : null}
          </>
        )}
      </Loaded>
      {isInviting.value ? (
        <InviteDialog
          onClose={() => (isInviting.value = false)}
          onMade={(email, invitation) => {
            isInviting.value = false
            invited.value = { email, invitation }
          }}
        />
      ) : null}
      {invited.value === null ? null : <InvitationDialog {...invited.value} onClose={() => (invited.value = null)} />}
      {openAgent.value === null ? null : (
        <CredentialsDialog agent={openAgent.value} onClose={() => (openAgent.value = null)} />
      )}
      {removing.value === null ? null : (
        <Confirm
          title={say.removeTitle(removing.value.email)}
          confirm={say.removeDo}
          busy={remove.busy.value}
          onConfirm={() => void end(removing.value!)}
          onClose={() => (removing.value = null)}
        >
          <p>{say.removeWhat}</p>
          {remove.failure.value === null ? null : <Refusal failure={remove.failure.value} />}
        </Confirm>
      )}
    </Card>
  )
}
