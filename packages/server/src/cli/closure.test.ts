import type { Command } from 'commander'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Cli, inProcessCli } from '../testing/cli.ts'
import { entryPointDatabases } from '../testing/databases.ts'
import { addDownload } from '../testing/downloads/downloads.ts'
import { ODD_ADDRESSES, ODD_REFERENCES, ODD_RIDS, ODD_TAGS } from '../testing/odd-names.ts'
import { MONTHLY } from '../testing/payments/shop.ts'
import { useService, useShop } from '../testing/use-service.ts'
import { createProgram } from './cli.ts'

/** What the lists of the command line show of one sale. */
interface Shown {
  rid: string
  ref: string
  uid: string
  email: string
  tag: string
  download: string
  payment: string
  subscription: string
  price: string
  mail: string
}

const reader = ({ rid, ref }: Shown) => [`--rid=${rid}`, `--user-ref=${ref}`]

/** The commands that take a name, with the arguments that name something. Those that end anything come last. */
const CALLS: Readonly<Record<string, (shown: Shown) => string[][]>> = {
  'resource show': ({ rid }) => [[`--rid=${rid}`]],
  'resource set': ({ rid }) => [
    [`--rid=${rid}`, '--opens-nothing'],
    ['--rid=everything', `--opens-rid=${rid}`, '--dry-run'],
  ],
  'access show': (shown) => [reader(shown)],
  'access why': (shown) => [reader(shown)],
  'access search': ({ rid, ref, email, tag }) => [
    ...[[`--rid=${rid}`], [`--user-ref=${ref}`], [`--email=${email}`], [`--tag=${tag}`]],
  ],
  'access history': (shown) => [reader(shown), [`--uid=${shown.uid}`]],
  'access grant': (shown) => [[...reader(shown), `--email=${shown.email}`, '--no-mail']],
  'user show': ({ uid, ref, email }) => [
    ...[
      ['--uid', '--', uid],
      ['--user-ref', '--', ref],
      ['--email', '--', email],
      ['--', email],
    ],
  ],
  'user export': ({ ref }) => [['--user-ref', '--', ref]],
  'user add-ref': ({ uid, ref }) => [['--uid', '--', uid, ref]],
  'user end-links': ({ uid }) => [['--uid', '--', uid]],
  'price list': ({ rid }) => [[`--rid=${rid}`]],
  'link create': ({ rid, ref, email, price }) => [
    [`--rid=${rid}`, `--user-ref=${ref}`, `--email=${email}`, `--price=${price}`],
  ],
  'download show': ({ rid, download }) => [[`--rid=${rid}`, `--id=${download}`]],
  'download set': ({ rid, download }) => [[`--rid=${rid}`, `--id=${download}`, '--title=New']],
  'download move': ({ rid, download }) => [[`--rid=${rid}`, `--id=${download}`, '--to=1']],
  'download unpublish': ({ rid, download }) => [[`--rid=${rid}`, `--id=${download}`]],
  'download publish': ({ rid, download }) => [[`--rid=${rid}`, `--id=${download}`]],
  'download link': (shown) => [
    [...reader(shown), `--id=${shown.download}`, '--lifetime=60', `--filename=a`],
  ],
  'download page': (shown) => [[...reader(shown), '--lifetime=60s']],
  'download deliveries': ({ rid }) => [[`--rid=${rid}`]],
  'payment list': (shown) => [reader(shown)],
  'payment show': ({ payment }) => [['--', payment]],
  'mail show': ({ mail }) => [['--', mail]],
  'subscription list': (shown) => [reader(shown)],
  'subscription show': (shown) => [reader(shown), ['--', shown.subscription]],
  'subscription link': (shown) => [reader(shown)],
  'subscription cancel': (shown) => [reader(shown)],
  'subscription resume': ({ subscription }) => [['--', subscription]],
  'payment refund': ({ payment }) => [['--', payment]],
  'price archive': ({ price }) => [['--', price]],
  'price restore': ({ price }) => [['--', price]],
  'access revoke': (shown) => [reader(shown)],
}

/** Commands that take a name and are not called, and why. */
const EXCLUDED: Readonly<Record<string, string>> = {
  'app copy': 'needs two applications; tested in copy.test.ts',
  'resource create': 'makes what the others are asked for; it is called with each odd rid',
  'access import': 'takes a file; tested with odd names in data.test.ts',
  'user set-email': 'gives a person another name',
  'user merge': 'gives the names of one person to another',
  'user erase': 'ends the names of a person, as it should',
  'price create': 'is called with each odd rid',
  'download create': 'takes a file',
  'download replace': 'takes a file',
  'download list': 'has no filter',
  'download remove': 'removes what the others ask about',
  'payment dispute': 'is for sandbox payments that stay paid',
  'mail retry': 'is for failed emails only',
  'token confirm': 'takes a token, which no list of an application shows',
  'token revoke': 'takes a token, which no list of an application shows',
}
const WEBHOOKS = /^webhook /

const NAMING = ['--rid', '--user-ref', '--email', '--tag', '--uid', '--id', '--opens-rid']

