import { useSignal } from "@preact/signals"
import { param, paths } from "../../address/here.ts"
import type { Answer } from "../../api/Api.ts"
import { wake } from "../../live/topics.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Loaded, Refusal } from "../../parts/Loaded.tsx"
import { Time } from "../../parts/Time.tsx"
import { tell } from "../../parts/Toast.tsx"
import { useEvery } from "../../query/useEvery.ts"
import { useQuery } from "../../query/useQuery.ts"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { Screen } from "../../shell/Screen.tsx"
import { moment } from "../../words/format.ts"
import { say as shared } from "../../words/say.ts"
import { AttemptDetail, Attempts } from "./Attempts.tsx"
import { ChangeDialog, RemoveDialog, ReplayDialog, RotateDialog } from "./EndpointDialogs.tsx"
import { EndpointHealth, WhatWaits } from "./EndpointHealth.tsx"
import { type Endpoint, healthOf } from "./health.ts"
import { say } from "./words.ts"

type Open = "change" | "rotate" | "remove" | "replay"
const dialogs = { change: ChangeDialog, rotate: RotateDialog, remove: RemoveDialog, replay: ReplayDialog } as const

/** One endpoint with its status and actions. */
function About({ of }: { readonly of: Endpoint }) {
  const open = useSignal<Open | null>(null)
  const tested = useSignal<Answer<"POST /v1/dashboard/webhooks/:id/test"> | null>(null)
  const test = useSend("POST /v1/dashboard/webhooks/:id/test", "webhook")
  const change = useSend("PATCH /v1/dashboard/webhooks/:id", "webhook", "audit")
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
        <EndpointHealth of={of} />
        {of.retiringAt === null ? null : <span class="warn">{say.oldUntil(moment(new Date(of.retiringAt)))}</span>}
        {of.description === null ? null : <span class="theirs">{of.description}</span>}
        <span class="quiet">
          {say.hears}: {of.events === null ? say.everything : of.events.join(", ")}
        </span>
        <span class="quiet">
          {say.added} <Time at={of.createdAt} as="date" />
        </span>
      </p>
      {["failing", "exhausted", "gone"].includes(healthOf(of, null).kind) ? <WhatWaits of={of} /> : null}
      <div class="form-foot" role="group" aria-label={say.actions}>
        <Button kind="main" blocked={may.arrange} busy={test.busy.value} onPress={() => void tryIt()}>
          {say.test}
        </Button>
        <Button
          opens="dialog"
          blocked={may.arrange ?? (isOn ? undefined : say.replayOff)}
          onPress={() => (open.value = "replay")}
        >
          {say.replay}
        </Button>
        <Button opens="dialog" blocked={may.arrange} onPress={() => (open.value = "change")}>
          {say.edit}
        </Button>
        <Button opens="dialog" blocked={may.arrange} onPress={() => (open.value = "rotate")}>
          {say.rotate}
        </Button>
        <Button
          blocked={may.arrange}
          busy={change.busy.value}
          onPress={() => void turn(isOn ? "DISABLED" : "ACTIVE", false)}
        >
          {isOn ? say.switchOff : say.switchOn}
        </Button>
        <Button kind="quiet" opens="dialog" blocked={may.arrange} onPress={() => (open.value = "remove")}>
          {say.remove}
        </Button>
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
            <Attempts id={id} />
          </>
        )}
      </Loaded>
    </Screen>
  )
}
