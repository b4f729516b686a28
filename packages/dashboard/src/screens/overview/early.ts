import { filtersIn } from "../../address/filtersIn.ts"
import { zone } from "../../words/zone.ts"
import { filters } from "./filters.ts"
import { type Span, spanOf, usualRange } from "./span.ts"

/** The series of a range. The first figures are sums of it. */
export const seriesOf = ({ bucket, from }: Span) => ({ query: { from: from.toISOString(), tz: zone, bucket } })

/** The figures that the overview shows first, from its address alone, so that they load beside the code. */
export const earlySeries = (search: string, now: Date) =>
  seriesOf(spanOf(filtersIn(filters, search).range ?? usualRange(now), now))
