import type { HookUnsigned, UnknownHook } from "@countersign/core"
import { defineErrors } from "../ErrorTable.ts"

/** The failures of hooks. */
export const errors = defineErrors({
  HookUnsigned: (_: HookUnsigned) => ({
    errorCode: "INVALID_CLIENT_CREDENTIALS",
    message: "The signature or the key of this request is missing, wrong or too old"
  }),
  UnknownHook: (_: UnknownHook) => ({ errorCode: "HOOK_NOT_FOUND", message: "No hook has this id" })
})
