import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useLayoutEffect } from "preact/hooks"
import { Button } from "../parts/Button.tsx"
import { Dialog } from "../parts/Dialog.tsx"
import { say } from "../words/say.ts"
import { filterSheet } from "./filterSheet.ts"
import { isPhone } from "./narrow.ts"

interface Props {
  readonly label: string
  /** Number of filters that are set. */
  readonly active: number
  readonly children: ComponentChildren
}

/** The filters of a list. On a phone they are in a sheet, which a button in the screen's heading opens. */
export function FilterBar({ active, children, label }: Props) {
  const isOpen = useSignal(false)
  const isSheet = isPhone.value
  useLayoutEffect(() => {
    if (!isSheet) return
    const mine = { active, open: () => void (isOpen.value = true) }
    filterSheet.value = mine
    return () => void (filterSheet.value = filterSheet.peek() === mine ? null : filterSheet.peek())
  }, [isSheet, active])
  const bar = (
    <div class="filters" role="group" aria-label={label}>
      {children}
    </div>
  )
  if (!isSheet) return bar
  if (!isOpen.value) return null
  const close = () => void (isOpen.value = false)
  return (
    <Dialog sheet title={label} onClose={close}>
      {bar}
      <div class="form-foot">
        <Button kind="main" onPress={close}>
          {say.showResults}
        </Button>
      </div>
    </Dialog>
  )
}
