import { useSignal } from "@preact/signals"
import { call } from "../../api/call.ts"
import type { Failure } from "../../api/Failure.ts"
import { Button, Copy } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Refusal } from "../../parts/Loaded.tsx"
import { Pill } from "../../parts/Pill.tsx"
import { tell } from "../../parts/Toast.tsx"
import { wake } from "../../live/topics.ts"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { country, moment } from "../../words/format.ts"
import { type Lock, lockedOutOf, locksOf, type Person, shownBy } from "./facts.ts"
import { Kept } from "./Kept.tsx"
import { say } from "./words.ts"

const sentenceOf = ({ of, until, wrongCodes }: Lock): string => {
  const end = moment(new Date(until))
  return of === "LINKS" ? say.linksPaused(end) : say.locked[of](end, wrongCodes)
}

/** Shows why the user gets no codes, and lifts it. The identity stays masked. */
export function Locks({ person }: { readonly person: Person }) {
  const unlock = useSend("POST /v1/dashboard/people/:person/unlock", "person", "verification", "audit")
  const locks = locksOf(person)
  if (locks.length === 0) return null
  const send = async () => {
    const done = await unlock.send({ params: { person: person.person } })
    if (done === null) return
    // The pressed button goes with the lock.
    document.querySelector("h1")?.focus({ preventScroll: true })
    tell(done.body.unlocked ? say.unlocked : say.notLocked)
  }
  const failure = unlock.failure.value
  return (
    <>
      <div class="notice person-lock" data-tone="bad" role="status">
        <div>
          {locks.map((lock) => (
            <p key={lock.of}>{sentenceOf(lock)}</p>
          ))}
        </div>
        <Button blocked={may.work} busy={unlock.busy.value} onPress={() => void send()}>
          {say.unlock}
        </Button>
      </div>
      {failure === null ? null : <Refusal failure={failure} />}
    </>
  )
}

interface Props {
  readonly person: Person
  /** Their newest verification, by which the identity can be shown. */
  readonly requestId: string | undefined
}

/** The identity, masked until an authorised user reveals it, which the audit log records. */
export function Head({ person, requestId }: Props) {
  const identity = useSignal<string | null>(null)
  const failure = useSignal<Failure | null>(null)
  const busy = useSignal(false)
  const isKeptOpen = useSignal(false)
  const lockedOut = lockedOutOf(locksOf(person))
  const source = shownBy(requestId, person)
  const show = async () => {
    if (source === null) return
    busy.value = true
    if ("requestId" in source) {
      const reply = await call("POST /v1/dashboard/verifications/:requestId/unmask", { params: source })
      failure.value = reply.ok ? null : reply.failure
      if (reply.ok) identity.value = reply.body.identity
      wake("audit")
    } else {
      // Agents see whole numbers in conversations.
      const reply = await call("GET /v1/dashboard/leads/:id", { params: { id: source.leadId } })
      failure.value = reply.ok ? null : reply.failure
      if (reply.ok && /^\d+$/.test(reply.body.contact)) identity.value = `+${reply.body.contact}`
    }
    busy.value = false
  }
  return (
    <>
      <div class="ver-person">
        <h2 class="theirs">{identity.value ?? person.identity}</h2>
        {lockedOut === null ? null : <Pill tone="bad">{say.lockedOut[lockedOut]}</Pill>}
        {person.country === null ? null : <span class="quiet">{country(person.country)}</span>}
        <span class="ver-deeds">
          {identity.value === null ? (
            <Button
              blocked={may.arrange ?? (source === null ? say.notKnown : undefined)}
              busy={busy.value}
              onPress={() => void show()}
            >
              {person.identityType === "EMAIL" ? say.showAddress : say.showNumber}
            </Button>
          ) : (
            <>
              <Copy text={identity.value} label={person.identity} />
              <Button onPress={() => (identity.value = null)}>{say.hideAgain}</Button>
            </>
          )}
          <Button
            opens="dialog"
            blocked={may.arrange ?? (identity.value === null ? say.showFirst : undefined)}
            onPress={() => (isKeptOpen.value = true)}
          >
            {say.stored}
          </Button>
        </span>
      </div>
      {identity.value === null ? null : <p class="quiet">{say.auditNote}</p>}
      {failure.value === null ? null : <Refusal failure={failure.value} />}
      {isKeptOpen.value && identity.value !== null ? (
        <Dialog
          title={say.stored}
          wide
          onClose={() => {
            isKeptOpen.value = false
            // An erasure may have begun.
            wake("person", "verification")
          }}
        >
          <Kept identity={identity.value} identityType={person.identityType} />
        </Dialog>
      ) : null}
    </>
  )
}
