import { GatehouseManagement, type ManagementOperation } from '@gatehouse/sdk/management'
import { describe, expect, it } from 'vitest'
import { databases } from '../../../testing/databases.ts'
import { newProgram } from '../../../testing/management.ts'
import { MONTHLY } from '../../../testing/payments/shop.ts'
import { useService, useShop } from '../../../testing/use-service.ts'
import { managementDocument } from './document.ts'

interface Schema {
  $ref?: string
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: unknown[]
  anyOf?: Schema[]
  additionalProperties?: Schema
}

interface Document {
  paths: Record<string, Record<string, { operationId: string; responses: Responses }>>
  components: { schemas: Record<string, Schema> }
}
type Responses = Record<string, { content?: { 'application/json'?: { schema: Schema } } }>

const { paths, components } = managementDocument('') as Document
const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
const schemaOf = (name: string) =>
  operations.find(({ operationId }) => operationId === name)?.responses[200]?.content?.[
    'application/json'
  ]?.schema

const typeOf = (value: unknown) =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value

/** Lists where a value differs from a schema, as `data.0.uid: no string`. A field that the schema doesn't have counts too:
 * programs can't know of it. */
function differences(schema: Schema, value: unknown, path: string): string[] {
  if (schema.$ref) {
    return differences(components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, value, path)
  }
  if (schema.anyOf) {
    const all = schema.anyOf.map((one) => differences(one, value, path))
    return all.some((found) => found.length === 0)
      ? []
      : (all.sort((a, b) => a.length - b.length)[0] ?? [])
  }
  if (schema.enum) return schema.enum.includes(value) ? [] : [`${path}: not one of the values`]
  if (schema.type === undefined) return []
  const type = typeOf(value)
  const isSame = type === schema.type || (schema.type === 'integer' && Number.isInteger(value))
  if (!isSame) return [`${path}: no ${schema.type}`]
  if (type === 'array') {
    const { items = {} } = schema
    return (value as unknown[]).flatMap((one, i) => differences(items, one, `${path}.${i}`))
  }
  return type === 'object' ? objectDifferences(schema, value as object, path) : []
}

function objectDifferences(schema: Schema, value: object, path: string): string[] {
  const { properties = {}, required = [], additionalProperties } = schema
  const given = Object.entries(value).filter(([, one]) => one !== undefined)
  const missing = required.filter((name) => !given.some(([one]) => one === name))
  return [
    ...missing.map((name) => `${path}.${name}: missing`),
    ...given.flatMap(([name, one]) => {
      const known = properties[name] ?? additionalProperties
      const isOpen = schema.properties === undefined && additionalProperties === undefined
      if (!known) return isOpen ? [] : [`${path}.${name}: not described`]
      return differences(known, one, `${path}.${name}`)
    }),
  ]
}

describe('the answers of the management API', () => {
  const service = useService(databases[0])
  const shop = useShop(service, 'news', 'abo', 'old')

  it('are what its document says', async () => {
    const { token } = await newProgram(service, 'support')
    const developer = await newProgram(service, 'developer')
    const options = { baseUrl: service.url, environment: 'sandbox', aid: shop.aid } as const
    const client = new GatehouseManagement({ ...options, token })
    const asDeveloper = new GatehouseManagement({ ...options, token: developer.token })
    const wrong: string[] = []
    const called = new Set<string>()
    /** Calls an operation with any input, and compares the answer with the document. */
    const call = async (name: ManagementOperation, input: object = {}, by = client) => {
      const answer: unknown = await by.call(name, input as never).catch((error: Error) => {
        throw new Error(`${name}: ${error.message}`, { cause: error })
      })
      called.add(name)
      wrong.push(...differences(schemaOf(name) ?? {}, answer, name))
      return answer as Record<string, never>
    }
    const bought = await shop.buy({ rid: 'news', userRef: 'rita' })
    await shop.buy({ rid: 'abo', userRef: 'rita', terms: MONTHLY })
    const uid = bought.uid as string
    const person = { path: { uid } }

    await call('listApplications')
    await call('search', { query: { q: 'rita' } })
    await call('listResources')
    await call('createResource', { body: { rid: 'new', name: 'New' } })
    await call('updateResource', { path: { rid: 'new' }, body: { name: 'Newer' } })
    await call('getResource', { path: { rid: 'news' } })
    await call('setOpens', {
      path: { rid: 'new' },
      body: { rids: ['news'], prefixes: [], all: false },
    })
    const price = await call('createPrice', {
      path: { rid: 'new' },
      body: { amount: 990, currency: 'EUR' },
    })
    const ofPrice = { path: { rid: 'new', price: price.id } }
    await call('archivePrice', ofPrice)
    await call('restorePrice', ofPrice)
    await call('archiveResource', { path: { rid: 'old' } })
    await call('restoreResource', { path: { rid: 'old' } })
    await call('listDownloads')
    await call('listDeliveries')
    const granted = await call('grantAccess', { body: { rid: 'new', email: 'ann@example.com' } })
    const ofAccess = { path: { id: granted.id } }
    await call('listAccess')
    await call('getAccess', ofAccess)
    await call('extendAccess', { ...ofAccess, body: { expires: 4_000_000_000 } })
    await call('checkAccess', { query: { user_ref: 'rita', rid: 'news' } })
    await call('listUsers')
    await call('getUser', person)
    await call('listTimeline', person)
    await call('updateUser', { ...person, body: { first_name: 'Rita' } })
    await call('addReference', { ...person, body: { ref: 'rita-2' } })
    await call('exportUser', person)
    const notes = (await call('addNote', { ...person, body: { text: 'Called' } })) as never
    const note = { path: { uid, id: (notes as { id: string }[])[0]?.id } }
    await call('updateNote', { ...note, body: { text: 'Called twice' } })
    await call('removeNote', note)
    const payments = (await call('listPayments')) as unknown as { data: { id: string }[] }
    const payment = { path: { id: payments.data.at(-1)?.id } }
    await call('getPayment', payment)
    await call('refundPayment', { ...payment, body: { amount: 100, reference: 'part' } })
    const listed = (await call('listSubscriptions')) as unknown as { data: { id: string }[] }
    const subscription = { path: { id: listed.data[0]?.id } }
    await call('getSubscription', subscription)
    await call('createManageLink', subscription)
    await call('cancelSubscription', subscription)
    await call('resumeSubscription', subscription)
    const emails = (await call('listEmails')) as unknown as { data: { id: string }[] }
    await call('getEmail', { path: { id: emails.data[0]?.id } })
    await call('getFigures')
    await call('getSettings', {}, asDeveloper)
    await call('updateSettings', { body: { name: 'Renamed' } }, asDeveloper)
    await call('listRefusedCalls', {}, asDeveloper)
    await call('revokeAccess', { ...ofAccess, body: {} })
    const other = await call('grantAccess', { body: { rid: 'new', email: 'bob@example.com' } })
    const { uid: from } = other as unknown as { uid: string }
    await call('endLinks', person)
    await call('mergeUser', { path: { uid: from }, body: { into: uid } })
    await call('eraseUser', person)

    expect(wrong).toEqual([])
    // Operations that need a file or a mail server.
    const withMore = /Download|Image|Logo|^resend/
    const all = operations
      .filter(({ responses }) => responses[200]?.content?.['application/json'])
      .map(({ operationId }) => operationId)
    expect(all.filter((name) => !called.has(name) && !withMore.test(name))).toEqual([])
  })
})
