import type { ManagementInput, ManagementOperation } from '@gatehouse/sdk/management'
import { type TSchema, Type } from 'typebox'
import { explainAccess } from './explain-access.ts'
import { optionalText, paging, readTool, type Tool, text } from './tool.ts'

const search = readTool(
  'search',
  'search',
  'Finds readers, resources, access records, payments and subscriptions by an email address, a name or an id.',
  Type.Object({ q: text('A few letters, or a whole email address or id.') }),
  (client, query) => client.call('search', { query }),
)

type Part<K extends ManagementOperation, P extends 'path' | 'query'> =
  ManagementInput<K> extends Partial<Record<P, infer Given>> ? Given : never

/** Defines a tool that lists records, with the filters that the operation has. */
const listTool = <K extends ManagementOperation>(
  name: string,
  operation: K,
  description: string,
  filters: { [N in keyof Part<K, 'query'>]?: TSchema },
): Tool =>
  readTool(name, operation, description, Type.Object({ ...filters, ...paging }), (client, query) =>
    client.call(operation, ...([{ query }] as never)),
  )

/** Defines a tool that reads one record, by the key that the operation takes. */
const getTool = <K extends ManagementOperation>(
  name: string,
  operation: K,
  description: string,
  key: { [N in keyof Part<K, 'path'>]: TSchema },
): Tool =>
  readTool(name, operation, description, Type.Object(key), (client, path) =>
    client.call(operation, ...([{ path }] as never)),
  )

const q = optionalText('What to search for.')
const uid = text('The uid of the reader.')

const people = [
  listTool(
    'list_users',
    'listUsers',
    'Lists readers, or searches them by email address, name or reference.',
    { q },
  ),
  getTool(
    'get_user',
    'getUser',
    'Reads everything about a reader: access with reasons, payments, subscriptions, emails, notes.',
    { uid },
  ),
  readTool(
    'list_timeline',
    'listTimeline',
    'Lists what happened to a reader, newest first.',
    Type.Object({ uid, ...paging }),
    (client, { uid, ...query }) => client.call('listTimeline', { path: { uid }, query }),
  ),
]

const ofReader = {
  q,
  rid: optionalText('Only of this resource.'),
  uid: optionalText('Only of this reader.'),
}

const access = [
  listTool('list_access', 'listAccess', 'Lists access records: who may see what, until when.', {
    ...ofReader,
    state: Type.Optional(
      Type.Enum(['live', 'ending', 'renewing', 'expired', 'unrevoked', 'revoked', 'any'], {
        description: 'live by default.',
      }),
    ),
  }),
  getTool('get_access', 'getAccess', 'Reads an access record with everything that gives it.', {
    id: text('The id of the access record.'),
  }),
]

const money = [
  listTool('list_payments', 'listPayments', 'Lists or searches payments.', ofReader),
  getTool('get_payment', 'getPayment', 'Reads a payment with its refunds.', {
    id: text('The id of the payment.'),
  }),
  listTool('list_subscriptions', 'listSubscriptions', 'Lists or searches subscriptions.', ofReader),
  getTool('get_subscription', 'getSubscription', 'Reads a subscription with its payments.', {
    id: text('The id of the subscription.'),
  }),
]

const catalogue = [
  listTool(
    'list_resources',
    'listResources',
    'Lists or searches what is sold: articles, issues, passes, with their prices.',
    { q },
  ),
  getTool(
    'get_resource',
    'getResource',
    'Reads a resource: prices, files, and which passes open it.',
    { rid: text('The id of the resource.') },
  ),
]

const emails = listTool(
  'list_emails',
  'listEmails',
  'Lists emails to readers and whether they were sent.',
  { uid: optionalText('Only to this reader.') },
)

export const READ_TOOLS: readonly Tool[] = [
  ...[explainAccess, search],
  ...people,
  ...access,
  ...money,
  ...catalogue,
  emails,
]
