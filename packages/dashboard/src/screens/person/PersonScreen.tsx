import { match, param, paths } from "../../address/here.ts"
import { idOf } from "../../life/refusedFor.ts"
import { type Verification, withLock } from "../../life/result.ts"
import { timeOf } from "../../life/timeOf.ts"
import { onItem } from "../../live/topics.ts"
import { Empty, Loaded } from "../../parts/Loaded.tsx"
import { useEvery } from "../../query/useEvery.ts"
import { usePages } from "../../query/usePages.ts"
import { useQuery } from "../../query/useQuery.ts"
import { Screen } from "../../shell/Screen.tsx"
import { isNothingStored } from "./facts.ts"
import { Head, Locks } from "./Head.tsx"
import { Conversation, Devices, Messaging, Refusals, Verifications } from "./Lists.tsx"
import { say } from "./words.ts"

/** Wrong codes, refusals and receipts send no events. */
const every = 10_000
const atOnce = 20

/** One end user: locks, verifications, refused requests, devices, conversation and opt-out. */
export default function PersonScreen() {
  // The address is already another one while the screen is leaving.
  const asked = <A,>(inputOf: (id: string) => A) => (match.value?.route === "person" ? inputOf(param("id")) : null)
  const person = useQuery(
    "GET /v1/dashboard/people/:person",
    () => asked((id) => ({ params: { person: id } })),
    "person",
    "verification",
    "lead",
    "optOut"
  )
  const list = () => asked((id) => ({ query: { person: id, limit: atOnce } }))
  const verifications = usePages("GET /v1/dashboard/verifications", list, {
    id: ({ requestId }) => requestId,
    topics: ["verification"],
    timeOf,
    changes: (put) => onItem("verification", (item) => put(item as Verification)),
    merge: withLock
  })
  const refusals = usePages("GET /v1/dashboard/refusals", list, { id: idOf })
  useEvery(person.failure.value === null ? every : null, () => {
    person.refetch()
    verifications.refetch()
    refusals.refetch()
  })
  return (
    <Screen
      title={say.title}
      note={
        <a class="button" data-kind="quiet" href={paths.verifications()}>
          ← {say.backToList}
        </a>
      }
    >
      <Loaded query={person} empty={() => null}>
        {(answer) => (
          <>
            <Head person={answer} requestId={verifications.items.value?.[0]?.requestId} />
            <Locks person={answer} />
            {isNothingStored(answer, verifications.items.value, refusals.items.value) ? (
              <Empty title={say.nothing}>
                <p>{say.nothingHint}</p>
              </Empty>
            ) : (
              <div class="person-panes">
                <div class="person-lists">
                  <Verifications pages={verifications} />
                  <Refusals pages={refusals} />
                </div>
                <div class="person-lists">
                  <Messaging of={answer} />
                  <Conversation of={answer} />
                  <Devices of={answer} />
                </div>
              </div>
            )}
          </>
        )}
      </Loaded>
    </Screen>
  )
}
