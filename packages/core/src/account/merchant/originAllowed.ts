import type { Settings } from "./Settings.ts"

/** A browser writes origins in lower case and without a slash at the end; people do not always. */
const plain = (origin: string) => origin.trim().toLowerCase().replace(/\/+$/, "")

/** Whether a page of this origin may use the public key. Apps that are no web page have no origin. */
export const originAllowed = ({ allowedOrigins }: Settings, origin: string | null): boolean =>
  origin === null || allowedOrigins.some((allowed) => allowed === "*" || plain(allowed) === plain(origin))
