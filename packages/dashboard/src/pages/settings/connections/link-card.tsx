import type { ConnectionsView } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { send } from '../../../api.ts'
import { useAppScope } from '../../../app-scope.ts'
import { Card } from '../../../components/display/card.tsx'
import { Notice } from '../../../components/display/notice.tsx'
import { Checkbox } from '../../../components/forms/checkbox.tsx'
import { toast } from '../../../components/overlays/toast.tsx'
import { useAction } from '../../../components/use-action.ts'
import { texts } from '../../../texts.ts'
import { connectionsPath, useAfterChange } from './use-connections.ts'

const words = texts.connections.payments

interface Props {
  isOffered: boolean
  canChange: boolean
}

/** Whether payment pages offer more than cards. */
export function LinkCard({ isOffered, canChange }: Props): ReactNode {
  const { environment } = useAppScope()
  const afterChange = useAfterChange()
  const change = useAction(async () => {
    const path = connectionsPath(environment, 'payments', 'link')
    await afterChange(await send<ConnectionsView>('PUT', path, { offered: !isOffered }))
    toast(words.linkSaved(!isOffered))
  })
  return (
    <Card title={words.linkTitle} lead={words.linkLead}>
      {change.problem !== undefined && <Notice tone="failed">{change.problem}</Notice>}
      <Checkbox
        label={words.link}
        hint={words.linkHint}
        checked={isOffered}
        disabled={!canChange || change.busy}
        onCheckedChange={change.run}
      />
    </Card>
  )
}
