import { computed } from "@preact/signals"
import { useLayoutEffect, useMemo } from "preact/hooks"
import { call } from "../../api/call.ts"
import { type Viewer, viewers } from "../../live/live.ts"
import { may } from "../../session/may.ts"
import { me } from "../../session/session.ts"
import { count } from "../../words/format.ts"
import { who } from "./names.ts"
import { Initials } from "./Who.tsx"
import { isVisible } from "../../query/useEvery.ts"
import { say } from "./words.ts"

/** The service drops a viewer after 40 seconds of silence. */
const every = 15_000
/** A viewer who has not typed for this long is no longer writing. */
const stillWriting = 8_000

/** Reports that a user has a lead open while the tab is visible. The live stream brings the other viewers. */
const makeLooking = (id: number) => {
  let typedAt = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOpen = false
  const isTyping = () => performance.now() - typedAt < stillWriting
  const tell = async () => {
    clearTimeout(timer)
    await call("POST /v1/dashboard/leads/:id/looking", { params: { id }, body: { typing: isTyping() } })
    if (!isOpen) return
    clearTimeout(timer)
    // A user who stops typing is no longer shown as writing soon afterwards.
    timer = setTimeout(() => void tell(), isTyping() ? stillWriting : every)
  }
  return {
    others: computed(() =>
      viewers.value.filter(({ agentId, leadId }) => leadId === id && agentId !== me.value?.agent.id)
    ),
    typing: () => {
      const before = isTyping()
      typedAt = performance.now()
      if (!before && isOpen) void tell()
    },
    open: () => {
      isOpen = true
      void tell()
    },
    close: () => {
      isOpen = false
      clearTimeout(timer)
      void call("POST /v1/dashboard/leads/:id/looking", { params: { id }, body: { gone: true } })
    }
  }
}

/** Other viewers of this lead. Users who cannot work on leads are not announced. */
export const useLooking = (id: number) => {
  const looking = useMemo(() => makeLooking(id), [id])
  const isHere = isVisible.value && may.work === undefined
  useLayoutEffect(() => {
    if (!isHere) return
    looking.open()
    return looking.close
  }, [looking, isHere])
  return looking
}

/** The other viewers in a sentence, those who are writing first. */
export function Lookers({ others: otherViewers }: { readonly others: ReadonlyArray<Viewer> }) {
  const [first] = otherViewers.toSorted((a, b) => Number(b.typing) - Number(a.typing))
  const words =
    first === undefined
      ? ""
      : first.typing
        ? say.writing(who(first.email))
        : otherViewers.length === 1
          ? say.viewing(who(first.email))
          : say.viewingMany(count(otherViewers.length))
  return (
    <p class="lookers quiet theirs" role="status">
      {first === undefined ? null : (
        <>
          <Initials email={first.email} /> {words}
        </>
      )}
    </p>
  )
}
