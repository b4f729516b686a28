import { useFilters } from "../../address/useFilters.ts"
import { useKeys } from "../../keys/useKeys.ts"
import { Button } from "../../parts/Button.tsx"
import { may } from "../../session/may.ts"
import { ExportCsv } from "../../shell/ExportCsv.tsx"
import { isPhone } from "../../shell/narrow.ts"
import { Screen } from "../../shell/Screen.tsx"
import { openTryIt } from "../../shell/tryIt.ts"
import { say as shared } from "../../words/say.ts"
import { FilterBar, ListChoice } from "./FilterBar.tsx"
import { filters, queryOf, refusalsOf } from "./filters.ts"
import { RefusalTable } from "./RefusalTable.tsx"
import { VerificationTable } from "./VerificationTable.tsx"
import { say } from "./words.ts"

/** Verifications and refusals. The filters are in the address, so links share the same view. */
export default function VerificationsScreen() {
  const wanted = useFilters(filters)
  const isRefused = wanted.value.view === "refused"
  useKeys({
    "/": [say.searchLabel, () => document.getElementById("find")?.focus()],
    t: [say.tryIt, openTryIt]
  })
  return (
    <Screen
      title={shared.menu.verifications}
      fills
      note={isPhone.value ? null : <ListChoice wanted={wanted.value} />}
      actions={
        <>
          {isRefused ? (
            <ExportCsv
              key="refused"
              of="GET /v1/dashboard/refusals"
              input={() => ({ query: refusalsOf(wanted.value) })}
              fileName="refused.csv"
            />
          ) : (
            <ExportCsv
              key="all"
              of="GET /v1/dashboard/verifications"
              input={() => ({ query: queryOf(wanted.value) })}
              unmasked={() => ({ query: { ...queryOf(wanted.value), unmask: true } })}
              fileName="verifications.csv"
            />
          )}
          <Button kind="main" opens="dialog" blocked={may.arrange} onPress={openTryIt}>
            {say.tryIt}
          </Button>
        </>
      }
    >
      <FilterBar wanted={wanted.value} />
      {isRefused ? <p class="quiet">{say.refusedNote}</p> : null}
      <div class="card long-card" data-list={isRefused ? "refused" : "verifications"}>
        {isRefused ? <RefusalTable wanted={wanted} /> : <VerificationTable wanted={wanted} />}
      </div>
    </Screen>
  )
}
