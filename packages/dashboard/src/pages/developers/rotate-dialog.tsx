import type { RevealedKey } from '@gatehouse/server/dashboard-api'
import { type ReactNode, useState } from 'react'
import { send } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { Notice } from '../../components/display/notice.tsx'
import { SelectField } from '../../components/forms/select-field.tsx'
import { ConfirmDialog } from '../../components/overlays/confirm-dialog.tsx'
import { formatMinute } from '../../format.ts'
import { useApplication } from '../../frame/me.ts'
import { useServerTime } from '../../server-clock.ts'
import { texts } from '../../texts.ts'
import { OVERLAPS } from './overlaps.ts'

interface Props {
  open: boolean
  onClose: () => void
  /** The number of live keys. */
  live: number
  onMade: (key: RevealedKey) => Promise<void>
}

const DAY = 86_400
const MAX_KEYS = 2

/** Creates a new key and asks what happens to the old one. Also creates the first key after all were revoked. */
export function RotateDialog({ open, onClose, live, onMade }: Props): ReactNode {
  const { path } = useAppScope()
  const name = useApplication()?.name ?? ''
  const [chosen, setChosen] = useState(DAY)
  const isFull = live >= MAX_KEYS
  const overlap = live === 0 || isFull ? 0 : chosen
  const isFirst = live === 0
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={isFirst ? texts.developers.makeTitle(name) : texts.developers.rotateTitle(name)}
      effect={
        <p>{isFirst ? texts.developers.makeEffect : <Effect live={live} overlap={overlap} />}</p>
      }
      action={isFirst ? texts.developers.makeKey : texts.developers.rotate}
      variant={overlap === 0 && !isFirst ? 'danger' : 'primary'}
      onConfirm={async () =>
        await onMade(await send<RevealedKey>('POST', path('keys', 'rotate'), { overlap }))
      }
    >
      {isFull && <Notice>{texts.developers.twoKeys}</Notice>}
      {!isFirst && !isFull && (
        <SelectField
          label={texts.developers.overlap}
          options={OVERLAPS}
          value={String(chosen)}
          onChange={({ target }) => setChosen(Number(target.value))}
        />
      )}
    </ConfirmDialog>
  )
}

function Effect({ live, overlap }: { live: number; overlap: number }): ReactNode {
  const { rotateEffect, rotateAtOnce, rotateOverlap } = texts.developers
  const now = useServerTime('production')
  const old = overlap === 0 ? rotateAtOnce(live) : rotateOverlap(formatMinute(now + overlap * 1000))
  return `${rotateEffect} ${old}`
}
