/** How many calls of this process were answered as they should, and how many were not. */
export type CallTally = Record<'delivered' | 'failed', number>

export const createCallTally = (): CallTally => ({ delivered: 0, failed: 0 })
