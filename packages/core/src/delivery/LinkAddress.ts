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
  }
>()("@countersign/core/delivery/LinkAddress") {
  static readonly layer = (publicUrl: string | null): Layer.Layer<LinkAddress> =>
    Layer.succeed(
      LinkAddress,
      LinkAddress.of({ base: publicUrl === null ? null : `${publicUrl.replace(/\/+$/, "")}/l` })
    )
}
