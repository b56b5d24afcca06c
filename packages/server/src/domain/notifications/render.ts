import { DEFAULT_LANGUAGE } from '../../language.ts'
import { footerText } from '../mail/footer.ts'
import {
  createMailHtml,
  escapeHtml,
  type Fact,
  type FooterLine,
  factsHtml,
  headingHtml,
  paragraphHtml,
  type RenderedMail,
} from '../mail/html.ts'
import { oneLine, subjectLine } from '../mail/plain-text.ts'
import { factsText } from '../mail/template.ts'

/** The content of an email to staff. It looks like the emails to readers, without anybody's brand. */
export interface StaffMailContent {
  /** Shown on top: the product, or the application that it is about. */
  name: string
  subject: string
  heading: string
  paragraphs: readonly string[]
  facts: readonly Fact[]
  button: { url: string; label: string }
  /** Below the button. */
  notes: readonly string[]
  footer: readonly FooterLine[]
}

/** Texts of an application or a reader, such as the name of a resource, become one line each. */
export function renderStaffMail(content: StaffMailContent): RenderedMail {
  const { button, footer } = content
  const frame = { brand: { name: oneLine(content.name), accent: null }, logoUrl: '', footer }
  const html = createMailHtml(frame)
  const subject = subjectLine(content.subject)
  const heading = oneLine(content.heading)
  const [paragraphs, notes] = [content.paragraphs.map(oneLine), content.notes.map(oneLine)]
  const facts = content.facts.map((fact) => ({ ...fact, lines: fact.lines.map(oneLine) }))
  const inHtml = (texts: readonly string[]) => texts.map((text) => paragraphHtml(escapeHtml(text)))
  const hasFacts = facts.length > 0
  return {
    subject,
    text: `${[
      ...[heading, ...paragraphs, ...(hasFacts ? [factsText(facts)] : [])],
      ...[`${button.label}:\n${button.url}`, ...notes, footerText(footer)],
    ].join('\n\n')}\n`,
    html: html.page(subject, DEFAULT_LANGUAGE, [
      ...[headingHtml(heading), ...inHtml(paragraphs), ...(hasFacts ? [factsHtml(facts)] : [])],
      ...[html.button(button.url, button.label), ...inHtml(notes)],
    ]),
  }
}
