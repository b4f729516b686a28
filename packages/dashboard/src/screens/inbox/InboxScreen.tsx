import { useComputed, useSignal } from "@preact/signals"
import { environment, go, param, paths } from "../../address/here.ts"
import { setFilters, useFilters } from "../../address/useFilters.ts"
import { useKeys } from "../../keys/useKeys.ts"
import { connection } from "../../live/live.ts"
import { wake } from "../../live/topics.ts"
import { Button } from "../../parts/Button.tsx"
import { Empty } from "../../parts/Loaded.tsx"
import { Pill } from "../../parts/Pill.tsx"
import { usePages } from "../../query/usePages.ts"
import { useQuery } from "../../query/useQuery.ts"
import { may } from "../../session/may.ts"
import { me } from "../../session/session.ts"
import { lazyDialog } from "../../shell/lazyDialog.tsx"
import { badges } from "../../shell/badges.ts"
import { isNotifications } from "../../shell/device.ts"
import { waiting, waitingText } from "../../shell/Needs.tsx"
import { Screen } from "../../shell/Screen.tsx"
import { say as shared } from "../../words/say.ts"
import { beside, filters, queryOf } from "./filters.ts"
import { LeadList } from "./LeadList.tsx"
import { LeadPane } from "./LeadPane.tsx"
import { useEvery } from "../../query/useEvery.ts"
import { useDisplayNames } from "./useDisplayNames.ts"
import { say } from "./words.ts"

const ConnectDialog = lazyDialog(() => import("./ConnectDialog.tsx").then((loaded) => loaded.ConnectDialog))
const EnterDialog = lazyDialog(() => import("./EnterDialog.tsx").then((loaded) => loaded.EnterDialog))
const PlayDialog = lazyDialog(() => import("./PlayDialog.tsx").then((loaded) => loaded.PlayDialog))

type Dialog = "connect" | "enter" | "play" | null

