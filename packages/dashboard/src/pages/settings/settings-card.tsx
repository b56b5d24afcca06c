import type { ReactNode } from 'react'
import { Card } from '../../components/display/card.tsx'
import { PageForm } from '../../components/forms/page-form.tsx'
import { texts } from '../../texts.ts'
import type { SettingsForm } from './use-settings.ts'

interface Props<V extends Record<string, string>> {
  title: string
  lead?: string
  form: SettingsForm<V>
  /** A preview of the result, beside the settings on a wide screen and below them on a small one. */
  preview?: ReactNode
  children: ReactNode
}

/** Settings that are saved together. Members who may not change them can still read them. */
export function SettingsCard<V extends Record<string, string>>({
  title,
  lead,
  form,
  preview,
  children,
}: Props<V>): ReactNode {
  const fields = (
    <PageForm
      form={form}
      label={title}
      action={form.canChange ? texts.common.save : undefined}
      disabled={!form.changed}
    >
      <fieldset disabled={!form.canChange} className="grid min-w-0 gap-4">
        <legend className="sr-only">{title}</legend>
        {children}
      </fieldset>
    </PageForm>
  )
  return (
    <Card title={title} {...(lead === undefined ? {} : { lead })}>
      {preview ? (
        <div className="grid items-start gap-x-6 gap-y-4 lg:grid-cols-2">
          {fields}
          {preview}
        </div>
      ) : (
        fields
      )}
    </Card>
  )
}
