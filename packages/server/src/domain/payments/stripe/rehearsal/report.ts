import { API_VERSION } from '../connection.ts'
import { describeAnswer } from './recorder.ts'
import type { RehearsalStep } from './rehearsal.ts'

export interface ReportOptions {
  /** The version of Gatehouse. */
  version: string
  /** It names the installation, and is left out. */
  webhookUrl: string | undefined
}

/** Returns a report in Markdown for others to read: codes and ids only. */
export function formatReport(
  steps: readonly RehearsalStep[],
  { version, webhookUrl }: ReportOptions,
): string {
  const toPublic = (text: string) =>
    (webhookUrl === undefined ? text : text.replaceAll(webhookUrl, '(webhook URL)'))
      .replace(/\bacct_\w+/g, '(account)')
      .replace(/\|/g, '\\|')
  const rows = steps.map(({ name, status, message, expected, answers }) => [
    status === 'ok' ? status : `**${status}**`,
    name,
    message,
    expected ?? '',
    answers.map((answer) => `${answer.call}: ${describeAnswer(answer)}`).join('<br>'),
  ])
  const table = [
    ['result', 'step', 'what Gatehouse makes of it', 'expected', "Stripe's answers"],
    ['---', '---', '---', '---', '---'],
    ...rows,
  ].map((cells) => `| ${cells.map(toPublic).join(' | ')} |`)
  return [
    '# Rehearsal with Stripe',
    '',
    `Gatehouse ${version}, Stripe API ${API_VERSION}, ${summarize(steps)}`,
    '',
    ...table,
    '',
  ].join('\n')
}

/** For example `70 ok, 2 differs, 1 failed`. */
export function summarize(steps: readonly RehearsalStep[]): string {
  const counts = (['ok', 'differs', 'failed', 'unknown'] as const).map(
    (wanted) => [steps.filter(({ status }) => status === wanted).length, wanted] as const,
  )
  return counts
    .filter(([count]) => count > 0)
    .map(([count, status]) => `${count} ${status}`)
    .join(', ')
}
