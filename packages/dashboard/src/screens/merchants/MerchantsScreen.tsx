import { useSignal } from "@preact/signals"
import { match, param, paths } from "../../address/here.ts"
import type { Answer, Item } from "../../api/Api.ts"
import { call, context } from "../../api/call.ts"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { FormDialog, TextField } from "../../parts/Form.tsx"
import { Empty } from "../../parts/Loaded.tsx"
import { LongTable } from "../../parts/LongTable.tsx"
import { Pill } from "../../parts/Pill.tsx"
import { Secret, ShownOnce } from "../../parts/Secret.tsx"
import { Time } from "../../parts/Time.tsx"
import { usePages } from "../../query/usePages.ts"
import { useSend } from "../../query/useSend.ts"
import { Screen } from "../../shell/Screen.tsx"
import { say as shared } from "../../words/say.ts"
import { MerchantDetail } from "./MerchantDetail.tsx"
import { OperatorTokenForm } from "./OperatorTokenForm.tsx"
import { say } from "./words.ts"

type Made = Answer<"POST /v1/admin/merchants">
type Merchant = Item<"GET /v1/admin/merchants">
const environments = ["live", "test"] as const

function MadeDialog({ made, onClose }: { readonly made: Made; readonly onClose: () => void }) {
  return (
    <Dialog title={say.made(made.name)} onClose={onClose} wide>
      <ShownOnce />
      {made.ownerInvitation === null ? null : <Secret label={say.ownerLink} value={made.ownerInvitation.url} />}
      {environments.map((environment) => (
        <section key={environment} class="dialog-body">
          <h3>{say.keysOf[environment]}</h3>
          <Secret label={say.clientId} value={made[environment].clientId} />
          <Secret label={say.clientSecret} value={made[environment].clientSecret} />
          <Secret label={say.publicKey} value={made[environment].publicKey} />
        </section>
      ))}
    </Dialog>
  )
}

function MakeDialog({ onClose, onMade }: { readonly onClose: () => void; readonly onMade: (made: Made) => void }) {
  const name = useSignal("")
  const email = useSignal("")
  const make = useSend("POST /v1/admin/merchants", "merchant")
  const submit = async () => {
    const created = await make.send({ body: { name: name.value.trim(), ownerEmail: email.value.trim() || null } })
    if (created !== null) onMade(created.body)
  }
  return (
    <FormDialog
      title={say.make}
      onClose={onClose}
      onSubmit={() => void submit()}
      failure={make.failure}
      busy={make.busy}
      blocked={undefined}
      submit={say.make}
      fields={["name", "ownerEmail"]}
    >
      <TextField label={say.name} name="name" text={name} />
      <TextField label={say.owner} name="ownerEmail" hint={say.ownerHint} type="email" text={email} />
    </FormDialog>
  )
}

function List() {
  const merchants = usePages("GET /v1/admin/merchants", () => ({}), {
    id: ({ id }: Merchant) => id,
    topics: ["merchant"]
  })
  return (
    <LongTable
      caption={shared.menu.merchants}
      pages={merchants}
      id={({ id }) => id}
      href={({ id }) => paths.merchant({ id })}
      empty={
        <Empty title={say.none}>
          <p>{say.noneHint}</p>
        </Empty>
      }
      columns={[
        { title: say.name, names: true, cell: ({ name }) => <span class="theirs">{name}</span> },
        {
          title: say.status,
          cell: ({ status }) => <Pill tone={status === "ACTIVE" ? "good" : "warn"}>{say.states[status]}</Pill>
        },
        { title: say.since, drop: 1, cell: ({ createdAt }) => <Time at={createdAt} as="date" /> },
        { title: "id", drop: 2, cell: ({ id }) => <span class="mono">{id}</span> }
      ]}
    />
  )
}

/** All merchants, for the operator. The operator token is kept only in memory. */
export default function MerchantsScreen() {
  const isMaking = useSignal(false)
  const created = useSignal<Made | null>(null)
  const isIn = useSignal(context.adminToken.peek() !== null)
  if (!isIn.value)
    return (
      <Screen title={shared.menu.merchants}>
        <OperatorTokenForm
          onEnter={async (typed) => {
            context.adminToken.value = typed
            const reply = await call("GET /v1/admin/merchants", {})
            if (reply.ok) {
              isIn.value = true
              return null
            }
            context.adminToken.value = null
            return reply.failure
          }}
        />
      </Screen>
    )
  const isOne = match.value?.route === "merchant"
  return (
    <Screen
      title={shared.menu.merchants}
      fills={!isOne}
      actions={
        <>
          <Button kind="main" opens="dialog" onPress={() => (isMaking.value = true)}>
            {say.make}
          </Button>
          <Button
            onPress={() => {
              context.adminToken.value = null
              isIn.value = false
            }}
          >
            {say.leave}
          </Button>
        </>
      }
    >
      {isOne ? <MerchantDetail id={param("id")} /> : <List />}
      {isMaking.value ? (
        <MakeDialog
          onClose={() => (isMaking.value = false)}
          onMade={(merchant) => {
            isMaking.value = false
            created.value = merchant
          }}
        />
      ) : null}
      {created.value === null ? null : <MadeDialog made={created.value} onClose={() => (created.value = null)} />}
    </Screen>
  )
}
