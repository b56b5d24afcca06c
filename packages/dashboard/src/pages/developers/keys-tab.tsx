import type { KeyItem, RevealedKey } from '@gatehouse/server/dashboard-api'
import { useQuery } from '@tanstack/react-query'
import { KeyRound, RefreshCw } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { get, keys } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/display/card.tsx'
import { EmptyState } from '../../components/display/empty-state.tsx'
import { QueryContent } from '../../components/display/query-content.tsx'
import { useApplication } from '../../frame/me.ts'
import { queryClient } from '../../query-client.ts'
import { texts } from '../../texts.ts'
import { KeyDialog } from './key-dialog.tsx'
import { KeyRow } from './key-row.tsx'
import { RotateDialog } from './rotate-dialog.tsx'

function useLiveKeys() {
  const { environment, aid, path } = useAppScope()
  const queryKey = keys.of(environment, aid, 'keys')
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => get<{ data: KeyItem[] }>(path('keys'), {}, signal),
  })
  return { query, refresh: () => queryClient.invalidateQueries({ queryKey }) }
}

export function KeysTab(): ReactNode {
  const archived = useApplication()?.archived ?? false
  const [rotating, setRotating] = useState(false)
  const [made, setMade] = useState<RevealedKey>()
  const { query, refresh } = useLiveKeys()
  const count = query.data?.data.length ?? 0
  const start = () => setRotating(true)
  return (
    <Card
      title={texts.developers.keysTitle}
      lead={texts.developers.keysLead}
      action={
        count > 0 &&
        !archived && (
          <Button variant="primary" icon={RefreshCw} onClick={start}>
            {texts.developers.rotate}
          </Button>
        )
      }
    >
      <QueryContent query={query} lines={2}>
        {({ data: live }) =>
          count === 0 ? (
            <NoKeys canCreate={!archived} onCreate={start} />
          ) : (
            <ul className="divide-y divide-line">
              {live.map((key) => (
                <KeyRow key={key.id} shown={key} count={count} onChange={refresh} />
              ))}
            </ul>
          )
        }
      </QueryContent>
      <RotateDialog
        open={rotating}
        onClose={() => setRotating(false)}
        live={count}
        onMade={async (key) => {
          await refresh()
          setMade(key)
        }}
      />
      <KeyDialog
        revealed={made}
        title={texts.developers.newKeyTitle}
        lead={texts.developers.newKeyLead}
        onClose={() => setMade(undefined)}
      />
    </Card>
  )
}

function NoKeys(props: { canCreate: boolean; onCreate: () => void }): ReactNode {
  const { canCreate, onCreate } = props
  return (
    <EmptyState
      icon={KeyRound}
      title={texts.developers.noKeysTitle}
      action={
        canCreate && (
          <Button variant="primary" onClick={onCreate}>
            {texts.developers.makeKey}
          </Button>
        )
      }
    >
      {texts.developers.noKeys}
    </EmptyState>
  )
}
