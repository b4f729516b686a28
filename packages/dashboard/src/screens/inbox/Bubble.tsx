import { Component, type ComponentChildren } from "preact"
import { Button } from "../../parts/Button.tsx"
import { count, moment, time, zone } from "../../words/format.ts"
import { whyNotDelivered } from "../../words/failureCode.ts"
import { detailsOf, type Message, sameAgain } from "./conversation.ts"
import { Media } from "./Media.tsx"
import { Who } from "./Who.tsx"
import { say } from "./words.ts"

function Clock({ at }: { readonly at: string }) {
  const date = new Date(at)
  return (
    <time dateTime={at} title={`${moment(date)} ${zone}`}>
      {time(date)}
    </time>
  )
}

/** Orders and contact cards as text. */
function DetailsOf({ message }: { readonly message: Message }) {
  const details = detailsOf(message)
  if (details === null) return null
  if (details.kind === "unreadable") return <p class="quiet">{say.unreadable}</p>
  return (
    <>
      <ul role="list" class="bubble-list">
        {details.kind === "order"
          ? details.items.map(({ name, price, quantity }, index) => (
              <li key={index} class="theirs">
                {say.ordered(count(quantity), name)}
                {price === null ? null : <span class="quiet"> {price}</span>}
              </li>
            ))
          : details.people.map(({ name, phones }, index) => (
              <li key={index} class="theirs">
                {name} <span class="quiet">{phones}</span>
              </li>
            ))}
      </ul>
      {details.kind === "order" && details.note !== null ? (
        <p class="theirs" dir="auto">
          {details.note}
        </p>
      ) : null}
    </>
  )
}

function Place({
  at: { latitude, longitude }
}: {
  readonly at: { readonly latitude: number; readonly longitude: number }
}) {
  return (
    <p>
      <a
        href={`https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`}
        target="_blank"
        rel="noreferrer noopener"
      >
        {say.openMap}
      </a>{" "}
      <span class="quiet">{say.place(latitude.toFixed(5), longitude.toFixed(5))}</span>
    </p>
  )
}

/** The content of a message by type. */
function Content({ leadId, message }: { readonly leadId: number; readonly message: Message }) {
  const { deleted, location, media, template, text, type } = message
  if (deleted) return <p class="quiet">{say.deleted}</p>
  const kind = type === "text" || media !== null ? null : say.kinds[type]
  return (
    <>
      {kind === undefined || kind === null ? null : (
        <p class="bubble-kind">
          {template === null ? (
            kind
          ) : (
            <span class="theirs">{say.template(`${template.name}/${template.language}`)}</span>
          )}
        </p>
      )}
      {media === null ? null : <Media leadId={leadId} message={message} />}
      {text === null ? null : (
        <p class="theirs" dir="auto">
          {text}
        </p>
      )}
      {template === null || template.values.length === 0 ? null : (
        <ul role="list" class="bubble-list">
          {template.values.map((value, index) => (
            <li key={index} class="theirs" dir="auto">
              {value}
            </li>
          ))}
        </ul>
      )}
      {location === null ? null : <Place at={location} />}
      <DetailsOf message={message} />
    </>
  )
}

function Failed({ blocked, message, onAgain }: Pick<Props, "blocked" | "message" | "onAgain">) {
  const again = sameAgain(message)
  return (
    <div class="bubble-failed">
      <p class="bad theirs">{message.error === null ? "" : whyNotDelivered(message.error)}</p>
      {message.error === "unanswered" ? <p class="quiet">{say.unansweredHint}</p> : null}
      {again === null ? null : (
        <Button kind="quiet" blocked={blocked} onPress={() => onAgain(again)}>
          {say.sendAgain}
        </Button>
      )}
    </div>
  )
}

const Reaction = ({ children, label }: { readonly children: ComponentChildren; readonly label: string }) => (
  <span class="reaction theirs" role="img" aria-label={label} title={label}>
    {children}
  </span>
)

type Again = NonNullable<ReturnType<typeof sameAgain>>

interface Props {
  readonly leadId: number
  readonly message: Message
  readonly blocked: string | undefined
  readonly onAgain: (again: Again) => void
}

/** One message. It re-renders only when the service reports a change. */
export class Bubble extends Component<Props> {
  override shouldComponentUpdate(next: Props) {
    return next.blocked !== this.props.blocked || JSON.stringify(next.message) !== JSON.stringify(this.props.message)
  }
  render({ blocked, leadId, message, onAgain }: Props) {
    const { at, direction, edited, forwarded, reactions, sentBy, status } = message
    return (
      <div class="bubble" data-direction={direction}>
        <span class="unseen">
          {direction === "IN" ? say.fromThem : direction === "OUT" ? say.fromUs : say.noteOf("")}
        </span>
        {forwarded ? <p class="quiet">{say.forwarded}</p> : null}
        <Content leadId={leadId} message={message} />
        <p class="bubble-foot">
          <Clock at={at} />
          {edited && !message.deleted ? <span> · {say.edited}</span> : null}
          {status === null ? null : (
            <span class={status === "FAILED" ? "bad" : undefined}> · {say.statuses[status]}</span>
          )}
          {sentBy === null ? null : (
            <span>
              {" "}
              · {direction === "NOTE" ? say.noteOf("") : null} <Who by={sentBy} />
            </span>
          )}
        </p>
        {status === "FAILED" ? <Failed blocked={blocked} message={message} onAgain={onAgain} /> : null}
        {reactions.customer === null ? null : (
          <Reaction label={say.reacted(reactions.customer)}>{reactions.customer}</Reaction>
        )}
        {reactions.merchant === null ? null : (
          <Reaction label={say.reactedUs(reactions.merchant)}>{reactions.merchant}</Reaction>
        )}
      </div>
    )
  }
}
