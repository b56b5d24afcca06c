import type { RevokePreview } from '@gatehouse/server/dashboard-api'
import { describe, expect, it } from 'vitest'
import { addUp, describeMails } from './revoke-effect.ts'

const paid = (disputed = false) => ({
  ...{ payment_id: 'p', amount: { amount: 499, currency: 'EUR' }, created: 0, disputed },
})
const preview = (more: Partial<RevokePreview>) =>
  ({
    subscriptions: [],
    refundable: [],
    refund_mail_to: 'ann@example.com',
    ...more,
  }) as unknown as RevokePreview

describe('the emails of a revoke', () => {
  const one = preview({ refundable: [paid()] })
  it.each([
    [[preview({})], true, true, 'No email is sent.'],
    [[one], false, true, 'No email is sent.'],
    [[one], true, true, 'ann@example.com gets an email about the refund. No other email is sent.'],
    [[one, one], true, true, '2 emails about the refunds are sent, and no others.'],
    [[preview({ refundable: [paid(true)] })], true, true, 'No email is sent.'],
    [
      [preview({ refundable: [paid(true), paid()] })],
      true,
      true,
      'ann@example.com gets an email about the refund. No other email is sent.',
    ],
    [[one], true, false, 'No email about the refund is sent, because no mail server is set up.'],
    [
      [preview({ refundable: [paid()], refund_mail_to: null })],
      true,
      true,
      'No email is sent, because no email address is known.',
    ],
  ])('are those that go out, case %#', (previews, refund, isSent, told) =>
    expect(describeMails(addUp(previews), refund, isSent)).toBe(told),
  )
})
