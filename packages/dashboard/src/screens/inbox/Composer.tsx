import { type Signal, useSignal } from "@preact/signals"
import { useId, useLayoutEffect, useRef } from "preact/hooks"
import { environment } from "../../address/here.ts"
import { Button } from "../../parts/Button.tsx"
import { Choice } from "../../parts/Choice.tsx"
import { Refusal } from "../../parts/Loaded.tsx"
import { now, useNow } from "../../parts/Time.tsx"
import { useDraft } from "../../parts/useDraft.ts"
import { useQuery } from "../../query/useQuery.ts"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { me } from "../../session/session.ts"
import { lazyDialog, lazyPart } from "../../shell/lazyDialog.tsx"
import { count } from "../../words/format.ts"
import type { Lead } from "./conversation.ts"
import { hoursAndMinutes, replyWindow, type ReplyWindow } from "./replyWindow.ts"
import { askedFor, filledReply, matchingReplies, picksSavedReply } from "./savedReplies.ts"
import { emptyTemplateDraft, replyOf, TemplateFields } from "./TemplateFields.tsx"
import { useAttaching } from "./useAttaching.ts"
import { say } from "./words.ts"

const SavedRepliesDialog = lazyDialog(() =>
  import("./SavedRepliesDialog.tsx").then((loaded) => loaded.SavedRepliesDialog)
)
const EmojiPicker = lazyDialog(() => import("./EmojiPicker.tsx").then((loaded) => loaded.EmojiPicker))
const AttachButton = lazyPart(() => import("./Attachment.tsx").then((loaded) => loaded.AttachButton), null)
const AttachedFile = lazyPart(() => import("./Attachment.tsx").then((loaded) => loaded.AttachedFile), null)

/** The message type that a shortcut starts. */
export type Wish = "reply" | "note" | "saved"
type Kind = "reply" | "note" | "template"

const longest = 4_096
/** On touch screens, Enter inserts a line break, and the button sends. */
const isTouch = matchMedia("(pointer: coarse)")

function Window({ window }: { readonly window: ReplyWindow }) {
  if (window.state !== "open") return null
  const { hours, minutes } = hoursAndMinutes(window.left)
  return (
    <span class={window.soon ? "window warn" : "window quiet"}>
      <span class="window-clock" aria-hidden="true" style={{ "--left": window.share }} />
      {hours === 0 ? say.leftMinutes(count(minutes)) : say.left(count(hours), count(minutes))}
    </span>
  )
}

interface Props {
  readonly lead: Lead
  readonly wish: Signal<Wish | null>
  /** Called while the user types, to show it to other team members. */
  readonly onTyping: () => void
  /** Called after a reply that also ends the conversation: with Ctrl or ⌘ and Enter. */
  readonly onDone: () => void
}

