import type {
  ConnectionsView,
  PaymentsChanged,
  WebhookProblem,
} from '@gatehouse/server/dashboard-api'
import { type ReactNode, useState } from 'react'
import { send } from '../../../api.ts'
import { useAppScope } from '../../../app-scope.ts'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/display/card.tsx'
import { Code } from '../../../components/display/code-box.tsx'
import { Notice } from '../../../components/display/notice.tsx'
import { StateBadge } from '../../../components/display/state-badge.tsx'
import { PageForm } from '../../../components/forms/page-form.tsx'
import { PasswordField } from '../../../components/forms/text-field.tsx'
import { required, useForm } from '../../../components/forms/use-form.ts'
import { toast } from '../../../components/overlays/toast.tsx'
import { useAction } from '../../../components/use-action.ts'
import { texts } from '../../../texts.ts'
import { connectionsPath, useAfterChange } from './use-connections.ts'

const words = texts.connections.webhook

interface Props {
  view: ConnectionsView
  canChange: boolean
}

/** How Stripe tells us what happens. Without it payments settle too, only later. */
export function WebhookCard({ view, canChange }: Props): ReactNode {
  const { webhook } = view.payments
  const isActive = webhook.state === 'automatic' || webhook.state === 'manual'
  const badge = (
    <StateBadge state={isActive ? 'live' : 'ended'}>
      {isActive ? texts.connections.connected : words.states.none}
    </StateBadge>
  )
  return (
    <Card title={words.title} lead={words.lead} action={badge}>
      {webhook.state !== 'none' && <p>{words.states[webhook.state]}</p>}
      {!isActive && !webhook.is_public && <Notice>{words.notPublic}</Notice>}
      {!isActive && webhook.is_public && <Missing view={view} canChange={canChange} />}
    </Card>
  )
}

const PROBLEMS: Readonly<Record<WebhookProblem, string>> = {
  address_not_public: words.notPublic,
  no_permission: words.noPermission,
  on_hold: words.onHold,
  failed: words.failed,
}

function Missing({ view, canChange }: Props): ReactNode {
  const { environment } = useAppScope()
  const afterChange = useAfterChange()
  const [problem, setProblem] = useState<WebhookProblem>()
  const { url, events } = view.payments.webhook
  async function change(body: object): Promise<void> {
    const path = connectionsPath(environment, 'payments', 'webhook')
    const { webhook_problem, ...changed } = await send<PaymentsChanged>('POST', path, body)
    setProblem(webhook_problem ?? undefined)
    await afterChange(changed)
    if (webhook_problem === null) toast(words.registered)
  }
  const register = useAction(() => change({}))
  const form = useForm(
    { webhook_secret: '' },
    {
      check: ({ webhook_secret }) => ({ webhook_secret: required(webhook_secret) }),
      send: change,
    },
  )
  return (
    <>
      <p className="text-soft">{words.polling}</p>
      {problem !== undefined && <Notice tone="ending">{PROBLEMS[problem]}</Notice>}
      {register.problem !== undefined && <Notice tone="failed">{register.problem}</Notice>}
      {canChange && (
        <div>
          <Button busy={register.busy} onClick={register.run}>
            {words.register}
          </Button>
        </div>
      )}
      <p>{words.byHand}</p>
      <div className="grid gap-1">
        <span className="font-medium">{words.url}</span>
        <Code code={url} label={words.url} wrap />
      </div>
      <div className="grid gap-1">
        <span className="font-medium">{words.events}</span>
        <Code code={events.join('\n')} label={words.events} />
      </div>
      {canChange && (
        <PageForm form={form} label={words.secret} action={words.save}>
          <PasswordField
            {...form.field('webhook_secret')}
            label={words.secret}
            hint={words.secretHint}
            autoComplete="new-password"
          />
        </PageForm>
      )}
    </>
  )
}
