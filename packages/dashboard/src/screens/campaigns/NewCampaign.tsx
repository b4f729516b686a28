import { type Signal, signal, useSignal } from "@preact/signals"
import { useLayoutEffect, useRef } from "preact/hooks"
import { environment, go, paths } from "../../address/here.ts"
import { oneOf } from "../../address/filtersIn.ts"
import { setFilters, useFilters } from "../../address/useFilters.ts"
import { Button } from "../../parts/Button.tsx"
import { Choice } from "../../parts/Choice.tsx"
import { Confirm } from "../../parts/Dialog.tsx"
import { TextField } from "../../parts/Form.tsx"
import { Refusal } from "../../parts/Loaded.tsx"
import { now, useNow } from "../../parts/Time.tsx"
import { tell } from "../../parts/Toast.tsx"
import { useDraft } from "../../parts/useDraft.ts"
import { useQuery } from "../../query/useQuery.ts"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { useRecentSignIn } from "../../session/useRecentSignIn.ts"
import { me } from "../../session/session.ts"
import { channelName } from "../../words/channels.ts"
import { count, moment, zone } from "../../words/format.ts"
import { CheckStep } from "./CheckStep.tsx"
import { ListStep } from "./ListStep.tsx"
import { blockedBy, bodyOf, type DryRun, emptyPlan, missingIn, type Plan, type Step, stepMark, steps } from "./plan.ts"
import { TextStep } from "./TextStep.tsx"
import { say } from "./words.ts"

/** Draft lists by merchant and environment. In memory, because session storage cannot hold five megabytes. */
const lists = new Map<string, Signal<string>>()
const prefix = "countersign.list."
/** A list up to this size also survives a reload. */
const small = 200_000

const listOf = (key: string): Signal<string> => {
  const kept = lists.get(key)
  if (kept !== undefined) return kept
  const made = signal(sessionStorage.getItem(prefix + key) ?? "")
  lists.set(key, made)
  return made
}

/** The list of a draft. */
const useList = (key: string): Signal<string> => listOf(key)

const setList = (key: string, csv: string): void => {
  listOf(key).value = csv
  if (csv !== "" && csv.length <= small) sessionStorage.setItem(prefix + key, csv)
  else sessionStorage.removeItem(prefix + key)
}

/** The most problems that the service returns. */
const mostProblems = 100_000

const filters = { step: oneOf(steps) }
const go_ = (step: Step) => setFilters(filters, { step: step === "text" ? null : step })

