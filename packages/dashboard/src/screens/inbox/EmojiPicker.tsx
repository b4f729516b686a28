import { useSignal } from "@preact/signals"
import { useId, useLayoutEffect, useRef } from "preact/hooks"
import { language } from "../../words/language.ts"
import { matchingEmoji } from "./emoji.ts"
import { later } from "./dialogWords.ts"
import { say } from "./words.ts"

interface Props {
  readonly onPick: (sign: string) => void
  readonly onClose: () => void
}

/** A searchable grid of emoji. The search field keeps the focus, and arrow keys move through the grid. */
export function EmojiPicker({ onClose, onPick }: Props) {
  const search = useSignal("")
  const chosen = useSignal(0)
  const field = useRef<HTMLInputElement>(null)
  const grid = useRef<HTMLUListElement>(null)
  const id = useId()
  const found = matchingEmoji(search.value)
  useLayoutEffect(() => field.current?.focus(), [])
  useLayoutEffect(
    () => grid.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }),
    [chosen.value, search.value]
  )

  const columns = () => {
    const signs = [...(grid.current?.children ?? [])] as Array<HTMLElement>
    return Math.max(1, signs.filter(({ offsetTop }) => offsetTop === signs[0]?.offsetTop).length)
  }
  const move = (by: number) => (chosen.value = Math.max(0, Math.min(found.length - 1, chosen.peek() + by)))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns(), ArrowUp: -columns() }[event.key]
    const sign = found[chosen.peek()]?.sign
    if (step !== undefined) move(step)
    else if (event.key === "Escape") onClose()
    else if (event.key === "Enter" && sign !== undefined) onPick(sign)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div class="saved emoji">
      <input
        ref={field}
        type="text"
        list={undefined}
        // oxlint-disable-next-line jsx-a11y/no-redundant-roles -- without a `list`, the role is not implied
        role="combobox"
        aria-expanded="true"
        aria-autocomplete="list"
        aria-label={later.emojiSearch}
        aria-controls={id}
        aria-activedescendant={found.length === 0 ? undefined : `${id}-${chosen.value}`}
        placeholder={later.emojiSearch}
        value={search.value}
        onInput={(event) => {
          search.value = event.currentTarget.value
          chosen.value = 0
        }}
        onKeyDown={onKeyDown}
      />
      <ul ref={grid} id={id} role="listbox" aria-label={say.emoji}>
        {found.map(({ sign, [language]: words }, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field above has the focus and its keys
          <li
            key={sign}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen.value}
            aria-label={words}
            title={words}
            onClick={() => onPick(sign)}
          >
            {sign}
          </li>
        ))}
      </ul>
      <p class="quiet" role="status">
        {found.length === 0 ? later.emojiNone : ""}
      </p>
    </div>
  )
}
