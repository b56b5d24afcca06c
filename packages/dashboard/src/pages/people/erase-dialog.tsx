import type { EraseDone } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { send } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { ConfirmDialog } from '../../components/overlays/confirm-dialog.tsx'
import { toast } from '../../components/overlays/toast.tsx'
import { texts } from '../../texts.ts'
import { useRefetch } from '../access/use-refetch.ts'
import type { PersonDialogProps } from './person-dialog.ts'
import { emailOf, personTitle } from './person-labels.ts'

/** Erases a person. Their name must be typed first, because this can't be undone. */
export function EraseDialog({ details, onClose }: PersonDialogProps): ReactNode {
  const { path } = useAppScope()
  const refresh = useRefetch()
  const { person, access, subscriptions, mails } = details
  const live = access.filter(({ state }) => state === 'live').length
  const running = subscriptions.filter(({ status }) => status !== 'ended').length

  async function erase() {
    await send<EraseDone>('POST', path('people', person.uid, 'erase'))
    toast(texts.people.erasedNow)
    await refresh()
  }

  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={texts.people.eraseTitle(personTitle(person))}
      effect={
        <>
          <p>{texts.people.eraseEffect(live, running)}</p>
          <p>
            {texts.people.eraseForgets(person.refs.length + person.aliases.length, mails.length)}
          </p>
          <p>{texts.people.eraseForGood}</p>
        </>
      }
      typed={emailOf(person) || person.uid}
      action={texts.people.eraseGo}
      onConfirm={erase}
    />
  )
}
