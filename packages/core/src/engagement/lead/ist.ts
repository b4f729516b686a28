import { type Instant, minutes } from "../../foundation/time/Instant.ts"

const offset = minutes(330)

/** An instant in India's local time, with milliseconds and without an offset: `2026-01-31T15:00:00.000`. */
export const ist = (instant: Instant): string => new Date(instant + offset).toISOString().slice(0, -1)
