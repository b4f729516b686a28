import { useSignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { keepFile } from "../../api/call.ts"
import { Button } from "../../parts/Button.tsx"
import { Table } from "../../parts/Table.tsx"
import { csvFile } from "../../words/csv.ts"
import { count } from "../../words/format.ts"
import { problemText } from "../../words/problemText.ts"
import { badLines, corrected, type Wrong, wrongIn } from "./lines.ts"
import { canSkip, type DryRun, wrongLines } from "./plan.ts"
import { say } from "./words.ts"

interface Props {
  readonly run: DryRun
  readonly csv: string
  /** Why the user may not change campaigns. */
  readonly blocked: string | undefined
  readonly onList: (csv: string) => void
  readonly isSkipping: boolean
  readonly onSkip: () => void
  readonly allProblems: () => Promise<DryRun["invalid"] | null>
}

/** The invalid lines of a list: each can be corrected here, or all of them can be left out. */
export function Problems({ allProblems, blocked, csv, isSkipping, onList, onSkip, run }: Props) {
  const { invalid, invalidLines, invalidTotal } = run
  const wrong = useMemo(() => wrongIn(csv, invalid), [csv, invalid])
  const typed = useSignal<ReadonlyMap<number, string>>(new Map())
  const isLoading = useSignal(false)
  const skips = canSkip(run)
  const write = (index: number, text: string) => (typed.value = new Map([...typed.peek(), [index, text]]))
  const changes = [...typed.value].flatMap(([index, text]): ReadonlyArray<readonly [Wrong, string]> => {
    const place = wrong[index]
    return place == null || place.text === text ? [] : [[place, text]]
  })
  const correct = () => {
    if (changes.length === 0 || blocked !== undefined) return
    typed.value = new Map()
    onList(corrected(csv, changes))
  }
  const download = async () => {
    isLoading.value = true
    const problems = await allProblems()
    isLoading.value = false
    if (problems !== null)
      keepFile(
        {
          blob: csvFile(
            badLines(
              csv,
              problems.map((each) => ({ ...each, problem: problemText(each) }))
            )
          ),
          fileName: null
        },
        say.fileOfLines
      )
  }
  return (
    <form
      class="plan-problems"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        correct()
      }}
    >
      <div role="status">
        <h3 class="bad">{say.invalid(count(wrongLines(run)), wrongLines(run))}</h3>
        <p class="quiet">
          {isSkipping ? say.skippedLines(count(invalidLines), invalidLines) : skips ? say.fixOrSkipHint : say.fixHint}
        </p>
      </div>
      {invalidTotal > invalid.length ? <p class="quiet">{say.firstProblems(count(invalid.length))}</p> : null}
      <Table
        caption={say.problems}
        rows={invalid.map((problem, index) => ({ ...problem, index }))}
        id={({ index }) => index}
        columns={[
          { title: say.line, number: true, cell: ({ line }) => count(line) },
          {
            title: say.column,
            names: true,
            drop: 1,
            cell: ({ column }) =>
              column === null ? <span class="quiet">{say.whole}</span> : <span class="theirs">{column}</span>
          },
          {
            title: say.value,
            cell: ({ column, index, line }) => {
              const place = wrong[index]
              return place == null ? (
                <span class="quiet">–</span>
              ) : (
                <input
                  class="plan-cell"
                  dir="auto"
                  autocomplete="off"
                  spellcheck={false}
                  aria-label={say.valueOf(count(line), column ?? say.whole)}
                  aria-invalid={true}
                  readOnly={blocked !== undefined}
                  placeholder={say.emptyCell}
                  value={typed.value.get(index) ?? place.text}
                  onInput={(event) => write(index, event.currentTarget.value)}
                />
              )
            }
          },
          { title: say.problem, cell: (problem) => <span class="theirs">{problemText(problem)}</span> }
        ]}
      />
      <div class="form-foot">
        {changes.length === 0 ? null : (
          <Button submit kind="main" blocked={blocked}>
            {say.correct(count(changes.length), changes.length)}
          </Button>
        )}
        {skips ? (
          <Button blocked={blocked} onPress={onSkip}>
            {say.skip(count(invalidLines), invalidLines, count(run.total))}
          </Button>
        ) : null}
        <Button kind="quiet" busy={isLoading.value} onPress={() => void download()}>
          {say.download}
        </Button>
      </div>
    </form>
  )
}
