import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Gatehouse } from '@gatehouse/sdk'
import { expect } from 'vitest'
import { acceptInvite, callApi, PASSWORD } from '../../packages/server/src/testing/staff.ts'
import { buy } from './checkout.ts'
import type { Release } from './release.ts'

const RID = 'demo-article'
const FILE_RID = 'issue-1'
const READERS = 20
const OWNER = 'owner@example.com'
const CONTENT = 'The first issue.\n'.repeat(1_000)

/** The data that the previous release has created, with parts of its responses. */
export interface Made {
  baseUrl(url: string): string
  aid: string
  privateKey: string
  total: number
  subscriptionId: string
  /** The path of a link to a file, which lives longer than the test. */
  download: string
}

type Client = Pick<
  Gatehouse,
  | 'advanceClock'
  | 'getDownloadUrl'
  | 'grantAccess'
  | 'hasAccess'
  | 'revokeAccess'
  | 'searchAccess'
  | 'searchPayments'
  | 'searchSubscriptions'
>
export type NewClient = (options: { baseUrl: string; aid: string; privateKey: string }) => Client

/** The client library of a release: sites go on using that of the previous one. */
export async function clientOf({ folder }: Release): Promise<NewClient> {
  const path = join(folder, 'packages/sdk/dist/index.js')
  const sdk = (await import(/* @vite-ignore */ pathToFileURL(path).href)) as {
    Gatehouse: new (options: object) => Client
  }
  return (options) => new sdk.Gatehouse(options)
}

/** Finds the application that the first start has created in the sandbox. */
async function findKeys(release: Release, env: Record<string, string>) {
  const [app] = await release.json<{ aid: string }[]>(env, 'app', 'list', '--env', 'sandbox')
  const aid = app?.aid as string
  const shown = await release.json<{ keys: { private_key: string }[] }>(
    env,
    ...['app', 'show', aid, '--reveal'],
  )
  return { aid, privateKey: shown.keys[0]?.private_key as string }
}

async function addFile(release: Release, env: Record<string, string>, aid: string) {
  const file = join(env.GATEHOUSE_DATA ?? tmpdir(), 'issue-1.txt')
  writeFileSync(file, CONTENT)
  const resource = ['--aid', aid, '--rid', FILE_RID]
  await release.json(
    env,
    'resource',
    'create',
    ...resource,
    '--name',
    'Issue 1',
    '--url',
    'https://example.com/1',
  )
  await release.json(env, 'download', 'create', ...resource, '--file', file, '--publish')
}

/** Uses everything that an installation has, with the previous release: readers, sales, files and staff. */
export async function makeData(release: Release, env: Record<string, string>): Promise<Made> {
  const server = await release.serve(env)
  const url = await server.url
  // Releases up to 0.2 print the link; later ones put it into a file.
  const file = join(env.GATEHOUSE_DATA ?? '', 'set-up-link')
  const told = existsSync(file) ? readFileSync(file, 'utf8') : server.stdout
  const setup = /\/dashboard\/welcome#(\w+)/.exec(told)?.[1] as string
  await acceptInvite(url, setup, { email: OWNER })
  const { aid, privateKey } = await findKeys(release, env)
  const baseUrl = (at: string) => `${at}/sandbox`
  const client = (await clientOf(release))({ baseUrl: baseUrl(url), aid, privateKey })
  for (let n = 0; n < READERS; n++) {
    await client.grantAccess({
      rid: RID,
      user_ref: `reader-${n}`,
      email: `reader-${n}@example.com`,
      tags: 'old',
    })
  }
  await client.revokeAccess({ rid: RID, user_ref: 'reader-0' })
  const checkout = `${baseUrl(url)}/checkout/${aid}/${RID}`
  await buy(checkout, 'once@example.com', 0)
  await buy(checkout, 'monthly@example.com', 1)
  await addFile(release, env, aid)
  const { url: link } = await client.getDownloadUrl({
    rid: FILE_RID,
    expiration: 4_000_000_000,
  })
  const { total } = await client.searchAccess({})
  const { data } = await client.searchSubscriptions({})
  expect(await server.stop()).toMatchObject({ code: 0, stderr: '' })
  const { pathname, search } = new URL(link)
  const subscriptionId = data[0]?.id as string
  return { baseUrl, aid, privateKey, total, subscriptionId, download: pathname + search }
}

/** Checks that everything is there and works, through a client of either version. */
export async function requireData(url: string, made: Made, newClient: NewClient): Promise<void> {
  const { aid, privateKey } = made
  const client = newClient({ baseUrl: made.baseUrl(url), aid, privateKey })
  expect(await client.hasAccess({ rid: RID, user_ref: 'reader-1' })).toBe(true)
  expect(await client.hasAccess({ rid: RID, user_ref: 'reader-0' })).toBe(false)
  expect(await client.searchAccess({})).toMatchObject({ total: made.total })
  expect(await client.searchAccess({ tag: 'old' })).toMatchObject({
    total: READERS - 1,
  })
  expect(await client.searchAccess({ email: 'once@example.com' })).toMatchObject({ total: 1 })
  expect(await client.searchSubscriptions({})).toMatchObject({
    data: [{ id: made.subscriptionId, status: 'active' }],
  })
  const file = await fetch(new URL(made.download, url))
  expect(await file.text()).toBe(CONTENT)
  const body = { email: OWNER, password: PASSWORD }
  expect((await callApi(url, 'POST', '/sign-in', { body })).status).toBe(200)
}

/** Goes on where the previous release has stopped: sells, renews, refunds and grants. */
export async function continueWork(url: string, made: Made, newClient: NewClient): Promise<void> {
  const { aid, privateKey } = made
  const client = newClient({ baseUrl: made.baseUrl(url), aid, privateKey })
  await buy(`${made.baseUrl(url)}/checkout/${aid}/${RID}`, 'later@example.com', 0)
  await client.advanceClock({ seconds: 40 * 86_400 })
  const payments = await client.searchPayments({})
  expect(payments.total).toBe(4)
  await client.grantAccess({ rid: RID, user_ref: 'reader-0', email: 'reader-0@example.com' })
  expect(await client.hasAccess({ rid: RID, user_ref: 'reader-0' })).toBe(true)
}
