import { useSignal } from "@preact/signals"
import { useLayoutEffect, useMemo } from "preact/hooks"
import { paths } from "../../address/here.ts"
import { Button } from "../../parts/Button.tsx"
import { Refusal } from "../../parts/Loaded.tsx"
import { useQuery } from "../../query/useQuery.ts"
import { type Send, useSend } from "../../query/useSend.ts"
import { count, money, stop } from "../../words/format.ts"
import { glance } from "./glance.ts"
import { type DryRun, suffices } from "./plan.ts"
import { Problems } from "./Problems.tsx"
import type { Template } from "./templates.ts"
import { say } from "./words.ts"

/** Maximum size of a preview request. */
const longestValue = 1_024

interface PreviewProps {
  readonly template: Template | null
  readonly csv: string
}

/** The exact text for the first recipient. */
function Preview({ csv, template }: PreviewProps) {
  const preview = useSend("POST /v1/dashboard/templates/:id/preview")
  const { first } = useMemo(() => glance(csv), [csv])
  const text = useSignal<string | null>(null)
  const { phone, ...values } = first
  useLayoutEffect(() => {
    if (template === null || template.body === null) return
    const short = Object.fromEntries(
      Object.entries(values)
        .filter(([name, value]) => name !== "" && value !== "")
        .map(([name, value]) => [name, value.slice(0, longestValue)])
    )
    void preview.send({ params: { id: template.id }, body: { values: short } }).then((sent) => {
      if (sent !== null) text.value = sent.body.text
    })
  }, [template?.id, csv])
  if (template === null) return null
  return (
    <div>
      <h3>{say.preview}</h3>
      {phone === undefined ? null : (
        <p class="quiet">
          <bdi>{say.previewOf(phone.slice(0, 40))}</bdi>
        </p>
      )}
      {template.body === null ? (
        <p class="quiet">{say.onlyWhatsApp}</p>
      ) : preview.failure.value !== null ? (
        <Refusal failure={preview.failure.value} />
      ) : (
        <p class="plan-words theirs" dir="auto" aria-busy={preview.busy.value || undefined}>
          {text.value ?? template.body}
        </p>
      )}
    </div>
  )
}

const Fact = ({ label, note, value }: { readonly label: string; readonly value: string; readonly note?: string }) => (
  <div>
    <dt>{label}</dt>
    <dd>
      {value} {note === undefined ? null : <span class="quiet">{note}</span>}
    </dd>
  </div>
)

/** The total cost, and whether the balance covers it. */
function Cost({ run }: { readonly run: DryRun }) {
  const balance = useQuery("GET /v1/dashboard/balance", () => ({}), "money")
  const settings = useQuery("GET /v1/dashboard/settings", () => ({}), "settings")
  const isPrepaid = settings.answer.value?.billing === "PREPAID"
  const available = isPrepaid ? (balance.answer.value?.available ?? null) : null
  const enough = suffices(run.cost, available)
  if (run.cost === null) return <p class="quiet">{say.checked.free}</p>
  return (
    <p>
      <b>{money(run.cost, run.currency)}</b>{" "}
      {available === null ? null : (
        <span class="quiet">{`${say.checked.available(money(available, run.currency))}${stop} `}</span>
      )}
      {enough === null || available === null ? null : enough ? (
        <span class="good">{say.checked.enough}</span>
      ) : (
        <span class="bad">
          {say.checked.short(money(run.cost - available, run.currency))} <a href={paths.money()}>{say.checked.topUp}</a>
        </span>
      )}
    </p>
  )
}

interface Props {
  readonly run: DryRun | null
  readonly check: Pick<Send<"POST /v1/dashboard/campaigns">, "busy" | "failure">
  readonly again: () => void
  readonly blocked: string | undefined
  readonly template: Template | null
  readonly csv: string
  /** Replaces the list, which checks it again. */
  readonly onList: (csv: string) => void
  readonly isSkipping: boolean
  readonly onSkip: () => void
  /** Every problem of the list, or null when the service could not be asked. */
  readonly allProblems: () => Promise<DryRun["invalid"] | null>
}

/** The service's check of the list before anything is sent: every invalid line and column. */
export function CheckStep({
  again,
  allProblems,
  blocked,
  check,
  csv,
  isSkipping,
  onList,
  onSkip,
  run,
  template
}: Props) {
  return (
    <div class="form">
      {check.failure.value === null ? null : <Refusal failure={check.failure.value} />}
      {run === null ? (
        <>
          <p class="quiet" role="status">
            {check.busy.value ? say.checking : ""}
          </p>
          <div>
            <Button blocked={blocked} busy={check.busy.value} onPress={again}>
              {say.check}
            </Button>
          </div>
        </>
      ) : (
        <>
          <dl class="plan-facts">
            <Fact label={say.checked.total} value={count(run.total)} />
            <Fact label={say.checked.duplicates} value={count(run.duplicates)} />
            <Fact label={say.checked.optedOut} value={count(run.optedOut)} />
            {run.segments === null ? null : (
              <Fact
                label={say.checked.segments}
                value={count(run.segments.total)}
                note={say.checked.most(count(run.segments.most))}
              />
            )}
          </dl>
          <div>
            <h3>{say.checked.cost}</h3>
            <Cost run={run} />
          </div>
          {run.unused.length === 0 ? null : (
            <p class="warn theirs">{say.unused(run.unused.map((column) => column.slice(0, 60)).join(", "))}</p>
          )}
          {run.invalidTotal === 0 ? (
            <p class="good" role="status">
              {say.good}
            </p>
          ) : (
            <Problems
              run={run}
              csv={csv}
              blocked={blocked}
              onList={onList}
              isSkipping={isSkipping}
              onSkip={onSkip}
              allProblems={allProblems}
            />
          )}
          <Preview template={template} csv={csv} />
        </>
      )}
    </div>
  )
}
