import { moment } from "../words/format.ts"
import { say } from "../words/say.ts"

/** What is known of a list's end. */
interface End {
  readonly total: number
  /** The moment down to which the list was read; null where that is not known, or all of it was read. */
  readonly reached: number | null
  /** More is read only when somebody asks for it. */
  readonly resting: boolean
}

/** What stands below a list: how far it was looked through, when that is less than all of it. */
export const footOf = ({ reached, resting, total }: End): string =>
  reached !== null && (resting || total === 0)
    ? (total === 0 ? say.noneBack : say.lookedBack)(moment(new Date(reached)))
    : ""
