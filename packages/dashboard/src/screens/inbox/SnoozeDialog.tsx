import { type ReadonlySignal, useSignal } from "@preact/signals"
import { useLayoutEffect, useRef } from "preact/hooks"
import type { Failure } from "../../api/Failure.ts"
import { Button } from "../../parts/Button.tsx"
import { FormDialog, TextField } from "../../parts/Form.tsx"
import { useQuery } from "../../query/useQuery.ts"
import { may } from "../../session/may.ts"
import { time, weekday, zone } from "../../words/format.ts"
import { later } from "./dialogWords.ts"
import { sharesMornings, snoozeTimes } from "./snoozeTimes.ts"

interface Props {
  readonly failure: ReadonlySignal<Failure | null>
  readonly busy: ReadonlySignal<boolean>
  /** Snoozes until this moment, and closes the dialog on success. */
  readonly onSnooze: (until: string) => void
  readonly onClose: () => void
}

/** Asks until when to snooze: one of the usual moments, or a date and time. */
export function SnoozeDialog({ busy, failure, onClose, onSnooze }: Props) {
  const settings = useQuery("GET /v1/dashboard/settings", () => ({}), "settings")
  const opened = useSignal(Date.now())
  const at = useSignal("")
  const timeZone = settings.answer.value?.timeZone
  const times = timeZone === undefined ? null : snoozeTimes(opened.value, timeZone)
  const usual = useRef<HTMLDivElement>(null)
  // The keyboard starts at the usual moments, unless the user types a date already.
  useLayoutEffect(() => {
    if (at.peek() === "") usual.current?.querySelector("button")?.focus()
  }, [times === null])
  const chosen = Date.parse(at.value)
  const missing = Number.isNaN(chosen) ? later.snooze.missing : undefined
  return (
    <FormDialog
      title={later.snooze.title}
      onClose={onClose}
      onSubmit={() => onSnooze(new Date(chosen).toISOString())}
      failure={failure}
      busy={busy}
      blocked={may.work ?? missing}
      submit={later.snooze.submit}
      fields={["until"]}
    >
      <p class="quiet">
        {later.snooze.intro}{" "}
        {timeZone === undefined || sharesMornings(opened.value, timeZone, zone)
          ? null
          : later.snooze.mornings(timeZone)}
      </p>
      <div
        ref={usual}
        class="snooze-times"
        role="group"
        aria-label={later.snooze.times}
        aria-busy={times === null || undefined}
      >
        {times === null
          ? null
          : (["hour", "tomorrow", "monday"] as const).map((name) => {
              const moment = new Date(times[name])
              return (
                <Button key={name} blocked={may.work} onPress={() => onSnooze(moment.toISOString())}>
                  {later.snooze[name]}{" "}
                  <span class="quiet">{name === "hour" ? time(moment) : `${weekday(moment)}, ${time(moment)}`}</span>
                </Button>
              )
            })}
      </div>
      <TextField label={later.snooze.at} name="until" hint={later.snooze.zone(zone)} type="datetime-local" text={at} />
    </FormDialog>
  )
}
