import { ApiError, type Gatehouse } from '@gatehouse/sdk'
import { GatehouseManagement } from '@gatehouse/sdk/management'
import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, it } from 'vitest'
import { readOperations } from '../testing/closure/operations.ts'
import { EXCLUDED, NAMELESS, SAMPLES, sourcesOf, UNDERSTOOD } from '../testing/closure/rules.ts'
import { databases } from '../testing/databases.ts'
import { addDownload } from '../testing/downloads/downloads.ts'
import { newProgram } from '../testing/management.ts'
import { ODD_ADDRESSES, ODD_REFERENCES, ODD_RIDS, ODD_TAGS } from '../testing/odd-names.ts'
import { MONTHLY } from '../testing/payments/shop.ts'
import { useService, useShop } from '../testing/use-service.ts'

/** A record of an answer, with what it names: `rid`, `user_ref`, and its own id as `id of payments`. */
type Names = Readonly<Record<string, string>>

const contracts = [
  ...readOperations('openapi.json').map((one) => ({ ...one, api: 'r2' })),
  ...readOperations('gatehouse-management.json').map((one) => ({ ...one, api: 'management' })),
]

/** The explained check of the management API needs one of these, though each is optional. */
const NEEDS_READER = (operation: { api: string; id: string }) =>
  operation.api === 'management' && operation.id === 'checkAccess'

