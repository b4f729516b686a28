declare module "postject" {
  /** Puts a resource into an executable file, where the program that it is finds it. */
  export const inject: (
    executable: string,
    resourceName: string,
    resource: Uint8Array,
    options: { readonly sentinelFuse: string }
  ) => Promise<void>
}
