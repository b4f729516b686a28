import { useSignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { paths } from "../../address/here.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Confirm } from "../../parts/Dialog.tsx"
import { Form, TextField } from "../../parts/Form.tsx"
import { Loaded, Refusal } from "../../parts/Loaded.tsx"
import { Pill } from "../../parts/Pill.tsx"
import { Table } from "../../parts/Table.tsx"
import { Time } from "../../parts/Time.tsx"
import { tell } from "../../parts/Toast.tsx"
import { useQuery } from "../../query/useQuery.ts"
import { useSend } from "../../query/useSend.ts"
import { channelName } from "../../words/channels.ts"
import * as format from "../../words/format.ts"
import { say as shared } from "../../words/say.ts"
import { MerchantAudit } from "./MerchantAudit.tsx"
import { MerchantMoney } from "./MerchantMoney.tsx"
import { say } from "./words.ts"

function Rename({ id, name }: { readonly id: string; readonly name: string }) {
  const typed = useSignal(name)
  const rename = useSend("PATCH /v1/admin/merchants/:id", "merchant")
  return (
    <Form
      class="rename"
      onSubmit={() =>
        void rename
          .send({ params: { id }, body: { name: typed.value.trim() } })
          .then((done) => done !== null && tell(say.renamed))
      }
      failure={rename.failure}
      busy={rename.busy}
      blocked={undefined}
      submit={say.rename}
      fields={["name"]}
    >
      <TextField label={say.name} name="name" text={typed} />
    </Form>
  )
}

/** A merchant as the operator sees it: counts only, no identities and no messages. */
export function MerchantDetail({ id }: { readonly id: string }) {
  const from = useMemo(() => new Date(Date.now() - 30 * 86_400_000).toISOString(), [])
  const merchant = useQuery("GET /v1/admin/merchants/:id", () => ({ params: { id } }), "merchant")
  const usage = useQuery("GET /v1/admin/merchants/:id/usage", () => ({
    params: { id },
    query: { from, tz: format.zone }
  }))
  const isSuspending = useSignal(false)
  const suspend = useSend("POST /v1/admin/merchants/:id/suspend", "merchant")
  const resume = useSend("POST /v1/admin/merchants/:id/resume", "merchant")
  return (
    <>
      <a href={paths.merchants()}>← {say.back}</a>
      <Loaded query={merchant} empty={() => null}>
        {({ createdAt, live, name, status, test }) => (
          <Card
            class="merchant-card"
            title={name}
            actions={
              status === "ACTIVE" ? (
                <Button kind="danger" opens="dialog" onPress={() => (isSuspending.value = true)}>
                  {say.suspend}
                </Button>
              ) : (
                <Button
                  kind="main"
                  busy={resume.busy.value}
                  onPress={() =>
                    void resume.send({ params: { id } }).then((done) => done !== null && tell(say.resumed(name)))
                  }
                >
                  {say.resume}
                </Button>
              )
            }
          >
            {resume.failure.value === null ? null : <Refusal failure={resume.failure.value} />}
            <p>
              <Pill tone={status === "ACTIVE" ? "good" : "warn"}>{say.states[status]}</Pill> {say.since}{" "}
              <Time at={createdAt} as="date" />
            </p>
            <dl class="facts">
              <dt>id</dt>
              <dd class="mono">{id}</dd>
              <dt>
                {say.ids}, {shared.environment.live}
              </dt>
              <dd class="mono">{live.clientIds.join(", ")}</dd>
              <dt>
                {say.ids}, {shared.environment.test}
              </dt>
              <dd class="mono">{test.clientIds.join(", ")}</dd>
            </dl>
            <Rename key={name} id={id} name={name} />
            {isSuspending.value ? (
              <Confirm
                title={say.suspendTitle(name)}
                confirm={say.suspend}
                busy={suspend.busy.value}
                onClose={() => (isSuspending.value = false)}
                onConfirm={() =>
                  void suspend.send({ params: { id } }).then((done) => {
                    if (done === null) return
                    isSuspending.value = false
                    tell(say.suspended(name))
                  })
                }
              >
                <p>{say.suspendWhat}</p>
                {suspend.failure.value === null ? null : <Refusal failure={suspend.failure.value} />}
              </Confirm>
            ) : null}
          </Card>
        )}
      </Loaded>
      <MerchantMoney id={id} />
      <Card title={say.usage}>
        <Loaded query={usage} empty={({ items }) => items.length === 0 && <p class="quiet">{say.noUsage}</p>}>
          {({ items }) => (
            <Table
              caption={say.usage}
              rows={items.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))}
              id={({ at, environment }) => `${environment}/${at}`}
              columns={[
                { title: say.day, names: true, cell: ({ at }) => <Time at={at} as="date" /> },
                { title: say.environment, cell: ({ environment }) => shared.environment[environment] },
                { title: say.started, number: true, cell: ({ started }) => format.count(started) },
                { title: say.verified, number: true, cell: ({ verified }) => format.count(verified) },
                {
                  title: say.sent,
                  drop: 1,
                  cell: ({ sent }) =>
                    Object.entries(sent)
                      .map(([channel, sends]) => `${channelName(channel)} ${format.count(sends)}`)
                      .join(", ") || "–"
                }
              ]}
            />
          )}
        </Loaded>
      </Card>
      <MerchantAudit id={id} />
    </>
  )
}
