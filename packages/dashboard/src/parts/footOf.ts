import { moment } from "../words/format.ts"
import { say } from "../words/say.ts"

/** What is known about the end of a list. */
interface End {
  readonly total: number
  /** The moment down to which the list was read. Null when unknown or complete. */
  readonly reached: number | null
  /** Loading more now requires a click. */
  readonly resting: boolean
}

/** Text below a list that says how far back it was searched, unless it is complete. */
export const footOf = ({ reached, resting, total }: End): string =>
  reached !== null && (resting || total === 0)
    ? (total === 0 ? say.noneBack : say.lookedBack)(moment(new Date(reached)))
    : ""
