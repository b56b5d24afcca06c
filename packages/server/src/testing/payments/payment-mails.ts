import { composeMail } from '../../domain/mail/compose.ts'
import type { MailRow } from '../../domain/mail/outbox.ts'
import type { MailPayloads } from '../../domain/mail/payloads.ts'
import { linksTo, senderNamed } from '../mail.ts'
import { DAY } from '../time.ts'

export const AT = Date.UTC(2027, 2, 3, 9) / 1000
export const MANAGE = 'https://example.com/manage/sub1.token'

const common = { at: AT, resource: 'The news', first_name: 'Ann', amount: 499, currency: 'EUR' }
const seller = {
  name: 'Magazine Ltd.',
  address: '12 Harbour Street\r\nGalway\n\nIreland\n',
  tax_line: 'VAT IE1234567X',
}

export type Payloads = Omit<MailPayloads, 'grant' | 'address_changed'>
export type Kind = keyof Payloads

export const plain: Payloads = {
  receipt: {
    ...common,
    ...{ payment: 'pay1', url: 'https://example.com/news?a=1&b=2', ends: AT + 31 * DAY },
    ...{ subscription: 'sub1', period: '1 month', price: 499, seller },
  },
  payment_failed: {
    ...common,
    ...{ subscription: 'sub1', failure: 'declined', retry: AT + DAY, ends: AT + 7 * DAY },
  },
  trial_ends: { ...common, subscription: 'sub1', period: '1 month', ends: AT + 3 * DAY },
  canceled: { ...common, subscription: 'sub1', ends: AT + 20 * DAY },
  refunded: { ...common, payment: 'pay1', reason: null, seller },
}
export const KINDS = Object.keys(plain) as Kind[]

export async function render<K extends Kind>(
  kind: K,
  changes: Partial<Payloads[K]> = {},
  name = 'Magazine',
) {
  const payload = JSON.stringify({ ...plain[kind], ...changes })
  const row = { id: 'mail1', aid: 'app1', kind, recipient: 'ann@example.com', payload } as MailRow
  const app = senderNamed(name)
  const links = linksTo({ manage: async () => MANAGE })
  // Sent a year late, which must not change the text.
  return await composeMail(row, app, 'post@example.com', AT + 365 * DAY, links)
}
