import type { AccessItem } from '../../../../server/src/doors/dashboard/shapes-access.ts'
import { texts } from '../../texts.ts'

/** What people call whose access it is. */
export const personOf = ({ name, email, user_ref }: AccessItem): string =>
  name || email || user_ref || texts.access.nobody

/** Only with a proven address can it be granted on. */
export const canExtend = ({ state, email, expires }: AccessItem): boolean =>
  state !== 'revoked' && email !== '' && expires !== null

export const canRevoke = ({ state }: AccessItem): boolean => state !== 'revoked'
