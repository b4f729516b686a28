import { useSignal } from "@preact/signals"
import { param, paths } from "../../address/here.ts"
import { oneOf } from "../../address/filtersIn.ts"
import { setFilter, useFilters } from "../../address/useFilters.ts"
import type { Item } from "../../api/Api.ts"
import { useRenewal } from "../../live/useRenewal.ts"
import { Button } from "../../parts/Button.tsx"
import { Confirm } from "../../parts/Dialog.tsx"
import { Empty, Refusal } from "../../parts/Loaded.tsx"
import { LongTable } from "../../parts/LongTable.tsx"
import { Channel, Pill } from "../../parts/Pill.tsx"
import type { Column } from "../../parts/Table.tsx"
import { Time } from "../../parts/Time.tsx"
import { tell } from "../../parts/Toast.tsx"
import { usePages } from "../../query/usePages.ts"
import { useQuery } from "../../query/useQuery.ts"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { ExportCsv } from "../../shell/ExportCsv.tsx"
import { Screen } from "../../shell/Screen.tsx"
import { count } from "../../words/format.ts"
import { say as shared } from "../../words/say.ts"
import { whyNotDelivered } from "../../words/failureCode.ts"
import { type Campaign, deedsOf, doneOf, isMoving } from "./plan.ts"
import { Legend, Progress, Status } from "./Progress.tsx"
import { say } from "./words.ts"

const statuses = ["PENDING", "SENT", "DELIVERED", "READ", "FAILED", "SKIPPED"] as const
const filters = { status: oneOf(statuses) }

type Recipient = Item<"GET /v1/dashboard/campaigns/:id/recipients">
const columns: ReadonlyArray<Column<Recipient>> = [
  { title: say.place, number: true, drop: 2, cell: ({ number }) => count(number) },
  { title: say.phone, names: true, cell: ({ phone }) => <bdi>{phone}</bdi> },
  {
    title: say.status,
    cell: ({ status }) => (
      <Pill tone={status === "FAILED" ? "bad" : status === "DELIVERED" || status === "READ" ? "good" : "plain"}>
        {say.recipientStatuses[status]}
      </Pill>
    )
  },
  {
    title: say.problem,
    cell: ({ problem }) =>
      problem === null ? null : (
        <span class="theirs one-line" title={problem}>
          {whyNotDelivered(problem)}
        </span>
      )
  },
  {
    title: say.values,
    drop: 2,
    cell: ({ values }) => (
      <span class="theirs one-line" dir="auto">
        {values.join(" · ")}
      </span>
    )
  },
  { title: say.sentAt, drop: 1, cell: ({ handedAt }) => (handedAt === null ? null : <Time at={handedAt} as="clock" />) }
]

/** Why the campaign is paused, with a link to the fix. */
function Held({ campaign: { pausedFor, problem } }: { readonly campaign: Campaign }) {
  if (pausedFor === null) return null
  return (
    <div class="held">
      <p>
        <b>{say.pausedFor[pausedFor]}</b> <span class="theirs">{problem}</span>
      </p>
      {pausedFor === "MONEY" ? <a href={paths.money()}>{say.toMoney}</a> : null}
      {pausedFor === "CHANNEL" ? (
        <p>
          <a href={paths.channels()}>{say.toChannels}</a> · <a href={paths.templates()}>{say.toTemplates}</a>
        </p>
      ) : null}
    </div>
  )
}

function Deeds({ campaign }: { readonly campaign: Campaign }) {
  const pause = useSend("POST /v1/dashboard/campaigns/:id/pause", "campaign")
  const resume = useSend("POST /v1/dashboard/campaigns/:id/resume", "campaign")
  const cancel = useSend("POST /v1/dashboard/campaigns/:id/cancel", "campaign")
  const isLeaving = useSignal(false)
  const blocked = deedsOf(campaign)
  const run = async (send: typeof pause | typeof resume | typeof cancel, done: string) => {
    const answer = await send.send({ params: { id: campaign.id } })
    isLeaving.value = false
    if (answer !== null) tell(done)
    else if (send.failure.peek() !== null) tell(send.failure.peek()!.message, { tone: "bad" })
  }
  return (
    <>
      {campaign.status === "PAUSED" ? (
        <Button
          kind="main"
          blocked={may.arrange ?? blocked.resume}
          busy={resume.busy.value}
          onPress={() => void run(resume, say.didResume)}
        >
          {say.resume}
        </Button>
      ) : (
        <Button
          blocked={may.arrange ?? blocked.pause}
          busy={pause.busy.value}
          onPress={() => void run(pause, say.didPause)}
        >
          {say.pause}
        </Button>
      )}
      <Button kind="danger" blocked={may.arrange ?? blocked.cancel} onPress={() => (isLeaving.value = true)}>
        {say.cancel}
      </Button>
      {isLeaving.value ? (
        <Confirm
          title={say.cancel}
          confirm={say.cancel}
          busy={cancel.busy.value}
          onConfirm={() => void run(cancel, say.didCancel)}
          onClose={() => (isLeaving.value = false)}
        >
          <p>{say.cancelLeft(count(campaign.pending))}</p>
          <p>{say.cancelSure}</p>
        </Confirm>
      ) : null}
    </>
  )
}

