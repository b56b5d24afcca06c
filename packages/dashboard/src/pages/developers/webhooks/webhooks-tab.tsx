import type { WebhookItem } from '@gatehouse/server/dashboard-api'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus, Webhook } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { get, keys } from '../../../api.ts'
import { useAppScope } from '../../../app-scope.ts'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/display/card.tsx'
import { EmptyState } from '../../../components/display/empty-state.tsx'
import { QueryContent } from '../../../components/display/query-content.tsx'
import { useApplication } from '../../../frame/me.ts'
import { queryClient } from '../../../query-client.ts'
import { texts } from '../../../texts.ts'
import { SecretDialog } from './secret-dialog.tsx'
import { WebhookFormDialog } from './webhook-form.tsx'
import { WebhookBadge, webhookSentence } from './webhook-state.tsx'

const words = texts.webhooks

const REFETCH_MS = 15_000

export function WebhooksTab(): ReactNode {
  const { environment, aid, path } = useAppScope()
  const archived = useApplication()?.archived ?? false
  const [creating, setCreating] = useState(false)
  const [secret, setSecret] = useState<string>()
  const queryKey = keys.of(environment, aid, 'webhooks')
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => get<{ data: WebhookItem[] }>(path('webhooks'), {}, signal),
    refetchInterval: REFETCH_MS,
  })
  const add = !archived && (
    <Button variant="primary" icon={Plus} onClick={() => setCreating(true)}>
      {words.create}
    </Button>
  )
  return (
    <Card title={words.title} lead={words.lead} action={query.data?.data.length ? add : undefined}>
      <QueryContent query={query} lines={3}>
        {({ data: webhooks }) =>
          webhooks.length === 0 ? (
            <EmptyState icon={Webhook} title={words.emptyTitle} action={add}>
              {words.empty}
            </EmptyState>
          ) : (
            <ul className="divide-y divide-line">
              {webhooks.map((webhook) => (
                <WebhookRow key={webhook.id} webhook={webhook} />
              ))}
            </ul>
          )
        }
      </QueryContent>
      <WebhookFormDialog
        open={creating}
        onClose={() => setCreating(false)}
        onSaved={async (_, made) => {
          await queryClient.invalidateQueries({ queryKey })
          setSecret(made)
        }}
      />
      <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />
    </Card>
  )
}

function WebhookRow({ webhook }: { webhook: WebhookItem }): ReactNode {
  const { path } = useAppScope()
  const { id, url, description, types, state } = webhook
  return (
    <li className="grid gap-1 py-3 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Link
          to={path('developers', 'webhooks', id)}
          className="min-w-0 font-medium break-all hover:underline"
        >
          {url}
        </Link>
        <WebhookBadge state={state} />
      </div>
      <p className="text-soft">
        {description !== '' && `${description} · `}
        {words.typesOf(types)}
      </p>
      <p className="text-soft">{webhookSentence(webhook)}</p>
    </li>
  )
}
