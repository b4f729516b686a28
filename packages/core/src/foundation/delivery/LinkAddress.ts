import { Context, Layer } from "effect"

/**
 * The base of links: the server's configured public URL, never a value from a request. Null when it is not configured,
 * and links cannot be sent.
 */
export class LinkAddress extends Context.Service<
  LinkAddress,
  {
    /** The path that opens and approves links. */
    readonly base: string | null
    /** The path of the dashboard. */
    readonly dashboard: string | null
    /** The path of the merchants' logos in e-mails. */
    readonly logos: string | null
    /** The address that hooks of sign-in systems are under; without a public URL, a path of this service. */
    readonly hooks: string
  }
>()("@countersign/core/delivery/LinkAddress") {
  static readonly layer = (publicUrl: string | null): Layer.Layer<LinkAddress> =>
    Layer.sync(LinkAddress, () => {
      const at = (path: string) => (publicUrl === null ? null : `${publicUrl.replace(/\/+$/, "")}/${path}`)
      return LinkAddress.of({
        base: at("l"),
        dashboard: at("dashboard"),
        logos: at("logos"),
        hooks: at("v1/hooks") ?? "/v1/hooks"
      })
    })
}
