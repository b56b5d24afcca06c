import { WITHOUT_CHECKOUT_LIMITS } from './payments/without-limits.ts'
import { LOCAL_MAIL } from './smtp/local-mail.ts'

/** The settings of a service whose readers and mail servers are all on this machine. */
export const TEST_SETTINGS = { ...WITHOUT_CHECKOUT_LIMITS, ...LOCAL_MAIL }
