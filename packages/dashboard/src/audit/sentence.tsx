import type { AuditEntry } from '@gatehouse/server/dashboard-api'
import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { linkClass } from '../components/display/record-links.tsx'
import { formatList, formatMoney } from '../format.ts'
import { ridToSegment } from '../resource-path.ts'
import { AUDIT_SENTENCES, type SentencePart, UNKNOWN_PARTS } from '../texts/sentences.ts'
import { texts } from '../texts.ts'

/** A word of a sentence, and the page of the record that it names. */
interface Word {
  text: string
  to?: string
}

const PART = /\{(\w+)\}/

/** Returns the names and amounts that an entry has. */
function partOf(entry: AuditEntry, part: SentencePart): Word | undefined {
  const { environment, aid, about, member, details } = entry
  const at = (...path: string[]) => `/${environment}/${aid}/${path.join('/')}`
  const record = (list: string, one: { id: string; name: string } | null | undefined) =>
    one
      ? { text: one.name, to: at(list, list === 'resources' ? ridToSegment(one.id) : one.id) }
      : undefined
  switch (part) {
    case 'person':
    case 'into':
      return record('people', about?.[part])
    case 'resource':
      return record('resources', about?.resource)
    case 'file':
      return record('downloads', about?.file)
    case 'member':
      return textOf(member ?? details.email)
    case 'application':
    case 'token':
      return textOf(details.name)
    case 'amount':
      return details.amount === undefined
        ? undefined
        : {
            text: formatMoney({
              amount: Number(details.amount),
              currency: String(details.currency),
            }),
          }
    case 'count':
      return details.revoked === undefined
        ? undefined
        : { text: texts.audit.revokedCount(Number(details.revoked)) }
    case 'copied':
      return details.target === undefined ? undefined : { text: copiedIn(details) }
    case 'target':
      return textOf(details.target)
    case 'settings':
      return details.changed ? { text: settingsIn(String(details.changed)) } : undefined
  }
}

const textOf = (value: unknown): Word | undefined =>
  typeof value === 'string' && value !== '' ? { text: value } : undefined

/** Lists the copied items: `3 resources, the brand and the email templates`. */
const copiedIn = ({ resources, brand, templates }: AuditEntry['details']) =>
  formatList([
    ...(Number(resources ?? 0) > 0 ? [texts.audit.copiedResources(Number(resources))] : []),
    ...(brand === true ? [texts.audit.copiedBrand] : []),
    ...(templates === true ? [texts.audit.copiedTemplates] : []),
  ]) || texts.audit.copiedNothing

/** Names the changed settings: `accent seller_name` becomes “the accent color and the seller’s name”. */
const settingsIn = (changed: string) =>
  formatList(
    changed.split(' ').map((name) => texts.audit.theSetting(texts.audit.settingName(name))),
  )

/** The words of an entry's sentence after the actor's name. */
function wordsOf(entry: AuditEntry): Word[] {
  const sentence = AUDIT_SENTENCES[entry.action] ?? texts.audit.otherAction(entry.action)
  const isDone = entry.outcome === 'done' || entry.outcome === 'begun'
  const parts = (isDone ? sentence : texts.audit.tried(sentence)).split(PART)
  return parts.map((text, i) => {
    // The texts between the parts in braces are at even places.
    if (i % 2 === 0) return { text }
    const part = text as SentencePart
    return partOf(entry, part) ?? { text: UNKNOWN_PARTS[part] }
  })
}

/** The same as text, for a CSV. */
export const sentenceText = (who: string, entry: AuditEntry): string =>
  `${who} ${wordsOf(entry)
    .map(({ text }) => text)
    .join('')}`

/** An entry as a sentence, such as “Petra refunded 1.00 USD to Gina Rossi”, with links to the records that it names. */
export function Sentence({ who, entry }: { who: string; entry: AuditEntry }): ReactNode {
  return (
    <>
      <span className="font-medium">{who}</span>{' '}
      {wordsOf(entry).map(({ text, to }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the words of a sentence don't move.
        <Fragment key={i}>
          {to === undefined ? (
            text
          ) : (
            <Link to={to} className={linkClass}>
              {text}
            </Link>
          )}
        </Fragment>
      ))}
    </>
  )
}
