import { MailFrame } from "../../parts/MailFrame.tsx"
import { money, count } from "../../words/format.ts"
import type { Channel, Preview, Purpose } from "./template.ts"
import { say } from "./words.ts"

interface Props {
  readonly channel: Channel
  readonly purpose: Purpose
  readonly preview: Preview
  /** The sender shown above the message. */
  readonly brand: string
  readonly lang: string | undefined
}

/** A message as its recipient sees it, on a phone or in a mailbox. */
export function Phone({ brand, channel, lang, preview, purpose }: Props) {
  if (channel === "EMAIL")
    return (
      <div class="phone-mail" lang={lang}>
        <p class="theirs">
          <strong>{preview.subject}</strong>
        </p>
        <p class="quiet theirs">{brand}</p>
        {preview.html === null ? (
          <p class="theirs phone-text">{preview.text}</p>
        ) : (
          <MailFrame html={preview.html} title={say.mail} />
        )}
      </div>
    )
  const sender = channel === "SMS" ? (preview.header ?? brand) : brand
  return (
    <div class="phone" data-channel={channel} lang={lang} role="group" aria-label={say.number}>
      <p class="phone-sender theirs">{sender}</p>
      <div class="phone-bubble">
        {preview.text === null ? (
          <p class="quiet">{say.whatsappWords}</p>
        ) : (
          <p class="theirs phone-text">{preview.text}</p>
        )}
        {channel === "WHATSAPP" && purpose === "CODE" ? <p class="bubble-button">{say.copyCode}</p> : null}
      </div>
    </div>
  )
}

/** Characters of one SMS in its encoding, alone or as a segment. */
const roomOf = ({ encoding, segments }: Preview) => {
  const [alone, joined] = encoding === "UCS-2" ? [70, 67] : [160, 153]
  return segments === null || segments <= 1 ? alone : segments * joined
}

/** Length and price of an SMS. */
export function Meter({
  currency,
  preview,
  price
}: {
  readonly preview: Preview
  readonly price: number | null
  readonly currency: string | null
}) {
  if (preview.segments === null || preview.units === null) return null
  return (
    <dl class="meter">
      <div>
        <dt>{say.segments}</dt>
        <dd class={preview.segments > 1 ? "warn" : undefined}>{count(preview.segments)}</dd>
      </div>
      <div>
        <dt>{say.units}</dt>
        <dd>{say.unitsOf(count(preview.units), count(roomOf(preview)))}</dd>
      </div>
      <div>
        <dt>{say.encoding}</dt>
        <dd>{preview.encoding}</dd>
      </div>
      <div>
        <dt>{say.price}</dt>
        <dd>{price === null ? <span class="quiet">{say.noPrice}</span> : money(price, currency)}</dd>
      </div>
    </dl>
  )
}
