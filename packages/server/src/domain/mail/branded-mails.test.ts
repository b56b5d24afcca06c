import { describe, expect, it } from 'vitest'
import { HTML_ATTACKS, tagsOf } from '../../testing/browser/tags.ts'
import { linksTo, senderNamed } from '../../testing/mail.ts'
import { type MailSender, renderMessage } from './compose.ts'
import { sampleFiles, sampleMessage } from './content/samples.ts'
import { problemsWithTemplate } from './template.ts'
import { placeholdersOf, STORED_TEMPLATE_KINDS, TEMPLATE_KINDS } from './template-kinds.ts'
import { mailTexts } from './texts.ts'

/** 2027-07-03 23:30 UTC */
const AT = Date.UTC(2027, 6, 3, 23, 30) / 1000
const MANAGE = 'https://example.com/manage/token'
const seller = { name: 'Magazine Ltd.', address: '1 High Street', tax_line: 'VAT 1' }
const FILES = sampleFiles('https://example.com/files/token')

const render = (
  kind: (typeof TEMPLATE_KINDS)[number],
  app: Partial<MailSender> = {},
  { name = 'Magazine', template }: { name?: string; template?: string } = {},
) =>
  renderMessage(
    { aid: 'app1', uid: 'uid1', recipient: 'ann@example.com' },
    sampleMessage(kind, { currency: 'EUR', seller, now: AT }),
    senderNamed(name, app),
    AT,
    linksTo({
      manage: async () => MANAGE,
      files: async ({ uid }) => (uid === 'uid1' ? FILES : []),
      image: (id) => `https://example.com/images/${id}`,
    }),
    template,
  )

