import { useSignal } from "@preact/signals"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Fact } from "../../parts/Fact.tsx"
import { Refusal } from "../../parts/Loaded.tsx"
import { Pill } from "../../parts/Pill.tsx"
import { type Column, Table } from "../../parts/Table.tsx"
import { Time } from "../../parts/Time.tsx"
import { tell } from "../../parts/Toast.tsx"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { isPhone } from "../../shell/narrow.ts"
import { count, country, money, moment } from "../../words/format.ts"
import { say as shared } from "../../words/say.ts"
import type { Seen, Trip } from "./standing.ts"
import { say } from "./words.ts"

const hidden = { PREFIX_UNVERIFIED: "••••", RANGE_UNVERIFIED: "••••••" } as const

const isCountry = ({ place }: Trip) => /^[A-Z]{2}$/.test(place)

/** `+99891234••••`, or the name of a country. */
const nameOf = (trip: Trip): string => {
  if (isCountry(trip)) return country(trip.place)
  return `+${trip.place}${trip.reason === "COUNTRY_UNVERIFIED" ? "…" : hidden[trip.reason as keyof typeof hidden]}`
}

const idOf = ({ place, reason }: Trip): string => `${reason} ${place}`

/** Asks before a stopped place gets codes again. */
function LetThrough({ onClose, trip }: { readonly trip: Trip; readonly onClose: () => void }) {
  const { busy, failure, send } = useSend(
    "POST /v1/dashboard/protection/trips/:reason/:place/let-through",
    "settings",
    "audit"
  )
  const isSafe = useSignal(false)
  const name = nameOf(trip)
  const submit = async (): Promise<void> => {
    const { place, reason } = trip
    if ((await send({ params: { reason, place }, body: { safe: isSafe.value } })) === null) return
    onClose()
    tell(say.isLetThrough(name))
  }
  return (
    <Dialog title={say.askLetThrough(name)} onClose={onClose}>
      <div class="dialog-body">
        <p>{say.forgets(count(trip.codes), count(trip.typed))}</p>
        {trip.reason === "COUNTRY_UNVERIFIED" ? null : (
          <label>
            <input type="checkbox" checked={isSafe.value} onChange={() => (isSafe.value = !isSafe.value)} />{" "}
            {say.alsoSafe}
          </label>
        )}
        {failure.value === null ? null : <Refusal failure={failure.value} />}
      </div>
      <div class="form-foot">
        <Button kind="main" busy={busy.value} onPress={() => void submit()}>
          {say.doLetThrough}
        </Button>
        <Button kind="quiet" onPress={onClose}>
          {shared.do.cancel}
        </Button>
      </div>
    </Dialog>
  )
}

/** The places that the guard stopped, each with its button: a table, or cards on a phone. */
export function Trips({ seen: { currency, trips } }: { readonly seen: Seen }) {
  const open = useSignal<Trip | null>(null)
  const button = (trip: Trip) => (
    <Button opens="dialog" blocked={may.set("guardEnforces")} onPress={() => (open.value = trip)}>
      {say.letThrough}
    </Button>
  )
  const columns: ReadonlyArray<Column<Trip>> = [
    {
      title: say.place,
      names: true,
      cell: (trip) => (
        <>
          <span class="protection-name">
            {nameOf(trip)} {trip.enforced ? null : <Pill>{say.onlyRecorded}</Pill>}
          </span>
          <span class="protection-hint quiet">{say.names[trip.reason]}</span>
        </>
      )
    },
    { title: say.since, cell: ({ since }) => <Time at={since} /> },
    { title: say.until, cell: ({ until }) => moment(new Date(until)) },
    { title: say.notEntered, number: true, cell: ({ codes }) => count(codes) },
    { title: say.cost, number: true, cell: ({ cost }) => (cost === null ? "–" : money(cost, currency)) },
    { title: say.met, number: true, cell: ({ met }) => count(met) },
    { title: say.change, cell: button }
  ]
  return (
    <>
      {trips.length === 0 ? (
        <Card title={say.stoppedNow}>
          <p class="quiet">{say.noneStopped}</p>
        </Card>
      ) : isPhone.value ? (
        trips.map((trip) => (
          <Card key={idOf(trip)} title={nameOf(trip)} class="protection-card" actions={button(trip)}>
            <p class="protection-name">
              {trip.enforced ? <Pill tone="accent">{say.stoppedNow}</Pill> : <Pill>{say.onlyRecorded}</Pill>}
              <span class="quiet">{say.names[trip.reason]}</span>
            </p>
            <dl class="facts">
              {columns.slice(1, -1).map(({ cell, title }) => (
                <Fact key={title} title={title}>
                  {cell(trip)}
                </Fact>
              ))}
            </dl>
          </Card>
        ))
      ) : (
        <Card title={say.stoppedNow} class="protection-reasons">
          <Table caption={say.stoppedNow} rows={trips} id={idOf} columns={columns} />
        </Card>
      )}
      {open.value === null ? null : <LetThrough trip={open.value} onClose={() => (open.value = null)} />}
    </>
  )
}
