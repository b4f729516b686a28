import { Effect } from "effect"
import { Conflict } from "../foundation/storage/Conflict.ts"
import { type ClockRecord, decode, empty, encode } from "../foundation/time/ClockRecord.ts"
import type { ClockStore } from "../foundation/storage/ClockStore.ts"
import type { MemoryJobs } from "./MemoryJobStore.ts"

/** The latest clock reading of a memory storage. */
export const makeClockStore = (jobs: MemoryJobs): ClockStore["Service"] => {
  let kept: ClockRecord = empty
  return {
    load: Effect.sync(() => kept),
    save: (record, setBack) =>
      Effect.suspend(() => {
        if (record.version !== kept.version) return Effect.fail(new Conflict({ key: "clock" }))
        kept = decode(record.version + 1, encode(record))
        if (setBack !== null) jobs.setBack(setBack)
        return Effect.void
      })
  }
}
