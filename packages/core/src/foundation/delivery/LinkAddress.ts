import { Context, Layer } from "effect"

/**
 * Where links lead: the service's own configured address, and never what a request says about it. Null where nobody
 * configured one, and so no link can be sent.
 */
export class LinkAddress extends Context.Service<
  LinkAddress,
  {
    /** The path under which links are opened and approved. */
    readonly base: string | null
    /** The page for the people who work for merchants. */
    readonly dashboard: string | null
  }
>()("@countersign/core/delivery/LinkAddress") {
  static readonly layer = (publicUrl: string | null): Layer.Layer<LinkAddress> =>
    Layer.sync(LinkAddress, () => {
      const at = (path: string) => (publicUrl === null ? null : `${publicUrl.replace(/\/+$/, "")}/${path}`)
      return LinkAddress.of({ base: at("l"), dashboard: at("dashboard") })
    })
}
