import type { SettingOfOwner, UnknownDevice } from "@countersign/core"
import { defineErrors } from "../ErrorTable.ts"

/** The failures of settings and devices. */
export const errors = defineErrors({
  SettingOfOwner: ({ by, setting }: SettingOfOwner) => ({
    errorCode: "FORBIDDEN",
    message:
      by === "KEY"
        ? `${setting}: keys may not change this setting. Sign in to the dashboard as an OWNER, or ask the operator`
        : `${setting}: only an OWNER may change this setting. Ask an owner of this account`
  }),
  UnknownDevice: (_: UnknownDevice) => ({ errorCode: "DEVICE_NOT_FOUND", message: "No trusted device has this id" })
})
