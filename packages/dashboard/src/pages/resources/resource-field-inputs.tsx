import type { ReactNode } from 'react'
import { Field } from '../../components/forms/field.tsx'
import { TextArea, TextInput } from '../../components/forms/text-input.tsx'
import type { Form } from '../../components/forms/use-form.ts'
import { texts } from '../../texts.ts'
import type { ResourceFields } from './resource-fields.ts'

/** The fields that describe a resource, besides its name. */
export function ResourceFieldInputs({
  form,
}: {
  form: Pick<Form<ResourceFields>, 'bind' | 'errorOf'>
}): ReactNode {
  return (
    <>
      <Field
        label={texts.resources.url}
        hint={texts.resources.urlHint}
        error={form.errorOf('url')}
        optional
      >
        <TextInput type="url" inputMode="url" autoComplete="off" {...form.bind('url')} />
      </Field>
      <Field
        label={texts.resources.description}
        hint={texts.resources.descriptionHint}
        error={form.errorOf('description')}
        optional
      >
        <TextArea rows={3} {...form.bind('description')} />
      </Field>
      <Field
        label={texts.resources.image}
        hint={texts.resources.imageHint}
        error={form.errorOf('image')}
        optional
      >
        <TextInput type="url" inputMode="url" autoComplete="off" {...form.bind('image')} />
      </Field>
    </>
  )
}