/** A new campaign, step by step. Input is kept on the way, and nothing is sent before the last step. */
export function NewCampaign() {
  useNow()
  const wanted = useFilters(filters)
  const key = `campaign/${me.peek()?.merchant.id}/${environment.peek()}`
  const draft = useDraft<Plan>(key, emptyPlan)
  const list = useList(key)
  const templates = useQuery("GET /v1/dashboard/templates", () => ({ query: { limit: 200 } }), "template")
  const check = useSend("POST /v1/dashboard/campaigns")
  const start = useSend("POST /v1/dashboard/campaigns", "campaign", "money")
  /** The service's check of this exact list and text. Any change requires a new check. */
  const checked = useSignal<{ readonly of: string; readonly run: DryRun } | null>(null)
  /** Idempotency key of the campaign's start: a retry after a lost connection must not create a second campaign. */
  const attempt = useRef({ of: "", key: "" })
  const isSure = useSignal(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const step = wanted.value.step ?? "text"
  const plan = draft.value.value
  const csv = list.value
  const set = (changes: Partial<Plan>) => draft.set({ ...draft.value.peek(), ...changes })

  /** The list whose invalid lines are left out. A change of the list asks again. */
  const skipping = useSignal<string | null>(null)

  const { channel, template } = plan
  const subject = JSON.stringify([channel, template, csv])
  const run = checked.value !== null && checked.value.of === subject ? checked.value.run : null
  const skips = run !== null && skipping.value === subject
  const missing = missingIn(step, plan, csv, run, now.value, skips)
  const blocked = may.arrange ?? blockedBy(plan, csv, run, now.value, skips)
  const at = steps.indexOf(step)

  useLayoutEffect(() => {
    if (at > 0) heading.current?.focus({ preventScroll: true })
  }, [step])

  const ask = async () => {
    const of = subject
    const answer = await check.send({
      query: { dryRun: true },
      body: { ...bodyOf(plan, csv), name: plan.name.trim() || "-" }
    })
    if (answer !== null && "duplicates" in answer.body) checked.value = { of, run: answer.body }
  }
  /** Every problem of the list, for a file: the check itself returns the first hundred. */
  const allProblems = async () => {
    if (run !== null && run.invalid.length >= run.invalidTotal) return run.invalid
    const answer = await check.send({
      query: { dryRun: true, problems: mostProblems },
      body: { ...bodyOf(plan, csv), name: plan.name.trim() || "-" }
    })
    return answer !== null && "duplicates" in answer.body ? answer.body.invalid : null
  }
  // Entering the check step with a list starts the check. It is free and sends nothing.
  useLayoutEffect(() => {
    if (step === "check" && run === null && csv !== "" && template !== "" && may.arrange === undefined) void ask()
  }, [step, subject])

  useRecentSignIn(step === "check" && may.arrange === undefined)

  const body = bodyOf(plan, csv, skips)
  const begin = async () => {
    const of = JSON.stringify([body.name, body.startAt, skips, subject])
    if (attempt.current.of !== of) attempt.current = { of, key: crypto.randomUUID() }
    const answer = await start.send({ query: {}, body }, attempt.current.key)
    isSure.value = false
    if (answer === null || "duplicates" in answer.body) return
    draft.clear()
    setList(key, "")
    tell(plan.when === "now" ? say.started : say.planned)
    go(paths.campaign({ id: answer.body.id }), { replace: true })
  }
  const discard = () => {
    const [before, list] = [draft.value.peek(), csv]
    draft.clear()
    setList(key, "")
    go_("text")
    tell(say.discarded, {
      undo: () => {
        draft.set(before)
        setList(key, list)
      }
    })
  }
  const skipped = skips ? say.skippedLines(count(run.invalidLines), run.invalidLines) : null
  const people = count(run === null ? 0 : run.total - run.optedOut)
  return (
    <div class="plan">
      <nav aria-label={say.step.title}>
        <ol role="list" class="plan-steps">
          {steps.map((each) => (
            <li key={each}>
              <button
                type="button"
                class="button"
                data-kind="quiet"
                aria-current={each === step ? "step" : undefined}
                onClick={() => go_(each)}
              >
                <span class="plan-number" aria-hidden="true">
                  {stepMark(each, step, plan, csv, run, now.value, skips)}
                </span>
                {say.step[each]}
              </button>
            </li>
          ))}
        </ol>
      </nav>
      <section class="card plan-step">
        <h2 ref={heading} tabIndex={-1}>
          {say.new}: {say.step[step]}
        </h2>
        {may.arrange === undefined ? null : <p class="warn">{may.arrange}</p>}
        {step === "text" ? (
          <TextStep plan={plan} set={set} templates={templates} />
        ) : step === "list" ? (
          <ListStep
            csv={csv}
            onList={(next) => setList(key, next)}
            template={templateOf(templates.answer.value?.items, template)}
          />
        ) : step === "check" ? (
          <CheckStep
            run={run}
            check={check}
            again={() => void ask()}
            blocked={
              may.arrange ??
              missingIn("text", { ...plan, name: "-" }, csv, run, 0) ??
              missingIn("list", plan, csv, run, 0)
            }
            template={templateOf(templates.answer.value?.items, template)}
            csv={csv}
            onList={(next) => setList(key, next)}
            isSkipping={skips}
            onSkip={() => {
              skipping.value = subject
              go_("start")
            }}
            allProblems={allProblems}
          />
        ) : (
          <div class="form">
            <Choice
              label={say.whenTitle}
              value={plan.when}
              onChoose={(when) => set({ when })}
              options={[
                { value: "now", label: say.now },
                { value: "later", label: say.later }
              ]}
            />
            {plan.when === "later" ? (
              <TextField
                label={say.at}
                name="startAt"
                hint={say.zone(zone)}
                type="datetime-local"
                value={plan.at}
                onType={(typed) => set({ at: typed })}
              />
            ) : null}
            {run === null ? null : (
              <p>
                {say.sure(people, channelName(channel))} {skipped}
              </p>
            )}
            {start.failure.value === null ? null : <Refusal failure={start.failure.value} />}
          </div>
        )}
        <div class="form-foot">
          {step === "start" ? (
            <Button kind="main" blocked={blocked} busy={start.busy.value} onPress={() => (isSure.value = true)}>
              {plan.when === "now" ? say.start(people) : say.schedule(people)}
            </Button>
          ) : (
            <Button kind="main" blocked={missing} onPress={() => go_(steps[at + 1]!)}>
              {say.next}
            </Button>
          )}
          {at === 0 ? null : <Button onPress={() => go_(steps[at - 1]!)}>{say.previous}</Button>}
          <span class="quiet">{step === "start" ? blocked : missing}</span>
          {csv === "" && JSON.stringify(plan) === JSON.stringify(emptyPlan) ? null : (
            <Button kind="quiet" class="plan-discard" onPress={discard}>
              {say.discard}
            </Button>
          )}
        </div>
      </section>
      {isSure.value ? (
        <Confirm
          title={plan.name}
          confirm={plan.when === "now" ? say.start(people) : say.schedule(people)}
          busy={start.busy.value}
          onConfirm={() => void begin()}
          onClose={() => (isSure.value = false)}
        >
          <p>
            {say.sure(people, channelName(channel))} {skipped}
          </p>
          <p>{plan.when === "now" ? say.sureNow : say.sureLater(moment(new Date(plan.at)))}</p>
        </Confirm>
      ) : null}
    </div>
  )
}

const templateOf = <T extends { readonly id: string }>(items: ReadonlyArray<T> | undefined, id: string): T | null =>
  items?.find((each) => each.id === id) ?? null
