import { useSignalEffect } from "@preact/signals"
import { learnChannels } from "../words/channels.ts"
import type { Topic } from "../live/topics.ts"
import { useQuery } from "./useQuery.ts"

/** The channels of the service; every screen knows their names from then on. */
export const useChannels = (...topics: ReadonlyArray<Topic>) => {
  const channels = useQuery("GET /v1/dashboard/channels", () => ({}), ...topics)
  useSignalEffect(() => {
    const items = channels.answer.value?.items
    if (items !== undefined) learnChannels(items)
  })
  return channels
}
