import { Clock, Effect } from "effect"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import type { Arrived } from "../../engagement/lead/Arrived.ts"
import { messageId } from "../../engagement/lead/Arrived.ts"
import { sealed } from "../../engagement/lead/Inbox.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import type { Keyring } from "../../foundation/secret/Keyring.ts"
import { minutes, seconds } from "../../foundation/time/Instant.ts"
import type { Conversation } from "./scenes.ts"
import type { Stage } from "./stage.ts"

/** The number that customers of an example day write to. It is not connected. */
const receiver = "example"

/** Plans a customer's messages and the replies. */
export const playConversation = (
  { agenda, leads, outbox }: Stage,
  keyring: Keyring["Service"],
  caller: Caller,
  { answer, asks, at, ends, note, who }: Conversation
): void => {
  const phone = who.identity.slice(1)

  const write = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const arrived: Arrived = {
      id: messageId(now, 0),
      written: {
        _tag: "Message",
        id: `example-${Identifier.randomText(16)}`,
        provider: "sandbox",
        receiver,
        sender: { phone, userId: null, profileName: who.name },
        at: now,
        type: "text",
        text: asks,
        payload: null,
        media: null,
        location: null,
        context: null,
        referral: null,
        details: null
      }
    }
    yield* outbox.append({ jobs: [yield* sealed(keyring, caller.environment, [arrived], now)] })
  })

  const withLead = (does: (leadId: number) => Effect.Effect<unknown, unknown>) =>
    Effect.flatMap(leads.page(caller, { phone, size: 1 }), ([found]) =>
      found === undefined ? Effect.void : does(found.lead.id)
    )
  const then = (after: number, does: Effect.Effect<unknown, unknown>) => agenda.add(at + after, Effect.ignore(does))

  then(0, write)
  if (answer !== null) {
    then(
      minutes(4),
      withLead((id) => leads.read(caller, id))
    )
    then(
      minutes(4) + seconds(50),
      withLead((id) => leads.reply(caller, id, { text: answer }))
    )
  }
  if (note !== null)
    then(
      minutes(9),
      withLead((id) => leads.note(caller, id, note))
    )
  if (ends)
    then(
      minutes(11),
      withLead((id) => leads.close(caller, id))
    )
}
