import { Schema } from "effect"

/** This person has no session with that id, or it has ended. */
export class UnknownSession extends Schema.TaggedError<UnknownSession>()("UnknownSession", {}) {}

/** This merchant has no agent with that id or address, or leads cannot be assigned to the agent. */
export class UnknownAgent extends Schema.TaggedError<UnknownAgent>()("UnknownAgent", {}) {}

/** A signed-in person tried to change or make an agent with more rights than their own. */
export class AboveOwnRole extends Schema.TaggedError<AboveOwnRole>()("AboveOwnRole", {}) {}
