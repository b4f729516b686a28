import { Context } from "effect"

/** Whether the answer to a request with an idempotency key is kept for its repeats. A secret is not; it is asked again. */
export const AnswerKept = Context.Reference<boolean>("@countersign/http/AnswerKept", { defaultValue: () => true })
