import type { PaymentsChanged } from '@gatehouse/server/dashboard-api'
import { type ReactNode, useState } from 'react'
import { send } from '../../../api.ts'
import { useAppScope } from '../../../app-scope.ts'
import { PageForm } from '../../../components/forms/page-form.tsx'
import { PasswordField } from '../../../components/forms/text-field.tsx'
import { required, useForm } from '../../../components/forms/use-form.ts'
import { ConfirmDialog } from '../../../components/overlays/confirm-dialog.tsx'
import { toast } from '../../../components/overlays/toast.tsx'
import { texts } from '../../../texts.ts'
import { isInUse } from './disconnect-dialog.tsx'
import { connectionsPath, useAfterChange } from './use-connections.ts'

interface Props {
  mode: 'live' | 'test'
  isReplacing: boolean
  onDone: () => void
}

const words = texts.connections

/** Takes a key. One of another account is asked about, if something depends on the account before. */
export function StripeForm({ mode, isReplacing, onDone }: Props): ReactNode {
  const { environment } = useAppScope()
  const afterChange = useAfterChange()
  const [atStake, setAtStake] = useState<string>()
  async function connect(key: string, confirm: boolean): Promise<void> {
    const path = connectionsPath(environment, 'payments')
    const body = { secret_key: key, confirm }
    const { webhook_problem: _, ...view } = await send<PaymentsChanged>('PUT', path, body)
    form.reset({ secret_key: '' })
    await afterChange(view)
    toast(words.payments.done)
    onDone()
  }
  const form = useForm(
    { secret_key: '' },
    {
      check: ({ secret_key }) => ({ secret_key: required(secret_key) }),
      send: async ({ secret_key }) => {
        try {
          await connect(secret_key, false)
        } catch (error) {
          if (!isInUse(error)) throw error
          setAtStake(error.message)
        }
      },
    },
  )
  const title = isReplacing ? words.payments.replaceTitle : words.payments.connect
  return (
    <>
      <PageForm
        form={form}
        label={title}
        action={title}
        variant="primary"
        onCancel={isReplacing ? onDone : undefined}
      >
        <PasswordField
          {...form.field('secret_key')}
          label={words.payments.secretKey}
          hint={`${words.payments.secretKeyHint[mode]} ${words.payments.sealed}`}
          autoComplete="new-password"
          spellCheck={false}
        />
      </PageForm>
      <ConfirmDialog
        open={atStake !== undefined}
        onClose={() => setAtStake(undefined)}
        title={words.payments.confirmTitle}
        effect={atStake ?? ''}
        action={words.payments.confirm}
        onConfirm={() => connect(form.values.secret_key, true)}
      />
    </>
  )
}
