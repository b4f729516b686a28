import type { CallbackAnswer, Receipt } from "@countersign/core/channel"

/** Tells a provider that its report was received. */
export const received = (receipts: ReadonlyArray<Receipt>): CallbackAnswer => ({
  status: 200,
  contentType: "text/plain",
  body: "",
  receipts,
  inbound: []
})
