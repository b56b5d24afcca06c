import { describe, expect, it } from 'vitest'
import { linksTo, senderNamed } from '../../../testing/mail.ts'
import { maskAddress } from '../../users/address-mails.ts'
import { renderMessage } from '../compose.ts'

/** 2027-07-03 23:30 UTC */
const AT = Date.UTC(2027, 6, 3, 23, 30) / 1000

const render = (role: 'removed' | 'added', other: string, supportEmail: string | null = null) =>
  renderMessage(
    { aid: 'app1', uid: 'uid1', recipient: 'gina@mine.example' },
    { kind: 'address_changed', payload: { at: AT, first_name: 'Gina', role, other } },
    senderNamed('Magazine', { support_email: supportEmail }),
    AT,
    linksTo(),
  )

describe('the mail about a changed address', () => {
  it('tells the old address that it is no longer used, and whom to write to', async () => {
    const { subject, text } = await render('removed', 'g…@e….com', 'help@magazine.example')
    expect(subject).toBe('Magazine: your email address was changed')
    expect(text).toBe(`Your email address was changed

Hello Gina,

gina@mine.example is no longer the email address of your account at Magazine. Emails about your account now go to your new address.

Old address: gina@mine.example
New address: g…@e….com
Date:        3 July 2027 at 23:30 UTC

If you did not ask for this change, please contact help@magazine.example.

Sent by Magazine.

Questions? help@magazine.example
`)
  })

  it('tells the new address what it is for', async () => {
    const { text } = await render('added', 'g…@e….com')
    expect(text).toContain(
      'gina@mine.example is now the email address of your account at Magazine.',
    )
    expect(text).not.toContain('no longer')
    expect(text).toMatch(/^Old address: g…@e….com\nNew address: gina@mine.example$/m)
    expect(text).toContain('please contact Magazine.')
  })

  it('names no old address if there was none', async () => {
    const { text } = await render('added', '')
    expect(text).not.toContain('Old address')
    expect(text).toContain('New address: gina@mine.example')
  })
})

describe('an address of which most is left out', () => {
  it.each([
    ['gina@mail.example', 'g…@m….example'],
    ['g@x.co.uk', 'g…@x….uk'],
    ['ö@müller.example', 'ö…@m….example'],
    ['😀a@b.example', '😀…@b….example'],
    ['gina@localhost', 'g…@l…'],
  ])('of %s is %s', (address, masked) => {
    expect(maskAddress(address)).toBe(masked)
  })
})
