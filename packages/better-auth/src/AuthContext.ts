/** What this package reads of better-auth's options. */
export interface AuthOptions {
  readonly advanced?:
    | {
        readonly ipAddress?:
          | {
              readonly ipAddressHeaders?: ReadonlyArray<string> | undefined
              readonly disableIpTracking?: boolean | undefined
              readonly trustedProxies?: ReadonlyArray<string> | undefined
            }
          | undefined
      }
    | undefined
  readonly plugins?: ReadonlyArray<InstalledPlugin> | undefined
}

export interface InstalledPlugin {
  readonly id: string
  readonly options?: Readonly<Record<string, unknown>> | undefined
}

/** What this package reads of the context that better-auth gives to plugins and their functions. */
export interface AuthContext {
  readonly path?: string | undefined
  readonly headers?: Headers | undefined
  readonly context: {
    readonly secret: string
    readonly options: AuthOptions
    readonly logger: { readonly error: (message: string, ...details: Array<unknown>) => void }
  }
}

/** The context of a hook, whose input better-auth has not checked yet. */
export interface HookContext extends AuthContext {
  readonly body?: unknown
  readonly query?: unknown
  readonly returnHeaders?: boolean | undefined
}

/** The plugin with that id, if better-auth has it. */
export const pluginOf = ({ plugins = [] }: AuthOptions, id: string): InstalledPlugin | undefined =>
  plugins.find((plugin) => plugin.id === id)
