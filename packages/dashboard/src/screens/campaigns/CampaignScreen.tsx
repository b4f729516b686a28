import { Screen } from "../../shell/Screen.tsx"
import { say } from "../../words/say.ts"

export default function CampaignScreen() {
  return <Screen title={say.menu.campaigns}>{say.nothing}</Screen>
}
