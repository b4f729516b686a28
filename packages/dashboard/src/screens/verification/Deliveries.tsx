import type { Verification } from "../../life/result.ts"
import { say as life } from "../../life/words.ts"
import { Card } from "../../parts/Card.tsx"
import { Channel, Pill, type Tone } from "../../parts/Pill.tsx"
import { Table } from "../../parts/Table.tsx"
import { Time } from "../../parts/Time.tsx"
import { reasonInWords } from "../../words/failureCode.ts"
import { say as shared } from "../../words/say.ts"
import { say } from "./words.ts"

type Delivery = Verification["deliveries"][number]

const tones: { readonly [status in Delivery["deliveryStatus"]]: Tone } = {
  PENDING: "plain",
  SENT: "accent",
  DELIVERED: "good",
  READ: "good",
  FAILED: "bad",
  SKIPPED: "plain"
}

export function Deliveries({ verification: { deliveries, method } }: { readonly verification: Verification }) {
  return (
    <Card title={say.messages}>
      {deliveries.length === 0 ? (
        <p class="quiet">{method === "ONETAP" ? say.noMessageOneTap : say.noMessage}</p>
      ) : (
        <Table
          caption={say.messages}
          rows={deliveries}
          id={({ id }) => id}
          columns={[
            { title: shared.when, cell: ({ createdAt }) => <Time at={createdAt} as="clock" /> },
            {
              title: say.channel,
              names: true,
              cell: ({ channel, type }) => (
                <>
                  <Channel name={channel} />
                  {type === "LINK" ? <span class="quiet"> {say.link}</span> : null}
                </>
              )
            },
            {
              title: say.carrier,
              drop: 1,
              cell: ({ carrier }) =>
                carrier === null ? <span class="quiet">–</span> : <span class="theirs">{carrier}</span>
            },
            {
              title: say.state,
              cell: ({ deliveryStatus, providerCode }) => (
                <>
                  <Pill tone={tones[deliveryStatus]}>{life.message[deliveryStatus]}</Pill>
                  {providerCode === null ? null : (
                    <span class="quiet theirs" title={providerCode}>
                      {" "}
                      {reasonInWords(providerCode)}
                    </span>
                  )}
                </>
              )
            },
            {
              title: say.provider,
              drop: 1,
              cell: ({ providerId }) =>
                providerId === null ? <span class="quiet">–</span> : <span class="mono theirs">{providerId}</span>
            }
          ]}
        />
      )}
    </Card>
  )
}
