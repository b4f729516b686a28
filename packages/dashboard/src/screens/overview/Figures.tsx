import { paths } from "../../address/here.ts"
import { Figure } from "../../parts/Card.tsx"
import { change, count, duration, money, percent, points, weekday } from "../../words/format.ts"
import { type Compared, conversion, type Quantiles } from "./figures.ts"
import type { Span } from "./span.ts"
import { say } from "./words.ts"

interface Cost {
  readonly currency: string
  /** Null when no message had a price. */
  readonly now: number | null
  readonly before: number | null
}

interface Props {
  readonly span: Span
  readonly counts: Compared
  readonly toVerify: { readonly now: Quantiles | null; readonly before: Quantiles | null }
  /** Null while loading. */
  readonly cost: Cost | null
}

const besideOf = ({ before, range }: Span) => say.beside[range](weekday(before.until))

/** A change with its direction as text. The colour only repeats it. */
function Change({ text, isGood }: { readonly text: string; readonly isGood: boolean | null }) {
  return <span class={isGood === null ? undefined : isGood ? "good" : "bad"}>{text}</span>
}

function Verified({ counts: { before, now, whole }, span }: Props) {
  const changed = change(whole.verified, before.verified)
  return (
    <Figure label={say.verified} value={count(now.verified)}>
      {changed === null ? (
        say.nothingBeside[span.range](weekday(span.before.until))
      ) : (
        <>
          <Change
            text={changed}
            isGood={whole.verified === before.verified ? null : whole.verified > before.verified}
          />{" "}
          {besideOf(span)}
        </>
      )}
    </Figure>
  )
}

function Conversion({ counts: { before, now, whole } }: Props) {
  const [part, was] = [conversion(whole), conversion(before)]
  const moved = part === null || was === null ? null : part - was
  return (
    <Figure label={say.conversion} value={percent(now.verified, now.asked)}>
      {moved === null ? null : (
        <>
          <Change text={say.points(points(moved))} isGood={Math.abs(moved) < 0.0005 ? null : moved > 0} />
          {", "}
        </>
      )}
      {say.ofAsked(count(now.verified), count(now.asked))}
    </Figure>
  )
}

function TimeToVerify({ toVerify: { before, now } }: Props) {
  return (
    <Figure label={say.timeToVerify} value={now === null ? "–" : duration(now.p50)}>
      {now === null ? say.noneVerified : say.half(duration(now.p95))}
      {now === null || before === null ? null : ` (${say.was(`${duration(before.p50)} / ${duration(before.p95)}`)})`}
    </Figure>
  )
}

/** A verification often costs less than the smallest coin. */
const digits = 3

function CostOfOne({ cost }: Props) {
  return (
    <Figure label={say.costOfOne} value={cost?.now == null ? "–" : money(cost.now, cost.currency, digits)}>
      {cost === null ? null : cost.now === null ? (
        <>
          {say.nothingPriced}. <a href={paths.settings()}>{say.setPrices}</a>
        </>
      ) : cost.before === null ? null : (
        say.was(money(cost.before, cost.currency, digits))
      )}
    </Figure>
  )
}

/** The figures of the range, each with its comparison. */
export function Figures(props: Props) {
  return (
    <div class="figures">
      <Verified {...props} />
      <Conversion {...props} />
      <TimeToVerify {...props} />
      <CostOfOne {...props} />
    </div>
  )
}
