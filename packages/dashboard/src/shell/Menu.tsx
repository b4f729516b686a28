import { signal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import { environment, go, here, match, paths } from "../address/here.ts"
import { across } from "../address/paths.ts"
import { useKeys } from "../keys/useKeys.ts"
import { Choice } from "../parts/Choice.tsx"
import { me } from "../session/session.ts"
import { say } from "../words/say.ts"
import { Account } from "./Account.tsx"
import { badges } from "./badges.ts"
import { type Entry, ownMenu } from "./menu.ts"
import { isPhone } from "./narrow.ts"
import { Needs } from "./Needs.tsx"

/** Whether the menu is open on a narrow screen. */
export const isOpen = signal(false)

interface LinkProps {
  readonly entry: Entry
  readonly icon?: ComponentChildren
}

/** A link of the menu, with its badge. */
export function Link({ entry: { below, route }, icon }: LinkProps) {
  const current = match.value?.route
  const badge = badges.value[route]
  return (
    <a
      href={(paths[route] as () => string)()}
      // The address does not change when the link leads to the open screen.
      onClick={() => (isOpen.value = false)}
      aria-current={
        current === route || (current !== undefined && below?.includes(current) === true) ? "page" : undefined
      }
    >
      {icon}
      <span>{say.menu[route]}</span>
      {badge === undefined ? null : (
        <span class={badge.bad ? "badge bad" : "badge"}>
          {badge.text}
          {badge.label === undefined ? null : <span class="unseen"> {badge.label}</span>}
        </span>
      )}
    </a>
  )
}

export function Menu() {
  const groups = ownMenu()
  const entries = groups.flatMap((group) => group.entries)
  useLayoutEffect(() => {
    isOpen.value = false
  }, [here.value])
  const panel = useRef<HTMLElement>(null)
  // On a phone the menu covers the screen, so the focus goes with it.
  const isCover = isPhone.value && isOpen.value
  useLayoutEffect(() => {
    if (isCover) panel.current?.querySelector<HTMLElement>("a")?.focus()
  }, [isCover])
  useKeys(isCover ? { Escape: [say.do.close, () => (isOpen.value = false)] } : {})
  useKeys(
    Object.fromEntries(
      entries.map(({ key, route }) => [
        `g ${key}`,
        [say.shell.goTo(say.menu[route]), () => go((paths[route] as () => string)())]
      ])
    )
  )
  return (
    <>
      {/* Remount per environment and merchant. An operator may have no session. */}
      {me.value == null ? null : <Needs key={`${environment.value}/${me.value.merchant.id}`} />}
      {isPhone.value && me.value != null ? null : (
        <header class="topbar">
          <button
            type="button"
            class="button"
            data-kind="quiet"
            aria-expanded={isOpen.value}
            aria-controls="menu"
            onClick={() => (isOpen.value = !isOpen.value)}
          >
            ☰ {say.menu.open}
          </button>
          <span class="theirs">{me.value?.merchant.name}</span>
          {/* Badges stay visible while the menu is closed. */}
          {entries
            .filter(({ route }) => badges.value[route] !== undefined)
            .map((entry) => (
              <Link key={entry.route} entry={entry} />
            ))}
        </header>
      )}
      <nav ref={panel} id="menu" class="side" aria-label={say.menu.main} data-open={isOpen.value || undefined}>
        <p class="brand">
          <span class="logo" aria-hidden="true">
            ✓
          </span>
          <span class="theirs">{me.value?.merchant.name ?? say.name}</span>
        </p>
        <Choice
          label={say.environment.label}
          value={environment.value}
          onChoose={(next) => go(across(here.peek(), next))}
          options={[
            { value: "live", label: say.environment.live },
            { value: "test", label: say.environment.test }
          ]}
        />
        {groups.map(({ title, entries }) => (
          <div key={title} class="side-group" role="group" aria-label={title}>
            <p class="side-title" aria-hidden="true">
              {title}
            </p>
            {entries.map((entry) => (
              <Link key={entry.route} entry={entry} />
            ))}
          </div>
        ))}
        <Account />
      </nav>
    </>
  )
}
