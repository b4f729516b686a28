/** A worker process. `slot` is its place in the group, from 1. Its successor gets the same slot. */
interface Member {
  readonly id: number
  readonly slot: number
  readonly phase: "starting" | "ready" | "leaving"
  /** Started by the current replacement, so it has loaded the current program and secrets. */
  readonly successor: boolean
  /** When the worker became ready, in milliseconds. */
  readonly readyAt: number | null
}

/** The parent's view of its workers. */
export interface Group {
  readonly size: number
  /** Whether a successor may run beside its predecessor. False for the embedded database, which only one process can open. */
  readonly overlap: boolean
  readonly members: ReadonlyArray<Member>
  readonly nextId: number
  /** Whether every slot has had a ready worker. */
  readonly complete: boolean
  /** The slots still to replace; the first is in progress. Null when no replacement runs. */
  readonly replacing: ReadonlyArray<number> | null
  /** Another replacement was requested and has not started. */
  readonly again: boolean
  readonly stopping: boolean
  /** How many times in a row the worker of a slot has ended unexpectedly. */
  readonly failures: { readonly [slot: number]: number }
}

export type Event =
  | { readonly _tag: "Ready"; readonly id: number; readonly now: number }
  | { readonly _tag: "Ended"; readonly id: number; readonly how: string; readonly now: number }
  /** The worker did not become ready in time. */
  | { readonly _tag: "TooLong"; readonly id: number }
  /** The pause after a failure has passed. */
  | { readonly _tag: "Due"; readonly slot: number }
  | { readonly _tag: "Replace" }
  | { readonly _tag: "Stop" }
  /** The workers did not stop in time. */
  | { readonly _tag: "Overdue" }

export type Action =
  | { readonly _tag: "Start"; readonly id: number; readonly slot: number }
  /** Accept no new connections, finish the open ones, then exit. */
  | { readonly _tag: "Retire"; readonly id: number }
  /** Send SIGTERM. */
  | { readonly _tag: "Terminate"; readonly id: number }
  | { readonly _tag: "Kill"; readonly id: number }
  | { readonly _tag: "Wait"; readonly slot: number; readonly milliseconds: number }
  /** All workers are ready for the first time. */
  | { readonly _tag: "Announce" }
  | { readonly _tag: "Say"; readonly level: "info" | "warning"; readonly text: string }
  /** The group has ended. `failure` is null after a requested stop. */
  | { readonly _tag: "Over"; readonly failure: string | null }

export type Decision = readonly [Group, ReadonlyArray<Action>]

/** The pause before an ended worker is restarted doubles each time, up to the longest. In milliseconds. */
const [firstPause, longestPause] = [500, 30_000]
/** A worker that has served this long resets its slot's failure count. In milliseconds. */
const longLife = 60_000

const info = (text: string): Action => ({ _tag: "Say", level: "info", text })
const warning = (text: string): Action => ({ _tag: "Say", level: "warning", text })

const inSlot = ({ members }: Group, slot: number) =>
  members.filter((member) => member.slot === slot && member.phase !== "leaving")

const startIn = (group: Group, slot: number): Decision => {
  const id = group.nextId
  const member: Member = { id, slot, phase: "starting", successor: group.replacing?.[0] === slot, readyAt: null }
  return [{ ...group, nextId: id + 1, members: [...group.members, member] }, [{ _tag: "Start", id, slot }]]
}

const withMember = (group: Group, id: number, change: Partial<Member>): Group => ({
  ...group,
  members: group.members.map((member) => (member.id === id ? { ...member, ...change } : member))
})

/** Applies a second decision and joins the actions of both. */
const followedBy = ([group, actions]: Decision, next: (group: Group) => Decision): Decision => {
  const [nextGroup, moreActions] = next(group)
  return [nextGroup, [...actions, ...moreActions]]
}

/** The first worker starts alone: it creates tables and keys, and an error that would stop all workers is printed once. */
export const begin = (size: number, options: { readonly overlap: boolean }): Decision =>
  startIn(
    {
      size,
      overlap: options.overlap,
      members: [],
      nextId: 1,
      complete: false,
      replacing: null,
      again: false,
      stopping: false,
      failures: {}
    },
    1
  )

const replaceFirst = (group: Group): Decision => {
  const slot = group.replacing?.[0]
  if (slot === undefined) {
    const done: Decision = [{ ...group, replacing: null }, [info("Replaced all workers")]]
    return followedBy(done, beginAgain)
  }
  const inThisSlot = inSlot(group, slot)
  // A starting worker may have read the old program or secrets: replace it as soon as it is ready.
  if (inThisSlot.some(({ phase }) => phase === "starting")) return [group, []]
  const [oldest] = inThisSlot
  if (group.overlap || oldest === undefined) return startIn(group, slot)
  return [withMember(group, oldest.id, { phase: "leaving" }), [{ _tag: "Terminate", id: oldest.id }]]
}

const beginAgain = (group: Group): Decision => {
  if (!group.again) return [group, []]
  const slots = Array.from({ length: group.size }, (_, place) => place + 1)
  return followedBy(
    [
      { ...group, again: false, replacing: slots },
      [info(`Replacing ${group.size === 1 ? "the worker" : `${group.size} workers, one at a time`}`)]
    ],
    replaceFirst
  )
}

