import type { SettingOfOwner, UnknownDevice } from "@countersign/core"
import { defineErrors } from "../ErrorTable.ts"

/** How `/v1/dashboard` fails, on the wire. */
export const errors = defineErrors({
  SettingOfOwner: ({ by, setting }: SettingOfOwner) => ({
    errorCode: "FORBIDDEN",
    message:
      by === "KEY"
        ? `${setting}: no key may change this. Sign in to the dashboard as an OWNER, or ask the operator`
        : `${setting}: only an OWNER may change this. Ask an owner of this account`
  }),
  UnknownDevice: (_: UnknownDevice) => ({ errorCode: "DEVICE_NOT_FOUND", message: "No trusted device with this id" })
})
