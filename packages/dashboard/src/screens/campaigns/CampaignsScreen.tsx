import { Screen } from "../../shell/Screen.tsx"
import { say } from "../../words/say.ts"

export default function CampaignsScreen() {
  return <Screen title={say.menu.campaigns}>{say.nothing}</Screen>
}
