import { type Brand, LEGAL_LINKS, mailtoUrl } from '../brand/brand.ts'
import type { FooterLine } from './html.ts'
import { oneLine } from './plain-text.ts'
import { mailTexts } from './texts.ts'

/** The seller's lines below every mail: who sells, where to get help, and the legal pages. */
export function footerOf({ name, seller, supportEmail, legalLinks }: Brand): FooterLine[] {
  const texts = mailTexts().footer
  const legal = LEGAL_LINKS.flatMap((kind) => {
    const url = legalLinks[kind]
    return url === undefined ? [] : [{ text: texts.legal[kind], url }]
  })
  const lines = seller.map(oneLine)
  // The name of the application alone stands in the mail already.
  const isPlain = lines.length === 1 && lines[0] === oneLine(name)
  return [
    isPlain ? [] : lines.map((text) => ({ text })),
    supportEmail === null
      ? []
      : [{ text: texts.support(supportEmail), url: mailtoUrl(supportEmail) }],
    legal,
  ].filter((line) => line.length > 0)
}

/** The same lines in the text part. Links name their URL. */
export const footerText = (lines: readonly FooterLine[]): string =>
  lines
    .map((line) =>
      line
        .map(({ text, url }) => (url?.startsWith('http') ? `${text}: ${url}` : text))
        .join(line.some(({ url }) => url?.startsWith('http')) ? '\n' : ' · '),
    )
    .join('\n')
