import type { GatehouseManagement } from '@gatehouse/sdk/management'
import { Type } from 'typebox'
import { OperatorError } from '../../errors.ts'
import { optionalText, paging, readTool, type Tool, text } from './tool.ts'

/** People know a reader by an email address; checks take a reference or a uid. */
async function findUser(client: GatehouseManagement, who: string): Promise<string> {
  if (!who.includes('@')) return who
  const { data } = await client.call('listUsers', { query: { q: who } })
  const found = data.filter(({ email }) => email.toLowerCase() === who.trim().toLowerCase())
  const [only] = found
  if (!only) throw new OperatorError(`No reader has the verified email address ${who}.`)
  return only.uid
}

const explain = readTool(
  'explain_access',
  'Answers why a reader can or can’t see a resource: whether access is granted, the reason, since or until when, ' +
    'what gives it, and what could be bought. Start here for “why can’t she read it?”.',
  Type.Object({
    user: text('The reader: an email address, a reference of the site, or a uid.'),
    rid: text('The id of the resource. Use search if only its name is known.'),
  }),
  async (client, { user, rid }) =>
    await client.call('checkAccess', { query: { user_ref: await findUser(client, user), rid } }),
)

const search = readTool(
  'search',
  'Finds readers, resources, access records, payments and subscriptions by an email address, a name or an id.',
  Type.Object({ q: text('A few letters, or a whole email address or id.') }),
  (client, query) => client.call('search', { query }),
)

const people = [
  readTool(
    'list_users',
    'Lists readers, or searches them by email address, name or reference.',
    Type.Object({ q: optionalText('What to search for.'), ...paging }),
    (client, query) => client.call('listUsers', { query }),
  ),
  readTool(
    'get_user',
    'Reads everything about a reader: access with reasons, payments, subscriptions, emails, notes.',
    Type.Object({ uid: text('The uid of the reader.') }),
    (client, path) => client.call('getUser', { path }),
  ),
  readTool(
    'list_timeline',
    'Lists what happened to a reader, newest first.',
    Type.Object({ uid: text('The uid of the reader.'), ...paging }),
    (client, { uid, ...query }) => client.call('listTimeline', { path: { uid }, query }),
  ),
]

const access = [
  readTool(
    'list_access',
    'Lists access records: who may see what, until when.',
    Type.Object({
      q: optionalText('What to search for.'),
      rid: optionalText('Only of this resource.'),
      uid: optionalText('Only of this reader.'),
      state: Type.Optional(
        Type.Enum(['live', 'ending', 'renewing', 'expired', 'unrevoked', 'revoked', 'any'], {
          description: 'live by default.',
        }),
      ),
      ...paging,
    }),
    (client, query) => client.call('listAccess', { query }),
  ),
  readTool(
    'get_access',
    'Reads an access record with everything that gives it.',
    Type.Object({ id: text('The id of the access record.') }),
    (client, path) => client.call('getAccess', { path }),
  ),
]

const ofReader = {
  q: optionalText('What to search for.'),
  rid: optionalText('Only of this resource.'),
  uid: optionalText('Only of this reader.'),
  ...paging,
}

const money = [
  readTool('list_payments', 'Lists or searches payments.', Type.Object(ofReader), (client, query) =>
    client.call('listPayments', { query }),
  ),
  readTool(
    'get_payment',
    'Reads a payment with its refunds.',
    Type.Object({ id: text('The id of the payment.') }),
    (client, path) => client.call('getPayment', { path }),
  ),
  readTool(
    'list_subscriptions',
    'Lists or searches subscriptions.',
    Type.Object(ofReader),
    (client, query) => client.call('listSubscriptions', { query }),
  ),
  readTool(
    'get_subscription',
    'Reads a subscription with its payments.',
    Type.Object({ id: text('The id of the subscription.') }),
    (client, path) => client.call('getSubscription', { path }),
  ),
]

const catalogue = [
  readTool(
    'list_resources',
    'Lists or searches what is sold: articles, issues, passes, with their prices.',
    Type.Object({ q: optionalText('What to search for.'), ...paging }),
    (client, query) => client.call('listResources', { query }),
  ),
  readTool(
    'get_resource',
    'Reads a resource: prices, files, and which passes open it.',
    Type.Object({ rid: text('The id of the resource.') }),
    (client, path) => client.call('getResource', { path }),
  ),
]

const emails = readTool(
  'list_emails',
  'Lists emails to readers and whether they were sent.',
  Type.Object({ uid: optionalText('Only to this reader.'), ...paging }),
  (client, query) => client.call('listEmails', { query }),
)

export const READ_TOOLS: readonly Tool[] = [
  ...[explain, search],
  ...people,
  ...access,
  ...money,
  ...catalogue,
  emails,
]
