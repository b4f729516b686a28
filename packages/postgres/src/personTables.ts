import type { Session, SignInLink } from "@countersign/core/storage"
import { id, instant, int, nullable, of, once, only, rows, text } from "./table.ts"

/** `used` moves `last_used_at` and the version by itself. An update of a session writes only its end. */
export const session = rows<Session>()("session", ["merchantId", "id"], {
  merchantId: text,
  id: text,
  version: int,
  agentId: once(id),
  hash: once(text),
  signedInAt: once(instant),
  lastUsedAt: once(instant),
  endedAt: nullable(instant),
  state: once(only("address", "emailProven", "era", "method", "reach", "userAgent")),
  provenEra: of(once(nullable(int)), ({ emailProven, era }: Session) => (emailProven ? era : null))
})

export const link = rows<SignInLink>()("sign_in_link", ["merchantId", "id"], {
  merchantId: text,
  id,
  version: int,
  hash: text,
  expiresAt: instant,
  state: only("createdAt", "era", "usedAt")
})
