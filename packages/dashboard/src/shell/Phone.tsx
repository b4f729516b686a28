import { type ComponentChildren, Fragment, isValidElement } from "preact"
import { match } from "../address/here.ts"
import { Button } from "../parts/Button.tsx"
import { Icon } from "../parts/Icon.tsx"
import { More } from "../parts/More.tsx"
import { me } from "../session/session.ts"
import { count as counted } from "../words/format.ts"
import { say } from "../words/say.ts"
import { filterSheet } from "./filterSheet.ts"
import { isOpen, Link } from "./Menu.tsx"
import { type Entry, menu, mostUsedBy } from "./menu.ts"
import { openPalette } from "./Palette.tsx"

const isList = (actions: ComponentChildren) => isValidElement(actions) && actions.type === Fragment

/** One row for a phone: search, filters, and the actions. Several actions are behind one button. */
export function PhoneActions({ actions }: { readonly actions: ComponentChildren }) {
  const filters = filterSheet.value
  return (
    <>
      <Button kind="quiet" label={say.shell.find} onPress={openPalette} opens="dialog">
        <Icon name="search" />
      </Button>
      {filters === null ? null : (
        <Button
          kind="quiet"
          label={filters.active === 0 ? say.filters : say.filtersOn(counted(filters.active))}
          onPress={filters.open}
          opens="dialog"
        >
          <Icon name="filter" />
          {filters.active === 0 ? null : <span class="filters-on">{counted(filters.active)}</span>}
        </Button>
      )}
      {isList(actions) ? <More label={say.screenActions}>{actions}</More> : actions}
    </>
  )
}

const entryOf = (route: Entry["route"]) =>
  menu.flatMap(({ entries }) => entries).find((entry) => entry.route === route)!

/**
 * The bar at the lower edge of a phone: the screens that the role uses most, the search, and the whole menu. A
 * conversation needs the height for itself and has its own way back.
 */
export function TabBar() {
  const user = me.value
  if (user == null || match.value?.route === "lead") return null
  const [first, ...others] = mostUsedBy(user.agent.role)
  const tab = (route: NonNullable<typeof first>) => (
    <Link key={route} entry={entryOf(route)} icon={<Icon name={route} />} />
  )
  return (
    <nav class="tabs" aria-label={say.menu.most}>
      {first === undefined ? null : tab(first)}
      <button type="button" aria-haspopup="dialog" onClick={() => openPalette()}>
        <Icon name="search" />
        <span>{say.menu.search}</span>
      </button>
      {others.map(tab)}
      <button
        type="button"
        aria-expanded={isOpen.value}
        aria-controls="menu"
        onClick={() => (isOpen.value = !isOpen.value)}
      >
        <Icon name="more" />
        <span>{say.menu.more}</span>
      </button>
    </nav>
  )
}
