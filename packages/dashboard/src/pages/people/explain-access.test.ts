import type {
  AccessDetails,
  PersonDetails,
  Reading,
  SourceItem,
} from '@gatehouse/server/dashboard-api'
import { describe, expect, it } from 'vitest'
import { explainAccess, refusedAdvice } from './explain-access.ts'

const on = (month: number, day: number) => Date.UTC(2027, month - 1, day, 12) / 1000
const NOW = on(3, 3)

function source(more: Partial<SourceItem>): SourceItem {
  const blank = { starts: null, expires: null, closed: null, payment: null, subscription: null }
  return { id: 's', kind: 'grant', created: on(2, 3), ...blank, ...more }
}

const paid = (status: string) => ({ id: 'p', amount: { amount: 999, currency: 'EUR' }, status })
const subscribed = (status: string) => ({ id: 'b', status, current_period_end: on(4, 3) })

type Subscription = PersonDetails['subscriptions'][number]

interface Case {
  code: Reading['code']
  sources?: SourceItem[]
  expires?: number | null
  revoked?: number | null
  renews?: number | null
  since?: number
  pass?: string
  subscription?: Partial<Subscription>
}

function tell({ code, sources = [], expires = null, subscription, ...rest }: Case): string {
  const { revoked = null, renews = null, since = null, pass } = rest
  const via = pass === undefined ? { via: null, pass_name: null } : { via: 'p', pass_name: pass }
  const record = {
    rid: via.via ?? 'news',
    expires,
    revoked,
    renews,
    sources,
  } as unknown as AccessDetails
  const person = {
    access: [record],
    subscriptions: subscription ? [{ id: 'b', canceled: null, tries: 0, ...subscription }] : [],
  } as unknown as PersonDetails
  const reading = { rid: 'news', code, expires, since, ...via } as Reading
  return explainAccess(person, reading, NOW, 'UTC')
}

describe('why somebody has access', () => {
  it('names all that holds it open, the longest first, and nothing that is over', () =>
    expect(
      tell({
        code: 'subscribed',
        expires: on(4, 3),
        sources: [
          source({ expires: on(3, 9) }),
          source({ kind: 'purchase', expires: on(3, 1), payment: paid('succeeded') }),
          source({ kind: 'subscription', expires: on(4, 3), subscription: subscribed('active') }),
        ],
      }),
    ).toBe(
      'Has access until 3 Apr 2027, through a subscription paid until 3 Apr 2027 and a grant on 3 Feb 2027.',
    ))

  it.each([
    ['active', 'a subscription that renews on 3 Apr 2027'],
    ['trialing', 'a free trial that becomes a paid subscription on 3 Apr 2027'],
  ])('names no end if a subscription that is %s renews it', (status, told) => {
    const subscription = subscribed(status)
    const sources = [source({ kind: 'subscription', expires: on(4, 3), subscription })]
    const renewed = { code: 'subscribed', expires: on(4, 3), renews: on(4, 3), sources } as const
    expect(tell(renewed)).toBe(`Has access through ${told}.`)
  })

  it.each([
    ['trialing', 'a subscription on trial until 3 Apr 2027'],
    ['past_due', 'a subscription whose renewal is unpaid'],
    ['canceled', 'a canceled subscription paid until 3 Apr 2027'],
  ])('tells a subscription that is %s from others', (status, told) => {
    const sources = [source({ kind: 'subscription', subscription: subscribed(status) })]
    expect(tell({ code: 'purchased', sources })).toBe(
      `Has access with no end date, through ${told}.`,
    )
  })

  it.each([
    [{}, 'a purchase for 9.99 EUR on 3 Feb 2027'],
    [{ payment: paid('disputed') }, 'a purchase for 9.99 EUR on 3 Feb 2027, which is disputed'],
    [{ starts: on(3, 8) }, 'a purchase for 9.99 EUR that starts on 8 Mar 2027'],
  ])('tells of a purchase: %j', (more, told) => {
    const sources = [source({ kind: 'purchase', payment: paid('succeeded'), ...more })]
    expect(tell({ code: 'purchased', sources })).toBe(
      `Has access with no end date, through ${told}.`,
    )
  })
})

describe('why somebody has no access', () => {
  const ended = { expires: on(3, 1) }
  it.each([
    ['expired', source(ended), undefined, 'the grant of 3 Feb 2027 expired'],
    [
      'expired',
      source({ ...ended, kind: 'purchase', payment: paid('succeeded') }),
      undefined,
      'the period bought for 9.99 EUR ended',
    ],
    [
      'refunded',
      source({ kind: 'purchase', closed: on(3, 1), payment: paid('refunded') }),
      undefined,
      'the purchase for 9.99 EUR was refunded',
    ],
    [
      'dispute_lost',
      source({ kind: 'purchase', closed: on(3, 1), payment: paid('lost') }),
      undefined,
      'the dispute about 9.99 EUR was lost',
    ],
    [
      'expired',
      source({ ...ended, kind: 'subscription', subscription: subscribed('ended') }),
      { canceled: on(2, 9) },
      'the subscription was canceled, and the paid period ended',
    ],
    [
      'unpaid',
      source({ ...ended, kind: 'subscription', subscription: subscribed('ended') }),
      {},
      'the renewal of the subscription was not paid',
    ],
    [
      'expired',
      source({ ...ended, kind: 'subscription', subscription: subscribed('ended') }),
      {},
      'the subscription ended',
    ],
    [
      'refunded',
      source({ kind: 'subscription', closed: on(3, 1), subscription: subscribed('ended') }),
      {},
      'the payment of the subscription was refunded',
    ],
    [
      'dispute_lost',
      source({ kind: 'subscription', closed: on(3, 1), subscription: subscribed('ended') }),
      {},
      'the dispute about the payment of the subscription was lost',
    ],
  ] as const)('tells what held it open last, case %#', (code, last, subscription, told) => {
    const earlier = source({ expires: on(2, 20) })
    const sources = [earlier, last]
    const expired = { code, expires: on(3, 1), since: on(3, 1), sources } as const
    expect(tell(subscription ? { ...expired, subscription } : expired)).toBe(
      `Lost access on 1 Mar 2027: ${told}.`,
    )
  })

  it('tells when it was revoked', () =>
    expect(tell({ code: 'revoked', revoked: on(3, 2), since: on(3, 2) })).toBe(
      'No access: it was revoked on 2 Mar 2027.',
    ))

  it('names the pass that it was open through', () =>
    expect(tell({ code: 'expired', since: on(3, 1), pass: 'Gold', sources: [source(ended)] })).toBe(
      'Lost access on 1 Mar 2027: the grant of 3 Feb 2027 expired. It is part of Gold.',
    ))

  it.each(['never_granted', 'not_started', 'user_unknown', 'application_archived'] as const)(
    'says so in a sentence where nothing ended: %s',
    (code) => expect(tell({ code })).toMatch(/^No access.*\.$/),
  )
})

const advise = (refs: string[], aliases: string[], access: boolean) =>
  refusedAdvice({ person: { refs, aliases }, reading: [{ access }] } as never)

it('names the missing ID of somebody whom the site can’t find', () =>
  expect(advise([], [], true)).toMatch(/^This person has no site user ID\./))

it.each([
  [['four'], []],
  [[], ['merged']],
])(
  'has the IDs compared if there are any, also those of a merged entry, case %#',
  (refs, aliases) =>
    expect(advise(refs, aliases, true)).toMatch(/compare the site user IDs under Details\.$/),
)

it('says nothing more about somebody without access', () =>
  expect(advise([], [], false)).toBeUndefined())
