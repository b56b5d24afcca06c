import type { WebhookItem, WebhookTest, WebhookWithSecret } from '@gatehouse/server/dashboard-api'
import { useNavigate } from '@tanstack/react-router'
import { Send } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { keys, send } from '../../../api.ts'
import { useAppScope } from '../../../app-scope.ts'
import { ActionButton } from '../../../components/action-button.tsx'
import { Button } from '../../../components/button.tsx'
import { Code } from '../../../components/display/code-box.tsx'
import { Notice } from '../../../components/display/notice.tsx'
import { SelectField } from '../../../components/forms/select-field.tsx'
import { ConfirmDialog, type DialogState } from '../../../components/overlays/confirm-dialog.tsx'
import { Dialog, DialogButtons } from '../../../components/overlays/dialog.tsx'
import { MoreMenu } from '../../../components/overlays/menu.tsx'
import { toast } from '../../../components/overlays/toast.tsx'
import { toastOnError } from '../../../components/overlays/toast-on-error.ts'
import { useApplication } from '../../../frame/me.ts'
import { queryClient } from '../../../query-client.ts'
import { texts } from '../../../texts.ts'
import { OVERLAPS } from '../overlaps.ts'
import { ReplayDialog } from './replay-dialog.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { WebhookFormDialog } from './webhook-form.tsx'

const words = texts.webhooks

type Asked = 'edit' | 'rotate' | 'replay' | 'disable' | 'remove'

/** The buttons of an endpoint's page, and the dialogs that they open. */
export function WebhookActions({ webhook }: { webhook: WebhookItem }): ReactNode {
  const { environment, aid, path } = useAppScope()
  const archived = useApplication()?.archived ?? false
  const [asked, setAsked] = useState<Asked>()
  const [secret, setSecret] = useState<string>()
  const dialog = (name: Asked) => ({ open: asked === name, onClose: () => setAsked(undefined) })
  const refresh = () =>
    queryClient.invalidateQueries({ queryKey: keys.of(environment, aid, 'webhooks') })
  if (archived) return null
  const isOff = webhook.state === 'off' || webhook.state === 'disabled'
  const enable = async () => {
    await send('POST', path('webhooks', webhook.id, 'enable'))
    await refresh()
    toast(words.enabled)
  }
  const items = [
    { label: words.edit, onSelect: () => setAsked('edit') },
    { label: words.rotate, onSelect: () => setAsked('rotate') },
    ...(isOff ? [] : [{ label: words.replay, onSelect: () => setAsked('replay') }]),
    isOff
      ? { label: words.enable, onSelect: () => void toastOnError(enable()) }
      : { label: words.disable, onSelect: () => setAsked('disable') },
    { label: words.remove, danger: true, apart: true, onSelect: () => setAsked('remove') },
  ]
  return (
    <>
      <TestButton id={webhook.id} />
      <MoreMenu label={words.actions} items={items} />
      <WebhookFormDialog
        {...dialog('edit')}
        webhook={webhook}
        onSaved={async () => {
          await refresh()
          toast(words.saved)
        }}
      />
      <RotateSecretDialog
        {...dialog('rotate')}
        id={webhook.id}
        onMade={async (made) => {
          await refresh()
          setSecret(made)
        }}
      />
      <ReplayDialog {...dialog('replay')} webhook={webhook} onStarted={refresh} />
      <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />
      <ConfirmDialog
        {...dialog('disable')}
        title={words.disableTitle(webhook.url)}
        effect={words.disableEffect}
        action={words.disable}
        onConfirm={async () => {
          await send('POST', path('webhooks', webhook.id, 'disable'))
          await refresh()
        }}
      />
      <RemoveDialog {...dialog('remove')} webhook={webhook} />
    </>
  )
}

function RemoveDialog({ webhook, ...state }: DialogState & { webhook: WebhookItem }): ReactNode {
  const { environment, aid, path } = useAppScope()
  const navigate = useNavigate()
  return (
    <ConfirmDialog
      {...state}
      title={words.removeTitle(webhook.url)}
      effect={words.removeEffect}
      action={words.remove}
      onConfirm={async () => {
        await send('DELETE', path('webhooks', webhook.id))
        await navigate({ to: path('developers'), search: { tab: 'webhooks' } as never })
        queryClient.removeQueries({ queryKey: keys.of(environment, aid, 'webhooks') })
        toast(words.removed)
      }}
    />
  )
}

const DAY = '86400'

function RotateSecretDialog({
  id,
  onMade,
  ...state
}: DialogState & { id: string; onMade: (secret: string) => Promise<unknown> }): ReactNode {
  const { path } = useAppScope()
  const [overlap, setOverlap] = useState(DAY)
  return (
    <ConfirmDialog
      {...state}
      title={words.rotateTitle}
      effect={words.rotateEffect}
      action={words.rotate}
      variant={overlap === '0' ? 'danger' : 'primary'}
      onConfirm={async () => {
        const body = { overlap: Number(overlap) }
        const made = await send<WebhookWithSecret>('POST', path('webhooks', id, 'rotate'), body)
        await onMade(made.secret)
      }}
    >
      <SelectField
        label={words.rotateOverlap}
        options={OVERLAPS}
        value={overlap}
        onChange={({ target }) => setOverlap(target.value)}
      />
    </ConfirmDialog>
  )
}

function TestButton({ id }: { id: string }): ReactNode {
  const { path } = useAppScope()
  const [outcome, setOutcome] = useState<WebhookTest>()
  const test = async () => setOutcome(await send<WebhookTest>('POST', path('webhooks', id, 'test')))
  const close = () => setOutcome(undefined)
  return (
    <>
      <ActionButton variant="primary" icon={Send} action={test}>
        {words.test}
      </ActionButton>
      <Dialog open={outcome !== undefined} onClose={close} title={words.testTitle}>
        {outcome && <TestOutcome outcome={outcome} />}
        <DialogButtons>
          <Button variant="primary" onClick={close}>
            {words.done}
          </Button>
        </DialogButtons>
      </Dialog>
    </>
  )
}

function TestOutcome({ outcome }: { outcome: WebhookTest }): ReactNode {
  const { status, error, response, duration_ms } = outcome
  const isGood = status !== null && status >= 200 && status < 300
  return (
    <>
      <Notice tone={isGood ? 'plain' : 'failed'}>
        {status === null
          ? error
          : isGood
            ? words.testOk(status, duration_ms)
            : words.testFailed(status)}
      </Notice>
      {response && <Code code={response} label={words.response} wrap />}
    </>
  )
}
