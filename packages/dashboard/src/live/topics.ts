/** Topics of events. A query that depends on a topic refetches on its events. */
export type Topic =
  | "verification"
  | "lead"
  | "webhook"
  | "hook"
  | "template"
  | "campaign"
  | "settings"
  | "key"
  | "person"
  | "money"
  | "audit"
  | "number"
  | "optOut"
  | "merchant"
  | "session"
  | "example"

type Listener = () => void

const listeners = new Map<Topic, Set<Listener>>()
const waiting = new Set<Topic>()
let timer: ReturnType<typeof setTimeout> | undefined

const patience = 2_000

const tell = () => {
  timer = undefined
  const topics = [...waiting]
  waiting.clear()
  for (const topic of topics) for (const listener of listeners.get(topic) ?? []) listener()
}

/** Calls a function on events of a topic. Returns the unsubscribe function. */
export const onNews = (topic: Topic, listener: Listener): (() => void) => {
  const mine = listeners.get(topic) ?? new Set()
  listeners.set(topic, mine.add(listener))
  return () => void mine.delete(listener)
}

/** Notifies queries of events from the service, batched to one notification every two seconds. */
export const news = (...topics: ReadonlyArray<Topic>): void => {
  for (const topic of topics) waiting.add(topic)
  timer ??= setTimeout(tell, patience)
}

/** Notifies queries immediately after the user's own change. */
export const wake = (...topics: ReadonlyArray<Topic>): void => {
  for (const topic of topics) for (const listener of listeners.get(topic) ?? []) listener()
}

/** After a gap in the stream, events may be missing, so every query refetches. */
export const wakeAll = (): void => {
  for (const mine of listeners.values()) for (const listener of mine) listener()
}

type ItemListener = (item: unknown) => void
const itemListeners = new Map<Topic, Set<ItemListener>>()

/** Calls a function with each changed item as lists show it. Returns the unsubscribe function. */
export const onItem = (topic: Topic, listener: ItemListener): (() => void) => {
  const mine = itemListeners.get(topic) ?? new Set()
  itemListeners.set(topic, mine.add(listener))
  return () => void mine.delete(listener)
}

/** Publishes an event that carries the changed item. */
export const newsOf = (topic: Topic, item: unknown): void => {
  for (const listener of itemListeners.get(topic) ?? []) listener(item)
  news(topic)
}
