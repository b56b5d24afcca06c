import type { Role } from '../../domain/staff/staff.ts'

/** People know the role `reader` as viewer: a reader is who buys and reads. */
export const roleName = (role: Role) => (role === 'reader' ? 'viewer' : role)
