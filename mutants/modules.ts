/** The code of each module: paths below `packages/server/src`. A folder means everything in it. */
export const modules: Readonly<Record<string, readonly string[]>> = {
  signing: ['signing'],
  refunds: ['domain/payments/refunds'],
  fulfilment: [
    'domain/payments/apply-payment.ts',
    'domain/payments/checkout/complete.ts',
    'domain/payments/checkout/fulfil.ts',
  ],
  access: [
    'domain/passes/lookup.ts',
    'domain/access/extend.ts',
    'domain/access/grants',
    'domain/access/revoke.ts',
    'domain/access/source-details.ts',
    'domain/access/sources.ts',
  ],
  decision: ['domain/decision'],
  subscriptions: ['domain/subscriptions'],
  renewals: ['domain/payments/renewals'],
  users: ['domain/users'],
  people: ['domain/people'],
  reconcile: ['domain/payments/reconcile'],
  checkout: [
    'domain/payments/checkout/checkout-state.ts',
    'domain/payments/checkout/checkouts.ts',
    'domain/payments/checkout/close-pages.ts',
    'domain/payments/checkout/orders.ts',
    'domain/payments/checkout/poll-checkouts.ts',
    'domain/payments/checkout/purchase-link.ts',
    'domain/payments/checkout/terms.ts',
  ],
  payments: [
    'domain/payments/context.ts',
    'domain/payments/events.ts',
    'domain/payments/labels.ts',
    'domain/payments/orders',
    'domain/payments/payments.ts',
    'domain/payments/provider-error.ts',
    'domain/payments/provider.ts',
    'domain/payments/test-cards',
  ],
  stripe: ['domain/payments/stripe'],
  'access-lists': [
    'domain/access/counts',
    'domain/access/details.ts',
    'domain/access/list-for-staff.ts',
    'domain/access/page-cursors.ts',
    'domain/access/search.ts',
  ],
}

/** The test files that are run against mutants are in these folders. */
export const TEST_FOLDERS: readonly string[] = ['cli', 'domain', 'http', 'signing']

/** Tests that try other things, or take long. */
export const LEFT_OUT =
  /\.browser\.|\.process\.|\/(backup|figures|images|move|metrics|pages|reference)\/|\/(faults|hold|race|restored)\.test/
