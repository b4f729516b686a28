import { useSignal } from "@preact/signals"
import { file, keepFile } from "../../api/call.ts"
import type { Failure } from "../../api/Failure.ts"
import { Button } from "../../parts/Button.tsx"
import { Form, TextField } from "../../parts/Form.tsx"
import { Loaded, Refusal } from "../../parts/Loaded.tsx"
import { Table } from "../../parts/Table.tsx"
import { Time } from "../../parts/Time.tsx"
import { tell } from "../../parts/Toast.tsx"
import { useQuery } from "../../query/useQuery.ts"
import { useSend } from "../../query/useSend.ts"
import { count } from "../../words/format.ts"
import { say } from "./words.ts"

interface Props {
  readonly identity: string
  readonly identityType: "MOBILE" | "EMAIL"
  readonly onErased: () => void
}

function Devices({ identity }: Pick<Props, "identity">) {
  const devices = useQuery("GET /v1/dashboard/devices", () => ({ query: { identity } }), "person")
  const revoke = useSend("DELETE /v1/dashboard/devices/:id", "person", "audit")
  return (
    <section>
      <h3>{say.devices}</h3>
      <Loaded query={devices} empty={({ items }) => items.length === 0 && <p class="quiet">{say.noDevices}</p>}>
        {({ items }) => (
          <Table
            caption={say.devices}
            rows={items}
            id={({ id }) => id}
            columns={[
              {
                title: say.device,
                names: true,
                cell: ({ label }) => <span class="theirs">{label ?? say.unnamedDevice}</span>
              },
              { title: say.lastUsed, cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
              { title: say.until, drop: 1, cell: ({ expiresAt }) => <Time at={expiresAt} as="date" /> },
              {
                title: say.action,
                cell: ({ id, label }) => (
                  <Button
                    kind="danger"
                    busy={revoke.busy.value}
                    label={say.endTrustOf(label ?? say.unnamedDevice)}
                    onPress={() =>
                      void revoke.send({ params: { id } }).then((done) => done === null || tell(say.trustEnded))
                    }
                  >
                    {say.endTrust}
                  </Button>
                )
              }
            ]}
          />
        )}
      </Loaded>
      {revoke.failure.value === null ? null : <Refusal failure={revoke.failure.value} />}
    </section>
  )
}

function Unlock({ identity, identityType }: Omit<Props, "onErased">) {
  const unlock = useSend("POST /v1/dashboard/unlock", "verification", "audit")
  const send = async () => {
    const done = await unlock.send({ body: { identity, identityType } })
    if (done !== null) tell(done.body.unlocked ? say.unlocked : say.notLocked)
  }
  return (
    <section>
      <h3>{say.wrongCodes}</h3>
      <p class="quiet">{say.wrongCodesHint}</p>
      <Button busy={unlock.busy.value} onPress={() => void send()}>
        {say.unlock}
      </Button>
      {unlock.failure.value === null ? null : <Refusal failure={unlock.failure.value} />}
    </section>
  )
}

function Export({ identity }: Pick<Props, "identity">) {
  const failure = useSignal<Failure | null>(null)
  const busy = useSignal(false)
  const take = async () => {
    busy.value = true
    const reply = await file("GET /v1/dashboard/export", { query: { identity } })
    busy.value = false
    failure.value = reply.ok ? null : reply.failure
    if (reply.ok) keepFile(reply.body, "person.ndjson")
  }
  return (
    <section>
      <h3>{say.export}</h3>
      <p class="quiet">{say.exportHint}</p>
      <Button busy={busy.value} onPress={() => void take()}>
        {say.exportDo}
      </Button>
      {failure.value === null ? null : <Refusal failure={failure.value} />}
    </section>
  )
}

function Progress({ erasureId }: { readonly erasureId: string }) {
  const erasure = useQuery("GET /v1/dashboard/erasures/:id", () => ({ params: { id: erasureId } }), "person")
  return (
    <Loaded query={erasure} empty={() => null}>
      {({ removed, status }) => (
        <p role="status">
          {status === "DONE" ? say.erased : say.erasing}{" "}
          {say.removed(
            count(removed.verifications),
            count(removed.devices),
            count(removed.leads),
            count(removed.messages)
          )}{" "}
          {status === "DONE" ? null : <Button onPress={erasure.refetch}>{say.lookAgain}</Button>}
        </p>
      )}
    </Loaded>
  )
}

function Erase({ identity, identityType, onErased }: Props) {
  const typed = useSignal("")
  const erase = useSend("POST /v1/dashboard/erase", "lead", "audit")
  const begun = useSignal<string | null>(null)
  if (begun.value !== null)
    return (
      <section>
        <h3>{say.erase}</h3>
        <Progress erasureId={begun.value} />
      </section>
    )
  const submit = async () => {
    const reply = await erase.send({ body: { identity, identityType } })
    if (reply === null) return
    begun.value = reply.body.erasureId
    onErased()
  }
  return (
    <section>
      <h3>{say.erase}</h3>
      <p class="quiet">{say.eraseHint}</p>
      <Form
        onSubmit={() => void submit()}
        failure={erase.failure}
        busy={erase.busy}
        blocked={typed.value.trim() === identity ? undefined : say.typeIt}
        submit={say.eraseDo}
        kind="danger"
        fields={["identity"]}
      >
        <TextField label={say.typeLabel(identity)} name="identity" autocomplete="off" text={typed} />
      </Form>
    </section>
  )
}

/** Stored data about a user, with export and erasure. */
export function Kept({ identity, identityType, onErased }: Props) {
  return (
    <div class="kept">
      <p>
        <strong class="theirs">{identity}</strong>
      </p>
      <Devices identity={identity} />
      <Unlock identity={identity} identityType={identityType} />
      <Export identity={identity} />
      <Erase identity={identity} identityType={identityType} onErased={onErased} />
    </div>
  )
}
