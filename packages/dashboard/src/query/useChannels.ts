import { useSignalEffect } from "@preact/signals"
import { learnChannels } from "../words/channels.ts"
import type { Topic } from "../live/topics.ts"
import { useQuery } from "./useQuery.ts"

/** Loads the channels of the service and publishes their names to all screens. */
export const useChannels = (...topics: ReadonlyArray<Topic>) => {
  const channels = useQuery("GET /v1/dashboard/channels", () => ({}), ...topics)
  useSignalEffect(() => {
    const answer = channels.answer.value
    if (answer !== null) learnChannels(answer.items, answer.verifiers)
  })
  return channels
}
