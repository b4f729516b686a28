import { useSignal } from "@preact/signals"
import { file, keepFile } from "../../api/call.ts"
import type { Failure } from "../../api/Failure.ts"
import { Button } from "../../parts/Button.tsx"
import { Form, TextField } from "../../parts/Form.tsx"
import { Loaded, Refusal } from "../../parts/Loaded.tsx"
import { useQuery } from "../../query/useQuery.ts"
import { useSend } from "../../query/useSend.ts"
import { count } from "../../words/format.ts"
import { say } from "./words.ts"

interface Props {
  readonly identity: string
  readonly identityType: "MOBILE" | "EMAIL"
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

function Erase({ identity, identityType }: Props) {
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
    if (reply !== null) begun.value = reply.body.erasureId
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

/** Export and erasure of all stored data about a user. */
export function Kept({ identity, identityType }: Props) {
  return (
    <div class="kept">
      <p>
        <strong class="theirs">{identity}</strong>
      </p>
      <Export identity={identity} />
      <Erase identity={identity} identityType={identityType} />
    </div>
  )
}
