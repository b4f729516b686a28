import { useId } from "preact/hooks"
import { channelName, channelNamesIn } from "../../words/channels.ts"
import { count } from "../../words/format.ts"
import { settingWords } from "../../words/settingsIndex.ts"
import type { ControlProps, Typed } from "./draft.ts"
import { say } from "./words.ts"

function Money({
  currency,
  label,
  name,
  locked,
  onType,
  value
}: {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly currency: string | null
  readonly locked: boolean
  readonly onType: (text: string) => void
}) {
  const id = useId()
  return (
    <div class="setting-money">
      <label for={id}>{label}</label>
      <input
        id={id}
        name={name}
        inputMode="decimal"
        readOnly={locked}
        value={value}
        onInput={(event) => onType(event.currentTarget.value)}
      />
      <span class="quiet">{currency ?? ""}</span>
    </div>
  )
}

/** Channels of the service, and others with a stored value. */
const channelsOf = (typed: Typed) =>
  channelNamesIn(Object.fromEntries(Object.keys(typed).map((field) => [field.split(".")[0], true])))

function Prices({ currency, locked, onType, typed }: ControlProps) {
  return channelsOf(typed).map((channel) => {
    const more = typed[`${channel}.prefixes`] ?? ""
    return (
      <div key={channel} class="setting-price">
        <Money
          label={say.price(channelName(channel))}
          name={channel}
          value={typed[channel] ?? ""}
          currency={currency}
          locked={locked}
          onType={(text) => onType(channel, text)}
        />
        <details open={more !== ""}>
          <summary>
            {say.prefixes(channelName(channel))} {more === "" ? "" : `(${count(more.trim().split("\n").length)})`}
          </summary>
          <textarea
            aria-label={say.prefixes(channelName(channel))}
            rows={3}
            spellcheck={false}
            readOnly={locked}
            value={more}
            onInput={(event) => onType(`${channel}.prefixes`, event.currentTarget.value)}
          />
          <p class="hint">{say.prefixesHint}</p>
        </details>
      </div>
    )
  })
}

/** Amounts of money for each channel: prices, or daily caps. */
export function ChannelAmounts(props: ControlProps) {
  const { control, currency, locked, name, onType, problem, typed } = props
  const title = settingWords.names[name]
  return (
    <div class="setting-channels" role="group" aria-label={title}>
      {control.kind === "prices" ? (
        <Prices {...props} />
      ) : (
        channelsOf(typed).map((channel) => (
          <Money
            key={channel}
            label={say.cap(channelName(channel))}
            name={channel}
            value={typed[channel] ?? ""}
            currency={currency}
            locked={locked}
            onType={(text) => onType(channel, text)}
          />
        ))
      )}
      {currency === null ? null : <p class="hint">{say.mainUnit(currency)}</p>}
      {problem === undefined ? null : (
        <p class="wrong" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
