export const recordsTexts = {
  person: 'Person',
  reference: 'user_ref',
  resource: 'Resource',
  state: 'State',
  id: 'Id',
  from: 'From',
  to: 'Until',
  uid: 'uid',
  rid: 'rid',
  searchFor: 'E-mail, reference or id',
  paidBy: 'Paid through',
  providers: { test: 'Test cards', stripe: 'Stripe' } as Readonly<Record<string, string>>,
} as const
