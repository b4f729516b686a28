import { Context } from "effect"
import { OpenApi } from "effect/http-api"

/** Whether a POST may come without a body. It then counts as an empty object. */
export const BodyOptional = Context.Reference<boolean>("@countersign/http/BodyOptional", {
  defaultValue: () => false
})

/** For a POST whose fields are all optional: it needs neither a body nor a content type. */
export const bodyOptional = OpenApi.annotations({
  transform: (operation) => ({ ...operation, requestBody: { ...operation["requestBody"], required: false } })
}).pipe(Context.add(BodyOptional, true))
