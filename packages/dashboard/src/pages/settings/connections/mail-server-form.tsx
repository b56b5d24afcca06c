import type { ConnectionsView, MailView } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { send } from '../../../api.ts'
import { useAppScope } from '../../../app-scope.ts'
import { PageForm } from '../../../components/forms/page-form.tsx'
import { optionsOf } from '../../../components/forms/select.tsx'
import { SelectField } from '../../../components/forms/select-field.tsx'
import { PasswordField, TextField } from '../../../components/forms/text-field.tsx'
import { required, useForm } from '../../../components/forms/use-form.ts'
import { toast } from '../../../components/overlays/toast.tsx'
import { texts } from '../../../texts.ts'
import { connectionsPath, useAfterChange } from './use-connections.ts'

const words = texts.connections.mail
const SECURITIES = optionsOf(words.securities)
const USUAL_PORTS: Readonly<Record<string, string>> = { tls: '465', starttls: '587', none: '25' }

const portProblem = (text: string) =>
  /^\d{1,5}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= 65_535
    ? undefined
    : words.portWrong

interface Props {
  mail: MailView
  onDone: () => void
  onCancel: (() => void) | undefined
}

function initialValues(mail: MailView) {
  const isStored = mail.source === 'staff'
  return {
    host: mail.host ?? '',
    port: String(mail.port ?? USUAL_PORTS.tls),
    security: mail.security ?? 'tls',
    user: mail.user ?? '',
    password: '',
    sender: isStored ? mail.sender : '',
  } as Record<'host' | 'port' | 'security' | 'user' | 'password' | 'sender', string>
}

export function MailServerForm({ mail, onDone, onCancel }: Props): ReactNode {
  const { environment } = useAppScope()
  const afterChange = useAfterChange()
  const isReplacing = mail.source === 'staff'
  const form = useForm(initialValues(mail), {
    check: ({ host, port, sender }) => ({
      host: required(host),
      port: portProblem(port),
      sender: required(sender),
    }),
    send: async ({ port, password, ...typed }) => {
      const secret = password === '' ? {} : { password }
      const body = { ...typed, ...secret, port: Number(port) }
      await afterChange(
        await send<ConnectionsView>('PUT', connectionsPath(environment, 'mail'), body),
      )
      toast(words.done)
      onDone()
    },
  })
  /** The usual port follows the kind of security, unless another one was typed. */
  const setSecurity = (security: string) => {
    if (form.values.port === USUAL_PORTS[form.values.security]) {
      form.set('port', USUAL_PORTS[security] ?? '')
    }
    form.set('security', security)
  }
  const title = isReplacing ? words.change : words.connect
  return (
    <PageForm form={form} label={title} action={title} variant="primary" onCancel={onCancel}>
      <TextField {...form.field('host')} {...words.host} spellCheck={false} />
      <div className="grid items-start gap-3 sm:grid-cols-[minmax(0,1fr)_7rem]">
        <SelectField
          label={words.security}
          options={SECURITIES}
          {...form.field('security')}
          onChange={({ target }) => setSecurity(target.value)}
        />
        <TextField {...form.field('port')} label={words.port} inputMode="numeric" />
      </div>
      <TextField {...form.field('user')} label={words.user} optional spellCheck={false} />
      <PasswordField
        {...form.field('password')}
        label={words.password}
        hint={isReplacing && mail.user !== null ? words.passwordKept : words.passwordHint}
        autoComplete="new-password"
      />
      <TextField {...form.field('sender')} {...words.sender} />
    </PageForm>
  )
}