/** One campaign with live progress and its recipients. */
export default function CampaignScreen() {
  const id = param("id")
  const wanted = useFilters(filters)
  const query = useQuery("GET /v1/dashboard/campaigns/:id", () => ({ params: { id } }), "campaign")
  const campaign = query.answer.value
  const recipients = usePages(
    "GET /v1/dashboard/campaigns/:id/recipients",
    () => ({ params: { id }, query: { ...wanted.value } }),
    { id: ({ number }) => String(number), topics: ["campaign"] }
  )
  const moves = campaign !== null && isMoving(campaign)
  useRenewal([], { least: 1_000, most: 2_500 }, () => {
    if (!moves) return
    query.refetch()
    recipients.refetch()
  })
  const missing = query.failure.value?.status === 404
  return (
    <Screen
      title={shared.menu.campaigns}
      fills
      busy={query.busy}
      actions={
        <>
          <ExportCsv
            of="GET /v1/dashboard/campaigns/:id/recipients"
            input={() => ({ params: { id }, query: { ...wanted.value } })}
            fileName="recipients.csv"
          />
          <a class="button" data-kind="quiet" href={paths.campaigns()}>
            {say.back}
          </a>
        </>
      }
    >
      {campaign === null ? (
        query.failure.value === null ? (
          <p class="waiting">{shared.loading}…</p>
        ) : missing ? (
          <Empty title={say.goneTitle}>
            <p>{say.goneHint}</p>
          </Empty>
        ) : (
          <Refusal failure={query.failure.value} again={query.refetch} />
        )
      ) : (
        <div class="campaign">
          {query.failure.value === null ? null : <Refusal failure={query.failure.value} again={query.refetch} />}
          <section class="card">
            <header class="campaign-head">
              <h2 class="theirs one-line" dir="auto">
                {campaign.name}
              </h2>
              <Status campaign={campaign} />
              <Channel name={campaign.channel} />
              <span class="campaign-deeds">
                <Deeds campaign={campaign} />
              </span>
            </header>
            <Held campaign={campaign} />
            <p class="campaign-figure">{say.of(count(doneOf(campaign)), count(campaign.total))}</p>
            <Progress campaign={campaign} />
            <Legend campaign={campaign} />
            {campaign.skippedLines === 0 ? null : (
              <p class="quiet">{say.skippedCount(count(campaign.skippedLines), campaign.skippedLines)}</p>
            )}
            <p class="quiet">
              {campaign.finishedAt === null ? say.startsAt : say.finished}{" "}
              <Time at={campaign.finishedAt ?? campaign.startAt} /> · {say.template}{" "}
              <a href={paths.template({ id: campaign.template })}>{say.version(count(campaign.templateVersion))}</a> ·{" "}
              {say.answers} <a href={paths.inbox()}>{say.toInbox}</a>
            </p>
          </section>
          <section class="card campaign-recipients" aria-label={say.recipients}>
            <label class="campaign-filter">
              {say.recipientStatus}
              <select
                value={wanted.value.status ?? ""}
                onChange={(event) => setFilter(filters, "status", event.currentTarget.value)}
              >
                <option value="">{say.all}</option>
                {statuses.map((status) => (
                  <option key={status} value={status}>
                    {say.recipientStatuses[status]}
                  </option>
                ))}
              </select>
            </label>
            <LongTable
              caption={say.recipients}
              columns={columns}
              pages={recipients}
              id={({ number }) => String(number)}
              empty={
                <Empty title={say.noRecipients}>
                  {wanted.value.status === undefined ? null : (
                    <Button onPress={() => setFilter(filters, "status", "")}>{say.showAll}</Button>
                  )}
                </Empty>
              }
            />
          </section>
        </div>
      )}
    </Screen>
  )
}
