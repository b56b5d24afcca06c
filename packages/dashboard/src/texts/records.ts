export const recordsTexts = {
  person: 'Person',
  reference: 'Site user ID',
  resource: 'Resource',
  state: 'State',
  id: 'ID',
  from: 'From',
  to: 'Until',
  uid: 'Person ID',
  rid: 'Resource ID',
  searchFor: 'Email or ID',
  paidBy: 'Paid through',
  providers: { test: 'Test cards', stripe: 'Stripe' } as Readonly<Record<string, string>>,
} as const
