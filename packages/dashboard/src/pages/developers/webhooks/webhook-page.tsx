import type { WebhookDetails } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { useAppScope } from '../../../app-scope.ts'
import { Card } from '../../../components/display/card.tsx'
import { Copyable } from '../../../components/display/copyable.tsx'
import { DescriptionList } from '../../../components/display/description-list.tsx'
import { type RecordProps, recordPage } from '../../../components/display/record-page.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Page } from '../../../frame/page.tsx'
import { texts } from '../../../texts.ts'
import { DeliveriesCard } from './deliveries-card.tsx'
import { WebhookActions } from './webhook-actions.tsx'
import { WebhookBadge, WebhookNotices } from './webhook-state.tsx'

const words = texts.webhooks

export const WebhookPage = recordPage('webhooks', WebhookView)

function WebhookView({ record: webhook }: RecordProps<WebhookDetails>): ReactNode {
  const { path } = useAppScope()
  return (
    <Page
      title={new URL(webhook.url).host}
      beside={<WebhookBadge state={webhook.state} />}
      back={{ to: `${path('developers')}?tab=webhooks`, label: words.title }}
      action={<WebhookActions webhook={webhook} />}
    >
      <WebhookNotices webhook={webhook} />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <DeliveriesCard id={webhook.id} />
        <Card title={words.about}>
          <Facts webhook={webhook} />
        </Card>
      </div>
    </Page>
  )
}

function Facts({ webhook }: { webhook: WebhookDetails }): ReactNode {
  const { id, url, description, types, version, created_at, last_success_at, secrets } = webhook
  const dying = secrets.find(({ dies_at }) => dies_at !== null)?.dies_at
  const newest = secrets[0]
  return (
    <DescriptionList
      facts={[
        { label: words.url.label, value: <span className="break-all">{url}</span> },
        description !== '' && { label: words.description.label, value: description },
        { label: words.events, value: types.includes('*') ? words.chosen.all : types.join(', ') },
        last_success_at !== null && {
          label: words.lastSuccess,
          value: <Time at={last_success_at} />,
        },
        newest !== undefined && {
          label: words.secrets,
          value: dying ? (
            <>
              {words.secretsBoth} <Time at={dying} />
            </>
          ) : (
            <>
              {words.secretSince} <Time at={newest.created_at} />
            </>
          ),
        },
        { label: words.created, value: <Time at={created_at} /> },
        { label: words.version, value: version },
        { label: texts.records.id, value: <Copyable value={id} label={texts.records.id} /> },
      ]}
    />
  )
}
