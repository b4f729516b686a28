import { Context } from "effect"

/** Whether the answer to a request with an idempotency key is stored for repeats. False for personal or live data. */
export const AnswerKept = Context.Reference<boolean>("@countersign/http/AnswerKept", { defaultValue: () => true })
