import type { Settings } from "./Settings.ts"

/** Browsers write origins in lower case and without a final slash; people do not always. */
const plain = (origin: string) => origin.trim().toLowerCase().replace(/\/+$/, "")

/** Whether a page of this origin may use the public key. Native apps have no origin. */
export const originAllowed = ({ allowedOrigins }: Settings, origin: string | null): boolean =>
  origin === null || allowedOrigins.some((allowed) => allowed === "*" || plain(allowed) === plain(origin))
