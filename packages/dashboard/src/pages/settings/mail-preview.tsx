import type { MailPreview, TemplateKind } from '@gatehouse/server/dashboard-api'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { keys, send } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { HtmlFrame } from '../../components/display/html-frame.tsx'
import { Skeleton } from '../../components/display/skeleton.tsx'
import { Tabs } from '../../components/display/tabs.tsx'
import { useDebounced } from '../../components/use-debounced.ts'
import { useApplication } from '../../frame/me.ts'
import { texts } from '../../texts.ts'

const DEBOUNCE_MS = 250

/** Renders a template with sample data, or reports what is wrong with it. */
export function useMailPreview(
  template: string,
  enabled: boolean,
  more: { kind?: TemplateKind; accent?: string } = {},
): MailPreview | undefined {
  const { environment, aid, path } = useAppScope()
  const name = useApplication()?.name
  const settled = useDebounced(template, DEBOUNCE_MS)
  const { kind, accent } = more
  const { data } = useQuery({
    queryKey: keys.of(environment, aid, 'mail-preview', name, settled, kind, accent),
    queryFn: () =>
      send<MailPreview>('POST', path('settings', 'mail-preview'), { ...more, template: settled }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    gcTime: 60_000,
    enabled,
  })
  return data
}

interface Props {
  preview: MailPreview | undefined
  from: string
  /** The kind of email. */
  name: string
}

export function MailPreviewBox({ preview, from, name }: Props): ReactNode {
  const label = texts.settings.previewOf(name)
  return (
    <section aria-label={label} className="grid min-w-0 gap-3">
      <div>
        <h3 className="font-medium">{texts.settings.preview}</h3>
        <p className="text-soft">{texts.settings.previewHint}</p>
      </div>
      {preview === undefined && <Skeleton lines={6} />}
      {preview?.ok === false && (
        <p className="rounded-lg border border-dashed border-line px-3 py-8 text-center text-soft">
          {texts.settings.previewNone}
        </p>
      )}
      {preview?.ok && (
        <>
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4">
            <dt className="text-soft">{texts.settings.from}</dt>
            <dd>{from}</dd>
            <dt className="text-soft">{texts.settings.subject}</dt>
            <dd className="font-medium">{preview.subject}</dd>
          </dl>
          <Tabs
            label={label}
            tabs={[
              {
                id: 'html',
                label: texts.settings.previewHtml,
                content: <HtmlFrame html={preview.html} title={texts.settings.previewTitle} />,
              },
              {
                id: 'text',
                label: texts.settings.previewText,
                content: (
                  <pre className="rounded-lg border border-line bg-paper p-3 font-mono text-[0.8125rem] whitespace-pre-wrap">
                    {preview.text}
                  </pre>
                ),
              },
            ]}
          />
        </>
      )}
    </section>
  )
}
