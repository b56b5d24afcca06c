import type { LinksEnded } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { send } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { ConfirmDialog } from '../../components/overlays/confirm-dialog.tsx'
import { toast } from '../../components/overlays/toast.tsx'
import { texts } from '../../texts.ts'
import { useRefetch } from '../access/use-refetch.ts'
import type { PersonDialogProps } from './person-dialog.ts'
import { personTitle } from './person-labels.ts'

/** Ends the links of a person, for example because a stranger has one. */
export function EndLinksDialog({ details: { person }, onClose }: PersonDialogProps): ReactNode {
  const { path } = useAppScope()
  const refresh = useRefetch()
  const { endLinksTitle, endLinksEffect, endLinksKeeps, endLinksGo, endedLinks } = texts.people
  const name = personTitle(person)

  async function endLinks() {
    await send<LinksEnded>('POST', path('people', person.uid, 'end-links'))
    toast(endedLinks)
    await refresh()
  }

  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={endLinksTitle(name)}
      effect={[endLinksEffect(name), endLinksKeeps]}
      action={endLinksGo}
      onConfirm={endLinks}
    />
  )
}