describe.each(databases)('what any answer shows, every parameter takes, on $name', (database) => {
  const service = useService(database)
  const shop = useShop(service)
  const known: Names[] = []
  const wrong: string[] = []
  let management: GatehouseManagement
  let token: string

  beforeAll(async () => {
    token = (await newProgram(service, 'support')).token
    const options = { baseUrl: service.url, aid: shop.aid, environment: 'sandbox', token } as const
    management = new GatehouseManagement(options)
    await fill()
  })

  /** Sells and grants resources with odd rids to people with odd references, addresses and tags. */
  async function fill(): Promise<void> {
    for (const rid of ODD_RIDS) await shop.addResource(rid)
    for (const [i, user_ref] of ODD_REFERENCES.entries()) {
      const rid = ODD_RIDS[i % ODD_RIDS.length] as string
      const email =
        ODD_ADDRESSES[i] ?? (/^\S+@\S+$/.test(user_ref) ? user_ref : `n${i}@example.com`)
      const tags = ODD_TAGS[i % ODD_TAGS.length] as string
      await shop.client.grantAccess({ rid, user_ref, email, tags })
      if (i % 5 === 0) {
        await management.call('createPrice', {
          path: { rid },
          body: { amount: 990, currency: 'EUR' },
        })
        await shop.buy({ rid, userRef: user_ref, vouchedEmail: email, terms: MONTHLY })
        await addDownload(shop, rid)
      }
    }
    const email = 'plain@example.com'
    const { uid } = await shop.client.grantAccess({ rid: ODD_RIDS[0] as string, email })
    await management.call('addNote', { path: { uid }, body: { text: 'No reference.' } })
  }

  const operations = contracts.filter(({ id }) => !(id in EXCLUDED))
  type Called = (typeof operations)[number]

  const reads = operations.filter(({ method }) => method === 'GET')
  const writes = operations.filter(({ method }) => method !== 'GET')
  // What ends access comes last.
  const ENDINGS = ['cancelSubscription', 'resumeSubscription', 'refundPayment', 'revokeAccess']
  writes.sort((a, b) => ENDINGS.indexOf(a.id) - ENDINGS.indexOf(b.id))

  /** Calls an operation through the SDK; exports, which it doesn't have, as any client does. */
  async function call(operation: Called, given: Record<string, unknown>): Promise<unknown> {
    const pick = (names: readonly string[]) =>
      Object.fromEntries(names.filter((one) => one in given).map((one) => [one, given[one]]))
    const query = pick([...operation.required, ...operation.optional]) as Record<string, string>
    if (operation.api === 'r2') {
      const path = operation.path.replace('{uid}', encodeURIComponent(String(given.uid)))
      const { method, isForm: inBody } = operation
      return await (shop.client as Gatehouse).request(method as 'GET', path, query, { inBody })
    }
    if (/\.csv$|\/export$/.test(operation.path)) return await callRaw(operation, query, given)
    const { body } = operation
    return await management.call(
      operation.id as 'getUser',
      {
        ...{ path: pick(operation.pathNames) as { uid: string }, query },
        ...(body ? { body: pick([...body.required, ...body.optional]) } : {}),
      } as never,
    )
  }

  async function callRaw(
    operation: Called,
    query: Record<string, string>,
    given: Record<string, unknown>,
  ) {
    const values: Record<string, unknown> = { ...given, environment: 'sandbox', aid: shop.aid }
    // An export takes filters in the form for people alone, and has no pages.
    if (operation.optional.includes('form')) {
      delete query.pagesize
      query.form = Object.keys(query).length > 0 ? 'people' : 'raw'
    }
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String(values[name])),
    )
    const response = await fetch(`${service.url}${path}?${new URLSearchParams(query)}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    if (!operation.path.endsWith('.csv')) return JSON.parse(text)
    return parse(text, { columns: true }).map((row) => ({ ...(row as Names) }))
  }

  /** Notes every record in an answer, whatever it is nested in. What is nested in a record is about the same reader and
   * resource, and the name under which it is there says of what kind its id is. */
  function note(kind: string, answer: unknown, about: Names = {}): void {
    if (Array.isArray(answer)) for (const one of answer) note(kind, one, about)
    if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return
    const record = answer as Record<string, unknown>
    const names: Record<string, string> = { ...about }
    const keep = (name: string, value: unknown) => {
      if (typeof value === 'string' && value !== '') names[name] = value
    }
    for (const name of ['rid', 'user_ref', 'uid', 'cursor']) keep(name, record[name])
    keep('email', record.user_email ?? record.email)
    // A file joins the tags of a record by commas.
    const tags = typeof record.tags === 'string' ? record.tags.split(',') : record.tags
    keep('tag', [tags].flat()[0])
    for (const one of KINDS) keep(`id of ${one}`, record[`${one.replace(/s$/, '')}_id`])
    keep('id of access', record.access_id)
    keep(`id of ${kind}`, record.id)
    known.push(names)
    // A user's own uid is a user_ref, whatever references the user has.
    if (names.uid !== undefined) known.push({ ...names, user_ref: names.uid })
    const inside = Object.fromEntries(
      ['rid', 'uid'].filter((name) => names[name]).map((name) => [name, names[name] as string]),
    )
    for (const [name, value] of Object.entries(record)) {
      note(name === 'data' ? kind : name, value, inside)
    }
  }
  const KINDS = ['payments', 'subscriptions', 'downloads', 'emails', 'notes', 'prices']

  /** The kind of the records that an operation returns. */
  function kindOf({ path }: Called): string {
    const words = path.split('/').filter((word) => !/^(?:search|)$|[{}]/.test(word))
    const last = words.at(-1) ?? ''
    return KINDS.find((kind) => kind === last || kind === `${last}s`) ?? last
  }

  /** Returns the values of these parameters that one record names, or undefined if it lacks one. */
  function valuesFrom(operation: Called, names: Names, parameters: readonly string[]) {
    const values: Record<string, unknown> = {}
    for (const parameter of parameters) {
      const isList = operation.lists.includes(parameter)
      const source = sourcesOf(operation, parameter).find(
        (one) => !isList && names[one] !== undefined,
      )
      if (source !== undefined) values[parameter] = names[source]
      else if (operation.lists.includes(parameter)) values[parameter] = []
      else if (parameter in SAMPLES) values[parameter] = SAMPLES[parameter]
      else if (!NAMELESS.has(parameter)) return undefined
    }
    return values
  }

  const tried = new Set<string>()
  const keyOf = ({ api, id }: Called) => `${api} ${id}`

  /** Calls an operation with values that answers have shown, each combination once. */
  async function tryWith(
    operation: Called,
    names: readonly Names[],
    parameters: readonly string[],
  ) {
    const seen = new Set<string>()
    for (const one of names) {
      const values = valuesFrom(operation, one, parameters)
      if (values === undefined || seen.has(JSON.stringify(values))) continue
      seen.add(JSON.stringify(values))
      tried.add(keyOf(operation))
      await tryOne(operation, { ...moreOf(operation), ...values })
      if (wrong.length > 20) return
    }
  }

  /** Links need an end, though each of the ways to say it is optional. */
  const moreOf = ({ optional, body }: Called) =>
    [...optional, ...(body?.optional ?? [])].includes('lifetime') ? { lifetime: 60 } : {}

  async function tryOne(operation: Called, values: Record<string, unknown>): Promise<void> {
    try {
      const answer = await call(operation, values)
      if (operation.method === 'GET') note(kindOf(operation), answer, aboutOf(values))
    } catch (error) {
      const code = error instanceof ApiError ? error.code : ''
      if (UNDERSTOOD.has(code)) return
      wrong.push(
        `${operation.id} ${JSON.stringify(values).slice(0, 200)}: ${code} ${String(error).slice(0, 200)}`,
      )
    }
  }

  /** An answer about a reader or a resource need not repeat which. */
  const aboutOf = ({ uid }: Record<string, unknown>): Names =>
    typeof uid === 'string' ? { uid } : {}

  const namesOf = ({ pathNames, required, body }: Called) =>
    [...pathNames, ...required, ...(body?.required ?? [])].filter(
      (name) => !NAMELESS.has(name) || name in SAMPLES,
    )

  it('of lists', async () => {
    // Lists without filters come first: they show most names.
    for (const one of reads) if (namesOf(one).length === 0) await tryOne(one, { pagesize: 100 })
    expect(wrong.splice(0)).toEqual([])
    for (const rid of ODD_RIDS) expect(known.some((one) => one.rid === rid)).toBe(true)
    for (const ref of ODD_REFERENCES) expect(known.some((one) => one.user_ref === ref)).toBe(true)
  })

  it('of records, and of filters of lists', async () => {
    for (const one of reads) if (!NEEDS_READER(one)) await tryWith(one, [...known], namesOf(one))
    for (const one of reads) {
      for (const optional of one.optional.filter((name) => !NAMELESS.has(name))) {
        await tryWith(one, [...known], [...namesOf(one), optional])
      }
    }
    expect(wrong.splice(0)).toEqual([])
  })

  it('so that each record with live access is found by what it shows', async () => {
    const { data } = await shop.client.searchAccess({ pagesize: 1000 })
    expect(data.length).toBeGreaterThan(ODD_REFERENCES.length)
    for (const { id, rid, uid, user_ref, user_email, tags } of data) {
      for (const name of [user_ref, uid]) {
        expect((await shop.client.getAccess({ rid, user_ref: name })).id).toBe(id)
      }
      const filters = [
        { rid },
        { user_ref },
        { email: user_email },
        ...tags.map((tag) => ({ tag })),
      ]
      for (const filter of filters) {
        const found = await shop.client.searchAccess({ ...filter, pagesize: 1000 })
        expect([filter, found.data.map((one) => one.id)]).toEqual([
          ...[filter, expect.arrayContaining([id])],
        ])
      }
    }
  })

  it('of changes', async () => {
    const shown = [...known]
    for (const one of writes) await tryWith(one, shown, namesOf(one))
    expect(wrong.splice(0)).toEqual([])
  })

  it('in every operation that is not excluded for a reason', () => {
    const called = operations.filter((one) => namesOf(one).length > 0)
    expect(called.map(keyOf).filter((one) => !tried.has(one))).toEqual([])
    const ids = contracts.map(({ id }) => id)
    expect(Object.keys(EXCLUDED).filter((id) => !ids.includes(id))).toEqual([])
  })
})
