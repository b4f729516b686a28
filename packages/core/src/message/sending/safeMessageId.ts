/** Visible characters, without those of texts, JSON and forms. */
const pattern = /^[\w.:;=+/~@<>|$!*#,()-]{1,255}$/

/**
 * Returns a provider's message id in a form that is safe to store and show. A provider may answer with something else
 * instead of an id, even with the request, which contains the code. That becomes null, as if there were no id.
 */
export const safeMessageId = (id: string | null): string | null => (id !== null && pattern.test(id) ? id : null)
