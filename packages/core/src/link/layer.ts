import { Links } from "./Links.ts"

/** Logins that are approved by a link. */
export const layer = Links.layerNoDeps
