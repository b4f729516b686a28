import { type Signal, useSignal } from "@preact/signals"
import { useLayoutEffect, useRef } from "preact/hooks"
import { go, paths } from "../../address/here.ts"
import type { Filters } from "../../address/filtersIn.ts"
import { useKeys } from "../../keys/useKeys.ts"
import { Button } from "../../parts/Button.tsx"
import { Empty, Refusal } from "../../parts/Loaded.tsx"
import { tell } from "../../parts/Toast.tsx"
import { usePages } from "../../query/usePages.ts"
import { useQuery } from "../../query/useQuery.ts"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { lazyDialog, lazyPart } from "../../shell/lazyDialog.tsx"
import { me } from "../../session/session.ts"
import { moment } from "../../words/format.ts"
import { say as shared } from "../../words/say.ts"
import type { Wish } from "./Composer.tsx"
import { Conversation } from "./Conversation.tsx"
import type { Lead } from "./conversation.ts"
import type { filters } from "./filters.ts"
import { LeadLabels } from "./LeadLabels.tsx"
import { Lookers, useLooking } from "./looking.tsx"
import { called } from "./names.ts"
import { say } from "./words.ts"

const Composer = lazyPart(
  () => import("./Composer.tsx").then((loaded) => loaded.Composer),
  () => <div class="composer" />
)
const LeadCard = lazyPart(() => import("./LeadCard.tsx").then((loaded) => loaded.LeadCard), null)
const SnoozeDialog = lazyDialog(() => import("./SnoozeDialog.tsx").then((loaded) => loaded.SnoozeDialog))
const LabelsDialog = lazyDialog(() => import("./LabelsDialog.tsx").then((loaded) => loaded.LabelsDialog))
const AssignDialog = lazyDialog(() => import("./AssignDialog.tsx").then((loaded) => loaded.AssignDialog))

interface Props {
  readonly id: number
  readonly wanted: Filters<typeof filters>
  /** On narrow screens, shows the lead details in place of the conversation. */
  readonly isCard: Signal<boolean>
  /** The lead to continue with after this one is closed. Null when there is no other. */
  readonly following: () => number | null
}

/** A lead's conversation with the composer, and its details. */
export function LeadPane({ following, id, isCard, wanted }: Props) {
  const query = useQuery("GET /v1/dashboard/leads/:id", () => ({ params: { id } }), "lead")
  const lead = query.answer.value
  if (lead !== null) return <Opened lead={lead} wanted={wanted} isCard={isCard} following={following} />
  const failure = query.failure.value
  return (
    <section class="inbox-lead" aria-label={say.card}>
      {failure === null ? (
        <p class="waiting">{shared.loading}…</p>
      ) : failure.status === 404 ? (
        <Empty title={say.goneTitle}>
          <p>{say.goneHint}</p>
          <a class="button" href={paths.inbox(wanted)}>
            {say.backToList}
          </a>
        </Empty>
      ) : (
        <Refusal failure={failure} again={query.refetch} />
      )}
    </section>
  )
}

interface OpenedProps extends Omit<Props, "id"> {
  readonly lead: Lead
}

