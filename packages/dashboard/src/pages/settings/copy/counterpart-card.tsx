import type { PairedApplication, PairView } from '@gatehouse/server/dashboard-api'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { keys, send } from '../../../api.ts'
import { createAppScope, type EnvironmentName, useAppScope } from '../../../app-scope.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { Card } from '../../../components/display/card.tsx'
import { Notice } from '../../../components/display/notice.tsx'
import { linkClass } from '../../../components/display/record-links.tsx'
import { ConfirmDialog } from '../../../components/overlays/confirm-dialog.tsx'
import { toast } from '../../../components/overlays/toast.tsx'
import { queryClient } from '../../../query-client.ts'
import { texts } from '../../../texts.ts'

const words = texts.copying

interface Props {
  environment: EnvironmentName
  pair: PairedApplication
}

/** The other application, how to get there, and the end of the pairing. */
export function CounterpartCard({ environment, pair }: Props): ReactNode {
  const there = createAppScope(environment, pair.aid)
  const [asking, setAsking] = useState(false)
  return (
    <Card
      title={words.pairedWith(environment)}
      action={
        <div className="flex flex-wrap gap-2">
          {pair.name !== null && !pair.is_archived && (
            <Link to={there.path('settings', 'copy')} className={buttonClass()}>
              {words.goThere(environment)}
            </Link>
          )}
          <Button onClick={() => setAsking(true)}>{words.unpair}</Button>
        </div>
      }
    >
      {pair.name === null ? (
        <Notice tone="ending">{words.gone}</Notice>
      ) : pair.is_archived ? (
        <Notice tone="ending">{words.archivedThere(pair.name, environment)}</Notice>
      ) : (
        <p>
          <Link to={there.path('resources')} className={linkClass}>
            {pair.name}
          </Link>
        </p>
      )}
      <UnpairDialog pair={pair} open={asking} onClose={() => setAsking(false)} />
    </Card>
  )
}

interface DialogProps {
  pair: PairedApplication
  open: boolean
  onClose: () => void
}

function UnpairDialog({ pair, open, onClose }: DialogProps): ReactNode {
  const { environment, aid, path } = useAppScope()
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={words.unpairAsk(pair.name ?? words.goneName)}
      effect={words.unpairEffect}
      action={words.unpair}
      onConfirm={async () => {
        const view = await send<PairView>('DELETE', path('pair'))
        queryClient.setQueryData(keys.of(environment, aid, 'pair'), view)
        toast(words.unpaired)
        await queryClient.invalidateQueries({ queryKey: keys.me })
      }}
    />
  )
}
