import type { AccessItem } from '@gatehouse/server/dashboard-api'
import { CalendarPlus, CircleSlash, KeyRound } from 'lucide-react'
import type { ReactNode } from 'react'
import type { MenuItem } from '../../components/overlays/menu.tsx'
import { texts } from '../../texts.ts'
import { canExtend, canRevoke } from './access-labels.ts'
import { ExtendDialog } from './extend-dialog.tsx'
import { GrantDialog, type GrantPreset } from './grant-dialog.tsx'
import { RevokeDialog } from './revoke-dialog.tsx'

/** The dialog that is open, and the rows that it is about. */
export type AccessAction =
  | { what: 'grant'; preset?: GrantPreset }
  | { what: 'extend' | 'revoke'; rows: readonly AccessItem[]; onDone?: () => void }

/** The actions that are possible for an access record in its state. */
export function accessMenuItems(row: AccessItem, ask: (asked: AccessAction) => void): MenuItem[] {
  const { rid, email } = row
  const items: MenuItem[] = []
  if (canExtend(row)) {
    const onSelect = () => ask({ what: 'extend', rows: [row] })
    items.push({ label: texts.access.extend, icon: CalendarPlus, onSelect })
  }
  if (canRevoke(row)) {
    const onSelect = () => ask({ what: 'revoke', rows: [row] })
    items.push({ label: texts.access.revoke, icon: CircleSlash, danger: true, onSelect })
  } else if (email !== '') {
    const onSelect = () => ask({ what: 'grant', preset: { rid, email } })
    items.push({ label: texts.access.grantAgain, icon: KeyRound, onSelect })
  }
  return items
}

interface Props {
  asked: AccessAction | undefined
  onClose: () => void
}

/** Rendered on every page that lists access. */
export function AccessDialogs({ asked, onClose }: Props): ReactNode {
  switch (asked?.what) {
    case 'grant':
      return <GrantDialog onClose={onClose} {...(asked.preset ? { preset: asked.preset } : {})} />
    case 'extend':
      return <ExtendDialog {...asked} onClose={onClose} />
    case 'revoke':
      return <RevokeDialog {...asked} onClose={onClose} />
    default:
      return null
  }
}
