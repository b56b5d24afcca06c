/** How often a link may be used at most. In a file of its own, because the web app checks it while somebody types. */
export const MAX_USES = 1_000_000

/** How many files a resource may have. Every one is a button in an email. */
export const MAX_FILES = 100
