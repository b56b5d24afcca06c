import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/display/card.tsx'
import { Notice } from '../../components/display/notice.tsx'
import { texts } from '../../texts.ts'
import type { SettingsForm } from './use-settings.ts'

interface Props<V extends Record<string, string>> {
  title: string
  lead?: string
  form: SettingsForm<V>
  canChange: boolean
  /** What the settings look like, beside them on a wide screen and below them on a small one. */
  preview?: ReactNode
  children: ReactNode
}

/** Settings that are saved together. Members who may not change them can still read them. */
export function SettingsCard<V extends Record<string, string>>({
  title,
  lead,
  form,
  canChange,
  preview,
  children,
}: Props<V>): ReactNode {
  const fields = (
    <form onSubmit={form.onSubmit} noValidate aria-label={title} className="grid min-w-0 gap-4">
      <fieldset disabled={!canChange} className="grid min-w-0 gap-4">
        <legend className="sr-only">{title}</legend>
        {children}
      </fieldset>
      {form.problem !== undefined && <Notice tone="failed">{form.problem}</Notice>}
      {canChange && (
        <div>
          <Button type="submit" busy={form.busy} disabled={!form.changed}>
            {texts.common.save}
          </Button>
        </div>
      )}
    </form>
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
