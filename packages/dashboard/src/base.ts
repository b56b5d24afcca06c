const assets = import.meta.url.lastIndexOf('/assets/')

/** Where the dashboard lies on this host, as in `/dashboard`: the built scripts know where they came from. */
export const BASE =
  assets === -1 ? '/dashboard' : new URL(import.meta.url.slice(0, assets)).pathname
