import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Refusal } from "../../parts/Loaded.tsx"
import { tell } from "../../parts/Toast.tsx"
import { useQuery } from "../../query/useQuery.ts"
import { useSend } from "../../query/useSend.ts"
import { count, country, money, percent, zone } from "../../words/format.ts"
import { say as shared } from "../../words/say.ts"
import { hitsPeople, homeOf, isWide, type Reason } from "./standing.ts"
import { say } from "./words.ts"

interface Props {
  readonly row: Reason
  /** The range in words. */
  readonly days: string
  readonly from: string
  readonly currency: string
  readonly onClose: () => void
}

/** What enforcing a reason would have done. */
function Would({ currency, days, row: { would } }: Pick<Props, "currency" | "days" | "row">) {
  if (would.refused === 0) return <p>{say.wouldNothing(days)}</p>
  const saved = would.saved === null ? null : money(would.saved, currency)
  return (
    <>
      <p>
        {say.wouldHave(days, count(would.refused), saved)}{" "}
        {would.typed === 0 ? say.noneEntered : say.peopleEntered(count(would.typed))}
      </p>
      {hitsPeople(would) ? <p class="warn">⚠ {say.hitsPeople}</p> : null}
    </>
  )
}

/** Asks before a reason starts or stops to refuse codes, with its figures. The toast afterwards undoes it. */
export function ChangeDialog({ currency, days, from, onClose, row }: Props) {
  const enforce = useSend("POST /v1/dashboard/protection/reasons/:reason/enforce", "settings", "audit")
  const undo = useSend("POST /v1/dashboard/protection/reasons/:reason/undo", "settings", "audit")
  const { enforced, reason } = row
  const asksWhere = !enforced && isWide(row)
  const where = useQuery("GET /v1/dashboard/stats/funnel", () =>
    asksWhere ? { query: { from, tz: zone, groupBy: "country" } } : null
  )
  const home = homeOf(where.answer.value?.items ?? [])
  // The warning comes before the button can be pressed.
  const isAsking = asksWhere && where.answer.value === null && where.failure.value === null
  const name = say.names[reason]
  const put = async (isEnforced: boolean, isBack: boolean): Promise<void> => {
    const { failure, send } = isEnforced ? enforce : undo
    if ((await send({ params: { reason } })) === null) {
      // The dialog is gone, so that the toast says why.
      if (isBack && failure.peek() !== null) tell(failure.peek()!.message, { tone: "bad" })
      return
    }
    if (!isBack) onClose()
    const words = isEnforced ? say.isEnforced(name) : say.isStopped(name)
    tell(words, isBack ? {} : { undo: () => void put(!isEnforced, true) })
  }
  const { busy, failure } = enforced ? undo : enforce
  return (
    <Dialog title={enforced ? say.ask.stop(name) : say.ask.enforce(name)} onClose={onClose}>
      <div class="dialog-body">
        {enforced ? <p>{say.hasRefused(days, count(row.refused))}</p> : null}
        {enforced ? <p>{say.onlyRecords}</p> : <Would row={row} days={days} currency={currency} />}
        {home === null ? null : (
          <p class="warn">⚠ {say.mostlyIn(percent(home.typed, home.of), country(home.country))}</p>
        )}
        {enforced ? null : <p class="quiet">{say.fromNow}</p>}
        {failure.value === null ? null : <Refusal failure={failure.value} />}
      </div>
      <div class="form-foot">
        <Button kind="main" busy={busy.value || isAsking} onPress={() => void put(!enforced, false)}>
          {enforced ? say.doStop : say.doEnforce}
        </Button>
        <Button kind="quiet" onPress={onClose}>
          {shared.do.cancel}
        </Button>
      </div>
    </Dialog>
  )
}
