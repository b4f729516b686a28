import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Empty, Loaded, Refusal } from "../../parts/Loaded.tsx"
import { Table } from "../../parts/Table.tsx"
import { Time } from "../../parts/Time.tsx"
import { useQuery } from "../../query/useQuery.ts"
import { useSend } from "../../query/useSend.ts"
import { say as shared } from "../../words/say.ts"
import type { Agent } from "./deeds.ts"
import { say } from "./words.ts"

interface Row {
  readonly id: string
  readonly name: string
  readonly since: string
  readonly end: () => void
}

/** An agent's passkeys and organisation accounts. Owners can remove them. */
export function CredentialsDialog({ agent, onClose }: { readonly agent: Agent; readonly onClose: () => void }) {
  const params = { id: agent.id }
  const credentials = useQuery("GET /v1/dashboard/agents/:id/credentials", () => ({ params }), "person")
  const passkey = useSend("DELETE /v1/dashboard/agents/:id/credentials/passkeys/:passkeyId", "person", "audit")
  const provider = useSend("DELETE /v1/dashboard/agents/:id/credentials/provider", "person", "audit")
  const failure = passkey.failure.value ?? provider.failure.value
  return (
    <Dialog title={say.credentialsOf(agent.email)} onClose={onClose}>
      <div class="dialog-body">
        {failure === null ? null : <Refusal failure={failure} />}
        <Loaded
          query={credentials}
          empty={({ passkeys, providers }) =>
            passkeys.length + providers.length === 0 && <Empty title={say.noCredentials} />
          }
        >
          {({ passkeys, providers }) => {
            const rows: ReadonlyArray<Row> = [
              ...passkeys.map(({ createdAt, id, name }) => ({
                id,
                name: `${say.passkey}: ${name}`,
                since: createdAt,
                end: () => void passkey.send({ params: { ...params, passkeyId: id } })
              })),
              ...providers.map(({ issuer, since }) => ({
                id: issuer,
                name: `${say.provider}: ${issuer}`,
                since,
                end: () => void provider.send({ params })
              }))
            ]
            return (
              <Table
                caption={say.credentials}
                rows={rows}
                id={({ id }) => id}
                columns={[
                  { title: say.credentials, names: true, cell: ({ name }) => <span class="theirs">{name}</span> },
                  { title: say.since, drop: 1, cell: ({ since }) => <Time at={since} /> },
                  {
                    title: shared.actions,
                    cell: ({ end }) => (
                      <Button kind="quiet" busy={passkey.busy.value || provider.busy.value} onPress={end}>
                        {say.remove}
                      </Button>
                    )
                  }
                ]}
              />
            )
          }}
        </Loaded>
        <p class="quiet">{say.credentialsHint}</p>
      </div>
    </Dialog>
  )
}
