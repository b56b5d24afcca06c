import type { NewTokenItem, TokenItem } from '@gatehouse/server/dashboard-api'
import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { get, keys } from '../api.ts'
import { Button } from '../components/button.tsx'
import { Copyable } from '../components/display/copyable.tsx'
import { EmptyState } from '../components/display/empty-state.tsx'
import { Notice } from '../components/display/notice.tsx'
import { QueryContent } from '../components/display/query-content.tsx'
import { Dialog, DialogButtons } from '../components/overlays/dialog.tsx'
import { Page } from '../frame/page.tsx'
import { texts } from '../texts.ts'
import { NewTokenDialog } from './new-token-dialog.tsx'
import { TokenRow } from './token-row.tsx'

/** The tokens with which programs use the management API. */
export function TokensPage(): ReactNode {
  const [creating, setCreating] = useState(false)
  const [made, setMade] = useState<NewTokenItem>()
  const query = useQuery({
    queryKey: keys.staff('tokens'),
    queryFn: ({ signal }) => get<{ data: TokenItem[] }>('/tokens', {}, signal),
  })
  const create = (
    <Button variant="primary" icon={Plus} onClick={() => setCreating(true)}>
      {texts.tokens.create}
    </Button>
  )
  return (
    <Page title={texts.tokens.title} lead={texts.tokens.lead} action={create}>
      <QueryContent query={query}>{({ data }) => <Tokens tokens={data} />}</QueryContent>
      <NewTokenDialog open={creating} onClose={() => setCreating(false)} onMade={setMade} />
      <MadeDialog made={made} onClose={() => setMade(undefined)} />
    </Page>
  )
}

function Tokens({ tokens }: { tokens: readonly TokenItem[] }): ReactNode {
  if (tokens.length === 0) {
    return (
      <EmptyState icon={KeyRound} title={texts.tokens.emptyTitle}>
        {texts.tokens.empty}
      </EmptyState>
    )
  }
  const isAnyWaiting = tokens.some((one) => one.suspended_at !== null && one.revoked_at === null)
  return (
    <div className="grid gap-4">
      {isAnyWaiting && <Notice tone="ending">{texts.tokens.waitingMeans}</Notice>}
      <ul className="divide-y divide-line rounded-xl border border-line bg-card shadow-card">
        {tokens.map((token) => (
          <TokenRow key={token.id} token={token} />
        ))}
      </ul>
    </div>
  )
}

/** Shows a token, which can't be shown again. */
function MadeDialog(props: { made: NewTokenItem | undefined; onClose: () => void }): ReactNode {
  const { made, onClose } = props
  return (
    <Dialog
      open={made !== undefined}
      onClose={onClose}
      title={texts.tokens.madeTitle(made?.name ?? '')}
      lead={texts.tokens.madeLead}
    >
      <Copyable boxed value={made?.token ?? ''} label={texts.tokens.token} />
      <DialogButtons>
        <Button variant="primary" onClick={onClose}>
          {texts.common.done}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
