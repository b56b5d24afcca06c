import type { Formats } from '../../brand/formats.ts'
import type { Fact, LinkedFile } from '../html.ts'
import { oneLine, webAddress } from '../plain-text.ts'
import type { MailContent, MailLink } from '../template.ts'
import type { TemplateKind } from '../template-kinds.ts'

/** The facts that the content of every mail depends on besides its payload. */
export interface MailSetting {
  application: string
  formats: Formats
  /** The URL where the reader manages the subscription, or empty. */
  manage: string
  files: readonly LinkedFile[]
}

export const fact = (label: string, ...lines: readonly string[]): Fact => ({ label, lines })
export const total = (label: string, line: string): Fact => ({ label, lines: [line], total: true })

interface RawContent {
  kind: TemplateKind
  values: Readonly<Record<string, string>>
  links?: Readonly<Record<string, MailLink>>
  facts?: readonly Fact[]
}

/** Reduces each value to one line, and leaves out what is empty. Only URLs of the web become links. */
export function toContent(setting: MailSetting, raw: RawContent): MailContent {
  const { application, files } = setting
  const facts = (raw.facts ?? []).map((one) => ({
    ...one,
    lines: one.lines.map(oneLine).filter((line) => line !== ''),
  }))
  const links = Object.entries(raw.links ?? {}).filter(([, { url }]) => webAddress(url) !== '')
  const values = Object.entries({ application, ...raw.values })
  return {
    kind: raw.kind,
    values: Object.fromEntries(values.map(([name, value]) => [name, oneLine(value)])),
    links: Object.fromEntries(links),
    facts: facts.filter(({ lines }) => lines.length > 0),
    files: files.map((file) => ({ ...file, title: oneLine(file.title) })),
  }
}

const MAX_GREETED_NAME = 60
/** Text that mail programs turn into a link. */
const LOOKS_LIKE_LINK = /[/:@\\]|\.\p{L}{2}/u

/** A buyer can enter any name and anyone's address, so a greeting must not be able to carry an advertisement. */
export function greetedName(firstName: string): string {
  const name = oneLine(firstName)
  return name.length > MAX_GREETED_NAME || LOOKS_LIKE_LINK.test(name) ? '' : name
}

export const buttonTo = (url: string, label: string): MailLink => ({ url, label, look: 'button' })
export const linkTo = (url: string, label: string): MailLink => ({ url, label, look: 'link' })
