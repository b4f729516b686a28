import { Schema } from "effect"

/** This service takes no passkeys: it was made without them, or does not know its own address. */
export class PasskeysAbsent extends Schema.TaggedError<PasskeysAbsent>()("PasskeysAbsent", {}) {}

/** No passkey of this person has this id. */
export class UnknownPasskey extends Schema.TaggedError<UnknownPasskey>()("UnknownPasskey", {}) {}

/** No provider of sign-ins opens this agent. */
export class UnknownBinding extends Schema.TaggedError<UnknownBinding>()("UnknownBinding", {}) {}

/** Passkeys are the rule for this role, and this sign-in was without one. */
export class PasskeyNeeded extends Schema.TaggedError<PasskeyNeeded>()("PasskeyNeeded", {}) {}

/** This service knows no provider to sign in with. */
export class ProviderAbsent extends Schema.TaggedError<ProviderAbsent>()("ProviderAbsent", {}) {}
