import {
  type Agent,
  type Lead,
  type LeadEntry,
  type LeadMessage,
  type LeadRead,
  searchWords,
  waitsFrom
} from "@countersign/core/storage"
import {
  bool,
  type Column,
  id,
  instant,
  int,
  named,
  nullable,
  of,
  only,
  others,
  rest,
  rows,
  text,
  word
} from "./table.ts"

/** Ids count from 1, so 0 means no owner or no team. */
export const none = 0

const idOrNone: Column<number | null> = {
  ...id,
  write: (value) => (value === null ? none : id.write(value)),
  read: (answer) => (answer === none ? null : answer)
}

/** A lead without messages sorts before all others. */
const instantOrBefore: Column<number | null> = {
  ...nullable(instant),
  write: (value) => (value === null ? -Infinity : instant.write(value)),
  select: (column) => `nullif(${column}, '-infinity')`
}

/** Ids contain no spaces. */
const ids: Column<ReadonlyArray<string>> = {
  type: "text",
  write: (value) => text.write(value.join(" ")),
  read: (answer) => (answer === "" ? [] : (answer as string).split(" "))
}

const isOpen: Column<Lead["status"]> = {
  type: "bool",
  write: (status) => status === "OPEN",
  read: (answer) => (answer === true ? "OPEN" : "CLOSED")
}

export const lead = rows<Lead>()("lead", ["environment", "id"], {
  environment: text,
  id,
  version: int,
  contact: text,
  phone: nullable(text),
  userId: nullable(text),
  assignedTo: named("owner", idOrNone),
  teamId: named("team", idOrNone),
  status: named("open", isOpen),
  lastMessageAt: named("active_at", instantOrBefore),
  waitingAt: of(nullable(instant), waitsFrom),
  words: of(word, ({ name }: Lead) =>
    searchWords(name ?? "")
      .toSorted()
      .join(" ")
  ),
  labels: ids,
  state: others
})

/** `error` stores the `providerCode`. `handedOver` serves versions that do not know `handedAt`. */
type MessageState = Omit<LeadMessage, "endedWait" | "handedAt" | "providerCode"> & {
  readonly endedWait?: LeadMessage["endedWait"]
  readonly handedOver: boolean
  readonly handedAt?: number
  readonly error: string | null
}

export const message = rows<LeadMessage>()("lead_message", ["environment", "id"], {
  environment: text,
  id: text,
  version: int,
  leadId: nullable(id),
  kind: text,
  at: instant,
  providerId: nullable(text),
  about: nullable(text),
  state: rest(
    ({ endedWait, handedAt, providerCode: error, ...state }: LeadMessage): MessageState => ({
      ...state,
      ...(endedWait === null ? {} : { endedWait }),
      ...(handedAt === null ? { handedOver: false } : { handedOver: true, handedAt }),
      error
    }),
    ({ endedWait, error, handedAt, handedOver, ...state }, { at }) => ({
      ...state,
      endedWait: endedWait ?? null,
      handedAt: handedOver ? (handedAt ?? at) : null,
      providerCode: error
    })
  )
})

export const entry = rows<LeadEntry>()("lead_entry", ["environment", "leadId", "number"], {
  environment: text,
  leadId: id,
  number: id,
  state: only("at", "by", "from", "kind", "to")
})

export const read = rows<LeadRead>()("lead_read", ["environment", "agentId", "leadId"], {
  environment: text,
  agentId: id,
  leadId: id,
  seen: int,
  isUnread: named("unread", bool)
})

export const activeAgent = rows<Pick<Agent, "merchantId" | "id">>()("active", ["merchantId", "id"], {
  merchantId: text,
  id
})
