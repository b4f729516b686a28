import { useSignal } from "@preact/signals"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { FormDialog, TextField } from "../../parts/Form.tsx"
import { Empty, Loaded, Refusal } from "../../parts/Loaded.tsx"
import { Pill } from "../../parts/Pill.tsx"
import { Table } from "../../parts/Table.tsx"
import { Time } from "../../parts/Time.tsx"
import { tell } from "../../parts/Toast.tsx"
import { useQuery } from "../../query/useQuery.ts"
import { useSend } from "../../query/useSend.ts"
import { canUsePasskeys, makePasskey } from "../../session/passkey.ts"
import { WithPasskey } from "../../session/WithPasskey.tsx"
import { useRecentSignIn } from "../../session/useRecentSignIn.ts"
import { say as shared } from "../../words/say.ts"
import { browserOf } from "../browserOf.ts"
import { say } from "./words.ts"

function PasskeyDialog({ onClose }: { readonly onClose: () => void }) {
  const name = useSignal("")
  const options = useSend("POST /v1/dashboard/passkeys/options")
  const keep = useSend("POST /v1/dashboard/passkeys", "session", "audit")
  useRecentSignIn(canUsePasskeys())
  const submit = async () => {
    const given = await options.send({})
    if (given === null) return
    const response = await makePasskey(given.body)
    if (response === null) return tell(say.notMade, { tone: "bad" })
    if ((await keep.send({ body: { response, name: name.value.trim() || null } })) !== null) onClose()
  }
  return (
    <FormDialog
      title={say.addPasskey}
      onClose={onClose}
      onSubmit={() => void submit()}
      failure={options.failure.value === null ? keep.failure : options.failure}
      busy={options.busy.value ? options.busy : keep.busy}
      blocked={canUsePasskeys() ? undefined : say.noPasskeySupport}
      submit={say.addPasskey}
      fields={["name"]}
    >
      <TextField label={say.passkeyName} name="name" hint={say.passkeyNameHint} maxLength={60} text={name} />
    </FormDialog>
  )
}

function Passkeys() {
  const passkeys = useQuery("GET /v1/dashboard/passkeys", () => ({}), "session")
  const remove = useSend("DELETE /v1/dashboard/passkeys/:id", "session", "audit")
  const isAdding = useSignal(false)
  return (
    <Card
      title={say.passkeys}
      actions={
        <Button
          blocked={canUsePasskeys() ? undefined : say.noPasskeySupport}
          onPress={() => (isAdding.value = true)}
          opens="dialog"
        >
          {say.addPasskey}
        </Button>
      }
    >
      {remove.failure.value === null ? null : <Refusal failure={remove.failure.value} />}
      <Loaded
        query={passkeys}
        empty={({ items }) =>
          items.length === 0 && (
            <Empty title={say.noPasskeys}>
              <p>{say.passkeysHint}</p>
            </Empty>
          )
        }
      >
        {({ items }) => (
          <Table
            caption={say.passkeys}
            rows={items}
            id={({ id }) => id}
            columns={[
              { title: say.passkeyName, names: true, cell: ({ name }) => <span class="theirs">{name ?? "–"}</span> },
              { title: say.since, cell: ({ createdAt }) => <Time at={createdAt} /> },
              { title: say.lastUsed, drop: 1, cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
              {
                title: shared.actions,
                cell: ({ id }) => (
                  <Button kind="quiet" busy={remove.busy.value} onPress={() => void remove.send({ params: { id } })}>
                    {say.remove}
                  </Button>
                )
              }
            ]}
          />
        )}
      </Loaded>
      <UseKnown />
      {isAdding.value ? <PasskeyDialog onClose={() => (isAdding.value = false)} /> : null}
    </Card>
  )
}

/** Sign-in methods that exist but are not connected to this account. Using one in this session connects it. */
function UseKnown() {
  const ways = useQuery("GET /v1/dashboard/sign-in", () => ({})).answer.value
  if (ways === null || !(ways.passkey || ways.oidc)) return null
  return (
    <div class="ways">
      <p class="quiet">{say.useKnown}</p>
      {ways.passkey && canUsePasskeys() ? <WithPasskey label={say.usePasskey} /> : null}
      {ways.oidc ? (
        <a class="button" href="/dashboard/oidc/start">
          {say.useProvider}
        </a>
      ) : null}
    </div>
  )
}

function Sessions() {
  const sessions = useQuery("GET /v1/dashboard/sessions", () => ({}), "session")
  const end = useSend("DELETE /v1/dashboard/sessions/:id", "session")
  return (
    <Card title={say.sessions}>
      {end.failure.value === null ? null : <Refusal failure={end.failure.value} />}
      <Loaded query={sessions} empty={() => null}>
        {({ items }) => (
          <Table
            caption={say.sessions}
            rows={items}
            id={({ id }) => id}
            columns={[
              {
                title: say.device,
                names: true,
                cell: ({ current, userAgent }) => (
                  <span class="theirs" title={userAgent ?? undefined}>
                    {browserOf(userAgent)} {current ? <Pill tone="accent">{say.thisOne}</Pill> : null}
                  </span>
                )
              },
              { title: say.address, drop: 1, cell: ({ address }) => <span class="mono">{address ?? "–"}</span> },
              { title: say.signedIn, drop: 2, cell: ({ createdAt }) => <Time at={createdAt} /> },
              { title: say.lastUsed, cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
              {
                title: shared.actions,
                cell: ({ current, id }) =>
                  current ? null : (
                    <Button
                      kind="quiet"
                      busy={end.busy.value}
                      onPress={() => void end.send({ params: { id } }).then((done) => done !== null && tell(say.ended))}
                    >
                      {say.end}
                    </Button>
                  )
              }
            ]}
          />
        )}
      </Loaded>
    </Card>
  )
}

/** The current user's sign-in methods and sessions. */
export function OwnSignIn() {
  return (
    <>
      <Sessions />
      <Passkeys />
    </>
  )
}
