import type {
  WebhookDeliveryAttempt,
  WebhookDeliveryDetails,
} from '@gatehouse/server/dashboard-api'
import { useParams } from '@tanstack/react-router'
import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { get, keys, send } from '../../../api.ts'
import { useAppScope } from '../../../app-scope.ts'
import { ActionButton } from '../../../components/action-button.tsx'
import { Card } from '../../../components/display/card.tsx'
import { Code } from '../../../components/display/code-box.tsx'
import { Copyable } from '../../../components/display/copyable.tsx'
import { DescriptionList } from '../../../components/display/description-list.tsx'
import { QueryResult } from '../../../components/display/query-result.tsx'
import { PersonLink } from '../../../components/display/record-links.tsx'
import { StateBadge } from '../../../components/display/state-badge.tsx'
import { Time } from '../../../components/display/time.tsx'
import { toast } from '../../../components/overlays/toast.tsx'
import { useApplication } from '../../../frame/me.ts'
import { Page } from '../../../frame/page.tsx'
import { queryClient } from '../../../query-client.ts'
import { texts } from '../../../texts.ts'
import { DeliveryBadge } from './deliveries-card.tsx'
import { formatJson } from './format-json.ts'

const words = texts.webhooks

export function DeliveryPage(): ReactNode {
  const { environment, aid, path } = useAppScope()
  const { id, event } = useParams({ strict: false }) as { id: string; event: string }
  return (
    <QueryResult
      queryKey={keys.of(environment, aid, 'webhooks', id, 'deliveries', event)}
      load={(signal) =>
        get<WebhookDeliveryDetails>(path('webhooks', id, 'deliveries', event), {}, signal)
      }
    >
      {(delivery) => <Shown id={id} delivery={delivery} />}
    </QueryResult>
  )
}

interface Props {
  /** The endpoint. */
  id: string
  delivery: WebhookDeliveryDetails
}

function Shown({ id, delivery }: Props): ReactNode {
  const { path } = useAppScope()
  const archived = useApplication()?.archived ?? false
  return (
    <Page
      title={delivery.type}
      beside={<DeliveryBadge state={delivery.state} />}
      back={{ to: path('developers', 'webhooks', id), label: words.deliveries }}
      action={!archived && <ResendButton id={id} delivery={delivery} />}
    >
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 gap-5">
          <Card title={words.tries}>
            {delivery.tries.length === 0 && <p className="text-soft">{words.noTries}</p>}
            {delivery.tries.map((attempt) => (
              <Attempt key={attempt.number} attempt={attempt} />
            ))}
          </Card>
          <Card title={words.request}>
            {delivery.body === null ? (
              <p className="text-soft">{words.noBody}</p>
            ) : (
              <Code code={formatJson(delivery.body)} label={words.request} />
            )}
          </Card>
        </div>
        <Card title={words.delivery}>
          <Facts delivery={delivery} />
        </Card>
      </div>
    </Page>
  )
}

function Facts({ delivery }: Pick<Props, 'delivery'>): ReactNode {
  const { event_id, uid, attempts, created_at, due_at } = delivery
  return (
    <DescriptionList
      facts={[
        { label: words.type, value: delivery.type },
        uid !== null && {
          label: words.person,
          value: <PersonLink uid={uid}>{words.toPerson}</PersonLink>,
        },
        { label: words.attempts, value: String(attempts) },
        { label: words.created, value: <Time at={created_at} /> },
        due_at !== null && { label: words.nextAttempt, value: <Time at={due_at} /> },
        { label: words.eventId, value: <Copyable value={event_id} label={words.eventId} /> },
      ]}
    />
  )
}

function Attempt({ attempt }: { attempt: WebhookDeliveryAttempt }): ReactNode {
  const { number, at, status, error, response, duration_ms } = attempt
  return (
    <div className="grid min-w-0 gap-2 border-t border-line pt-4 first-of-type:border-t-0 first-of-type:pt-0">
      <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium">
        {words.attempt(number)}
        <StateBadge state={error === null ? 'live' : 'failed'}>
          {status ?? words.states.failing}
        </StateBadge>
        <span className="font-normal text-soft">
          <Time at={at} /> · {words.took(duration_ms)}
        </span>
      </h3>
      {error !== null && <p>{error}</p>}
      {response !== null && response !== '' && (
        <Code code={formatJson(response)} label={words.response} wrap />
      )}
      {response === '' && <p className="text-soft">{words.noResponse}</p>}
    </div>
  )
}

function ResendButton({ id, delivery }: Props): ReactNode {
  const { environment, aid, path } = useAppScope()
  const resend = async () => {
    await send('POST', path('webhooks', id, 'deliveries', delivery.event_id, 'resend'))
    await queryClient.invalidateQueries({ queryKey: keys.of(environment, aid, 'webhooks', id) })
    toast(words.resent)
  }
  return (
    <ActionButton variant="primary" icon={RotateCw} action={resend}>
      {words.resend}
    </ActionButton>
  )
}
