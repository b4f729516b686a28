import type { SettingOfOwner, SettingOfPeople, UnknownDevice } from "@countersign/core"
import { defineErrors } from "../ErrorTable.ts"

/** How `/v1/dashboard` fails, on the wire. */
export const errors = defineErrors({
  SettingOfPeople: ({ setting }: SettingOfPeople) => ({
    errorCode: "FORBIDDEN",
    message: `${setting}: no key may change this. Sign in to the dashboard, or ask the operator`
  }),
  SettingOfOwner: ({ setting }: SettingOfOwner) => ({
    errorCode: "FORBIDDEN",
    message: `${setting}: only an OWNER may change this. Ask an owner of this account`
  }),
  UnknownDevice: (_: UnknownDevice) => ({ errorCode: "DEVICE_NOT_FOUND", message: "No trusted device with this id" })
})