/** Composes replies, private notes and templates. Each lead keeps its draft until it is sent. */
export function Composer({ lead, onDone, onTyping, wish }: Props) {
  useNow()
  const draftKey = `reply/${me.peek()?.merchant.id}/${environment.peek()}/${lead.id}`
  const draft = useDraft(draftKey, {
    kind: "reply" as Kind,
    text: "",
    note: "",
    template: emptyTemplateDraft
  })
  const field = useRef<HTMLTextAreaElement>(null)
  const wantsFocus = useRef(false)
  /** Where the caret belongs after an insertion is drawn. */
  const caret = useRef<number | null>(null)
  const reply = useSend("POST /v1/dashboard/leads/:id/reply", "lead")
  const note = useSend("POST /v1/dashboard/leads/:id/notes", "lead")
  const read = useSend("POST /v1/dashboard/leads/:id/read", "lead")
  const saved = useQuery("GET /v1/dashboard/saved-replies", () => ({}), "template")
  const chosen = useSignal(0)
  const isManaging = useSignal(false)
  const isPicking = useSignal(false)
  const list = useId()
  const composer = useRef<HTMLElement>(null)
  /** A reply without an answer. Sent again unchanged, it has the same key, so the customer gets it once. */
  const unanswered = useRef<{ readonly body: string; readonly key: string } | null>(null)
  const sendsFiles = me.value?.sendsFiles === true
  const isGone = useRef(false)
  useLayoutEffect(() => () => void (isGone.current = true), [])

  const window = replyWindow(lead.lastInboundAt, now.value)
  const { kind: wished, note: noted, template, text } = draft.value.value
  const kind: Kind = wished === "reply" && window.state !== "open" ? "template" : wished
  const typed = kind === "note" ? noted : text
  const attaching = useAttaching(draftKey)
  const file = kind === "reply" ? attaching.attached.value : null
  const attachable = {
    attaching,
    leadId: lead.id,
    kind,
    isWindowOpen: window.state === "open",
    onAttached: () => {
      if (isGone.current || draft.value.peek().kind === "note") return
      wantsFocus.current = true
      set({ kind: "reply" })
    }
  }
  const set = (changes: Partial<typeof draft.value.value>) => {
    draft.set({ ...draft.value.peek(), ...changes })
    reply.forget()
    note.forget()
    attaching.problem.value = null
  }
  const type = (words: string) => {
    set(kind === "note" ? { note: words } : { text: words })
    chosen.value = 0
    onTyping()
  }

  useLayoutEffect(() => {
    if (wish.value === null) return
    const wanted = wish.value
    wish.value = null
    set({
      kind: wanted === "note" ? "note" : "reply",
      ...(wanted === "saved" && draft.value.peek().text === "" ? { text: "/" } : {})
    })
    wantsFocus.current = true
  }, [wish.value])
  // Runs after rendering and before the next key event, so that keys typed after a shortcut go into the field.
  useLayoutEffect(() => {
    if (!wantsFocus.current) return
    wantsFocus.current = false
    // When the reply window is closed, focus the template select instead.
    const first = () => composer.current?.querySelector<HTMLElement>("select, textarea, input:checked")
    ;(field.current ?? first())?.focus()
  }, [draft.value.value])

  const savedReplySearch = kind === "reply" ? askedFor(text) : null
  const suggestions =
    savedReplySearch === null ? [] : matchingReplies(saved.answer.value?.items ?? [], savedReplySearch)
  const insertSaved = (words: string | undefined) => {
    if (words === undefined) return
    set({ text: filledReply(words, lead.name) })
    field.current?.focus()
  }
  const closePicker = () => {
    isPicking.value = false
    field.current?.focus()
  }
  const insert = (sign: string) => {
    const { selectionEnd = typed.length, selectionStart = typed.length } = field.current ?? {}
    type(typed.slice(0, selectionStart) + sign + typed.slice(selectionEnd))
    caret.current = selectionStart + sign.length
    closePicker()
  }
  useLayoutEffect(() => {
    if (caret.current === null) return
    field.current?.setSelectionRange(caret.current, caret.current)
    caret.current = null
  }, [draft.value.value])

  // A reply with a file may be sent after this lead was left and opened again.
  useLayoutEffect(() => {
    const sent = attaching.sentText.value
    if (sent === null) return
    attaching.sentText.value = null
    if (draft.value.peek().text === sent) set({ text: "" })
  }, [attaching.sentText.value])

  const sending = kind === "note" ? note : reply
  const asTemplate = kind === "template" ? replyOf(template) : null
  const blocked =
    may.work ??
    (kind === "note" ? undefined : attaching.uploading.value) ??
    (asTemplate !== null
      ? asTemplate.blocked
      : typed.trim() === ""
        ? file === null
          ? say.nothingTyped
          : undefined
        : picksSavedReply(kind, typed)
          ? say.savedFirst
          : file !== null
            ? file.whyNoCaption(typed)
            : typed.length > longest
              ? say.tooLong(count(typed.length - longest))
              : undefined)
  /** What a reply sends. Null if its file was not uploaded. */
  const bodyOf = async () => {
    if (asTemplate !== null) return asTemplate.body
    const words = typed.trim()
    if (file === null) return { text: words }
    const reference = await file.upload()
    if (reference === null) return null
    return { attachment: reference, fileName: file.file.name, ...(words === "" ? {} : { text: words }) }
  }
  const sendReply = async () => {
    const body = await bodyOf()
    if (body === null) return null
    const written = JSON.stringify(body)
    const key = unanswered.current?.body === written ? unanswered.current.key : crypto.randomUUID()
    const sent = await reply.send({ params: { id: lead.id }, body }, key)
    const failure = reply.failure.peek()
    unanswered.current = failure?.errorCode === "NETWORK" ? { body: written, key } : null
    if (sent !== null || failure !== null) file?.settle(failure)
    return sent
  }
  const submit = async (isLast = false) => {
    if (blocked !== undefined || (kind !== "note" && attaching.progress.peek() !== null)) return
    const params = { id: lead.id }
    const sent = kind === "note" ? await note.send({ params, body: { text: typed.trim() } }) : await sendReply()
    // An upload may take longer than the user stays with this lead.
    const hasLeft = file !== null && isGone.current
    if (sent === null) return hasLeft ? file.report(reply.failure.peek()) : undefined
    const unsent = draft.value.peek()
    if (hasLeft) attaching.sentText.value = text
    else if (kind === "note") set({ note: unsent.note === noted ? "" : unsent.note, kind: "reply" })
    else if (kind === "reply") set({ text: unsent.text === text ? "" : unsent.text })
    else set({ template: emptyTemplateDraft, kind: "reply" })
    const now = draft.value.peek()
    if (!hasLeft && now.text === "" && now.note === "") draft.clear()
    // A reply also marks the conversation as read.
    if (kind !== "note" && lead.unreadCount > 0) void read.send({ params })
    if (kind !== "note" && isLast && !hasLeft) onDone()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      void submit(true)
    } else if (suggestions.length > 0 && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault()
      chosen.value = (chosen.value + (event.key === "ArrowDown" ? 1 : suggestions.length - 1)) % suggestions.length
    } else if (suggestions.length > 0 && (event.key === "Enter" || event.key === "Tab") && !event.shiftKey) {
      event.preventDefault()
      insertSaved(suggestions[chosen.value]?.text)
    } else if (event.key === "Escape") {
      if (savedReplySearch !== null) set({ text: "" })
      else field.current?.blur()
    } else if (event.key === "Enter" && !event.shiftKey && !isTouch.matches) {
      event.preventDefault()
      void submit()
    }
  }

  if (may.work !== undefined) return <p class="composer quiet">{may.work}</p>
  return (
    <section ref={composer} class="composer" data-kind={kind} aria-label={kind === "note" ? say.note : say.reply}>
      <div class="composer-head">
        <Choice
          label={say.kind}
          value={kind}
          onChoose={(next) => set({ kind: next })}
          options={[
            ...(window.state === "open" ? [{ value: "reply" as const, label: say.reply }] : []),
            { value: "template" as const, label: say.useTemplate },
            { value: "note" as const, label: say.note }
          ]}
        />
        <Window window={window} />
      </div>
      {window.state === "open" || kind === "note" ? null : (
        <p class="warn">{window.state === "over" ? say.windowOver : say.windowNever}</p>
      )}
      {sending.failure.value === null ? null : <Refusal failure={sending.failure.value} />}
      {kind === "template" ? (
        <TemplateFields value={template} onChange={(next) => set({ template: next })} />
      ) : (
        <div class="composer-field">
          {savedReplySearch === null ? null : (
            <div class="saved">
              <ul id={list} role="listbox" aria-label={say.saved}>
                {suggestions.map(({ id, name, text }, index) => (
                  <li
                    key={id}
                    id={`${list}-${index}`}
                    role="option"
                    aria-selected={index === chosen.value}
                    onPointerDown={(event) => {
                      event.preventDefault()
                      insertSaved(text)
                    }}
                  >
                    <b class="theirs one-line">{name}</b>
                    <span class="quiet theirs one-line">{filledReply(text, lead.name)}</span>
                  </li>
                ))}
              </ul>
              <p class="saved-foot">
                <span class="quiet" role="status">
                  {suggestions.length === 0
                    ? saved.answer.value?.items.length === 0
                      ? say.savedEmpty
                      : say.savedNone
                    : say.savedCount(count(suggestions.length))}
                </span>
                <Button kind="quiet" onPress={() => (isManaging.value = true)}>
                  {say.manage}
                </Button>
              </p>
            </div>
          )}
          {isPicking.value ? <EmojiPicker onPick={insert} onClose={closePicker} /> : null}
          <textarea
            ref={field}
            rows={2}
            dir="auto"
            aria-label={kind === "note" ? say.writeNote : say.writeTo}
            aria-autocomplete={kind === "reply" ? "list" : undefined}
            aria-controls={suggestions.length > 0 ? list : undefined}
            aria-activedescendant={suggestions.length > 0 ? `${list}-${chosen.value}` : undefined}
            placeholder={kind === "note" ? say.notePlaceholder : (file?.captionHint ?? say.placeholder)}
            value={typed}
            onInput={(event) => type(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
        </div>
      )}
      <AttachedFile
        {...attachable}
        composer={composer}
        isOffered={sendsFiles}
        onRemoved={() => field.current?.focus()}
      />
      <div class="composer-foot">
        {kind === "reply" ? (
          <Button kind="quiet" onPress={() => (wish.value = "saved")}>
            {say.saved}
          </Button>
        ) : null}
        {kind === "template" ? null : (
          <Button
            kind="quiet"
            label={say.emoji}
            expanded={isPicking.value}
            onPress={() => (isPicking.value = !isPicking.value)}
          >
            <span aria-hidden="true">☺</span>
          </Button>
        )}
        {sendsFiles && kind === "reply" ? <AttachButton {...attachable} /> : null}
        <span class="quiet composer-hint">
          {kind === "template" || typed !== "" || file !== null
            ? ""
            : isTouch.matches
              ? say.enterBreaks
              : say.enterSends}
        </span>
        <Button kind="main" blocked={blocked} busy={sending.busy.value} onPress={() => void submit()}>
          {kind === "note" ? say.keepNote : say.send}
        </Button>
      </div>
      {isManaging.value ? <SavedRepliesDialog onClose={() => (isManaging.value = false)} /> : null}
    </section>
  )
}
