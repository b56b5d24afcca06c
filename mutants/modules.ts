/** The code of a module, and the test files that are run against its mutants; both are paths below
 * `packages/server/src`. A folder means everything in it. */
export interface MutatedModule {
  code: readonly string[]
  tests: readonly string[]
}

const CHECKOUT = [
  'http/checkout/buy-page',
  'http/checkout/done-page',
  'http/checkout/events.test.ts',
  'http/checkout/manage/manage.test.ts',
  'http/checkout/outcomes.test.ts',
  'http/checkout/stripe-events.test.ts',
  'http/checkout/trials.test.ts',
  'domain/payments/checkout',
]
const MONEY = [
  'domain/payments/apply-payment.test.ts',
  'domain/payments/checkout-edges.test.ts',
  'domain/payments/races.test.ts',
  'domain/payments/reconcile/doubts.test.ts',
  'domain/payments/refunds',
  'domain/payments/renewal-edges.test.ts',
  'domain/people/money.test.ts',
  'domain/people/paid-days.test.ts',
  'domain/subscriptions',
  'http/dashboard/payments/payments.test.ts',
  ...CHECKOUT,
]
const ALL_MONEY = [...MONEY, 'cli/payments', 'domain/payments/orders', 'domain/payments/reconcile']
const ACCESS = [
  'cli/access/access.test.ts',
  'domain/access',
  'http/dashboard/access/access.test.ts',
  'http/dashboard/access/import.test.ts',
  'http/r2/access.test.ts',
  'http/r2/grant-mail.test.ts',
  'http/r2/grant.test.ts',
  'http/r2/revoke.test.ts',
  'http/r2/search.test.ts',
]
const PEOPLE = [
  'domain/people/erasure',
  'domain/people/erasures.test.ts',
  'domain/people/merge.test.ts',
  'domain/people/money.test.ts',
  'domain/people/paid-days.test.ts',
  'domain/people/people.test.ts',
  'http/dashboard/people/people.test.ts',
]
const USERS = ['domain/users/aliases.test.ts', 'http/r2/user.test.ts']

export const modules: Record<string, MutatedModule> = {
  signing: {
    code: ['signing'],
    tests: [
      'cli/links/link.test.ts',
      'http/checkout/trials.test.ts',
      'http/r2/request/signature.test.ts',
      'http/targets.test.ts',
      'signing',
    ],
  },
  refunds: {
    code: ['domain/payments/refunds'],
    tests: [...MONEY, 'cli/access/access.test.ts'],
  },
  fulfilment: {
    code: [
      'domain/payments/apply-payment.ts',
      'domain/payments/checkout/complete.ts',
      'domain/payments/checkout/fulfil.ts',
    ],
    tests: MONEY,
  },
  access: {
    code: [
      'domain/passes/lookup.ts',
      'domain/access/extend.ts',
      'domain/access/grants',
      'domain/access/revoke.ts',
      'domain/access/source-details.ts',
      'domain/access/sources.ts',
    ],
    tests: [
      ...ACCESS,
      ...PEOPLE,
      'domain/payments/checkout-edges.test.ts',
      'domain/payments/renewal-edges.test.ts',
    ],
  },
  decision: { code: ['domain/decision'], tests: ['domain/decision', 'http/r2/check.test.ts'] },
  subscriptions: {
    code: ['domain/subscriptions'],
    tests: [...MONEY, 'domain/mail/content', 'domain/transfer/import-subscriptions.test.ts'],
  },
  renewals: { code: ['domain/payments/renewals'], tests: MONEY },
  users: { code: ['domain/users'], tests: [...USERS, ...ACCESS, ...PEOPLE, ...CHECKOUT] },
  people: { code: ['domain/people'], tests: [...PEOPLE, ...USERS] },
  reconcile: {
    code: ['domain/payments/reconcile'],
    tests: [...ALL_MONEY, 'domain/hold/hold.test.ts'],
  },
  checkout: {
    code: [
      'domain/payments/checkout/checkout-state.ts',
      'domain/payments/checkout/checkouts.ts',
      'domain/payments/checkout/close-pages.ts',
      'domain/payments/checkout/orders.ts',
      'domain/payments/checkout/poll-checkouts.ts',
      'domain/payments/checkout/purchase-link.ts',
      'domain/payments/checkout/terms.ts',
    ],
    tests: [...ALL_MONEY, 'cli/links/link.test.ts'],
  },
  payments: {
    code: [
      'domain/payments/context.ts',
      'domain/payments/events.ts',
      'domain/payments/labels.ts',
      'domain/payments/orders',
      'domain/payments/payments.ts',
      'domain/payments/provider-error.ts',
      'domain/payments/provider.ts',
      'domain/payments/test-cards',
    ],
    tests: [...ALL_MONEY, 'http/checkout/test-cards/test-cards.test.ts'],
  },
  stripe: {
    code: ['domain/payments/stripe'],
    tests: [
      'cli/payments',
      'domain/payments/stripe',
      'http/checkout/stripe-events.test.ts',
      'http/checkout/stripe.test.ts',
    ],
  },
  'access-lists': {
    code: [
      'domain/access/counts',
      'domain/access/details.ts',
      'domain/access/list-for-staff.ts',
      'domain/access/page-cursors.ts',
      'domain/access/search.ts',
    ],
    tests: ACCESS,
  },
}
