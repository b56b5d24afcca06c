import { type Static, Type } from 'typebox'

/*
 * The schemas of the API's records. None of them is closed (`additionalProperties: false`): responses may gain fields,
 * and a client that was generated from the contract must not refuse them. The serializer sends only fields that are
 * declared here.
 */

const details = {
  id: Type.String({ description: 'Public access ID.' }),
  aid: Type.String({ description: 'Application ID.' }),
  rid: Type.String({ description: 'Resource ID.' }),
  uid: Type.String({ description: "The service's user ID." }),
  amount: Type.Number({
    description: 'Price paid, in major units of the currency; 0 for a grant.',
  }),
  currency: Type.String({ description: 'ISO 4217.' }),
  created: Type.Integer({ description: 'When access was granted, in seconds.' }),
  user_ref: Type.String({ description: 'Reference of the last grant, or the uid.' }),
  user_email: Type.String({ description: "The user's email address." }),
  tags: Type.Array(Type.String(), { description: 'Tags of the record.' }),
  // Last, because the serializer writes optional fields after all others.
  expires: Type.Optional(
    Type.Integer({
      description: 'When access ends, in seconds; left out for access without an end date.',
    }),
  ),
}

export const AccessDetails = Type.Object(details, { $id: 'AccessDetails' })

export const Refund = Type.Object(
  {
    id: Type.String({ description: 'Refund ID.' }),
    amount: Type.Number({ description: 'In major units of the currency.' }),
    currency: Type.String({ description: 'ISO 4217.' }),
    status: Type.Union([
      Type.Literal('pending'),
      Type.Literal('succeeded'),
      Type.Literal('failed'),
    ]),
    reason: Type.Optional(
      Type.String({ description: 'Why it failed, as `disputed`; left out otherwise.' }),
    ),
  },
  { $id: 'Refund' },
)

export const RevokedAccess = Type.Object(
  {
    ...details,
    revoked: Type.Integer({ description: 'When access was revoked, in seconds.' }),
    refund: Type.Union([Type.Ref('Refund'), Type.Null()], {
      description: 'The newest refund, or null if nothing was paid.',
    }),
    refunds: Type.Array(Type.Ref('Refund'), { description: 'All of them.' }),
  },
  { $id: 'RevokedAccess' },
)

const pageOf = (record: string) => ({
  data: Type.Array(Type.Ref(record), { description: 'The records of this page.' }),
  total: Type.Integer({ description: 'The total number of matches.' }),
  page: Type.Integer({ description: 'The page, counted from 0.' }),
  pagesize: Type.Integer({ description: 'The page size that was used.' }),
})

export const AccessPage = Type.Object(pageOf('AccessDetails'), { $id: 'AccessPage' })

export const Subscription = Type.Object(
  {
    id: Type.String({ description: 'Subscription ID.' }),
    aid: Type.String({ description: 'Application ID.' }),
    rid: Type.String({ description: 'Resource ID.' }),
    uid: Type.String({ description: "The service's user ID." }),
    user_ref: Type.String({ description: 'Reference that its access shows, or the uid.' }),
    user_email: Type.String({ description: "The user's email address." }),
    status: Type.Enum(['trialing', 'active', 'past_due', 'canceled', 'ended'], {
      description: 'All but `ended` grant access.',
    }),
    amount: Type.Number({ description: 'Price of a period, in major units of the currency.' }),
    currency: Type.String({ description: 'ISO 4217.' }),
    period: Type.String({ description: 'As `1 month` or `3 months`.' }),
    created: Type.Integer({ description: 'When it began, in seconds.' }),
    current_period_start: Type.Integer({ description: 'In seconds.' }),
    current_period_end: Type.Integer({ description: 'In seconds; the next charge is then.' }),
    cancel_at_period_end: Type.Boolean({
      description: 'Whether it ends with the current period instead of being renewed.',
    }),
    canceled: Type.Optional(
      Type.Integer({ description: 'When it was canceled, in seconds; left out if it was not.' }),
    ),
    access_id: Type.String({ description: 'The access that it grants.' }),
  },
  { $id: 'Subscription' },
)

