const hour = 3_600_000
const day = 24 * hour
const morning = 9

/** The wall clock of a time zone, as if it were UTC. */
const wallClock = (at: number, timeZone: string): number => {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric"
  }).formatToParts(at)
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  return Date.UTC(of("year"), of("month") - 1, of("day"), of("hour"), of("minute"), of("second"))
}

/** The moment at which the wall clock of a time zone shows this. The second look corrects a change of the offset. */
const momentAt = (wall: number, timeZone: string): number => {
  const once = wall - (wallClock(wall, timeZone) - wall)
  return once - (wallClock(once, timeZone) - wall)
}

/** The usual moments until which a lead is snoozed. Days and hours are those of the merchant's time zone. */
export const snoozeTimes = (now: number, timeZone: string) => {
  const wall = wallClock(now, timeZone)
  const nine = (days: number) => momentAt(wall - (wall % day) + days * day + morning * hour, timeZone)
  const weekday = new Date(wall).getUTCDay()
  return { hour: now + hour, tomorrow: nine(1), monday: nine((8 - weekday) % 7 || 7) }
}

/** Whether two time zones have the same mornings from now on, as one zone under an old and a new name has. */
export const sharesMornings = (now: number, one: string, other: string): boolean => {
  const [a, b] = [snoozeTimes(now, one), snoozeTimes(now, other)]
  return a.tomorrow === b.tomorrow && a.monday === b.monday
}