describe("the brand of an application's mails", () => {
  it.each(TEMPLATE_KINDS)('is above and below each: %s', async (kind) => {
    const { html, text } = await render(kind, {
      logo_id: 'logo1',
      accent: '#c2185b',
      seller_name: 'Magazine Ltd.',
      seller_address: '1 High Street\nGalway',
      support_email: 'help@magazine.example',
      legal_links: '{"terms":"https://magazine.example/terms","privacy":"javascript:x"}',
    })
    expect(html).toContain('src="https://example.com/images/logo1" alt="Magazine"')
    expect(html).toContain('border-top:4px solid #c2185b')
    expect(html).toContain('@media(prefers-color-scheme:dark)')
    expect(html).toContain('<meta name="color-scheme" content="light dark">')
    expect(html).toContain('href="mailto:help@magazine.example"')
    expect(html).toContain('href="https://magazine.example/terms"')
    expect(html).not.toContain('javascript:')
    expect(html).not.toMatch(/<link|<script|@import|url\(/)
    expect(
      text.endsWith(
        'Magazine Ltd. · 1 High Street · Galway\nQuestions? help@magazine.example\nTerms: https://magazine.example/terms\n',
      ),
    ).toBe(true)
  })

  it.each(HTML_ATTACKS)('stays text, whatever is stored: %s', async (attack) => {
    const branded = (text: string) => ({
      ...{ accent: text, support_email: text, seller_name: text, seller_address: text },
      ...{ time_zone: text, legal_links: JSON.stringify({ terms: text }) },
    })
    const harmless = await render('receipt', branded('x'), { name: 'y' })
    const attacked = await render('receipt', branded(attack), { name: attack })
    expect(tagsOf(attacked.html)).toEqual(tagsOf(harmless.html))
  })

  it('has the time of the application', async () => {
    const { text } = await render('receipt', { time_zone: 'Europe/Berlin' })
    expect(text).toMatch(/^Date: +4 July 2027 at 01:30 CEST$/m)
    const trial = await render('trial_ends', { time_zone: 'America/New_York' })
    expect(trial.subject).toContain('ends on 6 July 2027')
  })
})

describe('the files of a mail', () => {
  it.each(['grant', 'receipt', 'trial_started'] as const)(
    'are listed in both parts: %s',
    async (kind) => {
      const { text, html } = await render(kind)
      expect(text).toContain('Download Issue 7 (PDF, 8.4 MB):\nhttps://example.com/files/token')
      expect(html.match(/href="https:\/\/example\.com\/files\/token"/g)).toHaveLength(2)
    },
  )

  it('are added to a template that was written without them', async () => {
    const { text } = await render('grant', { mail_template: 'Subject: x\n\nOwn words' })
    expect(text).toMatch(/^Own words\n\nDownload Issue 7 \(PDF/)
  })
})

describe("an application's own template of a mail", () => {
  const own = 'Subject: Danke, {{first_name}}\n\n# Hallo\n\nVielen Dank für {{resource}}.'

  it.each(STORED_TEMPLATE_KINDS)('replaces the words, and never the facts: %s', async (kind) => {
    const [template, words] =
      kind === 'address_changed'
        ? [own.replace('resource', 'contact'), 'Magazine']
        : [own, 'Issue 7']
    const { subject, text, html } = await render(kind, {
      mail_templates: JSON.stringify({ [kind]: template }),
    })
    const builtIn = await render(kind)
    expect(subject).toBe('Danke, Ann')
    expect(text.startsWith(`Hallo\n\nVielen Dank für ${words}.\n\n`)).toBe(true)
    expect(html).toMatch(/<h1[^>]*>Hallo<\/h1>/)
    expect(html).toContain('<html>')
    const facts = [...builtIn.text.matchAll(/^[A-Z][a-z ]+: {1,}\S.*$/gm)].map(([line]) => line)
    expect(facts.length).toBeGreaterThan(2)
    for (const line of facts) expect(text).toContain(line)
    expect(text.includes(MANAGE)).toBe(builtIn.text.includes(MANAGE))
    expect(html.includes(MANAGE)).toBe(builtIn.html.includes(MANAGE))
  })

  it('says everything where the template wants it, once', async () => {
    const template = 'Subject: x\n\n{{manage}}\n\n{{facts}}\n\nMehr: {{manage}}'
    const { text, html } = await render('canceled', {}, { template })
    expect(text).toMatch(/^Resume your subscription:\nhttps.*\n\nSubscription: Issue 7\n/)
    expect(text.match(/^Subscription:/gm)).toHaveLength(1)
    expect(html.match(/href="https:\/\/example\.com\/manage\/token"/g)).toHaveLength(2)
  })

  it('is used for its own kind alone', async () => {
    const app = { mail_templates: JSON.stringify({ receipt: own, grant: own, unknown: own }) }
    expect((await render('receipt', app)).subject).toBe('Danke, Ann')
    for (const kind of TEMPLATE_KINDS.filter((one) => one !== 'receipt')) {
      expect((await render(kind, app)).subject).toMatch(/^Magazine: /)
    }
  })
})

describe('a template', () => {
  it.each(TEMPLATE_KINDS)(
    'that is built in has no problem and knows each placeholder: %s',
    (kind) => {
      expect(problemsWithTemplate(mailTexts().templates[kind], kind)).toEqual([])
      const all = placeholdersOf(kind).map((name) => `{{${name}}}`)
      expect(problemsWithTemplate(`Subject: x\n\n${all.join('\n\n')}`, kind)).toEqual([])
    },
  )

  it('has the placeholders of its own kind, and tables on their own', () => {
    const problemOf = (text: string) => problemsWithTemplate(`Subject: x\n\n${text}`, 'refunded')
    expect(problemOf('{{retry}}')).toMatchObject([
      { line: 3, problem: expect.stringContaining('unknown placeholder {{retry}}') },
    ])
    const alone = { problem: '{{facts}} must stand alone, between blank lines' }
    expect(problemOf('a\n\nsee {{facts}}')).toEqual([{ line: 5, ...alone }])
    expect(problemOf('{{facts}}\nand')).toEqual([{ line: 3, ...alone }])
    expect(problemOf('a\n\n{{facts}}\n\nb')).toEqual([])
  })
})