function* leavesOf(command: Command, path = ''): Generator<[string, Command]> {
  if (command.commands.length === 0) yield [path, command]
  for (const one of command.commands) yield* leavesOf(one, `${path} ${one.name()}`.trim())
}

const takesName = ({ options, registeredArguments }: Command) =>
  options.some(({ long }) => NAMING.includes(long ?? '')) ||
  registeredArguments.some((one) => ['user', 'id', 'from'].includes(one.name()))

describe.each(entryPointDatabases)('what lists show, commands take, on $name', (database) => {
  const service = useService(database, { useRealTime: true })
  const shop = useShop(service)
  let cli: Cli
  let sales: Shown[]

  beforeAll(async () => {
    cli = inProcessCli(service.installation.env)
    await shop.addResource('everything')
    for (const [i, rid] of ODD_RIDS.entries()) await sell(rid, i)
    sales = await readSales()
  })

  async function sell(rid: string, i: number): Promise<void> {
    const to = [`--aid=${shop.aid}`, `--rid=${rid}`]
    await cli.json('resource', 'create', ...to, '--name=Odd', '--url=https://example.com/odd')
    await cli.json('price', 'create', ...to, '--amount=9.90', '--currency=EUR')
    const userRef = ODD_REFERENCES.at(-1 - i) as string
    const email = ODD_ADDRESSES[i] ?? (userRef.includes('@') ? userRef : `n${i}@example.com`)
    await shop.buy({ rid, userRef, vouchedEmail: email, terms: MONTHLY })
    const tags = ODD_TAGS[i % ODD_TAGS.length] as string
    await shop.client.grantAccess({ rid, user_ref: userRef, email, tags })
    await addDownload(shop, rid)
  }

  /** Joins what the lists show. */
  async function readSales(): Promise<Shown[]> {
    type Row = Record<string, string> & { tags: string[] }
    const of = [`--aid=${shop.aid}`]
    const access = await cli.json<{ data: Row[] }>('access', 'search', ...of, '--pagesize=1000')
    const list = (...words: string[]) => cli.json<Row[]>(...words, ...of)
    const [downloads, prices] = [await list('download', 'list'), await list('price', 'list')]
    const payments = await list('payment', 'list', '--limit=1000')
    const subscriptions = await list('subscription', 'list', '--limit=1000')
    const mails = await list('mail', 'list', '--limit=1000')
    return access.data.map(({ rid, user_ref, user_email, uid, tags }) => {
      const idIn = (rows: readonly Row[]) => rows.find((one) => one.rid === rid)?.id as string
      return {
        ...({ rid, ref: user_ref, uid, email: user_email, tag: tags[0] } as Shown),
        ...{ download: idIn(downloads), payment: idIn(payments), price: idIn(prices) },
        ...{ subscription: idIn(subscriptions), mail: mails[0]?.id as string },
      }
    })
  }

  /** Runs a command, and returns what is wrong with its end. */
  async function tryWith(path: string, shown: Shown): Promise<string[]> {
    const wrong: string[] = []
    for (const given of CALLS[path]?.(shown) ?? []) {
      const [options, rest] = [given, [] as string[]]
      const positional = given.indexOf('--')
      if (positional >= 0) rest.push(...options.splice(positional))
      const scope = takesAid.has(path) ? [`--aid=${shop.aid}`] : []
      const words = [...path.split(' '), ...scope, ...options, '--json', ...rest]
      const { code, stderr } = await cli.run(...words)
      if (code !== 0) wrong.push(`${words.join(' ').slice(0, 200)}: ${stderr.slice(0, 200)}`)
    }
    return wrong
  }

  const commands = [...leavesOf(createProgram())]
  const takesAid = new Set(
    commands
      .filter(([, one]) => one.options.some(({ long }) => long === '--aid'))
      .map(([path]) => path),
  )

  it('so that each odd name is in a list, and takes part', () => {
    expect(sales.map((one) => one.rid).sort()).toEqual([...ODD_RIDS].sort())
    for (const one of sales) {
      expect(Object.entries(one).filter(([, value]) => typeof value !== 'string')).toEqual([])
    }
  })

  it('in every command with a few of the names, and all in some', async () => {
    const wrong: string[] = []
    for (const [i, path] of Object.keys(CALLS).entries()) {
      const some = Array.from({ length: 3 }, (_, k) => sales[(i * 3 + k) % sales.length] as Shown)
      const all = ['resource show', 'access show'].includes(path)
      for (const shown of all ? sales : some) wrong.push(...(await tryWith(path, shown)))
    }
    expect(wrong).toEqual([])
  })

  it('and no command is forgotten', () => {
    const naming = commands.filter(([, one]) => takesName(one)).map(([path]) => path)
    const known = (path: string) => path in CALLS || path in EXCLUDED || WEBHOOKS.test(path)
    expect(naming.filter((path) => !known(path))).toEqual([])
    const listed = [...Object.keys(CALLS), ...Object.keys(EXCLUDED)]
    expect(listed.filter((path) => !commands.some(([name]) => name === path))).toEqual([])
  })
})
