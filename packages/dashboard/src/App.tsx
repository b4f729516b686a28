import { effect } from "@preact/signals"
import type { ComponentType } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import { environment, match, param, paths } from "./address/here.ts"
import type { RouteName } from "./address/paths.ts"
import { KeyList } from "./shell/KeyList.tsx"
import { connection, keepLive } from "./live/live.ts"
import { Button } from "./parts/Button.tsx"
import { Toasts } from "./parts/Toast.tsx"
import { isSignedIn, me, signInLater, signInNeeded } from "./session/session.ts"
import { pendingLinkToken } from "./session/signInLink.ts"
import { Boundary } from "./shell/Boundary.tsx"
import { lazyDialog, lazyPart } from "./shell/lazyDialog.tsx"
import { lazyScreen } from "./shell/lazyScreen.tsx"
import { Menu } from "./shell/Menu.tsx"
import { isPhone } from "./shell/narrow.ts"
import { alerts, isNotifications } from "./shell/device.ts"
import { isNewer } from "./shell/newer.ts"
import { endOpening, isOpening } from "./shell/opening.ts"
import { Palette } from "./shell/Palette.tsx"
import { Screen } from "./shell/Screen.tsx"
import { tryIt } from "./shell/tryIt.ts"
import { say } from "./words/say.ts"

/** One lazy chunk per screen. A list and its detail view may share a screen. */
const screens: Readonly<Record<RouteName, ComponentType>> = {
  overview: lazyScreen(() => import("./screens/overview/OverviewScreen.tsx")),
  verifications: lazyScreen(() => import("./screens/verifications/VerificationsScreen.tsx")),
  verification: lazyScreen(() => import("./screens/verification/VerificationScreen.tsx")),
  person: lazyScreen(() => import("./screens/person/PersonScreen.tsx")),
  channels: lazyScreen(() => import("./screens/channels/ChannelsScreen.tsx")),
  webhooks: lazyScreen(() => import("./screens/webhooks/WebhooksScreen.tsx")),
  webhook: lazyScreen(() => import("./screens/webhooks/EndpointScreen.tsx")),
  inbox: lazyScreen(() => import("./screens/inbox/InboxScreen.tsx")),
  lead: lazyScreen(() => import("./screens/inbox/InboxScreen.tsx")),
  campaigns: lazyScreen(() => import("./screens/campaigns/CampaignsScreen.tsx")),
  campaign: lazyScreen(() => import("./screens/campaigns/CampaignScreen.tsx")),
  attribution: lazyScreen(() => import("./screens/attribution/AttributionScreen.tsx")),
  templates: lazyScreen(() => import("./screens/templates/TemplatesScreen.tsx")),
  template: lazyScreen(() => import("./screens/templates/TemplateScreen.tsx")),
  protection: lazyScreen(() => import("./screens/protection/ProtectionScreen.tsx")),
  hooks: lazyScreen(() => import("./screens/hooks/HooksScreen.tsx")),
  settings: lazyScreen(() => import("./screens/settings/SettingsScreen.tsx")),
  keys: lazyScreen(() => import("./screens/keys/KeysScreen.tsx")),
  team: lazyScreen(() => import("./screens/team/TeamScreen.tsx")),
  money: lazyScreen(() => import("./screens/money/MoneyScreen.tsx")),
  audit: lazyScreen(() => import("./screens/audit/AuditScreen.tsx")),
  merchants: lazyScreen(() => import("./screens/merchants/MerchantsScreen.tsx")),
  merchant: lazyScreen(() => import("./screens/merchants/MerchantsScreen.tsx"))
}

/** The operator's screens use their own token and need no session. */
const isOperators = (route: RouteName | undefined) => route === "merchants" || route === "merchant"

function NotFound() {
  return (
    <Screen title={say.shell.notFound}>
      <div class="empty">
        <p>{say.shell.notFoundHint}</p>
        <a class="button" href={paths.overview()}>
          {say.shell.toOverview}
        </a>
      </div>
    </Screen>
  )
}

/** Each item gets a new screen instance. Screens with permanent panes, such as the inbox, share one instance. */
const keyOf = (route: RouteName | undefined) =>
  route === "lead" || route === "inbox" ? "inbox" : `${route}/${param("requestId")}${param("id")}`