function Opened({ following, isCard, lead, wanted }: OpenedProps) {
  const messages = usePages(
    "GET /v1/dashboard/leads/:id/messages",
    () => ({ params: { id: lead.id }, query: { limit: 50 } }),
    { id: (message) => message.id, topics: ["lead"] }
  )
  const close = useSend("POST /v1/dashboard/leads/:id/close", "lead")
  const reopen = useSend("POST /v1/dashboard/leads/:id/reopen", "lead")
  const take = useSend("POST /v1/whatsapp/leads/:leadId/assign", "lead")
  const settle = useSend("POST /v1/dashboard/leads/:id/answered", "lead")
  const unsettle = useSend("POST /v1/dashboard/leads/:id/unanswered", "lead")
  const snooze = useSend("POST /v1/dashboard/leads/:id/snooze", "lead")
  const unsnooze = useSend("POST /v1/dashboard/leads/:id/unsnooze", "lead")
  const read = useSend("POST /v1/dashboard/leads/:id/read", "lead")
  const unread = useSend("POST /v1/dashboard/leads/:id/unread", "lead")
  const keptUnread = useSignal(false)
  const wish = useSignal<Wish | null>(null)
  const isAssigning = useSignal(false)
  const isSnoozing = useSignal(false)
  const isLabelling = useSignal(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const looking = useLooking(lead.id)
  const params = { id: lead.id }
  // A click or Enter in the list moves the focus to the conversation. j and k keep it in the list.
  useLayoutEffect(() => {
    const focused = document.activeElement
    if (focused instanceof HTMLAnchorElement && focused.closest(".inbox-list") !== null)
      heading.current?.focus({ preventScroll: true })
  }, [])

  const isClosed = lead.status === "CLOSED"
  const refused = (failure: { readonly message: string } | null) =>
    failure === null ? undefined : tell(failure.message, { tone: "bad" })
  /** Opens the next lead of the view. */
  const goOn = (next: number | null) => {
    if (next !== null && next !== lead.id) go(paths.lead({ id: next }, wanted), { replace: true })
  }
  const toggleClosed = async () => {
    if (may.work !== undefined) return tell(may.work, { tone: "bad" })
    const [send, back] = isClosed ? [reopen, close] : [close, reopen]
    const next = isClosed ? null : following()
    if ((await send.send({ params })) === null) return refused(send.failure.peek())
    tell(isClosed ? say.didReopen : say.didClose, { undo: () => void back.send({ params }) })
    goOn(next)
  }
  const snoozeUntil = async (until: string) => {
    const next = following()
    if ((await snooze.send({ params, body: { until } })) === null) return
    isSnoozing.value = false
    tell(say.snoozedUntil(moment(new Date(until))), { undo: () => void unsnooze.send({ params }) })
    goOn(next)
  }
  const toggleSnooze = async () => {
    if (may.work !== undefined) return tell(may.work, { tone: "bad" })
    const until = lead.snoozedUntil
    if (until === null) return void (isSnoozing.value = true)
    if ((await unsnooze.send({ params })) === null) return refused(unsnooze.failure.peek())
    tell(say.didUnsnooze, { undo: () => void snooze.send({ params, body: { until } }) })
  }
  const takeOver = async () => {
    if (may.work !== undefined) return tell(may.work, { tone: "bad" })
    const email = me.peek()?.agent.email
    if (email === undefined || lead.assignedTo === email) return
    const give = (agentEmail: string) => take.send({ params: { leadId: lead.id }, body: { agentEmail } })
    if ((await give(email)) === null) return refused(take.failure.peek())
    tell(say.given(say.you), { undo: () => void give(lead.assignedTo ?? "") })
  }
  const endWait = async () => {
    if (may.work !== undefined) return tell(may.work, { tone: "bad" })
    if ((await settle.send({ params })) === null) return refused(settle.failure.peek())
    tell(say.didSettle, { undo: () => void unsettle.send({ params }) })
  }
  const toggleRead = async () => {
    if (may.work !== undefined) return tell(may.work, { tone: "bad" })
    const isUnread = lead.unreadCount > 0
    keptUnread.value = !isUnread
    const send = isUnread ? read : unread
    if ((await send.send({ params })) === null) return refused(send.failure.peek())
    if (!isUnread) tell(say.didUnread)
  }
  const assign = () => {
    if (may.work === undefined) isAssigning.value = true
    else tell(may.work, { tone: "bad" })
  }
  const openLabels = () => {
    if (may.work === undefined) isLabelling.value = true
    else tell(may.work, { tone: "bad" })
  }
  useKeys({
    r: [say.keys.reply, () => (wish.value = "reply")],
    n: [say.keys.note, () => (wish.value = "note")],
    "/": [say.keys.saved, () => (wish.value = "saved")],
    a: [say.keys.assign, assign],
    m: [say.keys.take, () => void takeOver()],
    e: [say.keys.close, () => void toggleClosed()],
    ...(lead.waitingSince === null ? {} : { d: [say.keys.settle, () => void endWait()] as const }),
    ...(isClosed ? {} : { s: [say.keys.snooze, () => void toggleSnooze()] as const }),
    l: [say.keys.labels, openLabels],
    u: [say.keys.unread, () => void toggleRead()]
  })
  return (
    <>
      <section class="inbox-lead" aria-label={say.card} data-behind={isCard.value || undefined}>
        <header class="lead-head">
          <a class="button lead-back" data-kind="quiet" href={paths.inbox(wanted)}>
            <span aria-hidden="true">‹</span> {say.list}
          </a>
          <div class="lead-title">
            <h2 ref={heading} tabIndex={-1} class="theirs one-line" dir="auto">
              {called(lead)}
            </h2>
            <div class="lead-labels">
              <LeadLabels labels={lead.labels} />
              <Button
                class="label-open"
                kind="quiet"
                keyName="L"
                opens="dialog"
                blocked={may.work}
                onPress={openLabels}
              >
                {say.labels.open}
              </Button>
              <Lookers others={looking.others.value} />
            </div>
          </div>
          <div class="lead-do">
            <Button keyName="A" blocked={may.work} onPress={assign}>
              {say.assign}
            </Button>
            <Button
              keyName="E"
              blocked={may.work}
              busy={close.busy.value || reopen.busy.value}
              onPress={() => void toggleClosed()}
            >
              {isClosed ? say.reopen : say.close}
            </Button>
            {lead.waitingSince === null ? null : (
              <Button
                keyName="D"
                kind="quiet"
                blocked={may.work}
                busy={settle.busy.value}
                onPress={() => void endWait()}
              >
                {say.settle}
              </Button>
            )}
            {isClosed ? null : (
              <Button
                keyName="S"
                kind="quiet"
                blocked={may.work}
                busy={unsnooze.busy.value}
                {...(lead.snoozedUntil === null ? { opens: "dialog" as const } : {})}
                onPress={() => void toggleSnooze()}
              >
                {lead.snoozedUntil === null ? say.snooze : say.unsnooze}
              </Button>
            )}
            <Button keyName="U" kind="quiet" blocked={may.work} onPress={() => void toggleRead()}>
              {lead.unreadCount > 0 ? say.markRead : say.markUnread}
            </Button>
            <Button
              class="lead-more"
              kind="quiet"
              expanded={isCard.value}
              onPress={() => (isCard.value = !isCard.value)}
            >
              {say.details}
            </Button>
          </div>
        </header>
        {isClosed ? <p class="lead-closed quiet">{say.isClosed}</p> : null}
        {lead.snoozedUntil === null ? null : (
          <p class="lead-closed quiet">{say.snoozedUntil(moment(new Date(lead.snoozedUntil)))}</p>
        )}
        <Conversation lead={lead} pages={messages} keptUnread={keptUnread.value} />
        <Composer
          lead={lead}
          wish={wish}
          onTyping={looking.typing}
          onDone={() => (isClosed ? undefined : void toggleClosed())}
        />
      </section>
      <aside class="inbox-card" aria-label={say.details} data-shown={isCard.value || undefined}>
        <Button class="lead-less" kind="quiet" onPress={() => (isCard.value = false)}>
          <span aria-hidden="true">‹</span> {say.backToTalk}
        </Button>
        <LeadCard lead={lead} onAssign={assign} />
      </aside>
      {isSnoozing.value ? (
        <SnoozeDialog
          failure={snooze.failure}
          busy={snooze.busy}
          onSnooze={(until) => void snoozeUntil(until)}
          onClose={() => (isSnoozing.value = false)}
        />
      ) : null}
      {isLabelling.value ? <LabelsDialog leads={[lead]} onClose={() => (isLabelling.value = false)} /> : null}
      {isAssigning.value ? <AssignDialog lead={lead} onClose={() => (isAssigning.value = false)} /> : null}
    </>
  )
}
