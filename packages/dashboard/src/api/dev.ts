/**
 * Simulates a customer's WhatsApp message in development. Returns the error message, or null. Not part of the
 * contract.
 */
export const playCustomer = async (message: {
  readonly from: string
  readonly name: string
  readonly text: string
}): Promise<string | null> => {
  try {
    const response = await fetch("/dev/whatsapp", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(message)
    })
    if (response.ok) return null
    const body: unknown = await response.json().catch(() => null)
    return typeof body === "object" && body !== null && "message" in body ? String(body.message) : `${response.status}`
  } catch (cause) {
    return String(cause)
  }
}
