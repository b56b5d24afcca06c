import type { ConsoleResponse } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { toSentence } from '../../api.ts'
import { Card } from '../../components/display/card.tsx'
import { Code } from '../../components/display/code-box.tsx'
import { type BadgeState, StateBadge } from '../../components/display/state-badge.tsx'
import { texts } from '../../texts.ts'

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** The API's error about a parameter, by parameter name, to be shown at its field. */
export function parameterErrors({
  status,
  body,
}: ConsoleResponse): Readonly<Record<string, string>> {
  if (status !== 400) return {}
  const { error } = (parsed(body) ?? {}) as { error?: { message?: string; parameter?: string } }
  const { parameter, message } = error ?? {}
  if (parameter === undefined || message === undefined) return {}
  // The message starts with the name of the parameter, which the field's label already shows.
  const prefix = `${parameter}: `
  const problem = message.startsWith(prefix) ? message.slice(prefix.length) : message
  return { [parameter]: toSentence(problem) }
}

function pretty(body: string): string {
  const value = parsed(body)
  return value === undefined ? body : JSON.stringify(value, null, 2)
}

function stateOf(status: number): BadgeState {
  if (status < 400) return 'live'
  return status < 500 ? 'ending' : 'failed'
}

export function ConsoleResponseCard({ answer }: { answer: ConsoleResponse }): ReactNode {
  const { status, took_ms, signed_string, authorization, curl, body, headers } = answer
  const isMasked = authorization.endsWith('…')
  return (
    <Card
      title={texts.developers.answerTitle}
      action={
        <span role="status" className="flex items-center gap-2 tabular-nums">
          <StateBadge state={stateOf(status)}>{status}</StateBadge>
          <span className="text-soft">{texts.developers.took(took_ms)}</span>
        </span>
      }
    >
      <Part title={texts.developers.body}>
        {body === '' ? (
          <p className="text-soft">{texts.developers.noBody}</p>
        ) : (
          <Code code={pretty(body)} label={texts.developers.body} />
        )}
      </Part>
      <Part title={texts.developers.signedString}>
        <Code wrap code={signed_string} label={texts.developers.signedString} />
      </Part>
      <Part title={texts.developers.authorization}>
        <Code wrap code={authorization} label={texts.developers.authorization} />
      </Part>
      <Part title={texts.developers.curl}>
        <Code wrap code={curl} label={texts.developers.curl} />
        {isMasked && <p className="text-soft">{texts.developers.masked}</p>}
      </Part>
      <details>
        <summary className="py-0.5 font-medium">{texts.developers.headers}</summary>
        <dl className="mt-2 grid gap-x-4 gap-y-1 font-mono text-[0.8125rem] sm:grid-cols-[auto_minmax(0,1fr)]">
          {Object.entries(headers).map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-soft">{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </Card>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <div className="grid min-w-0 gap-1">
      <h3 className="font-medium">{title}</h3>
      {children}
    </div>
  )
}
