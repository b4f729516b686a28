/** What news is about. A query that is about the same asks again. */
export type Topic =
  | "verification"
  | "lead"
  | "webhook"
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

/** Is called when there is news of a topic, until the answer is called. */
export const onNews = (topic: Topic, listener: Listener): (() => void) => {
  const mine = listeners.get(topic) ?? new Set()
  listeners.set(topic, mine.add(listener))
  return () => void mine.delete(listener)
}

/** News from the service: queries hear of it together, at most every two seconds, however much there is. */
export const news = (...topics: ReadonlyArray<Topic>): void => {
  for (const topic of topics) waiting.add(topic)
  timer ??= setTimeout(tell, patience)
}

/** One's own deed: whoever did it wants to see it now. */
export const wake = (...topics: ReadonlyArray<Topic>): void => {
  for (const topic of topics) for (const listener of listeners.get(topic) ?? []) listener()
}

/** After a gap nobody knows what was missed: everything is asked again. */
export const wakeAll = (): void => {
  for (const mine of listeners.values()) for (const listener of mine) listener()
}

type ItemListener = (item: unknown) => void
const itemListeners = new Map<Topic, Set<ItemListener>>()

/** Is given each item that moved, as its list would show it now. */
export const onItem = (topic: Topic, listener: ItemListener): (() => void) => {
  const mine = itemListeners.get(topic) ?? new Set()
  itemListeners.set(topic, mine.add(listener))
  return () => void mine.delete(listener)
}

/** News that says what moved. */
export const newsOf = (topic: Topic, item: unknown): void => {
  for (const listener of itemListeners.get(topic) ?? []) listener(item)
  news(topic)
}
