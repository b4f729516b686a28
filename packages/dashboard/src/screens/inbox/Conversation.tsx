import { useSignal } from "@preact/signals"
import { useLayoutEffect, useRef } from "preact/hooks"
import { Button } from "../../parts/Button.tsx"
import { Empty, Refusal } from "../../parts/Loaded.tsx"
import { tell } from "../../parts/Toast.tsx"
import type { Pages } from "../../query/usePages.ts"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { Announcer } from "../../shell/Announcer.tsx"
import { count, date } from "../../words/format.ts"
import { say as shared } from "../../words/say.ts"
import { Bubble } from "./Bubble.tsx"
import { type Lead, type Message, rowsOf } from "./conversation.ts"
import { isVisible } from "../../query/useEvery.ts"
import { say } from "./words.ts"

/** Distance in pixels from the end that still counts as scrolled to the end. */
const nearEndPixels = 40
/** Distance in pixels from the start at which older messages are loaded. */
const ahead = 800
/** The newest message must be visible for this long before the lead counts as read. */
const readingTime = 2_000

interface Props {
  readonly lead: Lead
  readonly pages: Pages<Message>
  /** The user marked the lead as unread, so it stays unread until it is opened again. */
  readonly keptUnread: boolean
}

/**
 * Messages with the newest at the bottom. Scrolling up loads older ones, and the scroll position stays stable when
 * messages are added at either end.
 */
export function Conversation({ keptUnread, lead, pages }: Props) {
  const scroll = useRef<HTMLDivElement>(null)
  const anchor = useRef<{ readonly element: Element; readonly top: number } | null>(null)
  const isAtEnd = useSignal(true)
  const lastSeenId = useRef<string | undefined>(undefined)
  const read = useSend("POST /v1/dashboard/leads/:id/read", "lead")
  const resend = useSend("POST /v1/dashboard/leads/:id/reply", "lead")
  const messages = pages.items.value

  const newest = messages?.[0]
  const position = messages?.findIndex(({ id }) => id === lastSeenId.current) ?? 0
  const below = isAtEnd.value || position === -1 ? 0 : position

  const remember = () => {
    const box = scroll.current
    if (box === null) return
    const { left, top, width } = box.getBoundingClientRect()
    const element = document.elementFromPoint(left + width / 2, top + 12)?.closest("[data-row]") ?? null
    anchor.current = element === null ? null : { element, top: element.getBoundingClientRect().top }
    const end = box.scrollTop > -nearEndPixels
    if (end !== isAtEnd.peek()) isAtEnd.value = end
    if (end) lastSeenId.current = newest?.id
    if (pages.more.peek() && box.scrollHeight + box.scrollTop - box.clientHeight < ahead) pages.readOn()
  }
  useLayoutEffect(() => {
    const box = scroll.current
    if (box === null) return
    const kept = anchor.current
    if (isAtEnd.peek()) box.scrollTop = 0
    else if (kept?.element.isConnected === true) box.scrollTop += kept.element.getBoundingClientRect().top - kept.top
    remember()
  }, [messages, pages.more.value, pages.busy.value])

  // A newest message that was visible for two seconds counts as read.
  const isRead = lead.unreadCount === 0 || may.work !== undefined || keptUnread
  useLayoutEffect(() => {
    if (isRead || messages === null || !isAtEnd.value || !isVisible.value) return
    const timer = setTimeout(() => void read.send({ params: { id: lead.id } }), readingTime)
    return () => clearTimeout(timer)
  }, [isRead, messages === null, isAtEnd.value, isVisible.value, lead.unreadCount, newest?.id])

  const sendAgain = async (body: {
    readonly text?: string
    readonly template?: string
    readonly values?: ReadonlyArray<string>
  }) => {
    if ((await resend.send({ params: { id: lead.id }, body })) === null && resend.failure.peek() !== null)
      tell(resend.failure.peek()!.message, { tone: "bad" })
  }

  if (messages === null)
    return pages.failure.value === null ? (
      <p class="waiting">{shared.loading}…</p>
    ) : (
      <Refusal failure={pages.failure.value} again={pages.refetch} />
    )
  const rows = rowsOf(messages)
  return (
    <div class="talk-middle">
      {pages.failure.value === null ? null : <Refusal failure={pages.failure.value} again={pages.refetch} />}
      <div ref={scroll} class="talk-scroll" tabIndex={0} role="group" aria-label={say.conversation} onScroll={remember}>
        {rows.length === 0 ? (
          <Empty title={say.noMessages}>
            <p>{say.noMessagesHint}</p>
          </Empty>
        ) : (
          <ol role="list" class="talk">
            <li class="talk-day quiet">{pages.more.value ? `${say.older}…` : say.beginning}</li>
            {rows.map((row) =>
              row.kind === "day" ? (
                <li key={row.key} class="talk-day" data-row>
                  <span>{date(new Date(row.at))}</span>
                </li>
              ) : (
                <li key={row.key} data-row>
                  <Bubble
                    leadId={lead.id}
                    message={row.message}
                    blocked={may.work}
                    onAgain={(body) => void sendAgain(body)}
                  />
                </li>
              )
            )}
          </ol>
        )}
      </div>
      {isAtEnd.value ? null : (
        <div class="talk-below">
          <Button
            onPress={() => {
              isAtEnd.value = true
              scroll.current?.scrollTo({ top: 0 })
            }}
          >
            {below === 0 ? say.toNewest : say.newBelow(count(below))} ↓
          </Button>
        </div>
      )}
      <Announcer
        text={
          newest?.direction === "IN"
            ? `${say.fromThem}: ${(newest.text ?? say.kinds[newest.type] ?? "").slice(0, 300)}`
            : ""
        }
      />
    </div>
  )
}
