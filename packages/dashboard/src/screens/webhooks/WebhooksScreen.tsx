import { Screen } from "../../shell/Screen.tsx"
import { say } from "../../words/say.ts"

export default function WebhooksScreen() {
  return <Screen title={say.menu.webhooks}>{say.nothing}</Screen>
}