export const SubscriptionPage = Type.Object(pageOf('Subscription'), { $id: 'SubscriptionPage' })

export const Payment = Type.Object(
  {
    id: Type.String({ description: 'Payment ID.' }),
    aid: Type.String({ description: 'Application ID.' }),
    rid: Type.String({ description: 'Resource ID.' }),
    uid: Type.String({ description: "The service's user ID." }),
    amount: Type.Number({ description: 'In major units of the currency.' }),
    refunded: Type.Number({ description: 'How much of it was refunded.' }),
    currency: Type.String({ description: 'ISO 4217.' }),
    status: Type.Enum([
      'pending',
      'succeeded',
      'failed',
      'partially_refunded',
      'refunded',
      'disputed',
      'lost',
    ]),
    flag: Type.Optional(
      Type.String({
        description: 'Why somebody should look at it: `late`, `duplicate` or `mismatch`.',
      }),
    ),
    created: Type.Integer({ description: 'In seconds.' }),
    subscription_id: Type.Optional(
      Type.String({ description: 'Left out for a one-time purchase.' }),
    ),
    access_id: Type.Optional(
      Type.String({ description: 'Left out if the payment granted no access.' }),
    ),
    refunds: Type.Array(Type.Ref('Refund'), { description: 'All of them, oldest first.' }),
  },
  { $id: 'Payment' },
)

export const PaymentPage = Type.Object(pageOf('Payment'), { $id: 'PaymentPage' })

export const Clock = Type.Object(
  { time: Type.Integer({ description: 'What time it is in the sandbox, in seconds.' }) },
  { $id: 'Clock' },
)

export const ManageLink = Type.Object(
  {
    url: Type.String({ description: 'Where the reader changes the card, cancels or resumes.' }),
    expires: Type.Integer({ description: 'When the link expires, in seconds.' }),
  },
  { $id: 'ManageLink' },
)

export const Download = Type.Object(
  {
    id: Type.String({ description: 'Download ID.' }),
    title: Type.String({ description: 'What it is called.' }),
    description: Type.String({ description: 'Empty if there is none.' }),
    rid: Type.String({ description: 'Resource ID.' }),
    image: Type.String({ description: 'The URL of a picture; empty if there is none.' }),
    price: Type.String({
      description:
        'The lowest price of the resource, as `9.99 USD`; empty if it has none. Of several currencies ' +
        "the application's own counts, or else that of the first offer.",
    }),
    modified_date: Type.Integer({ description: 'When it was last changed, in seconds.' }),
    created_date: Type.Integer({ description: 'When it was created, in seconds.' }),
    published_date: Type.Integer({ description: 'When it was published, in seconds.' }),
  },
  { $id: 'Download' },
)

export const DownloadUrl = Type.Object(
  {
    url: Type.String({
      description: 'Where the file can be downloaded. Anybody who has this URL can use it.',
    }),
    expires: Type.Integer({ description: 'When the link expires, in seconds.' }),
  },
  { $id: 'DownloadUrl' },
)

export const User = Type.Object(
  {
    uid: Type.String({ description: "The service's user ID." }),
    email: Type.String({ description: "The user's email address." }),
    first_name: Type.String({ description: 'Empty if it is not known.' }),
    last_name: Type.String({ description: 'Empty if it is not known.' }),
  },
  { $id: 'User' },
)

export const ErrorResponse = Type.Object(
  {
    error: Type.Object({
      message: Type.String({ description: 'What is wrong, for people.' }),
      code: Type.String({ description: 'What is wrong, for programs.' }),
      parameter: Type.Optional(
        Type.String({
          description: 'The parameter that is wrong; left out if the error is not about one.',
        }),
      ),
      request_id: Type.String({ description: 'Quote it when you ask for help.' }),
    }),
  },
  { $id: 'Error' },
)

export type AccessRecord = Static<typeof AccessDetails>
export type SubscriptionRecord = Static<typeof Subscription>
export type RefundRecord = Static<typeof Refund>
export type PaymentRecord = Static<typeof Payment>
export type DownloadRecord = Static<typeof Download>
export type UserRecord = Static<typeof User>
