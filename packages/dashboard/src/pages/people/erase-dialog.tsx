import type { ReactNode } from 'react'
import type {
  EraseDone,
  PersonDetails,
} from '../../../../server/src/http/dashboard/people/schemas.ts'
import { send } from '../../api.ts'
import { ConfirmDialog } from '../../parts/overlays/confirm-dialog.tsx'
import { toast } from '../../parts/overlays/toast.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts.ts'
import { useRefresh } from '../access/use-refresh.ts'
import { addressOf, titleOf } from './names.ts'

interface Props {
  details: PersonDetails
  onClose: () => void
}

/** Erases a person. Their name must be typed first, because this can't be undone. */
export function EraseDialog({ details, onClose }: Props): ReactNode {
  const { path } = usePlace()
  const refresh = useRefresh()
  const { person, access, subscriptions, mails } = details
  const open = access.filter(({ revoked }) => revoked === null).length
  const running = subscriptions.filter(({ status }) => status !== 'ended').length

  async function erase() {
    const { revoked } = await send<EraseDone>('POST', path('people', person.uid, 'erase'))
    toast(texts.people.erasedNow(revoked))
    await refresh()
  }

  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={texts.people.eraseTitle(titleOf(person))}
      effect={
        <>
          <p>{texts.people.eraseEffect(open, running)}</p>
          <p>
            {texts.people.eraseForgets(person.refs.length + person.aliases.length, mails.length)}
          </p>
          <p>{texts.people.eraseForGood}</p>
        </>
      }
      typed={addressOf(person) || person.uid}
      action={texts.people.eraseGo}
      onConfirm={erase}
    />
  )
}
