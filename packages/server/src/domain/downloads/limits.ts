/** How often a link may be used at most. In a file of its own, because the web app checks it while somebody types. */
export const MAX_USES = 1_000_000