/** Three panes: leads, conversation, lead details. Opening a lead keeps the list's scroll position. */
export default function InboxScreen() {
  const wanted = useFilters(filters)
  const id = useComputed(() => Number(param("id")) || null)
  const labels = useQuery("GET /v1/dashboard/labels", () => ({}), "settings")
  const leads = usePages(
    "GET /v1/dashboard/leads",
    () => {
      const query = queryOf(wanted.value, {
        email: me.value?.agent.email ?? "",
        isMasked: may.work !== undefined,
        labels: () => labels.answer.value?.items ?? (labels.failure.value === null ? null : [])
      })
      return query === null ? null : { query }
    },
    { id: (lead) => String(lead.id), topics: ["lead"] }
  )
  const numbers = useQuery("GET /v1/dashboard/whatsapp/numbers", () => ({}), "number")
  const ways = useQuery("GET /v1/dashboard/sign-in", () => ({}))
  const dialog = useSignal<Dialog>(wanted.peek().show === "numbers" ? "connect" : null)
  const isCard = useSignal(false)
  // The stream reports every change. Without it, the inbox asks.
  useEvery(connection.value === "open" ? null : 15_000, () => wake("lead"))
  useDisplayNames()

  const isFiltered = Object.keys(wanted.value).some((name) => name !== "show")
  // Nobody waits: does the inbox have leads at all?
  const first = useQuery(
    "GET /v1/dashboard/leads",
    () => (leads.items.value?.length === 0 ? { query: { limit: 1 } } : null),
    "lead"
  )
  const isAnyoneWaiting = (waiting.value?.count ?? 0) > 0
  const hasLeads = (first.answer.value?.items.length ?? 0) > 0
  const step = (by: 1 | -1) => {
    const next = beside(leads.items.peek() ?? [], id.peek(), by)
    if (next !== null) go(paths.lead({ id: next }, wanted.peek()), { replace: id.peek() !== null })
  }
  /** The lead that follows the open one in this view, otherwise the one before it. */
  const following = () => {
    const all = leads.items.peek() ?? []
    return beside(all, id.peek(), 1) ?? beside(all, id.peek(), -1)
  }
  const hasOthers = leads.items.value?.some((lead) => lead.id !== id.value) ?? false
  useKeys({
    ...(hasOthers
      ? { j: [say.keys.next, () => step(1)] as const, k: [say.keys.previous, () => step(-1)] as const }
      : {}),
    f: [say.keys.find, () => document.getElementById("lead-search")?.focus()],
    ...(id.value === null ? {} : { Escape: [say.keys.back, () => go(paths.inbox(wanted.peek()))] as const })
  })

  const isDevelopment = environment.value === "live" && ways.answer.value?.outbox != null
  const showAll = () => setFilters(filters, { view: "all", status: null, team: null, label: null, search: null })
  const { search, view } = wanted.value
  const isWaitingView = search === undefined && view === undefined
  const empty =
    isFiltered || hasLeads ? (
      <Empty title={isWaitingView ? say.noneWaiting : view === "snoozed" ? say.noneSnoozed : say.noneFiltered}>
        {view === "mine" ? <p>{say.noneMine}</p> : null}
        <Button onPress={showAll}>{isWaitingView ? say.showAll : shared.clearFilters}</Button>
      </Empty>
    ) : first.answer.value === null ? null : (
      <Empty title={say.noneTitle}>
        <p>
          {environment.value === "test"
            ? say.noneTest
            : numbers.answer.value?.items.length === 0
              ? say.noneUnconnected
              : say.noneConnected}
        </p>
        {environment.value === "test" ? (
          <Button blocked={may.work} onPress={() => (dialog.value = "enter")}>
            {say.enter.open}
          </Button>
        ) : (
          <Button blocked={may.arrange} onPress={() => (dialog.value = "connect")}>
            {say.connect.open}
          </Button>
        )}
        {isDevelopment ? <Button onPress={() => (dialog.value = "play")}>{say.play.open}</Button> : null}
      </Empty>
    )
  const close = () => {
    dialog.value = null
    if (wanted.peek().show !== undefined) setFilters(filters, { show: null })
  }
  return (
    <Screen
      title={shared.menu.inbox}
      count={badges.value.inbox?.text}
      busy={leads.busy}
      fills
      note={isAnyoneWaiting ? <Pill tone="warn">{say.waitingCount(waitingText(waiting.value))}</Pill> : null}
      actions={
        <>
          {isDevelopment ? (
            <Button kind="quiet" onPress={() => (dialog.value = "play")}>
              {say.play.open}
            </Button>
          ) : null}
          <Button kind="quiet" opens="dialog" onPress={() => (isNotifications.value = true)}>
            {shared.shell.notifications}
          </Button>
          <Button kind="quiet" onPress={() => (dialog.value = "connect")}>
            {say.connect.numbers}
          </Button>
          <Button blocked={may.work} onPress={() => (dialog.value = "enter")}>
            {say.enter.open}
          </Button>
        </>
      }
    >
      <div class="inbox-frame">
        <div class="inbox" data-open={id.value !== null || undefined}>
          <LeadList
            wanted={wanted}
            pages={leads}
            labels={labels.answer.value?.items ?? []}
            current={id.value}
            empty={empty}
          />
          {id.value === null ? (
            <div class="inbox-lead inbox-none">
              <Empty title={say.choose}>
                <p>{say.chooseHint}</p>
              </Empty>
            </div>
          ) : (
            <LeadPane key={id.value} id={id.value} wanted={wanted.value} isCard={isCard} following={following} />
          )}
        </div>
      </div>
      {dialog.value === "connect" ? <ConnectDialog onClose={close} /> : null}
      {dialog.value === "play" ? <PlayDialog onClose={close} /> : null}
      {dialog.value === "enter" ? (
        <EnterDialog
          onClose={close}
          onEntered={(entered) => {
            close()
            go(paths.lead({ id: entered }, wanted.peek()))
          }}
        />
      ) : null}
    </Screen>
  )
}
