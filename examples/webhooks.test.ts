import { createHmac, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from './walk/free-port.ts'
import { reachOtherAddress } from './walk/reach-other-address.ts'
import { type Program, startProgram } from './walk/start-site.ts'

const secrets = [0, 1].map(() => `whsec_${randomBytes(32).toString('base64')}`)
const folderOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** How each receiver is started, as its README says. */
const programs: Record<string, (port: number) => string[]> = {
  'webhook-express': () => [process.execPath, 'server.js'],
  'webhook-php': (port) => ['php', '-S', `localhost:${port}`, 'index.php'],
  'webhook-python': () => ['python3', 'server.py'],
}

describe.each(Object.keys(programs))('%s', (name) => {
  const handled = mkdtempSync(join(tmpdir(), 'handled-'))
  const start = (port: number) => {
    const [program = '', ...args] = programs[name]?.(port) ?? []
    const env = { PORT: String(port), WEBHOOK_SECRET: secrets.join(' '), HANDLED: handled }
    return startProgram(program, args, { env, cwd: folderOf(name) })
  }
  let site: Program
  beforeAll(async () => {
    site = await start(await freePort())
  })
  afterAll(async () => {
    await site.stop()
    rmSync(handled, { recursive: true })
  })

  const now = () => Math.floor(Date.now() / 1000)
  const event = (sequence: number) => ({
    ...{ id: `evt_${sequence}`, type: 'user.access_changed', sequence },
    data: { uid: 'u1', entitlements: [{ rid: `Zoë ${sequence}` }] },
  })
  async function send(
    sequence: number,
    { secret = secrets[0] as string, at = now(), forged = '' } = {},
  ) {
    const body = JSON.stringify(event(sequence))
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const mac = createHmac('sha256', key).update(`evt_${sequence}.${at}.${body}`).digest('base64')
    const { status } = await fetch(`${site.origin}/webhook`, {
      method: 'POST',
      body: body + forged,
      headers: {
        'content-type': 'application/json',
        'webhook-id': `evt_${sequence}`,
        'webhook-timestamp': String(at),
        'webhook-signature': `v1,${mac}`,
      },
    })
    return status
  }

  it('listens on this machine alone, and fails where its port is taken', async () => {
    await expect(reachOtherAddress(site.origin)).rejects.toThrow('fetch failed')
    const second = start(Number(new URL(site.origin).port))
    await expect(second).rejects.toThrow(/ended:.*\b(in use|EADDRINUSE)\b/is)
  })

  it('takes what is signed with either secret', async () => {
    expect(await send(1)).toBe(204)
    expect(await send(2, { secret: secrets[1] as string })).toBe(204)
  })

  it('refuses what is forged, old or not signed', async () => {
    expect(await send(3, { forged: ' ' })).toBe(400)
    expect(await send(3, { secret: `whsec_${randomBytes(32).toString('base64')}` })).toBe(400)
    expect(await send(3, { at: now() - 400 })).toBe(400)
    const bare = await fetch(`${site.origin}/webhook`, { method: 'POST', body: '{}' })
    expect(bare.status).toBe(400)
  })

  it('answers a repeated or late event too, so that it is not sent again, and drops it', async () => {
    expect(await send(5)).toBe(204)
    expect(await send(5)).toBe(204)
    expect(await send(4)).toBe(204)
    expect(await send(6)).toBe(204)
    const handledEvents = () => [...site.output().matchAll(/may read: Zo\S+ (\d)/g)]
    await expect.poll(() => handledEvents().at(-1)?.[1]).toBe('6')
    expect(handledEvents().map(([, sequence]) => sequence)).toEqual(['1', '2', '5', '6'])
  })
})
