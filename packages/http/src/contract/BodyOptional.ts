import { Context } from "effect"
import { OpenApi } from "effect/http-api"

/** Whether a POST may come without a body, which then counts as an object without fields. */
export const BodyOptional = Context.Reference<boolean>("@countersign/http/BodyOptional", {
  defaultValue: () => false
})

/** For a POST whose fields may all be left out: neither a body nor a content type is asked for. */
export const bodyOptional = OpenApi.annotations({
  transform: (operation) => ({ ...operation, requestBody: { ...operation["requestBody"], required: false } })
}).pipe(Context.add(BodyOptional, true))
