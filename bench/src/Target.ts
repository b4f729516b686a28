import type { Bench } from "./Bench.ts"

/** One line of the report: a measured figure against its target. */
export interface Figure {
  readonly target: string
  readonly value: number
  readonly relation: ">=" | "<="
  readonly bound: number
  readonly unit?: string
}

/** What a measurement found. */
export interface Finding {
  readonly figures: ReadonlyArray<Figure>
  /** Rows for the reader: what the figures were made of. */
  readonly details: ReadonlyArray<string>
}

export interface Target {
  readonly name: string
  readonly what: string
  readonly needsCeiling?: boolean
  /** Left out of a run of everything. */
  readonly onlyByName?: boolean
  /** Runs before Postgres starts. The message of its error says what to do. */
  readonly prepare?: () => void
  readonly measure: (bench: Bench) => Promise<Finding>
}

const met = ({ bound, relation, value }: Figure) => (relation === ">=" ? value >= bound : value <= bound)

export const line = (figure: Figure): string =>
  `${figure.target} ${figure.value.toFixed(2)}${figure.unit ?? ""} ${figure.relation} ${figure.bound}${figure.unit ?? ""} ${met(figure) ? "ok" : "MISS"}`
