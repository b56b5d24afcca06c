import type { ReactNode } from 'react'
import { TextAreaField, UrlField } from '../../components/forms/text-field.tsx'
import type { Form } from '../../components/forms/use-form.ts'
import { texts } from '../../texts.ts'
import type { ResourceFields } from './resource-fields.ts'

/** The fields that describe a resource, besides its name. */
export function ResourceFieldInputs({
  form,
}: {
  form: Pick<Form<ResourceFields>, 'field'>
}): ReactNode {
  return (
    <>
      <UrlField {...form.field('url')} {...texts.resources.url} optional />
      <TextAreaField
        {...form.field('description')}
        {...texts.resources.description}
        optional
        rows={3}
      />
      <UrlField {...form.field('image')} {...texts.resources.image} optional />
    </>
  )
}