/** Continues with the next slot once this slot has only its ready successor, in whatever order the events came. */
const continueIfReplaced = (group: Group, slot: number): Decision => {
  const [first, ...otherMembers] = group.members.filter((member) => member.slot === slot)
  return group.replacing?.[0] === slot && otherMembers.length === 0 && first?.phase === "ready" && first.successor
    ? replaceFirst({ ...group, replacing: group.replacing.slice(1) })
    : [group, []]
}

const onReady = (group: Group, { id, now }: Event & { readonly _tag: "Ready" }): Decision => {
  const member = group.members.find((candidate) => candidate.id === id)
  if (member?.phase !== "starting") return [group, []]
  const { slot, successor } = member
  const next = withMember(group, id, { phase: "ready", readyAt: now })
  if (!group.complete) return onFirstReady(next)
  if (group.replacing?.[0] !== slot) return [next, []]
  if (!successor) return replaceFirst(next)
  const predecessors = inSlot(next, slot).filter((candidate) => candidate.id !== id)
  if (predecessors.length === 0) return continueIfReplaced(next, slot)
  return [
    predecessors.reduce((current, predecessor) => withMember(current, predecessor.id, { phase: "leaving" }), next),
    predecessors.map((predecessor) => ({ _tag: "Retire", id: predecessor.id }))
  ]
}

const onFirstReady = (group: Group): Decision => {
  const ready = group.members.filter(({ phase }) => phase === "ready").length
  if (ready === group.size) return followedBy([{ ...group, complete: true }, [{ _tag: "Announce" }]], beginAgain)
  if (group.nextId > 2) return [group, []]
  const otherSlots = Array.from({ length: group.size - 1 }, (_, place) => place + 2)
  return otherSlots.reduce<Decision>(
    (decision, slot) => followedBy(decision, (current) => startIn(current, slot)),
    [group, []]
  )
}

const onEnded = (before: Group, { how, id, now }: Event & { readonly _tag: "Ended" }): Decision => {
  const member = before.members.find((candidate) => candidate.id === id)
  if (member === undefined) return [before, []]
  const { phase, readyAt, slot, successor } = member
  const group: Group = { ...before, members: before.members.filter((candidate) => candidate.id !== id) }
  if (group.stopping) return [group, group.members.length === 0 ? [{ _tag: "Over", failure: null }] : []]
  if (phase === "leaving")
    return inSlot(group, slot).length === 0 ? startIn(group, slot) : continueIfReplaced(group, slot)
  if (phase === "starting" && group.nextId === 2)
    return [group, [{ _tag: "Over", failure: `The first worker ended with ${how} before it was ready` }]]
  const inThisSlot = inSlot(group, slot)
  if (phase === "starting" && successor && inThisSlot.length > 0) {
    const kept: Decision = [
      { ...group, replacing: null },
      [warning(`The new worker ${slot} ended with ${how} before it was ready: the previous workers continue`)]
    ]
    return followedBy(kept, beginAgain)
  }
  // The slot already has another worker.
  if (inThisSlot.length > 0) return [group, []]
  const failures = readyAt !== null && now - readyAt >= longLife ? 1 : (group.failures[slot] ?? 0) + 1
  const milliseconds = Math.min(longestPause, firstPause * 2 ** (failures - 1))
  return [
    { ...group, failures: { ...group.failures, [slot]: failures } },
    [
      warning(`Worker ${slot} ended with ${how}: restarting in ${milliseconds / 1_000} s`),
      { _tag: "Wait", slot, milliseconds }
    ]
  ]
}

const onStop = (group: Group): Decision => {
  if (group.stopping) return [group, []]
  const members = group.members.map((member): Member => ({ ...member, phase: "leaving" }))
  return [
    { ...group, members, stopping: true },
    members.length === 0 ? [{ _tag: "Over", failure: null }] : members.map(({ id }) => ({ _tag: "Terminate", id }))
  ]
}

/** The next state of the group, and the actions to carry out, after an event. */
export const decide = (group: Group, event: Event): Decision => {
  switch (event._tag) {
    case "Ready":
      return onReady(group, event)
    case "Ended":
      return onEnded(group, event)
    case "TooLong": {
      const late = group.members.find(({ id, phase }) => id === event.id && phase === "starting")
      return late === undefined
        ? [group, []]
        : [
            group,
            [warning(`Worker ${late.slot} did not become ready in time: killing it`), { _tag: "Kill", id: late.id }]
          ]
    }
    case "Due":
      return group.stopping || group.members.some(({ slot }) => slot === event.slot)
        ? [group, []]
        : startIn(group, event.slot)
    case "Replace":
      if (group.stopping) return [group, []]
      return group.complete && group.replacing === null
        ? beginAgain({ ...group, again: true })
        : [{ ...group, again: true }, []]
    case "Stop":
      return onStop(group)
    case "Overdue":
      return [group, group.members.map(({ id }) => ({ _tag: "Kill", id }))]
  }
}
