import { useSignal } from "@preact/signals"
import { param, paths } from "../../address/here.ts"
import type { Answer } from "../../api/Api.ts"
import { wake } from "../../live/topics.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Loaded, Refusal } from "../../parts/Loaded.tsx"
import { More } from "../../parts/More.tsx"
import { Time } from "../../parts/Time.tsx"
import { tell } from "../../parts/Toast.tsx"
import { useEvery } from "../../query/useEvery.ts"
import { useQuery } from "../../query/useQuery.ts"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { Screen } from "../../shell/Screen.tsx"
import { moment } from "../../words/format.ts"
import { say as shared } from "../../words/say.ts"
import { AttemptDetail } from "./Bodies.tsx"
import { ChangeDialog, RemoveDialog, ReplayDialog, RotateDialog } from "./EndpointDialogs.tsx"
import { HealthOf, useHealth } from "./EndpointHealth.tsx"
import { type Endpoint, type Health, healthOf } from "./health.ts"
import { SentEvents } from "./SentEvents.tsx"
import { WhatWaits } from "./WhatWaits.tsx"
import { say } from "./words.ts"

type Open = "change" | "rotate" | "remove" | "replay"
const dialogs = { change: ChangeDialog, rotate: RotateDialog, remove: RemoveDialog, replay: ReplayDialog } as const

/** Whether the status needs an explanation, and maybe a button. */
const hasNotice = (health: Health | null) =>
  health !== null && ["FAILING", "WAITING", "GONE", "GIVEN_UP"].includes(health)

/** One endpoint with its status and actions. */
function About({ of }: { readonly of: Endpoint }) {
  const open = useSignal<Open | null>(null)
  const tested = useSignal<Answer<"POST /v1/dashboard/webhooks/:id/test"> | null>(null)
  const test = useSend("POST /v1/dashboard/webhooks/:id/test", "webhook")
  const change = useSend("PATCH /v1/dashboard/webhooks/:id", "webhook", "audit")
  const backlog = useHealth(of).value
  const health = healthOf(of, backlog)
  const isOn = of.status === "ACTIVE"
  const tryIt = async () => {
    const answer = await test.send({ params: { id: of.id } })
    if (answer !== null) tested.value = answer.body
  }
  const turn = async (status: Endpoint["status"], back: boolean) => {
    if ((await change.send({ params: { id: of.id }, body: { status } })) === null) return
    const undo = back ? {} : { undo: () => void turn(status === "ACTIVE" ? "DISABLED" : "ACTIVE", true) }
    tell(status === "ACTIVE" ? say.switchedOn : say.switchedOff, undo)
  }
  const Shown = open.value === null ? null : dialogs[open.value]
  const failure = test.failure.value ?? change.failure.value
  return (
    <Card class="endpoint">
      <h2 class="endpoint-title theirs">{of.url}</h2>
      <p class="endpoint-facts">
        <HealthOf of={of} backlog={backlog} />
        {of.retiringAt === null ? null : <span class="warn">{say.oldUntil(moment(new Date(of.retiringAt)))}</span>}
        {of.description === null ? null : <span class="theirs">{of.description}</span>}
        <span class="quiet">
          {say.hears}: {of.events === null ? say.everything : of.events.join(", ")}
        </span>
        <span class="quiet">
          {say.added} <Time at={of.createdAt} as="date" />
        </span>
      </p>
      {backlog !== null && hasNotice(health) ? <WhatWaits of={of} backlog={backlog} /> : null}
      <div class="form-foot" role="group" aria-label={say.actions}>
        {isOn ? (
          <Button
            kind={backlog !== null && backlog.pending > 0 ? "plain" : "main"}
            blocked={may.arrange}
            busy={test.busy.value}
            onPress={() => void tryIt()}
          >
            {say.test}
          </Button>
        ) : (
          <Button kind="main" blocked={may.arrange} busy={change.busy.value} onPress={() => void turn("ACTIVE", false)}>
            {say.switchOn}
          </Button>
        )}
        <More label={say.more}>
          <Button opens="dialog" blocked={may.arrange} onPress={() => (open.value = "change")}>
            {say.edit}
          </Button>
          <Button
            opens="dialog"
            blocked={may.arrange ?? (isOn ? undefined : say.replayOff)}
            onPress={() => (open.value = "replay")}
          >
            {say.replay}
          </Button>
          <Button opens="dialog" blocked={may.arrange} onPress={() => (open.value = "rotate")}>
            {say.rotate}
          </Button>
          {isOn ? (
            <Button blocked={may.arrange} busy={change.busy.value} onPress={() => void turn("DISABLED", false)}>
              {say.switchOff}
            </Button>
          ) : (
            <Button blocked={may.arrange} busy={test.busy.value} onPress={() => void tryIt()}>
              {say.test}
            </Button>
          )}
          <Button opens="dialog" blocked={may.arrange} onPress={() => (open.value = "remove")}>
            {say.remove}
          </Button>
        </More>
      </div>
      {failure === null ? null : <Refusal failure={failure} />}
      {Shown === null ? null : <Shown of={of} onClose={() => (open.value = null)} />}
      {tested.value === null ? null : (
        <Dialog title={say.testing} onClose={() => (tested.value = null)} wide>
          <AttemptDetail of={tested.value} />
        </Dialog>
      )}
    </Card>
  )
}

export default function EndpointScreen() {
  const id = param("id")
  const endpoint = useQuery("GET /v1/dashboard/webhooks/:id", () => ({ params: { id } }), "webhook")
  // Retries and replays run in the background and send no events, so poll.
  useEvery(5_000, () => wake("webhook"))
  return (
    <Screen title={shared.menu.webhooks} busy={endpoint.busy} note={<a href={paths.webhooks()}>{say.back}</a>}>
      <Loaded query={endpoint} empty={() => null}>
        {(answer) => (
          <>
            <About of={answer} />
            <SentEvents id={id} />
          </>
        )}
      </Loaded>
    </Screen>
  )
}
