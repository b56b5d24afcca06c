import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { inProcessCli } from '../../testing/cli.ts'
import { entryPointDatabases } from '../../testing/databases.ts'
import { getPage, redirectTarget, submitForm } from '../../testing/payments/page-client.ts'
import { goToPayment, payOnPage } from '../../testing/payments/page-shop.ts'
import { startProcess } from '../../testing/processes/process.ts'
import { useFreshMigratedInstallation } from '../../testing/use-service.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe.each(entryPointDatabases)('a server in a process of its own on $name', (database) => {
  const installation = useFreshMigratedInstallation(database)

  it('sells two files, delivers both, and neither after the refund', {
    timeout: 600_000,
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-buy-'))
    const server = await startProcess({ env: installation.env })
    try {
      const url = await server.url
      const cli = inProcessCli({ ...installation.env, GATEHOUSE_BASE_URL: url })
      const apps = await cli.json<{ aid: string; environment: string }[]>('app', 'list')
      const aid = apps.find(({ environment }) => environment === 'sandbox')?.aid as string
      const issue = ['--aid', aid, '--rid', 'demo-article']
      const files = new Map<string, Buffer>()
      for (const name of ['Issue.pdf', 'Booklet.epub']) {
        files.set(name, randomBytes(300_000))
        writeFileSync(join(folder, name), files.get(name) as Buffer)
        const more = ['--file', join(folder, name), '--add', '--publish']
        await cli.json('download', 'create', ...issue, ...more)
      }
      const { id: price } = await cli.json<{ id: string }>(
        'price',
        'create',
        ...issue,
        '--amount',
        '4.50',
      )

      const shop = `${url}/sandbox/checkout/${aid}/demo-article`
      const done = await payOnPage(await goToPayment(shop, { email: 'gina@example.com', price }))
      const page = await getPage(done)
      const actions = [...page.text.matchAll(/action="([^"]*\/files\/[^"]*)"/g)].map(
        ([, action]) => action as string,
      )
      expect(actions).toHaveLength(2)
      const links: string[] = []
      for (const [i, [name, bytes]] of [...files].entries()) {
        const action = actions[i] as string
        const link = redirectTarget(await submitForm(action), action)
        const file = await fetch(link)
        expect(file.headers.get('content-disposition')).toContain(name)
        expect(sha256(Buffer.from(await file.arrayBuffer()))).toBe(sha256(bytes))
        links.push(link)
      }
      const list = (actions[0] as string).replace(/\/[^/]+$/, '')
      expect((await getPage(list)).status).toBe(200)

      const [payment] = await cli.json<{ id: string }[]>('payment', 'list', '--aid', aid)
      await cli.json('payment', 'refund', payment?.id as string, '--aid', aid)
      await expect.poll(async () => (await getPage(list)).status, { timeout: 60_000 }).toBe(403)
      for (const [i, link] of links.entries()) {
        expect((await fetch(link)).status).toBe(403)
        expect((await submitForm(actions[i] as string)).status).toBe(403)
      }
      expect((await getPage(done)).text).not.toContain('/files/')
    } finally {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

describe('the bundle', () => {
  it('has the program that converts images', async () => {
    const file = fileURLToPath(new URL('../../../dist/convert-process.js', import.meta.url))
    const times = { maxSeconds: 10, maxDrawingSeconds: 3 }
    const limits = { widths: [96], maxPixels: 1e6, maxMemory: 1e9, ...times }
    const child = spawn(process.execPath, [file, JSON.stringify(limits)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const create = { width: 9, height: 9, channels: 3, background: 'red' } as const
    child.stdin.end(await sharp({ create }).png().toBuffer())
    const [head = ''] = (await buffer(child.stdout)).toString('latin1').split('\n', 1)
    expect(JSON.parse(head)).toMatchObject({ type: 'image/jpeg', sizes: [{ width: 9, height: 9 }] })
  })
})
