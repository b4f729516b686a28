import { paths } from "../address/here.ts"
import { Loaded } from "../parts/Loaded.tsx"
import { Channel } from "../parts/Pill.tsx"
import { useQuery } from "../query/useQuery.ts"
import { count } from "../words/format.ts"
import type { Verification } from "./result.ts"
import { seenOf, withTestCode } from "./seenOf.ts"
import { say } from "./words.ts"

interface Props {
  readonly requestId: string
  readonly deliveries: Verification["deliveries"]
  /** In `test` the code is known, so the text is shown as it would arrive. */
  readonly withCode?: boolean
}

/** The sent messages as a phone shows them. Codes appear as dots, because they are not stored. */
export function SeenMessages({ deliveries, requestId, withCode = false }: Props) {
  const messages = useQuery(
    "GET /v1/dashboard/verifications/:requestId/messages",
    () => ({ params: { requestId } }),
    "verification"
  )
  return (
    <Loaded query={messages} empty={({ items }) => items.length === 0 && <p class="quiet">{say.nothingSeen}</p>}>
      {({ items }) => (
        <ul role="list" class="seen">
          {seenOf(items, deliveries).map(({ channel, deliveryId, subject, templateId, text, times, unsent }) => (
            <li key={deliveryId}>
              <p class="seen-from">
                <Channel name={channel} />
                {times === 1 ? null : <span class="quiet">{say.times(count(times))}</span>}
                {templateId === null ? (
                  <span class="quiet">{say.builtIn}</span>
                ) : (
                  <a href={paths.template({ id: templateId })}>{say.template}</a>
                )}
              </p>
              {unsent === null ? null : <p class={unsent === "FAILED" ? "bad" : "quiet"}>{say.message[unsent]}</p>}
              <div class="seen-bubble">
                {subject === null ? null : <p class="seen-subject theirs">{subject}</p>}
                {text === null ? (
                  <p class="quiet">{say.wordsElsewhere}</p>
                ) : (
                  <p class="theirs">{withCode ? withTestCode(text) : text}</p>
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  )
}
