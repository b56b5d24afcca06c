import type { ReactNode } from 'react'
import { keys, send } from '../api.ts'
import { Card } from '../components/display/card.tsx'
import { Field } from '../components/forms/field.tsx'
import { PageForm } from '../components/forms/page-form.tsx'
import { TextField } from '../components/forms/text-field.tsx'
import { TextInput } from '../components/forms/text-input.tsx'
import { required, useForm } from '../components/forms/use-form.ts'
import { toast } from '../components/overlays/toast.tsx'
import { useMe } from '../frame/me.ts'
import { queryClient } from '../query-client.ts'
import { texts } from '../texts.ts'

export function NameCard(): ReactNode {
  const { staff } = useMe()
  const form = useForm(
    { name: staff.name },
    {
      check: ({ name }) => ({ name: required(name) }),
      send: async ({ name }) => {
        await send('PATCH', '/me', { name: name.trim() })
        await queryClient.invalidateQueries({ queryKey: keys.me })
        toast(texts.common.saved)
      },
    },
  )
  return (
    <Card title={texts.account.nameTitle}>
      <PageForm
        form={form}
        action={texts.common.save}
        disabled={form.values.name.trim() === staff.name}
      >
        <TextField {...form.field('name')} {...texts.link.name} autoComplete="name" />
        <Field label={texts.link.email} hint={texts.account.emailHint}>
          <TextInput type="email" value={staff.email} readOnly />
        </Field>
      </PageForm>
    </Card>
  )
}
