import { email } from '../../domain/users/email.ts'
import * as common from '../../fields.ts'
import type { required } from '../../parameters.ts'

/** The fields of the r2 routes, by name. */
export const fields = { ...common, email }

export type Kind = Parameters<typeof required>[0]
