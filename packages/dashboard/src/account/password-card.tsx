import type { ReactNode } from 'react'
import { keys, send } from '../api.ts'
import { Card } from '../components/display/card.tsx'
import { PageForm } from '../components/forms/page-form.tsx'
import { PasswordField } from '../components/forms/text-field.tsx'
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
      <PageForm form={form} action={texts.account.change}>
        {/* Tells password managers which account the password belongs to. */}
        <input type="text" autoComplete="username" value={staff.email} readOnly hidden />
        <PasswordField
          {...form.field('current')}
          label={texts.account.current}
          autoComplete="current-password"
        />
        <PasswordField
          {...form.field('next')}
          label={texts.account.next}
          hint={texts.link.password.hint}
          autoComplete="new-password"
        />
      </PageForm>
    </Card>
  )
}
