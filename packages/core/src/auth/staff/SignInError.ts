import { Schema } from "effect"

/** This service has no passkeys: it was configured without them, or has no public URL. */
export class PasskeysAbsent extends Schema.TaggedError<PasskeysAbsent>()("PasskeysAbsent", {}) {}

/** This person has no passkey with that id. */
export class UnknownPasskey extends Schema.TaggedError<UnknownPasskey>()("UnknownPasskey", {}) {}

/** No sign-in provider is bound to this agent. */
export class UnknownBinding extends Schema.TaggedError<UnknownBinding>()("UnknownBinding", {}) {}

/** This role requires a passkey, and the sign-in did not use one. */
export class PasskeyNeeded extends Schema.TaggedError<PasskeyNeeded>()("PasskeyNeeded", {}) {}

/** This service has no sign-in provider. */
export class ProviderAbsent extends Schema.TaggedError<ProviderAbsent>()("ProviderAbsent", {}) {}