function Current() {
  const route = match.value?.route
  const Shown = route === undefined ? NotFound : screens[route]
  // Another environment or merchant remounts everything, so no data of one can appear in the other.
  return (
    <Boundary key={`${environment.value}/${me.value?.merchant.id}/${keyOf(route)}`}>
      <Shown />
    </Boundary>
  )
}

/** The sign-in is in a chunk of its own: whoever is signed in seldom needs it. */
const loadSignIn = () => import("./session/SignIn.tsx")
const SignInPage = lazyScreen(() => loadSignIn().then((loaded) => ({ default: loaded.SignInPage })))
const SignInDialog = lazyPart(() => loadSignIn().then((loaded) => loaded.SignInDialog), null, signInLater)
const LinkDialog = lazyPart(
  () => loadSignIn().then((loaded) => loaded.LinkDialog),
  null,
  () => (pendingLinkToken.value = null)
)

const TryItDialog = lazyDialog(() => import("./screens/tryIt/TryItDialog.tsx").then((loaded) => loaded.default))

/** "Try it" as an overlay on any screen. */
const TryIt = () => (tryIt.value ? <TryItDialog onClose={() => (tryIt.value = false)} /> : null)

const NotificationsDialog = lazyDialog(() =>
  import("./screens/notifications/NotificationsDialog.tsx").then((loaded) => loaded.default)
)

const Notifications = () =>
  isNotifications.value ? <NotificationsDialog onClose={() => (isNotifications.value = false)} /> : null

/** The bar at the lower edge of a phone. Its place is there from the beginning, so that nothing moves. */
const TabBar = lazyPart(
  () => import("./shell/Phone.tsx").then((loaded) => loaded.TabBar),
  () => <div class="tabs" />
)

/** Looks for customers' messages while the user is signed in and this browser shall notify. */
const keepWatching = () =>
  effect(() => {
    const { notify, push, sound } = alerts.value
    if (!isSignedIn.value || !(notify || sound || push)) return
    const loading = import("./screens/notifications/watch.ts").then(({ watch }) => watch())
    return () => void loading.then((stop) => stop())
  })

/** Messages above the frame. They reduce the height of full-window screens, so nothing is pushed below the fold. */
function Banners() {
  const element = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const of = element.current
    if (of === null) return
    const observer = new ResizeObserver(() =>
      document.documentElement.style.setProperty("--banners", `${of.offsetHeight}px`)
    )
    observer.observe(of)
    return () => {
      observer.disconnect()
      document.documentElement.style.removeProperty("--banners")
    }
  }, [])
  return (
    <div ref={element} class="banners">
      {environment.value === "test" ? (
        <aside class="test-band" aria-label={say.environment.label}>
          {say.environment.band}
        </aside>
      ) : null}
      {isNewer.value ? (
        <div class="banner" role="status">
          {say.shell.newer} <Button onPress={() => location.reload()}>{say.shell.reload}</Button>
        </div>
      ) : null}
      {connection.value === "lost" ? (
        <div class="banner" role="status">
          {say.shell.lost}
        </div>
      ) : null}
    </div>
  )
}

export function App() {
  useLayoutEffect(() => keepLive(() => isSignedIn.value && `${environment.value}/${me.value?.merchant.id}`), [])
  useLayoutEffect(keepWatching, [])
  const isKnown = me.value !== undefined
  useLayoutEffect(() => (isKnown ? endOpening() : undefined), [isKnown])
  if (me.value === undefined) return isOpening() ? null : <p class="waiting">{say.loading}…</p>
  if (me.value === null && !isOperators(match.value?.route)) return <SignInPage />
  const place = `${environment.value}/${me.value?.merchant.id}`
  return (
    <>
      <a class="skip" href="#content">
        {say.shell.skip}
      </a>
      <Banners />
      <div class="frame">
        <Menu />
        <Current />
        {isPhone.value ? <TabBar /> : null}
      </div>
      <Palette key={place} />
      <KeyList />
      <TryIt key={place} />
      <Notifications />
      {signInNeeded.value === null ? null : <SignInDialog />}
      {pendingLinkToken.value === null ? null : <LinkDialog />}
      <Toasts />
    </>
  )
}
