import { useId, useLayoutEffect } from "preact/hooks"
import { environment } from "../../address/here.ts"
import type { Answer, Item } from "../../api/Api.ts"
import { Button } from "../../parts/Button.tsx"
import { Form } from "../../parts/Form.tsx"
import { Time } from "../../parts/Time.tsx"
import { tell } from "../../parts/Toast.tsx"
import { useDraft } from "../../parts/useDraft.ts"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { me } from "../../session/session.ts"
import { count, seconds } from "../../words/format.ts"
import { problemText } from "../../words/problemText.ts"
import { say as shared } from "../../words/say.ts"
import { type SettingName, settingWords } from "../../words/settingsIndex.ts"
import { changesOf, isSame, readTyped, type Typed, typedOf } from "./draft.ts"
import { SettingControl } from "./SettingControl.tsx"
import { shownValue } from "./shown.ts"
import { type Control, spec } from "./spec.ts"
import { say } from "./words.ts"

export type Change = Item<"GET /v1/dashboard/settings/history">

interface Props {
  readonly name: SettingName
  readonly settings: Answer<"GET /v1/dashboard/settings">
  /** The latest changes of all settings. */
  readonly changes: ReadonlyArray<Change>
  readonly currency: string | null
  /** Hears the value in the form, saved or not. */
  readonly onShow?: (name: SettingName, value: unknown) => void
}

export const whoOf = ({ actor }: Change): string => actor.label ?? say.by[actor.kind]

const problemOf = (control: Control, why: keyof typeof say.wrong): string => {
  const wrong = say.wrong[why]
  if (typeof wrong === "string") return wrong
  if (control.kind === "number") {
    const [least, most] = [control.least, control.most].map((n) => (control.unit === "seconds" ? seconds(n) : count(n)))
    return (control.unit === "seconds" ? say.wrong.duration : say.wrong.number)(least!, most!)
  }
  return say.wrong.most(control.kind === "lines" ? count(control.most) : "")
}

const rangeOf = (control: Control) =>
  control.kind === "number" && control.unit !== "money"
    ? control.unit === "seconds"
      ? say.range(seconds(control.least), seconds(control.most))
      : say.range(count(control.least), `${count(control.most)} ${say.units[control.unit]}`.trim())
    : null

/** Amounts cannot be edited before the currency is known. */
const hasAmounts = (control: Control) =>
  control.kind === "prices" || control.kind === "caps" || (control.kind === "number" && control.unit === "money")

/** Controls without text input save on change. */
const isChosen = ({ kind }: Control) =>
  kind === "switch" ||
  kind === "channel" ||
  kind === "billing" ||
  kind === "country" ||
  kind === "language" ||
  kind === "logo"

/** The last change: its author, its time and the previous value. */
function History({
  changes,
  currency,
  name,
  onBack
}: {
  readonly name: SettingName
  readonly changes: ReadonlyArray<Change>
  readonly currency: string | null
  readonly onBack: (value: unknown) => void
}) {
  const [latest] = changes
  if (latest === undefined) return null
  const before = latest.from?.[name] ?? null
  const initial = spec[name].initially
  return (
    <>
      <span class="theirs">
        {say.changedBy(whoOf(latest), shownValue(name, latest.from === null ? initial : before, currency))}
      </span>{" "}
      <Time at={latest.at} />
      {latest.from === null || spec[name].control.kind === "logo" || may.set(name) !== undefined ? null : (
        <Button kind="quiet" onPress={() => onBack(before)}>
          {say.back(shownValue(name, before, currency))}
        </Button>
      )}
    </>
  )
}

/** One setting with its description, control, default, range and history. */
export function Setting({ changes, currency, name, onShow, settings }: Props) {
  const id = useId()
  const { control, initially } = spec[name]
  const title = settingWords.names[name]
  const stored = settings[name]
  const refusal = may.set(name)
  // Amounts were once typed in the smallest unit: an old draft of them must not be read as a hundred times more.
  const key = `setting${hasAmounts(control) ? "-main" : ""}/${environment.peek()}/${me.peek()?.merchant.id}/${name}`
  /** The typed value, and the stored value when typing began. Null when unchanged. */
  const draft = useDraft<{ readonly typed: Typed; readonly base: unknown } | null>(key, null)
  const save = useSend("PATCH /v1/dashboard/settings", "settings", "audit")
  const kept = draft.value.value
  const typed = kept?.typed ?? typedOf(control, stored, currency)
  const read = readTyped(control, typed, currency)
  const isChanged = kept !== null && !(read.ok && isSame(read.value, stored))
  const current = read.ok ? read.value : stored
  useLayoutEffect(() => onShow?.(name, current), [current])
  const mine = changesOf(changes, name)
  const warning = settings.warnings.find(({ field }) => field === name)

  const put = async (value: unknown, undoing: boolean) => {
    const before = stored
    if ((await save.send({ body: { [name]: value } })) === null) return
    draft.clear()
    const words = shownValue(name, value, currency)
    if (undoing) tell(say.undone(title, words))
    else tell(say.saved(title, words), { undo: () => void put(before, true) })
  }
  const type = (field: string, text: string) => {
    save.forget()
    const next = { ...typed, [field]: text }
    if (isChosen(control)) {
      const chosen = readTyped(control, next, currency)
      if (chosen.ok && refusal === undefined) void put(chosen.value, false)
    } else draft.set({ typed: next, base: kept?.base ?? stored })
  }
  const problem = isChanged && !read.ok ? problemOf(control, read.why) : undefined
  const range = rangeOf(control)
  return (
    <section
      id={name}
      class="setting"
      aria-labelledby={`${id}-title`}
      data-changed={isChanged || undefined}
      data-wide={control.kind === "prices" || control.kind === "caps" || undefined}
    >
      <div class="setting-words">
        <h3 id={`${id}-title`}>{title}</h3>
        <p class="quiet">{say.effects[name]}</p>
        {warning === undefined ? null : <p class="warn">⚠ {problemText(warning)}</p>}
      </div>
      <Form
        class="setting-form"
        onSubmit={() => {
          if (isChanged && read.ok) void put(read.value, false)
        }}
        failure={save.failure}
        busy={save.busy}
        blocked={refusal ?? problem}
        submit={shared.do.save}
        fields={[name]}
        onCancel={() => {
          save.forget()
          draft.clear()
        }}
      >
        <SettingControl
          name={name}
          control={control}
          typed={typed}
          onType={type}
          currency={currency}
          problem={problem}
          locked={refusal !== undefined || (hasAmounts(control) && currency === null)}
        />
        {kept !== null && isChanged && !isSame(kept.base, stored) ? (
          <p class="warn" role="status">
            {say.changedElsewhere(shownValue(name, stored, currency))}
          </p>
        ) : null}
      </Form>
      <p class="setting-foot quiet">
        <span>
          {say.initially(initially === undefined ? say.none[name]! : shownValue(name, initially, currency))}
          {range === null ? null : ` · ${range}`}
        </span>
        <History name={name} changes={mine} currency={currency} onBack={(value) => void put(value, false)} />
      </p>
    </section>
  )
}
