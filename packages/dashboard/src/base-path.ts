const assets = import.meta.url.lastIndexOf('/assets/')

/** The base path of the dashboard on this host, such as `/dashboard`, derived from the URL of the built scripts. */
export const BASE_PATH =
  assets === -1 ? '/dashboard' : new URL(import.meta.url.slice(0, assets)).pathname
