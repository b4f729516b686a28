import { paths } from "../../address/here.ts"
import { Figure } from "../../parts/Card.tsx"
import { change, count, duration, money, percent, points, stop, weekday } from "../../words/format.ts"
import { type Compared, conversion, leastOfQuantiles, type Quantiles, verdictOf } from "./figures.ts"
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

const [sparkWidth, sparkHeight] = [240, 48]

/** The conversion over the range, without axes. The chart below and its table have the values. */
function Spark({ values }: { readonly values: ReadonlyArray<number | null> }) {
  const known = values.flatMap((value, n) => (value === null ? [] : [[n, Math.min(1, value)] as const]))
  if (known.length < 2) return null
  const place = ([n, value]: readonly [number, number]) =>
    `${((n / (values.length - 1)) * sparkWidth).toFixed(1)},${(sparkHeight - 2 - value * (sparkHeight - 4)).toFixed(1)}`
  return (
    <svg class="spark" viewBox={`0 0 ${sparkWidth} ${sparkHeight}`} preserveAspectRatio="none" aria-hidden="true">
      <polyline points={known.map(place).join(" ")} />
    </svg>
  )
}

/** The conversion with its verdict against the same time of the period before. */
export function Hero({
  counts: { before, now, whole },
  spark,
  span
}: Props & { readonly spark: ReadonlyArray<number | null> }) {
  const verdict = verdictOf(whole, before)
  const [part, was] = [conversion(whole), conversion(before)]
  const moved = part === null || was === null || verdict === "few" ? null : part - was
  return (
    <section class="card hero" aria-labelledby="hero">
      <h2 id="hero">{say.conversion}</h2>
      <p class="hero-value">{percent(now.verified, now.asked)}</p>
      <Spark values={spark} />
      <p class="hero-verdict" data-verdict={verdict}>
        <strong>{say.verdicts[verdict]}</strong>
        {moved === null ? null : ` ${say.points(points(moved))}`}{" "}
        <span class="quiet">{verdict === "few" ? null : besideOf(span)}</span>
      </p>
      <p class="quiet">{say.ofAsked(count(now.verified), count(now.asked))}</p>
    </section>
  )
}

function TimeToVerify({ counts, toVerify }: Props) {
  const enough = (verified: number, quantiles: Quantiles | null) => (verified < leastOfQuantiles ? null : quantiles)
  const now = enough(counts.now.verified, toVerify.now)
  const before = enough(counts.before.verified, toVerify.before)
  return (
    <Figure label={say.timeToVerify} value={now === null ? "–" : duration(now.p50)}>
      {now === null ? say.fromVerified(leastOfQuantiles) : say.half(duration(now.p95))}
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
          {say.nothingPriced}
          {stop} <a href={paths.settings({ find: "prices" })}>{say.setPrices}</a>
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
      <TimeToVerify {...props} />
      <CostOfOne {...props} />
    </div>
  )
}
