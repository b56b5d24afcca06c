import type { AccessItem } from '@gatehouse/server/dashboard-api'
import { texts } from '../../texts.ts'

/** The display name of the person who has an access record. */
export const personLabel = ({ name, email, user_ref }: AccessItem): string =>
  name || email || user_ref || texts.access.nobody

/** Extending is a grant, which needs a verified email address. */
export const canExtend = ({ state, email, expires }: AccessItem): boolean =>
  state !== 'revoked' && email !== '' && expires !== null

export const canRevoke = ({ state }: AccessItem): boolean => state !== 'revoked'
