import type { ReactNode } from 'react'
import { keys, send } from '../api.ts'
import { Button } from '../components/button.tsx'
import { Card } from '../components/display/card.tsx'
import { Notice } from '../components/display/notice.tsx'
import { Field } from '../components/forms/field.tsx'
import { TextInput } from '../components/forms/text-input.tsx'
import { required, useForm } from '../components/forms/use-form.ts'
import { toast } from '../components/overlays/toast.tsx'
import { useMe } from '../frame/me.ts'
import { queryClient } from '../query-client.ts'
import { passwordProblem } from '../sign-in/password-rules.ts'
import { texts } from '../texts.ts'

const EMPTY = { current: '', next: '' }

export function PasswordCard(): ReactNode {
  const { staff } = useMe()
  const form = useForm(EMPTY, {
    check: ({ current, next }) => ({
      current: required(current),
      next: passwordProblem(next, staff.email),
    }),
    send: async (typed) => {
      await send('POST', '/password', typed)
      form.reset(EMPTY)
      await queryClient.invalidateQueries({ queryKey: keys.staff('sessions') })
      toast(texts.account.changed)
    },
  })
  return (
    <Card title={texts.account.passwordTitle}>
      <form onSubmit={form.onSubmit} noValidate className="grid gap-4">
        {/* Tells password managers which account the password belongs to. */}
        <input type="text" autoComplete="username" value={staff.email} readOnly hidden />
        <Field label={texts.account.current} error={form.errorOf('current')}>
          <TextInput type="password" autoComplete="current-password" {...form.bind('current')} />
        </Field>
        <Field
          label={texts.account.next}
          hint={texts.link.passwordHint}
          error={form.errorOf('next')}
        >
          <TextInput type="password" autoComplete="new-password" {...form.bind('next')} />
        </Field>
        {form.problem !== undefined && <Notice tone="failed">{form.problem}</Notice>}
        <div>
          <Button type="submit" busy={form.busy}>
            {texts.account.change}
          </Button>
        </div>
      </form>
    </Card>
  )
}
